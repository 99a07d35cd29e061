"""The certificate of a choice of `layout-optimal`, in the words of its program."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TypeAlias, cast

from xdsl.ir import Operation, SSAValue

from ....compat.context import holding
from ....dialects.carrying.callers import calls_around
from ....dialects.npu.values import shape_of
from ....dialects.npu.vendor import VendorOp
from ....layout import ByteOrder, Extent, Piece
from ....layout.byte_order import is_dirty
from ...common.words.reasons import Names
from ...common.words.value_names import function_of, names_of_model
from ..choice.mode_choice import ModeChoice, ModeTable
from ..modes.free_interface import value_of
from ..modes.modes import Decider
from ..modes.rewrites import Mode
from .core import Certificate, Json, Labels, certificate_of
from .forms import forms_of

Make: TypeAlias = Callable[[], Certificate]
_COLLECTED: ContextVar[list[Certificate] | None] = ContextVar("certificates", default=None)


def collected_certificates() -> AbstractContextManager[list[Certificate]]:
    """A list to which each run of the pass inside this context appends the certificate of its minimum."""
    return holding(_COLLECTED, [])


def add_certificate(make: Make) -> None:
    """Append to the list of the context, if there is one: a certificate takes as long as the choice."""
    found = _COLLECTED.get()
    if found is not None:
        found.append(make())


def certificate_of_choice(
    choice: ModeChoice, names: Names, notes: Mapping[str, Json], time_limit: float
) -> Certificate:
    """The certificate of a choice, for the problem whose bound it has. The program is as it was before."""
    table, problem, numbers = choice.table, choice.solved.problem, choice.solved.solution.choice
    if choice.wider is not None:
        table, problem = choice.wider()
        numbers = [*_numbers_in(table, choice.modes)]
    impossible, groups = None, None
    if choice.grouped is not None:
        problem, impossible, groups = choice.grouped()
    labels = _ProgramText(table, names).labels(notes)
    found = certificate_of(problem, numbers, labels, time_limit, impossible, groups)
    return found.with_forms(forms_of(table, problem, found.content["problem"]))


def _numbers_in(table: ModeTable, modes: Mapping[Decider, Mode]) -> Iterator[int]:
    """The numbers of some modes among all modes of a table."""
    for decider, known in table.modes.of.items():
        chosen = modes[decider]
        alike = [number for number, mode in enumerate(known) if _accesses(mode) == _accesses(chosen)]
        yield min(alike, key=lambda number: known[number].price)


def _accesses(mode: Mode) -> tuple[Hashable, Hashable]:
    return mode.reads, mode.produces


class _ProgramText:
    """The names of a program for a certificate."""

    def __init__(self, table: ModeTable, names: Names) -> None:
        self._table = table
        self._names = names
        self._has_functions = len({function_of(root) for root in table.problem.roots}) > 1
        self._names_of_model = {value: name for name, value in names_of_model(table.module)}

    def labels(self, notes: Mapping[str, Json]) -> Labels:
        roots = self._table.problem.roots
        return Labels(
            [*map(self._value, roots)],
            [*map(self._op, self._table.modes.of)],
            lambda each: layout_text(cast("ByteOrder", each)),
            notes,
            lambda cost: f"{self._table.counted_text(cost)} ({self._table.unit_text})",
            [*map(self._facts, roots)],
        )

    def _value(self, value: SSAValue) -> str:
        name = self._names.of(value)
        return f"@{function_of(value)}:{name}" if self._has_functions else name

    def _op(self, decider: Decider) -> tuple[str, str]:
        """The name and the kind of an op, or of an argument or result that is free."""
        match decider:
            case Operation():
                name = self._value(decider.results[0]) if decider.results else decider.name
                return name, decider.op_name.data if isinstance(decider, VendorOp) else decider.name
            case SSAValue():
                return " = ".join(map(self._end, self._table.modes.tied_to(decider))), "argument"
            case _:
                return " = ".join(map(self._end, self._table.modes.tied_to(decider))), "result"

    def _end(self, end: Decider) -> str:
        return self._names.of(end) if isinstance(end, Operation) else self._value(value_of(end))

    def _facts(self, root: SSAValue) -> Mapping[str, Json]:
        """The facts of a storage that its price comes from."""
        calls, name = calls_around(root), self._names_of_model.get(root)
        facts: dict[str, Json] = {"shape": [*shape_of(root)], "bytes": self._table.problem.bytes_of(root)}
        if calls != 1:
            facts["calls"] = calls
        if name is not None and name != self._names.of(root).removeprefix("%"):
            facts["model"] = name
        return facts


def layout_text(byte_order: ByteOrder) -> str:
    """The digits of a storage from the slowest to the fastest, by its axes: `[0, 2, 3, 1]`.

    Axes of one element have none. Digits of an axis are written as arithmetic on its index: `1/16` is the number of a
    block of 16, `1%16` the place in it.
    """
    most = dict[int, int]()
    for piece in byte_order:
        most[piece.axis] = max(most.get(piece.axis, 0), piece.inner.factor)
    text = ", ".join(_digit(piece, most[piece.axis] == piece.inner.factor) for piece in byte_order)
    return f"[{text}]" + " with dirty padding" * is_dirty(byte_order)


def _digit(piece: Piece, is_first: bool) -> str:
    """A digit; the first one of an axis needs no modulus."""
    inner = "" if piece.inner.is_unit else f"/{_size(piece.inner)}"
    return f"{piece.axis}{inner}" + ("" if is_first else f"%{_size(piece.size)}")


def _size(extent: Extent) -> str:
    """A size; the unknown ones have a letter each."""
    names = [f"s{symbol}" for symbol in extent.symbols]
    return "*".join([*([str(extent.factor)] if extent.factor != 1 or not names else []), *names])
