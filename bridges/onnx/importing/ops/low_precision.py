"""Products with quantised matrices, which ONNX Runtime's tools write."""

from collections.abc import Sequence

from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from .....dialects.npu import binary, linear, low_precision, quantization
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..types import UI8
from .elementwise import cast, combine
from .linear import Matrices, product_sizes, zero_point
from .microsoft import DOMAIN


@types(f"{DOMAIN}.MatMulNBits", f"{DOMAIN}.MatMulBnb4")
def product_type(node: ImportedNode) -> Shaped:
    return Shaped(node.shaped(0).element, (*node.sizes()[:-1], node.integer("N")))


@converts(f"{DOMAIN}.MatMulNBits")
def product(node: ImportedNode) -> SSAValue:
    columns, rows, bits, size = (node.integer(name) for name in ("N", "K", "bits", "block_size"))
    bits = bits or 4
    if bits not in (2, 4, 8) or size < 16 or size & (size - 1) or node.sizes()[-1] != rows:
        raise UnsupportedNode("blocks that ONNX Runtime does not define")
    blocks = -(-rows // size)
    if node.sizes(1) != (columns, blocks, size * bits // 8):
        raise UnsupportedNode("weights that are packed in another way")
    parameters: dict[int, tuple[int, int]] = {2: (columns, blocks)}
    if node.has_input(3):
        is_packed = node.shaped(3).element == low_precision.BYTE
        parameters[3] = (columns, -(-blocks * bits // 8) if is_packed else blocks)
    for place, (count, each) in parameters.items():
        if node.sizes(place) not in ((count, each), (count * each,)):
            raise UnsupportedNode("scales or zero points of another shape")
    if node.shaped(2).element != node.shaped(0).element:
        raise UnsupportedNode("scales of another type")
    operands = [node.operand(place) for place in range(3)] + [node.optional(place) for place in (3, 4, 5)]
    properties = {"axis": node.rank() - 1, "bits": bits, "block_size": size}
    accuracy = node.integer("accuracy_level") if node.has_attribute("accuracy_level") else None
    return node.add(low_precision.MatmulNBitsOp, operands, node.output().sizes, **properties, accuracy=accuracy)


@types(f"{DOMAIN}.DynamicQuantizeMatMul", f"{DOMAIN}.MatMulIntegerToFloat")
def float_product_type(node: ImportedNode) -> Shaped:
    """The product has the type of a scale."""
    return Shaped(node.shaped(2).element, product_sizes(node.sizes(0), node.sizes(1)))


@converts(f"{DOMAIN}.DynamicQuantizeMatMul")
def dynamic_product(node: ImportedNode) -> Converted:
    """The data are quantised by their range; a product of integers, scaled, is the result."""
    value = node.operand(0)
    if element_type_of(value) != f32:
        raise UnsupportedNode("data of another type than f32")
    results = Shaped(UI8, node.sizes()), Shaped(f32, ()), Shaped(UI8, ())
    data, scale, point = node.add_many(quantization.DynamicQuantizeOp, [value], results)
    return _scaled(node, (data, node.operand(1)), (scale, node.operand(2)), (point, 3), node.optional(4))


@converts(f"{DOMAIN}.MatMulIntegerToFloat")
def scaled_product(node: ImportedNode) -> Converted:
    """A product of integers, scaled."""
    data = node.operand(0)
    scales = node.operand(2), node.operand(3)
    return _scaled(node, (data, node.operand(1)), scales, (zero_point(node, 4, data), 5), node.optional(6))


def _scaled(
    node: ImportedNode,
    factors: Sequence[SSAValue],
    scales: Sequence[SSAValue],
    points: tuple[SSAValue, int],
    bias: SSAValue | None,
) -> SSAValue:
    """The product of quantised matrices as floats; `points` are a zero point and the place of the other one."""
    if node.proto.op_type in node.graph.whole:
        raise UnsupportedNode("the target runs it whole")
    matrices = Matrices(node, *factors)
    operands = [matrices.lhs, matrices.rhs, points[0], zero_point(node, points[1], matrices.rhs)]
    sums = matrices.squeezed(node, node.add(linear.MatmulIntegerOp, operands, matrices.sizes, i32))
    factor = combine(node, binary.MulOp, scales[0], scales[1])
    result = combine(node, binary.MulOp, cast(node, sums, f32), factor)
    return result if bias is None else combine(node, binary.AddOp, result, bias)
