"""The inputs and ops that a format cannot hold: all are found, and counted in the error about the first one."""

from collections import Counter
from typing import NoReturn

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.npu.source import ConstantOp


class RefusedOps:
    """The inputs and ops of a program that an exporter has refused."""

    def __init__(self) -> None:
        self._inputs: list[DiagnosticException] = []
        self._found: list[tuple[Operation, DiagnosticException]] = []

    def add_input(self, error: DiagnosticException) -> None:
        """Note an input of the program."""
        self._inputs.append(error)

    def add(self, op: Operation, error: DiagnosticException) -> None:
        """Note an op. One that only ends a function, or a constant without its data, ends the search.

        What a function returns is refused where it is made.
        """
        if op.results or not (self._found or self._inputs):
            self._found.append((op, error))
        if not op.results or isinstance(op, ConstantOp):
            self.end()

    def end(self) -> None:
        """Raise the error about the first input or op, with a note on all if there are several."""
        if self._inputs or self._found:
            self._raise()

    def _raise(self) -> NoReturn:
        errors = [*self._inputs, *(error for _, error in self._found)]
        first = errors[0]
        if len(errors) > 1:
            counts = Counter(map(str, errors))
            listed = "; ".join(f"{text} ({count})" if count > 1 else text for text, count in counts.items())
            numbers = (len(self._inputs), "input"), (len(self._found), "op")
            subject = " and ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in numbers if count)
            first.add_note(f"{subject} cannot be written: {listed}")
        if self._inputs:
            raise first
        self._found[0][0].emit_error(str(first), first)
