"""Types of the results of ops of ONNX Runtime that npu has no op for, and ONNX no op with these types."""

from collections.abc import Sequence

from xdsl.dialects.builtin import i32

from .....dialects.npu.feature import Window
from ....building import are_known
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import types
from ..shaped import Shaped
from ..sizes import Size, divide, multiply, unknown
from ..types import UI8
from ..windows import moves_of, numbers
from .microsoft import DOMAIN


@types(f"{DOMAIN}.BiasAdd", f"{DOMAIN}.SkipGroupNorm")
def same_types(node: ImportedNode) -> Sequence[Shaped]:
    return node.shaped(0), node.shaped(0)


@types(f"{DOMAIN}.BiasSplitGelu")
def halved_type(node: ImportedNode) -> Shaped:
    *sizes, channels = node.sizes()
    half = divide(channels, 2)
    if half is None:
        raise UnsupportedNode("an unknown number of channels")
    return Shaped(node.shaped(0).element, (*sizes, half))


@types(f"{DOMAIN}.EmbedLayerNormalization")
def embedded_types(node: ImportedNode) -> Sequence[Shaped]:
    """The embedded words, the number of words, and the sum before it is normalised."""
    words = Shaped(node.shaped(2).element, (*node.sizes(), *node.sizes(2)[1:]))
    return words, Shaped(i32, node.sizes()[:1]), words


@types(f"{DOMAIN}.QAttention")
def quantised_attention_type(node: ImportedNode) -> Shaped:
    width = divide(node.sizes(1)[-1], 3)
    if width is None:
        raise UnsupportedNode("weights of an unknown size")
    return Shaped(node.shaped(3).element, (*node.sizes()[:-1], width))


@types(f"{DOMAIN}.DynamicQuantizeLSTM")
def recurrent_types(node: ImportedNode) -> Sequence[Shaped]:
    """The states of all steps, the last one, and the last state of the cells."""
    steps, batch, _ = node.sizes()
    last = Shaped(node.shaped(0).element, (node.sizes(1)[0], batch, node.integer("hidden_size")))
    return Shaped(last.element, (steps, *last.sizes)), last, last


def _slid(node: ImportedNode, window: Sequence[int], ceil: bool = False) -> Sequence[Size]:
    """The spatial sizes of the result for data with channels last."""
    sizes = node.sizes()[1:-1]
    if not are_known(sizes):
        return [unknown(f"{node.proto.output[0]}/{axis}") for axis, _ in enumerate(sizes)]
    moves = moves_of(node, window, sizes)
    found = Window(tuple(moves.strides), tuple(moves.dilations), tuple(moves.low), tuple(moves.high))
    return found.positions(numbers(sizes), moves.window, ceil)


@types(f"{DOMAIN}.NhwcMaxPool")
def pooled_type(node: ImportedNode) -> Shaped:
    positions = _slid(node, node.integers("kernel_shape") or [], node.flag("ceil_mode"))
    return Shaped(node.shaped(0).element, (node.sizes()[0], *positions, node.sizes()[-1]))


@types(f"{DOMAIN}.QLinearConv")
def quantised_conv_type(node: ImportedNode) -> Shaped:
    if not node.flag("channels_last"):
        raise UnsupportedNode("channels first")
    channels, _, *window = node.sizes(3)
    return Shaped(node.shaped(7).element, (node.sizes()[0], *_slid(node, numbers(window)), channels))


@types(f"{DOMAIN}.NhwcFusedConv")
def conv_type(node: ImportedNode) -> Shaped:
    channels, _, *window = node.sizes(1)
    return Shaped(node.shaped(0).element, (node.sizes()[0], *_slid(node, numbers(window)), channels))


@types(f"{DOMAIN}.NhwcConv")
def turned_conv_type(node: ImportedNode) -> Shaped:
    """The type for a kernel with channels last."""
    channels, *window, _ = node.sizes(1)
    return Shaped(node.shaped(0).element, (node.sizes()[0], *_slid(node, numbers(window)), channels))


@types(f"{DOMAIN}.GatherBlockQuantized")
def gathered_type(node: ImportedNode) -> Shaped:
    """The type of the scales, and sizes of the data, which may have two numbers in a byte."""
    axis, packed = node.axis(node.integer("gather_axis", 0)), node.axis(node.integer("quantize_axis", 1))
    sizes = [*node.sizes()]
    if node.shaped(0).element == UI8 and node.integer("bits", 4) == 4:
        sizes[packed] = multiply(sizes[packed], 2)
    return Shaped(node.shaped(2).element, (*sizes[:axis], *node.sizes(1), *sizes[axis + 1 :]))
