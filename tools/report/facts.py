"""The words and figures of a run, at the head of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...equivalence.compare import Verdict, compare
from ...equivalence.interfaces import with_stored_interface
from ...passes.common.moves.between import between_text
from ...passes.common.moves.transpose_cost import Cost
from ...passes.common.same_meaning import PreservesMeaning
from ...passes.common.words.left_unchanged import left_unchanged
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
    saves: bool
    """True if it saves something of the figure that is minimised."""


@dataclass
class ReportFacts:
    """The head of the page, and the rows of its table of passes."""

    title: str
    facts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Pairs of a label and a text; the figures are those of the passes."""
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
    came: Cost = field(default_factory=Cost)
    """The cost before that pass."""
    least: Cost | None = None
    """The cost behind it."""
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
            self.account = accounts[-1]
            self.came, self.least = (row.moves.conversions for row in self.rows[-2:])
        if isinstance(module_pass, PreservesMeaning) and module_pass.MAKES_INTERFACE_LOGICAL:
            self.is_logical = True

    def texts(self, after: ModuleOp) -> Iterator[tuple[str, str]]:
        """The proofs of the result, and the ops that were left unchanged."""
        hidden = left_unchanged(after)
        if not hidden and (minimum := self._minimum(self.rows[-1].moves.conversions)):
            yield "minimum", minimum + between_text(after) + self._demands_text
        yield "proof", self._proof(after)
        yield from (("left unchanged", each) for each in hidden)

    def _minimum(self, cost: Cost) -> str:
        if self.account is None or self.least is None or not self.account.is_proved:
            return ""
        is_kept = cost.transposes <= self.least.transposes and cost.bytes <= self.least.bytes
        return f"proved minimum of {_unit_text(self.account)}{under_text(self.account.pins)}" if is_kept else ""

    @property
    def _demands_text(self) -> str:
        """A program that costs less than the minimum is in no layout that the target runs."""
        assert self.account is not None
        assert self.least is not None
        is_dearer = self.least.counted(self.account.unit) > self.came.counted(self.account.unit)
        return "; the input program is not in the layouts that the target demands" if is_dearer else ""

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
