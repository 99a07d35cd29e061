"""TOSA modules as input of the tools."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....text.diagnostics import Report, ReportedError


def read_tosa(text: str, file: str, first_line: int = 0) -> ModuleOp:
    """Import a text, which is a file or its part from a line on."""
    from ....bridges.extra import MissingExtraError, require

    try:
        require("mlir")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    # Imported late: the bindings are optional.
    from ....bridges.mlir.importing.errors import ReadError
    from ....bridges.mlir.importing.importer import read_module

    try:
        return read_module(text, file, first_line)
    except ReadError as error:
        raise ReportedError(Report(str(error), str(error.place or file))) from error
