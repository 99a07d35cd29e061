"""Samplers of reductions and running sums."""

from collections.abc import Sequence

from npu_opt.dialects.npu import reduction
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.layout import MAX_RANK, Layout, LayoutClass, order_from_keys
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ..sample_source import FLOATS, I32, I64, NUMBERS, SOME_RANK, SampleSource, Want, typed
from ..samplers import like, made, sampler

FLOAT_REDUCTIONS = (reduction.ReduceMeanOp, reduction.ReduceL2Op, reduction.ReduceLogSumExpOp)

REDUCTIONS = (
    reduction.ReduceSumOp,
    reduction.ReduceMaxOp,
    reduction.ReduceMinOp,
    reduction.ReduceProdOp,
    reduction.ReduceL1Op,
    reduction.ReduceSumSquareOp,
)


def reduced_type(
    samples: SampleSource, x: SSAValue, axes: Sequence[int], keep: bool, element: Attribute | None = None
) -> TensorType:
    """The type of the result of a reduction."""
    shape = shape_of(x)
    chosen = element_type_of(x) if element is None else element
    if keep:
        return typed(chosen, tuple(1 if axis in axes else size for axis, size in enumerate(shape)), layout_of(x))
    left = [axis for axis in range(len(shape)) if axis not in axes]
    sizes = tuple(shape[axis] for axis in left)
    known = layout_of(x)
    if known is None:
        return typed(chosen, sizes, None)
    order = known.order_for(len(shape))
    cls = LayoutClass.NTENSOR if 3 <= len(left) <= MAX_RANK and samples.chance(0.3) else LayoutClass.TENSOR
    return typed(chosen, sizes, Layout(cls, order_from_keys([order[axis] for axis in left])))


@sampler(*REDUCTIONS, *FLOAT_REDUCTIONS)
def _reduction(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    elements = FLOATS if op in FLOAT_REDUCTIONS else NUMBERS
    x = samples.some(Want(elements, SOME_RANK))
    axes, keep = samples.subset(range(len(shape_of(x))), 1), samples.chance(0.5)
    return made(op, [x], [reduced_type(samples, x, axes, keep)], axes=axes, keep=keep)


@sampler(reduction.ArgMaxOp, reduction.ArgMinOp)
def _position(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(NUMBERS, SOME_RANK, steady=True))
    axis, keep = samples.rng.randrange(len(shape_of(x))), samples.chance(0.5)
    if shape_of(x)[axis] == 0:
        return None
    element = samples.element((I32, I64))
    return made(op, [x], [reduced_type(samples, x, [axis], keep, element)], axis=axis, keep=keep)


@sampler(reduction.CumsumOp, reduction.CumprodOp)
def _running(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(NUMBERS, SOME_RANK))
    axis = samples.rng.randrange(len(shape_of(x)))
    return made(op, [x], [like(x)], axis=axis, exclusive=samples.chance(0.5), reverse=samples.chance(0.5))
