"""Pooling of quantised numbers.

The integer kernel of AVERAGE_POOL_2D cannot change scales, so such a pool is one of floats, as the op's meaning is.
That of MEAN can: it adds integers and rounds once, as ONNX Runtime does.
"""

from .....dialects.notes.node_kinds import was
from .....dialects.npu import quantized_pooling as ops
from .....dialects.npu.pooling import GlobalPoolingOp
from .....dialects.npu.values import element_type_of, shape_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor
from ..quantized import are_unsigned, dequantised, numbers_of, quantised, result_of
from ..registry import exports
from .pooling import image_pool, spatial_axes


@exports(ops.QuantAvgPoolOp, ops.QuantGlobalAvgPoolOp)
def pooled(
    op: ops.QuantizedPoolingOp,
    graph: LiteGraph,
    x: LiteTensor,
    scale: LiteTensor,
    zero: LiteTensor,
    result_scale: LiteTensor,
    result_zero: LiteTensor,
) -> LiteTensor:
    element = element_of(element_type_of(op.result))
    if {element, x.element} - {LiteElement.I8, LiteElement.U8}:
        raise NotExportable(f"'{op.name}' of {x.element.name} has no counterpart in LiteRT")
    given, wanted = numbers_of(graph, scale, zero), numbers_of(graph, result_scale, result_zero)
    if isinstance(op, GlobalPoolingOp):
        is_kept = was(op, "MEAN") and are_unsigned(op.input, op.result)
        data = graph.unsigned(x, given) if is_kept else graph.quantised(x, given)
        mean = graph.node("MEAN", [data, graph.ints(*spatial_axes(op))], shape_of(op.result), keepDims=True)
        return result_of(mean, wanted, element, is_kept=is_kept)
    assert isinstance(op, ops.QuantAvgPoolOp)
    mean = image_pool(op, graph, dequantised(graph, x, given), "AVERAGE_POOL_2D", 0.0)
    return quantised(graph, mean, wanted, element)
