"""Choice of the output format."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, parse_spec
from xdsl.utils.exceptions import DiagnosticException

from ....bridges.changed_nodes import ChangedNodes
from ....bridges.files import is_special
from ....text.diagnostics import Report, ReportedError
from ..console.command_text import changed_command

if TYPE_CHECKING:
    from ....bridges.imported import Imported
    from ....bridges.moved_data import MovedData
    from ....dialects.settings.file_rules import FileRules
    from ....passes.common.moves.transpose_cost import Cost
    from ....targets import Target

MODEL_FORMATS = {"litert": "TRANSPOSE", "onnx": "Transpose", "torch": "permute"}
"""The formats that are files of models, with the word for a transpose. A model is placed for the target of its name."""

SYSTEMS = {"litert": "LiteRT", "onnx": "ONNX", "torch": "PyTorch"}

FORMATS = {
    ".dot": "dot",
    ".mlir": "mlir",
    ".mmd": "mermaid",
    ".onnx": "onnx",
    ".pt2": "torch",
    ".svg": "svg",
    ".tflite": "litert",
}
"""The output format of each ending of a file name."""

GRAPHS = ("dot", "mermaid", "svg")

REFUSED = {
    ".json": "-t model-explorer writes a graph as JSON, --stats=json and --remarks=json print JSON to stderr",
}
"""Endings that a user may expect to work, and the reason why they do not."""


class DefaultFormat(str):
    """The default output format, distinguished from an explicit one."""


OUTPUTS = {
    "-o": "output_file",
    "--report": "report",
    "--save-plan": "save_plan",
    "--certificate": "certificate",
    "--reproducer": "reproducer",
}
"""The options that name a file to write, and their attributes."""


def _check_outputs(args: argparse.Namespace) -> None:
    """Check that no two options write the same file."""
    files: dict[str, str] = {}
    for option, attribute in OUTPUTS.items():
        file = getattr(args, attribute)
        if file in (None, "-") or is_special(Path(file)):
            continue
        other = files.setdefault(realpath(file), option)
        if other != option:
            raise ReportedError(Report(f"{other} and {option} both write '{file}'"))
        # The file of a failing run is no reason not to run.
        if option != "--reproducer":
            _check_folder(file)


def _check_folder(file: str) -> None:
    """Check that the folder of an output is there, before its weights or anything else is written into it."""
    try:
        os.stat(os.path.join(os.path.dirname(file) or os.curdir, ""))
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error


def settle_format(args: argparse.Namespace) -> bool:
    """Choose the default format by the output file name. Returns True if the format writes its own file.

    Models are not text: their target gets the output path, and the folder of the program's files.
    """
    _check_outputs(args)
    names_file = args.output_file not in (None, "-")
    if isinstance(args.target, DefaultFormat) and names_file:
        args.target = _format_of(args.output_file)
    spec = parse_spec(args.target)
    if args.collapse is not None:
        args.target = _with_collapse(spec, args.collapse)
    if spec.name in ("tfl-mlir", "tosa"):
        _set_constant_directory(args, spec)
        return False
    if spec.name not in MODEL_FORMATS:
        return False
    if args.hardware is None:
        args.hardware = spec.name
    if args.split_input_file:
        raise ReportedError(Report("a model is one program, but --split-input-file makes several"))
    if "path" in spec.parameters and names_file:
        raise ReportedError(Report("-o and path= both give the file of the model"))
    given: dict[str, ParameterListType] = {"path": (args.output_file,)} if names_file else {}
    if spec.name == "onnx" != args.hardware and "nchwc" not in spec.parameters:
        given["nchwc"] = (_hardware(args.hardware).nchwc,)
    if spec.name == "litert":
        given["hardware"] = (args.hardware,)
        if "integers_only" not in spec.normalize_parameter_names().parameters:
            given["integers-only"] = (_hardware(args.hardware).integers_only,)
    args.target = str(ArgSpec(spec.name, {**_folder(args), **given, **spec.parameters}))
    return True


def _hardware(name: str) -> Target:
    # Imported late: most runs have no target here.
    from .... import targets

    return targets.load(name)


def _with_collapse(spec: ArgSpec, collapse: bool) -> str:
    if spec.name not in GRAPHS:
        raise ReportedError(Report(f"argument --collapse: {spec.name} is no graph (-t {', '.join(GRAPHS)})"))
    return str(ArgSpec(spec.name, {"collapse": (collapse,), **spec.parameters}))


def _format_of(file: str) -> str:
    """The output format of a file name; raises `ReportedError`."""
    path = Path(file)
    # Pipes and devices have any name; a folder is an error when it is written to.
    if is_special(path):
        return "mlir"
    ending = path.suffix.lower()
    if (format := FORMATS.get(ending or ".mlir")) is not None:
        return format
    known = ", ".join(FORMATS)
    reason = REFUSED.get(ending, f"'{ending}' is the ending of no output format ({known}); -t chooses one for any name")
    raise ReportedError(Report(f"cannot write '{file}': {reason}"))


def _set_constant_directory(args: argparse.Namespace, spec: ArgSpec) -> None:
    """MLIR modules have no constants in files: those of a model are inlined, others are read from the directory."""
    args.target = str(ArgSpec(spec.name, {**_folder(args), **spec.parameters}))
    if args.weights is None:
        args.weights = "inline"


def _folder(args: argparse.Namespace) -> dict[str, tuple[str]]:
    """The folder of the program's files, as a target option."""
    reads_file = args.input_file not in (None, "-")
    return {"directory": (str(Path(args.input_file).parent),)} if reads_file else {}


