"""Base class of observers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...text.diagnostics import Report

if TYPE_CHECKING:
    from ...bridges.changed_nodes import ChangedNodes
    from ...passes.common.moves.transpose_cost import Cost
    from ...text.parser import SourceMap


class Observer:
    """Observes the passes of a run without changing the program."""

    wants_places = False
    """True if ops need locations from the text, because the observer reports them."""

    PROVES: ClassVar[bool] = False
    """True if the observer proves that passes keep the meaning of the program."""

    def check(self, passes: Sequence[ModulePass]) -> None:
        """Called with the pipeline, before anything is read."""

    def after_import(self, notes: Sequence[str], unchanged: Sequence[str]) -> None:
        """Called with the notes on a model that was read, and those on its nodes that are left unchanged."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        """Called with a verified program; `source` is its text."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """Called before a pass."""

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """Called after a pass, with a verified program."""

    def after_passes(self, module: ModuleOp) -> None:
        """Called after all passes."""

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        """Called with the cost of the transposes in each model or module of TOSA that will be written."""

    def at_end(self) -> None:
        """Called after all pieces of the file, before anything is written."""


class Observers(Observer):
    """Several observers, called in order."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers
        self.wants_places = any(observer.wants_places for observer in observers)

    @property
    def proofs(self) -> Observers:
        """The observers that prove."""
        return Observers([observer for observer in self._observers if observer.PROVES])

    def check(self, passes: Sequence[ModulePass]) -> None:
        for observer in self._observers:
            observer.check(passes)

    def after_import(self, notes: Sequence[str], unchanged: Sequence[str]) -> None:
        for observer in self._observers:
            observer.after_import(notes, unchanged)

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        for observer in self._observers:
            observer.before_passes(module, source)

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.before_pass(module_pass, module)

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.after_pass(module_pass, module)

    def after_passes(self, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.after_passes(module)

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        for observer in self._observers:
            observer.before_model(cost, nodes)

    def at_end(self) -> None:
        for observer in self._observers:
            observer.at_end()


class ChangedProgram(Exception):
    """A pass changed the results of the program."""

    def __init__(self, reason: str, notes: tuple[Report | str, ...]) -> None:
        super().__init__(reason)
        self.notes = notes
