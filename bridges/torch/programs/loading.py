"""Exported programs: from files (`.pt2`), into files, and as modules."""

from __future__ import annotations

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import IO, Any, cast
from warnings import catch_warnings, simplefilter
from zipfile import ZipFile, is_zipfile

import torch
from torch.export import ExportedProgram
from torch.export.pt2_archive._package import load_pt2
from xdsl.dialects.builtin import ModuleOp

from ...fixed_sizes import NO_SIZES, FixedSizes
from ...imported import Imported
from ..errors import FxError, brief, line_of_error, placed
from ..exporting.convert import as_calls
from ..importing.convert import to_npu
from .reading import FxProgram, read
from .resizing import with_fixed_sizes
from .writing import written

MISSING = re.compile(r"failed locating file (\S+): file not found")


def load_program(path: Path) -> ExportedProgram:
    """The program in a file. Raises `FxError`, or `OSError` if the file cannot be read."""
    with path.open("rb") as file, _quiet():
        try:
            return torch.export.load(cast("Any", file))
        except Exception as error:
            # The loader has no superclass of what it raises.
            raise FxError(f"no program that torch.export.save wrote: {_reason(path, error)}") from error


def _reason(path: Path, error: Exception) -> str:
    """The reason why a file has no program: the loader logs one that it goes on after."""
    if not is_zipfile(path):
        return "it is no zip archive, or one that is cut off"
    try:
        with ZipFile(path) as archive:
            names = {name.partition("/")[2] for name in archive.namelist()}
            damaged = archive.testzip()
    except Exception:
        # The reader has no superclass of what it raises for texts, sizes and codes that are none.
        return "the archive is damaged"
    if "archive_format" not in names:
        return "it is another archive, or one that is cut off"
    if damaged is not None:
        return f"'{damaged}' in the archive is damaged"
    if not any(name.startswith("models/") for name in names):
        return "the archive has no program"
    try:
        load_pt2(str(path))
    except Exception as first:
        # The one that was logged.
        error = first
    missing = MISSING.search(str(error))
    return f"the archive has no '{missing[1]}'" if missing else brief(error)


def export_module(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any
) -> ExportedProgram:
    """The program of a module. Raises `FxError` with the line of the user's that PyTorch refuses."""
    # PyTorch prints the graph that it has not finished.
    with _quiet(), redirect_stderr(StringIO()):
        try:
            return torch.export.export(module, args, kwargs, dynamic_shapes=dynamic_shapes)
        except Exception as error:
            # PyTorch has no superclass of what it raises.
            place = line_of_error(error.__traceback__)
            raise FxError(f"{f'{place}: ' * bool(place)}the module cannot be exported: {brief(error)}") from error


def save_program(program: ExportedProgram, file: IO[bytes]) -> None:
    with _quiet():
        torch.export.save(program, cast("Any", file))


def import_program(
    program: ExportedProgram,
    weights_file: str = "weights.safetensors",
    inline_limit: int | None = 1024,
    fixed: FixedSizes = NO_SIZES,
) -> Imported:
    """A program as a module with a function `@main`. Raises `FxError`.

    Constants up to `inline_limit` bytes are written out, all with None; the others refer to `weights_file`. Inputs have
    the sizes that are fixed. Calls that the dialect has no op for stay.
    """
    with _quiet():
        if fixed:
            program = with_fixed_sizes(program, fixed)
        if program.dialect == "TRAINING":
            # In-place operators and views of memory become operators that compute new values.
            program = _functional(program)
        found = read(program, weights_file, inline_limit)
    weights = {**found.weights}
    found.came.came = to_npu(found.module, weights)
    return replace(found, weights=weights)


def _functional(program: ExportedProgram) -> ExportedProgram:
    try:
        return cast("Any", program).run_decompositions({})
    except Exception as error:
        # PyTorch has no superclass of what it raises.
        raise FxError(placed(f"the program cannot be made functional: {brief(error)}", str(error))) from error


def export_program(imported: Imported, module: ModuleOp) -> ExportedProgram:
    """The program of a module that was imported as this one. Raises `NotExportable`."""
    came: FxProgram = imported.came
    with _quiet():
        return written(came, as_calls(module, came.came, came.program.dialect == "EDGE"))


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
