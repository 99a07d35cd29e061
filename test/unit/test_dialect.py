"""The Python interface of the dialect."""

import importlib
import pkgutil

import npu_opt.dialects.npu as package
import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.attrs import (
    LayoutAttr,
    OperandDim,
    Reference,
    ReferenceAttr,
    ReshapeDimsAttr,
    i64_array,
    i64_attr,
)
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import Conv2dOp
from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.dialects.npu.linear import MatmulOp
from npu_opt.dialects.npu.normalization import SoftmaxOp
from npu_opt.dialects.npu.shape import ReshapeOp
from npu_opt.dialects.npu.source import ConstantOp, ForeignOp, OpaqueOp
from npu_opt.dialects.npu.values import layout_of
from npu_opt.layout import DYNAMIC, Layout, Order
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    Float32Type,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.traits import Commutative, ConstantLike, Pure, is_side_effect_free
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

OPS = [pytest.param(op, id=op.name) for op in NPU.operations]
OP_OF_NAME: dict[str, type[NpuOp]] = {op.name: op for op in NPU.operations if issubclass(op, NpuOp)}


def tensor(shape: list[int], layout: str | None = None) -> TensorType[Float32Type]:
    return TensorType(f32, shape, NoneAttr() if layout is None else LayoutAttr(Layout.parse(layout)))


def value(shape: list[int], layout: str | None = None) -> SSAValue:
    return create_ssa_value(tensor(shape, layout))


# --- what is in the dialect


def test_every_op_of_the_package_is_in_the_dialect():
    modules = [
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    ]
    defined = {
        member.name
        for module in modules
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, NpuOp) and "name" in vars(member)
    }
    assert defined == OP_OF_NAME.keys()


def test_names_are_different():
    assert len(OP_OF_NAME) == len(list(NPU.operations))


@pytest.mark.parametrize("op", OPS)
def test_op_has_a_fusion_kind(op: type[NpuOp]):
    assert isinstance(op.FUSION_KIND, FusionKind)


@pytest.mark.parametrize("op", OPS)
def test_op_is_pure(op: type[Operation]):
    assert op.has_trait(Pure) != issubclass(op, ForeignOp)


def test_commutative_ops():
    commutative = {name.removeprefix("npu.") for name, op in OP_OF_NAME.items() if op.has_trait(Commutative)}
    assert commutative == {"add", "mul", "max", "min", "equal", "not_equal", "and", "or", "xor"}


def test_only_the_constant_is_a_constant():
    assert [name for name, op in OP_OF_NAME.items() if op.has_trait(ConstantLike)] == ["npu.constant"]


def test_dynamic_sizes_equal_those_of_xdsl():
    assert DYNAMIC == DYNAMIC_INDEX


# --- building ops


def test_the_type_of_a_constant_is_inferred():
    type_ = tensor([2, 1], "Tensor, [1, 0]")
    constant = ConstantOp(DenseIntOrFPElementsAttr.from_list(type_, [1.0, 2.0]))
    constant.verify()
    assert constant.result.type == type_
    assert layout_of(constant.result) == Layout.parse("Tensor, [1, 0]")


def test_a_constant_in_a_file_needs_a_type():
    reference = ReferenceAttr(Reference("w.safetensors", "w", (1, 0)))
    ConstantOp(reference, tensor([2, 3])).verify()
    with pytest.raises(ValueError, match="needs a type"):
        ConstantOp(reference)


def conv2d(data: SSAValue, kernel: SSAValue, result: TensorType, **properties: int) -> Conv2dOp:
    return Conv2dOp.build(
        operands=[data, kernel, None],
        result_types=[result],
        properties={name: i64_attr(number) for name, number in properties.items()} | {"strides": i64_array(2, 2)},
    )


def test_a_convolution_has_one_group_by_default():
    op = conv2d(value([1, 9, 9, 4], "NHWC"), value([3, 3, 8, 4], "HWOI"), tensor([1, 4, 4, 8], "NHWC"))
    op.verify()
    assert op.groups == i64_attr(1)
    assert op.bias is None


def test_an_invalid_convolution_does_not_verify():
    op = conv2d(value([1, 9, 9, 4], "NHWC"), value([3, 3, 8, 4], "HWOI"), tensor([1, 4, 4, 8], "NHWC"), groups=2)
    with pytest.raises(VerifyException, match=r"'npu\.conv2d' kernel: expected 2 input channels"):
        op.verify()


def test_an_elementwise_op():
    add = OP_OF_NAME["npu.add"].build(operands=[value([2, 3]), value([2, 1])], result_types=[tensor([2, 3])])
    add.verify()


def test_a_layout_for_another_rank_does_not_verify_without_a_parser_either():
    relu = OP_OF_NAME["npu.relu"].build(operands=[value([2, 3], "NHWC")], result_types=[tensor([2, 3], "NHWC")])
    with pytest.raises(
        VerifyException, match=r"'npu\.relu' input: expected a layout that fits the rank, found layout NHWC is"
    ):
        relu.verify()


@pytest.mark.parametrize("op", OPS)
def test_an_op_without_anything_does_not_verify(op: type[Operation]):
    with pytest.raises(VerifyException):
        op.create().verify()


# --- reshapes


def reshape(operand: SSAValue, result: TensorType, *dims: int | OperandDim) -> ReshapeOp:
    return ReshapeOp(operand, result, ReshapeDimsAttr(dims) if dims else None)


