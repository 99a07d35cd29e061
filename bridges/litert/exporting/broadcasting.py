"""Shapes of elementwise ops, whose kernels broadcast few axes."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from ....layout import DYNAMIC

Shape = tuple[int, ...]


def broadcast_shape(shapes: Sequence[Shape]) -> Shape:
    """The shape of the result of an elementwise op."""
    rank = max(map(len, shapes))
    aligned = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(_repeated_to(sizes) for sizes in zip(*aligned, strict=True))


def _repeated_to(sizes: Sequence[int]) -> int:
    """The size to which all are repeated; one that is known wins over one that is not."""
    known = (size for size in sizes if size not in (1, DYNAMIC))
    return next(known, DYNAMIC if DYNAMIC in sizes else 1)


def alike(shapes: Sequence[Shape], result: Shape) -> list[list[int]]:
    """The axes in groups of neighbours along which the same operands are repeated.

    An unknown size beside a known one may be one, so its axis is joined with no other one.
    """
    groups: list[list[int]] = []
    patterns: list[tuple[bool, ...]] = []
    for axis, size in enumerate(result):
        pattern = tuple(shape[axis] != 1 for shape in shapes)
        is_certain = size == DYNAMIC or DYNAMIC not in (shape[axis] for shape in shapes)
        if groups and is_certain and (size == 1 or patterns[-1] == pattern or not any(patterns[-1])):
            groups[-1].append(axis)
            patterns[-1] = pattern if size != 1 else patterns[-1]
        else:
            groups.append([axis])
            patterns.append(pattern if is_certain else (*pattern, True))
    return groups


def repetitions(shapes: Sequence[Shape]) -> Iterator[list[Shape]]:
    """The shapes of operands with one of them repeated along one axis, of those without unknown sizes."""
    result = broadcast_shape(shapes)
    for place, shape in enumerate(shapes):
        for axis, size in enumerate(result):
            repeated = (*shape[:axis], size, *shape[axis + 1 :])
            if repeated != shape and DYNAMIC not in repeated:
                yield [*shapes[:place], repeated, *shapes[place + 1 :]]


def price_of_repetition(shapes: Sequence[Shape]) -> tuple[int, int]:
    """The fewer groups of axes that differ the better, then the fewer elements."""
    return len(alike(shapes, broadcast_shape(shapes))), sum(map(product, shapes))


def product(sizes: Iterable[int]) -> int:
    """The number of elements; unknown if a size is."""
    found = list(sizes)
    return DYNAMIC if DYNAMIC in found else prod(found)
