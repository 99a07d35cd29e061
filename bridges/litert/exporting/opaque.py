"""Opaque ops: those of imported LiteRT models, and those of ONNX where LiteRT has the same."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr

from ....dialects.npu.axes import numbers_of
from ....dialects.npu.never_negative import is_never_negative
from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.values import shape_of
from ....layout import DYNAMIC
from ..errors import NotExportable
from .elements import LiteElement
from .graph import LiteGraph, LiteTensor
from .kept import is_kept, kept
from .ops.movement import from_start
from .same_pads import conv, pool

Opaque: TypeAlias = Callable[[OpaqueOp, LiteGraph, Sequence[LiteTensor]], Sequence[LiteTensor]]


def opaque(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """The results of an op of ONNX or LiteRT; its attributes are as in the imported model."""
    name = op.op_name.data
    if is_kept(op):
        return kept(op, graph, inputs)
    if name not in _EXPORTERS or "onnx.operands" in op.attributes:
        raise NotExportable(f"'{name}' has no counterpart in LiteRT")
    found = _EXPORTERS[name](op, graph, [graph.raw(x) for x in inputs])
    places = op.attributes.get("onnx.results")
    return found[: len(op.results)] if places is None else [found[place] for place in numbers_of(places)]


def _number(op: OpaqueOp, name: str, default: int) -> int:
    found = op.attributes.get(name)
    return found.value.data if isinstance(found, IntegerAttr) else default


def _expand(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """BROADCAST_TO the common shape: a size of 1 keeps that of the operand."""
    x, sizes = inputs
    shape = shape_of(op.results[0])
    own = graph.node("SHAPE", [x], (len(x.shape),), sizes.element, outType=int(sizes.element))
    common = graph.node("BROADCAST_ARGS", [own, sizes], (len(shape),))
    return (graph.node("BROADCAST_TO", [x, common], shape),)


def _gather_nd(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    x, indices = inputs
    if _number(op, "batch_dims", 0):
        raise NotExportable(f"'{op.op_name.data}' with batch axes has no counterpart in LiteRT")
    places = graph.cast(indices, LiteElement.I32)
    if not is_never_negative(op.operands[1]):
        places = _each_from_start(op, graph, x, places)
    return (graph.node("GATHER_ND", [x, places], shape_of(op.results[0])),)


def _each_from_start(op: OpaqueOp, graph: LiteGraph, x: LiteTensor, places: LiteTensor) -> LiteTensor:
    """Places without negative numbers, each of which counts from the end of an axis of its own."""
    *shape, depth = places.shape
    if depth == DYNAMIC:
        raise NotExportable(f"'{op.op_name.data}' along an unknown number of axes has no counterpart in LiteRT")
    last = len(shape)
    parts = [graph.slice(places, [*[0] * last, axis], (*shape, 1)) for axis in range(depth)]
    return graph.concat([from_start(graph, x, part, axis) for axis, part in enumerate(parts)], last)


_EXPORTERS: dict[str, Opaque] = {
    "onnx.AveragePool": pool,
    "onnx.Conv": conv,
    "onnx.Expand": _expand,
    "onnx.GatherND": _gather_nd,
    "onnx.MaxPool": pool,
}
