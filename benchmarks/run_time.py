"""Run times of the naive and of the optimal placement, compiled by MLIR.

    python benchmarks/run_time.py [--runs 9] [--page docs/results/speed.md] [MODEL...]

Each network gets random weights and is placed for the target three times: naively, naively and cleaned up by
`canonicalize`, and optimally. The programs differ in their transposes only. They are compiled by MLIR's passes and LLVM
and run in turns in one process, on one core, after ONNX Runtime has computed the expected results. A ratio is the
median of those of the turns.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from marked_page import add_page, write_between_markers
from models.weights import with_random_weights
from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, numbers_in, signature
from npu_opt.interpreter import random_inputs
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.tools.driver.execution.file_constants import constants_of, runner_of
from npu_opt.tools.driver.formats.program import Program, new_context, read_program
from npu_opt.tools.run import Array, difference, function_of
from onnx import ModelProto
from xdsl.context import Context
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "benchmarks" / "models"
CHOSEN = ("squeezenet", "mobilenet_v2", "shufflenet_v1", "shufflenet_v2", "levit_128", "densenet121")

HEADER = """\
| model | transposes: naive, cleaned up, optimal | milliseconds | naive / optimal | cleaned up / optimal |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """Measurements of one network, for each of the placements."""

    model: str
    transposes: Sequence[int]
    times: Sequence[float]
    """Median run times in milliseconds."""
    ratios: Sequence[float]
    """Run times of the others relative to the optimal one."""

    def __str__(self) -> str:
        transposes, times = ", ".join(map(str, self.transposes)), ", ".join(f"{each:.1f}" for each in self.times)
        return f"| {self.model} | {transposes} | {times} | {' | '.join(f'{each:.2f}' for each in self.ratios)} |"


def placed(file: Path, passes: Sequence[ModulePass]) -> Program:
    """A model with its transposes placed."""
    program = read_program(str(file), new_context())
    for step in passes:
        step.apply(Context(), program.module)
    return program


def measured(model: str, target: str, runs: int) -> Row:
    naive, optimal = LayoutPreset(strategy="naive", target=target), LayoutOptimal(target=target)
    cleanup = CanonicalizePass()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{model}.onnx")
        stripped = ModelProto.FromString((MODELS / file.name).read_bytes())
        file.write_bytes(with_random_weights(stripped).SerializeToString())
        # Everything but transposes is cleaned up before the naive placement.
        programs = [placed(file, each) for each in ([cleanup, naive], [naive, cleanup], [optimal, cleanup])]
        inputs = random_inputs(function_of(programs[0], "main"), seed=0)
        with runner_of(read_program(str(file), new_context())) as original:
            expected = [np.asarray(each) for each in original("main", inputs)]
        ready = [compiled(each) for each in programs]
    for each in ready:
        check(each.run(inputs), expected)
    times = [[milliseconds(each, inputs) for each in ready] for _ in range(runs)]
    return Row(
        model,
        [cost_of_program(each.module).transposes for each in programs],
        [median(each) for each in zip(*times, strict=True)],
        [median(turn[index] / turn[-1] for turn in times) for index in range(2)],
    )


def compiled(program: Program) -> Compiled:
    function = function_of(program, "main")
    with constants_of(program) as directory, mlir_context():
        return Compiled(lowered(program.module, numbers_in(directory)), "main", signature(function))


def check(found: Sequence[Array], expected: Sequence[Array]) -> None:
    """Check that results are correct."""
    for left, right in zip(found, expected, strict=True):
        equal, text = difference(left, right)
        if not equal:
            raise ValueError(f"a wrong result: {text}")


def milliseconds(program: Compiled, inputs: Sequence[Array]) -> float:
    started = time.perf_counter()
    program.run(inputs)
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="*", default=CHOSEN)
    parser.add_argument("--target", default="opu")
    parser.add_argument("--runs", type=int, default=9)
    add_page(parser)
    arguments = parser.parse_args()
    rows: list[Row] = []
    for model in arguments.models:
        rows.append(measured(model, arguments.target, arguments.runs))
        print(rows[-1], file=sys.stderr)
    table = HEADER + "\n".join(map(str, rows)) + "\n"
    print(table)
    if arguments.page is not None:
        write_between_markers(arguments.page, "run times", table)


if __name__ == "__main__":
    main()
