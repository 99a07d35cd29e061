"""Scales and zero points, which LiteRT has in the types of tensors, and the program as operands."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ....dialects.notes.node_kinds import KIND
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import element_type_of
from ..data import from_array
from ..dialect import LiteTensor, Quantization
from ..errors import NotExportable
from .elements import LiteElement, element_of
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


def result_of(x: LiteTensor, numbers: Quantization, element: LiteElement, *, is_kept: bool = False) -> LiteTensor:
    """The result of a kernel as quantised numbers; `element` is that of the program, which ui8 is if it is kept."""
    is_unsigned = element == LiteElement.U8 and not is_kept
    shift = 128 if is_unsigned else 0
    zeros = tuple(zero - shift for zero in numbers.zero_point)
    represented = Quantization(numbers.scale, zeros, numbers.axis)
    x.change(element=LiteElement.I8 if is_unsigned else element, quantization=represented, shift=shift)
    return x


def dequantised(graph: LiteGraph, x: LiteTensor, numbers: Quantization) -> LiteTensor:
    """The numbers that integers represent, in f32; those of constants are computed at once."""
    known = graph.known(x)
    if known is None:
        return graph.node("DEQUANTIZE", [graph.stored(x, numbers)], x.shape, LiteElement.F32)
    shape = along(numbers, len(x.shape))
    zeros, scales = np.array(numbers.zero_point, np.int64), np.array(numbers.scale, np.float32)
    return graph.numbers((known.astype(np.int64) - zeros.reshape(shape)) * scales.reshape(shape), LiteElement.F32)


def quantised(
    graph: LiteGraph, x: LiteTensor, numbers: Quantization, element: LiteElement, *, is_kept: bool = False
) -> LiteTensor:
    """Numbers in f32, quantised; `element` is that of the program, which ui8 is if it is kept."""
    result = graph.node("QUANTIZE", [x], x.shape)
    if len(numbers.scale) == 1:
        return result_of(result, numbers, element, is_kept=is_kept)
    # No kernel moves those with several scales from i8 to u8.
    result.change(element=element, quantization=numbers)
    return result


class QuantisedFactors(NamedTuple):
    """Data and constant weights of a product, as its kernel takes them."""

    data: LiteTensor
    weights: LiteTensor
    are_unsigned: bool
    """True in ui8, which the result then has as well; else they are in i8, and the zero points of the weights are 0."""


def factors(
    op: NpuOp, graph: LiteGraph, data: LiteTensor, given: Quantization, weights: LiteTensor, numbers: Quantization
) -> QuantisedFactors:
    """Factors in ui8 if the op was one of ui8, or if no i8 with a zero point of 0 are the numbers of its weights."""
    known = graph.known(weights)
    if known is None:
        raise NotExportable("quantised weights that are computed have no counterpart in LiteRT")
    centred = known.astype(np.int32) - np.array(numbers.zero_point, np.int32).reshape(along(numbers, known.ndim))
    fits = not centred.size or (centred.min() >= -128 and centred.max() <= 127)
    is_unsigned = are_unsigned(*op.operands[:2], *op.results)
    if is_unsigned and len(numbers.scale) == 1 and (KIND in op.attributes or not fits):
        return QuantisedFactors(graph.unsigned(data, given), graph.renumbered(weights, numbers), are_unsigned=True)
    if not fits:
        raise NotExportable("quantised weights whose numbers have no form with a zero point of 0 have none in LiteRT")
    symmetric = _constant(graph, centred, LiteElement.I8, weights)
    symmetric.change(quantization=Quantization(numbers.scale, (0,) * len(numbers.scale), numbers.axis))
    return QuantisedFactors(graph.quantised(data, given), symmetric, are_unsigned=False)


def are_unsigned(*values: SSAValue) -> bool:
    """True for integers that the program has in ui8."""
    return all(element_of(element_type_of(each)) == LiteElement.U8 for each in values)


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
