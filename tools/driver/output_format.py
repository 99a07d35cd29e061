"""Which format the output has, and who writes it."""

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
    """The output format of a command line that names none."""


def settle_format(args: argparse.Namespace) -> bool:
    """Choose the format by the ending of the output file where none is named; whether it writes its own file.

    Models are not text: their target learns where to write them, and where the program's own files lie.
    """
    names_file = args.output_file not in (None, "-")
    if isinstance(args.target, DefaultFormat) and names_file and args.output_file.endswith(MODEL_ENDING):
        args.target = "onnx"
    spec = parse_spec(args.target)
    if spec.name == "tosa":
        _tell_where_constants_are(args, spec)
        return False
    if spec.name != "onnx":
        return False
    if args.split_input_file:
        raise ReportedError(Report("a model is one program, and --split-input-file makes several of one file"))
    if "path" in spec.parameters and names_file:
        raise ReportedError(Report("-o and path= both say where to write the model"))
    given = {"path": (args.output_file,)} if names_file else {}
    args.target = str(ArgSpec(spec.name, {**_folder(args), **given, **spec.parameters}))
    return True


def _tell_where_constants_are(args: argparse.Namespace, spec: ArgSpec) -> None:
    """Upstream MLIR has no constants in files: those of a model are read with it, others when they are written."""
    args.target = str(ArgSpec(spec.name, {**_folder(args), **spec.parameters}))
    if args.weights is None:
        args.weights = "inline"


def _folder(args: argparse.Namespace) -> dict[str, tuple[str]]:
    """Where the files of the program's constants are, as an option."""
    reads_file = args.input_file not in (None, "-")
    return {"directory": (str(Path(args.input_file).parent),)} if reads_file else {}


def write_model(module: ModuleOp, target: str, imported: Imported) -> None:
    """Write a program that was imported from a model as a model again."""
    from ...bridges.onnx.target import OnnxTarget

    OnnxTarget.from_spec(parse_spec(target)).write(module, imported)
