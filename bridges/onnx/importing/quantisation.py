"""Scales and zero points in a model: passes read their numbers, so that they are written out in the program."""

from collections.abc import Iterator

from onnx import GraphProto

MOST_PARAMETERS = 1 << 16
"""The largest vector of scales or zero points in bytes that is written out."""

_OF_ONE_VALUE = (1, 2)
_OF_THREE_VALUES = (1, 2, 4, 5, 6, 7)
_INPUTS = {
    "QuantizeLinear": _OF_ONE_VALUE,
    "DequantizeLinear": _OF_ONE_VALUE,
    "QLinearConv": _OF_THREE_VALUES,
    "QLinearMatMul": _OF_THREE_VALUES,
}
"""The inputs of nodes that are scales or zero points."""


def quantisation_parameters(graph: GraphProto) -> Iterator[str]:
    """The names of the scales and zero points of a graph."""
    for node in graph.node:
        yield from (node.input[index] for index in _INPUTS.get(node.op_type, ()) if index < len(node.input))
