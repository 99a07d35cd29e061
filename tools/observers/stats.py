"""`--stats`: the transposes before and after each pass, the bytes they move, and what is proved of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...bridges.changed_nodes import ChangedNodes
from ...compat.terminal import with_orders
from ...dialects.settings.assumed_sizes import assumption
from ...passes.common.moves.conversion_ops import counted_conversions
from ...passes.common.moves.gathers import cost_of_gathers
from ...passes.common.moves.packs import cost_of_packs
from ...passes.common.moves.transpose_cost import Cost, cost_of_program
from ...passes.common.words.left_unchanged import left_unchanged
from ...passes.fusion.functions.absorbed import absorbed_transposes
from ...passes.optimal.explain.account import Account, collected_accounts
from .base import Observer

if TYPE_CHECKING:
    from ...targets import Target
    from ...text.parser import SourceMap

TITLE = "transposes and the bytes they move"


class MovedBytes(NamedTuple):
    """All that a program moves."""

    transposes: Cost = Cost()
    gathers: Cost = Cost()
    absorbed: int = 0
    """The number of transposes in groups with other ops."""
    packs: Cost = Cost()

    @property
    def conversions(self) -> Cost:
        """The transposes, and the packs if there are some."""
        return self.transposes + self.packs

    def plus(self, other: MovedBytes) -> MovedBytes:
        transposes, gathers = self.transposes + other.transposes, self.gathers + other.gathers
        return MovedBytes(transposes, gathers, self.absorbed + other.absorbed, self.packs + other.packs)


Count: TypeAlias = Callable[[ModuleOp], Cost]


def counting(target: Target | None) -> Count:
    """The cost of the transposes of a program; with a target that has costs, also in its unit."""
    if target is None:
        return cost_of_program
    # Imported late: few targets have costs.
    from ...passes.common.demands.target_cost import TargetCost

    return lambda module: TargetCost(target).of_program(module)


def moved_by(module: ModuleOp, count: Count) -> MovedBytes:
    """All that a program moves."""
    in_groups = absorbed_transposes(module)
    absorbed = sum(op in in_groups for op in counted_conversions(module)) if in_groups else 0
    return MovedBytes(count(module), cost_of_gathers(module), absorbed, cost_of_packs(module))


class Stats(Observer):
    """Counts before and after each pass, summed over the pieces of a split file."""

    def __init__(self, format: str, target: Target | None) -> None:
        """With a target that has costs, these are counted as well."""
        self._format = format
        self._count = counting(target)
        self._piece: list[tuple[str, MovedBytes]] = []
        self._before = MovedBytes()
        self._after: list[tuple[str, MovedBytes]] = []
        """The cost after each pass, with the name of the pass."""
        self._unchanged: list[str] = []
        """The ops that no pass places."""
        self._nodes = ChangedNodes(0, 0)
        self._stack = ExitStack()
        self._accounts: list[Account] = []
        """The accounts of the pass that runs."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._piece = [("", moved_by(module, self._count))]

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._accounts = self._stack.enter_context(collected_accounts())

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._stack.close()
        for account in self._accounts:
            if self._format != "json" and not account.is_printed:
                print(f"{module_pass.name}: {account.text}", file=sys.stderr)
        self._piece.append((module_pass.name, moved_by(module, self._count)))

    def after_passes(self, module: ModuleOp) -> None:
        (_, before), *after = self._piece
        self._before = self._before.plus(before)
        self._unchanged += left_unchanged(module)
        old = [moves for _, moves in self._after] or [MovedBytes()] * len(after)
        self._after = [(name, moves.plus(sum_)) for (name, moves), sum_ in zip(after, old, strict=True)]

    def at_end(self) -> None:
        if self._format == "json":
            print(self.as_json(), file=sys.stderr)
        else:
            self.print_table(sys.stderr)
            for text in self._unchanged:
                print(f"  {text}", file=sys.stderr)

    @property
    def _last(self) -> MovedBytes:
        return self._after[-1][1] if self._after else self._before

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        self._nodes = nodes

    def as_json(self) -> str:
        passes = [{"name": name, **numbers_of(cost)} for name, cost in self._after]
        unchanged = {"left_unchanged": self._unchanged} if self._unchanged else {}
        figures = {"before": numbers_of(self._before), "after": numbers_of(self._last), "passes": passes}
        nodes = {"nodes": self._nodes._asdict()} if self._nodes.came else {}
        return json.dumps({**figures, **nodes, **unchanged})

    @property
    def _all(self) -> list[MovedBytes]:
        return [self._before, *(moves for _, moves in self._after)]

    @property
    def _title(self) -> str:
        figures = (each for moves in self._all for each in (moves.transposes, moves.gathers, moves.packs))
        return TITLE + assumption(any(each.is_assumed for each in figures))

    @property
    def _has_gathers(self) -> bool:
        return any(moves.gathers.transposes for moves in self._all)

    @property
    def _has_packs(self) -> bool:
        return any(moves.packs.transposes for moves in self._all)

    @property
    def _has_absorbed(self) -> bool:
        return any(moves.absorbed for moves in self._all)

    @property
    def _columns(self) -> list[str]:
        """The columns; those of absorbed transposes, gathers, packs and the cost on a target only if there are any."""
        unit = self._before.transposes.unit
        gathers = ["gathers", "bytes"] if self._has_gathers else []
        packs = ["packs", "bytes"] if self._has_packs else []
        absorbed = ["absorbed"] * self._has_absorbed
        return ["transposes", "bytes", *absorbed, *gathers, *packs, *([f"cost in {unit}"] if unit else [])]

    def rows(self) -> list[list[str]]:
        passes = [(f"{index}. {name}", moves) for index, (name, moves) in enumerate(self._after, 1)]
        rows = [("before", self._before), *passes, ("after", self._last)]
        return [[name, *self._texts(moves)] for name, moves in rows]

    def _texts(self, moves: MovedBytes) -> Iterator[str]:
        cost, gathers, absorbed, packs = moves
        yield from (str(cost.transposes), cost.bytes_text)
        if self._has_absorbed:
            yield str(absorbed)
        if self._has_gathers:
            yield from (str(gathers.transposes), gathers.bytes_text)
        if self._has_packs:
            yield from (str(packs.transposes), packs.bytes_text)
        if cost.unit:
            yield cost.ticks_text

    def print_table(self, stream: TextIO) -> None:
        if stream.isatty():
            self._print_in_colours(stream)
            return
        rows = [["", *self._columns], *self.rows()]
        first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        lines = (
            "  ".join((f"  {name:<{first}}", *(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))))
            for name, *texts in rows
        )
        print("\n".join((f"{self._title}:", *lines)), file=stream)

    def _print_in_colours(self, stream: TextIO) -> None:
        # Imported late: slow and rarely needed.
        from rich.console import Console
        from rich.table import Table

        table = Table(title=self._title, title_justify="left")
        table.add_column("")
        for name in self._columns:
            table.add_column(name, justify="right")
        for index, row in enumerate(self.rows()):
            is_edge = index in (0, len(self._after))
            table.add_row(*row, end_section=is_edge)
        Console(file=with_orders(stream)).print(table)


def numbers_of(moves: MovedBytes) -> dict[str, object]:
    """The figures without those that are zero in most programs."""
    cost, gathers, absorbed, packs = moves
    found: dict[str, object] = {"transposes": cost.transposes, **cost.moved}
    found |= {"absorbed": absorbed} if absorbed else {}
    found |= {"gathers": gathers.transposes, "gathered_bytes": gathers.bytes} if gathers.transposes else {}
    found |= {"packs": packs.transposes, "packed_bytes": packs.bytes} if packs.transposes else {}
    return {**found, "cost": cost.units, "unit": cost.unit} if cost.unit else found
