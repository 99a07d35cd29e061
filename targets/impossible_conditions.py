"""Conditions that hold for no op of a name, whatever the program."""

from collections.abc import Iterator

from ..layout import MAX_RANK, letters
from .conditions import LETTERS, OF_OP, PARTS, Expression, Fact, FactComparison, Flag, Junction, Kind, Not
from .impossible_demands import either
from .vocabulary import OpNames


def why_never_holds(op: str, names: OpNames, expression: Expression) -> str:
    """The reason why a condition holds for no op of some kind, which `op` names; empty if it may hold."""
    found = dict.fromkeys(_problems(op, names, expression))
    alone = [each for each in found if not _may_be(True, expression, op, names, each)]
    if alone:
        return " and ".join(alone)
    return "" if _may_be(True, expression, op, names) else " and ".join(found)


def _problems(op: str, names: OpNames, expression: Expression) -> Iterator[str]:
    """The problems of all comparisons."""
    match expression:
        case FactComparison() | Flag():
            for wanted in (True, False):
                if problem := _problem(wanted, expression, op, names):
                    yield problem
        case Not():
            yield from _problems(op, names, expression.part)
        case Junction():
            for part in expression.parts:
                yield from _problems(op, names, part)
        case _:
            return


def _may_be(wanted: bool, expression: Expression, op: str, names: OpNames, only: str | None = None) -> bool:
    """True if an expression can be true (or false), as far as its problems say, or the `only` one that counts."""
    match expression:
        case FactComparison() | Flag():
            problem = _problem(wanted, expression, op, names)
            return not problem or only not in (None, problem)
        case Not():
            return _may_be(not wanted, expression.part, op, names, only)
        case Junction():
            # All parts of an `and` have to be true; one of them has to be false.
            parts = (_may_be(wanted, part, op, names, only) for part in expression.parts)
            return all(parts) if (expression.word == "and") == wanted else any(parts)
        case _:
            return True


def _problem(wanted: bool, expression: FactComparison | Flag, op: str, names: OpNames) -> str:
    """The reason why a comparison is never true (or false); empty if it may be."""
    term = expression.term
    if term.name in OF_OP:
        return _problem_of_op(wanted, expression, op, names)
    value = term.of or next(iter(names.operands), "")
    possible, name = names.layouts.get(value), f"'{value}' of {op}"
    if term.name.startswith("dim "):
        # Values of a higher rank keep their order, so that nothing can be demanded of them.
        ranks = (MAX_RANK,) if possible is None else possible.ranks
        return "" if int(term.name.removeprefix("dim ")) < max(ranks) else f"{name} has no {term.name}"
    if term.name in LETTERS and value in names.letters:
        return "" if term.name in names.letters[value] else f"{name} has no axis {term.name}"
    if possible is None:
        return ""
    if term.name in LETTERS:
        axes = ((cls, rank) for cls in possible.classes if cls.is_cnn for rank in possible.ranks)
        has_axis = any(term.name in letters(*each) for each in axes)
        return "" if has_axis else f"{name} has no axis {term.name}"
    if term.name == "rank" and not any(_value(expression, rank) is wanted for rank in possible.ranks):
        return f"{name} is of rank {either(possible.ranks)}"
    return ""


def _problem_of_op(wanted: bool, expression: FactComparison | Flag, op: str, names: OpNames) -> str:
    term, counts = expression.term, names.spatial_ranks
    if term.name not in names.facts:
        return f"{op} has no {term.name}"
    if OF_OP[term.name] is not Kind.SIZES or not counts:
        return ""
    if term.part is not None:
        return "" if term.part in PARTS[-max(counts) :] else f"{op} has no {term.name}.{term.part}"
    lengths = [2 * count if term.name == "pads" else count for count in counts]
    sizes = [value for value in _values(expression) if isinstance(value, tuple)]
    if wanted is (isinstance(expression, FactComparison) and expression.sign == "!="):
        # Sizes of another number are different.
        return ""
    if len(sizes) < len(_values(expression)) or any(len(each) in lengths for each in sizes):
        return ""
    return f"{op} has {either(lengths)} number{'s' * (lengths != [1])} as {term.name}"


def _values(expression: FactComparison | Flag) -> tuple[Fact, ...]:
    return expression.values if isinstance(expression, FactComparison) else ()


class _Rank:
    """The fact of a rank alone."""

    def __init__(self, rank: int) -> None:
        self._rank = rank

    def fact(self, name: str, part: str | None, of: str | None) -> Fact | None:
        return self._rank

    def is_constant(self, name: str) -> bool | None:
        return None


def _value(expression: FactComparison | Flag, rank: int) -> bool | None:
    return expression.holds(_Rank(rank))
