"""Exported programs: from files (`.pt2`), into files, and as modules."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, cast
from warnings import catch_warnings, simplefilter

import torch
from torch.export import ExportedProgram
from xdsl.dialects.builtin import ModuleOp

from ...fixed_sizes import NO_SIZES, FixedSizes
from ...imported import Imported
from ..errors import FxError
from ..exporting.convert import as_calls
from ..importing.convert import to_npu
from .reading import FxProgram, read
from .resizing import with_fixed_sizes
from .writing import written


def load_program(path: Path) -> ExportedProgram:
    """The program in a file. Raises `FxError`, or `OSError` if the file cannot be read."""
    with path.open("rb") as file, _quiet():
        try:
            return torch.export.load(cast("Any", file))
        except Exception as error:
            # The loader has no superclass of what it raises.
            raise FxError(f"no program that torch.export.save wrote: {brief(error)}") from error


def save_program(program: ExportedProgram, file: IO[bytes]) -> None:
    with _quiet():
        torch.export.save(program, cast("Any", file))


def import_program(
    program: ExportedProgram,
    weights_file: str = "weights.safetensors",
    inline_limit: int | None = 1024,
    fixed: FixedSizes = NO_SIZES,
    keeps_rows: bool = False,
) -> Imported:
    """A program as a module with a function `@main`. Raises `FxError`.

    Constants up to `inline_limit` bytes are written out, all with None; the others refer to `weights_file`. Inputs have
    the sizes that are fixed. Calls that the dialect has no op for stay; for `keeps_rows` see `to_npu`.
    """
    with _quiet():
        if fixed:
            program = with_fixed_sizes(program, fixed)
        if program.dialect == "TRAINING":
            # In-place operators and views of memory become operators that compute new values.
            program = cast("Any", program).run_decompositions({})
        found = read(program, weights_file, inline_limit)
    weights = {**found.weights}
    found.came.came = to_npu(found.module, weights, keeps_rows)
    return replace(found, weights=weights)


def export_program(imported: Imported, module: ModuleOp) -> ExportedProgram:
    """The program of a module that was imported as this one. Raises `NotExportable`."""
    came: FxProgram = imported.came
    with _quiet():
        return written(came, as_calls(module, came.came, came.program.dialect == "EDGE"))


def brief(error: Exception) -> str:
    """The message of an error of PyTorch in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


@contextmanager
def _quiet() -> Generator[None]:
    """Without the warnings and notes of PyTorch about its own code."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with catch_warnings():
            simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
