"""The search for a smaller program for which a test still holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.program.symbols import verify
from ...text.printer import NpuPrinter
from .edits import EDITS, Edit
from .minimum import needed
from .sizes import FillConstants, resize, sizes_to_try


class Reducer:
    """Makes a program smaller while a test of its text holds."""

    def __init__(self, module: ModuleOp, holds: Callable[[str], bool]) -> None:
        """The test holds for the program."""
        self.module = module
        """The smallest program so far for which the test holds."""
        self._holds = holds
        self._known: dict[str, bool] = {}

    def reduce(self) -> None:
        """Make the program smaller until no edit does."""
        while self._round():
            pass

    def _round(self) -> bool:
        before = self.module
        for edit in (*EDITS, FillConstants()):
            self._apply(edit)
        self._shrink()
        return self.module is not before

    def _apply(self, edit: Edit) -> None:
        """Leave out all items of an edit that the test does not need."""
        base, items = self.module, range(edit.count(self.module))
        needed(items, lambda kept: self._is_enough(base, edit, items, kept))

    def _is_enough(self, base: ModuleOp, edit: Edit, items: Sequence[int], kept: Sequence[int]) -> bool:
        candidate = base.clone()
        edit.apply(candidate, set(items) - set(kept))
        return self._try(candidate)

    def _shrink(self) -> None:
        for old, new in sizes_to_try(self.module):
            candidate = self.module.clone()
            # Not every number of elements can be resized.
            with suppress(ValueError, DiagnosticException):
                resize(candidate, old, new)
                self._try(candidate)

    def _try(self, candidate: ModuleOp) -> bool:
        """Take a candidate as the program if it is valid and the test holds."""
        try:
            verify(candidate)
        except DiagnosticException:
            return False
        text = program_text(candidate)
        if text not in self._known:
            self._known[text] = self._holds(text)
        if self._known[text]:
            self.module = candidate
        return self._known[text]


def program_text(module: ModuleOp) -> str:
    """The text of a program."""
    buffer = StringIO()
    NpuPrinter(stream=buffer).print_op(module)
    return f"{buffer.getvalue()}\n"


def count_ops(module: ModuleOp) -> int:
    """The number of ops without functions, modules and terminators."""
    return sum(1 for op in module.walk() if not isinstance(op, ModuleOp | FuncOp) and not op.has_trait(IsTerminator))
