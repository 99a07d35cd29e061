"""Random layouts whose axes are cut into blocks, and programs with values in blocks."""

from collections.abc import Mapping, Sequence
from random import Random

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp, SameLayoutOp
from npu_opt.dialects.npu.convolution import ForwardConvolutionOp
from npu_opt.dialects.npu.packing import PackOp, UnpackOp
from npu_opt.dialects.npu.source import ForeignOp
from npu_opt.dialects.npu.values import (
    element_type_of,
    has_one_element,
    layout_of,
    logical_shape,
    order_of_value,
)
from npu_opt.layout import DYNAMIC, Cut, Layout, LayoutClass, LogicalSize, Tile, identity
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

Tiles = Mapping[int, int]
"""The sizes of the blocks of logical axes."""


def random_tiles(rng: Random, shape: Sequence[int], axes: Sequence[int] | None = None) -> dict[int, int]:
    """Blocks of some axes of a tensor; none if there is no axis of more than one element."""
    may = [axis for axis in (range(len(shape)) if axes is None else axes) if shape[axis] > 1]
    chosen = rng.sample(may, rng.randint(1, min(2, len(may)))) if may else []
    return {axis: rng.randint(2, max(2, min(shape[axis] + 1, 5))) for axis in sorted(chosen)}


def cut_layout(cls: LayoutClass, shape: Sequence[int], tiles: Tiles, has_zeros: bool) -> Layout:
    """A layout with these blocks for a logical tensor of this shape, with its pieces in identity order."""
    padded = {axis: shape[axis] for axis, tile in sorted(tiles.items()) if shape[axis] % tile and shape[axis] != 1}
    sizes = tuple(LogicalSize(*each) for each in padded.items())
    cut = Cut(tuple(Tile(*each) for each in sorted(tiles.items())), sizes, has_zeros and bool(padded))
    return Layout(cls, identity(len(shape) + len(tiles)), cut)


def stored_type(element: Attribute, shape: Sequence[int], layout: Layout) -> TensorType:
    """The type of a logical tensor of this shape, stored in this layout."""
    return TensorType(element, layout.stored_shape(shape), LayoutAttr(layout))


def with_random_order(rng: Random, layout: Layout) -> Layout:
    """The same blocks, with the pieces in another order."""
    assert layout.order is not None
    return layout.with_order(tuple(rng.sample(layout.order, len(layout.order))))


def in_random_blocks(module: ModuleOp, rng: Random, chance: float = 0.6) -> int:
    """Let ops of a program compute on values in blocks, between packs and unpacks. Returns the number of these ops."""
    count = 0
    for function in module.ops:
        assert isinstance(function, FuncOp)
        packed: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        for op in [*function.body.block.ops]:
            if isinstance(op, SameLayoutOp) and not isinstance(op, ForeignOp) and rng.random() < chance:
                count += _in_blocks(op, rng, packed)
    return count


def _in_blocks(op: SameLayoutOp, rng: Random, packed: dict[tuple[SSAValue, Attribute], SSAValue]) -> bool:
    form = op_in_blocks(op, rng)
    if form is None:
        return False
    made, types = form
    operands: list[SSAValue] = []
    for value, type_ in zip(op.operands, types, strict=True):
        if value.type == type_:
            operands.append(value)
            continue
        if (value, type_) not in packed or rng.random() < 0.2:
            pack = PackOp.build(operands=[value], result_types=[type_])
            Rewriter.insert_op(pack, InsertPoint.before(op))
            packed[value, type_] = pack.result
        operands.append(packed[value, type_])
    made.operands = operands
    unpacks = [
        UnpackOp.build(operands=[value], result_types=[old.type])
        for value, old in zip(made.results, op.results, strict=True)
        if value.type != old.type
    ]
    results = iter(unpacks)
    kept = [
        next(results).result if value.type != old.type else value
        for value, old in zip(made.results, op.results, strict=True)
    ]
    for value, old in zip(made.results, kept, strict=True):
        packed[old, value.type] = value
    Rewriter.replace_op(op, [made, *unpacks], kept)
    return True


