"""The growth of `--assign`: time for each tensor, in times of that of the smallest problem of the same kind.

    python benchmarks/assign.py [--page docs/results/speed.md] [--json] [--time-limit 600] [--most 100000] [KIND...]

A row is a problem of benchmarks/assign_problems.py: its tensors, the layouts of each, the processor time for reading
and solving it, and the part of its cost that is not proved.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import process_time

from assign_problems import Problem, kernel, network, online_softmax
from marked_page import add_page, write_rows
from npu_opt.api.assigning import assign

MARKER = "assign"
HEADER = """\
| problem | tensors | layouts | time for each tensor | answer |
| --- | ---: | ---: | ---: | --- |"""


@dataclass(frozen=True)
class Case:
    """A problem to measure."""

    kind: str
    layouts: int
    problem: Callable[[], Problem]


CASES = [
    *(Case("online softmax", 3, lambda chunks=chunks: online_softmax(chunks)) for chunks in (64, 256, 1024)),
    *(Case("network", 8, lambda tensors=tensors: network(tensors, 8)) for tensors in (1000, 10_000, 100_000)),
    *(Case("kernel", 300, lambda tensors=tensors: kernel(tensors, 300)) for tensors in (200, 2000)),
]


@dataclass(frozen=True)
class Row:
    """The figures of a problem."""

    kind: str
    tensors: int
    layouts: int
    seconds: float
    ratio: float
    """The time for each tensor, in times of that of the first problem of its kind."""
    gap: float | None
    """The part of the cost that is not proved, if it is not the proved minimum."""

    def __str__(self) -> str:
        answer = "proved minimum" if self.gap is None else f"bound {100 * self.gap:.0f} % below the cost"
        return f"| {self.kind} | {self.tensors:,} | {self.layouts} | {self.ratio:.1f} | {answer} |"


def measured(case: Case, time_limit: float, rows: Sequence[Row]) -> Row:
    problem = case.problem()
    start = process_time()
    answer = assign(problem, time_limit=time_limit)
    seconds = process_time() - start
    tensors = len(problem["tensors"])
    first = next((row.seconds / row.tensors for row in rows if row.kind == case.kind), seconds / tensors)
    gap = None if answer.proved else (answer.cost - answer.bound) / answer.cost if answer.cost and answer.bound else 1.0
    return Row(case.kind, tensors, case.layouts, seconds, seconds / tensors / first, gap)


def table(rows: Sequence[Row]) -> str:
    return "\n".join([HEADER, *map(str, rows)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_page(parser)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each row")
    parser.add_argument("--time-limit", type=float, default=600.0)
    parser.add_argument("--most", type=int, default=10**9, help="leave out problems with more tensors than this")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="the kinds of problems to measure (default: all)")
    arguments = parser.parse_args()
    rows: list[Row] = []
    print("" if arguments.json else f"{HEADER}\n", end="")
    for case in CASES:
        if arguments.kinds and case.kind not in arguments.kinds:
            continue
        if len(case.problem()["tensors"]) <= arguments.most:
            rows.append(measured(case, arguments.time_limit, rows))
            print(json.dumps(asdict(rows[-1])) if arguments.json else rows[-1], flush=True)
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
