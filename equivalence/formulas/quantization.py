"""Integers that are quantised at run time, and their products."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import UnitAttr, f32, i1, i32
from xdsl.ir import SSAValue

from ...dialects.npu import binary, linear, low_precision, quantization, reduction, unary
from ...dialects.npu.attrs import i64_array
from ...dialects.npu.elementwise import BinaryOp, SelectOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps


@formula(quantization.DynamicQuantizeOp)
def dynamic_quantize(op: quantization.DynamicQuantizeOp, steps: Steps) -> None:
    """The range of the numbers and 0 in 255 steps."""
    x, zero, byte = steps.operand(op.input), steps.number(0), element_type_of(op.result)
    axes = range(len(shape_of(x)))
    ends = [(reduction.ReduceMinOp, binary.MinOp), (reduction.ReduceMaxOp, binary.MaxOp)]
    least, largest = (_f32(steps, end, _least(steps, reduce, x, axes), zero) for reduce, end in ends)
    width = _f32(steps, binary.SubOp, largest, least)
    is_flat = steps.add(binary.EqualOp, [width, zero], (), element=i1)
    one_step = _f32(steps, binary.DivOp, width, steps.number(255))
    scale = steps.add(SelectOp, [is_flat, steps.number(1), one_step], (), element=f32)
    negative = steps.add(unary.NegOp, [least], (), element=f32)
    point = _round(steps, _f32(steps, binary.DivOp, negative, scale))
    moved = _f32(steps, binary.AddOp, _round(steps, _f32(steps, binary.DivOp, x, scale)), point)
    inside = _f32(steps, binary.MinOp, _f32(steps, binary.MaxOp, moved, zero), steps.number(255))
    integers, place = (steps.cast(steps.cast(each, i32), byte) for each in (inside, point))
    steps.return_(integers, scale, place)


def _least(steps: Steps, op: type[reduction.ReduceOp], x: SSAValue, axes: range) -> SSAValue:
    return steps.add(op, [x], (), {"axes": i64_array(*axes)}, f32)


def _f32(steps: Steps, op: type[BinaryOp], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return steps.add(op, [lhs, rhs], shape_of(lhs), element=f32)


def _round(steps: Steps, x: SSAValue) -> SSAValue:
    return steps.add(unary.RoundOp, [x], shape_of(x), element=f32)


@formula(linear.MatmulIntegerOp)
def matmul_integer(op: linear.MatmulIntegerOp, steps: Steps) -> None:
    """A product of the centred integers in f32."""
    if any(shape_of(zero) != () for zero in (op.lhs_zero_point, op.rhs_zero_point)):
        return
    flags = {name: value for name, value in op.properties.items() if name in ("trans_a", "trans_b")}
    factors = [_centred(steps, index) for index in (0, 1)]
    total = steps.add(linear.MatmulOp, factors, None, flags, f32)
    steps.cast(_round(steps, total), i32)


def _centred(steps: Steps, index: int) -> SSAValue:
    """An operand minus its zero point, in f32."""
    known, zero = steps.known(index), steps.known(index + 2)
    if known is not None and zero is not None:
        return steps.constant((known.astype(np.int64) - zero.astype(np.int64)).astype(np.float32), f32)
    x, point = (steps.cast(steps.block.args[place], f32) for place in (index, index + 2))
    return _f32(steps, binary.SubOp, x, point)


@formula(low_precision.BlockDequantizeOp)
def block_dequantize(op: low_precision.BlockDequantizeOp, steps: Steps) -> None:
    """The floats that constants stand for."""
    known = [steps.known(index) for index in range(len(op.operands))]
    given: list[NDArray[np.float32]] = [each.astype(np.float32) for each in known if each is not None]
    if not steps.is_f32() or len(given) != len(known):
        return
    numbers, scale, *zeros = given
    axis, size = op.axis.value.data, op.block_size.value.data
    blocks = [each.repeat(size, axis).take(range(numbers.shape[axis]), axis) for each in (*zeros, scale)]
    steps.constant((numbers - blocks[0] if zeros else numbers) * blocks[-1], f32)


@formula(low_precision.MatmulNBitsOp)
def matmul_nbits(op: low_precision.MatmulNBitsOp, steps: Steps) -> None:
    """A product with the matrix that the packed numbers stand for, and a sum."""
    rank, sizes = len(steps.result), shape_of(op.input)
    if not steps.is_f32() or op.axis.value.data != rank - 1 or rank < 2 or sizes[-1] == DYNAMIC:
        return
    weights, scale = steps.known(1), steps.known(2)
    place = 3 + (op.zero_point is not None)
    zeros = None if op.zero_point is None else steps.known(3)
    groups = None if op.groups is None else steps.known(place)
    are_known = (zeros is not None or op.zero_point is None) and (groups is not None or op.groups is None)
    if weights is None or scale is None or not are_known or not _is_within(groups, weights.shape[1]):
        return
    # Imported late: few programs have packed numbers.
    from ...interpreter.ops.low_precision import matrix_of

    matrix = matrix_of(op, sizes[-1], weights, scale, zeros, groups)
    rows = steps.constant(matrix.reshape(*[1] * (rank - 2), *matrix.shape), f32)
    total = steps.add(linear.MatmulOp, [steps.operand(op.input), rows], None, {"trans_b": UnitAttr()})
    if op.bias is not None:
        steps.plus(total, steps.reshape(steps.operand(op.bias), (*[1] * (rank - 1), matrix.shape[0])))


def _is_within(groups: NDArray[Any] | None, blocks: int) -> bool:
    """True if there is a block for each row."""
    return groups is None or bool(((groups >= -blocks) & (groups < blocks)).all())
