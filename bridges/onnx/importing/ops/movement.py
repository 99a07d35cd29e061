"""Data movement: transposes, concatenations, pads, masks."""

from collections.abc import Sequence

import numpy as np
from onnx import helper
from xdsl.ir import SSAValue

from .....dialects.npu import binary, movement, resampling
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.values import element_type_of, is_boolean
from ....decimals import shortest
from ...errors import UnsupportedNode
from ..node import ImportedNode, one
from ..registry import Converted, converts, sizes_of
from ..shaped import Shaped
from ..sizes import Size
from ..types import ONNX_TYPES
from ..windows import feature, numbers
from .dynamic import dynamic_pad, dynamic_split, dynamic_tile, is_list
from .elementwise import as_it_came, combine


@converts("Transpose")
def transpose(node: ImportedNode) -> Converted:
    permutation = node.integers("perm") or list(reversed(range(node.rank())))
    return node.transpose(node.operand(0), permutation)


@sizes_of("Concat")
def concat_sizes(node: ImportedNode) -> Sequence[Size | None]:
    """ONNX's shape inference knows no sum of sizes by name."""
    every = [node.sizes(index) for index in range(len(node.proto.input))]
    axis = node.axis(node.integer("axis", 1))
    if len({*map(len, every)}) > 1:
        raise UnsupportedNode("operands of several ranks")
    return [sum(sizes) if place == axis else None for place, sizes in enumerate(zip(*every, strict=True))]


@converts("Concat")
def concat(node: ImportedNode) -> Converted:
    operands = node.operands()
    axis = node.axis(node.integer("axis", 1))
    if len(operands) == 1:
        return operands[0]
    element = element_type_of(operands[0])
    return node.add(movement.ConcatOp, [operands], node.output().sizes, element, axis=axis)


