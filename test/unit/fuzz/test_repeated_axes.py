"""An axis that an op does not mark counts for nothing where all operands are repeated along it."""

from collections.abc import Sequence
from random import Random

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import Place, Role
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.copies import like, verifies
from npu_opt.dialects.npu.source import ConstantOp, ForeignOp
from npu_opt.dialects.npu.values import element_type_of, shape_of, tensor_type
from npu_opt.interpreter import evaluate
from npu_opt.interpreter.elements import Array
from support.campaign import seeds
from support.generators.numbers import close, magnitude
from support.generators.samples import sample
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

OPS = [op for op in NPU.operations if issubclass(op, NpuOp) and not issubclass(op, ForeignOp | ConstantOp)]


def first(arrays: Sequence[Array], places: Sequence[Place]) -> list[Array]:
    """The arrays with the first element only along axes at these places."""
    found = list(arrays)
    for index, axis in places:
        found[index] = found[index].take([0], axis)
    return found


def shrunk(values: Sequence[SSAValue], places: Sequence[Place]) -> list[TensorType]:
    """The types of values that have one element along axes at these places."""
    sizes = [list(shape_of(value)) for value in values]
    for index, axis in places:
        sizes[index][axis] = 1
    return [
        TensorType(element_type_of(v), each, tensor_type(v).encoding) for v, each in zip(values, sizes, strict=True)
    ]


def repeated(arrays: Sequence[Array], like_these: Sequence[Array], places: Sequence[Place]) -> list[Array]:
    """The arrays, repeated to the sizes of others along axes at these places."""
    found = list(arrays)
    for index, axis in places:
        found[index] = found[index].repeat(like_these[index].shape[axis], axis)
    return found


def check(op: NpuOp, role: Role, inputs: Sequence[Array]) -> bool:
    """Check one axis; False if there is no such op on one element along it."""
    small = like(op, [*shrunk(op.operands, role.operands), *shrunk(op.results, role.results)], op.properties)
    if not verifies(small):
        return False
    given = first(inputs, role.operands)
    results = evaluate(small, given)
    whole = evaluate(op, repeated(given, inputs, role.operands))
    for index, _ in role.results:
        expected = repeated(results, whole, [place for place in role.results if place[0] == index])[index]
        scale = max(magnitude([expected]), magnitude(inputs) ** 2)
        assert close(whole[index], expected, element_type_of(op.results[index]), scale), f"{op}\n{role}"
    return True


def checked(op: type[NpuOp], seed: int) -> int:
    """The number of axes of a sampled op that were checked."""
    made = sample(op, Random(seed))
    roles = made.op.roles()
    if roles is None or any(0 in shape_of(value) for value in (*made.op.operands, *made.op.results)):
        return 0
    free = [role for role in roles.roles if role.splits and not role.marks and role.results]
    return sum([check(made.op, role, made.inputs(seed)) for role in free])


def test_results_are_repeated_where_operands_are():
    found = [sum(checked(op, seed) for seed in seeds(3, 200)) for op in OPS]
    assert sum(map(bool, found)) > 100