def carried(op: ReshapeOp, order: Order, wanted: Order | None = None) -> Order | None:
    """The order of the result if the operand has an order."""
    found = op.relayouts([order], [wanted])
    return found[0].results[0] if found else None


def test_reshapes_keep_the_stored_bytes():
    op = reshape(value([1, 8, 4, 6]), tensor([1, 8, 24]))
    assert carried(op, (0, 1, 2, 3)) == (0, 1, 2)
    nhwc = value([1, 8, 4, 6], "NHWC")
    assert carried(reshape(nhwc, tensor([1, 6, 32])), (0, 2, 3, 1)) == (0, 2, 1)
    assert carried(reshape(nhwc, tensor([1, 192])), (0, 2, 3, 1)) is None


def test_reshapes_prefer_the_order_that_the_result_has():
    assert carried(reshape(value([8, 4]), tensor([8, 1, 4])), (1, 0)) == (2, 1, 0)
    for order in ("NCHW", "NHCW"):
        flat = reshape(value([2, 1, 1, 8], "NHWC"), tensor([2, 8, 1, 1], order))
        kept = Layout.parse(order).order
        assert carried(flat, (0, 2, 3, 1)) == kept


def test_reshapes_read_dims_in_the_order_that_the_result_has():
    dims = (OperandDim(0), 12, 64, OperandDim(2))
    operand = value([DYNAMIC, 768, DYNAMIC], "Tensor, [0, 2, 1]")
    op = reshape(operand, tensor([DYNAMIC, 12, 64, DYNAMIC], "Tensor, [0, 2, 3, 1]"), *dims)
    assert carried(op, (0, 2, 1)) == (0, 2, 3, 1)


# --- effects


def opaque(operand: SSAValue, pure: bool) -> OpaqueOp:
    return OpaqueOp.build(
        operands=[[operand]],
        result_types=[[tensor([2])]],
        properties={"op_name": StringAttr("foreign")} | ({"pure": UnitAttr()} if pure else {}),
    )


@pytest.mark.parametrize("pure", [True, False])
def test_effects_of_a_foreign_op(pure: bool):
    assert is_side_effect_free(opaque(value([2]), pure)) is pure


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.ops]


@pytest.mark.parametrize("pure", [True, False])
def test_dce_keeps_what_may_have_effects(pure: bool):
    source = test_dialect.TestOp(result_types=[tensor([2])])
    module = ModuleOp([source, opaque(source.results[0], pure)])
    dce(module)
    assert names(module) == ["test.op"] + ["npu.opaque"] * (not pure)


@pytest.mark.parametrize("pure", [True, False])
def test_cse_keeps_what_may_have_effects(pure: bool):
    source = test_dialect.TestOp(result_types=[tensor([2])])
    twins = [opaque(source.results[0], pure) for _ in range(2)]
    module = ModuleOp([source, *twins, test_dialect.TestOp(operands=[twin.results[0] for twin in twins])])
    cse(module)
    assert names(module) == ["test.op"] + ["npu.opaque"] * (1 if pure else 2) + ["test.op"]


def test_an_op_is_verified_again_if_its_properties_or_types_change():
    def reshape(result: TensorType) -> ReshapeOp:
        return ReshapeOp.create(operands=[value([2, 6])], result_types=[result])

    twelve, ten = tensor([12]), tensor([10])
    reshape(twelve).verify()
    for _ in range(2):
        with pytest.raises(VerifyException, match="expected"):
            reshape(ten).verify()
    op = reshape(twelve)
    op.verify()
    op.properties["dims"] = ReshapeDimsAttr((OperandDim(0),))
    with pytest.raises(VerifyException, match="expected"):
        op.verify()
    del op.properties["dims"]
    op.verify()
    op.attributes["dims"] = UnitAttr()
    with pytest.raises(VerifyException, match="a property"):
        op.verify()
    op.attributes.clear()
    op.operands[0] = value([2, 5])
    with pytest.raises(VerifyException, match="expected"):
        op.verify()


def test_an_op_is_verified_again_with_other_parts_that_it_has_had():
    """Equal types and properties, at other places: ops that verified are known by them."""
    narrow, wide, product = tensor([2, 3]), tensor([2, 4]), tensor([3, 4])
    flag = UnitAttr()

    def matmul(lhs: TensorType, rhs: TensorType, result: TensorType, name: str) -> MatmulOp:
        operands = [create_ssa_value(lhs), create_ssa_value(rhs)]
        return MatmulOp.create(operands=operands, result_types=[result], properties={name: flag})

    for lhs, rhs, result, name in (
        (wide, narrow, product, "trans_a"),
        (narrow, wide, narrow, "trans_a"),
        (narrow, wide, product, "trans_b"),
    ):
        matmul(narrow, wide, product, "trans_a").verify()
        wrong = matmul(lhs, rhs, result, name)
        for _ in range(2):
            with pytest.raises(VerifyException, match="expected"):
                wrong.verify()


def test_an_op_is_verified_again_with_a_new_property_in_the_place_of_one_that_is_gone():
    """A new attribute may get the identity of one that was freed."""
    own = value([2, 6])
    op = SoftmaxOp.create(operands=[own], result_types=[own.type])
    for _ in range(50):
        op.properties["axis"] = IntegerAttr(1, i64)
        op.verify()
        del op.properties["axis"]
        op.properties["axis"] = IntegerAttr(7, i64)
        with pytest.raises(VerifyException, match="expected"):
            op.verify()
