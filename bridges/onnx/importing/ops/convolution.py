"""Convolutions, plain and transposed."""

from xdsl.ir import SSAValue

from .....dialects.npu import convolution
from .....dialects.npu.binary import AddOp
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import Size
from ..transposed import split_pads
from ..windows import Moves, auto_pad, feature, moves_of, numbers, weight
from .nchwc import activated

CONVOLUTIONS = {3: convolution.Conv1dOp, 4: convolution.Conv2dOp, 5: convolution.Conv3dOp}
TRANSPOSED = {3: convolution.ConvTranspose1dOp, 4: convolution.ConvTranspose2dOp, 5: convolution.ConvTranspose3dOp}


def layouts(node: ImportedNode, data: int = 0) -> dict[str, object]:
    """The layout and group properties of a convolution; `data` is the index of its feature map."""
    rank = node.rank(data)
    groups = node.integer("group", 1)
    return {
        "data_layout": feature(rank),
        "kernel_layout": weight(rank),
        "groups": groups if groups != 1 else None,
    }


@converts("Conv")
def conv(node: ImportedNode) -> SSAValue:
    declared = layouts(node)
    moves = moves_of(node, numbers(node.sizes(1)[2:]), node.sizes(0)[2:])
    operands = [node.operand(0), node.operand(1), node.optional(2)]
    op = CONVOLUTIONS[node.rank(0)]
    return node.add(op, operands, node.output().sizes, **moves.properties(), **declared)


@converts("com.microsoft.FusedConv")
def fused_conv(node: ImportedNode) -> Converted:
    """A convolution, a sum and an activation."""
    found = conv(node)
    if (other := node.optional(3)) is not None:
        found = node.add(AddOp, [found, other], node.output().sizes)
    return activated(node, found)


@converts("ConvTranspose")
def conv_transpose(node: ImportedNode) -> Converted:
    declared = layouts(node)
    moves, more = _transposed_moves(node)
    operands = [node.operand(0), node.operand(1), node.optional(2)]
    properties = {**moves.properties(), "output_pads": more if any(more) else None}
    return node.add(TRANSPOSED[node.rank(0)], operands, node.output().sizes, **properties, **declared)


def _transposed_moves(node: ImportedNode) -> tuple[Moves, list[int]]:
    """The window parameters, and the output padding at the end of each axis."""
    sizes = node.sizes(0)[2:]
    window = numbers(node.sizes(1)[2:])
    rank = len(window)
    if node.integers("kernel_shape") not in (None, [], window):
        raise UnsupportedNode("kernel_shape is not the shape of the kernel")
    strides = node.integers("strides") or [1] * rank
    dilations = node.integers("dilations") or [1] * rank
    more = node.integers("output_padding") or [0] * rank
    pads = node.integers("pads") or [0] * (2 * rank)
    word = auto_pad(node)
    wanted: list[Size] | None = list(node.integers("output_shape") or []) or None
    is_exact = wanted is not None
    if wanted is None and word in ("SAME_UPPER", "SAME_LOWER"):
        wanted = [size * stride for size, stride in zip(sizes, strides, strict=True)]
    moves = Moves(window, strides, dilations, pads[:rank], pads[rank:])
    if wanted is None:
        none = [0] * rank
        return (Moves(window, strides, dilations, none, none) if word == "VALID" else moves), more
    low: list[int] = []
    high: list[int] = []
    # `output_shape` may be the whole shape, N and C included.
    for axis, result in enumerate(wanted[-rank:]):
        total = strides[axis] * (sizes[axis] - 1) + more[axis] + moves.extent(axis) - result
        if not isinstance(total, int):
            raise UnsupportedNode("pads depend on an unknown size")
        before, behind, more[axis] = split_pads(total, more[axis], is_exact, is_upper=word == "SAME_UPPER")
        low.append(before)
        high.append(behind)
    return Moves(window, strides, dilations, low, high), more
