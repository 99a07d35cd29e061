"""Select and cast."""

from collections.abc import Mapping

from .....dialects.notes.node_kinds import was
from .....dialects.npu.elementwise import CastOp, SelectOp
from .....dialects.npu.values import element_type_of, shape_of
from ..constants import half
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor
from ..kernels import takes
from ..registry import exports

WAYS: Mapping[LiteElement, LiteElement] = {
    **dict.fromkeys((LiteElement.I8, LiteElement.I16, LiteElement.U8, LiteElement.U16), LiteElement.I32),
    LiteElement.U32: LiteElement.I64,
}
"""The integers through which floats become those of a type, as CAST alone would replace what does not fit."""


def aligned(graph: LiteGraph, x: LiteTensor, rank: int) -> LiteTensor:
    """An operand for broadcasting to a rank; one of a higher rank has one element."""
    return graph.reshape(x, ()) if len(x.shape) > rank else x


@exports(SelectOp)
def select(
    op: SelectOp, graph: LiteGraph, condition: LiteTensor, on_true: LiteTensor, on_false: LiteTensor
) -> LiteTensor:
    rank = len(shape_of(op.result))
    operands = [aligned(graph, x, rank) for x in (condition, on_true, on_false)]
    return graph.reshape(graph.elementwise("SELECT_V2", operands, on_true.element), shape_of(op.result))


@exports(CastOp)
def cast(op: CastOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """A conversion; anything but zero is true. Floats become integers through the wider ones of WAYS, and wrap."""
    element = element_of(element_type_of(op.result))
    if was(op, "DEQUANTIZE") and (x.element, element) == (LiteElement.F16, LiteElement.F32):
        return half(graph, x)
    if element == LiteElement.BOOL and x.element != LiteElement.BOOL and takes("NOT_EQUAL", x.element):
        return graph.binary("NOT_EQUAL", x, graph.like(x, 0), LiteElement.BOOL)
    if x.element.is_float and element in WAYS:
        x = _converted(graph, x, WAYS[element])
    return _converted(graph, x, element)


def _converted(graph: LiteGraph, x: LiteTensor, element: LiteElement) -> LiteTensor:
    """A tensor in another element type, whose integers wrap: those of a constant may be larger as well."""
    known = graph.known(x)
    if known is None or x.element == element or x.element.is_float:
        return graph.cast(x, element)
    return graph.numbers(known, element)
