"""Elements or slices at positions along one axis."""

from collections.abc import Callable, Mapping, Sequence

from .....dialects.npu import indexing as ops
from .....dialects.npu.values import shape_of
from ...errors import NotLowerable
from ..elements import I64
from ..loops import ElementIndex, loop, loops
from ..registry import lowers
from ..scalars import Scalar, element_at, index, position, select
from ..tensors import Tensor

COMBINED: Mapping[str, Callable[[Scalar, Scalar], Scalar]] = {
    "none": lambda _, update: update,
    "add": lambda so_far, update: so_far + update,
    "mul": lambda so_far, update: so_far * update,
    "max": lambda so_far, update: so_far.maximum(update),
    "min": lambda so_far, update: so_far.minimum(update),
}


def _from_front(place: Scalar, size: int) -> Scalar:
    """A position counted from the start of an axis; it is clamped, so that no memory outside of the tensor is read."""
    wide = place.cast(I64)
    return select(wide < 0, wide + size, wide).maximum(0).minimum(size - 1)


def _every(count: int) -> list[ElementIndex]:
    return [loop(axis) for axis in range(count)]


@lowers(ops.GatherElementsOp)
def gather_elements(op: ops.GatherElementsOp, x: Tensor, indices: Tensor) -> Tensor:
    axis, value = op.axis.value.data, x.value

    def body(number: Scalar) -> Scalar:
        places = [position(each) for each in range(x.rank)]
        places[axis] = _from_front(number, x.shape[axis])
        return element_at(value, x.element, [index(place) for place in places])

    return loops(indices.shape, [], [(indices, _every(x.rank))], body, [x.element])[0]


@lowers(ops.ScatterElementsOp)
def scatter_elements(op: ops.ScatterElementsOp, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    return _scattered(op, x, indices, updates, range(x.rank))


@lowers(ops.ScatterOp)
def scatter(op: ops.ScatterOp, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    return _scattered(op, x, indices, updates, [op.axis.value.data])


def _scattered(
    op: ops.ScatterElementsOp | ops.ScatterOp, x: Tensor, indices: Tensor, updates: Tensor, axes: Sequence[int]
) -> Tensor:
    """Each element of the result takes the updates that are for its place, of all along the axis.

    The indices have these axes of the updates.
    """
    axis, element = op.axis.value.data, x.element.precise if op.reduction.data != "none" else x.element
    count, size = updates.shape[axis], x.shape[axis]
    if 0 in updates.shape:
        return x
    places, news, wide = indices.value, updates.value, element.computed

    def body(number: Scalar, so_far: Scalar) -> Scalar:
        step = position(x.rank)
        where = [step if each == axis else position(each).minimum(n - 1) for each, n in enumerate(updates.shape)]
        target = _from_front(element_at(places, indices.element, [index(where[each]) for each in axes]), size)
        update = element_at(news, updates.element, [index(each) for each in where]).cast(wide)
        is_meant = target == position(axis)
        for each, n in enumerate(updates.shape):
            if each != axis and n < x.shape[each]:
                is_meant = is_meant & (position(each) < n)
        before = select(step == 0, number.cast(wide), so_far)
        return select(is_meant, COMBINED[op.reduction.data](before, update), before)

    return loops(x.shape, [count], [(x, _every(x.rank))], body, [element], [0])[0]


@lowers(ops.TopKOp)
def top_k(op: ops.TopKOp, x: Tensor, count: Tensor | None) -> tuple[Tensor, Tensor]:
    """The rank of an element is the number of those before it; a result has the element of its own rank."""
    axis, shape = op.axis.value.data, shape_of(op.found)
    if count is not None:
        raise NotLowerable(f"'{op.name}' has sizes that are known at run time only")
    beside = [loop(x.rank if each == axis else each) for each in range(x.rank)]

    def ranked(here: Scalar, other: Scalar, rank: Scalar) -> Scalar:
        is_before = other < here if op.smallest else other > here
        ties = other == here
        if x.element.is_float:
            large, small = (here, other) if op.smallest else (other, here)
            is_before = is_before | (large.is_nan() & (small.is_nan() ^ 1))
            ties = ties | (here.is_nan() & other.is_nan())
        is_before = is_before | (ties & (position(x.rank) < position(axis)))
        return select(is_before, rank + 1, rank)

    ranks = loops(x.shape, [x.shape[axis]], [(x, _every(x.rank)), (x, beside)], ranked, [I64], [0])[0]

    def picked(number: Scalar, rank: Scalar, found: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
        is_here = rank == position(axis)
        return select(is_here, number, found), select(is_here, position(x.rank), place)

    found, places = loops(shape, [x.shape[axis]], [(x, beside), (ranks, beside)], picked, [x.element, I64], [0, 0])
    return found, places


@lowers(ops.CompressOp)
def compress(op: ops.CompressOp, *_: Tensor) -> Tensor:
    raise NotLowerable(f"'{op.name}' has sizes that are known at run time only")


@lowers(ops.ReverseSequenceOp)
def reverse_sequence(op: ops.ReverseSequenceOp, x: Tensor, lengths: Tensor) -> Tensor:
    axis, batch, value = op.axis.value.data, op.batch.value.data, x.value

    def body(length: Scalar) -> Scalar:
        places = [position(each) for each in range(x.rank)]
        count, here = length.cast(I64), places[axis]
        turned = (count - 1 - here).maximum(0).minimum(x.shape[axis] - 1)
        places[axis] = select(here < count, turned, here)
        return element_at(value, x.element, [index(place) for place in places])

    return loops(x.shape, [], [(lengths, [loop(batch)])], body, [x.element])[0]
