"""Choice of the output format."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec, parse_spec

from ...text.diagnostics import Report, ReportedError

if TYPE_CHECKING:
    from ...bridges.onnx.importing.importer import Imported

MODEL_ENDING = ".onnx"


class DefaultFormat(str):
    """The default output format, distinguished from an explicit one."""


def settle_format(args: argparse.Namespace) -> bool:
    """Choose the default format by the output file name. Returns True if the format writes its own file.

    Models are not text: their target gets the output path, and the folder of the program's files.
    """
    names_file = args.output_file not in (None, "-")
    if isinstance(args.target, DefaultFormat) and names_file and args.output_file.endswith(MODEL_ENDING):
        args.target = "onnx"
    spec = parse_spec(args.target)
    if spec.name == "tosa":
        _set_constant_directory(args, spec)
        return False
    if spec.name != "onnx":
        return False
    if args.split_input_file:
        raise ReportedError(Report("a model is one program, but --split-input-file makes several"))
    if "path" in spec.parameters and names_file:
        raise ReportedError(Report("-o and path= both give the file of the model"))
    given = {"path": (args.output_file,)} if names_file else {}
    args.target = str(ArgSpec(spec.name, {**_folder(args), **given, **spec.parameters}))
    return True


def _set_constant_directory(args: argparse.Namespace, spec: ArgSpec) -> None:
    """MLIR modules have no constants in files: those of a model are inlined, others are read from the directory."""
    args.target = str(ArgSpec(spec.name, {**_folder(args), **spec.parameters}))
    if args.weights is None:
        args.weights = "inline"


def _folder(args: argparse.Namespace) -> dict[str, tuple[str]]:
    """The folder of the program's files, as a target option."""
    reads_file = args.input_file not in (None, "-")
    return {"directory": (str(Path(args.input_file).parent),)} if reads_file else {}


def write_model(module: ModuleOp, target: str, imported: Imported) -> None:
    """Export a program that was imported from a model."""
    from ...bridges.onnx.target import OnnxTarget

    OnnxTarget.from_spec(parse_spec(target)).write(module, imported)
