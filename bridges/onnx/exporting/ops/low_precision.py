"""Numbers of few bits with a scale for each block."""

from .....dialects.npu import low_precision as ops
from .....dialects.npu.values import element_type_of, rank_of, shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..elements import carrier
from ..graph import OnnxGraph, OnnxTensor
from ..qlinear import DOMAIN
from ..registry import exports


@exports(ops.BlockQuantizeOp)
def block_quantize(
    op: ops.BlockQuantizeOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor | None
) -> OnnxTensor:
    element = carrier(element_type_of(op.result))
    kind = {} if zero_point is not None else {"output_dtype": element}
    given, places = _blocks(op, graph, scale, zero_point)
    return graph.node("QuantizeLinear", x, *given, element=element, **places, **kind)


@exports(ops.BlockDequantizeOp)
def block_dequantize(
    op: ops.BlockDequantizeOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor | None
) -> OnnxTensor:
    element = carrier(element_type_of(op.result))
    kind = {} if element == scale.element else {"output_dtype": element}
    given, places = _blocks(op, graph, scale, zero_point)
    return graph.node("DequantizeLinear", x, *given, element=element, **places, **kind)


def _blocks(
    op: ops.BlockQuantizeOp | ops.BlockDequantizeOp, graph: OnnxGraph, *numbers: OnnxTensor | None
) -> tuple[list[OnnxTensor], dict[str, int]]:
    """The scale and maybe the zero point of each block, and where the blocks are.

    ONNX Runtime takes one number for that of a whole tensor, which has no blocks.
    """
    given = [each for each in numbers if each is not None]
    if {*shape_of(op.scale)} == {1}:
        return [graph.reshape(each, []) for each in given], {}
    return given, {"axis": op.axis.value.data, "block_size": op.block_size.value.data}


@exports(ops.MatmulNBitsOp)
def matmul_nbits(
    op: ops.MatmulNBitsOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    weights: OnnxTensor,
    scale: OnnxTensor,
    *optional: OnnxTensor | None,
) -> OnnxTensor:
    """MatMulNBits, whose axis is the last one."""
    axis, rank = op.axis.value.data, rank_of(op.input)
    order = (*(place for place in range(rank) if place != axis), axis)
    inputs = [graph.transpose(x, order), weights, scale, *optional]
    while inputs[-1] is None:
        inputs.pop()
    columns, inner, size = shape_of(op.weights)[0], shape_of(op.input)[axis], op.block_size.value.data
    attributes = {"N": columns, "K": inner, "bits": op.bits.value.data, "block_size": size}
    if DYNAMIC in attributes.values():
        raise NotExportable("MatMulNBits has no product of unknown sizes")
    if op.accuracy is not None:
        attributes["accuracy_level"] = op.accuracy.value.data
    result = graph.foreign_node(DOMAIN, "MatMulNBits", inputs, x.element, **attributes)
    return graph.transpose(result, invert(order))
