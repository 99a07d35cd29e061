"""Layouts and window parameters of convolutions and pooling."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.npu.attrs import LayoutAttr
from ....dialects.npu.feature import Window
from ....layout import Layout, LayoutClass, Order, identity_layout
from ..errors import UnsupportedNode
from .node import ImportedNode
from .pools import POOLS
from .sizes import Size

MOST_CUT = -1
"""The sum of negative pads up to which ONNX Runtime's windows begin at the first element."""


def feature(rank: int) -> LayoutAttr:
    """The layout of an activation in ONNX: NCHW, NCW or NCDHW."""
    return _layout(LayoutClass.FEATURE, rank)


def feature_in(order: Order) -> LayoutAttr:
    """The layout of an activation in another order, such as NHWC."""
    return LayoutAttr(Layout(LayoutClass.FEATURE, order))


def weight(rank: int) -> LayoutAttr:
    """The layout of a kernel in ONNX: OIHW, OIW or OIDHW."""
    return _layout(LayoutClass.WEIGHT, rank)


def _layout(cls: LayoutClass, rank: int) -> LayoutAttr:
    if not 3 <= rank <= 5:
        raise UnsupportedNode(f"convolutions and pooling of rank {rank} are not supported")
    return LayoutAttr(identity_layout(cls, rank))


@dataclass(frozen=True, slots=True)
class Moves:
    """Size, strides, dilations and pads of a window, one number per spatial axis."""

    window: list[int]
    strides: list[int]
    dilations: list[int]
    low: list[int]
    high: list[int]

    @property
    def pads(self) -> list[int] | None:
        """The pads of the npu op; None if there are none."""
        pads = [*self.low, *self.high]
        if any(pad < 0 for pad in pads):
            raise UnsupportedNode("a pad is negative")
        return pads if any(pads) else None

    def properties(self) -> dict[str, object]:
        """The properties of a windowed op without defaults."""
        return {
            "strides": self.strides if set(self.strides) != {1} else None,
            "dilations": self.dilations if set(self.dilations) != {1} else None,
            "pads": self.pads,
        }

    def extent(self, axis: int) -> int:
        """The dilated size of the window along an axis."""
        return (self.window[axis] - 1) * self.dilations[axis] + 1


def auto_pad(node: ImportedNode) -> str:
    """The mode of automatic padding."""
    return node.choice("auto_pad", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")


def moves_of(node: ImportedNode, window: Sequence[int], sizes: Sequence[Size]) -> Moves:
    """The window parameters of a node for spatial axes of these sizes, with pads resolved."""
    rank = len(window)
    if node.integers("kernel_shape") not in (None, [], list(window)):
        raise UnsupportedNode("kernel_shape is not the shape of the kernel")
    strides = node.integers("strides") or [1] * rank
    dilations = node.integers("dilations") or [1] * rank
    pads = node.integers("pads") or [0] * (2 * rank)
    if not len(strides) == len(dilations) == len(pads) // 2 == rank == len(sizes):
        raise UnsupportedNode("lists have different lengths")
    if min(strides, default=1) < 1:
        raise UnsupportedNode("windows that stay in their place")
    moves = Moves(list(window), strides, dilations, pads[:rank], pads[rank:])
    match auto_pad(node):
        case "NOTSET":
            return moves
        case "VALID":
            return Moves(moves.window, strides, dilations, [0] * rank, [0] * rank)
        case _ if node.proto.op_type in POOLS and set(dilations) != {1}:
            raise UnsupportedNode("SAME pads of dilated pools depend on an unknown size")
        case word:
            return _same(moves, sizes, upper=word == "SAME_UPPER")


def _same(moves: Moves, sizes: Sequence[Size], upper: bool) -> Moves:
    """Pads such that the result size is the input size divided by the stride, rounded up.

    Where windows end before the data does, ONNX has no pads, and ONNX Runtime negative ones: of two or more elements in
    all the windows begin behind the first element, at a place that is another one for each op.
    """
    low: list[int] = []
    high: list[int] = []
    for axis, size in enumerate(sizes):
        stride = moves.strides[axis]
        if stride == 1:
            total = moves.extent(axis) - 1
        elif isinstance(size, int):
            total = (-(-size // stride) - 1) * stride + moves.extent(axis) - size
            if total < MOST_CUT:
                raise UnsupportedNode("ONNX Runtime's pads are negative")
            total = max(total, 0)
        else:
            raise UnsupportedNode("pads depend on an unknown size")
        small, large = total // 2, total - total // 2
        low.append(small if upper else large)
        high.append(large if upper else small)
    return Moves(moves.window, moves.strides, moves.dilations, low, high)


def positions_of(node: ImportedNode, moves: Moves, ceil: bool = False) -> Sequence[int]:
    """The spatial sizes of the result of a node that slides a window."""
    window = Window(tuple(moves.strides), tuple(moves.dilations), tuple(moves.low), tuple(moves.high))
    return window.positions(numbers(node.sizes()[2:]), moves.window, ceil)


def numbers(sizes: Sequence[Size]) -> list[int]:
    """The sizes, which must be known."""
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes):
        raise UnsupportedNode("unknown size")
    return known
