"""Reductions."""

from xdsl.ir import SSAValue

from ...dialects.npu import binary, unary
from ...dialects.npu import reduction as ops
from ...dialects.npu.values import shape_of
from .registry import formula
from .steps import Steps


@formula(ops.ReduceL1Op)
def l1(op: ops.ReduceL1Op, steps: Steps) -> None:
    if steps.is_f32():
        _sum(op, steps, steps.unary(unary.AbsOp, steps.operand(op.input)))


@formula(ops.ReduceL2Op, ops.ReduceSumSquareOp)
def squares(op: ops.ReduceOp, steps: Steps) -> None:
    if not steps.is_f32():
        return
    x = steps.operand(op.input)
    total = _sum(op, steps, steps.times(x, x))
    if isinstance(op, ops.ReduceL2Op):
        steps.root(total)


def _sum(op: ops.ReduceOp, steps: Steps, x: SSAValue) -> SSAValue:
    return steps.reduce(ops.ReduceSumOp, x, op.axes.get_values(), op.keep is not None)


@formula(ops.ReduceLogSumExpOp)
def log_sum_exp(op: ops.ReduceLogSumExpOp, steps: Steps) -> None:
    """The maximum is subtracted first."""
    if not steps.is_f32() or 0 in shape_of(op.input):
        return
    x, axes = steps.operand(op.input), op.axes.get_values()
    top = steps.reduce(ops.ReduceMaxOp, x, axes)
    total = steps.reduce(ops.ReduceSumOp, steps.unary(unary.ExpOp, steps.minus(x, top)), axes)
    steps.reshape(steps.binary(binary.AddOp, steps.unary(unary.LogOp, total), top), steps.result)


@formula(ops.ArgMaxOp, ops.ArgMinOp)
def arg_reduced(op: ops.ArgReduceOp, steps: Steps) -> None:
    """The axis is dropped, and added by a reshape."""
    if op.keep is None or not steps.is_static():
        return
    axis = op.axis.value.data
    sizes = tuple(size for place, size in enumerate(steps.result) if place != axis)
    properties = {name: value for name, value in op.properties.items() if name != "keep"}
    steps.reshape(steps.add(type(op), [steps.operand(op.input)], sizes, properties), steps.result)
