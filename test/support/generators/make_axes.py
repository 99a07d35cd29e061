"""Makers of ops along axes: normalisations, softmax, reductions and running sums."""

from collections.abc import Sequence

from npu_opt.dialects.npu import normalization, reduction
from npu_opt.dialects.npu.base import NpuOp, element_type_of, layout_of, shape_of
from npu_opt.layout import MAX_RANK, Layout, LayoutClass, order_of
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from .make_convolution import single
from .makers import like, made, maker
from .supply import FLOATS, I32, I64, NUMBERS, POSITIVE, Range, Supply, Want, typed

SOME_RANK = (1, 2, 2, 3, 3, 4, 4, 4, 5, 6)

FLOAT_REDUCTIONS = (reduction.ReduceMeanOp, reduction.ReduceL2Op, reduction.ReduceLogSumExpOp)
REDUCTIONS = (
    reduction.ReduceSumOp,
    reduction.ReduceMaxOp,
    reduction.ReduceMinOp,
    reduction.ReduceProdOp,
    reduction.ReduceL1Op,
    reduction.ReduceSumSquareOp,
)


def _input(supply: Supply) -> tuple[SSAValue, int]:
    value = supply.some(Want(FLOATS, SOME_RANK))
    return value, len(shape_of(value))


def _epsilon(supply: Supply) -> float | None:
    return supply.one((None, None, 1e-3, 0.25))


@maker(normalization.SoftmaxOp, normalization.LogSoftmaxOp)
def _softmax(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axis=supply.rng.randrange(rank))


@maker(normalization.LpNormOp)
def _lp_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axis=supply.rng.randrange(rank), p=supply.one((None, 1, 2)))


@maker(normalization.TensorNormOp)
def _tensor_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axes=supply.subset(range(rank), 1), epsilon=_epsilon(supply))


def _repeated(supply: Supply, x: SSAValue, axes: Sequence[int]) -> SSAValue | None:
    """A scale or bias of the input's rank, or of one element, or none."""
    kind = supply.rng.random()
    if kind < 0.25:
        return None
    if kind < 0.4:
        return single(supply, element_type_of(x))
    everywhere = supply.chance(0.3)
    shape = [size if axis in axes or everywhere or supply.chance(0.2) else 1 for axis, size in enumerate(shape_of(x))]
    return supply.given(like(x, shape))


@maker(normalization.LayerNormOp)
def _layer_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axes = supply.subset(range(rank), 1)
    operands = [x, _repeated(supply, x, axes), _repeated(supply, x, axes)]
    return made(op, operands, [like(x)], axes=axes, epsilon=_epsilon(supply))


@maker(normalization.RmsNormOp)
def _rms_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axes = supply.subset(range(rank), 1)
    return made(op, [x, _repeated(supply, x, axes)], [like(x)], axes=axes, epsilon=_epsilon(supply))


def _vectors(supply: Supply, x: SSAValue, axis: int, values: Sequence[Range | None]) -> list[SSAValue]:
    type_ = typed(element_type_of(x), (shape_of(x)[axis],), supply.tensor_layout(1))
    return [supply.given(type_, each) for each in values]


@maker(normalization.BatchNormOp)
def _batch_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axis = supply.rng.randrange(rank)
    vectors = _vectors(supply, x, axis, (None, None, None, POSITIVE))
    return made(op, [x, *vectors], [like(x)], axis=axis, epsilon=_epsilon(supply))


@maker(normalization.InstanceNormOp)
def _instance_norm(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x, rank = _input(supply)
    if rank < 2:
        return None
    axis, *others = supply.rng.sample(range(rank), rank)
    operands = [x, *_vectors(supply, x, axis, (None, None))]
    return made(op, operands, [like(x)], axis=axis, axes=supply.subset(others, 1), epsilon=_epsilon(supply))


@maker(normalization.GroupNormOp)
def _group_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axis, *others = supply.rng.sample(range(rank), rank)
    channels = shape_of(x)[axis]
    groups = supply.one([each for each in (1, 2, 3, channels) if each and channels % each == 0])
    operands = [x, *_vectors(supply, x, axis, (None, None))]
    epsilon = _epsilon(supply)
    return made(op, operands, [like(x)], groups=groups, axis=axis, axes=supply.subset(others), epsilon=epsilon)


def reduced_type(
    supply: Supply, x: SSAValue, axes: Sequence[int], keep: bool, element: Attribute | None = None
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
    cls = LayoutClass.NTENSOR if 3 <= len(left) <= MAX_RANK and supply.chance(0.3) else LayoutClass.TENSOR
    return typed(chosen, sizes, Layout(cls, order_of([order[axis] for axis in left])))


@maker(*REDUCTIONS, *FLOAT_REDUCTIONS)
def _reduction(op: type[NpuOp], supply: Supply) -> NpuOp:
    elements = FLOATS if op in FLOAT_REDUCTIONS else NUMBERS
    x = supply.some(Want(elements, SOME_RANK))
    axes, keep = supply.subset(range(len(shape_of(x))), 1), supply.chance(0.5)
    return made(op, [x], [reduced_type(supply, x, axes, keep)], axes=axes, keep=keep)


@maker(reduction.ArgMaxOp, reduction.ArgMinOp)
def _position(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = supply.some(Want(NUMBERS, SOME_RANK, steady=True))
    axis, keep = supply.rng.randrange(len(shape_of(x))), supply.chance(0.5)
    if shape_of(x)[axis] == 0:
        return None
    element = supply.element((I32, I64))
    return made(op, [x], [reduced_type(supply, x, [axis], keep, element)], axis=axis, keep=keep)


@maker(reduction.CumsumOp)
def _cumsum(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = supply.some(Want(NUMBERS, SOME_RANK))
    axis = supply.rng.randrange(len(shape_of(x)))
    return made(op, [x], [like(x)], axis=axis, exclusive=supply.chance(0.5), reverse=supply.chance(0.5))
