"""The output of npu-check: lines of text, or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from ....dialects.npu.source import ConstantOp
from ....equivalence.compare import CONDITIONS, Answer, Verdict
from ....equivalence.interfaces import differing_interfaces
from ....equivalence.limits import limits_at
from ....equivalence.numbers import Comparison
from ....text.diagnostics import Report
from ....text.printer import brief_text
from ..execution.file_constants import constants_of
from ..formats.program import Program
from .assumptions import Assumptions
from .constant_differences import ConstantDifference, constant_difference, json_number, type_words

NOTES: Mapping[str, str] = {
    "rounds_once": "assumed: dequantised values are real numbers, which are rounded only when they are quantised",
    "by_formulas": "assumed: ops compute the arithmetic that defines them, step by step",
    "sizes_fit": "assumed: sizes that are computed at run time and divided fit in 32 bits",
    "powers_fit": "assumed: products with powers of two, of 2^-60 to 2^60 in all, are exact",
    "offsets_fit": "assumed: adding a number to dequantised ones and subtracting it again changes nothing (it rounds"
    " them by less than a thousandth of a step)",
    "zeros_absorb": "assumed: numbers that a convolution multiplies by weights of zero are finite",
}
"""The conditions of some proofs."""


@dataclass(frozen=True)
class Trial:
    """A function, and what random inputs said about it."""

    function: str
    comparison: Comparison | None
    """None if the function was not run."""
    reason: str = ""
    """The reason why it was not."""

    def __str__(self) -> str:
        if self.comparison is None:
            return f"@{self.function} was not run: {self.reason}"
        return f"@{self.function} was run on {self.comparison}"

    def as_json(self) -> dict[str, Any]:
        if self.comparison is None:
            return {"function": self.function, "run": False, "reason": self.reason}
        return {
            "function": self.function,
            "run": True,
            "seeds": list(self.comparison.seeds),
            "agree": self.comparison.difference is None,
            "largest_difference": json_number(self.comparison.largest),
            "tolerance": self.comparison.tolerance,
        }


@dataclass(frozen=True)
class CheckResult:
    """The verdict on two programs, and what led to it."""

    first: Program
    second: Program
    answer: Answer
    tried: Sequence[Trial]
    constants: ConstantDifference | str | None
    """The difference of the constants at which the programs part."""
    assumptions: Assumptions
    """The statements about ops of other systems that the verdict relies on."""
    untried: Sequence[str] = ()
    """The flags that were not given and may decide."""
    folds_weights: bool = False
    """True if the programs are equal if what they compute from their weights alone is computed."""

    @property
    def verdict(self) -> str:
        return self.answer.verdict.name.lower()

    @property
    def _hints(self) -> Sequence[str]:
        """The flags that may decide: nothing is compared again where no value differs."""
        is_open = self.answer.verdict is Verdict.UNDECIDED and any(self.answer.unmatched)
        return self.untried if is_open else ()

    @property
    def may_be_read_again(self) -> bool:
        """True if ops or constants of ONNX models may decide that are read in another way."""
        is_open = self.answer.verdict is Verdict.UNDECIDED and any(self.answer.unmatched)
        models = [each.imported.format for each in (self.first, self.second) if each.imported is not None]
        return is_open and not self.answer.out_of_time and "onnx" in models

    @property
    def differing_interfaces(self) -> list[str]:
        """The arguments and results that notes say to be stored in different orders."""
        return differing_interfaces(self.first.module, self.second.module)

    def lines(self) -> list[str]:
        """The lines that are printed."""
        is_proved = self.answer.verdict is Verdict.PROVED
        assumptions = self.assumptions.when_proved() if is_proved else self.assumptions.when_not_proved()
        hints = [f"flags that may decide: {' and '.join(self._hints)}"] if self._hints else []
        return [*self._verdict(), *(f"note: {each}" for each in (*assumptions, *self.tried, *hints))]

    def _verdict(self) -> Iterator[str]:
        if self.answer.verdict is Verdict.PROVED:
            differing = "; ".join(self.differing_interfaces)
            yield f"proved: {self.first.name} and {self.second.name} compute the same" + (
                f", with {differing}" if differing else ""
            )
            yield from (f"note: {each}" for each in self.conditions())
            return
        yield f"{self.verdict}: {self.answer.text}"
        yield from map(str, self.unmatched())
        if self.answer.verdict is Verdict.UNDECIDED:
            yield from (f"note: {each}" for each in limits_at(*self.answer.unmatched))
        if self.constants is not None:
            yield f"note: {self.constants}"

    def conditions(self) -> Iterator[str]:
        """The conditions of a proof."""
        yield from (NOTES[name] for name in CONDITIONS if getattr(self.answer, name))
        yield from self._readings()

    def _readings(self) -> Iterator[str]:
        """The notes on ONNX models that say less than the programs, or that callers may change."""
        for program in (self.first, self.second):
            if program.imported is None or program.imported.format != "onnx":
                continue
            if self.folds_weights:
                yield f"{program.name}: what it computes from its weights alone is computed, as with --fold-weights"
            yield from (f"{program.name}: {text}" for text in program.imported.notes)

    def unmatched(self) -> Iterator[Report]:
        """Notes at the first ops that have no equal in the other program."""
        for program, op, other in zip(
            (self.first, self.second), self.answer.unmatched, ("second", "first"), strict=True
        ):
            if op is not None:
                text = f"the {other} program has nothing equal to: {self._op_text(op)}"
                yield Report(text, program.place(op), severity="note")

    def _op_text(self, op: Operation) -> str:
        """An op as text; of constants that are compared in another line only the name and the type."""
        if self.constants is None:
            return brief_text(op)
        return f"the constant %{op.results[0].name_hint or ''} of {type_words(op.results[0])}"

    def as_json(self) -> str:
        """One line for programs to read."""
        unmatched = [
            None if op is None else {"place": program.place(op), "op": self._op_text(op)}
            for program, op in zip((self.first, self.second), self.answer.unmatched, strict=True)
        ]
        constants = self.constants
        known = {
            "verdict": self.verdict,
            "programs": [self.first.name, self.second.name],
            "function": self.answer.function or None,
            "reason": self.answer.reason or None,
            "unmatched": unmatched,
            "constants": constants.as_json() if isinstance(constants, ConstantDifference) else constants,
            "trials": [trial.as_json() for trial in self.tried],
            "interfaces": self.differing_interfaces,
            "believed": [*self.assumptions.statements()],
            **{name: getattr(self.answer, name) for name in CONDITIONS},
            "read_as": [*self._readings()],
            "out_of_time": self.answer.out_of_time,
            "untried": [*self._hints],
        }
        return json.dumps(known)


def differing_constants(answer: Answer, first: Program, second: Program) -> ConstantDifference | str | None:
    """The difference of the constants at which two programs part, if they part at constants."""
    left, right = answer.unmatched
    if not isinstance(left, ConstantOp) or not isinstance(right, ConstantOp):
        return None
    with constants_of(first) as folder, constants_of(second) as other:
        return constant_difference((left, right), (folder, other))