class Model(Protocol):
    """A model in the format of its file."""

    @property
    def moves(self) -> MovedData: ...

    @property
    def note(self) -> str: ...

    @property
    def came(self) -> int: ...

    @property
    def changed(self) -> int: ...


class ModelFormat(Protocol):
    """A format whose files are models."""

    @property
    def path(self) -> str: ...

    def model(self, module: ModuleOp, imported: Imported | None = None, *rules: FileRules) -> Any: ...

    def write(self, model: Any) -> None: ...


@dataclass(frozen=True)
class ModelFile:
    """A model that is ready to be written."""

    format: ModelFormat
    format_name: str
    model: Model

    @property
    def path(self) -> str:
        return self.format.path

    @property
    def cost(self) -> Cost:
        """The cost of the transposes in the file."""
        from ....passes.common.moves.transpose_cost import Cost

        moves = self.model.moves
        return Cost(moves.transposes, moves.bytes, moves.is_estimated)

    @property
    def nodes(self) -> ChangedNodes:
        """The nodes of the model that came."""
        return ChangedNodes(self.model.changed, self.model.came)

    def write(self) -> None:
        """Write the file, whole or not at all."""
        self._write(self.format)

    def write_to(self, path: Path) -> None:
        """Write the same file elsewhere."""
        format: Any = self.format
        self._write(replace(format, path=str(path)))

    def _write(self, format: ModelFormat) -> None:
        try:
            format.write(self.model)
        except DiagnosticException as error:
            raise ReportedError(Report(str(error))) from error


def exported_model(module: ModuleOp, target: str, imported: Imported | None, hardware: str | None = None) -> ModelFile:
    """The model of a program for some hardware, with the weights of the imported model, if there is one."""
    # Imported late: --help does not load the dialects.
    from ....bridges.torch.stayed import naming_stayed

    spec = parse_spec(target)
    format = _format_class(spec.name).from_spec(spec)
    rules = (_hardware(hardware or spec.name).file_rules,) if spec.name == "onnx" else ()
    with naming_stayed(imported, module):
        return ModelFile(format, spec.name, format.model(module, imported, *rules))


def tosa_text(module: ModuleOp, target: str) -> tuple[str, Cost]:
    """A program as a module of TOSA, and the cost of the transposes in it."""
    # Imported late: the bindings are an extra.
    from ....bridges.mlir.target import TosaTarget
    from ....passes.common.moves.transpose_cost import Cost

    text, moves = TosaTarget.from_spec(parse_spec(target)).written(module)
    return f"{text}\n", Cost(moves.transposes, moves.bytes, moves.is_estimated)


def tosa_note(name: str, found: Cost, program: Cost) -> str:
    """The transposes in a module of TOSA, if the program has fewer."""
    more = found.transposes - program.transposes
    if more <= 0:
        return ""
    count = f"{found.transposes} transpose{'s' * (found.transposes != 1)}"
    moved = f"of {found.bytes_text} bytes"
    return f"{name}: note: {count} in the file, {moved}; {more} of them in what MLIR has for other ops\n"


def _format_class(name: str) -> Any:
    if name == "litert":
        from ....bridges.litert.target import LiteRtTarget

        return LiteRtTarget
    if name == "torch":
        from ....bridges.torch.target import TorchTarget

        return TorchTarget
    from ....bridges.onnx.target import OnnxTarget

    return OnnxTarget


def note_of(
    file: ModelFile, program: Cost, unchanged: Sequence[str], placed_for: Collection[str], command: Sequence[str]
) -> str:
    """The transposes in the file of a model, the reason for more than in the program, and what else may hold some.

    The program was placed for these targets by this command.
    """
    found, word = file.cost, MODEL_FORMATS[file.format_name]
    count = f"{found.transposes} {word}{'s' * (found.transposes != 1)}"
    # Imported late: --help does not load the dialects.
    from ....dialects.settings.assumed_sizes import assumption

    moved = f", of {found.bytes_text} bytes{assumption(found.is_assumed)}" if found.transposes else ""
    views = file.model.moves.views
    shown = "" if views is None else f", {views} view{'s' * (views != 1)}"
    text = f"{file.path}: note: {count}{shown} in the file{moved}"
    if idle := file.model.moves.idle:
        text += f"; {idle} more move{'s' * (idle == 1)} nothing"
    if (more := found.transposes - program.transposes) > 0:
        system = SYSTEMS[file.format_name]
        if file.format_name in placed_for:
            ops = ", ".join(file.model.moves.parts_of) or "other ops"
            text += f"; {more} of them in what {system} has for {ops}"
        else:
            flags = ["-O", f"--target={file.format_name}"]
            text += (
                f"; {more} of them only because {system} lacks the layouts of these ops"
                f" (run: {changed_command(command, flags, keeps_passes=False)})"
            )
    text += "".join(f"; {each}" for each in unchanged)
    if file.nodes.came:
        text += f"; {file.nodes.text}"
    if program.unit:
        text += f"; the program costs {program.ticks_text} {program.unit}"
    return f"{text}\n{file.path}: note: {file.model.note}" if file.model.note else text
