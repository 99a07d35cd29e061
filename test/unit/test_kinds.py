"""Kinds of ops: ops that may give different answers have different numbers."""

from collections.abc import Mapping, Sequence

import pytest
from npu_opt.compat.xdsl import retype
from npu_opt.dialects.npu.kinds import OpKinds
from npu_opt.dialects.npu.linear import MatmulOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.npu.unary import ExpOp, TanhOp
from xdsl.dialects import test
from xdsl.dialects.builtin import Float32Type, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation

F32 = Float32Type()


def tensor(*shape: int) -> TensorType:
    return TensorType(F32, shape)


def op(
    cls: type[Operation],
    operands: Sequence[TensorType],
    results: Sequence[TensorType],
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    values = [test.TestOp(result_types=[each]).results[0] for each in operands]
    return cls.create(operands=values, result_types=results, properties=properties or {})


SQUARE, ROW = tensor(4, 4), tensor(1, 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(op(ExpOp, [SQUARE], [SQUARE]), op(TanhOp, [SQUARE], [SQUARE]), id="class"),
        pytest.param(op(ExpOp, [SQUARE], [SQUARE]), op(ExpOp, [ROW], [SQUARE]), id="type of an operand"),
        pytest.param(op(ExpOp, [SQUARE], [SQUARE]), op(ExpOp, [SQUARE], [ROW]), id="type of a result"),
        pytest.param(
            op(OpaqueOp, [SQUARE], [SQUARE, SQUARE]), op(OpaqueOp, [SQUARE, SQUARE], [SQUARE]), id="number of operands"
        ),
        pytest.param(
            op(MatmulOp, [SQUARE, SQUARE], [SQUARE], {"trans_a": UnitAttr()}),
            op(MatmulOp, [SQUARE, SQUARE], [SQUARE], {"trans_b": UnitAttr()}),
            id="name of a property",
        ),
        pytest.param(
            op(OpaqueOp, [SQUARE], [SQUARE], {"op_name": F32}),
            op(OpaqueOp, [SQUARE], [SQUARE], {"op_name": SQUARE}),
            id="value of a property",
        ),
        pytest.param(
            op(MatmulOp, [SQUARE, SQUARE], [SQUARE]),
            op(MatmulOp, [SQUARE, SQUARE], [SQUARE], {"trans_b": UnitAttr()}),
            id="a property more",
        ),
    ],
)
def test_ops_of_different_kinds(one: Operation, other: Operation):
    kinds = OpKinds()
    numbers = [kinds.of(one), kinds.of(other)]
    assert numbers[0] != numbers[1]
    assert [kinds.of(one.clone()), kinds.of(other.clone())] == numbers


def test_equal_types_are_one_kind():
    kinds = OpKinds()
    assert kinds.of(op(ExpOp, [tensor(2)], [tensor(2)])) == kinds.of(op(ExpOp, [tensor(2)], [tensor(2)]))


def test_types_that_are_gone_are_not_confused_with_new_ones():
    """A new attribute may get the identity of one that was freed."""
    kinds, one = OpKinds(), op(ExpOp, [SQUARE], [SQUARE])
    numbers: list[int] = []
    for size in (*range(1, 20),) * 20:
        retype(one.results[0], tensor(size))
        numbers.append(kinds.of(one))
    assert numbers == [*range(19)] * 20
