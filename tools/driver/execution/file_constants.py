"""Execution of programs with constants in files."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr

from ....compat.process import temporary_folder
from ....equivalence.numbers import CannotRun, Runner
from ....interpreter import run
from ....text.diagnostics import ReportedError
from ..console.output import Say, say
from ..formats.models import references, write_weights
from ..formats.program import Program
from .foreign_ops import environment_in
from .lite_models import is_lite_model, load_lite_model
from .tosa_texts import compiled_runner, is_compiled

MAIN = "main"
"""The function that is the first graph of a model."""


def directory_of(program: Program) -> Path:
    """The folder of a program, which contains the files of its constants."""
    return Path(program.name).parent if program.name != "<stdin>" else Path()


@contextmanager
def constants_of(program: Program) -> Generator[Path]:
    """A folder with the files of a program's constants; those of a model are written to a temporary one."""
    if program.imported is None:
        yield directory_of(program)
        return
    with temporary_folder() as folder:
        by_file: dict[str, set[str]] = {}
        for _, reference in references(program.module):
            by_file.setdefault(reference.file, set()).add(reference.key)
        for file, keys in by_file.items():
            write_weights(program.imported, keys, folder / Path(file).name)
        yield folder


@contextmanager
def runner_of(program: Program, note: Say = say) -> Generator[Runner]:
    """A runner of a program: LiteRT, PyTorch, ONNX Runtime if it is installed, MLIR for TOSA, else the interpreter.

    `note` gets a message if ONNX Runtime does not run a model.
    """
    if program.is_file and is_lite_model(program.name):
        yield _lite_runner(program.name)
        return
    if program.imported is not None and program.imported.format == "torch" and program.is_file:
        # Imported late: the package torch is an extra.
        from ....bridges.torch.programs.engine import program_runner

        run_main = program_runner(program.imported.came)
        yield lambda _, inputs: run_main(inputs)
        return
    is_onnx = program.imported is not None and program.imported.format == "onnx"
    if is_onnx and program.is_file and (session := _session(program, note)) is not None:
        yield session
        return
    with constants_of(program) as directory:
        interpreted = _Interpreted(program, directory)
        yield compiled_runner(program, interpreted) if is_compiled(program) else interpreted


def has_engine(program: Program) -> bool:
    """True if a program is run by something else than the interpreter."""
    if program.imported is None or not program.is_file:
        return is_compiled(program)
    return program.imported.format in ("litert", "torch") or find_spec("onnxruntime") is not None


class _Interpreted:
    def __init__(self, program: Program, directory: Path):
        self._module = program.module
        self._environment = environment_in(directory)

    def __call__(self, name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        return run(self._module, name, inputs, self._environment)


def _session(program: Program, note: Say) -> Runner | None:
    """A session of ONNX Runtime, or None if it is not installed or does not support the model."""
    try:
        # By name: the package is untyped and optional.
        onnxruntime: Any = import_module("onnxruntime")
    except ImportError:
        note("note: onnxruntime is not installed; the model is run by npu-opt's own interpreter")
        return None
    if (problem := _other_blocks(program)) is not None:
        note(f"note: ONNX Runtime does not run {program.name}: {problem}")
        return None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # Optimisations round otherwise, and a model may differ from itself.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(program.name, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        note(f"note: ONNX Runtime does not run {program.name}: {_last_words(error)}")
        return None

    def runner(name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        names = [each.name for each in session.get_inputs()]
        try:
            return session.run(None, dict(zip(names, inputs, strict=True)))
        except Exception as error:
            raise CannotRun(f"ONNX Runtime: {_last_words(error)}") from error

    return runner


def _other_blocks(program: Program) -> str | None:
    """The reason why ONNX Runtime would compute other numbers than a model with blocks means, or None."""
    opsets = program.module.attributes.get("onnx.opsets")
    if not isinstance(opsets, DictionaryAttr) or "com.microsoft.nchwc" not in opsets.data:
        return None
    # Imported late: it imports the package onnx.
    from ....bridges.onnx.nchwc import noted_in, size_of_runtime

    noted, size = noted_in(program.module), size_of_runtime()
    if noted in (None, size):
        return None
    return f"its blocks have {size or 'no'} channels on this machine, and {noted} in the model"


def _lite_runner(file: str) -> Runner:
    """A run of the first graph of a LiteRT model."""
    from ....bridges.litert.engine import LiteRunError

    try:
        engine = load_lite_model(Path(file), file)
    except ReportedError as error:
        # Such as an op of another vendor: what the proof has found counts without a run.
        return _not_run(error.report.message)

    def runner(name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        if name != MAIN:
            raise CannotRun(f"LiteRT runs the first graph of {file}, and not @{name}")
        try:
            return engine.run(inputs)
        except LiteRunError as error:
            raise CannotRun(str(error)) from error

    return runner


def _not_run(reason: str) -> Runner:
    def runner(name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        raise CannotRun(reason)

    return runner


def _last_words(error: Exception) -> str:
    """The message of ONNX Runtime without its source positions."""
    return str(error).splitlines()[0].rpartition(") ")[2]
