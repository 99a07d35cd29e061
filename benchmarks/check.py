"""Time of `npu-check` compared with that of plain xDSL for reading the same two files.

    python benchmarks/check.py [--ops 20000] [--runs 5] [--page docs/results/speed.md]

Both sides run in this process, in turns; processor time counts, and the median of the ratios of the pairs. The exit
status is 1 if that misses the aim.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from driver import program
from marked_page import add_page, write_between_markers
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.tools.driver.formats.program import new_context, read_program
from timing import as_in_npu_opt
from xdsl.parser import Parser

MOST_TIME = 0.5
"""The project's aim, relative to the time of plain xDSL."""


def check(file: Path) -> None:
    """Run npu-check on a file and itself."""
    context = new_context()
    with as_in_npu_opt():
        first, second = read_program(str(file), context), read_program(str(file), context)
        assert compare(first.module, second.module).verdict is Verdict.PROVED


def read_twice(file: Path) -> None:
    """Read the file twice with xDSL."""
    for _ in range(2):
        Parser(new_context(), file.read_text(), str(file)).parse_module()


def seconds(work: Callable[[Path], None], file: Path) -> float:
    start = time.process_time()
    work(file)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    add_page(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.mlir"
        file.write_text(program(arguments.ops))
        pairs = [(seconds(check, file), seconds(read_twice, file)) for _ in range(arguments.runs)]
    ratios = [checking / reading for checking, reading in pairs]
    text = (
        f"{arguments.ops:,} ops: `npu-check` {median(pair[0] for pair in pairs):.2f} s,"
        f" xDSL reads both files in {median(pair[1] for pair in pairs):.2f} s,"
        f" ratio {median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})"
    )
    print(text)
    if arguments.page is not None:
        write_between_markers(arguments.page, "check", text)
    return 0 if median(ratios) <= MOST_TIME else 1


if __name__ == "__main__":
    sys.exit(main())
