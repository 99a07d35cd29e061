"""npu-run: executes a program, compiled by MLIR, interpreted, or run by LiteRT."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..bridges.fixed_sizes import FixedSizes
from ..bridges.functions import NoMainFunction, main_function
from ..compat.terminal import one_line
from ..dialects.npu.values import element_type_of, shape_text
from ..equivalence.numbers import CannotRun
from ..interpreter import InterpreterError, random_inputs
from ..interpreter.elements import holds, store
from ..interpreter.files import outside_allowed
from ..interpreter.objects import as_array, same_elements
from ..text.diagnostics import Report, ReportedError
from .driver.console.exit_codes import NO
from .driver.console.main import run_tool
from .driver.console.output import open_streams, write_binary_file
from .driver.console.progress import Progress
from .driver.execution.engines import ENGINES, Executable, executable
from .driver.execution.file_constants import MAIN, constants_of, runner_of
from .driver.execution.foreign_ops import has_foreign_nodes
from .driver.execution.lite_models import is_lite_model, lite_program, with_ops
from .driver.execution.matched_interfaces import MatchedInterfaces, in_order
from .driver.execution.run_answer import Compared, RunEnd, RunTimes, summary
from .driver.formats.program import Program, new_context, read_both, read_program
from .driver.options.arguments import JSON_HELP, add_size_arguments, count, fixed_sizes
from .driver.options.tool_parser import ToolParser, check_standard_input

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
    add_size_arguments(parser)
    add("--json", action="store_true", help=JSON_HELP)
    parser.add_common_arguments()
    found = parser.parse_args(args)
    check_standard_input(parser, [found.program, found.compare])
    return found


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
        fixed = fixed_sizes(arguments)
        read, other = partial(read_to_run, arguments.program, context, own, engine), None
        if arguments.compare:
            program, other = read_both(read, partial(read_to_run, arguments.compare, context, others, "litert"), fixed)
        else:
            program = read(fixed)
    if arguments.engine is None and engine == "mlir" and has_foreign_nodes(program.module):
        engine = "numpy"
    function = function_of(program, arguments.function)
    inputs = inputs_of(function, program, arguments)
    with constants_of(program) as directory:
        started = time.perf_counter()
        execute = executable(program, function, engine, directory, progress)
        ready = time.perf_counter() - started
        with progress.step("running"):
            results = [as_array(each) for each in execute(inputs.arrays)]
        ends = ends_of(function, inputs, results)
        _show(arguments, summary(program.name, function.sym_name.data, engine, ends))
        times = timed(execute, inputs.arrays, arguments.time, ready, progress) if arguments.time else None
        _show(arguments, [] if times is None else [times.text])
    if arguments.output_file:
        write_results(arguments.output_file, results)
    found = None if other is None else compared(program, other, arguments.function, inputs.arrays, results, progress)
    _show(arguments, [] if found is None else found.lines())
    if arguments.json:
        record = {
            "verdict": None if found is None else found.verdict,
            "programs": [each.name for each in (program, other) if each is not None],
            "function": arguments.function,
            "engine": engine,
            **{f"{kind}s": [each.as_json() for each in ends if each.kind == kind] for kind in ("input", "output")},
            **({} if times is None else {"time": times._asdict()}),
            **({} if found is None else found.as_json()),
        }
        print(json.dumps(record))
    return 0 if found is None or found.verdict == "equal" else NO


def _show(arguments: argparse.Namespace, lines: Iterable[str]) -> None:
    """Print lines for a reader."""
    for line in () if arguments.json else lines:
        print(one_line(line))


def read_to_run(file: str, context: Context, frontend: str, engine: str, fixed: FixedSizes) -> Program:
    """Read a program; of a LiteRT model that LiteRT runs only the signature."""
    if frontend or engine != "litert" or not is_lite_model(file):
        return read_program(file, context, frontend, fixed=fixed)
    return lite_program(file, fixed)


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
        arrays = random_inputs(with_ops(program, function, fixed_sizes(arguments)), arguments.seed, dims)
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


def ends_of(function: FuncOp, inputs: Inputs, results: Sequence[Array]) -> list[RunEnd]:
    """The inputs and outputs of a run."""
    names = [f"%{value.name_hint or index}" for index, value in enumerate(function.body.block.args)]
    types = function.function_type
    rows = [("input", *row) for row in zip(names, inputs.arrays, types.inputs, inputs.origins, strict=True)]
    ranges = map(_range, results)
    rows += [
        ("output", *row) for row in zip(map(str, range(len(results))), results, types.outputs, ranges, strict=True)
    ]
    elements = [str(cast("TensorType[Attribute]", type_).element_type) for *_, type_, _ in rows]
    return [
        RunEnd(kind, name, array.shape, element, note)
        for (kind, name, array, _, note), element in zip(rows, elements, strict=True)
    ]


def _range(array: Array) -> str:
    if not array.size:
        return "no elements"
    if array.dtype.kind in "OV":
        return f"{array.size} value{'s' * (array.size != 1)} that are no numbers"
    if array.dtype == np.bool_:
        return f"{np.count_nonzero(array)} of {array.size} true"
    numbers = array.astype(np.float64)
    with np.errstate(all="ignore"):
        text = f"{numbers.min():.6g} to {numbers.max():.6g}, mean {numbers.mean():.6g}"
    odd = np.count_nonzero(~np.isfinite(numbers))
    return f"{text}, {odd} not finite" if odd else text


def timed(execute: Executable, arrays: Sequence[Array], count: int, ready: float, progress: Progress) -> RunTimes:
    """Measure the time of a run."""
    times: list[float] = []
    with progress.step("timing") as step:
        for index in range(count):
            started = time.perf_counter()
            execute(arrays)
            times.append(1000 * (time.perf_counter() - started))
            step.update(index + 1, count)
    return RunTimes(count, float(np.median(times)), min(times), 1000 * ready)


def write_results(file: str, results: Sequence[Array]) -> None:
    """Write results as one .npz file."""
    # Texts are written as numpy has them, not as objects.
    arrays = {
        f"output_{index}": each.astype(str) if each.dtype == object else each for index, each in enumerate(results)
    }
    try:
        write_binary_file(file, lambda stream: np.savez(stream, allow_pickle=False, **arrays))
    except OSError as error:
        raise ReportedError(Report(f"cannot write: {error.strerror}", file)) from error


def compared(
    program: Program, other: Program, name: str, arrays: Sequence[Array], results: Sequence[Array], progress: Progress
) -> Compared:
    """Run another program on the same inputs."""
    ends = MatchedInterfaces.of(program, other, name)
    with runner_of(other) as runner, progress.step(f"running {other.name}"):
        try:
            found = [as_array(each) for each in runner(_name_in(other, program, name), in_order(arrays, ends.inputs))]
        except (InterpreterError, CannotRun) as error:
            raise ReportedError(Report(f"cannot be run on these inputs: {error}", other.name)) from error
    if len(found) != len(results):
        return Compared(other.name, (), (), f"{len(results)} output{'s' * (len(results) != 1)} and not {len(found)}")
    pairs = zip(results, in_order(found, ends.outputs), strict=True)
    answers = [difference(own, right) for own, right in pairs]
    return Compared(other.name, [equal for equal, _ in answers], [text for _, text in answers])


def _name_in(other: Program, program: Program, name: str) -> str:
    """The function of another program that is this one; a LiteRT model has the function that was exported as @main."""
    try:
        exported = main_function(program.module)
    except NoMainFunction:
        return name
    return MAIN if is_lite_model(other.name) and exported.sym_name.data == name else name


def difference(found: Array, expected: Array) -> tuple[bool, str]:
    """True if two results are equal, and a description of the difference."""
    if found.shape != expected.shape:
        return False, f"{shape_text(found.shape)} and not {shape_text(expected.shape)}"
    if found.dtype.kind == "O":
        count = np.count_nonzero(~same_elements(found, expected, TOLERANCE))
        return not count, f"{count} of {found.size} values differ"
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
