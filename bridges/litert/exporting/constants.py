"""Constants that a file has as f16, behind a DEQUANTIZE: they leave so, in whatever shape and order they are read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .data import LiteData, from_array
from .elements import LiteElement
from .graph import LiteGraph, LiteNode, LiteTensor


def half(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The numbers of a tensor of f16 as f32. Those of a constant are known until the graph is complete."""
    if (numbers := graph.known(x)) is None:
        return graph.node("DEQUANTIZE", [x], x.shape, LiteElement.F32)
    return graph.constant(replace(from_array(numbers, LiteElement.F32), is_half=True), x)


def with_halves(nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> list[LiteNode]:
    """The nodes, each constant of f16 dequantised before its first reader, or behind all if it is an output."""
    found: list[LiteNode] = []
    known: dict[LiteData, LiteTensor] = {}
    for node in nodes:
        for place, tensor in enumerate(node.inputs):
            if tensor is None or tensor.data is None or not tensor.data.is_half:
                continue
            if tensor.data not in known:
                known[tensor.data] = tensor
                found.append(_dequantised(tensor, tensor.data))
                continue
            node.inputs[place] = known[tensor.data]
        found.append(node)
    for tensor in outputs:
        if tensor.data is not None and tensor.data.is_half:
            found.append(_dequantised(tensor, tensor.data))
    return found


def _dequantised(tensor: LiteTensor, data: LiteData) -> LiteNode:
    stored = LiteTensor(LiteElement.F16, tensor.shape, of=tensor.of)
    stored.data = from_array(data.array().astype(np.float16), LiteElement.F16)
    tensor.node, tensor.data = LiteNode("DEQUANTIZE", [stored], {}, (tensor,)), None
    return tensor.node
