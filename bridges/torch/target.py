"""`-t torch`: a program as an exported program of PyTorch."""

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
    from ..imported import Imported
    from .programs.model import TorchModel

ONLY_FROM_TORCH = (
    "a program of PyTorch is written only of one that came from PyTorch, whose names, signature and state it keeps;"
    " expected a .pt2 file or a module as input"
)


@dataclass(frozen=True)
class TorchTarget(Target):
    """A program of PyTorch (`.pt2`, as of `torch.export.save`), of one that came from PyTorch, with its signature."""

    name = "torch"

    path: str = ""
    """The file to write; a program of PyTorch is not text."""
    directory: str = ""
    """The folder with the files of constants, which are those of the program that came."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the file; there is no text to write."""
        self.write(self.model(module))

    def model(self, module: ModuleOp, imported: Imported | None = None) -> TorchModel:
        """The program to write, with the names, the signature and the state of the imported one."""
        if not self.path:
            raise DiagnosticException("a program of PyTorch is not text: choose a file with -o model.pt2")
        if imported is None or imported.format != "torch":
            raise DiagnosticException(ONLY_FROM_TORCH)
        try:
            require("torch")
        except MissingExtraError as error:
            raise DiagnosticException(str(error)) from error
        # Imported late: the package torch is an extra.
        from .programs.loading import export_program
        from .programs.model import TorchModel

        return TorchModel(export_program(imported, module), imported.came.program)

    def write(self, model: TorchModel) -> None:
        """Write the file, whole or not at all."""
        from ..files import replaced
        from .programs.loading import save_program

        try:
            with replaced(Path(self.path)) as stream:
                save_program(model.program, stream)
        except OSError as error:
            raise DiagnosticException(f"cannot write '{self.path}': {error.strerror}") from error
