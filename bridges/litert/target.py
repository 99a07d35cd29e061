"""`-t litert`: a program as a LiteRT model."""

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
    from ..safetensors import StoredTensor
    from .exporting import LiteModel, Source


@dataclass(frozen=True)
class LiteDialectTarget(Target):
    """The ops of a LiteRT file in the `tfl` dialect, as they will be written. The text can be read and written."""

    name = "tfl-mlir"

    directory: str = ""
    """The folder with the files of constants (default: the current folder)."""
    integers_only: bool = False
    """Compute sums and products of quantised numbers in integers, whose kernels round in other ways than ONNX."""
    rewrites: tuple[str, ...] | None = None
    """The rewrites of ops to run (default: all, or none of a program that is in the dialect)."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        # Imported late: few runs export.
        from .exporting.program import lowered

        options = self.integers_only, self.rewrites
        print(lowered(module, Path(self.directory), None, None, *options), file=output)


@dataclass(frozen=True)
class LiteRtTarget(Target):
    """A LiteRT model (`.tflite`) with the inputs and outputs of @main, which computes the same."""

    name = "litert"

    path: str = ""
    """The file to write; a model is not text."""
    directory: str = ""
    """The folder with the files of constants (default: the current folder)."""
    hardware: str = "litert"
    """The target that the program is placed for, which the metadata of the file names."""
    integers_only: bool = False
    """Compute sums and products of quantised numbers in integers, whose kernels round in other ways than ONNX."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the file; there is no text to write."""
        self.write(self.model(module))

    def model(self, module: ModuleOp, imported: Imported | None = None) -> LiteModel:
        """The model to write. Its weights come from the imported model, if there is one."""
        if not self.path:
            raise DiagnosticException("a model is not text: choose a file with -o model.tflite")
        try:
            require("litert")
        except MissingExtraError as error:
            raise DiagnosticException(str(error)) from error
        # Imported late: the package ai-edge-litert is an extra.
        from .exporting import MadeFor, to_litert

        source = None if imported is None else weights_of(imported)
        made_for = MadeFor(self.hardware, self.integers_only)
        return to_litert(module, Path(self.directory), source, made_for=made_for)

    def write(self, model: LiteModel) -> None:
        """Write the file, whole or not at all."""
        from .exporting import write_model

        try:
            write_model(model, Path(self.path))
        except OSError as error:
            raise DiagnosticException(f"cannot write '{self.path}': {error.strerror}") from error


def weights_of(imported: Imported) -> Source:
    """A source for the constants of an imported program."""
    from ...dialects.npu.attrs import Reference

    def find(reference: Reference) -> StoredTensor | None:
        tensor = imported.weights.get(reference.key)
        if tensor is not None and not tensor.has_data:
            raise DiagnosticException(f"the data of '{reference.key}' is missing in the imported model")
        return None if tensor is None else tensor.stored()

    return find
