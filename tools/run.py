"""npu-run: executes a program, compiled by MLIR, interpreted, or run by LiteRT."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..compat.terminal import one_line
from ..dialects.npu.values import element_type_of, shape_text
from ..equivalence.numbers import CannotRun
from ..interpreter import InterpreterError, random_inputs
from ..interpreter.elements import holds, store
from ..interpreter.files import outside_allowed
from ..text.diagnostics import Report, ReportedError
from .driver.arguments import count
from .driver.engines import ENGINES, Executable, executable
from .driver.exit_codes import NO
from .driver.file_constants import constants_of, runner_of
from .driver.lite_models import is_lite_model, lite_program
from .driver.main import run_tool
from .driver.matched_ends import Ends, in_order
from .driver.output import open_streams, write_binary_file
from .driver.program import Program, new_context, read_program
from .driver.progress import Progress
from .driver.tool_parser import ToolParser

Array: TypeAlias = NDArray[Any]
TOLERANCE = 1e-4
"""The largest difference of floats, relative to the largest one of a result."""

DESCRIPTION = """\
Runs a function of a program: compiled by MLIR's passes and LLVM, interpreted, or by LiteRT.

Inputs and results are arrays in stored order, with the shapes in the signature.
"""

EXIT_CODES = """\
exit codes:
  0  it ran, and the results equal those of --compare
  1  the input or the arguments are invalid
  3  the results differ
