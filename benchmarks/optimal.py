"""Time of `layout-optimal`: compared with xDSL's parser on programs and networks of usual size, and as programs grow.

    python benchmarks/optimal.py [--sizes 1000 10000 100000] [--runs 3] [--programs network ...] [--quick]

The pass runs on a freshly parsed program: it infers layouts, solves and applies the solution; all modules that it needs
are imported before. xDSL's parser reads the same text in the same process and in turns with it. Processor time counts,
the median of the runs. The exponent is the slope of the line through the sizes and times on logarithmic axes: 1 is
linear growth.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from statistics import linear_regression, median
from typing import NamedTuple

from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.text.parser import NpuParser
from npu_opt.text.printer import NpuPrinter
from npu_opt.tools.driver.formats.program import new_context, read_program
from programs import PROGRAMS
from timing import take_out_of_garbage_search, timed
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

MODELS = Path(__file__).parent / "models"
USUAL = range(300, 1001)
"""The sizes of the programs that are compared with the parser."""
USUAL_PROGRAMS = [(name, ops) for ops in (300, 600, 1000) for name in ("network", "coloured-network")]
QUICK_PROGRAMS = USUAL_PROGRAMS[:2]


class Taken(NamedTuple):
    """The times of the pass and of the parser for a program, and the transposes left."""

    ops: int
    parser: float
    solver: float
    transposes: int
    is_proved: bool


def measured(text: str, runs: int) -> Taken:
    read = Parser(new_context(), text).parse_module()
    parser: list[float] = []
    solver: list[float] = []
    placed = read
    for _ in range(runs):
        seconds, _ = timed(lambda: Parser(new_context(), text).parse_module())
        parser.append(seconds)
        placed = NpuParser(new_context(), text).parse_module()
        seconds, _ = timed(lambda module=placed: LayoutOptimal().apply(new_context(), module))
        solver.append(seconds)
    ops, transposes = sum(1 for _ in read.walk()), cost_of_program(placed).transposes
    colour(read)
    return Taken(ops, median(parser), median(solver), transposes, LayoutOptimal().choose(read).is_proved)


def written(module: ModuleOp) -> str:
    stream = StringIO()
    NpuPrinter(stream).print_op(module)
    return stream.getvalue()


def usual_texts(is_quick: bool) -> Iterator[tuple[str, str]]:
    """Generated programs, and the networks of medium size."""
    for name, ops in QUICK_PROGRAMS if is_quick else USUAL_PROGRAMS:
        yield f"{name}, {ops}", PROGRAMS[name](ops)
    for file in () if is_quick else sorted(MODELS.glob("*.onnx")):
        module = read_program(str(file), new_context()).module
        if sum(1 for _ in module.walk()) in USUAL:
            yield file.stem, written(module)


def beside_parser(runs: int, is_quick: bool) -> Iterator[str]:
    yield "| program | ops | xDSL's parser | layout-optimal | share | transposes | proved |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    shares: list[float] = []
    for name, text in usual_texts(is_quick):
        taken = measured(text, runs)
        shares.append(taken.solver / taken.parser)
        times = f"{1000 * taken.parser:.0f} ms | {1000 * taken.solver:.0f} ms | {shares[-1]:.0%}"
        yield f"| {name} | {taken.ops} | {times} | {taken.transposes} | {_yes(taken.is_proved)} |"
    below = sum(share < 1 for share in shares)
    yield f"\nThe pass takes less than the parser on {below} of {len(shares)}, {max(shares):.0%} of its time at most."


def growth(names: Sequence[str], sizes: Sequence[int], runs: int) -> Iterator[str]:
    yield f"| program | {' | '.join(f'{size:,} ops' for size in sizes)} | exponent | transposes | proved |"
    yield f"| --- | {' | '.join('---:' for _ in sizes)} | ---: | ---: | --- |"
    for name in names:
        found = [measured(PROGRAMS[name](size), runs) for size in sizes]
        line = linear_regression([math.log(each.ops) for each in found], [math.log(each.solver) for each in found])
        times = " | ".join(f"{each.solver:.2f} s ({each.solver / each.parser:.0%})" for each in found)
        are_proved = all(each.is_proved for each in found)
        yield f"| {name} | {times} | {line.slope:.2f} | {found[-1].transposes} | {_yes(are_proved)} |"
    yield "\nIn brackets: the share of what xDSL's parser takes for the same text."


def _yes(is_proved: bool) -> str:
    return "yes" if is_proved else "no"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="ops in the programs")
    parser.add_argument("--runs", type=int, default=3, help="runs of everything")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--quick", action="store_true", help="one run of small programs, to see that it works")
    arguments = parser.parse_args()
    sizes, runs = ([50, 200], 1) if arguments.quick else (sorted(arguments.sizes), arguments.runs)
    if len(sizes) < 2:
        parser.error("growth needs two sizes")
    # Imports on first use belong to no sample.
    measured(PROGRAMS["chain"](50), 1)
    take_out_of_garbage_search()
    for line in beside_parser(runs, arguments.quick):
        print(line, flush=True)
    print()
    for line in growth(arguments.programs, sizes, runs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
