"""Prices of a target file: `1.5 x bytes of result + 200`, exact, in ticks.

A tick is a thousandth of the target's unit. A price is rounded to whole ticks once, when its amounts are known.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from .expressions import Reader, Token
from .keys import OF_PRODUCT

TICKS = 1000
"""The ticks of one unit."""
MOST_UNITS = 10**12
"""The largest number in a price."""
MOST_DIGITS = 9
"""The largest number of digits behind the point."""
_PARTS = 10**MOST_DIGITS
"""A factor is counted in these parts of a unit."""
QUANTITIES = ("bytes", "elements")
"""The quantities of values that a price counts; of a transpose the bytes only."""
LINES = "lines"
"""The quantity of values that the price of a place of axes counts besides: those along the last axis as stored."""
MULTIPLICATIONS = "multiplications"
"""The quantity that only the price of a product of matrices counts."""
READ, WRITTEN = "read", "written"
"""The quantities that the price of a second run counts besides: the bytes of all operands, and those of all results."""


class Amounts(Protocol):
    """The amounts of data that prices depend on; unknown sizes are assumed."""

    def amount(self, quantity: str, of: str | None) -> int:
        """The bytes, elements or lines of a value; of the first operand without a name."""
        ...


@dataclass(frozen=True)
class PriceTerm:
    """A part of a price: a factor, and the quantity that it counts for."""

    factor: int
    """In billionths of a unit."""
    quantity: str | None = None
    """None for a fixed part."""
    of: str | None = None

    def parts(self, amounts: Amounts) -> int:
        return self.factor * (1 if self.quantity is None else amounts.amount(self.quantity, self.of))


@dataclass(frozen=True)
class Price:
    """The sum of some parts."""

    terms: tuple[PriceTerm, ...] = ()

    def ticks(self, amounts: Amounts) -> int:
        """The price in whole ticks, halves rounded up."""
        tick = _PARTS // TICKS
        return (sum(term.parts(amounts) for term in self.terms) + tick // 2) // tick

    def of_bytes(self, moved: int) -> int:
        """The price of a transpose of some bytes in whole units, halves rounded up."""
        return self._rounded(moved, _PARTS)

    def ticks_of(self, stored: int) -> int:
        """The price of some bytes in whole ticks, halves rounded up."""
        return self._rounded(stored, _PARTS // TICKS)

    def _rounded(self, size: int, unit: int) -> int:
        parts = sum(term.factor * (1 if term.quantity is None else size) for term in self.terms)
        return (parts + unit // 2) // unit


def parse_price(text: str, names: Collection[str] | None, quantities: Sequence[str] = QUANTITIES) -> Price:
    """The price that a text states; `names` are the values that `of` can name, None where there are none."""
    reader = Reader(text)
    terms = [_term(reader, names, quantities)]
    while reader.take_if("+"):
        terms.append(_term(reader, names, quantities))
    reader.expect_end("'+' or the end of the price")
    return Price(tuple(terms))


def factor(text: str) -> int | None:
    """A number in billionths of a unit; None if it is negative or too large, or has too many digits."""
    whole, _, digits = text.partition(".")
    if not whole.isdigit():
        return None
    digits = digits.rstrip("0")
    if len(digits) > MOST_DIGITS or len(whole) > MOST_DIGITS + len(str(MOST_UNITS)):
        return None
    found = int(whole) * _PARTS + int(digits.ljust(MOST_DIGITS, "0"))
    return found if found <= MOST_UNITS * _PARTS else None


def _term(reader: Reader, names: Collection[str] | None, quantities: Sequence[str]) -> PriceTerm:
    token = reader.take()
    if token.kind == "word":
        return _counted(reader, token, _PARTS, names, quantities)
    if token.kind != "number":
        raise token.error(f"expected a number or a quantity such as 'bytes', {token.found}")
    number = factor(token.text)
    if number is None:
        limits = f"at most {MOST_UNITS}, with at most {MOST_DIGITS} digits behind the point"
        raise token.error(f"expected a number of {limits}, {token.found}")
    if reader.take_if("x"):
        return _counted(reader, reader.take(), number, names, quantities)
    return PriceTerm(number)


def _counted(
    reader: Reader, token: Token, number: int, names: Collection[str] | None, quantities: Sequence[str]
) -> PriceTerm:
    if token.text == MULTIPLICATIONS and names == OF_PRODUCT:
        return PriceTerm(number, token.text)
    known = QUANTITIES[:1] if names is None else quantities
    if token.text not in known:
        # Imported late: files without mistakes need no hints.
        from .toml_table import hint

        raise token.error(f"unknown quantity '{token.text}'{hint(token.text, known)}")
    of = None if token.text in (READ, WRITTEN) else named_value(reader, names)
    return PriceTerm(number, token.text, of)


def named_value(reader: Reader, names: Collection[str] | None) -> str | None:
    """The name behind `of`, if there is one."""
    of = reader.take_if("of")
    if of is None:
        return None
    if names is None:
        raise of.error("it is about one value, so 'of' has no meaning")
    name = reader.take()
    if name.text not in names:
        from .toml_table import hint

        raise name.error(f"no operand or result is named '{name.text}'{hint(name.text, names)}")
    return name.text