def op_in_blocks(op: SameLayoutOp, rng: Random) -> tuple[NpuOp, list[Attribute]] | None:
    """A copy of an op with random blocks, and the types of its operands; None if it does not take these."""
    shared = [value for value in op.shared() if not has_one_element(value)]
    layout = layout_of(shared[-1]) if shared else None
    if layout is None or any(layout_of(value) is None for value in shared):
        return None
    shape = logical_shape(shared[-1])
    axes = [0, 1] if layout.cls is LayoutClass.FEATURE and rng.random() < 0.7 else None
    tiles = {1: rng.randint(2, 5)} if isinstance(op, ForwardConvolutionOp) else random_tiles(rng, shape, axes)
    if not tiles or any(shape[axis] in (0, DYNAMIC) for axis in tiles):
        return None
    order = tuple(rng.sample(range(len(shape) + len(tiles)), len(shape) + len(tiles)))
    whole = frozenset(name for name in sorted(op.MAY_STAY_WHOLE) if rng.random() < 0.3)
    # The zeros of a result cannot always be known, but some ops need those of their operands.
    for zeros in rng.choice([(True, True), (True, False), (False, False)]), (True, False):
        if (form := _form(op, tiles, order, zeros, whole)) is not None:
            return form
    return None


def _form(
    op: SameLayoutOp, tiles: Tiles, order: tuple[int, ...], zeros: tuple[bool, bool], stay: frozenset[str]
) -> tuple[NpuOp, list[Attribute]] | None:
    shared = [value for value in op.shared() if not has_one_element(value)]
    whole = logical_shape(shared[-1])

    def typed(value: SSAValue, has_zeros: bool) -> Attribute:
        if value in [getattr(op, name) for name in stay]:
            return value.type
        if value not in shared:
            return _type_apart(op, value, tiles, has_zeros, "data" in stay)
        known = layout_of(value)
        assert known is not None
        return stored_type(
            element_type_of(value),
            logical_shape(value),
            cut_layout(known.cls, logical_shape(value), tiles, has_zeros).with_order(order),
        )

    types = [typed(value, zeros[0]) for value in op.operands]
    results = [typed(value, zeros[1]) for value in op.results]
    properties = {name: value for name, value in op.properties.items() if not isinstance(value, LayoutAttr)}
    parts = [1 + (axis in tiles) for axis in range(len(whole))]
    for change in ("to logical", "in pieces", "to stored"):
        found = type(op).create(
            operands=op.operands, result_types=[value.type for value in op.results], properties=properties
        )
        if change == "to logical":
            changed = op.AXES.rewritten(found, order_of_value(shared[-1]), identity(len(whole)))
        elif change == "in pieces":
            changed = op.AXES.split_axes(found, parts)
        else:
            changed = op.AXES.rewritten(found, identity(len(order)), order)
        found.erase()
        if changed is None:
            return None
        properties |= changed
    from xdsl.ir import Block

    made = type(op).create(operands=Block(arg_types=types).args, result_types=results, properties=properties)
    try:
        made.verify_()
    except VerifyException:
        return None
    return made, types


def _type_apart(op: SameLayoutOp, value: SSAValue, tiles: Tiles, has_zeros: bool, has_whole_data: bool) -> Attribute:
    """The type of a value with a layout of its own."""
    known = layout_of(value)
    if not isinstance(op, ForwardConvolutionOp) or known is None or known.cut is not None:
        return value.type
    shape = logical_shape(value)
    if value is op.bias:
        own = {0: tiles[1]}
    else:
        own = {0: tiles[1]} if has_whole_data or op.facts()["depthwise"] else {0: tiles[1], 1: tiles[1]}
    return stored_type(element_type_of(value), shape, cut_layout(known.cls, shape, own, has_zeros))
