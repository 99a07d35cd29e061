"""Makers of elementwise ops."""

from npu_opt.dialects.npu import activations, binary, elementwise, unary
from npu_opt.dialects.npu.base import NpuOp, element_type_of, layout_of, shape_of
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from .makers import like, made, maker
from .supply import ANY, BOOLEANS, FLOATS, I1, INTEGERS, NUMBERS, POSITIVE, SMALL, Range, Supply, Want, fits, typed

SMOOTH = (unary.SinOp, unary.CosOp, unary.TanhOp, unary.ErfOp)
ACTIVATIONS = (
    activations.SeluOp,
    activations.SigmoidOp,
    activations.SiluOp,
    activations.HardSwishOp,
    activations.MishOp,
    activations.SoftplusOp,
    activations.SoftsignOp,
)
COMPARISONS = (
    binary.EqualOp,
    binary.NotEqualOp,
    binary.LessOp,
    binary.LessEqualOp,
    binary.GreaterOp,
    binary.GreaterEqualOp,
)


def unary_op(op: type[NpuOp], supply: Supply, want: Want, **properties: float | str | None) -> NpuOp:
    """An op of one operand with a result of its type."""
    operand = supply.some(want)
    return made(op, [operand], [like(operand)], **properties)


@maker(*SMOOTH, *ACTIVATIONS)
def _float(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS))


@maker(unary.ExpOp)
def _exponential(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, values=SMALL))


@maker(unary.LogOp, unary.SqrtOp, unary.RsqrtOp, unary.ReciprocalOp)
def _of_positive(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, values=POSITIVE))


@maker(unary.CeilOp, unary.FloorOp, unary.RoundOp)
def _rounding(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, steady=True))


@maker(unary.AbsOp, unary.NegOp, activations.ReluOp)
def _number(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(NUMBERS))


@maker(unary.SignOp)
def _sign(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(NUMBERS, steady=True))


@maker(unary.NotOp)
def _not(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want((*INTEGERS, *BOOLEANS * 4)))


@maker(activations.LeakyReluOp, activations.EluOp)
def _alpha(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS), alpha=supply.one((None, 0.125, 0.5)))


@maker(activations.HardSigmoidOp)
def _hard_sigmoid(op: type[NpuOp], supply: Supply) -> NpuOp:
    alpha, beta = supply.one((None, 0.25)), supply.one((None, 0.375))
    return unary_op(op, supply, Want(FLOATS), alpha=alpha, beta=beta)


@maker(activations.GeluOp)
def _gelu(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS), approximate=supply.one((None, "tanh")))


@maker(activations.ClipOp)
def _clip(op: type[NpuOp], supply: Supply) -> NpuOp:
    low, high = supply.one(((None, 1.0), (-1.0, None), (-1.0, 2.0), (0.0, 6.0)))
    return unary_op(op, supply, Want(NUMBERS), min=low, max=high)


@maker(elementwise.CastOp)
def _cast(op: type[NpuOp], supply: Supply) -> NpuOp:
    operand = supply.some(Want(ANY, steady=True))
    return made(op, [operand], [like(operand, element=supply.element(ANY))])


def binary_op(
    op: type[NpuOp], supply: Supply, want: Want, rhs_values: Range | None = None, result: Attribute | None = None
) -> NpuOp | None:
    """An op of two operands: both full, or either with unit axes or one element."""
    full = supply.some(want)
    shape = list(shape_of(full))
    layout = layout_of(full)
    kind = supply.rng.random()
    if kind < 0.5:
        other, outcome = shape, shape
    elif kind < 0.8:
        # Unit axes on either side are repeated.
        other = [1 if supply.chance(0.4) else supply.rng.randint(2, 5) if size == 1 else size for size in shape]
        outcome = [max(pair) if 0 not in pair else 0 for pair in zip(shape, other, strict=True)]
    else:
        ranks = [0, 1, 2, len(shape)] if layout is None or not layout.cls.is_cnn else [0, 1, len(shape)]
        other, outcome = [1] * supply.one(ranks), shape
    if not fits(outcome):
        return None
    other_layout = layout if len(other) == len(shape) else supply.tensor_layout(len(other))
    values = rhs_values or want.values
    second = supply.given(typed(element_type_of(full), tuple(other), other_layout), values, want.steady)
    pair = [full, second]
    if rhs_values is None and supply.chance(0.3):
        pair.reverse()
    return made(op, pair, [like(full, outcome, result)])


@maker(binary.AddOp, binary.SubOp, binary.MulOp, binary.MaxOp, binary.MinOp, binary.PreluOp)
def _arithmetic(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    return binary_op(op, supply, Want(NUMBERS))


@maker(binary.DivOp)
def _division(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    if supply.chance(0.3):
        return binary_op(op, supply, Want(INTEGERS))
    return binary_op(op, supply, Want(FLOATS), POSITIVE)


@maker(binary.ModOp)
def _remainder(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    remainder = binary_op(op, supply, Want(INTEGERS))
    if remainder is not None and supply.chance(0.5):
        remainder.properties["sign"] = StringAttr(supply.one(("lhs", "rhs")))
    return remainder


@maker(binary.PowOp)
def _power(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    return binary_op(op, supply, Want(FLOATS, values=POSITIVE), SMALL)


@maker(binary.AndOp, binary.OrOp, binary.XorOp)
def _logic(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    return binary_op(op, supply, Want((*INTEGERS, *BOOLEANS * 4)))


@maker(*COMPARISONS)
def _comparison(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    return binary_op(op, supply, Want(ANY, steady=True), result=I1)


@maker(elementwise.SelectOp)
def _select(op: type[NpuOp], supply: Supply) -> NpuOp:
    full = supply.some(Want(ANY))
    shape, layout = shape_of(full), layout_of(full)
    repeated = tuple(1 if supply.chance(0.3) else size for size in shape)
    condition = supply.given(typed(I1, supply.one((shape, shape, repeated)), layout))
    one = typed(element_type_of(full), (), supply.tensor_layout(0))
    other = supply.given(supply.one((like(full), like(full, repeated), one)))
    choices = [full, other]
    supply.rng.shuffle(choices)
    return made(op, [condition, *choices], [like(full)])
