"""Scales and zero points, which LiteRT has in the types of tensors, and the program as operands."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data import from_array
from ..dialect import LiteTensor, Quantization
from ..errors import NotExportable
from .elements import LiteElement
from .graph import LiteGraph


def numbers_of(graph: LiteGraph, scale: LiteTensor, zero_point: LiteTensor, axis: int = 0) -> Quantization:
    """The numbers that integers represent; both parameters are constants."""
    scales, zeros = graph.known(scale), graph.known(zero_point)
    if scales is None or zeros is None:
        raise NotExportable("LiteRT has no scales and zero points that are computed")
    count = max(scales.size, zeros.size)
    wide = np.broadcast_to(scales.reshape(-1), (count,)), np.broadcast_to(zeros.reshape(-1), (count,))
    return Quantization(tuple(map(float, wide[0])), tuple(map(int, wide[1])), axis)


def along(numbers: Quantization, rank: int) -> list[int]:
    """The shape of scales or zero points beside a tensor."""
    return [-1 if each == numbers.axis else 1 for each in range(rank)] if len(numbers.scale) > 1 else []


def movable(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """Integers as ops move them: those with several scales represent no numbers where their axis may be another one."""
    return x if x.quantization is None or len(x.quantization.scale) == 1 else graph.renumbered(x, None)


def result_of(x: LiteTensor, numbers: Quantization, element: LiteElement) -> LiteTensor:
    """The result of a kernel as quantised numbers; `element` is that of the program."""
    is_unsigned = element == LiteElement.U8
    shift = 128 if is_unsigned else 0
    zeros = tuple(zero - shift for zero in numbers.zero_point)
    represented = Quantization(numbers.scale, zeros, numbers.axis)
    x.change(element=LiteElement.I8 if is_unsigned else element, quantization=represented, shift=shift)
    return x


def dequantised(graph: LiteGraph, x: LiteTensor, numbers: Quantization) -> LiteTensor:
    """The numbers that integers represent, in f32; those of constants are computed at once."""
    known = graph.known(x)
    if known is None:
        given = graph.stored(x, numbers) if len(numbers.scale) > 1 else graph.quantised(x, numbers)
        return graph.node("DEQUANTIZE", [given], x.shape, LiteElement.F32)
    shape = along(numbers, len(x.shape))
    zeros, scales = np.array(numbers.zero_point, np.int64), np.array(numbers.scale, np.float32)
    return graph.numbers((known.astype(np.int64) - zeros.reshape(shape)) * scales.reshape(shape), LiteElement.F32)


def quantised(graph: LiteGraph, x: LiteTensor, numbers: Quantization, element: LiteElement) -> LiteTensor:
    """Numbers in f32, quantised; `element` is that of the program."""
    result = graph.node("QUANTIZE", [x], x.shape)
    if len(numbers.scale) == 1:
        return result_of(result, numbers, element)
    # No kernel moves those with several scales from i8 to u8.
    result.change(element=element, quantization=numbers)
    return result


def symmetric(graph: LiteGraph, weights: LiteTensor, numbers: Quantization) -> LiteTensor:
    """Constant weights in i8 with zero points of 0, as kernels demand; the axis of the scales is that of `numbers`."""
    known = graph.known(weights)
    if known is None:
        raise NotExportable("quantised weights that are computed have no counterpart in LiteRT")
    centred = known.astype(np.int32) - np.array(numbers.zero_point, np.int32).reshape(along(numbers, known.ndim))
    if centred.size and (centred.min() < -128 or centred.max() > 127):
        raise NotExportable("quantised weights whose numbers have no form with a zero point of 0 have none in LiteRT")
    result = _constant(graph, centred, LiteElement.I8, weights)
    result.change(quantization=Quantization(numbers.scale, (0,) * len(numbers.scale), numbers.axis))
    return result


def _constant(graph: LiteGraph, numbers: NDArray[Any], element: LiteElement, of: LiteTensor | None) -> LiteTensor:
    """A constant of its own: equal numbers may have other scales elsewhere."""
    return graph.constant(from_array(numbers, element), of)


def sums(graph: LiteGraph, bias: LiteTensor | None, count: int, scale: float, weights: Quantization) -> LiteTensor:
    """The bias in i32, whose scale is the product of those of data and weights; zeros if there is none."""
    known = np.zeros(count) if bias is None else graph.known(bias)
    if known is None:
        raise NotExportable("a quantised bias that is computed has no counterpart in LiteRT")
    found = _constant(graph, np.broadcast_to(known.reshape(-1), (count,)), LiteElement.I32, bias)
    scales = tuple(scale * each for each in weights.scale)
    found.change(quantization=Quantization(scales, (0,) * len(scales)))
    return found
