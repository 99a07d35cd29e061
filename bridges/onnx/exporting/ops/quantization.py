"""Quantisation and dequantisation."""

from xdsl.ir import SSAValue

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import quantization as ops
from .....dialects.npu.values import has_one_element, shape_of
from ....origins import origin_of
from ..elements import F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, U16
from ..graph import OnnxGraph, OnnxTensor
from ..qlinear import DOMAIN, restored
from ..quantized import broadcast_parameters, requantized, saturated, scalar
from ..registry import exports
from .normalization import along

QUANTIZED = (I4, U4, I8, U8, I16, U16)
"""The integer types of QuantizeLinear and DequantizeLinear."""


class QuantizationParameters:
    """Scale and zero point, each of one element or one per position of the axis."""

    def __init__(self, op: ops.QuantizationOp, graph: OnnxGraph):
        self.op, self.graph = op, graph
        self.are_single = has_one_element(op.scale) and has_one_element(op.zero_point)

    @property
    def axis(self) -> dict[str, int]:
        """The ONNX attribute for the axis of the parameters."""
        return {} if self.are_single or self.op.axis is None else {"axis": self.op.axis.value.data}

    def for_onnx(self, scale: OnnxTensor, zero_point: OnnxTensor) -> tuple[OnnxTensor, OnnxTensor]:
        """Both parameters in one shape, as ONNX requires."""
        graph, op = self.graph, self.op
        if self.are_single:
            scales, points = scalar(graph, scale, op.scale), scalar(graph, zero_point, op.zero_point)
        else:
            scales, points = broadcast_parameters(graph, scale, op.scale, zero_point, op.zero_point)
        # ONNX reshapes no elements of 4 bits.
        return scales, graph.cast(points, zero_point.element)

    def for_arithmetic(self, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
        """A parameter in f64, reshaped to broadcast to the result."""
        exact = self.graph.cast(x, F64)
        if self.op.axis is None or has_one_element(value):
            return self.graph.reshape(exact, ())
        return along(self.graph, exact, self.op.axis.value.data, len(shape_of(self.op.result)))


@exports(ops.QuantizeOp)
def quantize(
    op: ops.QuantizeOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor
) -> OnnxTensor:
    """QuantizeLinear, or arithmetic for f64 and other integer types."""
    parameters = QuantizationParameters(op, graph)
    types = x.element, scale.element, zero_point.element
    is_usual = zero_point.element in QUANTIZED and x.element == scale.element and x.element in (F16, F32)
    if was(op, f"{DOMAIN}.QuantizeLinear", ONNX_KIND):
        inputs = x, *parameters.for_onnx(scale, zero_point)
        return graph.foreign_node(DOMAIN, "QuantizeLinear", inputs, zero_point.element, **parameters.axis)
    if is_usual and graph.opset.has("QuantizeLinear", *types):
        inputs = x, *parameters.for_onnx(scale, zero_point)
        if parameters.are_single and (whole := restored(graph, *inputs, origin_of(op).node)) is not None:
            return whole
        return graph.node("QuantizeLinear", *inputs, element=zero_point.element, **parameters.axis)
    quotient = graph.node("Div", graph.cast(x, F64), parameters.for_arithmetic(scale, op.scale))
    shifted = graph.node("Add", graph.node("Round", quotient), parameters.for_arithmetic(zero_point, op.zero_point))
    return saturated(graph, shifted, op.result)


@exports(ops.DequantizeOp)
def dequantize(
    op: ops.DequantizeOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor
) -> OnnxTensor:
    """DequantizeLinear, or arithmetic for f64 and other integer types.

    DequantizeLinear supports i32, such as a bias, with a zero point of 0 only.
    """
    parameters = QuantizationParameters(op, graph)
    is_bias = x.element == I32 and zero_point.weights is not None and not zero_point.weights.array().any()
    is_usual = (x.element in QUANTIZED or is_bias) and scale.element in (F16, F32)
    if was(op, f"{DOMAIN}.DequantizeLinear", ONNX_KIND):
        inputs = x, *parameters.for_onnx(scale, zero_point)
        return graph.foreign_node(DOMAIN, "DequantizeLinear", inputs, scale.element, **parameters.axis)
    if is_usual and graph.opset.has("DequantizeLinear", x.element, scale.element):
        inputs = x, *parameters.for_onnx(scale, zero_point)
        return graph.node("DequantizeLinear", *inputs, element=scale.element, **parameters.axis)
    whole = graph.cast(graph.cast(x, I64), F64)
    centred = graph.node("Sub", whole, parameters.for_arithmetic(zero_point, op.zero_point))
    return graph.node("Mul", centred, parameters.for_arithmetic(scale, op.scale))


@exports(ops.RequantizeOp)
def requantize(
    op: ops.RequantizeOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    lhs_scale: OnnxTensor,
    rhs_scale: OnnxTensor,
    result_scale: OnnxTensor,
    zero_point: OnnxTensor,
) -> OnnxTensor:
    if has_one_element(op.rhs_scale):
        factor = scalar(graph, rhs_scale, op.rhs_scale)
    else:
        assert op.axis is not None, "several scales have an axis"
        factor = along(graph, rhs_scale, op.axis.value.data, len(shape_of(op.input)))
    scales = scalar(graph, lhs_scale, op.lhs_scale), factor, scalar(graph, result_scale, op.result_scale)
    return requantized(graph, x, scales, scalar(graph, zero_point, op.result_zero_point), op.result)


@exports(ops.DynamicQuantizeOp)
def dynamic_quantize(op: ops.DynamicQuantizeOp, graph: OnnxGraph, x: OnnxTensor) -> tuple[OnnxTensor, ...]:
    result, scale, zero_point = graph.split_node("DynamicQuantizeLinear", [x], 3, U8)
    scale.element = F32
    return result, scale, zero_point
