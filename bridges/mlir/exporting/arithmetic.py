"""Arithmetic on tensors: ops of TOSA for f32 and i32, loops otherwise."""

from collections.abc import Callable, Sequence

from ..bindings import Operation, Value, tosa
from .arrange import reshape
from .elements import F32, Element
from .loops import element_by_element, fold, joint_shape
from .scalars import Scalar
from .tensors import Tensor, computed, tensor_type, tosa_number, tosa_op

I8 = Element("i", 8)


def tosa_elementwise(
    build: Callable[..., object], *operands: Tensor, element: Element | None = None, rest: Sequence[object] = ()
) -> Tensor:
    """Build an elementwise op of TOSA, whose operands must have the same rank."""
    shape = joint_shape(operands)
    wide = [x if x.rank == len(shape) else reshape(x, [1] * len(shape)) for x in operands]
    return tosa_op(build, shape, element or operands[0].element, *(x.value for x in wide), *rest)


def converted(x: Tensor, element: Element) -> Tensor:
    """Cast to another element type."""
    return x if x.element == element else element_by_element(lambda number: number.cast(element), x, element=element)


def precise(x: Tensor) -> Tensor:
    """Cast to the type in which averages, roots and exponentials are computed."""
    return converted(x, x.element.precise)


def add(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.element.is_computed_by_tosa:
        return tosa_elementwise(tosa.AddOp, lhs, rhs)
    return element_by_element(lambda x, y: x + y, lhs, rhs)


def sub(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.element.is_computed_by_tosa:
        return tosa_elementwise(tosa.SubOp, lhs, rhs)
    return element_by_element(lambda x, y: x - y, lhs, rhs)


def mul(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.element.is_computed_by_tosa:
        return tosa_elementwise(tosa.MulOp, lhs, rhs, rest=[tosa_number(0, I8)])
    return element_by_element(lambda x, y: x * y, lhs, rhs)


def div(lhs: Tensor, rhs: Tensor) -> Tensor:
    return element_by_element(lambda x, y: x / y, lhs, rhs)


def scaled(x: Tensor, factor: float) -> Tensor:
    return element_by_element(lambda number: number * factor, x)


def shifted(x: Tensor, amount: float) -> Tensor:
    return element_by_element(lambda number: number + amount, x)


def function(x: Tensor, build: Callable[[Value], Value], build_tosa: Callable[..., object] | None = None) -> Tensor:
    """Apply a function of the math dialect, or its TOSA op for f32."""
    if x.element == F32 and build_tosa is not None:
        return tosa_elementwise(build_tosa, x)
    return element_by_element(lambda number: number.function(build), x)


def summed(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Sums along axes, which become unit axes."""
    return _folded(x, axes, tosa.ReduceSumOp, lambda number, total: total + number, 0)


def largest(x: Tensor, axes: Sequence[int], start: float) -> Tensor:
    """Maxima along axes, which become unit axes; `start` for no elements."""
    return _folded(x, axes, tosa.ReduceMaxOp, lambda number, so_far: so_far.maximum(number), start)


def smallest(x: Tensor, axes: Sequence[int], start: float) -> Tensor:
    """Minima along axes, which become unit axes; `start` for no elements."""
    return _folded(x, axes, tosa.ReduceMinOp, lambda number, so_far: so_far.minimum(number), start)


def multiplied(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Products along axes, which become unit axes."""
    return _folded(x, axes, tosa.ReduceProductOp, lambda number, total: total * number, 1)


def _folded(
    x: Tensor,
    axes: Sequence[int],
    build: Callable[..., object],
    body: Callable[[Scalar, Scalar], Scalar],
    start: float,
) -> Tensor:
    shape = [1 if axis in axes else size for axis, size in enumerate(x.shape)]
    if x.element == F32 and x.size:
        for axis in axes:
            sizes = [1 if other == axis else size for other, size in enumerate(x.shape)]
            x = _reduced(x, axis, sizes, build)
        return x
    return reshape(fold(x, axes, body, start, x.element), shape)


def _reduced(x: Tensor, axis: int, sizes: Sequence[int], build: Callable[..., object]) -> Tensor:
    op: Operation = build(x.value, axis, results=[tensor_type(sizes, x.element)])
    return computed(op.results[0], sizes, x.element)
