"""The layouts of arguments and results that a user may choose: the option `interface`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument
from xdsl.utils.exceptions import PassFailedException

from ....dialects.notes.interfaces import InterfaceValue, interface_of
from ....dialects.notes.ties import Tie, ties_of
from ....dialects.npu.values import encoding
from ....dialects.program.symbols import is_private, referred_names
from ....layout import (
    Layout,
    LayoutClass,
    LayoutError,
    Order,
    compose,
    identity,
    invert,
    letters,
    permutation_between,
    permute,
)
from ..words.reasons import Names

EXPECTED = "expected keep, free, a layout such as NHWC, or one of these for an argument or result, as in x:NHWC"

_COMMA = re.compile(r",(?!\s*\[)(?![^\[]*\])")


class Freedom(Enum):
    """The choices that are no layout."""

    KEEP = "keep"
    FREE = "free"


Wanted: TypeAlias = Layout | Freedom
"""The choice for an argument or result."""
Interface: TypeAlias = Mapping[InterfaceValue, Wanted]
"""The choices for those that may change."""
FIXED_INTERFACE: Final[Interface] = {}


@dataclass(frozen=True)
class InterfaceChoice:
    """Choices for all arguments and results, and for some of them by name."""

    for_all: tuple[Wanted, ...]
    by_name: tuple[tuple[str, Wanted], ...]

    @staticmethod
    def parse(text: str) -> InterfaceChoice:
        """Read `keep`, `free`, `NHWC`, `x:NHWC`, or several of these with commas between; raises `ValueError`."""
        for_all: list[Wanted] = []
        by_name: dict[str, Wanted] = {}
        for item in map(str.strip, _COMMA.split(text)):
            # Names of ONNX models may have a colon.
            name, colon, choice = item.rpartition(":")
            wanted = _wanted(choice, item)
            if not colon:
                for_all.append(wanted)
            elif name in by_name:
                raise ValueError(f"'{name}' is given twice")
            else:
                by_name[name] = wanted
        if {*Freedom} <= {*for_all}:
            raise ValueError("keep and free exclude each other")
        return InterfaceChoice(tuple(for_all), tuple(by_name.items()))

    def doubts(self) -> Iterator[str]:
        """A question about each layout of images whose spatial axes are apart or not in their order."""
        for wanted in dict.fromkeys((*self.for_all, *(each for _, each in self.by_name))):
            if isinstance(wanted, Layout) and wanted.cls is LayoutClass.FEATURE and wanted.order and not wanted.tiles:
                names = letters(wanted.cls, len(wanted.order))
                places = [str(wanted).find(letter) for letter in names[2:]]
                if places != [*range(places[0], places[0] + len(places))]:
                    last = names.replace("C", "") + "C"
                    yield f"{wanted} is an unusual layout of images: did you mean {names} or {last}?"

    @property
    def keeps_all(self) -> bool:
        """True if no argument or result may change."""
        return not self.by_name and set(self.for_all) <= {Freedom.KEEP}


EVERYTHING_FREE: Final = InterfaceChoice((Freedom.FREE,), ())


def _wanted(text: str, item: str) -> Wanted:
    if text in ("keep", "free"):
        return Freedom(text)
    try:
        layout = Layout.parse(text)
    except LayoutError as error:
        raise ValueError(f"{EXPECTED}, found '{item}'") from error
    if layout.order is None and "[" not in text:
        raise ValueError(f"{EXPECTED}, found '{item}', which is no layout")
    if layout.tiles:
        raise ValueError(f"{EXPECTED}, found '{item}': inputs and outputs are not stored in blocks")
    return layout


def chosen_interface(module: ModuleOp, choice: InterfaceChoice, names: Names) -> Interface:
    """The choice for each argument and result that may change, in a coloured program; raises `PassFailedException`."""
    ties = ties_of(module)
    if choice.keeps_all and not ties:
        return {}
    names.read()
    by_name = dict(choice.by_name)
    fixed = referred_names(module)
    known: dict[str, None] = {}
    unused = set(by_name)
    found: dict[InterfaceValue, Wanted] = {}
    kept: dict[InterfaceValue, str] = {}
    """The reason why an end keeps its order."""
    for function in (op for op in module.walk() if isinstance(op, FuncOp) and len(op.body.blocks) == 1):
        reason = _fixed_reason(function, fixed)
        exact = _exact_names_in(function)
        for value in interface_of(function):
            given = list(_names_of(value, names, exact))
            known[given[0]] = None
            named = next((name for name in given if name in by_name), None)
            wanted = by_name[named] if named is not None else _for_all(choice, value)
            if named is not None:
                unused.discard(named)
                _check(value, wanted, reason)
            if wanted is not Freedom.KEEP and reason is None:
                found[value] = wanted
            if reason is not None or (named is not None and wanted is Freedom.KEEP):
                kept[value] = reason or "it is to be kept"
    if unused:
        raise PassFailedException(
            f"option interface: the program has no argument or result '{min(unused)}'"
            f" (its arguments and results are {', '.join(known)})"
        )
    return found | {value: wanted for tie in ties for value, wanted in _of_tie(tie, found, kept).items()}


def _of_tie(tie: Tie, found: Interface, kept: Mapping[InterfaceValue, str]) -> Interface:
    """The choice for arguments and results of one order: free, unless that of one of them is chosen."""
    _check_tie(tie)
    named = [value for value in tie.ends if isinstance(found.get(value), Layout)]
    ends = [*(value for value in tie.ends if value in kept), *named]
    if not ends:
        return dict.fromkeys(tie.ends, Freedom.FREE)
    shared = {value: _shared_order(value, found.get(value)) for value in ends}
    first = ends[0]
    if (other := next((value for value in ends if shared[value] != shared[first]), None)) is not None:
        raise PassFailedException(_contradiction(tie, first, other, found, kept))
    return {value: Freedom.KEEP if value in kept else stored_as(value, shared[first]) for value in tie.ends}


def _check_tie(tie: Tie) -> None:
    first = tie.ends[0]
    for end in tie.ends:
        if end.value is None or encoding(end.type) is None or end.rank != first.rank:
            name = f"@{end.function.sym_name.data}:{end.name}"
            expected = "expected tensors of one rank, in functions of one block"
            raise PassFailedException(f"{name} cannot be tied: {expected}, found {end.type}")


def _shared_order(value: InterfaceValue, wanted: Wanted | None) -> Order:
    """The original dimension at each dimension of an argument or result, in the layout that is chosen for it."""
    present, original = _layout(value), value.permutation or identity(value.rank)
    order = present.order_for(value.rank) if not isinstance(wanted, Layout) else wanted.order_for(value.rank)
    return compose(original, permutation_between(present.order_for(value.rank), order))


def stored_as(value: InterfaceValue, shared: Order) -> Layout:
    """The layout of an argument or result whose dimensions have an order of the original ones."""
    present, original = _layout(value), value.permutation or identity(value.rank)
    return present.with_order(permute(present.order_for(value.rank), compose(invert(original), shared)))


def _layout(value: InterfaceValue) -> Layout:
    layout = encoding(value.type)
    assert layout is not None
    return layout


def _contradiction(
    tie: Tie, one: InterfaceValue, other: InterfaceValue, found: Interface, kept: Mapping[InterfaceValue, str]
) -> str:
    """The error for two arguments or results that are tied, and whose orders are not one."""

    def text(value: InterfaceValue) -> str:
        stored = f"{found.get(value, _layout(value))}"
        return f"{stored}, because {kept[value]}" if value in kept else stored

    way = " = ".join(f"@{each.function.sym_name.data}:{each.name}" for each in tie.path(one, other))
    return f"{way} contradicts itself: the first is stored as {text(one)}, and the last as {text(other)}"


def _for_all(choice: InterfaceChoice, value: InterfaceValue) -> Wanted:
    """The choice for an argument or result without one of its own."""
    layout = encoding(value.type)
    if layout is None:
        return Freedom.KEEP
    for wanted in choice.for_all:
        if isinstance(wanted, Layout) and (wanted.cls, wanted.rank) == (layout.cls, value.rank):
            return wanted
    return Freedom.FREE if Freedom.FREE in choice.for_all else Freedom.KEEP


def _check(value: InterfaceValue, wanted: Wanted, fixed_reason: str | None) -> None:
    """Check that a choice by name can be met."""
    if wanted is Freedom.KEEP:
        return
    if fixed_reason is not None:
        raise PassFailedException(f"option interface: {value.name} cannot change, because {fixed_reason}")
    layout = encoding(value.type)
    if layout is None:
        raise PassFailedException(f"option interface: {value.name} is {value.type}, which has no layout")
    if not isinstance(wanted, Layout):
        return
    problem = wanted.rank_mismatch(value.rank)
    if problem is None and layout.cls.is_cnn and wanted.cls is not layout.cls:
        problem = f"it is {layout}"
    if problem is not None:
        raise PassFailedException(f"option interface: {value.name} cannot be stored as {wanted}: {problem}")


def _names_of(value: InterfaceValue, names: Names, exact: Container[str]) -> Iterator[str]:
    """The names by which a user may call an argument or result, that of messages first; then with the function's.

    A value may have an exact name of another argument or result, which is that one alone.
    """
    own = [*_exact_names(value)]
    own += (name for name in _names_of_value(value, names) if name not in exact)
    yield from own
    yield from (f"@{value.function.sym_name.data}:{name}" for name in own)


def _exact_names(value: InterfaceValue) -> Iterator[str]:
    yield value.name
    yield f"{'input' if value.is_argument else 'output'}{value.index}"


def _exact_names_in(function: FuncOp) -> set[str]:
    return {name for value in interface_of(function) for name in _exact_names(value)}


def _names_of_value(end: InterfaceValue, names: Names) -> Iterator[str]:
    value = end.value
    if value is not None and (end.is_argument or not isinstance(value, BlockArgument)):
        printed = names.of(value)
        yield printed
        yield printed.removeprefix("%")


def unambiguous_names(module: ModuleOp, names: Names) -> Mapping[InterfaceValue, str]:
    """For each argument and result a name that no other one has, if there is one."""
    functions = (op for op in module.walk() if isinstance(op, FuncOp) and len(op.body.blocks) == 1)
    known = {
        value: list(dict.fromkeys(_names_of(value, names, exact)))
        for function in functions
        for exact in (_exact_names_in(function),)
        for value in interface_of(function)
    }
    count = Counter(name for given in known.values() for name in given)
    return {value: next((name for name in given if count[name] == 1), given[0]) for value, given in known.items()}


def _fixed_reason(function: FuncOp, referenced: set[str]) -> str | None:
    """The reason why the signature of a function may not change; None if it may."""
    name = function.sym_name.data
    if name in referenced:
        return f"@{name} is called"
    if is_private(function):
        return f"@{name} is private"
    return None
