"""Quantised ops as the steps that the stages of a target run."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.npu.base import NpuOp
from ..dialects.npu.quantized import SteppedOp
from ..dialects.npu.shape import ViewOp
from ..targets import Target, load
from .common.same_meaning import PreservesMeaning


@dataclass(frozen=True)
class SplitQuantised(PreservesMeaning, ModulePass):
    """Write quantised convolutions and matrix products as the steps that the stages of a target run.

    `npu.quant_conv2d`, `npu.quant_gemm` and `npu.quant_matmul` are each a sum of products of integers, a bias, and a
    requantisation. Hardware does these in several stages of one pass, where other ops may come before the requantised
    numbers are written. The steps compute the same bits, in the same layouts. An op is split if the target has a stage
    for each of its steps; `fuse-ops-hw` puts them into one group.
    """

    name = "split-quantised"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = load(self.target)
        for whole in [each for each in op.walk() if isinstance(each, SteppedOp)]:
            steps = whole.steps(whole.operands)
            if all(_has_stage(step, target) for step in steps):
                _replace(whole, steps)
            else:
                _drop(steps)


def _has_stage(step: NpuOp, target: Target) -> bool:
    return isinstance(step, ViewOp) or bool(target.stages_running(step.name))


def _replace(whole: SteppedOp, steps: Sequence[NpuOp]) -> None:
    """Put the steps in place of the op; the last one has its attributes and its name."""
    for step in steps:
        step.location = whole.location
    steps[-1].attributes.update(whole.attributes)
    Rewriter.insert_op(steps, InsertPoint.before(whole))
    Rewriter.replace_op(whole, (), [steps[-1].results[0]])


def _drop(steps: Sequence[Operation]) -> None:
    for step in reversed(steps):
        step.erase()
