"""Random layouts whose axes are cut into blocks, and programs with values in blocks."""

from collections.abc import Mapping, Sequence
from itertools import product, starmap
from random import Random
from typing import NamedTuple

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import BlockedConvolutionOp
from npu_opt.dialects.npu.copies import like, verifies
from npu_opt.dialects.npu.in_blocks import set_zeros
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.packing import PackOp, UnpackOp
from npu_opt.dialects.npu.same_layout import SameLayoutOp
from npu_opt.dialects.npu.source import ForeignOp
from npu_opt.dialects.npu.values import (
    element_type_of,
    has_one_element,
    layout_of,
    logical_shape,
    order_of_value,
)
from npu_opt.dialects.npu.zeros import zeros
from npu_opt.layout import DYNAMIC, Layout, LayoutClass, identity
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

Tiles = Mapping[int, int]
"""The sizes of the blocks of logical axes."""


class Ends(NamedTuple):
    """True where padding is zeros: in the operands of an op, in those with a layout of their own, in the results."""

    operands: bool
    apart: bool
    results: bool


ENDS = [each for each in starmap(Ends, product((True, False), repeat=3)) if each.apart or not each.operands]


def random_tiles(rng: Random, shape: Sequence[int], axes: Sequence[int] | None = None) -> dict[int, int]:
    """Blocks of some axes of a tensor; none if there is no axis of more than one element."""
    may = [axis for axis in (range(len(shape)) if axes is None else axes) if shape[axis] > 1]
    chosen = rng.sample(may, rng.randint(1, min(2, len(may)))) if may else []
    return {axis: rng.randint(2, max(2, min(shape[axis] + 1, 5))) for axis in sorted(chosen)}


def cut_layout(cls: LayoutClass, shape: Sequence[int], tiles: Tiles, has_zeros: bool) -> Layout:
    """A layout with these blocks for a logical tensor of this shape, with its pieces in identity order."""
    padded = {axis: shape[axis] for axis, tile in sorted(tiles.items()) if shape[axis] % tile and shape[axis] != 1}
    order = identity(len(shape) + len(tiles))
    return Layout(cls, order, tuple(sorted(tiles.items())), tuple(padded.items()), has_zeros)


def stored_type(element: Attribute, shape: Sequence[int], layout: Layout) -> TensorType:
    """The type of a logical tensor of this shape, stored in this layout."""
    return TensorType(element, layout.stored_shape(shape), LayoutAttr(layout))


def with_random_order(rng: Random, layout: Layout) -> Layout:
    """The layout with its pieces in another order."""
    assert layout.order is not None
    return layout.with_order(tuple(rng.sample(layout.order, len(layout.order))))


def in_random_blocks(module: ModuleOp, rng: Random, chance: float = 0.6) -> int:
    """Let ops of a program compute on values in blocks, between packs and unpacks. Returns the number of these ops."""
    count = 0
    for function in module.ops:
        assert isinstance(function, FuncOp)
        packed: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        for op in [*function.body.block.ops]:
            if isinstance(op, SameLayoutOp | LinearOp) and not isinstance(op, ForeignOp) and rng.random() < chance:
                count += _in_blocks(op, rng, packed)
    return count


def with_zeros(module: ModuleOp, rng: Random) -> None:
    """Let some zero points that are arguments be constants of zeros, which ops with padding ask for."""
    for op in [*module.walk()]:
        if not isinstance(op, SameLayoutOp):
            continue
        for place, name in enumerate(op.operand_names()):
            if name in op.ASKS_FOR_ZEROS and rng.random() < 0.7:
                constant = zeros(op.operands[place].type)
                assert isinstance(constant.owner, Operation)
                Rewriter.insert_op(constant.owner, InsertPoint.before(op))
                op.operands[place] = constant


def _in_blocks(op: SameLayoutOp | LinearOp, rng: Random, packed: dict[tuple[SSAValue, Attribute], SSAValue]) -> bool:
    form = _product_in_blocks(op, rng) if isinstance(op, LinearOp) else op_in_blocks(op, rng)
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
    if layout is None or not op.TAKES_BLOCKS or any(layout_of(value) is None for value in shared):
        return None
    shape = logical_shape(shared[-1])
    axes = [0, 1] if layout.cls is LayoutClass.FEATURE and rng.random() < 0.7 else None
    tiles = {1: rng.randint(2, 5)} if isinstance(op, BlockedConvolutionOp) else random_tiles(rng, shape, axes)
    own = _own_tiles(op, tiles, rng) if isinstance(op, BlockedConvolutionOp) else {}
    if not tiles or any(shape[axis] in (0, DYNAMIC) for axis in tiles):
        return None
    order = tuple(rng.sample(range(len(shape) + len(tiles)), len(shape) + len(tiles)))
    # The zeros of a result cannot always be known, but some ops need those of their operands.
    for ends in rng.choice(ENDS), Ends(True, True, False):
        if (form := _form(op, tiles, own, order, ends)) is not None:
            return form
    return None


