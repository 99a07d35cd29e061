"""`-t tosa`: a program as an MLIR module."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from ..extra import MissingExtraError, require

if TYPE_CHECKING:
    from ..moved_data import MovedData


@dataclass(frozen=True)
class TosaTarget(Target):
    """A verified MLIR module of tosa, and of linalg, tensor, arith and math where TOSA has no equivalent op."""

    name = "tosa"

    directory: str = ""
    """The folder with the files of constants (default: the current folder)."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(self.written(module)[0], file=output)

    def written(self, module: ModuleOp) -> tuple[str, MovedData]:
        """The text of a program, and the transposes in it."""
        try:
            require("mlir")
        except MissingExtraError as error:
            raise DiagnosticException(str(error)) from error
        # Imported late: the bindings are an extra.
        from .exporting.moves import moved_data
        from .exporting.program import lowered, mlir_context, numbers_in

        with mlir_context():
            made = lowered(module, numbers_in(Path(self.directory)), is_compiled=False)
            return str(made), moved_data(made)
