"""Scalar arithmetic as Python expressions that build ops at the bindings' insertion point.

A scalar has an element type, which selects the float, signed or unsigned op of `a / b`. Python numbers become constants
of that type. Integers wrap. Division by zero and casts are defined as for npu ops, where MLIR's ops are undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..bindings import Attribute, Value, arith, ir, linalg, math, tensor
from .elements import BOOL, F32, F64, I32, I64, U64, Element

Operand: TypeAlias = "Scalar | float"
"""A scalar or a Python number."""


def predicate(number: int) -> Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


_FLOAT_ORDER = {"==": 1, ">": 2, ">=": 3, "<": 4, "<=": 5, "!=": 13}
_SIGNED_ORDER = {"==": 0, "!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
_UNSIGNED_ORDER = {"==": 0, "!=": 1, "<": 6, "<=": 7, ">": 8, ">=": 9}
"""The numbers of arith's predicates. Comparisons with NaN are false, except `!=`."""


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A scalar SSA value."""

    value: Value
    element: Element

    # --- arithmetic

    def __add__(self, other: Operand) -> Scalar:
        return self._with(other, arith.addf, arith.addi)

    def __sub__(self, other: Operand) -> Scalar:
        return self._with(other, arith.subf, arith.subi)

    def __mul__(self, other: Operand) -> Scalar:
        return self._with(other, arith.mulf, arith.muli)

    def __radd__(self, other: float) -> Scalar:
        return self._like(other) + self

    def __rsub__(self, other: float) -> Scalar:
        return self._like(other) - self

    def __rmul__(self, other: float) -> Scalar:
        return self._like(other) * self

    def __rtruediv__(self, other: float) -> Scalar:
        return self._like(other) / self

    def __neg__(self) -> Scalar:
        # Not 0 - x, which is +0.0 for x = 0.0.
        return self._made(arith.negf(self.value)) if self.element.is_float else self._like(0) - self

    def __truediv__(self, other: Operand) -> Scalar:
        """Integers are truncated toward zero; division by zero is zero."""
        divisor = self._like(other)
        if self.element.is_float:
            return self._made(arith.divf(self.value, divisor.value))
        if self.element.kind == "u":
            return self._unless_zero(divisor, arith.divui)
        # The least integer divided by -1 overflows, which traps.
        is_minus_one = divisor == -1
        quotient = self._unless_zero(select(is_minus_one, self._like(1), divisor), arith.divsi)
        return select(is_minus_one, -self, quotient)

    def remainder(self, divisor: Scalar) -> Scalar:
        """The remainder of truncating division; integers modulo zero are zero."""
        if self.element.is_float:
            return self._made(arith.remf(self.value, divisor.value))
        if self.element.kind == "u":
            return self._unless_zero(divisor, arith.remui)
        return self._unless_zero(select(divisor == -1, self._like(1), divisor), arith.remsi)

    def _unless_zero(self, divisor: Scalar, divide: Callable[[Value, Value], Value]) -> Scalar:
        is_zero = divisor == 0
        result = self._made(divide(self.value, select(is_zero, self._like(1), divisor).value))
        return select(is_zero, self._like(0), result)

    # --- comparison and bits

    def __eq__(self, other: object) -> Scalar:  # pyright: ignore[reportIncompatibleMethodOverride]  # Builds an op.
        assert isinstance(other, Scalar | int | float)
        return self._compared("==", other)

    def __ne__(self, other: object) -> Scalar:  # pyright: ignore[reportIncompatibleMethodOverride]  # Builds an op.
        assert isinstance(other, Scalar | int | float)
        return self._compared("!=", other)

    def __lt__(self, other: Operand) -> Scalar:
        return self._compared("<", other)

    def __le__(self, other: Operand) -> Scalar:
        return self._compared("<=", other)

    def __gt__(self, other: Operand) -> Scalar:
        return self._compared(">", other)

    def __ge__(self, other: Operand) -> Scalar:
        return self._compared(">=", other)

    def __and__(self, other: Operand) -> Scalar:
        return self._with(other, None, arith.andi)

    def __or__(self, other: Operand) -> Scalar:
        return self._with(other, None, arith.ori)

    def __xor__(self, other: Operand) -> Scalar:
        return self._with(other, None, arith.xori)

    def __invert__(self) -> Scalar:
        return self ^ -1

    def half(self) -> Scalar:
        """An integer shifted to the right by one bit, with zeros shifted in."""
        return self._made(arith.shrui(self.value, self._like(1).value))

    def _compared(self, order: str, other: Operand) -> Scalar:
        value = self._like(other).value
        if self.element.is_float:
            return Scalar(arith.cmpf(predicate(_FLOAT_ORDER[order]), self.value, value), BOOL)
        table = _SIGNED_ORDER if self.element.kind == "i" else _UNSIGNED_ORDER
        return Scalar(arith.cmpi(predicate(table[order]), self.value, value), BOOL)

    # --- functions

    def maximum(self, other: Operand) -> Scalar:
        """The maximum; NaN propagates."""
        return self._with(other, arith.maximumf, arith.maxsi if self.element.kind == "i" else arith.maxui)

    def minimum(self, other: Operand) -> Scalar:
        """The minimum; NaN propagates."""
        return self._with(other, arith.minimumf, arith.minsi if self.element.kind == "i" else arith.minui)

    def function(self, build: Callable[[Value], Value]) -> Scalar:
        """A function of MLIR's math dialect."""
        return self._made(build(self.value))

    def abs(self) -> Scalar:
        if self.element.is_float:
            return self.function(math.absf)
        return self.function(math.absi) if self.element.kind == "i" else self

    def power(self, exponent: Scalar) -> Scalar:
        return self._made(math.powf(self.value, exponent.value))

    def is_nan(self) -> Scalar:
        return self != self  # Only NaN differs from itself.

    # --- conversion

    def cast(self, to: Element) -> Scalar:
        """Cast like npu.cast: integers wrap, floats are truncated, non-finite floats become zero, i1 is `!= 0`."""
        here = self.element
        if here == to:
            return self
        if to == BOOL:
            return self != 0
        if here.is_float:
            return self._of_float(to)
        if to.is_float:
            # Through f32 or f64, which rounds once.
            build = arith.sitofp if here.kind == "i" else arith.uitofp
            wide = Scalar(build(to.computed.type, self.value), to.computed)
            return wide.cast(to)
        if to.width < here.width:
            return Scalar(arith.trunci(to.type, self.value), to)
        if to.width > here.width:
            build = arith.extsi if here.kind == "i" else arith.extui
            return Scalar(build(to.type, self.value), to)
        return Scalar(self.value, to)

    def read_as(self, to: Element) -> Scalar:
        """The bits, read as another type of as many; a truth value is a byte."""
        if BOOL in (self.element, to):
            return self.cast(to)
        return Scalar(arith.bitcast(to.type, self.value), to)

    def _of_float(self, to: Element) -> Scalar:
        here = self.element
        if not to.is_float:
            return self.cast(F64).whole(to).cast(to)
        if to.width > here.width:
            return Scalar(arith.extf(to.type, self.value), to)
        if here == F64 and to != F32:
            # Processors convert to f16 and bf16 from f32 only.
            return self.cast(F32).cast(to)
        if to.width < here.width:
            return Scalar(arith.truncf(to.type, self.value), to)
        return self.cast(F32).cast(to)

    def whole(self, to: Element) -> Scalar:
        """A truncated f64 as i64: what i32 lacks, or i64 for wide types, is the nearest number, and NaN the largest."""
        width = 32 if to.width < 32 or to == I32 else 64
        low, high = -(1 << width - 1), (1 << (width if to == U64 else width - 1)) - 1
        cut = self.function(math.trunc)
        fits = (cut >= float(low)) & (cut < float(high + 1))
        edge = select(cut < float(low), constant(low, I64), constant(high, I64))
        return select(fits, select(fits, cut, cut.literal(0)).bits(), edge)

    def bits(self) -> Scalar:
        """A whole f64 of at least -2**63 and less than 2**64, as i64 modulo 2**64."""
        cut = select(self >= 2.0**63, self - 2.0**64, self)
        return Scalar(arith.fptosi(I64.type, cut.value), I64)

    def saturated(self, to: Element) -> Scalar:
        """Saturating cast of a whole float to an integer type; NaN is zero."""
        low, high = to.range
        number = self.cast(F64)
        fits = (number > float(low)) & (number < float(high))
        inside = select(fits, number, number.literal(0)).bits().cast(to)
        return select(
            number >= float(high), constant(high, to), select(number <= float(low), constant(low, to), inside)
        )

    # --- helpers

    def literal(self, number: float) -> Scalar:
        """A constant of the same type."""
        return constant(number, self.element)

    def _like(self, other: Operand) -> Scalar:
        return other if isinstance(other, Scalar) else constant(other, self.element)

    def _made(self, value: Value) -> Scalar:
        return Scalar(value, self.element)

    def _with(
        self,
        other: Operand,
        floats: Callable[[Value, Value], Value] | None,
        integers: Callable[[Value, Value], Value],
    ) -> Scalar:
        build = floats if self.element.is_float and floats is not None else integers
        return self._made(build(self.value, self._like(other).value))


def constant(number: float, element: Element) -> Scalar:
    """A constant of this element type."""
    if element.is_float:
        return Scalar(arith.constant(element.type, float(number)), element)
    bits = int(number) & ((1 << element.width) - 1)
    # The bindings take signed 64-bit numbers.
    sign = 1 << (element.width - 1)
    signed = bits - 2 * sign if bits & sign and element.width > 1 else bits
    return Scalar(arith.constant(element.type, ir.IntegerAttr.get(element.type, signed)), element)


def select(condition: Scalar, on_true: Scalar, on_false: Scalar) -> Scalar:
    """Select between two scalars."""
    return Scalar(arith.select(condition.value, on_true.value, on_false.value), on_true.element)


def position(loop: int) -> Scalar:
    """The iteration number of a loop of the enclosing linalg op."""
    return Scalar(arith.index_cast(I64.type, linalg.IndexOp(loop).result), I64)


def element_at(source: Value, element: Element, places: list[Value]) -> Scalar:
    """Extract an element of a tensor."""
    return Scalar(tensor.extract(source, places), element)


def index(number: Scalar) -> Value:
    """Cast an integer to an index."""
    return arith.index_cast(ir.IndexType.get(), number.value)
