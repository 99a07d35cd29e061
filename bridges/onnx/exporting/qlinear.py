"""Ops of ONNX Runtime on quantised numbers, which the importer divides into dequantisation, op and quantisation.

They are restored if the op and the quantisation come from one node, in a model that uses ONNX Runtime's domain.
"""

from collections.abc import Mapping, Sequence

from .elements import F32, I8, U8
from .graph import OnnxGraph, OnnxNode, OnnxTensor

DOMAIN = "com.microsoft"
"""The domain of ONNX Runtime's own ops."""

KINDS = ("Add", "Mul", "Sigmoid", "LeakyRelu", "GlobalAveragePool", "Concat")
"""Ops with a form on quantised numbers, which is called QLinear and the name."""


def restored(
    graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, zero_point: OnnxTensor, origin: str | None
) -> OnnxTensor | None:
    """The quantised result of an op on dequantised operands as one node, or None.

    `x` is the result of the op. Scale and zero point are scalars; `origin` is the name of the node that the
    quantisation comes from.
    """
    node = x.node
    if DOMAIN not in graph.domains or node is None or origin is None or node.name != origin:
        return None
    if node.kind not in KINDS or node.domain or not isinstance(node.attributes, Mapping):
        return None
    groups = [_quantized(operand, zero_point.element) for operand in node.inputs]
    operands = [tensor for group in groups for tensor in group or ()]
    if None in groups or zero_point.element not in (I8, U8) or scale.element != F32:
        return None
    parameters = [scale, zero_point]
    inputs = [*parameters, *operands] if node.kind == "Concat" else [*operands, *parameters]
    return graph.foreign_node(DOMAIN, f"QLinear{node.kind}", inputs, zero_point.element, **node.attributes)


def _quantized(x: OnnxTensor | None, element: int) -> Sequence[OnnxTensor] | None:
    """The operands of the dequantisation with one scale that computes a tensor, or None."""
    node: OnnxNode | None = None if x is None else x.node
    if node is None or node.kind != "DequantizeLinear" or node.domain or node.attributes:
        return None
    operands = [tensor for tensor in node.inputs if tensor is not None]
    return operands if [each.element for each in operands] == [element, F32, element] else None
