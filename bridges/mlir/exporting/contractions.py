"""Convolutions and matrix products as loops that vectorise well.

The innermost loop runs over the channels or columns of the result, which are contiguous. LLVM vectorises it, but not a
loop over the terms of one float sum. Kernels are stored to match.
"""

from collections.abc import Callable

import numpy as np

from ....dialects.npu.feature import Window
from ..bindings import Module, Operation, Value, ir
from .arithmetic import add
from .arrange import pad, reshape, transpose
from .elements import F32, Element
from .loops import loop, products
from .ops.convolution import window_indices
from .tensors import Tensor, computed, known

_OTHER = Element("b", 1)
"""A placeholder for element types other than f32."""

Rewrite = Callable[[Operation], Tensor]


def rewrite_contractions(module: Module) -> None:
    """Replace the f32 convolutions and matrix products in all functions by loops."""
    for function in module.body.operations:
        for block in function.regions[0].blocks:
            for op in list(block.operations):
                rewrite = REWRITES.get(op.operation.name)
                if rewrite is None or _tensor(op.operands[0]).element != F32:
                    continue
                with ir.InsertionPoint(op), op.location:
                    op.results[0].replace_all_uses_with(rewrite(op).value)
                op.operation.erase()


def _tensor(value: Value) -> Tensor:
    """The tensor of a value, with its data if it is a constant."""
    type_ = ir.RankedTensorType(value.type)
    shape = tuple(type_.shape)
    if type_.element_type != F32.type:
        return computed(value, shape, _OTHER)
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "tosa.const":
        return computed(value, shape, F32)
    attribute = ir.DenseElementsAttr(owner.attributes["values"])
    if attribute.is_splat:
        number = ir.FloatAttr(attribute.get_splat_value()).value
        return known(np.full(shape, number, np.float32), F32)
    return known(np.asarray(attribute).reshape(shape), F32)


def _window(op: Operation) -> Window:
    strides, dilations, pads = (
        tuple(ir.DenseI64ArrayAttr(op.attributes[name])) for name in ("stride", "dilation", "pad")
    )
    return Window(strides, dilations, pads[::2], pads[1::2])


def _padded(op: Operation, window: Window) -> Tensor:
    return pad(_tensor(op.operands[0]), [0, *window.pads_begin, 0], [0, *window.pads_end, 0])


def _convolution(op: Operation) -> Tensor:
    window, kernel = _window(op), _tensor(op.operands[1])
    x = _padded(op, window)
    rank = x.rank - 2
    extents, inputs = kernel.shape[1:-1], kernel.shape[-1]
    # (window, I, O): O is contiguous and vectorised.
    kernel = transpose(kernel, [*range(1, rank + 2), 0])
    shape = _tensor(op.results[0]).shape
    inner = rank + 2
    data = [loop(0), *window_indices(window, 1, inner), loop(inner + rank)]
    weights = [*(loop(inner + axis) for axis in range(rank + 1)), loop(rank + 1)]
    nest = [*range(rank + 1), *range(inner, inner + rank + 1), rank + 1]
    total = products(shape, [*extents, inputs], (x, data), (kernel, weights), nest)
    return _with_bias(total, _tensor(op.operands[2]))


def _depthwise(op: Operation) -> Tensor:
    window, kernel = _window(op), _tensor(op.operands[1])
    x = _padded(op, window)
    height, width, channels, multiples = kernel.shape
    if multiples != 1:
        batch, rows, columns, outputs = _tensor(op.results[0]).shape
        shape = (batch, rows, columns, channels, multiples)
        data = [loop(0), *window_indices(window, 1, 5), loop(3)]
        weights = [loop(5), loop(6), loop(3), loop(4)]
        total = products(shape, [height, width], (x, data), (kernel, weights), [0, 1, 2, 5, 6, 3, 4])
        return _with_bias(reshape(total, [batch, rows, columns, outputs]), _tensor(op.operands[2]))
    kernel = reshape(kernel, [height, width, channels])
    data = [loop(0), *window_indices(window, 1, 4), loop(3)]
    shape = _tensor(op.results[0]).shape
    total = products(shape, [height, width], (x, data), (kernel, [loop(4), loop(5), loop(3)]), [0, 1, 2, 4, 5, 3])
    return _with_bias(total, _tensor(op.operands[2]))


def _with_bias(total: Tensor, bias: Tensor) -> Tensor:
    if bias.known is not None and not bias.known.any():
        return total
    return add(total, reshape(bias, [*[1] * (total.rank - 1), bias.size]))


def _matmul(op: Operation) -> Tensor:
    lhs, rhs = (_tensor(value) for value in op.operands[:2])
    shape = _tensor(op.results[0]).shape
    left, right = [loop(0), loop(1), loop(3)], [loop(0), loop(3), loop(2)]
    return products(shape, [lhs.shape[-1]], (lhs, left), (rhs, right), [0, 1, 3, 2])


REWRITES: dict[str, Rewrite] = {
    "tosa.conv2d": _convolution,
    "tosa.conv3d": _convolution,
    "tosa.depthwise_conv2d": _depthwise,
    "tosa.matmul": _matmul,
}
"""The rewrites of contractions by op name."""
