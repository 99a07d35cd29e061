"""Ops of com.microsoft.nchwc on channels in blocks, written as plain ops between reshapes and transposes.

Their tensors have the shapes of NCHW, and channels in whole blocks that are stored behind the spatial axes. The size of
the blocks is that of the processor; a model of npu-opt notes it.
"""

from collections.abc import Mapping

from xdsl.ir import SSAValue

from .....dialects.npu import binary, convolution, movement, pooling, resampling
from .....dialects.npu.activations import ClipOp
from .....dialects.npu.base import NpuOp
from .....dialects.npu.movement import END_OF_AXIS
from ....decimals import shortest_f32
from ... import counterparts
from ...errors import UnsupportedNode
from ...nchwc import APPLIED, DOMAIN, SIZES
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..sizes import Size, unknown
from ..windows import Moves, feature, moves_of, numbers, weight

TO_BLOCKS = (0, 1, 3, 4, 2)
FROM_BLOCKS = (0, 1, 4, 2, 3)

ROWS = {row.kind: row for row in (*counterparts.ACTIVATIONS, *counterparts.UNARY)}
ACTIVATIONS: Mapping[str, tuple[type[NpuOp], tuple[str, ...]]] = {
    **{kind: (ROWS[kind].op, (*ROWS[kind].defaults,)) for kind in APPLIED},
    "Clip": (ClipOp, ("min", "max")),
}
"""The activations of a convolution, with the names of their parameters."""


def _block_size(node: ImportedNode) -> int:
    if node.graph.block_size is None:
        raise UnsupportedNode("the model does not note the size of blocks")
    return node.graph.block_size


