"""Conversion of convolutions, plain and transposed."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import convolution
from ....building import UnsupportedNode
from ..arithmetic import known
from ..node import CallNode
from ..registry import converts
from ..windows import batched, feature, slides, weight

CONVOLUTIONS = {3: convolution.Conv1dOp, 4: convolution.Conv2dOp, 5: convolution.Conv3dOp}
TRANSPOSED = {3: convolution.ConvTranspose1dOp, 4: convolution.ConvTranspose2dOp, 5: convolution.ConvTranspose3dOp}


@converts(
    "aten.conv1d.default",
    "aten.conv2d.default",
    "aten.conv3d.default",
    "aten.conv1d.padding",
    "aten.conv2d.padding",
    "aten.conv3d.padding",
    "aten.conv_transpose1d.default",
    "aten.conv_transpose2d.input",
    "aten.conv_transpose3d.input",
    "aten.convolution.default",
    "aten._convolution.default",
)
def conv(node: CallNode) -> SSAValue:
    kernel = node.operand("weight")
    rank = node.rank(kernel)
    count, groups = rank - 2, int(node.get("groups", 1))
    strides, dilations = (node.integers(name, count) or [1] * count for name in ("stride", "dilation"))
    is_transposed = "transpose" in node.call.name or bool(node.get("transposed", False))
    layouts = {
        "data_layout": feature(rank),
        "kernel_layout": weight(rank),
        "groups": groups if groups != 1 else None,
    }

    def plain(x: SSAValue, sizes: Sequence[object]) -> SSAValue:
        low, high = _pads(node, count, known(node.sizes_of(kernel)[2:]), dilations)
        moves = slides(strides, low, dilations, high)
        return node.add(CONVOLUTIONS[rank], [x, kernel, node.optional("bias")], sizes, **moves, **layouts)

    def transposed(x: SSAValue, sizes: Sequence[object]) -> SSAValue:
        moves = slides(strides, node.integers("padding", count) or [0] * count, dilations)
        more = node.integers("output_padding", count) or [0] * count
        given = {**moves, "output_pads": more if any(more) else None}
        return node.add(TRANSPOSED[rank], [x, kernel, node.optional("bias")], sizes, **given, **layouts)

    return batched(node, node.operand("input"), count, transposed if is_transposed else plain)


def _pads(node: CallNode, count: int, extents: Sequence[int], dilations: Sequence[int]) -> tuple[list[int], list[int]]:
    """The pads at both ends; of an odd number one more is at the end."""
    match node.get("padding", 0):
        case "valid":
            return [0] * count, [0] * count
        case "same":
            totals = [step * (extent - 1) for step, extent in zip(dilations, extents, strict=True)]
            return [total // 2 for total in totals], [total - total // 2 for total in totals]
        case str():
            raise UnsupportedNode("a mode of padding")
        case _:
            pads = node.integers("padding", count) or [0] * count
            return pads, pads
