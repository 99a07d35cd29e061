"""Samplers of elementwise ops of two operands."""

from npu_opt.dialects.npu import binary
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ..sample_source import (
    ANY,
    BOOLEANS,
    FLOATS,
    I1,
    INTEGERS,
    NUMBERS,
    POSITIVE,
    SMALL,
    Range,
    SampleSource,
    Want,
    fits,
    typed,
)
from ..samplers import like, made, sampler

COMPARISONS = (
    binary.EqualOp,
    binary.NotEqualOp,
    binary.LessOp,
    binary.LessEqualOp,
    binary.GreaterOp,
    binary.GreaterEqualOp,
)


def binary_op(
    op: type[NpuOp], samples: SampleSource, want: Want, rhs_values: Range | None = None, result: Attribute | None = None
) -> NpuOp | None:
    """An op of two operands: both full, or either with unit axes or one element."""
    full = samples.some(want)
    shape = list(shape_of(full))
    layout = layout_of(full)
    kind = samples.rng.random()
    if kind < 0.5:
        other, outcome = shape, shape
    elif kind < 0.8:
        # Unit axes on either side are repeated.
        other = [1 if samples.chance(0.4) else samples.rng.randint(2, 5) if size == 1 else size for size in shape]
        outcome = [max(pair) if 0 not in pair else 0 for pair in zip(shape, other, strict=True)]
    else:
        ranks = [0, 1, 2, len(shape)] if layout is None or not layout.cls.is_cnn else [0, 1, len(shape)]
        other, outcome = [1] * samples.one(ranks), shape
    if not fits(outcome):
        return None
    other_layout = layout if len(other) == len(shape) else samples.tensor_layout(len(other))
    values = rhs_values or want.values
    second = samples.given(typed(element_type_of(full), tuple(other), other_layout), values, want.steady)
    pair = [full, second]
    if rhs_values is None and samples.chance(0.3):
        pair.reverse()
    return made(op, pair, [like(full, outcome, result)])


@sampler(binary.AddOp, binary.SubOp, binary.MulOp, binary.MaxOp, binary.MinOp, binary.PreluOp)
def _arithmetic(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    return binary_op(op, samples, Want(NUMBERS))


@sampler(binary.DivOp)
def _division(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    if samples.chance(0.3):
        return binary_op(op, samples, Want(INTEGERS))
    return binary_op(op, samples, Want(FLOATS), POSITIVE)


@sampler(binary.ModOp)
def _remainder(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    remainder = binary_op(op, samples, Want(INTEGERS))
    if remainder is not None and samples.chance(0.5):
        remainder.properties["sign"] = StringAttr(samples.one(("lhs", "rhs")))
    return remainder


@sampler(binary.PowOp)
def _power(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    return binary_op(op, samples, Want(FLOATS, values=POSITIVE), SMALL)


@sampler(binary.AndOp, binary.OrOp, binary.XorOp)
def _logic(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    return binary_op(op, samples, Want((*INTEGERS, *BOOLEANS * 4)))


@sampler(*COMPARISONS)
def _comparison(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    return binary_op(op, samples, Want(ANY, steady=True), result=I1)
