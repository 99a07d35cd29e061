"""`-t onnx`: a program as an ONNX model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from ...dialects.settings.file_rules import ANYTHING, FileRules
from ..extra import MissingExtraError, require

if TYPE_CHECKING:
    from ..imported import Imported
    from .exporting.model import Model


FOREIGN = ("refuse", "keep")


@dataclass(frozen=True)
class OnnxTarget(Target):
    """An ONNX model with the inputs and outputs of @main, which computes the same."""

    name = "onnx"

    path: str = ""
    """The file to write; a model is not text."""
    directory: str = ""
    """The folder with the files of constants (default: the current folder)."""
    opset: int | None = None
    """The version of ONNX, 13 to 26 (default: that of the imported model if it can say all ops, or the newest)."""
    inline_limit: int = 256 << 20
    """Weights of more bytes than this go into a file beside the model."""
    nchwc: bool = False
    """Write ops on blocks of 8 or 16 channels as those of com.microsoft.nchwc, which only ONNX Runtime runs."""

    metadata: bool = True
    """Write the texts that the imported model has about its nodes, inputs and outputs."""
    foreign: str = "refuse"
    """Ops of other formats: an error (refuse), or nodes of other domains with a note (keep)."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the file; there is no text to write."""
        self.write(self.model(module))

    def model(self, module: ModuleOp, imported: Imported | None = None, rules: FileRules = ANYTHING) -> Model:
        """The model to write, by the rules of a target. Its weights come from the imported model, if there is one."""
        if not self.path:
            raise DiagnosticException("a model is not text: choose a file with -o model.onnx")
        if self.foreign not in FOREIGN:
            raise DiagnosticException(f"foreign={self.foreign}: expected {' or '.join(FOREIGN)}")
        try:
            require("onnx")
        except MissingExtraError as error:
            raise DiagnosticException(str(error)) from error
        # Imported late: the package onnx is an extra.
        from .exporting import to_onnx
        from .exporting.originals import came_of, weights_of

        source = None if imported is None else weights_of(imported)
        keeps_foreign, came = self.foreign == "keep", came_of(imported)
        directory, has_metadata = Path(self.directory), self.metadata
        return to_onnx(module, self.opset, directory, source, self.nchwc, keeps_foreign, has_metadata, came, rules)

    def write(self, model: Model) -> None:
        """Write the file, whole or not at all."""
        from .exporting import write_model

        try:
            write_model(model, Path(self.path), self.inline_limit)
        except OSError as error:
            raise DiagnosticException(f"cannot write '{self.path}': {error.strerror}") from error
