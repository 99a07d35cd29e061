"""Time of `npu-opt` compared with `xdsl-opt` and `mlir-opt`: programs read, verified and printed, and small runs.

    python benchmarks/driver.py [--ops 20000] [--runs 5] [--page docs/results/speed.md]

The tools run as whole processes, in turns; processor time counts, and the median of the ratios of the pairs. npu-opt
and xdsl-opt are those of this Python's environment, mlir-opt is found as by the tests (test/support/optional_tools.py)
and left out if it is missing. It knows no op of the dialect, so it reads and writes the generic format, of which it
verifies no op; npu-opt reads the same file, verifies every op, and writes the generic format too.
"""

import argparse
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from marked_page import add_page, write_between_markers

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "test"))

from support.optional_tools import mlir_opt  # noqa: E402  # The tests are no package.

SCRIPTS = Path(sysconfig.get_path("scripts"))
EXAMPLE = ROOT / "examples" / "two_branches.mlir"
ONE_OP = "func.func @main(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  func.return %b : i32\n}\n"

STAGES = ((56, 64), (28, 128), (14, 256), (7, 512))
"""Height (and width) and channels of the feature maps of a residual network."""


def feature(size: int, channels: int) -> str:
    return f"tensor<1x{size}x{size}x{channels}xf32, #npu.layout<NHWC>>"


def kernel(channels: int) -> str:
    return f"tensor<3x3x{channels}x{channels}xf32, #npu.layout<HWOI>>"


def block(prefix: str, size: int, channels: int) -> Iterator[str]:
    """A residual block of six ops on `%x<size>`, whose result takes that name in the next block."""
    value, weight, bias = feature(size, channels), kernel(channels), f"tensor<{channels}xf32>"
    signature = f"({value}, {weight}, {bias}) -> {value}"
    source, w, b = f"%{prefix}_0", f"%w{size}", f"%b{size}"
    yield f"%{prefix}_1 = npu.conv2d {source}, {w}, {b} pads = [1, 1, 1, 1] : {signature}"
    yield f"%{prefix}_2 = npu.tanh %{prefix}_1 : {value}"
    yield f"%{prefix}_3 = npu.conv2d %{prefix}_2, {w}, {b} strides = [1, 1] pads = [1, 1, 1, 1] : {signature}"
    yield f"%{prefix}_4 = npu.add %{prefix}_3, {source} : {value}"
    yield f"%{prefix}_5 = npu.mul %{prefix}_4, %scale : ({value}, tensor<f32>) -> {value}"
    yield f"%{prefix}_6 = npu.sub %{prefix}_5, %scale : ({value}, tensor<f32>) -> {value}"


def program(op_count: int) -> str:
    """A program of approximately this many ops in the shapes of a residual network."""
    body: list[str] = []
    for number, (size, channels) in enumerate(cycle(STAGES)):
        if len(body) >= op_count:
            break
        source = f"x{size}" if number < len(STAGES) else f"n{number - len(STAGES)}_6"
        body += [line.replace(f"%n{number}_0", f"%{source}") for line in block(f"n{number}", size, channels)]
    arguments = ["%scale: tensor<f32>"]
    for size, channels in STAGES:
        arguments.append(f"%x{size}: {feature(size, channels)}")
        arguments.append(f"%w{size}: {kernel(channels)}")
        arguments.append(f"%b{size}: tensor<{channels}xf32>")
    head = f"func.func @main({', '.join(arguments)}) {{"
    return "\n".join((head, *(f"  {line}" for line in islice(body, op_count)), "  func.return", "}", ""))


def function_of_additions(op_count: int) -> str:
    """A program of ops that all three tools know."""
    body = (f"  %{index + 1} = arith.addi %{index}, %{index} : i32" for index in range(op_count))
    return "\n".join(("func.func @main(%0: i32) -> i32 {", *body, f"  func.return %{op_count} : i32", "}", ""))


