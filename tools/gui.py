"""npu-gui: xDSL's interactive app, with the passes of this package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from ..bridges.extra import MissingExtraError, require
from ..passes import get_all_passes
from ..text.diagnostics import Report, ReportedError
from ..universe import installed
from .driver.console.main import run_tool
from .driver.formats.program import new_context, read_program
from .driver.formats.text_target import TextTarget
from .driver.options.arguments import PassRequest
from .driver.options.tool_parser import ToolParser
from .driver.pipeline.pipeline import build_passes

if TYPE_CHECKING:
    from xdsl.interactive.app import InputApp

DESCRIPTION = """\
Opens a program in the terminal beside the passes of npu-opt. A pass that is chosen runs at once, and the program that
it makes is shown, with the ops that came and went. The app is that of xdsl-gui.
"""

EXIT_CODES = """\
exit codes:
  0  the app was closed
  1  an error: the app was not opened
"""

XDSL_PASSES = ("canonicalize", "cse", "dce")
"""The passes of xDSL that are of use here. xdsl-gui has them all, and those of npu-opt too."""

EXAMPLE = """\
func.func @main(%image: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %kernel = npu.constant dense<0.5> : tensor<4x3x1x1xf32>
  %conv = npu.conv2d %image, %kernel data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %relu = npu.relu %conv : tensor<1x4x8x8xf32>
  func.return %relu : tensor<1x4x8x8xf32>
}
"""
"""The program that is shown when no file is given."""


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-gui", DESCRIPTION, EXIT_CODES)
    parser.add_argument("input_file", metavar="FILE", nargs="?", help="a program or a model, or - for standard input")
    parser.add_argument(
        "-p",
        "--passes",
        "--passes",
        metavar="PASSES",
        default="",
        help="begin with these passes (layout-preset,canonicalize)",
    )
    parser.add_argument("--target", metavar="NAME|FILE", help="the hardware target of these passes")
    parser.add_common_arguments()
    return parser.parse_args(args)


def run(args: Sequence[str]) -> int:
    """Run npu-gui and return the exit code."""

    def body() -> int:
        app(parse_arguments(args)).run()
        return 0

    return run_tool("npu-gui", body, debug="--debug" in args)


def app(arguments: argparse.Namespace) -> InputApp:
    """The app on the program and the passes that the arguments name; raises `ReportedError`."""
    try:
        require("gui")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    # Imported late: it needs the extra.
    from xdsl.interactive.app import InputApp

    universe = installed()
    passes = {**get_all_passes(), **{name: universe.all_passes[name] for name in XDSL_PASSES}}
    requests = [PassRequest("-p", arguments.passes)] if arguments.passes else []
    return InputApp(
        tuple(universe.all_dialects.items()),
        tuple((name, load()) for name, load in passes.items()),
        arguments.input_file,
        _text(arguments),
        build_passes(requests, universe.all_passes, arguments.target),
    )


def _text(arguments: argparse.Namespace) -> str:
    if arguments.input_file is None:
        return EXAMPLE
    context, text = new_context(arguments.allow_unregistered_dialect), StringIO()
    program = read_program(arguments.input_file, context, arguments.frontend[0], arguments.target)
    TextTarget().emit(context, program.module, text)
    return text.getvalue()


def main() -> int:
    return run(sys.argv[1:])
