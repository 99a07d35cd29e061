"""`--certificate`: the proof of the minimum as a file, which another program checks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.layout_optimal import LayoutOptimal
from ...passes.optimal.certificates.core import Certificate
from ...passes.optimal.certificates.files import check_ending, data_for
from ...passes.optimal.certificates.of_choice import collected_certificates
from ...text.diagnostics import Report, ReportedError
from ..driver.console.output import say, write_binary_file
from .base import Observer


class CertificateFile(Observer):
    """Writes the certificate of the last `layout-optimal`."""

    def __init__(self, file: str, input_name: str) -> None:
        self._file = file
        self._input_name = input_name
        self._stack = ExitStack()
        self._found: list[Certificate] = []
        """The certificates of the passes that ran, in the present piece of the file."""
        self._of_pieces: list[Certificate] = []

    def check(self, passes: Sequence[ModulePass]) -> None:
        if not any(isinstance(each, LayoutOptimal) for each in passes):
            raise _error("no pass in the pipeline finds a minimum (--layout-optimal)")
        checked_name(self._file)

    def before_passes(self, module: ModuleOp, source: object) -> None:
        self._found = self._stack.enter_context(collected_certificates())

    def after_passes(self, module: ModuleOp) -> None:
        self._stack.close()
        self._of_pieces += self._found[-1:]

    def at_end(self) -> None:
        if len(self._of_pieces) != 1:
            raise _error(f"expected one program, found {len(self._of_pieces)} in '{self._input_name}'")
        write_certificate(self._of_pieces[0].of_program(self._input_name), self._file)


def write_certificate(certificate: Certificate, file: str) -> None:
    """Write a certificate, whole or not at all, and say what it proves."""
    try:
        data = data_for(certificate, file)
    except ValueError as error:
        raise _error(str(error)) from error
    try:
        write_binary_file(file, lambda stream: stream.write(data))
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error
    say(f"{file}: note: {certificate.text}")


def checked_name(file: str) -> str:
    """The name of a file for which there is a format."""
    if (problem := check_ending(file)) is not None:
        raise _error(problem)
    return file


def _error(message: str) -> ReportedError:
    return ReportedError(Report(f"argument --certificate: {message}"))
