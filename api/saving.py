"""Programs as files and as ONNX models."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ..bridges.extra import MissingExtraError, require
from ..bridges.files import check_writable, replaced
from ..bridges.litert.target import LiteRtTarget
from ..bridges.onnx.target import OnnxTarget
from ..bridges.torch.stayed import naming_stayed
from ..bridges.torch.target import TorchTarget
from ..interpreter.files import is_below
from ..targets import Target as Hardware
from ..tools.driver.execution.file_constants import constants_of, directory_of
from ..tools.driver.formats.models import draft_weights, references, rename_file, used_weights
from ..tools.driver.formats.output_format import FORMATS, REFUSED
from ..tools.driver.formats.program import Program, new_context
from ..tools.driver.formats.text_target import TextTarget
from ..tools.driver.pipeline.output_formats import OWN_FORMATS
from .errors import NpuOptError, raised_as_own, wrong_argument

if TYPE_CHECKING:
    from onnx import ModelProto

Format: TypeAlias = Literal["mlir", "onnx", "litert", "torch", "tosa", "mermaid", "dot", "svg", "model-explorer"]


def save(program: Program, path: str | os.PathLike[str], format: Format | None, hardware: Hardware) -> None:
    """Write a program that was placed for some hardware, whole or not at all."""
    file = Path(path)
    chosen = _chosen_format(file, format)
    with raised_as_own(program.name), _writes(file), naming_stayed(program.imported, program.module):
        if chosen == "mlir":
            _save_mlir(program, file)
        elif chosen == "onnx":
            target = OnnxTarget(str(file), str(directory_of(program)), nchwc=hardware.nchwc)
            target.write(target.model(program.module, program.imported, hardware.file_rules))
        elif chosen == "litert":
            lite = LiteRtTarget(str(file), str(directory_of(program)), integers_only=hardware.integers_only)
            lite.write(lite.model(program.module, program.imported))
        elif chosen == "torch":
            exported = TorchTarget(str(file))
            exported.write(exported.model(program.module, program.imported))
        else:
            _write(_text(program, chosen), file)


def as_onnx(program: Program, opset: int | None, hardware: Hardware) -> ModelProto:
    """A program as an ONNX model with all weights in memory."""
    try:
        require("onnx")
    except MissingExtraError as error:
        raise NpuOptError(str(error)) from error
    # Imported late: the package onnx is an extra.
    from ..bridges.onnx.exporting import to_onnx, whole
    from ..bridges.onnx.exporting.originals import came_of, weights_of

    source = None if program.imported is None else weights_of(program.imported)
    came = came_of(program.imported)
    folder, has_nchwc = directory_of(program), hardware.nchwc
    with raised_as_own(program.name), naming_stayed(program.imported, program.module):
        return whole(to_onnx(program.module, opset, folder, source, has_nchwc, came=came, rules=hardware.file_rules))


def _chosen_format(file: Path, format: Format | None) -> Format:
    if format is not None:
        if format not in get_args(Format):
            raise wrong_argument("format", format, map(repr, get_args(Format)))
        return format
    ending = file.suffix.lower()
    if ending in FORMATS:
        return cast("Format", FORMATS[ending])
    expected = f"no format has this ending; expected one of {', '.join(FORMATS)}, or the argument format"
    raise NpuOptError(f"cannot write '{file}': {REFUSED.get(ending, expected)}")


def _save_mlir(program: Program, file: Path) -> None:
    if program.imported is None:
        _check_folder(program, file)
        _write(_printed(TextTarget(), program.module), file)
        return
    # References to other files than those of the model have no data, and stay unchanged.
    old = {reference.file for _, reference in references(program.module)}
    weights = file.with_suffix(".safetensors")
    draft = draft_weights(program.imported, used_weights(program.imported, program.module), weights)
    name = weights.name
    try:
        if draft is not None:
            name = draft.settle_name(file)
        module = program.module.clone()
        for each in old:
            rename_file(module, each, name)
        text = _printed(TextTarget(), module)
        check_writable(file)
        # The weights first: a program never refers to a file that is not complete.
        if draft is not None:
            draft.put_beside()
    finally:
        if draft is not None:
            draft.discard()
    _write(text, file)


def _check_folder(program: Program, file: Path) -> None:
    """Check that the constants in files, which are not copied, are found from the new program."""
    here, there = directory_of(program), file.parent
    for _, reference in references(program.module):
        if here.resolve() != there.resolve() and is_below(here, here / reference.file):
            raise NpuOptError(
                f"cannot write '{file}': constants are in '{here / reference.file}', and MLIR files refer to constants"
                f" in their own folder; expected a file in '{here}', or one that ends in .onnx"
            )


def _text(program: Program, format: Format) -> str:
    """A program in a format of text that has no constants in files."""
    if format != "tosa":
        return _printed(OWN_FORMATS[format]()(), program.module)
    # Imported late: the bindings are an extra.
    from ..bridges.mlir.target import TosaTarget

    with constants_of(program) as folder:
        return _printed(TosaTarget(str(folder)), program.module)


def _printed(target: Target, module: ModuleOp) -> str:
    context, output = new_context(), StringIO()
    # The resources of a program belong to the dialect builtin.
    context.get_dialect("builtin")
    target.emit(context, module, output)
    return output.getvalue()


def _write(text: str, file: Path) -> None:
    with replaced(file) as stream:
        stream.write(text.encode())


@contextmanager
def _writes(file: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise NpuOptError(f"cannot write '{file}': {error.strerror}") from error
