"""`--stats`: the transposes before and after each pass, and the bytes they move."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.transpose_cost import Cost, cost_of_program
from .base import Observer

if TYPE_CHECKING:
    from ...text.parser import SourceMap

TITLE = "transposes and the bytes they move:"


class Stats(Observer):
    """Counts before and after each pass, summed over the pieces of a split file."""

    def __init__(self, format: str) -> None:
        self._format = format
        self._piece: list[tuple[str, Cost]] = []
        self._before = Cost()
        self._after: list[tuple[str, Cost]] = []
        """The cost after each pass, with the name of the pass."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._piece = [("", cost_of_program(module))]

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._piece.append((module_pass.name, cost_of_program(module)))

    def after_passes(self, module: ModuleOp) -> None:
        (_, before), *after = self._piece
        self._before += before
        old = [cost for _, cost in self._after] or [Cost()] * len(after)
        self._after = [(name, cost + sum_) for (name, cost), sum_ in zip(after, old, strict=True)]

    def at_end(self) -> None:
        if self._format == "json":
            print(self.as_json(), file=sys.stderr)
        else:
            self.print_table(sys.stderr)

    @property
    def _last(self) -> Cost:
        return self._after[-1][1] if self._after else self._before

    def as_json(self) -> str:
        passes = [{"name": name, **_numbers(cost)} for name, cost in self._after]
        return json.dumps({"before": _numbers(self._before), "after": _numbers(self._last), "passes": passes})

    def rows(self) -> list[tuple[str, str, str]]:
        passes = [(f"{index}. {name}", cost) for index, (name, cost) in enumerate(self._after, 1)]
        rows = [("before", self._before), *passes, ("after", self._last)]
        return [(name, str(cost.transposes), cost.bytes_text) for name, cost in rows]

    def print_table(self, stream: TextIO) -> None:
        if stream.isatty():
            self._print_in_colours(stream)
            return
        rows = [("", "transposes", "bytes"), *self.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (f"  {name:<{widths[0]}}  {count:>{widths[1]}}  {size:>{widths[2]}}" for name, count, size in rows)
        print("\n".join((TITLE, *lines)), file=stream)

    def _print_in_colours(self, stream: TextIO) -> None:
        # Imported late: slow and rarely needed.
        from rich.console import Console
        from rich.table import Table

        table = Table(title=TITLE.removesuffix(":"), title_justify="left")
        table.add_column("")
        for name in ("transposes", "bytes"):
            table.add_column(name, justify="right")
        for index, row in enumerate(self.rows()):
            is_edge = index in (0, len(self._after))
            table.add_row(*row, end_section=is_edge)
        Console(file=stream).print(table)


def _numbers(cost: Cost) -> dict[str, int]:
    return {"transposes": cost.transposes, "bytes": cost.bytes}
