"""View ops that write stored bytes under another type, and the sizes they preserve.

Relabels and reshapes move nothing: the bytes of operand and result, read row by row, are the same. Sizes are extents in
the symbols of one value, so that dynamic dimensions of its views can be recognised as equal.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, NoneAttr, TensorType, UnknownLoc
from xdsl.ir import SSAValue

from ...layout import DYNAMIC, Arrangement, Extent, Layout, LayoutClass, factor, permute
from .attrs import LayoutAttr, OperandDim, ReshapeDimsAttr
from .copies import verifies
from .shape import RelabelOp, ReshapeOp, ShapeOp, ViewOp
from .values import Shape, encoding, order_of_value, shape_of, tensor_type

Sizes = tuple[Extent, ...]
"""The sizes of the stored dimensions."""

MOST_PLACES = 16
"""Maximum number of locations in a fused location, which long chains of views would exceed."""


def views_without_moving(value: SSAValue, sizes: Sizes, type_: TensorType, wanted: Sizes) -> list[ShapeOp] | None:
    """New ops that view the stored bytes of a value under another type, or None if there are none.

    No op if the value has the type already, one relabel or one reshape if that is enough, else reshapes between
    relabels: the reshape of a value without letters is the reshape of its bytes.
    """
    if value.type == type_ and sizes == wanted:
        return []
    if _has_padding(tensor_type(value)) or _has_padding(type_):
        return [RelabelOp(value, type_)] if sizes == wanted and shape_of(value) == type_.get_shape() else None
    if (view := _one_view(value, sizes, type_, wanted)) is not None:
        return [view]
    middle = without_letters(type_)
    ops: list[ShapeOp] = []
    if (first := without_letters(tensor_type(value))) != value.type:
        ops.append(RelabelOp(value, first))
        value = ops[-1].result
    reshapes = _reshapes(value, sizes, middle, wanted)
    if reshapes is None:
        for op in ops:
            op.erase()
        return None
    ops += reshapes
    if middle != type_:
        ops.append(RelabelOp(ops[-1].result, type_))
    return ops


def _one_view(value: SSAValue, sizes: Sizes, type_: TensorType, wanted: Sizes) -> RelabelOp | ReshapeOp | None:
    if sizes == wanted and shape_of(value) == type_.get_shape() and isinstance(type_.encoding, LayoutAttr):
        relabel = RelabelOp(value, type_)
        if verifies(relabel):
            return relabel
        relabel.erase()
    return _reshape(value, sizes, type_, wanted)


def _has_padding(type_: TensorType) -> bool:
    layout = encoding(type_)
    return layout is not None and bool(layout.padded_axes)


def without_letters(type_: TensorType) -> TensorType:
    """The type of class Tensor in identity order; a type without a layout is unchanged."""
    if isinstance(type_.encoding, NoneAttr):
        return type_
    return TensorType(type_.element_type, type_.get_shape(), LayoutAttr(Layout(LayoutClass.TENSOR)))


def _reshapes(value: SSAValue, sizes: Sizes, type_: TensorType, wanted: Sizes) -> list[ReshapeOp] | None:
    """Reshapes of a value without letters: one if it verifies, else as many as it takes to state all sizes.

    A single reshape can infer one size at most.
    """
    if (reshape := _reshape(value, sizes, type_, wanted)) is not None:
        return [reshape]
    reshapes: list[ReshapeOp] = []
    for after, shape in _intermediate_shapes(sizes, type_.get_shape(), wanted):
        if shape == shape_of(value) and after == sizes:
            continue
        reshape = _reshape(value, sizes, TensorType(type_.element_type, shape, type_.encoding), after)
        if reshape is None:
            for op in reversed(reshapes):
                op.erase()
            return None
        reshapes.append(reshape)
        value, sizes = reshape.result, after
    return reshapes or None


def _intermediate_shapes(sizes: Sizes, shape: Shape, wanted: Sizes) -> Iterator[tuple[Sizes, Shape]]:
    """Intermediate shapes: split axes one by one, then merge one by one, then forget static sizes one by one."""
    factoring = factor(sizes, wanted) if all(size.factor for size in (*sizes, *wanted)) else None
    if factoring is None or factoring.blocks:
        return
    split: list[list[Extent]] = [[] for _ in sizes]
    for piece in chain.from_iterable(factoring.pieces):
        split[piece.axis].append(piece.size)
    for axis, parts in enumerate(split):
        if len(parts) > 1:
            yield _with_static_sizes((*chain.from_iterable(split[: axis + 1]), *sizes[axis + 1 :]))
    merged = [[piece.size for piece in pieces] for pieces in factoring.pieces]
    for axis, parts in enumerate(merged):
        if len(parts) > 1:
            yield _with_static_sizes((*wanted[: axis + 1], *chain.from_iterable(merged[axis + 1 :])))
    described = [
        known if size == DYNAMIC else size for size, known in zip(shape, _with_static_sizes(wanted)[1], strict=True)
    ]
    yield wanted, tuple(described)
    for axis, size in enumerate(shape):
        if size != described[axis]:
            described[axis] = size
            yield wanted, tuple(described)


def _with_static_sizes(sizes: Sizes) -> tuple[Sizes, Shape]:
    """Sizes with the shape that has all static ones."""
    return sizes, tuple(DYNAMIC if size.symbols else size.factor for size in sizes)


def _reshape(value: SSAValue, sizes: Sizes, type_: TensorType, wanted: Sizes) -> ReshapeOp | None:
    """The reshape of a value, if it verifies; with `dims` only if the types alone do not determine all sizes."""
    shape = type_.get_shape()
    unknown = shape.count(DYNAMIC)
    candidates: list[ReshapeDimsAttr | None] = []
    if not unknown or (unknown == 1 and 0 not in shape):
        candidates.append(None)
    if unknown:
        # Without elements, an open size cannot be inferred from the others.
        dims = _dims(shape_of(value), sizes, shape, wanted)
        if 0 not in shape or DYNAMIC not in dims.data:
            candidates.append(dims)
    for dims in candidates:
        reshape = ReshapeOp(value, type_, dims)
        if verifies(reshape):
            return reshape
        reshape.erase()
    return None


def _dims(operand: Shape, sizes: Sizes, result: Shape, wanted: Sizes) -> ReshapeDimsAttr:
    """The origin of each dimension of a reshape's result."""
    places = {size: position for position, size in enumerate(sizes) if operand[position] == DYNAMIC}
    dims = [
        size if size != DYNAMIC else OperandDim(places[extent]) if extent in places else DYNAMIC
        for size, extent in zip(result, wanted, strict=True)
    ]
    return ReshapeDimsAttr(tuple(dims))


