"""The command line of npu-opt: everything `xdsl-opt` has, in groups, and one flag per pass."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from ....bridges.fixed_sizes import FixedSizes
from ....passes import PASS_TABLE
from ..console.flags import report_errors
from ..console.suggestions import suggestion
from ..formats.models import INLINE_LIMIT
from ..formats.output_format import FORMATS, DefaultFormat
from .completion import COMPLETION_HELP, CompletionAction
from .help_actions import HelpAction, PrintLines
from .listing import PassFactories, own_pass_list, pass_list, target_list, target_names
from .versions import VersionsAction

USAGE = "npu-opt [flags] [passes] [input_file ...]"

EPILOG = """\
Passes run in the order of their flags, and -p mixes freely with them:
  npu-opt model.mlir --layout-preset="strategy=naive" -p canonicalize,cse -o out.mlir
Every pass of xDSL has such a flag as well (--canonicalize, --cse, --dce, ...; see --list-passes=all).

Exit codes: 0 success, 1 any error (the message is on stderr, nothing is on stdout), 3 a result that is not as
--expect-transposes, --expect-bytes or --expect-cost demands, 130 interrupted."""

VERIFY_LAYOUTS = "NPU_OPT_VERIFY_LAYOUTS"
"""The environment variable that enables `--verify-layouts`."""


PRINT_FLAGS = {
    "--print-ir-before-all": "before each pass",
    "--print-ir-after-all": "after each pass",
    "--print-ir-after-change": "after each pass that has changed it",
}
"""The flags of mlir-opt that print the program, which there begin with `--mlir-`."""

ALLOW_OUTSIDE = "--allow-outside"
ALLOW_UNREGISTERED = "--allow-unregistered-dialect"
ALLOW_UNREGISTERED_HELP = "keep operations of unknown dialects unchanged"
ALLOW_OUTSIDE_HELP = "allow constants in files that are not below the folder of the program"

CHECK_TARGET = "--check-target"

FRONTENDS = ("litert", "mlir", "onnx", "torch", "tosa")


class PassRequest(NamedTuple):
    """A part of the pipeline on the command line."""

    flag: str
    """`-p`, an argument of the Python function, or the flag of a pass."""
    text: str
    """The pipeline of `-p`, or the options of a flag."""


class OtherRun(Exception):
    """Arguments that ask for something else than one run of the driver: several files, or a problem of --assign."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__()
        self.arguments = args


def add_arguments(parser: argparse.ArgumentParser, passes: PassFactories, formats: Iterable[str]) -> None:
    """
    Group the arguments of xDSL, which `parser` has already, and add those of npu-opt.

    A flag that is declared again replaces the one of xDSL; flags that a later xDSL adds are kept.
    """
    parser.prog = "npu-opt"
    parser.usage = USAGE
    parser.epilog = EPILOG
    parser.formatter_class = _HelpFormatter
    parser.allow_abbrev = False
    parser.conflict_handler = "resolve"
    # Without ties several files are nothing to each other.
    report_errors(parser, lambda args: () if args.tie else args.other_files)

    inputs = parser.add_argument_group("input")
    _add_input_arguments(inputs)
    inputs.add_argument(
        "other_files", nargs="*", metavar="input_file", help="more files, tied to the first; -o is a folder then"
    )
    formats = sorted(formats)
    _add_output_arguments(parser.add_argument_group("output"), formats)
    pass_group = parser.add_argument_group("passes")
    _add_pipeline_arguments(pass_group)

    # A pass with the name of a driver flag does not replace it.
    parser.conflict_handler = "error"
    npu_group = parser.add_argument_group("npu passes")
    parser.conflict_handler = "resolve"

    _add_transpose_arguments(parser.add_argument_group("transposes"))
    _add_information_arguments(parser.add_argument_group("information"), passes, formats)
    _add_debugging_arguments(parser.add_argument_group("debugging"))
    _add_pass_flags(npu_group, passes)


class _Arguments(Protocol):
    """An argument group, for which argparse has no public type."""

    def add_argument(self, *flags: str, **options: Any) -> argparse.Action: ...


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=110)