class Comparison(NamedTuple):
    """Two commands that do the same, or whose times are compared."""

    title: str
    ours: Sequence[str]
    peer: str
    theirs: Sequence[str]
    most: float | None = None
    """The project's aim for the ratio of the times."""
    writes_same: bool = False
    """True if both write the same text."""


class Row(NamedTuple):
    """The measured seconds of both commands."""

    comparison: Comparison
    ours: float
    theirs: float
    ratios: Sequence[float]
    """Sorted."""

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    def text(self) -> str:
        each = self.comparison
        spread = f"{self.ratios[0]:.2f} to {self.ratios[-1]:.2f}"
        return (
            f"| {each.title} | {1000 * self.ours:,.0f} ms | {Path(each.peer).name}: {1000 * self.theirs:,.0f} ms"
            f" | {self.ratio:.2f} | {spread} |"
        )


HEADER = """\
| | npu-opt | beside | ratio | of the runs |
| --- | ---: | ---: | ---: | ---: |"""


def run(tool: str, arguments: Sequence[str]) -> tuple[float, str]:
    """Processor seconds and output of one run. (The tools use one core: without other load it is the time.)"""
    before = processor_time()
    done = subprocess.run([tool, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return processor_time() - before, done.stdout


def processor_time() -> float:
    """Processor seconds of the finished runs. (The times of `os.times` are multiples of 10 ms.)"""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(comparison: Comparison, runs: int) -> Row:
    """Run both commands in turns."""
    tools = str(SCRIPTS / "npu-opt"), comparison.peer if "/" in comparison.peer else str(SCRIPTS / comparison.peer)
    pairs: list[tuple[float, float]] = []
    for _ in range(runs):
        ours, our_text = run(tools[0], comparison.ours)
        theirs, their_text = run(tools[1], comparison.theirs)
        if comparison.writes_same and our_text != their_text:
            sys.exit(f"{comparison.title}: the tools write different texts")
        pairs.append((ours, theirs))
    mine, others = zip(*pairs, strict=True)
    return Row(comparison, median(mine), median(others), sorted(a / b for a, b in pairs))


def comparisons(folder: Path, ops: int) -> Iterator[Comparison]:
    one_op, own, known, generic = (folder / f"{name}.mlir" for name in ("one_op", "program", "additions", "generic"))
    one_op.write_text(ONE_OP)
    own.write_text(program(ops))
    known.write_text(function_of_additions(ops))
    print_generic = "--print-op-generic"
    small = "transposes in two_branches.mlir; beside: one op of arith"
    yield Comparison(small, ["--layout-preset", str(EXAMPLE)], "xdsl-opt", [str(one_op)], 1.3)
    yield Comparison("`--help`", ["--help"], "xdsl-opt", ["--help"], 1.0)
    title = f"{ops:,} ops of npu read, verified, printed"
    yield Comparison(title, [str(own)], "xdsl-opt", [str(own)], 0.3, writes_same=True)
    yield Comparison(f"{ops:,} ops of arith", [str(known)], "xdsl-opt", [str(known)], writes_same=True)
    if (mlir := mlir_opt().location) is not None:
        generic.write_text(run(str(SCRIPTS / "npu-opt"), [str(own), print_generic])[1])
        unknown = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
        yield Comparison(f"{title}, generic format", [str(generic), print_generic], mlir, [str(generic), *unknown])
        yield Comparison(f"{ops:,} ops of arith", [str(known)], mlir, [str(known)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", type=int, default=20_000, help="operations in the program")
    parser.add_argument("--runs", type=int, default=5, help="runs of each tool")
    add_page(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(each, args.runs) for each in comparisons(Path(folder), args.ops)]
    table = "\n".join((HEADER, *(row.text() for row in rows)))
    print(table)
    if args.page is not None:
        write_between_markers(args.page, "driver", table)
    return 0 if all(row.comparison.most is None or row.ratio <= row.comparison.most for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
