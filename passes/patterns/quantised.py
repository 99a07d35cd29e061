"""Matching of ops on quantised numbers that are written as floats between dequantisation and quantisation."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.npu.activations import ClipOp, ReluOp
from ...dialects.npu.base import NpuOp
from ...dialects.npu.binary import AddOp, MulOp
from ...dialects.npu.convolution import Conv1dOp, Conv2dOp
from ...dialects.npu.feature import FeatureMapOp
from ...dialects.npu.linear import GemmOp, MatmulOp, QuantGemmOp, QuantMatmulOp
from ...dialects.npu.pooling import AvgPoolOp, GlobalAvgPoolOp
from ...dialects.npu.quantities import (
    LARGEST_SUM,
    Bounds,
    clipped_to,
    fits_sum,
    is_byte,
    is_usual_scale,
    signed_number,
)
from ...dialects.npu.quantization import DequantizeOp, QuantizationOp, QuantizeOp
from ...dialects.npu.quantized_convolution import QuantConv2dOp
from ...dialects.npu.quantized_elementwise import QuantAddOp, QuantMulOp
from ...dialects.npu.quantized_pooling import QuantAvgPoolOp, QuantGlobalAvgPoolOp
from ...dialects.npu.signals import in_two_dimensions, layouts_of
from ...dialects.npu.source import elements_of, written_numbers
from ...dialects.npu.values import element_type_of, has_one_element, shape_of
from ...dialects.npu.views import views_above
from ...layout import DYNAMIC


class QuantisedOp(NamedTuple):
    """Ops on integers that compute what an op on floats and the quantisation of its result compute."""

    ops: tuple[NpuOp, ...]
    """The last one has the result."""
    parts: tuple[Operation, ...]
    """The ops that it replaces besides the quantisation, in program order."""


class Clamped(NamedTuple):
    """A value that is clamped before it is quantised."""

    value: SSAValue
    bounds: Sequence[Bounds]
    """The bounds of the integers, innermost first."""
    parts: tuple[Operation, ...]


def unclamped(op: QuantizeOp) -> Clamped:
    """The value before the clamps between it and its quantisation."""
    value, bounds, parts = op.input, list[Bounds](), list[Operation]()
    while isinstance(clamp := value.owner, ReluOp | ClipOp) and value.has_one_use():
        bounds.insert(0, _clipped(clamp, op))
        parts.insert(0, clamp)
        value = clamp.input
    return Clamped(value, [each for each in bounds if not each.are_none], tuple(parts))


def _clipped(clamp: ReluOp | ClipOp, op: QuantizeOp) -> Bounds:
    low, high = 0.0, inf
    if isinstance(clamp, ClipOp):
        low = -inf if clamp.min is None else clamp.min.value.data
        high = inf if clamp.max is None else clamp.max.value.data
    scale = _scale(op.scale)
    zero = _integers(op.zero_point)
    assert scale is not None, "the quantisation is per tensor"
    assert zero is not None, "the quantisation is per tensor"
    return clipped_to(low, high, float(scale[0]), zero[0], element_type_of(op.result))


def quantised_op(value: SSAValue, op: QuantizeOp) -> QuantisedOp | None:
    """The op that computes the integers of a value, which is quantised by `op` and read by nothing else."""
    if not value.has_one_use():
        return None
    match value.owner:
        case Conv1dOp() as float_op:
            return _signal(float_op, op)
        case Conv2dOp() as float_op:
            return _convolution(float_op, op)
        case MatmulOp() | GemmOp() as float_op:
            return _product(float_op, op)
        case AddOp() | MulOp() as float_op:
            return _elementwise(float_op, op)
        case AvgPoolOp() | GlobalAvgPoolOp() as float_op:
            return _mean(float_op, op)
        case _:
            return None


def _convolution(float_op: Conv2dOp, op: QuantizeOp) -> QuantisedOp | None:
    outputs = float_op.known_layout("kernel", float_op.kernel, "kernel_layout", float_op.kernel_layout).position_of("O")
    count = [size for axis, size in enumerate(shape_of(float_op.kernel)) if axis != outputs]
    return _sums(float_op, op, QuantConv2dOp, count, outputs)


def _signal(float_op: Conv1dOp, op: QuantizeOp) -> QuantisedOp | None:
    """The convolution of an image with one row, between views."""
    _, kernel = layouts_of(float_op)
    outputs = kernel.position_of("O")
    count = [size for axis, size in enumerate(shape_of(float_op.kernel)) if axis != outputs]
    found = _factors(float_op, op, count, outputs)
    if found is None or any(DYNAMIC in shape_of(value) for value in float_op.operands[:2]):
        return None
    operands, parts = found
    return QuantisedOp(tuple(in_two_dimensions(float_op, QuantConv2dOp, operands, op.result)), (*parts, float_op))


def _product(float_op: MatmulOp | GemmOp, op: QuantizeOp) -> QuantisedOp | None:
    columns = len(shape_of(float_op.result)) - 1
    of_rhs = columns if float_op.trans_b is None else columns - 1
    inner = shape_of(float_op.rhs)[2 * columns - 1 - of_rhs]
    on_integers = QuantGemmOp if isinstance(float_op, GemmOp) else QuantMatmulOp
    return _sums(float_op, op, on_integers, [inner], of_rhs)


def _sums(
    float_op: Conv2dOp | MatmulOp | GemmOp, op: QuantizeOp, on_integers: type[NpuOp], count: Sequence[int], of_rhs: int
) -> QuantisedOp | None:
    """A product whose right factor may have one scale per position of an axis."""
    found = _factors(float_op, op, count, of_rhs)
    return found and _made(on_integers, found[0], op, float_op, found[1])


def _factors(
    float_op: Conv1dOp | Conv2dOp | MatmulOp | GemmOp, op: QuantizeOp, count: Sequence[int], of_rhs: int
) -> tuple[Sequence[SSAValue], Sequence[Operation]] | None:
    """The operands of a product of integers, and the dequantisations that it replaces."""
    lhs, rhs = dequantised(float_op.operands[0]), dequantised(float_op.operands[1], of_rhs)
    if lhs is None or rhs is None or not fits_sum(element_type_of(lhs.input), element_type_of(rhs.input), count):
        return None
    operands = [lhs.input, rhs.input, *lhs.operands[1:], *rhs.operands[1:], op.scale, op.zero_point]
    parts = [lhs, rhs]
    if len(float_op.operands) > 2:
        bias = _bias(float_op.operands[2], lhs, rhs)
        if bias is None:
            return None
        operands.append(bias.input)
        parts.append(bias)
    return operands, list(dict.fromkeys(parts))


def _bias(value: SSAValue, lhs: DequantizeOp, rhs: DequantizeOp) -> DequantizeOp | None:
    """The dequantisation of a bias of i32 that may be added to the sums of products of integers."""
    op = value.owner
    if not isinstance(op, DequantizeOp) or element_type_of(op.input) != i32 or element_type_of(op.result) != f32:
        return None
    zeros, scales = _integers(op.zero_point), [_scale(each.scale) for each in (lhs, rhs, op)]
    if zeros is None or any(zeros) or any(scale is None for scale in scales):
        return None
    if not has_one_element(op.scale) and len(shape_of(value)) != 1:
        return None
    first, second, both = (scale for scale in scales if scale is not None)
    numbers = _integers(op.input)
    if numbers is not None and any(abs(number) > LARGEST_SUM for number in numbers):
        return None
    return op if np.all(first * second == both) else None


def _elementwise(float_op: AddOp | MulOp, op: QuantizeOp) -> QuantisedOp | None:
    lhs, rhs = dequantised(float_op.lhs), dequantised(float_op.rhs)
    if lhs is None or rhs is None:
        return None
    operands = [lhs.input, rhs.input, *lhs.operands[1:], *rhs.operands[1:], op.scale, op.zero_point]
    on_integers = QuantAddOp if isinstance(float_op, AddOp) else QuantMulOp
    return _made(on_integers, operands, op, float_op, [lhs, rhs])


def _mean(float_op: FeatureMapOp, op: QuantizeOp) -> QuantisedOp | None:
    value = dequantised(float_op.input)
    on_integers = QuantAvgPoolOp if isinstance(float_op, AvgPoolOp) else QuantGlobalAvgPoolOp
    return value and _made(on_integers, [*value.operands, op.scale, op.zero_point], op, float_op, [value])


def _made(
    on_integers: type[NpuOp],
    operands: Sequence[SSAValue],
    op: QuantizeOp,
    float_op: NpuOp,
    dequantisations: Sequence[Operation],
) -> QuantisedOp:
    made = on_integers.create(operands=operands, result_types=[op.result.type], properties=dict(float_op.properties))
    return QuantisedOp((made,), (*dict.fromkeys(dequantisations), float_op))


# Quantisation.


def is_per_tensor(op: QuantizationOp, axis: int | None = None) -> bool:
    """True if f32 and 8 bits have one known scale and zero point, or one per position of this axis."""
    numbers, integers = op.operands[0], op.result
    if isinstance(op, DequantizeOp):
        numbers, integers = integers, numbers
    if element_type_of(numbers) != f32 or not is_byte(element_type_of(integers)):
        return False
    is_single = has_one_element(op.scale) and has_one_element(op.zero_point)
    if not is_single and (axis is None or op.axis is None or op.axis.value.data != axis):
        return False
    scales = _scale(op.scale)
    return scales is not None and is_usual_scale(scales) and _integers(op.zero_point) is not None


def dequantised(value: SSAValue, axis: int | None = None) -> DequantizeOp | None:
    """The op that dequantises a value of 8 bits with known parameters, or None."""
    op = value.owner
    return op if isinstance(op, DequantizeOp) and is_per_tensor(op, axis) else None


def are_alike(one: QuantizationOp, other: QuantizationOp) -> bool:
    """True if two ops of one scale and zero point have equal ones, and integers of one type."""
    elements = {element_type_of(op.operands[0] if isinstance(op, DequantizeOp) else op.result) for op in (one, other)}
    scales, zeros = ([read(op) for op in (one, other)] for read in (_only_scale, _only_zero))
    return len(elements) == 1 and scales[0] == scales[1] and zeros[0] == zeros[1]


def _only_scale(op: QuantizationOp) -> bytes:
    scale = _scale(op.scale)
    assert scale is not None, "the scale is known"
    return scale.tobytes()


def _only_zero(op: QuantizationOp) -> Sequence[int] | None:
    return _integers(op.zero_point)


# Numbers of constants.


def _scale(value: SSAValue) -> NDArray[np.float32] | None:
    """The numbers of a scale of f32 that is written out."""
    found = _elements(value)
    return None if found is None or element_type_of(value) != f32 else found.view(np.float32)[:, 0]


def _integers(value: SSAValue) -> Sequence[int] | None:
    """The integers of a constant that is written out; only once if they are all equal."""
    found = _elements(value)
    if found is None:
        return None
    element: Attribute = element_type_of(value)
    return [signed_number(each.tobytes(), element) for each in np.unique(found, axis=0)]


def _elements(value: SSAValue) -> NDArray[np.uint8] | None:
    for view in views_above(value) if has_one_element(value) else ():
        value = view.input
    if (numbers := written_numbers(value)) is None:
        return None
    found = elements_of(numbers)
    return np.ascontiguousarray(found.reshape(-1, found.shape[-1]))