def _whole_blocks(node: ImportedNode, channels: Size) -> Size:
    """The number of channels with padding."""
    (count,) = numbers([channels])
    if node.graph.block_size is None and count % max(SIZES):
        return unknown(f"{count} channels in blocks")
    size = node.graph.block_size or max(SIZES)
    return -(-count // size) * size


def _from_blocks(node: ImportedNode, value: SSAValue) -> SSAValue:
    """The tensor in NCHW of one in blocks."""
    size, (batch, channels, *sizes) = _block_size(node), node.sizes_of(value)
    (count,) = numbers([channels])
    if count % size:
        raise UnsupportedNode(f"{count} channels in blocks of {size}")
    pieces = node.reshape(value, (batch, count // size, *sizes, size))
    return node.reshape(node.transpose(pieces, FROM_BLOCKS), (batch, channels, *sizes))


def _to_blocks(node: ImportedNode, value: SSAValue) -> SSAValue:
    """The inverse."""
    size, (batch, channels, *sizes) = _block_size(node), node.sizes_of(value)
    (count,) = numbers([channels])
    pieces = node.reshape(value, (batch, count // size, size, *sizes))
    return node.reshape(node.transpose(pieces, TO_BLOCKS), (batch, channels, *sizes))


def _is_last(node: ImportedNode) -> bool:
    return node.flag("channels_last")


@types(f"{DOMAIN}.ReorderInput")
def reordered_type(node: ImportedNode) -> Shaped:
    batch, *rest = node.sizes()
    *sizes, channels = rest if _is_last(node) else (*rest[1:], rest[0])
    return Shaped(node.shaped(0).element, (batch, _whole_blocks(node, channels), *sizes))


@converts(f"{DOMAIN}.ReorderInput")
def reorder_input(node: ImportedNode) -> Converted:
    value = node.operand(0)
    value = node.transpose(value, (0, 3, 1, 2)) if _is_last(node) else value
    batch, channels, *sizes = node.sizes_of(value)
    count, size = numbers([channels])[0], _block_size(node)
    if more := -count % size:
        high = [0, more, 0, 0]
        whole = (batch, count + more, *sizes)
        value = node.add(movement.PadOp, [value], whole, low=[0, 0, 0, 0], high=high, mode="constant", value=0.0)
    return _to_blocks(node, value)


@types(f"{DOMAIN}.ReorderOutput")
def restored_type(node: ImportedNode) -> Shaped:
    batch, _, *sizes = node.sizes()
    channels = node.integer("channels")
    return Shaped(node.shaped(0).element, (batch, *sizes, channels) if _is_last(node) else (batch, channels, *sizes))


@converts(f"{DOMAIN}.ReorderOutput")
def reorder_output(node: ImportedNode) -> Converted:
    value, channels = _from_blocks(node, node.operand(0)), node.integer("channels")
    batch, stored, *sizes = node.sizes_of(value)
    if stored != channels:
        # The size of the batch may be unknown.
        starts, limits = [0, 0, 0, 0], [END_OF_AXIS, channels, END_OF_AXIS, END_OF_AXIS]
        value = node.add(movement.SliceOp, [value], (batch, channels, *sizes), starts=starts, limits=limits)
    return node.transpose(value, (0, 2, 3, 1)) if _is_last(node) else value


def _conv_moves(node: ImportedNode) -> Moves:
    return moves_of(node, numbers(node.sizes(1)[2:]), node.sizes()[2:])


@converts(f"{DOMAIN}.Conv")
def conv(node: ImportedNode) -> Converted:
    size, groups = _block_size(node), node.integer("group", 1)
    (channels, inputs), moves = numbers([node.sizes()[1], node.sizes(1)[1]]), _conv_moves(node)
    if groups == channels and not node.has_attribute("strides"):
        return _to_blocks(node, activated(node, _scaled(node, channels)))
    is_whole, data = groups == 1 and channels < size, node.operand(0)
    kernel = _kernel(node, has_blocks_of_inputs=not is_whole and not (groups > 1 and inputs == 1))
    operands = [data if is_whole else _from_blocks(node, data), kernel, node.optional(2)]
    declared = {"data_layout": feature(4), "kernel_layout": weight(4), "groups": groups if groups != 1 else None}
    sizes = node.output().sizes
    result = node.add(convolution.Conv2dOp, operands, sizes, **moves.properties(), **declared)
    if node.has_input(3):
        result = node.add(binary.AddOp, [result, _from_blocks(node, node.operand(3))], sizes)
    return _to_blocks(node, activated(node, result))


def _scaled(node: ImportedNode, channels: int) -> SSAValue:
    """The product, and sum, by channels that a convolution without strides is."""
    value, sizes = _from_blocks(node, node.operand(0)), node.output().sizes
    for place, op in ((1, binary.MulOp), (2, binary.AddOp)):
        if node.has_input(place):
            vector = node.reshape(node.operand(place), (1, channels, 1, 1))
            value = node.add(op, [value, vector], sizes)
    return node.add(binary.AddOp, [value, _from_blocks(node, node.operand(3))], sizes) if node.has_input(3) else value


def _kernel(node: ImportedNode, has_blocks_of_inputs: bool) -> SSAValue:
    """The kernel in OIHW."""
    size, sizes = _block_size(node), numbers(node.sizes(1))
    outputs, inputs, height, width = sizes
    if outputs % size or (has_blocks_of_inputs and inputs % size):
        raise UnsupportedNode(f"a kernel of {outputs} x {inputs} channels in blocks of {size}")
    if has_blocks_of_inputs:
        pieces = (outputs // size, inputs // size, height, width, size, size)
        order = (0, 5, 1, 4, 2, 3)
    else:
        pieces, order = (outputs // size, inputs, height, width, size), (0, 4, 1, 2, 3)
    return node.reshape(node.transpose(node.reshape(node.operand(1), pieces), order), sizes)


def activated(node: ImportedNode, value: SSAValue) -> SSAValue:
    kind = node.text("activation")
    if not kind:
        return value
    if kind not in ACTIVATIONS:
        raise UnsupportedNode(f"activation {kind}")
    op, names = ACTIVATIONS[kind]
    given = [shortest_f32(each) for each in node.numbers("activation_params") or []]
    if len(given) != len(names):
        raise UnsupportedNode(f"{len(given)} parameters of {kind}")
    return node.add(op, [value], node.sizes_of(value), **dict(zip(names, given, strict=True)))


def _pool_moves(node: ImportedNode) -> Moves:
    return moves_of(node, node.integers("kernel_shape") or [], node.sizes()[2:])


@converts(f"{DOMAIN}.MaxPool", f"{DOMAIN}.AveragePool")
def pool(node: ImportedNode) -> Converted:
    is_max, moves = node.proto.op_type == "MaxPool", _pool_moves(node)
    node.mark_read("storage_order")
    properties = {**moves.properties(), "window": moves.window, "ceil": node.flag("ceil_mode")}
    if not is_max:
        properties["count_padding"] = node.flag("count_include_pad") and moves.pads is not None
    value, op = _from_blocks(node, node.operand(0)), pooling.MaxPoolOp if is_max else pooling.AvgPoolOp
    return _to_blocks(node, node.add(op, [value], node.output().sizes, **properties, data_layout=feature(4)))


@converts(f"{DOMAIN}.GlobalMaxPool", f"{DOMAIN}.GlobalAveragePool")
def global_pool(node: ImportedNode) -> Converted:
    op = pooling.GlobalMaxPoolOp if node.proto.op_type == "GlobalMaxPool" else pooling.GlobalAvgPoolOp
    value = _from_blocks(node, node.operand(0))
    return _to_blocks(node, node.add(op, [value], node.output().sizes, data_layout=feature(4)))


@types(f"{DOMAIN}.Upsample")
def upsampled_type(node: ImportedNode) -> Shaped:
    scales, (batch, channels, *sizes) = node.integers("scales") or [], node.sizes()
    if len(scales) != 4 or scales[:2] != [1, 1]:
        raise UnsupportedNode(f"scales {scales}")
    spatial = (size * scale for size, scale in zip(numbers(sizes), scales[2:], strict=True))
    return Shaped(node.shaped(0).element, (batch, channels, *spatial))


@converts(f"{DOMAIN}.Upsample")
def upsample(node: ImportedNode) -> Converted:
    if node.text("mode", "nearest") != "nearest":
        raise UnsupportedNode("linear interpolation")
    value, factors = _from_blocks(node, node.operand(0)), (node.integers("scales") or [])[2:]
    found = node.add(resampling.UpsampleOp, [value], node.output().sizes, factors=factors, data_layout=feature(4))
    return _to_blocks(node, found)
