"""Reductions and cumulative sums."""

from collections.abc import Callable, Mapping
from math import inf, prod

from .....dialects.npu import reduction as ops
from .....dialects.npu.values import shape_of
from ...bindings import math, tosa
from .. import arithmetic
from ..arithmetic import add, function, mul, precise, sub, summed
from ..arrange import reshape
from ..elements import I64, Element
from ..loops import element_by_element, loop, loops
from ..registry import lowers
from ..scalars import Scalar, position, select
from ..tensors import Tensor

Axes = list[int]


def _log_sum_exp(x: Tensor, axes: Axes) -> Tensor:
    top = arithmetic.largest(x, axes, -inf)
    top = element_by_element(lambda number: select(number.abs() < inf, number, number.literal(0)), top)
    total = summed(function(sub(x, top), math.exp, tosa.ExpOp), axes)
    return add(function(total, math.log, tosa.LogOp), top)


FUNCTIONS: Mapping[type[ops.ReduceOp], Callable[[Tensor, Axes], Tensor]] = {
    ops.ReduceSumOp: summed,
    ops.ReduceProdOp: arithmetic.multiplied,
    ops.ReduceL1Op: lambda x, axes: summed(element_by_element(Scalar.abs, x), axes),
    ops.ReduceL2Op: lambda x, axes: function(summed(mul(x, x), axes), math.sqrt),
    ops.ReduceSumSquareOp: lambda x, axes: summed(mul(x, x), axes),
    ops.ReduceLogSumExpOp: _log_sum_exp,
}


@lowers(*FUNCTIONS)
def reduce(op: ops.ReduceOp, x: Tensor) -> Tensor:
    return _shaped(op, FUNCTIONS[type(op)](precise(x), _axes(op)))


def _axes(op: ops.ReduceOp) -> Axes:
    return [*op.axes.get_values()]


def _shaped(op: ops.ReduceOp | ops.ArgReduceOp, x: Tensor) -> Tensor:
    """Reshape to the result, which may keep the reduced axes."""
    return reshape(x, shape_of(op.result))


@lowers(ops.ReduceMeanOp)
def mean(op: ops.ReduceMeanOp, x: Tensor) -> Tensor:
    count = prod(x.shape[axis] for axis in _axes(op))
    total = summed(precise(x), _axes(op))
    return _shaped(op, element_by_element(lambda number: number / count, total))


@lowers(ops.ReduceMaxOp)
def largest(op: ops.ReduceMaxOp, x: Tensor) -> Tensor:
    least = -inf if x.element.is_float else x.element.range[0]
    return _shaped(op, arithmetic.largest(x, _axes(op), least))


@lowers(ops.ReduceMinOp)
def smallest(op: ops.ReduceMinOp, x: Tensor) -> Tensor:
    most = inf if x.element.is_float else x.element.range[1]
    return _shaped(op, arithmetic.smallest(x, _axes(op), most))


@lowers(ops.ArgMaxOp, ops.ArgMinOp)
def first_place(op: ops.ArgReduceOp, x: Tensor) -> Tensor:
    return _shaped(op, best_and_place(x, op.axis.value.data, isinstance(op, ops.ArgMaxOp))[1])


def best_and_place(x: Tensor, axis: int, finds_largest: bool) -> tuple[Tensor, ...]:
    """The maximum or minimum along an axis, which is dropped, and its first index; NaN counts as both."""
    kept = [other for other in range(x.rank) if other != axis]
    read = [loop(x.rank - 1 if other == axis else kept.index(other)) for other in range(x.rank)]
    worst, best = _ends(x.element)
    start = worst if finds_largest else best

    def body(number: Scalar, so_far: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
        here = position(x.rank - 1)
        is_better = number > so_far if finds_largest else number < so_far
        if x.element.is_float:
            is_better = (is_better | number.is_nan()) & (so_far.is_nan() ^ 1)
        # The first element wins even if it is no better than the start.
        is_better = is_better | (here == 0)
        return select(is_better, number, so_far), select(is_better, here, place)

    shape = [x.shape[other] for other in kept]
    elements = [x.element, I64]
    return loops(shape, [x.shape[axis]], [(x, read)], body, elements, [start, 0])


def _ends(element: Element) -> tuple[float, float]:
    """The least and the largest value of an element type."""
    return (-inf, inf) if element.is_float else element.range


@lowers(ops.CumsumOp, ops.CumprodOp)
def running(op: ops.RunningOp, x: Tensor) -> Tensor:
    """For each position of the axis, the result of the elements before it, itself included unless exclusive."""
    is_sum, axis, element = isinstance(op, ops.CumsumOp), op.axis.value.data, x.element.precise
    read = [loop(x.rank if other == axis else other) for other in range(x.rank)]

    def body(number: Scalar, total: Scalar) -> Scalar:
        end, here = position(axis), position(x.rank)
        if op.reverse:
            end, here = here, end
        counts = here < end if op.exclusive else here <= end
        found = number.cast(element)
        return select(counts, total + found if is_sum else total * found, total)

    return loops(x.shape, [x.shape[axis]], [(x, read)], body, [element], [0 if is_sum else 1])[0]
