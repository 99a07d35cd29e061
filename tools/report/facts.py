"""The words and figures of a run, at the head of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.settings.assumed_sizes import assumption
from ...equivalence.compare import Verdict, compare
from ...equivalence.interfaces import with_stored_interface
from ...passes.common.moves.between import between_text
from ...passes.common.moves.transpose_cost import Cost
from ...passes.common.same_meaning import PreservesMeaning
from ...passes.common.words.left_unchanged import left_unchanged, scope_text
from ...passes.optimal.explain.account import Account
from ...passes.optimal.explain.pin_prices import under_text
from ...targets import Target
from ...version import __version__
from ..observers.stats import Count, MovedBytes, counting, moved_by, numbers_of


@dataclass(frozen=True)
class PassRow:
    """The program before the passes, or behind one of them."""

    name: str
    moves: MovedBytes
    seconds: float | None = None

    def data(self) -> dict[str, object]:
        """The row as the page's script reads it: what `--stats=json` prints, and the seconds."""
        return {"name": self.name, **numbers_of(self.moves), "seconds": self.seconds}


@dataclass(frozen=True)
class ChangeRow:
    """A change of one thing, and the program with it."""

    change: str
    transposes: int
    bytes: int
    cost: float
    """The cost on a target that has costs, in its unit."""
    is_estimate: bool
    """True if the bytes rest on an assumed size."""


@dataclass
class ReportFacts:
    """The head of the page, and the rows of its table of passes."""

    title: str
    facts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Pairs of a label and a text."""
    passes: list[PassRow] = field(default_factory=list[PassRow])
    changes: list[ChangeRow] = field(default_factory=list[ChangeRow])
    """The changes of `--what-if`, after the program as it is."""


@dataclass
class RunFacts:
    """The facts of a run of passes, collected on the way."""

    before: ModuleOp
    """A copy of the program."""
    count: Count
    """The cost of a program."""
    rows: list[PassRow] = field(default_factory=list[PassRow])
    account: Account | None = None
    """The account of the last pass that minimised a cost."""
    least: Cost | None = None
    """The cost behind that pass."""
    is_logical: bool = False
    """True if a pass has taken the layouts off arguments and results."""

    @staticmethod
    def of(module: ModuleOp, priced: Target | None) -> RunFacts:
        """The facts before any pass, with the costs of a target that has some."""
        count = counting(priced)
        return RunFacts(module.clone(), count, [PassRow("before", moved_by(module, count))])

    def add(self, module_pass: ModulePass, module: ModuleOp, seconds: float, accounts: Sequence[Account]) -> None:
        """Add a pass and the program behind it."""
        self.rows.append(PassRow(module_pass.name, moved_by(module, self.count), seconds))
        if accounts:
            self.account, self.least = accounts[-1], self.rows[-1].moves.conversions
        if isinstance(module_pass, PreservesMeaning) and module_pass.MAKES_INTERFACE_LOGICAL:
            self.is_logical = True

    def texts(self, after: ModuleOp) -> Iterator[tuple[str, str]]:
        """The result of the run, with its proof."""
        before, cost = self.rows[0].moves.conversions, self.rows[-1].moves.conversions
        hidden = left_unchanged(after)
        minimum = self._minimum(cost)
        between = between_text(after) if minimum else ""
        yield "transposes", f"{_left(before, cost)}{scope_text(hidden) or minimum + between}"
        yield "proof", self._proof(after)
        if hidden:
            yield "left unchanged", "; ".join(hidden)

    def _minimum(self, cost: Cost) -> str:
        if self.account is None or self.least is None or not self.account.is_proved:
            return ""
        is_kept = cost.transposes <= self.least.transposes and cost.bytes <= self.least.bytes
        under = under_text(self.account.pins)
        return f": proved minimum of {_unit_text(self.account)}{under}" if is_kept else ""

    def _proof(self, after: ModuleOp) -> str:
        return proof_text(self.before, with_stored_interface(after, self.before) if self.is_logical else after)


def _unit_text(account: Account) -> str:
    """The unit that a pass minimised, in words."""
    if account.unit == "target" and account.target.costs is not None:
        return account.target.costs.unit
    return {"count": "transposes", "traffic": "bytes that travel"}.get(account.unit, account.unit)


def proof_text(before: ModuleOp, after: ModuleOp) -> str:
    """The verdict on two programs, or the first mismatch."""
    answer = compare(before, after)
    if answer.verdict is Verdict.PROVED:
        return "proved: the program computes the same as before"
    return f"{answer.verdict.name.lower()}: {answer.text}"


def versions() -> tuple[str, str]:
    """The versions of npu-opt and xDSL."""
    return "versions", f"npu-opt {__version__}, xdsl {version('xdsl')}"


def row_of(name: str, module: ModuleOp, priced: Target | None) -> PassRow:
    """The row of a program."""
    return PassRow(name, moved_by(module, counting(priced)))


def cost_text(row: PassRow) -> str:
    """The conversions of a program that move data, their bytes, and their cost on a target that has costs."""
    cost = row.moves.conversions
    return _left(cost, cost).replace(" left", "")


def _left(old: Cost, after: Cost) -> str:
    """The transposes, bytes and cost, beside those before if there were more."""
    of_transposes = f" of {old.transposes}" if old.transposes > after.transposes else ""
    of_bytes = f" of {old.bytes_text}" if old.bytes > after.bytes else ""
    of_ticks = f" of {old.ticks_text}" if old.ticks > after.ticks else ""
    about = assumption(after.is_assumed or (bool(of_bytes) and old.is_assumed))
    plural = "s" * (bool(of_transposes) or after.transposes != 1)
    ticks = f", {after.ticks_text}{of_ticks} {after.unit}" if after.unit else ""
    count = f"{after.transposes}{of_transposes} {after.noun}{plural}"
    return f"{count} left, {after.bytes_text}{of_bytes} bytes{ticks}{about}"