"""


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-run", DESCRIPTION, EXIT_CODES)
    add = parser.add_argument
    add("program", metavar="PROGRAM", help="a program, an ONNX or LiteRT model, or - for standard input")
    add("--function", metavar="NAME", default="main", help="the function to run (default: main)")
    add("--input", metavar="NAME=FILE.npy", action="append", default=[], help="an input, by name or number from 0")
    add("--random", action="store_true", help="random inputs for those not given by --input (default without --input)")
    add("--seed", type=count, default=0, help="the seed of the random inputs (default: 0)")
    add("--engine", choices=ENGINES, help="; ".join(f"{name}: {help}" for name, help in ENGINES.items()))
    add("-o", "--output-file", metavar="FILE.npz", help="write the results to a file, as output_0, output_1, ...")
    add("--compare", metavar="PROGRAM", help="compare with the results of another program or model on the same inputs")
    add("--time", metavar="N", type=count, default=0, help="run N more times, and print the time of a run")
    parser.add_common_arguments()
    return parser.parse_args(args)


@dataclass(frozen=True)
class Inputs:
    """The inputs of a function, and their origins."""

    arrays: list[Array]
    origins: list[str]


def execute_program(arguments: argparse.Namespace, progress: Progress) -> int:
    """Run the tool and return the exit code."""
    context = new_context(arguments.allow_unregistered_dialect)
    with progress.step("reading"):
        own, others = arguments.frontend
        engine = arguments.engine or ("litert" if is_lite_model(arguments.program) else "mlir")
        program = read_to_run(arguments.program, context, own, engine)
        other = read_to_run(arguments.compare, context, others) if arguments.compare else None
    function = function_of(program, arguments.function)
    inputs = inputs_of(function, program, arguments)
    with constants_of(program) as directory:
        started = time.perf_counter()
        execute = executable(program, function, engine, directory, progress)
        ready = time.perf_counter() - started
        with progress.step("running"):
            results = [np.asarray(each) for each in execute(inputs.arrays)]
        print("\n".join(map(one_line, summary(program, function, engine, inputs, results))))
        if arguments.time:
            print(timed(execute, inputs.arrays, arguments.time, ready, progress))
    if arguments.output_file:
        write_results(arguments.output_file, results)
    return 0 if other is None else compared(program, other, arguments.function, inputs.arrays, results, progress)


def read_to_run(file: str, context: Context, frontend: str, engine: str = "litert") -> Program:
    """Read a program; of a LiteRT model that LiteRT runs only the signature."""
    if frontend or engine != "litert" or not is_lite_model(file):
        return read_program(file, context, frontend)
    return lite_program(file)


def function_of(program: Program, name: str) -> FuncOp:
    """The function of this name, which must have a body."""
    functions = {op.sym_name.data: op for op in program.module.ops if isinstance(op, FuncOp)}
    if name not in functions:
        known = ", ".join(f"@{each}" for each in functions) or "none"
        raise ReportedError(Report(f"there is no function @{name}; --function takes one of: {known}", program.name))
    if not functions[name].body.blocks:
        raise ReportedError(Report(f"@{name} is declared only", program.place(functions[name])))
    return functions[name]


def inputs_of(function: FuncOp, program: Program, arguments: argparse.Namespace) -> Inputs:
    """The arrays of the given files, and random ones for the rest."""
    values = function.body.block.args
    names = [value.name_hint or str(index) for index, value in enumerate(values)]
    files: dict[int, str] = {}
    for text in arguments.input:
        name, separator, file = text.partition("=")
        plain = name.removeprefix("%")
        if not separator or (plain not in names and not (plain.isdecimal() and int(plain) < len(names))):
            known = ", ".join(names) or "none"
            raise ReportedError(Report(f"--input {text}: expected NAME=FILE.npy with a name or number of: {known}"))
        files[names.index(plain) if plain in names else int(plain)] = file
    if files and len(files) < len(names) and not arguments.random:
        missing = ", ".join(name for index, name in enumerate(names) if index not in files)
        raise ReportedError(Report(f"no --input for: {missing}; use --random for the rest", program.name))
    given = {index: _loaded(file) for index, file in files.items()}
    dims = {(index, axis): size for index, array in given.items() for axis, size in enumerate(array.shape)}
    try:
        arrays = random_inputs(function, arguments.seed, dims)
    except InterpreterError as error:
        raise ReportedError(Report(str(error), program.name)) from error
    for index, array in given.items():
        element_type = element_type_of(values[index])
        if array.shape != arrays[index].shape or not holds(array, element_type):
            expected = f"{shape_text(arrays[index].shape)} of {element_type}"
            found = f"{shape_text(array.shape)} of {array.dtype}"
            raise ReportedError(Report(f"expected {expected} for input '{names[index]}', found {found}", files[index]))
        arrays[index] = store(array, element_type)
    return Inputs(arrays, [files.get(index, f"random, seed {arguments.seed}") for index in range(len(arrays))])


def _loaded(file: str) -> Array:
    try:
        return np.load(file, allow_pickle=False)
    except OSError as error:
        raise ReportedError(Report(f"cannot read: {error.strerror}", file)) from error
    except (ValueError, EOFError) as error:
        raise ReportedError(Report("not a .npy file of numbers", file)) from error


def summary(
    program: Program, function: FuncOp, engine: str, inputs: Inputs, results: Sequence[Array]
) -> Generator[str]:
    """The lines that are printed for a run."""
    yield f"{program.name}: @{function.sym_name.data}, by {engine}"
    names = [f"%{value.name_hint or index}" for index, value in enumerate(function.body.block.args)]
    types = function.function_type
    rows = [("input", *row) for row in zip(names, inputs.arrays, types.inputs, inputs.origins, strict=True)]
    ranges = map(_range, results)
    rows += [
        ("output", *row) for row in zip(map(str, range(len(results))), results, types.outputs, ranges, strict=True)
    ]
    width = max((len(name) for _, name, *_ in rows), default=0)
    for kind, name, array, type_, note in rows:
        element_type = cast("TensorType[Attribute]", type_).element_type
        yield f"  {kind:6} {name:{width}}  {shape_text(array.shape)} of {element_type}: {note}"


def _range(array: Array) -> str:
    if not array.size:
        return "no elements"
    if array.dtype == np.bool_:
        return f"{np.count_nonzero(array)} of {array.size} true"
    numbers = array.astype(np.float64)
    with np.errstate(all="ignore"):
        text = f"{numbers.min():.6g} to {numbers.max():.6g}, mean {numbers.mean():.6g}"
    odd = np.count_nonzero(~np.isfinite(numbers))
    return f"{text}, {odd} not finite" if odd else text


def timed(execute: Executable, arrays: Sequence[Array], count: int, ready: float, progress: Progress) -> str:
    """Measure the time of a run."""
    times: list[float] = []
    with progress.step("timing") as step:
        for index in range(count):
            started = time.perf_counter()
            execute(arrays)
            times.append(1000 * (time.perf_counter() - started))
            step.update(index + 1, count)
    runs = f"{count} run{'s' * (count != 1)}"
    return f"  time   {runs}: median {np.median(times):.3f} ms, fastest {min(times):.3f} ms; ready after {ready:.2f} s"


def write_results(file: str, results: Sequence[Array]) -> None:
    """Write results as one .npz file."""
    arrays = {f"output_{index}": array for index, array in enumerate(results)}
    try:
        write_binary_file(file, lambda stream: np.savez(stream, allow_pickle=False, **arrays))
    except OSError as error:
        raise ReportedError(Report(f"cannot write: {error.strerror}", file)) from error


def compared(
    program: Program, other: Program, name: str, arrays: Sequence[Array], results: Sequence[Array], progress: Progress
) -> int:
    """Run another program on the same inputs, print the differences, and return the exit code."""
    ends = Ends.of(program, other, name)
    with runner_of(other) as runner, progress.step(f"running {other.name}"):
        try:
            found = [np.asarray(each) for each in runner(name, in_order(arrays, ends.inputs))]
        except (InterpreterError, CannotRun) as error:
            raise ReportedError(Report(f"cannot be run on these inputs: {error}", other.name)) from error
    if len(found) != len(results):
        print(one_line(f"different from {other.name}: {len(results)} outputs and not {len(found)}"))
        return NO
    expected = in_order(found, ends.outputs)
    code = 0
    for index, (own, right) in enumerate(zip(results, expected, strict=True)):
        equal, distance = difference(own, right)
        print(one_line(f"  output {index}: {'equal to' if equal else 'different from'} {other.name}: {distance}"))
        code = code if equal else NO
    return code


def difference(found: Array, expected: Array) -> tuple[bool, str]:
    """True if two results are equal, and a description of the difference."""
    if found.shape != expected.shape:
        return False, f"{shape_text(found.shape)} and not {shape_text(expected.shape)}"
    if found.dtype.kind != "f":
        count = np.count_nonzero(found != expected)
        return not count, f"{count} of {found.size} elements differ"
    left, right = found.astype(np.float64), expected.astype(np.float64)
    both = np.isfinite(left) & np.isfinite(right)
    # Infinities and NaN must be at the same positions.
    same_elsewhere = np.array_equal(left[~both], right[~both], equal_nan=True)
    largest = float(np.abs(right[both]).max(initial=0))
    apart = float(np.abs(left[both] - right[both]).max(initial=0))
    distance = f"largest difference {apart:.3g}, largest number {largest:.3g}"
    return bool(same_elsewhere and apart <= TOLERANCE * max(largest, np.finfo(np.float32).tiny)), distance


def run(args: Sequence[str]) -> int:
    """Run npu-run and return the exit code."""
    open_streams()

    def body() -> int:
        arguments = parse_arguments(args)
        with outside_allowed() if arguments.allow_outside else nullcontext():
            try:
                return execute_program(arguments, Progress())
            except InterpreterError as error:
                raise ReportedError(Report(str(error), arguments.program)) from error

    return run_tool("npu-run", body, debug="--debug" in args)


def main() -> int:
    return run(sys.argv[1:])
