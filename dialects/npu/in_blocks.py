"""The form of an op for values whose axes are cut into blocks: the inverse of `uncut`."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...layout import DYNAMIC, Cut, Layout, LogicalSize, Tile, identity
from .attrs import LayoutAttr
from .base import SameLayoutOp
from .copies import like, verifies
from .values import element_type_of, layout_of, logical_shape, order_of_value

Tiles = Mapping[int, int]
"""The sizes of the blocks of logical axes."""


def in_blocks(op: SameLayoutOp, tiles: Tiles, whole: frozenset[str] = frozenset()) -> SameLayoutOp | None:
    """A detached copy of the op for values in blocks, with all pieces in identity order and zeros as padding.

    The operands named in `whole` stay as they are. None if the op cannot work on such blocks, or if its result would
    have other padding.
    """
    shared = op.shared()
    if not op.TAKES_BLOCKS or op.has_blocks() or any(layout_of(value) is None for value in shared):
        return None
    rank, order = len(logical_shape(shared[-1])), order_of_value(shared[-1])
    properties = {name: value for name, value in op.properties.items() if not isinstance(value, LayoutAttr)}
    properties.update(op.AXES.rewritten(op, order, identity(rank)))
    uncut = like(op, [value.type for value in (*op.operands, *op.results)], properties)
    split = uncut.axes_in_blocks(tiles)
    types = [*_operand_types(op, tiles, whole), *_result_types(op, tiles)]
    known = [type_ for type_ in types if type_ is not None]
    if split is None or len(known) < len(types):
        return None
    made = like(op, known, {**properties, **split})
    return made if verifies(made) else None


def _operand_types(op: SameLayoutOp, tiles: Tiles, whole: frozenset[str]) -> list[Attribute | None]:
    sharing, names, shape = op.sharing_operands(), op.operand_names(), logical_shape(op.results[0])
    return [
        operand.type
        if name in whole
        else in_blocks_type(operand, tiles, shape)
        if index in sharing
        else in_blocks_type(operand, own, ())
        if (own := op.tiles_of(name, tiles, whole))
        else operand.type
        for index, (name, operand) in enumerate(zip(names, op.operands, strict=True))
    ]


def _result_types(op: SameLayoutOp, tiles: Tiles) -> list[Attribute | None]:
    return [in_blocks_type(result, tiles, ()) for result in op.results]


def in_blocks_type(value: SSAValue, tiles: Tiles, whole: Sequence[int] = ()) -> TensorType | None:
    """The type of a value in blocks, with all pieces in identity order.

    An axis of one element is not cut if it is repeated to the size of `whole`.
    """
    layout = layout_of(value)
    if layout is None or layout.cut is not None:
        return None
    shape = logical_shape(value, layout)
    repeated = {axis for axis, size in enumerate(whole) if shape[axis] == 1 != size}
    if any(axis >= len(shape) or shape[axis] in (0, DYNAMIC) for axis in tiles):
        return None
    padded = [axis for axis, tile in sorted(tiles.items()) if axis not in repeated and shape[axis] % tile]
    cut = Cut(
        tuple(Tile(axis, tile) for axis, tile in sorted(tiles.items())),
        tuple(LogicalSize(axis, shape[axis]) for axis in padded),
        bool(padded),
    )
    sizes: list[int] = []
    for axis, size in enumerate(shape):
        if axis not in tiles:
            sizes.append(size)
        else:
            sizes += [1, 1] if axis in repeated else [-(-size // tiles[axis]), tiles[axis]]
    made = Layout(layout.cls, identity(len(sizes)), cut)
    return TensorType(element_type_of(value), sizes, LayoutAttr(made))
