"""The ops that a format cannot hold: all of them are found, and counted in the error about the first one."""

from collections import Counter
from typing import NoReturn

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.npu.source import ConstantOp


class RefusedOps:
    """The ops of a program that an exporter has refused."""

    def __init__(self) -> None:
        self._found: list[tuple[Operation, DiagnosticException]] = []

    def add(self, op: Operation, error: DiagnosticException) -> None:
        """Note an op. One that only ends a function, or a constant without its data, ends the search."""
        self._found.append((op, error))
        if not op.results or isinstance(op, ConstantOp):
            self.end()

    def end(self) -> None:
        """Raise the error about the first op, with a note on all if there are several."""
        if self._found:
            self._raise()

    def _raise(self) -> NoReturn:
        op, first = self._found[0]
        if len(self._found) > 1:
            counts = Counter(str(error) for _, error in self._found)
            listed = "; ".join(f"{text} ({count})" if count > 1 else text for text, count in counts.items())
            first.add_note(f"{len(self._found)} ops cannot be written: {listed}")
        op.emit_error(str(first), first)
