"""`--stats`: the transposes before and after each pass, and the bytes they move."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NamedTuple, TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.gathers import GatherCost, cost_of_gathers
from ...passes.common.transpose_cost import Cost, cost_of_program
from .base import Observer

if TYPE_CHECKING:
    from ...text.parser import SourceMap

TITLE = "transposes and the bytes they move:"


class MovedBytes(NamedTuple):
    """All that a program moves."""

    transposes: Cost = Cost()
    gathers: GatherCost = GatherCost()

    @classmethod
    def of(cls, module: ModuleOp) -> MovedBytes:
        return cls(cost_of_program(module), cost_of_gathers(module))

    def plus(self, other: MovedBytes) -> MovedBytes:
        return MovedBytes(self.transposes + other.transposes, self.gathers.plus(other.gathers))


class Stats(Observer):
    """Counts before and after each pass, summed over the pieces of a split file."""

    def __init__(self, format: str) -> None:
        self._format = format
        self._piece: list[tuple[str, MovedBytes]] = []
        self._before = MovedBytes()
        self._after: list[tuple[str, MovedBytes]] = []
        """The cost after each pass, with the name of the pass."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._piece = [("", MovedBytes.of(module))]

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._piece.append((module_pass.name, MovedBytes.of(module)))

    def after_passes(self, module: ModuleOp) -> None:
        (_, before), *after = self._piece
        self._before = self._before.plus(before)
        old = [moves for _, moves in self._after] or [MovedBytes()] * len(after)
        self._after = [(name, moves.plus(sum_)) for (name, moves), sum_ in zip(after, old, strict=True)]

    def at_end(self) -> None:
        if self._format == "json":
            print(self.as_json(), file=sys.stderr)
        else:
            self.print_table(sys.stderr)

    @property
    def _last(self) -> MovedBytes:
        return self._after[-1][1] if self._after else self._before

    def as_json(self) -> str:
        passes = [{"name": name, **_numbers(cost)} for name, cost in self._after]
        return json.dumps({"before": _numbers(self._before), "after": _numbers(self._last), "passes": passes})

    @property
    def _columns(self) -> tuple[str, ...]:
        """The columns; those of gathers only if there are any."""
        all_moves = (self._before, *(moves for _, moves in self._after))
        has_gathers = any(moves.gathers.gathers for moves in all_moves)
        return ("transposes", "bytes", *(("gathers", "bytes") if has_gathers else ()))

    def rows(self) -> list[tuple[str, ...]]:
        passes = [(f"{index}. {name}", moves) for index, (name, moves) in enumerate(self._after, 1)]
        rows = [("before", self._before), *passes, ("after", self._last)]
        count = 1 + len(self._columns)
        return [(name, *_texts(moves))[:count] for name, moves in rows]

    def print_table(self, stream: TextIO) -> None:
        if stream.isatty():
            self._print_in_colours(stream)
            return
        rows = [("", *self._columns), *self.rows()]
        first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        lines = (
            "  ".join((f"  {name:<{first}}", *(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))))
            for name, *texts in rows
        )
        print("\n".join((TITLE, *lines)), file=stream)

    def _print_in_colours(self, stream: TextIO) -> None:
        # Imported late: slow and rarely needed.
        from rich.console import Console
        from rich.table import Table

        table = Table(title=TITLE.removesuffix(":"), title_justify="left")
        table.add_column("")
        for name in self._columns:
            table.add_column(name, justify="right")
        for index, row in enumerate(self.rows()):
            is_edge = index in (0, len(self._after))
            table.add_row(*row, end_section=is_edge)
        Console(file=stream).print(table)


def _texts(moves: MovedBytes) -> tuple[str, ...]:
    transposes, gathers = moves
    return str(transposes.transposes), transposes.bytes_text, str(gathers.gathers), gathers.bytes_text


def _numbers(moves: MovedBytes) -> dict[str, int]:
    transposes, gathers = moves
    found = {"transposes": transposes.transposes, "bytes": transposes.bytes}
    return {**found, "gathers": gathers.gathers, "gathered_bytes": gathers.bytes} if gathers.gathers else found