@converts("Split")
def split(node: ImportedNode) -> Converted:
    value, axis = node.operand(0), node.axis(node.integer("axis"))
    parts = node.integer("num_outputs", node.output_count)
    if parts != node.output_count:
        raise UnsupportedNode(f"num_outputs = {parts} with {node.output_count} outputs")
    whole, is_counted = node.sizes()[axis], not node.has_attribute("split") and not node.has_input(1)
    if is_list(node, 1) or (is_counted and not isinstance(whole, int)):
        return dynamic_split(node, axis)
    sizes = node.list_of("split", 1)
    if sizes is None:
        (whole,) = numbers([whole])
        each = -(-whole // parts)
        sizes = [min(each, whole - each * part) for part in range(parts)]
    before = node.sizes()
    element = element_type_of(value)
    results = [Shaped(element, (*before[:axis], size, *before[axis + 1 :])) for size in sizes]
    parts = node.add_many(movement.SplitOp, [value], results, True, axis=axis, sizes=sizes)
    if is_counted:
        as_it_came(parts[0], "Split")
    return parts


@converts("Tile")
def tile(node: ImportedNode) -> Converted:
    if is_list(node, 1):
        return dynamic_tile(node)
    repeats = node.constants(1)
    sizes = [size * times for size, times in zip(node.sizes(), repeats, strict=True)]
    return node.add(movement.TileOp, [node.operand(0)], sizes, repeats=repeats)


@converts("Expand")
def expand(node: ImportedNode) -> Converted:
    node.mark_read(1)
    return node.broadcast(node.operand(0), node.output().sizes)


@converts("Pad")
def pad(node: ImportedNode) -> Converted:
    """Negative pads become a slice; numbers that are an input, or may cut off more than there is, stay one.

    So does an added element that is an input, or no finite number.
    """
    fill = _fill_of_mode(node)
    if isinstance(fill, SSAValue) and (known := node.known(1)) is not None and not known.any():
        fill = 0.0
    if is_list(node, 1) or isinstance(fill, SSAValue):
        return dynamic_pad(node, fill)
    value, rank, mode = node.operand(0), node.rank(), node.choice("mode", "constant", "reflect", "edge", "wrap")
    pads = node.list_of("pads", 1) or []
    axes = node.axes(node.constants(3)) if node.has_input(3) else list(range(rank))
    low, high = [0] * rank, [0] * rank
    for place, axis in enumerate(axes):
        low[axis], high[axis] = pads[place], pads[place + len(axes)]
    if mode == "wrap":
        return _wrapped(node, value, low, high)
    if min((*low, *high), default=0) < 0:
        if not _are_enough(node, low, high):
            return dynamic_pad(node, fill)
        value = _cut(node, value, low, high)
        low, high = [max(each, 0) for each in low], [max(each, 0) for each in high]
    if not any((*low, *high)):
        return value
    sizes = [before + size + behind for before, size, behind in zip(low, node.sizes_of(value), high, strict=True)]
    properties = {"mode": mode if mode != "constant" else None, "value": fill if fill or np.signbit(fill) else None}
    return node.add(movement.PadOp, [value], sizes, low=low, high=high, **properties)


def _wrapped(node: ImportedNode, value: SSAValue, low: Sequence[int], high: Sequence[int]) -> SSAValue:
    """The elements from the other end of each axis: some of them in another order."""
    for axis, (before, behind) in enumerate(zip(low, high, strict=True)):
        if not (before or behind):
            continue
        sizes = node.sizes_of(value)
        (size,) = numbers([sizes[axis]])
        if not 0 <= min(before, behind) <= max(before, behind) <= size:
            raise UnsupportedNode("pads of another size than elements that are there once")
        count = before + size + behind
        node.reserve([count])
        places = node.constant_of(np.arange(-before, size + behind) % size)
        value = node.add(movement.GatherOp, [value, places], (*sizes[:axis], count, *sizes[axis + 1 :]), axis=axis)
    return value


def _are_enough(node: ImportedNode, low: Sequence[int], high: Sequence[int]) -> bool:
    """True if negative pads remove no more elements than there are.

    A slice stops at no elements, but ONNX takes the missing ones from those that are added at the other end.
    """
    for size, before, behind in zip(node.sizes(), low, high, strict=True):
        kept = size - max(-before, 0) - max(-behind, 0)
        if kept < 0 if isinstance(kept, int) else not kept.is_natural and max(before, behind) > 0:
            return False
    return True


def _cut(node: ImportedNode, value: SSAValue, low: list[int], high: list[int]) -> SSAValue:
    """Slice off the elements that negative pads remove."""
    starts = [max(-each, 0) for each in low]
    limits = [each if each < 0 else movement.END_OF_AXIS for each in high]
    sizes = [size - start + min(end, 0) for size, start, end in zip(node.sizes_of(value), starts, high, strict=True)]
    return node.add(movement.SliceOp, [value], sizes, starts=starts, limits=limits)


def _fill_of_mode(node: ImportedNode) -> float | SSAValue:
    """The fill value of mode `constant`; other modes have none.

    It is an operand if it is not known, or no number of an attribute: not finite, or of more than 53 bits.
    """
    node.mark_read("value", 2)
    if node.text("mode", "constant") != "constant":
        return 0.0
    if node.has_attribute("value") or not node.has_input(2):
        if not np.isfinite(fill := node.number("value")):
            raise UnsupportedNode("the fill value is not finite")
        return fill
    known = node.known(2)
    if known is None or known.dtype == np.object_:
        if node.sizes(2) not in ((), (1,)):
            raise UnsupportedNode("the fill value is not one element")
        return node.operand(2)
    fill = one(known, "input 2")
    is_exact = int(float(fill)) == int(fill) if fill.dtype.kind in "iu" else bool(np.isfinite(fill))
    return shortest(fill) if is_exact else node.operand(2)


@converts("DepthToSpace")
def depth_to_space(node: ImportedNode) -> Converted:
    block, mode = node.integer("blocksize"), node.choice("mode", "DCR", "CRD").lower()
    properties = {"block": block, "mode": mode if mode != "dcr" else None, "data_layout": feature(node.rank())}
    return node.add(resampling.DepthToSpaceOp, [node.operand(0)], node.output().sizes, **properties)


@converts("SpaceToDepth")
def space_to_depth(node: ImportedNode) -> Converted:
    """Mode CRD has no npu op; it is a transpose between two reshapes."""
    value, block = node.operand(0), node.integer("blocksize")
    if node.choice("mode", "DCR", "CRD") == "DCR":
        layout = feature(node.rank())
        return node.add(resampling.SpaceToDepthOp, [value], node.output().sizes, block=block, data_layout=layout)
    batch, channels, height, width = numbers(node.sizes())
    blocks = node.reshape(value, (batch, channels, height // block, block, width // block, block))
    return node.reshape(node.transpose(blocks, (0, 1, 3, 5, 2, 4)), node.output().sizes)


@converts("Trilu")
def trilu(node: ImportedNode) -> Converted:
    """A select by a triangular mask."""
    value = node.operand(0)
    rows, columns = numbers(node.sizes()[-2:])
    diagonal = int(node.single(1)) if node.has_input(1) else 0
    node.reserve([rows, columns], np.bool_)
    whole = np.ones((rows, columns), np.bool_)
    mask = np.triu(whole, diagonal) if node.flag("upper", 1) else np.tril(whole, diagonal)
    kept = node.aligned(node.constant_of(mask), node.rank())
    if is_boolean(element_type_of(value)):
        return combine(node, binary.AndOp, value, kept)
    return node.add(SelectOp, [kept, value, node.scalar(0, value)], node.sizes(), element_type_of(value))


@converts("EyeLike")
def eye_like(node: ImportedNode) -> Converted:
    node.mark_read("dtype")
    rows, columns = numbers(node.sizes())
    dtype = helper.tensor_dtype_to_np_dtype(ONNX_TYPES[node.output().element])
    node.reserve([rows, columns], dtype)
    return node.constant_of(np.eye(rows, columns, node.integer("k"), dtype))
