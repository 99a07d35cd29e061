"""Select and cast."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu.elementwise import BitcastOp, CastOp, ElementwiseOp, SelectOp
from .....dialects.npu.values import element_type_of, is_boolean, shape_of
from ...counterparts import ACTIVATIONS, BINARY, UNARY
from ...element_types import NARROW_FLOATS
from ..elements import BOOL, FLOATS, I32, I64, U32, U64, carrier
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

ROWS = {op: [*rows] for op, rows in groupby((*UNARY, *ACTIVATIONS, *BINARY), attrgetter("op"))}
ALL_FLOATS = FLOATS | {*NARROW_FLOATS}
WIDE = frozenset({I64, U32, U64})
"""The integers to which floats are truncated in i64."""


def aligned(op: ElementwiseOp, graph: OnnxGraph, tensors: Sequence[OnnxTensor]) -> list[OnnxTensor]:
    """Reshape operands for ONNX's broadcasting: those of a higher rank have one element.

    Unit axes that the program added in front are dropped, unless the operand gives the result its rank.
    """
    rank = len(shape_of(op.result))
    ranks = [len(shape_of(operand)) for operand in op.operands]
    lower = [graph.reshape(x, ()) if found > rank else x for x, found in zip(tensors, ranks, strict=True)]
    if rank not in ranks:
        # All operands have one element, and so does the result.
        lower[0] = graph.reshape(lower[0], [1] * rank)
        return lower
    places = [place for place, found in enumerate(ranks) if found == rank]
    carrier_of_rank = min(places, key=lambda place: (lower[place].lifted is not None, lower[place].weights is not None))
    return [x if x.lifted is None or place == carrier_of_rank else x.lifted.source for place, x in enumerate(lower)]


def one_node(op: ElementwiseOp, graph: OnnxGraph, *operands: OnnxTensor) -> OnnxTensor:
    """The op of ONNX in the row of an op: of several rows the first whose kernels take the operands."""
    rows = ROWS[type(op)]
    row = next((row for row in rows if operands[0].element in row.types), rows[-1])
    element = BOOL if is_boolean(element_type_of(op.result)) else None
    attributes = {name: getattr(op, name).value.data for name in row.defaults}
    build = graph.node if was(op, row.kind, ONNX_KIND) else graph.op
    return build(row.kind, *aligned(op, graph, operands), element=element, **attributes)


@exports(SelectOp)
def select(
    op: SelectOp, graph: OnnxGraph, condition: OnnxTensor, on_true: OnnxTensor, on_false: OnnxTensor
) -> OnnxTensor:
    return graph.where(*aligned(op, graph, (condition, on_true, on_false)))


@exports(CastOp)
def cast(op: CastOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Floats are cast to other integers through i32 or i64, because ONNX defines only what fits.

    NaN, infinities and values beyond i32 and i64 are left to ONNX Runtime, and so is what was a Cast.
    """
    wanted = carrier(element_type_of(op.result))
    if op.overflows is not None or op.rounding is not None:
        attributes: dict[str, Any] = {} if op.rounding is None else {"round_mode": op.rounding.data}
        return graph.node("Cast", x, element=wanted, to=wanted, saturate=int(op.overflows is None), **attributes)
    if was(op, "Cast", ONNX_KIND) or x.element not in ALL_FLOATS or wanted in {*ALL_FLOATS, BOOL}:
        return x
    return graph.cast(x, I64 if wanted in WIDE else I32)


@exports(BitcastOp)
def bitcast(op: BitcastOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    wanted = carrier(element_type_of(op.result))
    if x.element == wanted:
        return x
    return graph.node("BitCast", x, element=wanted, to=wanted)
