"""Ops of ONNX Runtime on quantised numbers, which the importer divides into dequantisation, op and quantisation.

They are restored if the op and the quantisation come from one node or are one op of the dialect, in a model that uses
ONNX Runtime's domain.
"""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ....dialects.npu.attention import HeadsOp
from ....dialects.npu.base import NpuOp
from ....dialects.npu.quantization import QuantizeOp
from ....dialects.npu.quantized import SteppedOp
from ....dialects.npu.values import element_type_of
from ....dialects.program.names import by_definition
from ..errors import NotExportable
from .elements import F32, I8, U8
from .graph import OnnxGraph, OnnxNode, OnnxTensor
from .quantized import scalar
from .registry import EXPORTERS

DOMAIN = "com.microsoft"
"""The domain of ONNX Runtime's own ops."""

KINDS = ("Add", "Mul", "Sigmoid", "LeakyRelu", "AveragePool", "GlobalAveragePool", "Concat", "Softmax")
"""Ops with a counterpart on quantised numbers, which is called QLinear and the name."""
MORE: Mapping[str, Mapping[str, int]] = {"Softmax": {"opset": 13}}
"""The attributes that only the quantised op has: a Softmax is of one axis from this version of ONNX on."""


def restored(
    graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor, origin: str | None
) -> OnnxTensor | None:
    """The quantised result of an op on dequantised operands as one node, or None.

    `x` is the result of the op. Scale and zero point are scalars; `origin` is the name of the node that the
    quantisation comes from.
    """
    node = x.node
    if node is None or origin is None or node.name != origin:
        return None
    return _as_one(graph, x, scale, zero_point)


def _as_one(graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor) -> OnnxTensor | None:
    """The quantised result of an op on dequantised operands as one node, or None."""
    node = x.node
    if DOMAIN not in graph.domains or node is None:
        return None
    if node.kind not in KINDS or node.domain or not isinstance(node.attributes, Mapping):
        return None
    groups = [_quantized(operand, zero_point.element) for operand in node.inputs]
    operands = [tensor for group in groups for tensor in group or ()]
    if None in groups or zero_point.element not in (I8, U8) or scale.element != F32:
        return None
    parameters = [scale, zero_point]
    attributes = {**node.attributes, **MORE.get(node.kind, {})}
    inputs = [*parameters, *operands] if node.kind == "Concat" else [*operands, *parameters]
    return graph.foreign_node(DOMAIN, f"QLinear{node.kind}", inputs, zero_point.element, **attributes)


def _quantized(x: OnnxTensor | None, element: int) -> Sequence[OnnxTensor] | None:
    """The operands of the dequantisation with one scale that computes a tensor, or None."""
    node: OnnxNode | None = None if x is None else x.node
    if node is None or node.kind != "DequantizeLinear" or node.domain or node.attributes:
        return None
    operands = [tensor for tensor in node.inputs if tensor is not None]
    return operands if [each.element for each in operands] == [element, F32, element] else None


def in_steps(op: SteppedOp | HeadsOp, graph: OnnxGraph, *operands: OnnxTensor) -> OnnxTensor:
    """Dequantisation, the op on floats and quantisation, which ONNX Runtime fuses, or its own op."""
    block = op.in_steps()
    if block is None:
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in this opset")
    known: dict[SSAValue, OnnxTensor] = dict(zip(block.args, operands, strict=True))
    result: OnnxTensor | None = None
    for step in block.ops:
        assert isinstance(step, NpuOp), "steps are ops of the dialect"
        read = [known[value] for value in step.operands]
        result = _last(step, graph, read) if isinstance(step, QuantizeOp) else None
        if result is None:
            found = EXPORTERS[type(step)](step, graph, *by_definition(step, read))
            assert isinstance(found, OnnxTensor), "a step has one result"
            result = graph.stored(found, element_type_of(step.results[0]))
        known[step.results[0]] = result
    assert result is not None, "there is a step"
    return result


def _last(step: QuantizeOp, graph: OnnxGraph, operands: Sequence[OnnxTensor]) -> OnnxTensor | None:
    x, scale, zero_point = operands
    return _as_one(graph, x, scalar(graph, scale, step.scale), scalar(graph, zero_point, step.zero_point))
