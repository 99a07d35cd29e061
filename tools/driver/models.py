"""ONNX models as input of the tools."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ...text.diagnostics import Report, ReportedError
from .output import write_binary_file

if TYPE_CHECKING:
    # Not at run time: the package onnx is an extra, and slow to load, and --help does without the dialect.
    from ...bridges.onnx.importing.importer import Imported, Options, Progress
    from ...dialects.npu.attrs import Reference
    from ...dialects.npu.source import ConstantOp

INLINE_LIMIT = 1024
"""Up to how many bytes a constant is written out."""


def is_model(file: str) -> bool:
    """Whether a file is an ONNX model by its name."""
    return file.endswith(".onnx")


@dataclass(frozen=True, slots=True)
class Weights:
    """What is to become of the weights of a model."""

    choice: str | None = None
    """`inline`, `none`, a file, or None for the file beside the output."""
    inline_limit: int = INLINE_LIMIT
    output: str | None = None
    """The output file; None is standard output."""

    @property
    def file(self) -> Path | None:
        """The file that the weights are written to, if to any."""
        if self.choice in ("inline", "none"):
            return None
        if self.choice is not None:
            return Path(self.choice)
        return None if self.output is None else Path(self.output).with_suffix(".safetensors")

    def options(self, model: str) -> Options:
        """What the importer is told."""
        from ...bridges.onnx.importing.importer import Options

        if self.file is None:
            name = Path(self.output or model).with_suffix(".safetensors").name
        else:
            name = os.path.relpath(self.file, Path(self.output or "").parent)
        limit = None if self.choice == "inline" else self.inline_limit
        return Options(Path(name).as_posix(), limit, needs_data=self.choice != "none")


def read_model(file: str, weights: Weights, progress: Progress | None = None) -> Imported:
    """Import a model; what is wrong with it is raised as a `ReportedError`."""
    from ...bridges.extra import MissingExtraError, require

    try:
        require("onnx")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    from ...bridges.onnx.errors import OnnxError
    from ...bridges.onnx.importing.importer import import_model

    try:
        return import_model(Path(file), weights.options(file), progress)
    except OnnxError as error:
        raise ReportedError(Report(str(error), file)) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot read '{error.filename or file}': {error.strerror}")) from error


def references(module: ModuleOp) -> Iterator[tuple[ConstantOp, Reference]]:
    """The constants of a module that are kept in files."""
    from ...dialects.npu.attrs import ReferenceAttr
    from ...dialects.npu.source import ConstantOp

    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
            yield op, op.value.data


def write_weights(imported: Imported, keys: set[str], file: Path) -> None:
    """Write the tensors with these keys, as far as the model has their numbers."""
    from ...bridges.safetensors import write_tensors

    tensors = {key: tensor.stored() for key, tensor in imported.weights.items() if key in keys and tensor.has_data}
    if not tensors:
        return
    try:
        write_binary_file(str(file), lambda stream: write_tensors(stream, tensors))
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error
