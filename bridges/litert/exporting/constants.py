"""Constants that a file has as f16, behind a DEQUANTIZE: they leave so, in whatever shape and order they are read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects.func import ReturnOp
from xdsl.ir import SSAValue

from ..data import LiteData, from_array
from ..dialect import DataAttr, LiteNode, LiteTensor, NodeFacts, SourceOp
from .elements import LiteElement
from .graph import LiteGraph


def half(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The numbers of a tensor of f16 as f32. Those of a constant are known until the graph is complete."""
    if (numbers := graph.known(x)) is None:
        return graph.node("DEQUANTIZE", [x], x.shape, LiteElement.F32)
    return graph.constant(replace(from_array(numbers, LiteElement.F32), is_half=True), x)


def with_halves(graph: LiteGraph, _: Sequence[LiteNode]) -> None:
    """Dequantise each constant of f16 before its first reader, or behind all nodes if it is an output."""
    known: dict[LiteData, SSAValue] = {}
    for op in graph.block.ops:
        graph.before = op
        for place, value in enumerate(list(op.operands)):
            data = LiteTensor(value).data
            if data is None or not data.is_half:
                continue
            if data in known and not isinstance(op, ReturnOp):
                op.operands[place] = known[data]
            else:
                known[data] = _dequantised(graph, value, data)


def _dequantised(graph: LiteGraph, value: SSAValue, data: LiteData) -> SSAValue:
    x = LiteTensor(value)
    (result,) = graph.add(NodeFacts("DEQUANTIZE"), [x], [replace(x.type, name=x.source_name)])
    value.replace_uses_with_if(result.value, lambda use: use.operation is not result.node)
    x.change(element=LiteElement.F16, name=None)
    assert isinstance(value.owner, SourceOp)
    value.owner.data = DataAttr(from_array(data.array().astype(np.float16), LiteElement.F16))
    return result.value
