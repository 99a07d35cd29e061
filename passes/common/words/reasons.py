"""Reasons in words, and the names of values that they quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from ....dialects.npu.values import encoding
from ....dialects.npu.vendor import VendorOp
from ....layout import Layout, Order

MOST_OPS_OF_PATH = 5
"""The maximum number of ops that a reason names on a path."""


class Names:
    """The names of values as printed, computed when the first one is needed."""

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._names: dict[SSAValue, str] = {}

    def read(self) -> None:
        """Compute the names now, before the program changes."""
        self._names = dict(_printed_names(self._module))

    def of(self, thing: Operation | SSAValue) -> str:
        """The name of a value; for an op the name of its first result, and the op's name."""
        if isinstance(thing, SSAValue):
            return self._of_value(thing)
        kind = thing.op_name.data if isinstance(thing, VendorOp) else thing.name.removeprefix("npu.")
        return f"{self._of_value(thing.results[0])} {kind}" if thing.results else kind

    def alias(self, copy: SSAValue, value: SSAValue) -> None:
        """Name the copy of a value as the value."""
        self._names[copy] = self._of_value(value)

    def named(self, name: str) -> list[SSAValue]:
        """The values with this name, at most one in each function."""
        if not self._names:
            self.read()
        return [value for value, known in self._names.items() if known == name]

    def known(self) -> set[str]:
        """All names."""
        if not self._names:
            self.read()
        return set(self._names.values())

    def by_value(self) -> Mapping[SSAValue, str]:
        """The name of each value."""
        if not self._names:
            self.read()
        return self._names

    def _of_value(self, value: SSAValue) -> str:
        if not self._names:
            self.read()
        if value in self._names:
            return self._names[value]
        # A relabel inserted after the names were computed.
        return f"{self._of_value(value.owner.operands[0])} (relabelled)" if isinstance(value.owner, Operation) else "%?"


def _printed_names(module: ModuleOp) -> Iterator[tuple[SSAValue, str]]:
    """Values with a name hint keep it, with a suffix if it is taken; the others are numbered."""
    scopes: list[Operation] = [module]
    while scopes:
        taken: dict[str, int] = {}
        count = 0
        for values in _values_within(scopes.pop(), scopes):
            for value in values:
                name = value.name_hint
                if name is None:
                    yield value, f"%{count}"
                    count += 1
                elif name in taken:
                    taken[name] += 1
                    yield value, f"%{name}_{taken[name]}"
                else:
                    taken[name] = 0
                    yield value, f"%{name}"


def _values_within(scope: Operation, scopes: list[Operation]) -> Iterator[tuple[SSAValue, ...]]:
    """The values in an op's regions in program order; isolated ops are appended to `scopes`."""
    waiting: list[Block | Operation] = [
        block for region in reversed(scope.regions) for block in reversed(region.blocks)
    ]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Block):
            yield tuple(current.args)
            waiting += reversed(list(current.ops))
            continue
        yield tuple(current.results)
        if not current.regions:
            continue
        if isinstance(current, FuncOp) or current.has_trait(IsolatedFromAbove, value_if_unregistered=False):
            scopes.append(current)
        else:
            waiting += [block for region in reversed(current.regions) for block in reversed(region.blocks)]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence about an op or a value, optionally continued by one about another."""

    about: Operation | SSAValue | None
    says: str
    then: Reason | None = None

    def text(self, names: Names) -> str:
        parts = [self.says] if self.about is None else [names.of(self.about), self.says]
        if self.then is not None:
            parts.append(self.then.text(names))
        return " ".join(parts)


def stored_text(value: SSAValue, order: Order, names: Names) -> str:
    """The layout in which a value is stored, beside its layout in the program."""
    layout = encoding(value.type)
    assert layout is not None
    return stored_as_text(value, layout.with_order(order), names)


def stored_as_text(value: SSAValue, stored: Layout, names: Names) -> str:
    """The words for a value that is stored in this layout, which may have blocks."""
    layout = encoding(value.type)
    if stored == layout:
        return f"{names.of(value)} stays in {layout}"
    return f"{names.of(value)} is stored in {stored} instead of {layout}"


def moved_text(given: Attribute, made: Attribute) -> str:
    """The conversion between two types: `packed`, `unpacked` or `transposed`."""
    before, after = map(encoding, (given, made))
    if before is None or after is None or not after.is_packed_from(before):
        return "transposed"
    return "packed" if after.tiles else "unpacked"


def through_text(ops: Sequence[str]) -> str:
    """The ops on a path in brackets, those at its beginning if there are many."""
    listed = [*ops[:MOST_OPS_OF_PATH]]
    more = len(ops) - len(listed)
    if more:
        listed.append(f"and {more} more op{'s' * (more > 1)}")
    return f" (through {', '.join(listed)})" if listed else ""
