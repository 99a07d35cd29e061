"""Blocks of channels as ops of com.microsoft.nchwc, which ONNX Runtime runs.

Such an op knows a feature map in blocks by the shape that it has without them, but for channels that fill their last
block up: (N, 32, H, W) for data that is stored as (N, 2, H, W, 16). Between these ops tensors are flat like that. All
other ops work on the stored tensors; the Reshape between both moves nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import ElementwiseOp
from ....dialects.npu.reduction import ReduceMeanOp
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import element_type_of, has_one_element, layout_of, logical_shape, shape_of
from ....layout import DYNAMIC, Layout
from ..errors import NotExportable
from ..nchwc import APPLIED, DOMAIN, SIZES
from . import blocks
from .elements import F32, carrier
from .graph import OnnxGraph, OnnxNode, OnnxTensor, OperandSize, Size
from .registry import EXPORTERS
from .storage import to_logical, to_stored

FlatSizes: TypeAlias = tuple[int, int, int, int]
CHANNELS_LAST = (0, 2, 3, 1)
MULTIPLE = 4
"""ONNX Runtime moves channels into blocks in steps of so many."""


_FEATURES = {Layout.parse(f"NCHW{size}c"): size for size in SIZES}


def block_of(value: SSAValue) -> int | None:
    """The size of the blocks of a feature map that ONNX Runtime can store so, or None."""
    layout = layout_of(value)
    size = None if layout is None else _FEATURES.get(layout.unsized)
    # One channel may be a block of one.
    if size is None or shape_of(value)[-1] != size or 0 in shape_of(value):
        return None
    return size if carrier(element_type_of(value)) == F32 else None


class Nchwc:
    """The flat tensors of a graph."""

    def __init__(self, graph: OnnxGraph) -> None:
        self.graph = graph
        self._flat: dict[OnnxTensor, OnnxTensor] = {}
        """The flat tensors by the stored ones."""
        self._sizes: dict[OnnxTensor, FlatSizes] = {}
        """The sizes of flat tensors."""

    def check_size(self, op: NpuOp) -> None:
        """Check that all blocks of a model have one size, as they have on a machine."""
        sizes = (size for value in chain(op.results, op.operands) if (size := block_of(value)) is not None)
        # A mean or a convolution may have neither data nor result in blocks; then its node has the size of others.
        size = next(sizes, self.graph.block_size)
        if self.graph.block_size not in (None, size):
            raise NotExportable(
                f"blocks of {size} channels in a model with blocks of {self.graph.block_size}:"
                " ONNX Runtime has one size on a machine"
            )
        self.graph.block_size = size

    def node(self, kind: str, *inputs: OnnxTensor | None, **attributes: Any) -> OnnxTensor:
        """A node of the domain."""
        return self.graph.foreign_node(DOMAIN, kind, inputs, F32, **attributes)

    def flat(self, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
        """The flat tensor of a stored one."""
        sizes = _flat_sizes(value)
        if x not in self._flat:
            found = self._behind(x)
            is_same = found is not None and self._sizes[found] == sizes
            self._flat[x] = found if found is not None and is_same else self._flattened(x, sizes)
        return self._flat[x]

    def _flattened(self, x: OnnxTensor, sizes: FlatSizes) -> OnnxTensor:
        batch, channels, height, width = sizes
        found = self.graph.reshape(x, [*_known(0, batch), channels, *_known(2, height, width)])
        self._sizes[found] = sizes
        return found

    def _behind(self, x: OnnxTensor | None) -> OnnxTensor | None:
        """The flat tensor of which a tensor is a reshape."""
        while x is not None and x not in self._sizes:
            is_reshape = x.node is not None and (x.node.kind, x.node.domain) == ("Reshape", "")
            x = x.node.inputs[0] if x.node is not None and is_reshape else None
        return x

    def elementwise(self, op: NpuOp, operands: Sequence[OnnxTensor]) -> OnnxTensor | None:
        """The result of an elementwise op on flat tensors, if one of them is, or of the convolution before it."""
        if not isinstance(op, ElementwiseOp) or block_of(op.result) is None:
            return None
        is_whole = [value.type == op.result.type for value in op.operands]
        if not all(whole or has_one_element(value) for whole, value in zip(is_whole, op.operands, strict=True)):
            return None
        if not any(whole and self._behind(x) is not None for whole, x in zip(is_whole, operands, strict=True)):
            return None
        flats = [
            self.flat(x, value) if whole else self.graph.reshape(x, ())
            for x, value, whole in zip(operands, op.operands, is_whole, strict=True)
        ]
        found = EXPORTERS[type(op)](op, self.graph, *flats)
        assert isinstance(found, OnnxTensor), "it has one result"
        fused = self._fused(op, flats, found)
        return self.stored(found, op.result) if fused is None else fused

    def known_flat(self, x: OnnxTensor) -> OnnxTensor | None:
        """The flat tensor from which a stored one is made."""
        return self._flat.get(x)

    def stored(self, flat: OnnxTensor, value: SSAValue) -> OnnxTensor:
        """The stored tensor of a value from a flat one."""
        batch, count, *sizes, tile = shape_of(value)
        result = self.graph.reshape(flat, [*_known(0, batch), count, *_known(2, *sizes), tile])
        self._flat[result], self._sizes[flat] = flat, _flat_sizes(value)
        return result

    def to_logical(self, x: OnnxTensor, value: SSAValue, order: Sequence[int] | None = None) -> OnnxTensor:
        """The tensor of a value without blocks, in logical order or another one."""
        if block_of(value) is None:
            found = blocks.to_logical(self.graph, x, value)
            return found if order is None else to_stored(self.graph, found, tuple(order), len(order))
        is_last = order is not None and tuple(order) == CHANNELS_LAST
        channels = logical_shape(value)[1]
        found = self.node("ReorderOutput", self.flat(x, value), channels=channels, channels_last=int(is_last))
        return found if order is None or is_last else to_stored(self.graph, found, tuple(order), len(order))

    def to_stored(self, x: OnnxTensor, value: SSAValue, order: Sequence[int] | None = None) -> OnnxTensor:
        """A tensor without blocks, in logical order or another one, stored like a value."""
        is_last = order is not None and tuple(order) == CHANNELS_LAST
        source = x if order is None or is_last else to_logical(self.graph, x, tuple(order), len(order))
        if block_of(value) is None:
            logical = to_logical(self.graph, source, CHANNELS_LAST, 4) if is_last else source
            return blocks.to_stored(self.graph, logical, value)
        return self.stored(self.reordered(source, logical_shape(value)[1], is_last), value)

    def reordered(self, x: OnnxTensor, channels: int, is_last: bool = False) -> OnnxTensor:
        """The flat tensor of one without blocks."""
        more = [0, 0, 0, 0]
        more[3 if is_last else 1] = -channels % MULTIPLE
        whole = self.graph.padded(x, [0, 0, 0, 0], more)
        return self.node("ReorderInput", whole, channels_last=int(is_last))

    def _fused(self, op: ElementwiseOp, operands: Sequence[OnnxTensor], result: OnnxTensor) -> OnnxTensor | None:
        """The result of an op, computed by the convolution before it if that can."""
        node = result.node
        if node is None or node.domain:
            return None
        inputs = [each for each in node.inputs if each is not None]
        if node.kind in (*APPLIED, "Clip") and inputs[0] is operands[0]:
            return self._with_activation(op, operands[0], node)
        is_sum = node.kind == "Add" and inputs == [*operands] and op.operands[0].type == op.operands[1].type
        return self._with_sum(op, operands) if is_sum else None

    def _with_activation(self, op: ElementwiseOp, operand: OnnxTensor, node: OnnxNode) -> OnnxTensor | None:
        conv, parameters = self._convolution(operand, op.operands[0]), _parameters(node)
        if conv is None or parameters is None:
            return None
        attributes = {"activation": node.kind, **({"activation_params": parameters} if parameters else {})}
        return self._instead(conv, conv.inputs, attributes, op.results[0])

    def _with_sum(self, op: ElementwiseOp, operands: Sequence[OnnxTensor]) -> OnnxTensor | None:
        """The sum, if a convolution computes an operand."""
        for place, other in ((0, 1), (1, 0)):
            conv = self._convolution(operands[place], op.operands[place])
            if conv is not None and len(conv.inputs) < 4 and operands[place] is not operands[other]:
                added, sizes = self._behind(operands[other]), self._sizes[_result(conv)]
                if added is None or self._sizes[added] != sizes:
                    added = self._flattened(operands[other], sizes)
                return self._instead(conv, [*(*conv.inputs, None)[:3], added], {}, op.results[0])
        return None

    def times(self, x: OnnxTensor, value: SSAValue, factors: OnnxTensor) -> OnnxTensor:
        """A product by channels, as a depthwise convolution of single elements.

        It states no strides, by which the importer knows it.
        """
        channels = _flat_sizes(value)[1]
        kernel = self.graph.reshape(factors, [channels, 1, 1, 1])
        return self.stored(self.node("Conv", self.flat(x, value), kernel, group=channels, kernel_shape=[1, 1]), value)

    def plus(self, x: OnnxTensor, value: SSAValue, terms: OnnxTensor, result: SSAValue) -> OnnxTensor | None:
        """A sum by channels, as the bias of the product before it; None if there is none."""
        conv = self._convolution(x, value)
        if conv is None or len(conv.inputs) > 2 or "strides" in conv.attributes:
            return None
        return self._instead(conv, [*conv.inputs, self.graph.reshape(terms, [_flat_sizes(value)[1]])], {}, result)

    def mean_of_pixels(self, x: OnnxTensor, op: ReduceMeanOp) -> OnnxTensor | None:
        """A mean of the pixels of a flat tensor as a pool; None if it is one of other elements."""
        flat, shape, axes = self._behind(x), shape_of(op.input), sorted(op.axes.get_values())
        if flat is None or not axes or DYNAMIC in shape or axes != [*range(axes[0], axes[-1] + 1)]:
            return None
        batch, channels, *sizes = self._sizes[flat]
        before, pixels = prod(shape[: axes[0]]), prod(shape[axes[0] : axes[-1] + 1])
        tile = self.graph.block_size
        if tile is None or (before, pixels) != (batch * channels // tile, prod(sizes)):
            return None
        found = self.node("GlobalAveragePool", flat)
        self._sizes[found] = (batch, channels, 1, 1)
        return self.graph.reshape(found, shape_of(op.result))

    def _convolution(self, x: OnnxTensor, value: SSAValue) -> OnnxNode | None:
        """The convolution without activation that computes a value for one user only, also through reshapes."""
        flat = self._behind(x)
        node = None if flat is None else flat.node
        # An unknown size in another place would have to be computed.
        if node is None or (node.kind, node.domain) != ("Conv", DOMAIN) or DYNAMIC in shape_of(value)[1:]:
            return None
        assert isinstance(node.attributes, Mapping)
        return node if "activation" not in node.attributes and _has_one_user(value) else None

    def _instead(
        self, conv: OnnxNode, inputs: Sequence[OnnxTensor | None], more: Mapping[str, Any], value: SSAValue
    ) -> OnnxTensor:
        """The tensor of a value that a convolution computes with other inputs and further attributes."""
        assert isinstance(conv.attributes, Mapping)
        flat, sizes = self.node("Conv", *inputs, **{**conv.attributes, **more}), self._sizes[_result(conv)]
        batch, *rest = shape_of(value)
        result = self.graph.reshape(flat, [*_known(0, batch), *rest])
        self._flat[result], self._sizes[flat] = flat, sizes
        return result


def _flat_sizes(value: SSAValue) -> FlatSizes:
    batch, count, height, width, tile = shape_of(value)
    return batch, count * tile, height, width


def _result(node: OnnxNode) -> OnnxTensor:
    (result,) = node.outputs
    assert result is not None, "the result is used"
    return result


def _has_one_user(value: SSAValue) -> bool:
    """True if one op reads a value, and nothing else the data that it shows."""
    while value.has_one_use():
        if not isinstance(value.owner, ReshapeOp):
            return True
        value = value.owner.input
    return False


def _known(first: int, *sizes: int) -> Iterator[Size | OperandSize]:
    """The sizes of axes from this one on; unknown ones are those of the operand."""
    return (OperandSize(first + place) if size == DYNAMIC else size for place, size in enumerate(sizes))


def _parameters(node: OnnxNode) -> list[float] | None:
    """The numbers of an activation; None if they are computed."""
    if node.kind != "Clip":
        assert isinstance(node.attributes, Mapping)
        return [float(node.attributes[name]) for name in sorted(node.attributes)]
    bounds = [each.weights for each in node.inputs[1:] if each is not None]
    return (
        [float(each.array()) for each in bounds if each is not None]
        if len(bounds) == 2 and None not in bounds
        else None
    )
