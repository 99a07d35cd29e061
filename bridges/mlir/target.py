"""`-t tosa`: a program as an MLIR module."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from ..extra import MissingExtraError, require


@dataclass(frozen=True)
class TosaTarget(Target):
    """A verified MLIR module of tosa, and of linalg, tensor, arith and math where TOSA has no equivalent op."""

    name = "tosa"

    directory: str = ""
    """The folder with the files of constants (default: the current folder)."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        try:
            require("mlir")
        except MissingExtraError as error:
            raise DiagnosticException(str(error)) from error
        # Imported late: the bindings are an extra.
        from .exporting.program import lowered, mlir_context, numbers_in

        with mlir_context():
            print(lowered(module, numbers_in(Path(self.directory))), file=output)
