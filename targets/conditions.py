"""Conditions of a target file: `groups > 1 and type in [i8, ui8]`, over the facts of an op or of a transpose.

A condition is read once, with the type of each fact, and never run as Python. A fact that an op does not have, or that
is unknown until run time, makes a comparison unknown: `not` of it is unknown as well, and a condition holds only if it
is known to be true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol, TypeAlias

from ..layout import is_permutation, movement
from .expressions import ExpressionError, Reader, Token
from .prices import named_value

Fact: TypeAlias = bool | int | str | tuple[int, ...]
"""The value of a fact: a flag, a number, an element type, or sizes or a permutation."""
MOST_NESTED = 32
"""The deepest nesting of brackets and `not`."""


class Facts(Protocol):
    """The facts that conditions are about."""

    def fact(self, name: str, part: str | None, of: str | None) -> Fact | None:
        """A fact of an op or value, by default of the first operand; None if unknown."""
        ...

    def is_constant(self, name: str) -> bool | None:
        """True if an operand is a constant; None if there is no such operand."""
        ...


class Kind(Enum):
    """The type of a fact."""

    FLAG = "true or false"
    NUMBER = "a whole number"
    SIZES = "a whole number or sizes such as 3x3"
    TYPE = "an element type such as f16 or i8"
    PERMUTATION = "a permutation such as [0, 2, 1]"


OF_OP = {
    "groups": Kind.NUMBER,
    "depthwise": Kind.FLAG,
    "kernel": Kind.SIZES,
    "stride": Kind.SIZES,
    "dilation": Kind.SIZES,
    "pads": Kind.SIZES,
    "rows": Kind.NUMBER,
    "columns": Kind.NUMBER,
    "appended": Kind.NUMBER,
}
"""The facts that an op answers itself (`NpuOp.facts`)."""
LETTERS = "BNCDHWOI"
OF_VALUE = {
    "type": Kind.TYPE,
    "rank": Kind.NUMBER,
    "bytes": Kind.NUMBER,
    "elements": Kind.NUMBER,
    "matrices": Kind.NUMBER,
}
OF_TRANSPOSE = {
    "permutation": Kind.PERMUTATION,
    "type": Kind.TYPE,
    "rank": Kind.NUMBER,
    "bytes": Kind.NUMBER,
    "run": Kind.NUMBER,
}
MOVES = {
    ("keeps", "the", "last", "axis"): "keeps",
    ("moves", "the", "last", "axis"): "moves",
    ("swaps", "blocks"): "swaps",
    ("packs",): "packs",
    ("unpacks",): "unpacks",
}
"""The words for what a transpose, pack or unpack moves, with the name of the fact."""
PARTS = "dhw"
_TYPE = re.compile(r"bf16|f(16|32|64)|[su]?i[1-9]\d*")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "==": int.__eq__,
}


@dataclass(frozen=True)
class FactTerm:
    """A fact, such as `C of result % 16`."""

    name: str
    part: str | None = None
    of: str | None = None
    modulo: int | None = None

    def value(self, facts: Facts) -> Fact | None:
        found = facts.fact(self.name, self.part, self.of)
        return found % self.modulo if self.modulo is not None and isinstance(found, int) else found


@dataclass(frozen=True)
class FactComparison:
    """A fact beside a value, or beside several with `in`."""

    term: FactTerm
    sign: str
    values: tuple[Fact, ...]

    def holds(self, facts: Facts) -> bool | None:
        found = self.term.value(facts)
        if found is None:
            return None
        if self.sign == "!=":
            return not _compare("==", found, self.values[0])
        return any(_compare("==" if self.sign == "in" else self.sign, found, value) for value in self.values)


def _compare(sign: str, found: Fact, value: Fact) -> bool:
    """Sizes compared with a number: each of them."""
    if isinstance(found, tuple) and isinstance(value, int):
        return all(_COMPARE[sign](each, value) for each in found)
    if isinstance(found, int) and isinstance(value, int):
        return _COMPARE[sign](found, value)
    return found == value


@dataclass(frozen=True)
class Flag:
    """A fact that is true or false."""

    term: FactTerm

    def holds(self, facts: Facts) -> bool | None:
        found = self.term.value(facts)
        return None if found is None else bool(found)


@dataclass(frozen=True)
class IsConstant:
    """`NAME is constant`."""

    name: str

    def holds(self, facts: Facts) -> bool | None:
        return facts.is_constant(self.name)


@dataclass(frozen=True)
class Not:
    """The opposite; unknown of what is unknown."""

    part: Expression

    def holds(self, facts: Facts) -> bool | None:
        found = self.part.holds(facts)
        return None if found is None else not found


@dataclass(frozen=True)
class Junction:
    """`and` or `or` of several parts."""

    DECIDES: ClassVar[dict[str, bool]] = {"and": False, "or": True}
    word: str
    parts: tuple[Expression, ...]

    def holds(self, facts: Facts) -> bool | None:
        decides = self.DECIDES[self.word]
        found = {part.holds(facts) for part in self.parts}
        if decides in found:
            return decides
        return None if None in found else not decides


Expression: TypeAlias = FactComparison | Flag | IsConstant | Not | Junction


@dataclass(frozen=True)
class Condition:
    """A condition with its text."""

    text: str
    expression: Expression

    def holds(self, facts: Facts) -> bool:
        return self.expression.holds(facts) is True

    @property
    def asks_for_constants(self) -> bool:
        """True if the answer depends on more than an op's properties and types."""
        return any(isinstance(term, IsConstant) for term in _terms(self.expression))

    @property
    def tells_packs(self) -> bool:
        """True if the answer for a pack may differ from that for a transpose."""
        return any(isinstance(term, FactTerm) and term.name in ("packs", "unpacks") for term in _terms(self.expression))


