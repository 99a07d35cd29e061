"""Ties and calls that a user names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ....dialects.notes.calls import note_calls
from ....dialects.notes.interfaces import InterfaceValue, interface_of
from ....dialects.notes.ties import tie

ANY = "*"
"""Any text in a name, which is one for all sides of a tie."""
EXPECTED = "expected FUNCTION:NAME=FUNCTION:NAME, with one * at most in each name"


class NamedTie(NamedTuple):
    """Some names of arguments and results, as `prefill:present_*` and `decode:past_*`."""

    text: str
    sides: tuple[str, ...]


def parsed_ties(text: str) -> list[NamedTie]:
    """The ties of a text; raises `ValueError`."""
    found: list[NamedTie] = []
    for item in filter(None, map(str.strip, text.split(","))):
        sides = tuple(map(str.strip, item.split("=")))
        stars = {side.count(ANY) for side in sides}
        if len(sides) < 2 or not all(sides) or not stars <= {0, 1} or len(stars) > 1:
            raise ValueError(f"option ties: {EXPECTED} (in all of them or in none), found '{item}'")
        found.append(NamedTie(item, sides))
    return found


def parsed_calls(text: str) -> Mapping[str, int]:
    """The calls of each function; raises `ValueError`."""
    found: dict[str, int] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        name, _, count = item.rpartition("=")
        if not name or not count.isdecimal() or int(count) == 0 or name in found:
            raise ValueError(f"option calls: expected FUNCTION=COUNT, once for each, found '{item}'")
        found[name] = int(count)
    return found


def note_named_calls(module: ModuleOp, calls: Mapping[str, int]) -> None:
    """Note the calls of functions; raises `PassFailedException` for names that no function has."""
    functions = _functions(module)
    for name, count in calls.items():
        if name not in functions:
            raise PassFailedException(f"option calls: no function '{name}' (there are {', '.join(functions)})")
        note_calls(functions[name], count)


def tie_named(module: ModuleOp, ties: Sequence[NamedTie]) -> None:
    """Tie the arguments and results that have the names; raises `PassFailedException`."""
    functions = _functions(module)
    for named in ties:
        first, *others = (_ends(functions, side, named) for side in named.sides)
        for matched, value in first.items():
            ends = [
                value,
                *(_other(found, matched, side, named) for found, side in zip(others, named.sides[1:], strict=True)),
            ]
            _check(ends, named)
            tie(named.text.replace(ANY, matched), ends)


def _functions(module: ModuleOp) -> dict[str, FuncOp]:
    functions = (op for op in module.walk() if isinstance(op, FuncOp) and len(op.body.blocks) == 1)
    return {op.sym_name.data: op for op in functions}


def _ends(functions: Mapping[str, FuncOp], side: str, named: NamedTie) -> dict[str, InterfaceValue]:
    """The arguments and results that a side names, by the text in the place of the star."""
    function, pattern = _function_of(functions, side, named)
    found: dict[str, InterfaceValue] = {}
    for value in interface_of(function):
        for name in _names(value):
            if (matched := _match(pattern, name)) is not None:
                found.setdefault(matched, value)
    if not found:
        known = ", ".join(next(_names(value)) for value in interface_of(function))
        about = f"@{function.sym_name.data} has no argument or result '{pattern}'"
        raise PassFailedException(f"option ties: '{named.text}': {about} (it has {known})")
    return found


def _function_of(functions: Mapping[str, FuncOp], side: str, named: NamedTie) -> tuple[FuncOp, str]:
    name, colon, pattern = side.partition(":")
    # Names of ONNX models may have a colon.
    if colon and name in functions:
        return functions[name], pattern
    if len(functions) == 1:
        return next(iter(functions.values())), side
    problem = f"no function '{name}'" if colon else f"'{side}' names no function"
    raise PassFailedException(f"option ties: '{named.text}': {problem} (there are {', '.join(functions)})")


def _names(value: InterfaceValue) -> Iterator[str]:
    """The names of an argument or result, that of messages first."""
    yield value.name.removeprefix("%")
    yield f"{'input' if value.is_argument else 'output'}{value.index}"


def _match(pattern: str, name: str) -> str | None:
    """The text in the place of the star; None if a name does not match."""
    before, star, behind = pattern.partition(ANY)
    if not star:
        return "" if name == pattern else None
    fits = name.startswith(before) and name.endswith(behind) and len(name) >= len(before) + len(behind)
    return name[len(before) : len(name) - len(behind)] if fits else None


def _other(found: Mapping[str, InterfaceValue], matched: str, side: str, named: NamedTie) -> InterfaceValue:
    if matched not in found:
        known = ", ".join(side.replace(ANY, each) for each in found)
        wanted = side.replace(ANY, matched)
        raise PassFailedException(f"option ties: '{named.text}': there is no '{wanted}' (there are {known})")
    return found[matched]


def _check(ends: Sequence[InterfaceValue], named: NamedTie) -> None:
    """Check that arguments and results have dimensions that one order can be of."""
    for end in ends:
        if end.rank == 0:
            raise PassFailedException(f"option ties: '{named.text}': {_text(end)} is {end.type}, which has no layout")
    if other := next((end for end in ends if end.rank != ends[0].rank), None):
        ranks = f"{_text(ends[0])} has {ends[0].rank} dimensions, and {_text(other)} has {other.rank}"
        raise PassFailedException(f"option ties: '{named.text}': {ranks}")


def _text(end: InterfaceValue) -> str:
    return f"@{end.function.sym_name.data}:{end.name}"
