"""The engines of npu-run: MLIR and LLVM, the interpreter in numpy, and LiteRT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException

from ....bridges.extra import MissingExtraError, require
from ....compat.process import temporary_folder
from ....compat.xdsl import failing_op, without_module_dumps
from ....interpreter import Environment, InterpreterError
from ....interpreter import run as interpret
from ....text.diagnostics import Report, ReportedError, report_op_error, summarize
from ..console.progress import Progress
from ..formats.program import Program
from .foreign_ops import environment_in
from .lite_models import is_lite_model, load_lite_model

Array: TypeAlias = NDArray[Any]
Executable: TypeAlias = Callable[[Sequence[Array]], Sequence[Array]]
"""An executable function of its inputs."""

ENGINES: Mapping[str, str] = {
    "mlir": "compile by MLIR and LLVM (default)",
    "numpy": "interpret (default for models with nodes without an op, which the package onnx or PyTorch runs)",
    "litert": "run by LiteRT with XNNPACK on one thread (default for .tflite), all else than .tflite exported first",
}
"""The engines, each with its help."""


def executable(program: Program, function: FuncOp, engine: str, directory: Path, progress: Progress) -> Executable:
    """An executable of a function: compiled, interpreted, or run by LiteRT."""
    match engine:
        case "numpy":
            environment = environment_in(directory)
            return lambda arrays: interpreted(program, function.sym_name.data, arrays, environment)
        case "litert":
            return run_by_litert(program, function, directory, progress)
        case _:
            return compiled(program, function, directory, progress)


def interpreted(program: Program, name: str, arrays: Sequence[Array], environment: Environment) -> Sequence[Array]:
    """Interpret a function."""
    try:
        return interpret(program.module, name, arrays, environment)
    except InterpreterError as error:
        place = program.name if error.op is None else program.place(error.op)
        raise ReportedError(Report(str(error), place)) from error


def compiled(program: Program, function: FuncOp, directory: Path, progress: Progress) -> Executable:
    """Compile a function by MLIR's passes and LLVM."""
    try:
        require("mlir")
    except MissingExtraError as error:
        raise ReportedError(Report(f"{error}; or use --engine=numpy")) from error
    # Imported late: the bindings are optional.
    from ....bridges.mlir.engine import Compiled
    from ....bridges.mlir.errors import CompileError
    from ....bridges.mlir.exporting.program import lowered, mlir_context, numbers_in, signature

    try:
        with without_module_dumps(), mlir_context():
            with progress.step("lowering"):
                module = lowered(program.module, numbers_in(directory))
            with progress.step("compiling") as step:
                return Compiled(module, function.sym_name.data, signature(function), step.update).run
    except DiagnosticException as error:
        raise _at_its_op(error, program) from error
    except CompileError as error:
        raise ReportedError(Report(str(error), program.name)) from error


def run_by_litert(program: Program, function: FuncOp, directory: Path, progress: Progress) -> Executable:
    """Load a LiteRT model, or what a function is exported as."""
    if is_lite_model(program.name):
        engine = load_lite_model(Path(program.name), program.name)
    else:
        # LiteRT maps the file, which may be removed then.
        with progress.step("exporting"), temporary_folder() as folder:
            file = folder / "model.tflite"
            export(program, function, directory, file)
            engine = load_lite_model(file, program.name)
    from ....bridges.litert.engine import LiteRunError

    def run(arrays: Sequence[Array]) -> Sequence[Array]:
        try:
            return engine.run(arrays)
        except LiteRunError as error:
            raise ReportedError(Report(str(error), program.name)) from error

    return run


def export(program: Program, function: FuncOp, directory: Path, file: Path) -> None:
    """Write the LiteRT model of a function, with all that it calls."""
    try:
        require("litert")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    # Imported late: the package ai-edge-litert is an extra.
    from ....bridges.litert.exporting import to_litert, write_model

    try:
        with without_module_dumps():
            write_model(to_litert(program.module, directory, function=function), file)
    except DiagnosticException as error:
        raise _at_its_op(error, program) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot write: {error.strerror}", str(file))) from error


def _at_its_op(error: DiagnosticException, program: Program) -> ReportedError:
    """An error about an op, with its place."""
    op = failing_op(error)
    if op is None or program.source is None:
        place = program.name if op is None else program.place(op)
        return ReportedError(Report(summarize(error), place))
    return ReportedError(report_op_error(op, summarize(error), program.source, program.name))
