"""Opaque ops: those of imported LiteRT models, and those of ONNX where LiteRT has the same."""

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
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


def _range(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    start, limit, step = inputs
    return (graph.node("RANGE", [start, limit, step], shape_of(op.results[0])),)


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


def _gather_elements(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """A GATHER of the flattened elements, at indices along the axis plus the place of the other axes."""
    x, indices = inputs
    axis = _number(op, "axis", 0) % len(x.shape)
    size, shape = x.shape[axis], shape_of(op.results[0])
    if size == DYNAMIC:
        raise NotExportable(f"'{op.op_name.data}' along an axis of unknown size has no counterpart in LiteRT")
    found = graph.cast(indices, LiteElement.I32)
    found = from_start(graph, x, found, axis)
    others = [each for place, each in enumerate(x.shape) if place != axis]
    if prod(others) == 1:
        return (graph.node("GATHER", [graph.reshape(x, (size,)), found], shape, axis=0, batchDims=0),)
    if DYNAMIC in (*x.shape, *shape):
        raise NotExportable(f"'{op.op_name.data}' of unknown sizes has no counterpart in LiteRT")
    strides = [prod(x.shape[place + 1 :]) for place in range(len(x.shape))]
    places = np.zeros(shape, np.int64)
    for place, (count, stride) in enumerate(zip(shape, strides, strict=True)):
        if place != axis:
            places += (np.arange(count) * stride).reshape([-1 if each == place else 1 for each in range(len(shape))])
    linear = graph.binary("MUL", found, graph.like(found, strides[axis]))
    linear = graph.binary("ADD", linear, graph.numbers(places, LiteElement.I32))
    return (graph.node("GATHER", [graph.reshape(x, (prod(x.shape),)), linear], shape, axis=0, batchDims=0),)


def _top_k(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """TOPK_V2, which takes the largest elements along the last axis, the lower index first if they are equal."""
    x, count = inputs
    known, rank = graph.known(count), len(x.shape)
    if known is None or _number(op, "axis", -1) % rank != rank - 1 or not _number(op, "largest", 1):
        raise NotExportable(f"'{op.op_name.data}' of the smallest, or along another axis than the last")
    shapes = [shape_of(op.results[0])] * 2
    values, places = graph.split_node("TOPK_V2", [x, graph.numbers(int(known.reshape(-1)[0]), LiteElement.I32)], shapes)
    places.change(element=LiteElement.I32)
    return values, graph.cast(places, LiteElement.I64)


_EXPORTERS: dict[str, Opaque] = {
    "onnx.AveragePool": pool,
    "onnx.Conv": conv,
    "onnx.Expand": _expand,
    "onnx.GatherElements": _gather_elements,
    "onnx.GatherND": _gather_nd,
    "onnx.MaxPool": pool,
    "onnx.Range": _range,
    "onnx.TopK": _top_k,
}
