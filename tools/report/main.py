"""npu-report: one or two programs as a page of HTML."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

from ...interpreter.files import outside_allowed
from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.words.left_unchanged import left_unchanged
from ...targets import load
from ...text.diagnostics import Report, ReportedError
from ..driver.comparison.comparison import compare_programs
from ..driver.console.main import run_tool
from ..driver.console.output import open_streams, write_file
from ..driver.formats.model_formats import model_format
from ..driver.formats.models import whole_ops
from ..driver.formats.program import Program, new_context, read_program
from ..driver.options.arguments import JSON_HELP
from ..driver.options.tool_parser import ToolParser, check_standard_input
from ..driver.pipeline.pipeline import check_hardware
from ..observers.stats import numbers_of
from .coordinates import graphviz
from .facts import ReportFacts, row_of, versions
from .page import NamedProgram, page_text
from .times import Times, read_times

DESCRIPTION = """\
Writes a page of HTML with the transposes of a program and its graph. With two programs it also has their differences,
matched by the names of the model, and whether they are proved to compute the same.
"""

EXIT_CODES = """\
exit codes:
  0  the page was written
  1  an error: nothing was written
"""


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-report", DESCRIPTION, EXIT_CODES)
    parser.add_argument("first", metavar="FIRST", help="a program or a model, or - for standard input")
    parser.add_argument("second", metavar="SECOND", nargs="?", help="another program, such as the first one placed")
    parser.add_argument("-o", "--output-file", metavar="FILE", required=True, help="write the page to FILE")
    parser.add_argument("--target", metavar="NAME|FILE", help="show the demands of this hardware target")
    parser.add_argument(
        "--times",
        metavar="FILE",
        help="show the times of an ONNX Runtime profile (JSON) or of Vela's layers (CSV) on the ops with these names",
    )
    parser.add_argument("--json", action="store_true", help=JSON_HELP)
    parser.add_common_arguments()
    found = parser.parse_args(args)
    check_standard_input(parser, [found.first, found.second])
    return found


def run(args: Sequence[str]) -> int:
    """Run npu-report and return the exit code."""
    open_streams()

    def body() -> int:
        arguments = parse_arguments(args)
        check_hardware(arguments.target)
        graphviz()
        times = None if arguments.times is None else read_times(arguments.times)
        context = new_context(arguments.allow_unregistered_dialect)
        files = [file for file in (arguments.first, arguments.second) if file is not None]
        are_models = all(model_format(*pair) == "onnx" for pair in zip(files, arguments.frontend, strict=False))
        whole = whole_ops(arguments.target) if are_models else frozenset[str]()
        programs = [
            read_program(file, context, frontend, arguments.target, whole=whole)
            for file, frontend in zip(files, arguments.frontend, strict=False)
        ]
        with outside_allowed() if arguments.allow_outside else nullcontext():
            found = _write(arguments.output_file, programs, arguments.target, times)
        if arguments.json:
            print(json.dumps({**found, "page": arguments.output_file}))
        return 0

    return run_tool("npu-report", body, debug="--debug" in args)


def _write(file: str, programs: Sequence[Program], target: str | None, times: Times | None) -> dict[str, object]:
    """Write the page, and return its figures."""
    hardware = None if target is None else load(target)
    demands = None if hardware is None else TargetLayouts(hardware)
    priced = hardware if hardware is not None and hardware.costs is not None else None
    named = [NamedProgram(program.name, program.module, demands) for program in programs]
    title = " and ".join(Path(program.name).name for program in programs)
    rows = [row_of(program.name, program.module, priced) for program in programs]
    unchanged = [left_unchanged(program.module) for program in programs]
    facts = [("left unchanged", text) for text in dict.fromkeys(chain.from_iterable(unchanged))]
    proof = None
    if len(programs) == 2:
        proof = compare_programs(programs[0], programs[1], range(1), always_run=False, target=target)
        facts.append(("proof", "; ".join(map(str, proof.lines()))))
    try:
        write_file(file, page_text(ReportFacts(title, [*facts, versions()], rows), named, times))
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error
    figures = zip(rows, unchanged, strict=True)
    return {
        "verdict": None if proof is None else proof.verdict,
        "programs": [program.name for program in programs],
        "figures": [{**numbers_of(row.moves), **({"left_unchanged": each} if each else {})} for row, each in figures],
    }


def main() -> int:
    return run(sys.argv[1:])
