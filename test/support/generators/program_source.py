"""Operands of random programs: the values that the program has computed so far.

Each value has two properties, which keep the results of equivalent programs comparable. *Spread* is the approximate
magnitude of its numbers; a value that is too large is scaled by a power of two. *Noisy* floats depend on the order of
additions; ops that amplify small differences, such as rounding, do not use them.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil, exp, log2, prod, sqrt
from random import Random
from typing import Any, ClassVar, TypeAlias

from npu_opt.dialects.npu import (
    activations,
    binary,
    convolution,
    linear,
    movement,
    normalization,
    reduction,
    shape,
    unary,
)
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.elementwise import CastOp, CompareOp, SelectOp
from npu_opt.dialects.npu.quantization import DequantizeOp, QuantizeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, is_float, layout_of, shape_of, tensor_type
from npu_opt.interpreter.elements import is_integer_type
from npu_opt.layout import Layout, carry, identity, permute, unpermute
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from .ops.shape import reshaped
from .ops.source import packed_number, random_constant
from .sample_source import I1, I8, I32, I64, UI8, Elements, Range, SampleSource, Want, class_ranks, typed
from .samplers import like, made

RECENT = 24
"""Half of the operands are among this many of the last values, so that programs are deep as well as wide."""
MOST_TRIES = 10
LARGEST_SPREAD = 64.0
SATURATING = (
    unary.SinOp,
    unary.CosOp,
    unary.TanhOp,
    unary.ErfOp,
    unary.SignOp,
    activations.SigmoidOp,
    activations.HardSigmoidOp,
    activations.SoftsignOp,
    normalization.SoftmaxOp,
    normalization.LpNormOp,
)
STEADY = (
    movement.MovementOp,
    movement.GatherOp,
    shape.ShapeOp,
    SelectOp,
    CompareOp,
    unary.NegOp,
    unary.AbsOp,
    activations.ReluOp,
    activations.ClipOp,
    binary.AddOp,
    binary.SubOp,
    binary.MulOp,
    binary.MaxOp,
    binary.MinOp,
    reduction.ReduceMaxOp,
    reduction.ReduceMinOp,
)
"""Ops that add no noise to that of their operands."""


class ProgramSource(SampleSource):
    """The values of a function under construction."""

    NO_ELEMENTS: ClassVar[float] = 0.002
    IS_OF_ONE_OP: ClassVar[bool] = False

    def __init__(self, rng: Random, coloured: bool, floats: Attribute, most_arguments: int):
        super().__init__(rng, coloured)
        self.block = Block()
        self.values: list[SSAValue] = []
        self.count = 0
        """The number of ops."""
        self._by_type: dict[Attribute, list[SSAValue]] = {}
        self._spread: dict[SSAValue, float] = {}
        self._noisy: dict[SSAValue, bool] = {}
        self._floats = floats
        self._most_arguments = most_arguments

    # Operands.

    def element(self, elements: Elements) -> Attribute:
        """Programs have floats of one type, and integers as in ONNX models."""
        chosen = self.one(elements)
        if is_float(chosen):
            return self._floats
        usual = [element for element in (I32, I64, I8, UI8, I1) if element in elements]
        return chosen if chosen in usual else self.one(usual)

    def some(self, want: Want) -> SSAValue:
        value = self._found(want) or self._adapted(want) or self.given(self.type_for(want), want.values)
        return self._within(value, want.values) if want.values else value

    def given(self, type_: TensorType, values: Range | None = None, steady: bool = False) -> SSAValue:
        known = self._by_type.get(type_, ())
        # Integers within a range are positions, which only a constant is sure to be.
        if known and self.chance(0.85) and (values is None or is_float(type_.get_element_type())):
            value = self.one(known)
            if not (steady and self._noisy[value]):
                return self._within(value, values) if values else value
        if values is None and len(self.block.args) < self._most_arguments and self.chance(0.5):
            return self.argument(type_)
        self.emit(constant := random_constant(self, type_, values))
        return constant.result

    def argument(self, type_: TensorType) -> SSAValue:
        """A new argument of the function."""
        value = self.block.insert_arg(type_, len(self.block.args))
        self._enter(value, integer_spread(type_.get_element_type()), noisy=False)
        return value

    def any_value(self) -> SSAValue | None:
        """A value, more likely a recent one."""
        if not self.values:
            return None
        return self.one(self.values[-RECENT:]) if self.chance(0.5) else self.one(self.values)

    def _found(self, want: Want) -> SSAValue | None:
        for _ in range(MOST_TRIES):
            value = self.any_value()
            # Networks compute with constants, but hardly ever with constants alone.
            if value is None or (isinstance(value.owner, ConstantOp) and self.chance(0.9)):
                continue
            if self._suits(value, want):
                return value
        return None

    def _suits(self, value: SSAValue, want: Want) -> bool:
        rank, layout = len(shape_of(value)), layout_of(value)
        if element_type_of(value) not in want.elements or rank not in want.ranks:
            return False
        if want.steady and self._noisy[value]:
            return False
        if layout is None:
            return True
        if layout.cls not in want.classes:
            return False
        return not want.matrices or set(layout.order_for(rank)[-2:]) == {rank - 2, rank - 1}

    def _adapted(self, want: Want) -> SSAValue | None:
        """A value with suitable elements, reshaped and relabelled to meet the constraints."""
        value = self._found(Want(want.elements, range(7), steady=want.steady))
        if value is None or self.chance(0.3):
            return None
        if len(shape_of(value)) not in want.ranks:
            value = self._reshaped(value, self.one(want.ranks))
        if value is None or self._suits(value, want):
            return value
        rank = len(shape_of(value))
        classes = [cls for cls in want.classes if rank in class_ranks(cls)]
        if not self.coloured or not classes:
            return None
        order = identity(rank) if want.matrices or not self.one(classes).is_cnn else self.order(rank)
        result = typed(element_type_of(value), shape_of(value), Layout(self.one(classes), order))
        return self._emitted(made(shape.RelabelOp, [value], [result]))

    def _reshaped(self, value: SSAValue, rank: int) -> SSAValue | None:
        layout = layout_of(value)
        order = identity(len(shape_of(value))) if layout is None else layout.order_for(len(shape_of(value)))
        logical = unpermute(shape_of(value), order)
        target = reshaped(self, logical, max(rank, 1))
        target = (1,) * (rank - len(target)) + target
        if len(target) != rank:
            return None
        carried = identity(rank) if layout is None else carry(order, logical, target)
        if carried is None:
            return None
        if layout is not None:
            cls = layout.cls if rank in class_ranks(layout.cls) and not layout.cls.is_cnn else None
            tensor = self.tensor_layout(rank, cls)
            layout = None if tensor is None else tensor.with_order(carried)
        result = typed(element_type_of(value), permute(target, carried), layout)
        return self._emitted(made(shape.ReshapeOp, [value], [result]))

    def _within(self, value: SSAValue, values: Range) -> SSAValue:
        if not is_float(element_type_of(value)):
            return value
        return self._emitted(
            made(activations.ClipOp, [value], [like(value)], min=float(values.low), max=float(values.high))
        )

    # Ops.

    def emit(self, op: Operation, noisy: bool | None = None) -> None:
        """Append an op and add its results."""
        self.block.add_op(op)
        self.count += 1
        if noisy is None:
            noisy = not is_steady(type(op)) or any(self._noisy[operand] for operand in op.operands)
        spread = min(spread_of(op, [self._spread[operand] for operand in op.operands]), 1e30)
        for result in op.results:
            if is_float(element_type_of(result)):
                self._enter(self._scaled(result, spread), min(spread, LARGEST_SPREAD), noisy)
            else:
                self._enter(result, integer_spread(element_type_of(result)), noisy=False)

    def _emitted(self, op: NpuOp) -> SSAValue:
        self.emit(op)
        return self.values[-1]

    def _enter(self, value: SSAValue, spread: float, noisy: bool) -> None:
        self.values.append(value)
        self._by_type.setdefault(value.type, []).append(value)
        self._spread[value] = spread
        self._noisy[value] = noisy

    def _scaled(self, value: SSAValue, spread: float) -> SSAValue:
        if spread <= LARGEST_SPREAD:
            return value
        type_ = typed(element_type_of(value), (), self.tensor_layout(0))
        factor = ConstantOp(packed_number(2.0 ** -ceil(log2(spread)), type_))
        scaled = made(binary.MulOp, [value, factor.result], [tensor_type(value)])
        self.block.add_ops([factor, scaled])
        self.count += 2
        return scaled.results[0]


def integer_spread(element: Attribute) -> float:
    """The largest magnitude of an integer type, since integers may wrap at any time; 1 for floats and booleans."""
    return 2.0 ** (element.bitwidth - 1) if is_integer_type(element) else 1.0


@cache
def is_steady(kind: type[Operation]) -> bool:
    """True for ops that add no noise to that of their operands."""
    return issubclass(kind, (*STEADY, ConstantOp))


def spread_of(op: Operation, spreads: Sequence[float]) -> float:
    """The approximate magnitude of the results, given that of the operands."""
    return _rule(type(op))(op, spreads)


@cache
def _rule(kind: type[Operation]) -> "Rule":
    """The first rule for ops of a class. Asking each op for its class would take longer than making it."""
    return next((rule for kinds, rule in RULES if issubclass(kind, kinds)), _floats)


def _floats(op: Operation, spreads: Sequence[float]) -> float:
    # Integers beside floats are places and lengths.
    floats = [spread for value, spread in zip(op.operands, spreads, strict=True) if is_float(element_type_of(value))]
    return max(floats, default=_largest(op, spreads))


def _largest(_: Operation, spreads: Sequence[float]) -> float:
    return max(spreads, default=1.0)


def _converted(op: Operation, spreads: Sequence[float]) -> float:
    return (_floats if is_float(element_type_of(op.operands[0])) else _largest)(op, spreads)


def _clipped(op: activations.ClipOp, spreads: Sequence[float]) -> float:
    bounds = [abs(bound.value.data) for bound in (op.min, op.max) if bound is not None]
    return max(bounds) if len(bounds) == 2 else _largest(op, spreads)


def _multiplied(op: linear.LinearOp, spreads: Sequence[float]) -> float:
    return _added_up(spreads, _inner(op))


def _convolved(op: convolution.ConvolutionOp, spreads: Sequence[float]) -> float:
    return _added_up(spreads, prod(shape_of(op.operands[1])) or 1)


def _added_up(spreads: Sequence[float], count: int) -> float:
    return spreads[0] * spreads[1] * sqrt(count) + (spreads[2] if len(spreads) > 2 else 0)


def _normalized(_: Operation, spreads: Sequence[float]) -> float:
    return 3 * prod(max(spread, 1.0) for spread in spreads[1:]) * max(1.0, spreads[0] ** 0.5)


def _summed_up(op: reduction.CumsumOp, spreads: Sequence[float]) -> float:
    return _largest(op, spreads) * sqrt(max(shape_of(op.input)[op.axis.value.data], 1))


def _inner(op: linear.LinearOp) -> int:
    return max(shape_of(op.lhs)[-1 if op.trans_a is None else -2], 1)


def _reduced(op: reduction.AxisReductionOp, spreads: Sequence[float]) -> float:
    spread = _largest(op, spreads)
    count = max(prod(shape_of(op.input)[axis] for axis in op.replaced()), 1)
    match op:
        case reduction.ReduceSumOp() | reduction.ReduceL2Op():
            return spread * sqrt(count)
        case reduction.ReduceL1Op():
            return spread * count
        case reduction.ReduceSumSquareOp():
            return spread * spread * count
        case reduction.ReduceProdOp():
            return spread ** min(count, 16)
        case reduction.ReduceLogSumExpOp():
            return spread + log2(count + 1)
        case _:
            return spread


Rule: TypeAlias = Callable[[Any, Sequence[float]], float]
RULES: Sequence[tuple[tuple[type[Operation], ...], Rule]] = (
    ((CastOp, DequantizeOp), _converted),
    ((QuantizeOp, unary.RoundOp), _largest),
    ((activations.ClipOp,), _clipped),
    ((unary.ExpOp,), lambda op, spreads: exp(min(_largest(op, spreads), 1.5))),
    ((binary.AddOp, binary.SubOp), lambda _, spreads: sum(spreads)),
    ((binary.MulOp, binary.PreluOp), lambda _, spreads: prod(spreads)),
    ((binary.DivOp, unary.RsqrtOp, unary.ReciprocalOp), lambda op, spreads: 2 * _largest(op, spreads)),
    ((binary.PowOp,), lambda _op, _spreads: 4.0),
    ((linear.LinearOp,), _multiplied),
    ((convolution.ConvolutionOp,), _convolved),
    (SATURATING, lambda _op, _spreads: 1.0),
    ((normalization.NormalizationOp,), _normalized),
    ((reduction.AxisReductionOp,), _reduced),
    ((reduction.CumsumOp,), _summed_up),
)
"""Ops, and the magnitude of their results. That of all others is the largest one of their floats."""
