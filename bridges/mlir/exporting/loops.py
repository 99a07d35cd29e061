"""Builders of `linalg.generic`: loops over elements at affine indices, with optional reductions."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, overload

from ....layout import DYNAMIC, invert
from ..bindings import AffineExpr, Value, ir, linalg, tensor
from .elements import I64, Element
from .scalars import Scalar, constant, element_at, index, position, select
from .tensors import Tensor, computed, empty

ElementIndex: TypeAlias = "AffineExpr | int"
"""The index along an axis at which an element is read: an affine expression of the loops, or a number."""
Read: TypeAlias = tuple[Tensor, Sequence[ElementIndex]]
Body: TypeAlias = Callable[..., Scalar | tuple[Scalar, ...]]
"""Computes the result elements from the elements that were read."""


def loop(number: int) -> AffineExpr:
    """The induction variable of a loop: parallel loops come first, then reductions."""
    return ir.AffineExpr.get_dim(number)


def loops(
    shape: Sequence[int],
    summed: Sequence[int],
    reads: Sequence[Read],
    body: Body,
    elements: Sequence[Element],
    start: Sequence[float] = (),
    nest: Sequence[int] | None = None,
) -> tuple[Tensor, ...]:
    """Compute results of one shape, element by element.

    The body takes the element of each read, and for reductions each accumulator, which begins with `start`. It returns
    the elements of the results. The loops are nested in the order of their numbers, or as `nest` lists them from the
    outermost in.
    """
    rank, depth = len(shape), len(summed)
    found = [(x, [_expression(place) for place in places]) for x, places in reads]
    if not all(_is_bound(found, rank + axis) for axis in range(depth)):
        # linalg infers loop bounds from operands, so an empty one provides them.
        found.append((empty(summed, elements[0]), [loop(rank + axis) for axis in range(depth)]))
    outputs = [empty(shape, element).value for element in elements]
    if depth:
        outputs = [
            _filled(output, constant(number, element))
            for number, output, element in zip(start, outputs, elements, strict=True)
        ]
    everything = [*(places for _, places in found), *[[loop(axis) for axis in range(rank)]] * len(outputs)]
    nest = range(rank + depth) if nest is None else nest
    nested = ir.AffineMap.get(rank + depth, 0, [loop(place) for place in invert(tuple(nest))])
    maps = [ir.AffineMap.get(rank + depth, 0, [each.compose(nested) for each in places]) for places in everything]
    kinds = ["parallel" if number < rank else "reduction" for number in nest]
    op = linalg.GenericOp(
        [output.type for output in outputs],
        [x.value for x, _ in found],
        outputs,
        ir.ArrayAttr.get([ir.AffineMapAttr.get(each) for each in maps]),
        ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{kind}>") for kind in kinds]),
    )
    given = [x.element for x, _ in found]
    block = op.regions[0].blocks.append(*(element.type for element in (*given, *elements)))
    with ir.InsertionPoint(block):
        scalars = [Scalar(value, each) for value, each in zip(block.arguments, (*given, *elements), strict=True)]
        read, so_far = scalars[: len(reads)], scalars[len(found) :] if depth else []
        made = body(*(each.cast(each.element.computed) for each in (*read, *so_far)))
        results = made if isinstance(made, tuple) else (made,)
        linalg.YieldOp([each.cast(element).value for each, element in zip(results, elements, strict=True)])
    return tuple(computed(value, shape, element) for value, element in zip(op.results, elements, strict=True))


def _expression(place: ElementIndex) -> AffineExpr:
    return ir.AffineExpr.get_constant(place) if isinstance(place, int) else place


def _is_bound(reads: Sequence[tuple[Tensor, list[AffineExpr]]], number: int) -> bool:
    return any(place == loop(number) for _, places in reads for place in places)


def _filled(output: Value, number: Scalar) -> Value:
    return linalg.fill(number.value, outs=[output])


@overload
def element_by_element(body: Callable[[Scalar], Scalar], x: Tensor, /, *, element: Element | None = None) -> Tensor: ...


@overload
def element_by_element(
    body: Callable[[Scalar, Scalar], Scalar], x: Tensor, y: Tensor, /, *, element: Element | None = None
) -> Tensor: ...


@overload
def element_by_element(
    body: Callable[[Scalar, Scalar, Scalar], Scalar],
    x: Tensor,
    y: Tensor,
    z: Tensor,
    /,
    *,
    element: Element | None = None,
) -> Tensor: ...


def element_by_element(body: Body, *operands: Tensor, element: Element | None = None) -> Tensor:
    """Apply a function elementwise; operands of one element and unit axes are broadcast."""
    shape = joint_shape(operands)
    reads = [(x, repeating(x, shape)) for x in operands]
    return loops(shape, [], reads, body, [element or operands[0].element])[0]


def joint_shape(operands: Sequence[Tensor]) -> tuple[int, ...]:
    """The broadcast shape of operands."""
    rank = max(x.rank for x in operands)
    wide = [x.shape if x.rank == rank else (1,) * rank for x in operands]
    return tuple(map(_joint_size, zip(*wide, strict=True)))


def _joint_size(sizes: Sequence[int]) -> int:
    # Not the maximum: size 0 broadcasts with size 1 to 0.
    known = next((size for size in sizes if size not in (1, DYNAMIC)), 1)
    return DYNAMIC if known == 1 and DYNAMIC in sizes else known


def repeating(x: Tensor, shape: Sequence[int]) -> list[ElementIndex]:
    """The indices of x for loops over its broadcast shape."""
    if x.rank != len(shape):
        return [0] * x.rank
    return [0 if size == 1 else loop(axis) for axis, size in enumerate(x.shape)]


def view(x: Tensor, shape: Sequence[int], places: Sequence[ElementIndex]) -> Tensor:
    """The elements of x at affine indices, which may skip or repeat elements."""

    def same(number: Scalar) -> Scalar:
        return number

    return loops(shape, [], [(x, places)], same, [x.element])[0]


def fold(
    x: Tensor, axes: Sequence[int], body: Callable[[Scalar, Scalar], Scalar], start: float, element: Element
) -> Tensor:
    """Reduce some axes, which are dropped."""
    kept = [axis for axis in range(x.rank) if axis not in axes]
    places: list[ElementIndex] = [0] * x.rank
    for number, axis in enumerate((*kept, *axes)):
        places[axis] = loop(number)
    shape, summed = [x.shape[axis] for axis in kept], [x.shape[axis] for axis in axes]

    def once(number: Scalar) -> Scalar:
        return body(number, constant(start, element))

    if not summed:
        return loops(shape, [], [(x, places)], once, [element])[0]
    return loops(shape, summed, [(x, places)], body, [element], [start])[0]


def products(
    shape: Sequence[int], summed: Sequence[int], lhs: Read, rhs: Read, nest: Sequence[int] | None = None
) -> Tensor:
    """Sums of products, in the accumulator type."""
    element = lhs[0].element.summed

    def add(x: Scalar, y: Scalar, total: Scalar) -> Scalar:
        return x.cast(element) * y.cast(element) + total

    return loops(shape, summed, [lhs, rhs], add, [element], [0], nest)[0]


def take(x: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Gather positions of an axis, which is replaced by the axes of the indices. Negative indices count from the end.

    Indices are clamped, so that no memory outside of the tensor is read.
    """
    size, rank = x.shape[axis], indices.rank
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    value = x.value

    def body(number: Scalar) -> Scalar:
        wide = number.cast(I64)
        wrapped = select(wide < 0, wide + size, wide).maximum(0).minimum(size - 1)
        before = [position(place) for place in range(axis)]
        behind = [position(place) for place in range(axis + rank, len(shape))]
        return element_at(value, x.element, [index(place) for place in (*before, wrapped, *behind)])

    return loops(shape, [], [(indices, [loop(axis + place) for place in range(rank)])], body, [x.element])[0]


def insert(x: Tensor, into: Tensor, starts: Sequence[int]) -> Tensor:
    """Insert a tensor into another one."""
    value = tensor.InsertSliceOp(x.value, into.value, [], [], [], list(starts), list(x.shape), [1] * x.rank).result
    return computed(value, into.shape, into.element)