def _terms(expression: Expression) -> Iterator[FactTerm | IsConstant]:
    """The facts that an expression is about."""
    match expression:
        case IsConstant():
            yield expression
        case Not():
            yield from _terms(expression.part)
        case Junction():
            for part in expression.parts:
                yield from _terms(part)
        case _:
            yield expression.term


def parse_condition(text: str, names: Collection[str] | None) -> Condition:
    """The condition that a text states about an op whose operands and results have these names.

    `names` is None for a condition about a transpose.
    """
    return Condition(text, _Parser(text, names).parse())


class _Parser:
    def __init__(self, text: str, names: Collection[str] | None) -> None:
        self._reader = Reader(text)
        self._names = names
        self._kinds = OF_TRANSPOSE if names is None else OF_OP | OF_VALUE | dict.fromkeys(LETTERS, Kind.NUMBER)
        self._depth = 0

    def parse(self) -> Expression:
        found = self._junction("or", lambda: self._junction("and", self._part))
        self._reader.expect_end("'and', 'or' or the end of the condition")
        return found

    def _junction(self, word: str, part: Callable[[], Expression]) -> Expression:
        parts = [part()]
        while self._reader.take_if(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def _part(self) -> Expression:
        opening = self._reader.take_if("not", "(")
        if opening is None:
            return self._atom()
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise opening.error("nested too deeply")
        if opening.text == "not":
            found = Not(self._part())
        else:
            found = self._junction("or", lambda: self._junction("and", self._part))
            self._reader.expect(")")
        self._depth -= 1
        return found

    def _atom(self) -> Expression:
        if self._names is None:
            for words, name in MOVES.items():
                if self._reader.skip(*words):
                    return Flag(FactTerm(name))
        token = self._reader.take()
        if self._names is not None and self._reader.skip("is", "constant"):
            return IsConstant(self._named(token))
        kind, term = self._term(token)
        if kind is Kind.FLAG:
            return self._flag(term)
        return self._comparison(kind, term)

    def _named(self, token: Token) -> str:
        assert self._names is not None
        if token.text not in self._names:
            raise token.error(f"no operand or result is named '{token.text}'{_hint(token.text, self._names)}")
        return token.text

    def _term(self, token: Token) -> tuple[Kind, FactTerm]:
        name, _, part = token.text.partition(".")
        if token.text == "dim":
            name, kind = f"dim {self._number()}", Kind.NUMBER
        elif name in self._kinds:
            kind = self._kinds[name]
        else:
            raise self._unknown(token)
        if part and (kind is not Kind.SIZES or part not in PARTS or len(part) > 1):
            raise token.error(f"'{name}' has no part '{part}'; only sizes have .d, .h and .w")
        of = self._of(name)
        return self._modulo(kind, FactTerm(name, part or None, of))

    def _of(self, name: str) -> str | None:
        of = self._reader.next
        found = named_value(self._reader, self._names)
        if found is not None and name in OF_OP:
            raise of.error(f"'{name}' belongs to the op, so 'of' has no meaning")
        return found

    def _modulo(self, kind: Kind, term: FactTerm) -> tuple[Kind, FactTerm]:
        percent = self._reader.take_if("%")
        if percent is None:
            return kind, term
        if kind is not Kind.NUMBER:
            raise percent.error(f"'{term.name}' is no number")
        token = self._reader.next
        modulo = self._number()
        if modulo == 0:
            raise token.error("no number can be divided by 0")
        return kind, FactTerm(term.name, term.part, term.of, modulo)

    def _unknown(self, token: Token) -> ExpressionError:
        moves = {words[0]: " ".join(words) for words in MOVES if self._names is None}
        if token.text in moves:
            return token.error(f"expected '{moves[token.text]}'")
        known = [*self._kinds, "dim", *moves.values()]
        if not token.text:
            return token.error(f"expected a condition, {token.found}")
        if token.kind == "word":
            return token.error(f"unknown fact '{token.text}'{_hint(token.text, known)}")
        return token.error(f"expected a fact such as 'type', {token.found}")

    def _flag(self, term: FactTerm) -> Expression:
        sign = self._reader.next
        if sign.kind == "sign" and sign.text != ")":
            raise sign.error(f"'{term.name}' is true or false: write '{term.name}' or 'not {term.name}'")
        return Flag(term)

    def _comparison(self, kind: Kind, term: FactTerm) -> Expression:
        sign = self._reader.take()
        if sign.text not in (*_COMPARE, "!=", "in"):
            raise sign.error(f"expected a comparison such as '==', {sign.found}")
        if sign.text == "in":
            return FactComparison(term, "in", self._list(kind))
        if kind in (Kind.TYPE, Kind.PERMUTATION) and sign.text not in ("==", "!="):
            raise sign.error(f"'{term.name}' is compared with '==' or '!=', {sign.found}")
        return FactComparison(term, sign.text, (self._value(kind, sign.text),))

    def _list(self, kind: Kind) -> tuple[Fact, ...]:
        self._reader.expect("[")
        values = [self._value(kind, "==")]
        while self._reader.take_if(","):
            values.append(self._value(kind, "=="))
        self._reader.expect("]")
        return tuple(values)

    def _value(self, kind: Kind, sign: str) -> Fact:
        token = self._reader.next
        match kind:
            case Kind.TYPE if _TYPE.fullmatch(token.text):
                return self._reader.take().text
            case Kind.PERMUTATION if token.text == "[":
                return self._permutation()
            case Kind.SIZES if token.kind == "sizes":
                if sign not in ("==", "!="):
                    raise token.error(f"sizes such as {token.text} are compared with '==' or '!='")
                return tuple(map(int, self._reader.take().text.split("x")))
            case Kind.NUMBER | Kind.SIZES if token.text.isdigit():
                return self._number()
            case _:
                raise token.error(f"expected {kind.value}, {token.found}")

    def _permutation(self) -> tuple[int, ...]:
        token = self._reader.take()
        axes = [self._number()]
        while self._reader.take_if(","):
            axes.append(self._number())
        self._reader.expect("]")
        if not is_permutation(axes):
            raise token.error(f"{axes} is not a permutation")
        # No axis is known to have size 1 here.
        return movement(axes, [2] * len(axes)).permutation

    def _number(self) -> int:
        token = self._reader.take()
        if not token.text.isdigit():
            raise token.error(f"expected {Kind.NUMBER.value}, {token.found}")
        return int(token.text)


def _hint(name: str, known: Collection[str]) -> str:
    # Imported late: files without mistakes need no hints.
    from .toml_table import hint

    return hint(name, known)
