"""Time of `npu-opt` compared with `xdsl-opt`: the same program read, verified and printed, a small run, and `--help`.

    python benchmarks/driver.py [--ops 20000] [--runs 5]

The tools run as installed in this Python's environment, in turns; processor time counts, and the median of the ratios
of the pairs.
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

SCRIPTS = Path(sysconfig.get_path("scripts"))
TOOLS = ("npu-opt", "xdsl-opt")
MOST_TIME = 0.3
"""The project's aim, relative to xdsl-opt's time for a program."""
MOST_START_UP = 1.3
"""The same for transposes in a small program, relative to xdsl-opt's time for a program of one op."""
MOST_HELP = 1.0
"""The same for `--help`."""
EXAMPLE = Path(__file__).parents[1] / "examples" / "two_branches.mlir"
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


def run(tool: str, *arguments: str) -> tuple[float, str]:
    """Processor seconds and output of one run. (Both tools run on one core: without other load it is the time.)"""
    before = processor_time()
    done = subprocess.run([SCRIPTS / tool, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return processor_time() - before, done.stdout


def processor_time() -> float:
    """Processor seconds of the finished runs. (The times of `os.times` are multiples of 10 ms.)"""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compare(runs: int, ours: Sequence[str], theirs: Sequence[str]) -> tuple[dict[str, list[float]], dict[str, str]]:
    """The seconds of each run of both tools, taken in turns, and the output of each tool."""
    seconds: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    outputs: dict[str, str] = {}
    for _ in range(runs):
        for tool, arguments in zip(TOOLS, (ours, theirs), strict=True):
            taken, outputs[tool] = run(tool, *arguments)
            seconds[tool].append(taken)
    return seconds, outputs


def report(title: str, seconds: dict[str, list[float]], most: float) -> bool:
    """Print medians and their ratio; True if the ratio is within its bound."""
    ours, theirs = (median(seconds[tool]) for tool in TOOLS)
    pairs = sorted(a / b for a, b in zip(*(seconds[tool] for tool in TOOLS), strict=True))
    ratio = median(pairs)
    print(f"{title}: npu-opt {ours:.3f} s, xdsl-opt {theirs:.3f} s, ratio {ratio:.2f}", end=" ")
    print(f"(from {pairs[0]:.2f} to {pairs[-1]:.2f}; at most {most})")
    return ratio <= most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--ops", type=int, default=20_000, help="operations in the program")
    parser.add_argument("--runs", type=int, default=5, help="runs of each tool")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        path, one_op = Path(folder) / "program.mlir", Path(folder) / "one_op.mlir"
        path.write_text(program(args.ops))
        one_op.write_text(ONE_OP)
        seconds, outputs = compare(args.runs, [str(path)], [str(path)])
        small = compare(args.runs * 2, ["--layout-preset", str(EXAMPLE)], [str(one_op)])[0]
    is_same = outputs["npu-opt"] == outputs["xdsl-opt"]
    print(f"same text: {'yes' if is_same else 'NO'}")
    is_fast = report(f"parse, verify, print of {args.ops} ops", seconds, MOST_TIME)
    starts_fast = report("transposes in a small program", small, MOST_START_UP)
    helps_fast = report("--help", compare(args.runs * 2, ["--help"], ["--help"])[0], MOST_HELP)
    return 0 if is_same and is_fast and starts_fast and helps_fast else 1


if __name__ == "__main__":
    sys.exit(main())