class _AddToPipeline(argparse.Action):
    """Appends to the pipeline, so that flags and `-p` keep their order."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        is_pipeline = option_string in ("-p", "--passes")
        request = PassRequest("-p" if is_pipeline else option_string or self.dest, str(values or ""))
        namespace.passes = [*namespace.passes, request]


def _add_flag(group: _Arguments, *flags: str, **options: Any) -> None:
    group.add_argument(*flags, action="store_true", **options)


def _field(flag: str) -> str:
    """The attribute of the namespace that argparse derives from a flag."""
    return flag.removeprefix("--").replace("-", "_")


def _add_input_arguments(group: _Arguments) -> None:
    group.add_argument(
        "-f",
        "--frontend",
        metavar="NAME",
        type=frontend,
        help=f"read the input with this frontend ({', '.join(FRONTENDS)}), independent of its file name",
    )
    group.add_argument(
        "--weights",
        metavar="FILE|inline|none",
        help="write the weights of an ONNX model to FILE (default: a .safetensors file beside the output)",
    )
    group.add_argument(
        "--inline-limit",
        metavar="BYTES",
        type=count,
        default=INLINE_LIMIT,
        help=f"store weights up to this size in the program (default: {INLINE_LIMIT})",
    )
    add_size_arguments(group)
    _add_flag(group, ALLOW_OUTSIDE, help=ALLOW_OUTSIDE_HELP)
    _add_flag(group, "--split-input-file", help="treat each piece between `// -----` lines as a file of its own")
    _add_flag(group, ALLOW_UNREGISTERED, help=ALLOW_UNREGISTERED_HELP)
    _add_flag(group, "--no-implicit-module", help="require the input to be one builtin.module operation")


def add_size_arguments(group: _Arguments) -> None:
    """Add the flags that fix the sizes of a program."""
    group.add_argument(
        "--size",
        metavar="NAME=N",
        action="append",
        type=_named_size,
        default=[],
        help="fix a size of the inputs that has a name, as in --size batch=1 --size sequence=128",
    )
    group.add_argument(
        "--shape",
        metavar="INPUT:SIZES",
        action="append",
        type=_input_shape,
        default=[],
        help="fix all sizes of an input, as in --shape ids:1x128",
    )


def fixed_sizes(args: argparse.Namespace) -> FixedSizes:
    """The sizes that the command line fixes."""
    return FixedSizes(dict(args.size), dict(args.shape))


def _named_size(text: str) -> tuple[str, int]:
    name, equals, size = text.rpartition("=")
    if not (name and equals and re.fullmatch("[0-9]{1,9}", size)):
        raise argparse.ArgumentTypeError(f"expected NAME=N, as in batch=1, found '{text}'")
    return name, int(size)


def _input_shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, colon, sizes = text.rpartition(":")
    if not (name and colon and re.fullmatch("([0-9]{1,9}(x[0-9]{1,9})*)?", sizes)):
        raise argparse.ArgumentTypeError(f"expected INPUT:SIZES, as in ids:1x128, found '{text}'")
    return name, tuple(int(size) for size in sizes.split("x") if size)


def _add_output_arguments(group: _Arguments, formats: list[str]) -> None:
    group.add_argument(
        "-o",
        "--output-file",
        metavar="FILE",
        type=_file_name,
        help="write to FILE, in the format of its ending, or to stdout (`-`); if a run fails, FILE is kept",
    )
    group.add_argument(
        "-t",
        "--emit",
        dest="target",  # The name that xDSL's driver uses.
        metavar="FORMAT",
        default=DefaultFormat("mlir"),
        type=_format_checker(formats),
        help=f"output format: {', '.join(formats)} (default: mlir, or that of the ending of FILE)",
    )
    group.add_argument(
        "--collapse",
        action=argparse.BooleanOptionalAction,
        help="in a graph, draw repeated blocks once and no constants (default: above 60 nodes)",
    )
    _add_flag(group, "--print-op-generic", help="print every operation in the generic format")
    _add_flag(group, "--print-no-properties", help="print properties as if they were attributes")
    _add_flag(group, "--print-debuginfo", help="print locations")
    _add_flag(group, "--syntax-highlight", help="print in colours")


def _format_checker(formats: list[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        try:
            name = parse_spec(text).name
        except ArgSpecParseError as error:
            spaced = re.sub(r"[,;]\s*(?=[\w-]+=)", " ", text)
            hint = "" if spaced == text else f"; options are separated by spaces: -t '{spaced}'"
            raise argparse.ArgumentTypeError(f"cannot read '{text}'{hint}") from error
        if name not in formats:
            known = f"choose from {', '.join(formats)}; a hardware target is --target"
            of_ending = FORMATS.get(f".{name}")
            hint = f" (did you mean '{of_ending}'?)" if of_ending else suggestion(name, formats, known)
            raise argparse.ArgumentTypeError(f"no output format '{name}'{hint}")
        return text

    return check


def _add_pipeline_arguments(group: _Arguments) -> None:
    group.add_argument(
        "-p", "--passes", metavar="PIPELINE", action=_AddToPipeline, default=[], help="passes, as in `a,b{option=1}`"
    )
    group.add_argument(
        "-O",
        "--optimize",
        action=_AddToPipeline,
        dest="passes",
        nargs=0,
        help="run the passes that are best for the target, by default that of the ending of the output or the input,"
        " print the flags that this stands for, and prove the result",
    )
    group.add_argument(
        "--target", dest="hardware", metavar="NAME|FILE", help="the hardware target of all passes that have one"
    )
    group.add_argument(
        "--interface",
        action="append",
        metavar="LAYOUT|free|NAME:LAYOUT",
        help="the layouts of arguments and results: keep (default), free (npu-opt chooses), a layout such as NHWC, or"
        " NAME:LAYOUT for one tensor",
    )
    group.add_argument(
        "--tie",
        action="append",
        default=[],
        metavar="[FUNCTION:]NAME=[FUNCTION:]NAME",
        help="store arguments and results in one layout, of one program or of several files (a file's name is that"
        " of its function), as in --tie 'prefill:present_*=decode:past_*'; npu-opt finds the layout that costs least",
    )
    group.add_argument(
        "--calls",
        metavar="FUNCTION=N,...",
        default="",
        help="count the costs of a function N times, as in --calls prefill=1,decode=512",
    )
    group.add_argument(
        "--fold-limit",
        metavar="BYTES",
        type=count,
        help="fold constants, and build them for an ONNX op, up to this size (default: 64 MiB)",
    )
    group.add_argument(
        "--fold-weights",
        action="store_true",
        help="compute at compile time what depends on the weights of an ONNX model alone",
    )


def _add_pass_flags(group: _Arguments, passes: PassFactories) -> None:
    for name in passes:
        entry = PASS_TABLE.get(name)
        with suppress(argparse.ArgumentError):
            group.add_argument(
                f"--{name}",
                action=_AddToPipeline,
                dest="passes",
                metavar="[OPTIONS]",
                help=entry.summary if entry else argparse.SUPPRESS,
            )


WITH_JSON = ("--stats", "--remarks", "--why", "--what-if", "--why-not-fused", "--expect-...")
"""The flags of npu-opt whose answers `--json` prints as JSON."""
JSON_HELP = "print the answer as one line of JSON"


def _add_transpose_arguments(group: _Arguments) -> None:
    group.add_argument(
        "--stats",
        nargs="?",
        metavar="json",
        type=_report_format("json"),
        help="print the number of transposes before and after each pass, the bytes they move, and what layout-optimal"
        " proves, to stderr (json: the numbers on one line)",
    )
    group.add_argument(
        "--remarks",
        nargs="?",
        metavar="all|json",
        type=_report_format("all", "json"),
        help="print the origin of transposes, and which pass removed them, to stderr (all: those of constants too, and"
        " repeated ones; json: all, one object per line)",
    )
    group.add_argument(
        "--why",
        action="append",
        metavar="%VALUE",
        help="print the reasons for the layout of a value to stderr (@function:%%value if several functions have one)",
    )
    group.add_argument(
        "--what-if",
        nargs="?",
        metavar="json",
        type=_report_format("json"),
        help="print what each change of an argument, a result, a layout requirement (demand) or a capability of "
        "the target would save, and what each layout of tied ones costs, to stderr (json: on one line)",
    )
    group.add_argument(
        "--save-plan",
        metavar="FILE",
        type=_file_name,
        help="write the layout of each value with its reason and cost to FILE, a plan that can be edited",
    )
    group.add_argument(
        "--certificate",
        metavar="FILE",
        type=_file_name,
        help="write the proof of the minimum to FILE for checkers/check_minimum.py (.json, .json.gz) or others (.vipr)",
    )
    group.add_argument(
        "--plan", metavar="FILE", type=_file_name, help="obey the pins of a plan, and print what each costs"
    )
    _add_flag(group, "--json", help=f"print what {', '.join(WITH_JSON)} answer as JSON, one object per line")
    _add_flag(group, "--why-not-fused", help="print the reasons why a fusion pass does not fuse pairs of ops to stderr")
    group.add_argument(
        "--report",
        metavar="FILE",
        type=_file_name,
        help="write a page of HTML to FILE: the transposes with their reasons, the graph before and after, the proof",
    )
    group.add_argument(
        "--times",
        metavar="FILE",
        type=_file_name,
        help="show the times of an ONNX Runtime profile (JSON) or of Vela's layers (CSV) on the ops with these names",
    )
    group.add_argument(
        "--expect-transposes", metavar="N", type=count, help="fail if the result has more than N transposes"
    )
    group.add_argument(
        "--expect-bytes", metavar="N", type=count, help="fail if the transposes of the result move more than N bytes"
    )
    group.add_argument(
        "--expect-cost",
        metavar="N",
        type=cost,
        help="fail if the result costs more than N on the target, in the unit of its costs",
    )
    group.add_argument(
        "--verify-layouts",
        action="store_true",
        default=os.environ.get(VERIFY_LAYOUTS, "") not in ("", "0"),
        help=f"prove that passes which change layouts preserve the results ({VERIFY_LAYOUTS}=1: always)",
    )


def _report_format(*formats: str) -> Callable[[str], str]:
    *most, last = "nothing", *formats

    def check(text: str) -> str:
        if text not in ("", *formats):
            raise argparse.ArgumentTypeError(f"expected {', '.join(most)} or {last}, found '{text}'")
        return text or "text"

    return check


def frontend(text: str) -> str:
    """Parse the name of a frontend."""
    if text not in FRONTENDS:
        raise argparse.ArgumentTypeError(f"no frontend '{text}' (choose from {', '.join(FRONTENDS)})")
    return text


def _file_name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a file name, found ''")
    return text


def count(text: str) -> int:
    """Parse a non-negative number."""
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected a non-negative number, found '{text}'")
    return int(text)


def _debug_counter(text: str) -> tuple[str, int]:
    """Parse the name of a counter and its limit."""
    name, equals, limit = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"expected PASS=N, as in layout-optimal=12, found '{text}'")
    return name, count(limit)


def cost(text: str) -> int:
    """Parse a cost in the unit of a target, to thousandths of it."""
    if not re.fullmatch(r"[0-9]{1,15}([.][0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"expected a number such as 4200 or 0.125, found '{text}'")
    whole, _, rest = text.partition(".")
    return int(whole + rest.ljust(3, "0"))


def tolerance(text: str) -> float:
    """Parse a non-negative number, which may have a fraction."""
    with suppress(ValueError):
        number = float(text)
        if 0 <= number < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"expected a number of at least 0, found '{text}'")


def _add_information_arguments(group: _Arguments, passes: PassFactories, formats: Iterable[str]) -> None:
    group.add_argument(
        "-h", "--help", action=HelpAction, passes=passes, metavar="PASS", help="print this, or about a pass, and exit"
    )
    group.add_argument("-v", "--version", action=VersionsAction)
    group.add_argument(
        "--list-passes",
        action=PrintLines,
        lines=lambda: own_pass_list(passes),
        all_lines=lambda: pass_list(passes),
        metavar="all",
        help="print the passes of npu-opt with their options (all: those of xDSL, too)",
    )
    group.add_argument(
        CHECK_TARGET,
        metavar="NAME|FILE",
        help="print the problems of a hardware target, by itself or with the program of input_file, and exit",
    )
    group.add_argument(
        "--assign",
        metavar="FILE",
        type=_file_name,
        help="choose the layouts of the tensors in FILE, a problem of another compiler in JSON (docs/assign.md), print"
        " them as JSON, and exit with 2 if nothing is proved to be the minimum, with 3 if no choice is possible",
    )
    group.add_argument(
        "--time-limit", metavar="SECONDS", type=tolerance, help="the time that --assign may take (default: 60)"
    )
    group.add_argument("--list-targets", action=PrintLines, lines=target_list, help="print the hardware targets")
    group.add_argument(
        "--completion",
        action=CompletionAction,
        words=lambda: {
            "frontend": FRONTENDS,
            "target": formats,
            "hardware": target_names(),
            "check_target": target_names(),
            "help": passes,
            "stats": ["json"],
            "list_passes": ["all"],
            "what_if": ["json"],
            "remarks": ["all", "json"],
        },
        metavar="SHELL",
        help=COMPLETION_HELP,
    )


def _add_debugging_arguments(group: _Arguments) -> None:
    _add_flag(group, "--debug", help="show the Python traceback of an error")
    group.add_argument(
        "--reproducer",
        metavar="FILE",
        help="the file for the program before a failing pass (default: npu-opt-reproducer.mlir, or with a number)",
    )
    group.add_argument(
        "--debug-counter",
        action="append",
        metavar="PASS=N",
        type=_debug_counter,
        default=[],
        help="let a pass apply only the first N of its changes, which preserves the results for every N (passes=N: run"
        " the first N passes), and print the last one to stderr",
    )
    _add_flag(group, "--time-passes", help="print the times of reading, each pass and printing to stderr")
    _add_flag(group, "--print-between-passes", help="print the program between passes to stderr")
    for flag, when in PRINT_FLAGS.items():
        _add_flag(group, flag, help=f"print the program to stderr {when}")
        _add_flag(group, flag.replace("--", "--mlir-", 1), dest=_field(flag), help=argparse.SUPPRESS)
    _add_flag(group, "--print-ir-change", dest="print_ir_after_change", help=argparse.SUPPRESS)
    _add_flag(group, "--print-ir-diff", help="print the lines that each pass has changed, as a unified diff to stderr")
    _add_flag(group, "--disable-verify", help="do not verify anything")
    _add_flag(group, "--verify-diagnostics", help="print verifier errors to stdout and exit with 0 (for tests)")
    _add_flag(group, "--parsing-diagnostics", help="print parse errors to stdout and exit with 0 (for tests)")
    _add_flag(group, "--shrink", help="succeed only if a pass raised ShrinkException (for shrinkray)")