def _product_in_blocks(op: LinearOp, rng: Random) -> tuple[NpuOp, list[Attribute]] | None:
    """A copy of a product of matrices in logical order with random blocks, and the types of its operands."""
    return next((found for _ in range(4) if (found := _try_product(op, rng)) is not None), None)


def _try_product(op: LinearOp, rng: Random) -> tuple[NpuOp, list[Attribute]] | None:
    values = *op.operands, *op.results
    layouts = [layout_of(value) for value in values]
    if any(layout is None or layout.order is not None for layout in layouts):
        return None
    sizes = {axis: rng.randint(2, 5) for axis in rng.sample(("rows", "columns", "summed"), rng.randint(1, 3))}
    flags = op.trans_a is not None, op.trans_b is not None
    axes = [("rows", "summed")[:: -1 if flags[0] else 1], ("summed", "columns")[:: -1 if flags[1] else 1]]
    axes += [("columns",) if len(logical_shape(value)) == 1 else () for value in op.operands[2:]]
    types: list[Attribute] = []
    for value, layout, names in zip(values, layouts, [*axes, ("rows", "columns")], strict=True):
        first = len(logical_shape(value)) - len(names)
        tiles = {first + axis: sizes[name] for axis, name in enumerate(names) if name in sizes}
        if layout is None or not tiles or any(logical_shape(value)[axis] in (0, DYNAMIC) for axis in tiles):
            types.append(value.type)
            continue
        cut = with_random_order(rng, cut_layout(layout.cls, logical_shape(value), tiles, rng.random() < 0.7))
        types.append(stored_type(element_type_of(value), logical_shape(value), cut))
    made = like(op, types, op.properties)
    return (made, types[:-1]) if made.has_blocks() and verifies(made) else None


def _own_tiles(op: BlockedConvolutionOp, tiles: Tiles, rng: Random) -> dict[str, Tiles]:
    """Blocks of the operands and the result of a convolution that differ from those of the data."""
    result = {1: rng.randint(2, 5)} if rng.random() < 0.5 else tiles
    own: dict[str, Tiles] = {name: {} for name in sorted(op.MAY_STAY_WHOLE) if rng.random() < 0.3}
    own["result"] = result
    own |= {name: found for name in op.operand_names() if (found := op.tiles_of(name, tiles, own))}
    kept = 0 if len(own["kernel"]) == 1 else op.kernel_axes.kept
    kernel = {**own["kernel"], **({kept: rng.randint(2, 5)} if rng.random() < 0.3 else {})}
    return {**own, "kernel": kernel}


def _form(
    op: SameLayoutOp, tiles: Tiles, own: Mapping[str, Tiles], order: tuple[int, ...], ends: Ends
) -> tuple[NpuOp, list[Attribute]] | None:
    shared = [value for value in op.shared() if not has_one_element(value)]
    whole = logical_shape(shared[-1])

    def typed(name: str, value: SSAValue, has_zeros: bool) -> Attribute:
        if own.get(name) == {}:
            return value.type
        if value not in shared:
            return _type_apart(value, own.get(name, {}), ends.apart)
        known = layout_of(value)
        assert known is not None
        return stored_type(
            element_type_of(value),
            logical_shape(value),
            cut_layout(known.cls, logical_shape(value), own.get(name, tiles), has_zeros).with_order(order),
        )

    types = [typed(*each, ends.operands) for each in zip(op.operand_names(), op.operands, strict=True)]
    results = [typed(*each, ends.results) for each in zip(op.result_names(), op.results, strict=True)]
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
    made = like(op, [*types, *results], properties)
    set_zeros(op, made)
    return (made, types) if verifies(made) else None


def _type_apart(value: SSAValue, tiles: Tiles, has_zeros: bool) -> Attribute:
    """The type of a value with a layout of its own."""
    known = layout_of(value)
    if known is None or known.tiles or not tiles:
        return value.type
    shape = logical_shape(value)
    return stored_type(element_type_of(value), shape, cut_layout(known.cls, shape, tiles, has_zeros))
