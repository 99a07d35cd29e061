"""The form of an op for values whose axes are cut into blocks: the inverse of `uncut`."""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...layout import DYNAMIC, MAX_RANK, Layout, identity
from .attrs import LayoutAttr
from .base import NpuOp, OwnTiles
from .copies import like, verifies
from .values import element_type_of, encoding, layout_of, logical_shape, order_of_value

Tiles = Mapping[int, int]
"""The sizes of the blocks of logical axes."""
NO_TILES: Tiles = {}
NONE: OwnTiles = {}


def in_blocks(op: NpuOp, tiles: Tiles, own: OwnTiles = NONE, dirty: Collection[int] = ()) -> NpuOp | None:
    """A detached copy of the op for values in blocks, with all pieces in identity order.

    Results, and operands with a layout of their own, have the `own` blocks stated for them by name; operands with none
    there stay unchanged. A product of matrices has no others. The padding of `dirty` operands may be anything, that of
    the others is zeros; that of the results is zeros if the op computes those. None if the op cannot work on them.
    """
    shared = [*op.operands, *op.results] if op.IS_PRODUCT else op.shared()
    layouts = [layout_of(value) for value in shared]
    if not (op.TAKES_BLOCKS and layouts) or op.has_blocks() or None in layouts:
        return None
    if op.IS_PRODUCT:
        tiles = NO_TILES
        if any(layout is not None and layout.order is not None for layout in layouts):
            return None
    rank, order = len(logical_shape(shared[-1])), order_of_value(shared[-1])
    properties = {name: value for name, value in op.properties.items() if not isinstance(value, LayoutAttr)}
    properties.update(op.AXES.rewritten(op, order, identity(rank)))
    uncut = like(op, [value.type for value in (*op.operands, *op.results)], properties)
    split = uncut.axes_in_blocks(tiles)
    types = [*_operand_types(op, tiles, own), *_result_types(op, tiles, own)]
    known = [
        with_any_padding(type_) if place in dirty else type_ for place, type_ in enumerate(types) if type_ is not None
    ]
    if split is None or len(known) < len(types):
        return None
    border = len(op.operands)
    dirty_results = [*known[:border], *map(with_any_padding, known[border:])]
    for each in (known, dirty_results) if dirty_results != known else (known,):
        made = like(op, each, {**properties, **split})
        set_zeros(op, made)
        if made.has_blocks() and verifies(made):
            return made
    return None


def with_any_padding(type_: Attribute) -> Attribute:
    """The type with padding that may be anything."""
    layout = encoding(type_)
    if layout is None or not layout.padded_axes:
        return type_
    tensor = cast("TensorType[Attribute]", type_)
    return TensorType(tensor.element_type, tensor.get_shape(), LayoutAttr(layout.with_zeros(False)))


def own_tiles(op: NpuOp, operands: Sequence[Layout | None], results: Sequence[Layout | None]) -> dict[str, Tiles]:
    """The blocks that these layouts have of results, of operands with a layout of their own, and of those that may stay
    whole, by name."""
    sharing, may_stay = op.sharing_operands(), op.MAY_STAY_WHOLE
    found: dict[str, Tiles] = {}
    for place, (name, layout) in enumerate(zip(op.operand_names(), operands, strict=True)):
        if layout is not None and (name in may_stay if not layout.tiles else place not in sharing):
            found[name] = dict(layout.tiles)
    for name, layout in zip(op.result_names(), results, strict=True):
        if layout is not None and layout.tiles:
            found[name] = dict(layout.tiles)
    return found


def set_zeros(op: NpuOp, made: NpuOp) -> None:
    """Let a detached copy of an op read constants of zeros where the verifier asks for them and the op does."""
    if not op.ASKS_FOR_ZEROS:
        return
    # Imported late: few programs have padding.
    from .zeros import are_zeros, zeros

    for place, (name, operand) in enumerate(zip(op.operand_names(), op.operands, strict=True)):
        if name in op.ASKS_FOR_ZEROS and are_zeros(operand):
            made.operands[place] = zeros(made.operands[place].type)


def why_not_in_blocks(op: NpuOp, layout: Layout) -> str:
    """The reason in words why an op has no form on values with the blocks of a layout."""
    if not (op.SHARES_LAYOUT and op.TAKES_BLOCKS):
        return "takes no blocks"
    shapes = [logical_shape(value) for value in op.results if (own := layout_of(value)) and own.cls is layout.cls]
    shapes = [shape for shape in shapes if all(axis < len(shape) for axis, _ in layout.tiles)]
    if not shapes:
        return "takes no blocks, as its values have other axes"
    if any(shape[axis] == DYNAMIC for shape in shapes for axis, _ in layout.tiles):
        return "takes no blocks, as it has an axis of unknown size"
    return "takes no blocks, as it names places inside of them"


def _operand_types(op: NpuOp, tiles: Tiles, own: OwnTiles) -> list[Attribute | None]:
    sharing, names = op.sharing_operands(), op.operand_names()
    shape = logical_shape(op.results[0]) if op.AXES.repeats else ()
    return [
        operand.type
        if own.get(name) == {}
        else in_blocks_type(operand, tiles, shape)
        if index in sharing
        else in_blocks_type(operand, apart, ())
        if (apart := own.get(name) or op.tiles_of(name, tiles, own))
        else operand.type
        for index, (name, operand) in enumerate(zip(names, op.operands, strict=True))
    ]


def _result_types(op: NpuOp, tiles: Tiles, own: OwnTiles) -> list[Attribute | None]:
    named = zip(op.result_names(), op.results, strict=True)
    return [in_blocks_type(result, own.get(name, tiles), ()) for name, result in named]


def in_blocks_type(value: SSAValue, tiles: Tiles, whole: Sequence[int] = ()) -> TensorType | None:
    """The type of a value in blocks, with all pieces in identity order.

    An axis of one element is not cut if it is repeated to the size of `whole`.
    """
    layout = layout_of(value)
    if layout is None or layout.tiles:
        return None
    shape = logical_shape(value, layout)
    repeated = {axis for axis, size in enumerate(whole) if shape[axis] == 1 != size}
    if len(shape) > MAX_RANK or any(axis >= len(shape) or shape[axis] in (0, DYNAMIC) for axis in tiles):
        return None
    padded = [axis for axis, tile in sorted(tiles.items()) if axis not in repeated and shape[axis] % tile]
    order, blocks = identity(len(shape) + len(tiles)), tuple(sorted(tiles.items()))
    made = Layout(layout.cls, order, blocks, tuple((axis, shape[axis]) for axis in padded))
    return TensorType(element_type_of(value), made.stored_shape(shape), LayoutAttr(made))
