"""Normalisations."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32, f64, i1, i32
from xdsl.ir import SSAValue

from ...dialects.npu import binary, reduction, unary
from ...dialects.npu import normalization as ops
from ...dialects.npu.attrs import i64_attr
from ...dialects.npu.base import NpuOp
from ...dialects.npu.elementwise import SelectOp
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps


def _normalised(steps: Steps, x: SSAValue, axes: Sequence[int], epsilon: float) -> SSAValue:
    """x minus its mean, divided by the root of the variance plus epsilon."""
    centred = steps.minus(x, steps.mean(x, axes))
    return _divided(steps, centred, axes, epsilon)


def _divided(steps: Steps, x: SSAValue, axes: Sequence[int], epsilon: float) -> SSAValue:
    """x divided by the root of its mean square plus epsilon."""
    square = steps.mean(steps.times(x, x), axes)
    return steps.times(x, steps.unary(unary.RsqrtOp, steps.plus(square, steps.number(epsilon))))


def _scaled(steps: Steps, x: SSAValue, scale: SSAValue | None, bias: SSAValue | None) -> None:
    """x * scale + bias, each of which may be absent; they are aligned at the last axes."""
    rank = len(shape_of(x))
    for op, given in ((binary.MulOp, scale), (binary.AddOp, bias)):
        if given is None:
            continue
        part = steps.operand(given)
        sizes = shape_of(part)
        aligned = sizes[len(sizes) - rank :] if len(sizes) > rank else (*[1] * (rank - len(sizes)), *sizes)
        x = steps.binary(op, x, steps.reshape(part, aligned))


def _along(steps: Steps, vector: SSAValue, axis: int, rank: int) -> SSAValue:
    """A vector of parameters along one axis."""
    part = steps.operand(vector)
    count = shape_of(part)[0] if shape_of(part) else 1
    return steps.reshape(part, (*[1] * axis, count, *[1] * (rank - axis - 1)))


@formula(ops.TensorNormOp)
def tensor_norm(op: ops.TensorNormOp, steps: Steps) -> None:
    if steps.is_f32():
        _normalised(steps, steps.operand(op.input), op.axes.get_values(), op.epsilon.value.data)


@formula(ops.LayerNormOp)
def layer_norm(op: ops.LayerNormOp, steps: Steps) -> None:
    if steps.is_f32():
        x = _normalised(steps, steps.operand(op.input), op.axes.get_values(), op.epsilon.value.data)
        _scaled(steps, x, op.scale, op.bias)


@formula(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, steps: Steps) -> None:
    if steps.is_f32():
        x = _divided(steps, steps.operand(op.input), op.axes.get_values(), op.epsilon.value.data)
        _scaled(steps, x, op.scale, None)


@formula(ops.HardmaxOp)
def hardmax(op: ops.HardmaxOp, steps: Steps) -> None:
    """The largest elements, if they are at the place of the first one."""
    axis, sizes = op.axis.value.data, shape_of(op.input)
    if not (steps.is_f32() and steps.is_static()):
        return
    kept = (*sizes[:axis], 1, *sizes[axis + 1 :])
    x, shape = steps.operand(op.input), [size if each == axis else 1 for each, size in enumerate(sizes)]
    dropped = (*sizes[:axis], *sizes[axis + 1 :])
    found = steps.add(reduction.ArgMaxOp, [x], dropped, {"axis": i64_attr(axis)}, i32)
    places = steps.constant(np.arange(sizes[axis], dtype=np.int32).reshape(shape), i32)
    is_first = steps.add(binary.EqualOp, [places, steps.reshape(found, kept)], sizes, element=i1)
    is_largest = steps.add(binary.EqualOp, [x, steps.reduce(reduction.ReduceMaxOp, x, [axis])], sizes, element=i1)
    steps.cast(steps.add(binary.AndOp, [is_largest, is_first], sizes, element=i1), steps.element)


@formula(ops.LpNormOp)
def lp_norm(op: ops.LpNormOp, steps: Steps) -> None:
    """x divided by its norm, or by 1 where that is 0."""
    if not steps.is_f32():
        return
    x, axes = steps.operand(op.input), [op.axis.value.data]
    if op.p.value.data == 1:
        norm = steps.reduce(reduction.ReduceSumOp, steps.unary(unary.AbsOp, x), axes)
    else:
        norm = steps.root(steps.reduce(reduction.ReduceSumOp, steps.times(x, x), axes))
    is_zero = steps.add(binary.EqualOp, [norm, steps.number(0)], shape_of(norm), element=i1)
    steps.over(x, steps.add(SelectOp, [is_zero, steps.number(1), norm], shape_of(norm)))


@formula(ops.InstanceNormOp)
def instance_norm(op: ops.InstanceNormOp, steps: Steps) -> None:
    if not steps.is_f32():
        return
    axis, rank = op.axis.value.data, len(steps.result)
    x = _normalised(steps, steps.operand(op.input), op.axes.get_values(), op.epsilon.value.data)
    steps.plus(steps.times(x, _along(steps, op.scale, axis, rank)), _along(steps, op.bias, axis, rank))


@formula(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, steps: Steps) -> None:
    """The channels are cut into groups, over which means are taken as well."""
    if not (steps.is_f32() and steps.is_static()):
        return
    axis, sizes, groups = op.axis.value.data, steps.result, op.groups.value.data
    cut = (*sizes[:axis], groups, sizes[axis] // groups, *sizes[axis + 1 :])
    axes = [axis + 1, *(each + (each > axis) for each in op.axes.get_values())]
    x = _normalised(steps, steps.reshape(steps.operand(op.input), cut), axes, op.epsilon.value.data)
    rank, whole = len(sizes), steps.reshape(x, sizes)
    steps.plus(steps.times(whole, _along(steps, op.scale, axis, rank)), _along(steps, op.bias, axis, rank))


@formula(ops.BatchNormOp)
def batch_norm(op: ops.BatchNormOp, steps: Steps) -> None:
    """One product and one sum, with factors that are computed in f64 and rounded once."""
    known = [steps.known(index) for index in range(1, 5)]
    if not steps.is_f32():
        return
    if any(each is None or each.dtype != np.float32 for each in known):
        if DYNAMIC not in shape_of(op.variance):
            _batch_norm_of_unknown(op, steps)
        return
    scale, bias, mean, variance = (np.asarray(each, np.float64).reshape(-1) for each in known)
    with np.errstate(all="ignore"):
        factor = scale / np.sqrt(variance + op.epsilon.value.data)
        shift = bias - mean * factor
    axis, rank = op.axis.value.data, len(steps.result)
    # The number of channels, which the type of the data need not say.
    shape = (*[1] * axis, factor.size, *[1] * (rank - axis - 1))
    parts = [steps.constant(each.astype(np.float32).reshape(shape), f32) for each in (factor, shift)]
    steps.plus(steps.times(steps.operand(op.input), parts[0]), parts[1])


def _batch_norm_of_unknown(op: ops.BatchNormOp, steps: Steps) -> None:
    """A batch norm with parameters that are not known: the factors are computed in steps."""
    parameters = [steps.operand(each) for each in op.operands[1:]]
    scale, bias, mean, variance = (steps.cast(each, f64) for each in parameters)
    epsilon = steps.constant(np.full(shape_of(variance), op.epsilon.value.data), f64)

    def wide(kind: type[NpuOp], *values: SSAValue) -> SSAValue:
        return steps.add(kind, values, shape_of(variance), element=f64)

    factor = wide(binary.DivOp, scale, wide(unary.SqrtOp, wide(binary.AddOp, variance, epsilon)))
    shift = wide(binary.SubOp, bias, wide(binary.MulOp, mean, factor))
    axis, rank = op.axis.value.data, len(steps.result)
    shape = (*[1] * axis, *shape_of(variance), *[1] * (rank - axis - 1))
    product = steps.times(steps.operand(op.input), steps.reshape(steps.cast(factor, f32), shape))
    steps.plus(product, steps.reshape(steps.cast(shift, f32), shape))