def sizes_after(view: ViewOp, sizes: Sizes) -> Sizes | None:
    """The sizes of a view's result for an operand of these sizes, or None if they are not all known."""
    stored = Arrangement.of(sizes)
    if not isinstance(view, ReshapeOp):
        viewed = view.view(stored)
        return None if viewed is None else viewed.shape
    known = [size for size in view.logical_extents(stored) if size is not None]
    return permute(known, order_of_value(view.result)) if len(known) == len(shape_of(view.result)) else None


def fused(locations: Sequence[LocationAttr]) -> LocationAttr:
    """A location with all places of these locations, without duplicates."""
    places = list(dict.fromkeys(place for location in locations for place in places_of(location)))
    if not places:
        return UnknownLoc()
    if len(places) > MOST_PLACES:
        places = [*places[: MOST_PLACES - 1], places[-1]]
    return places[0] if len(places) == 1 else FusedLoc(tuple(places), NoneAttr())


def places_of(location: LocationAttr) -> list[LocationAttr]:
    """The places in a location."""
    match location:
        case UnknownLoc():
            return []
        case FusedLoc(metadata=NoneAttr()):
            parts = cast("ArrayAttr[LocationAttr]", location.locations)
            return [place for each in parts for place in places_of(each)]
        case _:
            return [location]


def views_above(value: SSAValue) -> Iterator[ViewOp]:
    """The view ops between a value and the root of its storage, nearest first.

    In a graph region views can form a ring, which is walked once.
    """
    passed: set[ViewOp] = set()
    while isinstance(view := value.owner, ViewOp) and view not in passed:
        passed.add(view)
        yield view
        value = view.input
