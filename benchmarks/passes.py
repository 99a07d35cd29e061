"""Time of the layout passes compared with plain xDSL for the same file, and its growth with the program.

    python benchmarks/passes.py [--sizes 1000 10000 100000] [--runs 3] [--runs-of-largest 1] [--programs network ...]
        [--json] [--quick] [--page docs/results/speed.md]

A pass is timed without the verification that follows it in `npu-opt`, on a freshly parsed program. If that has no
layouts, the passes that place transposes infer them first. Plain xDSL is its parser, the verifier and its printer. All
of this runs in one process, in turns: passes with garbage collection as in `npu-opt`, plain xDSL with Python's default,
as in `xdsl-opt`. Processor time counts. A percentage is the median of those of the runs, and an exponent the slope of
the line through the sizes and times on logarithmic axes: 1 is linear growth.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from statistics import linear_regression, median

from marked_page import add_page, write_between_markers
from npu_opt.dialects.program.symbols import verify
from npu_opt.passes import get_all_passes
from npu_opt.text.parser import NpuParser
from npu_opt.tools.driver.formats.program import new_context
from programs import PROGRAMS
from timing import as_in_npu_opt, take_out_of_garbage_search, timed
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.printer import Printer
from xdsl.transforms import get_all_passes as get_xdsl_passes

PIPELINES = (
    "layout-transmit,canonicalize",
    "layout-preset{strategy=naive},canonicalize",
    "layout-preset{strategy=regions},canonicalize",
    "layout-preset{strategy=regions-plus},canonicalize",
    "layout-preset-npu{strategy=greedy},canonicalize",
    "layout-preset-npu{strategy=record},canonicalize",
    "layout-preset{strategy=seed-plus}",
    "layout-optimal",
    "strip-layouts",
    "fuse-ops",
    "fuse-ops-hw",
    "recognise-norms",
)
PLAIN = "plain xDSL"
AIM, AIM_OF_MINIMUM = 0.15, 0.5
"""The limits for each pass and for layout-optimal, relative to plain xDSL's time for the same file."""


@dataclass(frozen=True)
class Sample:
    """One run of a pass, or of plain xDSL."""

    program: str
    ops: int
    step: str
    run: int
    seconds: float


def plain(text: str) -> int:
    """Read, verify and print a file with xDSL; returns the number of its ops."""
    module = Parser(new_context(), text).parse_module()
    module.verify()
    Printer(StringIO()).print_op(module)
    return sum(1 for _ in module.walk())


def steps(pipeline: str, text: str) -> Iterator[tuple[str, float]]:
    """The name and the seconds of each pass of a pipeline; those behind the first are named after it as well."""
    context = new_context()
    module = NpuParser(context, text).parse_module()
    first = pipeline.split(",")[0]
    for each in PassPipeline.parse_spec({**get_xdsl_passes(), **get_all_passes()}, pipeline).passes:
        with as_in_npu_opt():
            seconds, _ = timed(lambda each=each: each.apply(context, module))
        yield first if first.startswith(each.name) else f"{each.name} after {first}", seconds
    # xDSL's own verifier takes time that is quadratic in the number of calls.
    verify(module)


def samples(program: str, size: int, runs: int) -> Iterator[Sample]:
    text = PROGRAMS[program](size)
    for run in range(runs):
        seconds, ops = timed(lambda: plain(text))
        yield Sample(program, ops, PLAIN, run, seconds)
        for pipeline in PIPELINES:
            for step, seconds in steps(pipeline, text):
                yield Sample(program, ops, step, run, seconds)


@dataclass(frozen=True)
class Row:
    """The measurements of one pass on one program."""

    program: str
    step: str
    ops: list[int]
    seconds: list[float]
    """For each size, the median of the runs."""
    shares: list[float]
    """For each size, the median of the shares of plain xDSL's time in the same run."""
    exponent: float

    def text(self) -> str:
        shares = (f"{share:.1%}" for share in self.shares)
        cells = self.program, self.step, *shares, f"{self.seconds[-1]:.2f} s", f"{self.exponent:.2f}"
        return f"| {' | '.join(cells)} |"


def rows(found: Sequence[Sample]) -> Iterator[Row]:
    whole = {(each.program, each.ops, each.run): each.seconds for each in found if each.step == PLAIN}
    for program, step in dict.fromkeys((each.program, each.step) for each in found):
        mine = [each for each in found if (each.program, each.step) == (program, step)]
        ops = sorted({each.ops for each in mine})
        of_size = [[each for each in mine if each.ops == size] for size in ops]
        seconds = [median(each.seconds for each in group) for group in of_size]
        shares = [median(each.seconds / whole[program, each.ops, each.run] for each in group) for group in of_size]
        line = linear_regression([math.log(size) for size in ops], [math.log(taken) for taken in seconds])
        yield Row(program, step, ops, seconds, shares, line.slope)


def table(found: Sequence[Row], sizes: Sequence[int]) -> str:
    """The rows in Markdown, with the shares at each size and the time at the largest."""
    heads = ("program", "pass", *(f"{size:,} ops" for size in sizes), f"time of {sizes[-1]:,}", "exponent")
    dashes = ["---"] * len(heads)
    return "\n".join((f"| {' | '.join(heads)} |", f"| {' | '.join(dashes)} |", *(row.text() for row in found)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="ops in the programs")
    parser.add_argument("--runs", type=int, default=3, help="runs of everything")
    parser.add_argument("--runs-of-largest", type=int, help="runs of the largest programs (default: as of the others)")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--json", action="store_true", help="print all that is known, instead of the table")
    parser.add_argument("--quick", action="store_true", help="one run of small programs, to see that it works")
    add_page(parser)
    arguments = parser.parse_args()
    sizes, runs = ([20, 60], 1) if arguments.quick else (sorted(arguments.sizes), arguments.runs)
    if len(sizes) < 2:
        parser.error("growth needs two sizes")
    # Work done only once, such as loading dialects, belongs to no sample.
    for name in arguments.programs:
        list(samples(name, min(sizes), runs=1))
    take_out_of_garbage_search()
    runs_of = {size: runs for size in sizes} | {sizes[-1]: arguments.runs_of_largest or runs}
    found = [each for name in arguments.programs for size in sizes for each in samples(name, size, runs_of[size])]
    results = list(rows(found))
    if arguments.json:
        json.dump([asdict(each) for each in results], sys.stdout, indent=2)
        print()
    else:
        print(table(results, sizes))
        print("\nPercentages are of plain xDSL's time to parse, verify and print the same file.")
        print(f"The aim is {AIM:.0%}, and {AIM_OF_MINIMUM:.0%} for layout-optimal.")
    if arguments.page is not None:
        write_between_markers(arguments.page, "passes", table(results, sizes))


if __name__ == "__main__":
    main()
