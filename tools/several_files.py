"""Several files in one run: programs whose arguments and results are tied, placed as one problem."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..dialects.notes.interfaces import InterfaceValue, interface_of
from ..dialects.notes.ties import Tie, ties_of
from ..dialects.npu.values import encoding
from ..layout import Layout
from ..passes.layout_optimal import LayoutOptimal
from ..passes.optimal.certificates.core import Certificate
from ..passes.optimal.certificates.of_choice import collected_certificates
from ..passes.optimal.explain.account import collected_accounts
from ..passes.placement.layout_pass import colour
from ..passes.tie_interfaces import TieInterfaces
from ..text.diagnostics import Report, ReportedError
from .driver.console.command_text import without_flags
from .driver.console.output import say
from .driver.console.progress import Progress
from .driver.formats.together import names_of, together
from .driver.pipeline.pipeline import tie_report
from .observers.certificate_file import checked_name, write_certificate
from .observers.tied_orders import SetOfTies, orders_of_ties, text_of_sets

PLACES = LayoutOptimal.name
"""The pass that finds one order for all ends of a tie."""
DROPPED = ("-o", "--output-file", "--tie", "--calls", "--what-if", "--certificate")
"""The flags that are those of all files together."""

INTERFACE = ("--interface",)


class Tool(Protocol):
    """The driver of one file."""

    ctx: Context

    def program_before(self, pass_name: str) -> tuple[ModuleOp, ModulePass]: ...

    def compute(self) -> str: ...

    def write(self, text: str) -> int: ...

    def discard(self) -> None: ...


class ToolClass(Protocol):
    def __call__(self, args: Sequence[str]) -> Tool: ...


def run_together(tool: ToolClass, words: Sequence[str], args: argparse.Namespace) -> int:
    """Run the driver for each file, with the orders of tied ends that serve all of them; nothing is written before all
    files are complete."""
    files = [args.input_file, *args.other_files]
    outputs = _outputs(files, args.output_file)
    if args.certificate is not None:
        checked_name(args.certificate)
    own = [*without_flags(words, DROPPED, files)]
    pairs = zip(names_of(files), files, outputs, strict=True)
    commands = {name: [*own, file, "-o", output] for name, file, output in pairs}
    with _folder(Path(args.output_file)):
        # The runs behind it say the same again.
        with redirect_stderr(StringIO()):
            together = _Together(tool, commands, args)
        solved = None if args.what_if is None else together.orders()
        with redirect_stderr(StringIO()):
            certificates = together.place(with_certificate=args.certificate is not None)
        # Each file knows only its own arguments and results.
        alone = {name: without_flags(command, INTERFACE, ()) for name, command in commands.items()}
        tools = [tool([*command, *together.interface_of(name)]) for name, command in alone.items()]
        for each in certificates:
            write_certificate(each.of_program(" ".join(files)), str(args.certificate))
        code = _write_all(tools)
    if solved is not None:
        print(text_of_sets(solved, args.what_if or ""), file=sys.stderr)
    for line in together.lines():
        say(line)
    return code


def _write_all(tools: Sequence[Tool]) -> int:
    """Compute all files, and write them when all are complete."""
    try:
        texts = [each.compute() for each in tools]
        return max(each.write(text) for each, text in zip(tools, texts, strict=True))
    finally:
        for each in tools:
            each.discard()


@contextmanager
def _folder(path: Path) -> Generator[None]:
    """A folder, which is removed if nothing was written into a new one."""
    is_new = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{path}': {error.strerror}")) from error
    try:
        yield
    finally:
        if is_new and not any(path.iterdir()):
            path.rmdir()


def _outputs(files: Sequence[str], folder: str | None) -> Sequence[str]:
    """The file that is written for each one."""
    if folder in (None, "-") or (Path(folder).exists() and not Path(folder).is_dir()):
        raise ReportedError(Report("several files: expected a folder for what is written, as -o out/"))
    found = [Path(folder, Path(file).name) for file in files]
    same = next(
        (file for file, output in zip(files, found, strict=True) if output.exists() and output.samefile(file)), None
    )
    if same is not None:
        raise ReportedError(Report(f"argument -o: '{same}' would be replaced: choose another folder"))
    return [str(each) for each in found]


class _Together:
    """The programs of all files as the functions of one module, each as it is in front of the placement."""

    def __init__(self, tool: ToolClass, commands: Mapping[str, Sequence[str]], args: argparse.Namespace) -> None:
        programs: dict[str, ModuleOp] = {}
        passes: list[ModulePass] = []
        for name, command in commands.items():
            programs[name], placement = tool(command).program_before(PLACES)
            passes.append(placement)
        if any(each != passes[0] for each in passes):
            raise ReportedError(Report("several files: expected one target for all (--target)"))
        assert isinstance(passes[0], LayoutOptimal)
        self._placement = passes[0]
        self._module, self._files = together(programs)
        self._ties: Sequence[Tie] = ()
        self._text = ""
        self._came: Mapping[InterfaceValue, Layout | None] = {}
        """The layouts of arguments and results in front of the placement."""
        with _reported():
            TieInterfaces(",".join(args.tie), args.calls).apply(Context(), self._module)

    def orders(self) -> Sequence[SetOfTies]:
        """All orders of the ties, each solved."""
        with _reported(), Progress().step("orders of ties") as step:
            return orders_of_ties(self._placement, self._module, step.update)

    def place(self, with_certificate: bool) -> Sequence[Certificate]:
        """Find the orders of all ties; returns the certificate of their minimum, if it is wanted."""
        colour(self._module, self._placement.default_layout())
        self._came = {end: encoding(end.type) for function in self._files for end in interface_of(function)}
        collected = collected_certificates() if with_certificate else nullcontext(list[Certificate]())
        with _reported(), collected_accounts() as accounts, collected as certificates:
            self._placement.apply(Context(), self._module)
        self._ties = ties_of(self._module)
        self._text = accounts[0].text if accounts else "unchanged"
        return certificates

    def interface_of(self, name: str) -> Iterator[str]:
        """The flags that store the arguments and results of a file in the orders that were found."""
        for function in (each for each, file in self._files.items() if file == name):
            for end in interface_of(function):
                if (layout := encoding(end.type)) is not None and layout != self._came.get(end, layout):
                    # Without an order a layout is a class.
                    own = f", {[*range(end.rank)]}" if layout.order is None else ""
                    yield f"--interface={_flag_name(end)}:{layout}{own}"

    def lines(self) -> Iterator[str]:
        """The orders that were found, in words, and the cost of all calls."""
        for tie in self._ties:
            names = " = ".join(f"{end.function.sym_name.data}:{end.name.removeprefix('%')}" for end in tie.ends)
            yield f"note: {names}: {tie.ends[0].note or 'unchanged'}"
        yield f"note: together, in all calls: {self._text}"


@contextmanager
def _reported() -> Generator[None]:
    """Report errors in ties as those of the flags that name them."""
    try:
        yield
    except (ValueError, PassFailedException) as error:
        raise tie_report(error) from error


def _flag_name(end: InterfaceValue) -> str:
    return f"{'input' if end.is_argument else 'output'}{end.index}"
