"""Ops whose results are as long as the numbers of the run say."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...dialects.npu import selection as ops
from ..elements import Array, precise
from ..errors import InterpreterError
from ..registry import meaning
from .dynamic import of_type


@meaning(ops.RangeOp)
def range_of(op: ops.RangeOp, start: Array, limit: Array, step: Array) -> Array:
    first, last, by = (each.reshape(()) for each in (start, limit, step))
    if by == 0:
        raise InterpreterError(f"'{op.name}': a step of 0")
    if start.dtype.kind != "f":
        return of_type(op, np.array(range(int(first), int(last), int(by)), start.dtype))
    count = np.ceil(precise(np.asarray(last - first)) / precise(by))
    if not np.isfinite(count):
        raise InterpreterError(f"'{op.name}': no end from {first} to {last} by {by}")
    return of_type(op, precise(first) + np.arange(max(int(count), 0)) * precise(by))


@meaning(ops.NonZeroOp)
def non_zero(op: ops.NonZeroOp, x: Array) -> Array:
    return of_type(op, np.stack(np.nonzero(np.atleast_1d(x)))[: x.ndim].astype(np.int64))


@meaning(ops.UniqueOp)
def unique(op: ops.UniqueOp, x: Array) -> tuple[Array, ...]:
    axis = None if op.axis is None else op.axis.value.data
    found, first, places, counts = np.unique(x, True, True, True, axis, equal_nan=False)
    places = places.reshape(-1)
    if op.as_found is not None:
        order = np.argsort(first, kind="stable")
        found, first, counts = np.take(found, order, 0 if axis is None else axis), first[order], counts[order]
        places = np.argsort(order, kind="stable")[places]
    results = found, first, places, counts
    return tuple(of_type(op, each, value) for each, value in zip(results, op.results, strict=True))


@meaning(ops.NonMaxSuppressionOp)
def non_max_suppression(
    op: ops.NonMaxSuppressionOp, boxes: Array, scores: Array, most: Array, overlap: Array, least: Array
) -> Array:
    corners = _corners(precise(boxes), op.centers is not None)
    found = [
        (image, number, box)
        for image, number in np.ndindex(*scores.shape[:2])
        for box in _chosen(corners[image], scores[image, number], int(most.item()), overlap.item(), least.item())
    ]
    return of_type(op, np.array(found, np.int64).reshape(-1, 3))


def _corners(boxes: Array, are_centers: bool) -> Array:
    """The least and the largest y, and the least and the largest x of boxes."""
    if are_centers:
        x, y, width, height = np.moveaxis(boxes, -1, 0)
        return np.stack([y - height / 2, x - width / 2, y + height / 2, x + width / 2], -1)
    first, second = boxes[..., :2], boxes[..., 2:]
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)], -1)


def _chosen(boxes: Array, scores: Array, most: int, overlap: float, least: float) -> Iterator[int]:
    """The boxes of one image and one class, by their scores."""
    chosen: list[int] = []
    for box in np.argsort(-precise(scores), kind="stable").tolist():
        if len(chosen) >= most or not scores[box] > least:
            return
        if not any(_share(boxes[box], boxes[other]) > overlap for other in chosen):
            chosen.append(box)
            yield box


def _share(one: Array, other: Array) -> float:
    """The intersection of two boxes as a part of their union."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    areas: Sequence[float] = [float(np.prod(each[2:] - each[:2])) for each in (one, other)]
    both = float(np.prod(np.maximum(high - low, 0)))
    return both / (sum(areas) - both) if min(areas) > 0 else 0.0
