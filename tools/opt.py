"""npu-opt: reads a program, runs passes over it, prints it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from io import BytesIO, StringIO
from itertools import starmap
from pathlib import Path
from typing import IO, TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.printer import Printer
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import DiagnosticException, ParseError, ShrinkException
from xdsl.xdsl_opt_main import xDSLOptMain

from ..bridges.files import check_writable, is_special
from ..text.diagnostics import (
    Report,
    ReportedError,
    summarize,
)
from ..text.locations import locate_in_text
from ..universe import installed
from .driver.console.flags import spell_out_flags
from .driver.console.main import run_tool
from .driver.console.output import say, write_file, write_stdout
from .driver.console.progress import Progress, Step
from .driver.console.timing import Timings
from .driver.formats.guessed_format import hint_on_lowering, is_tosa
from .driver.formats.model_formats import model_format
from .driver.formats.models import (
    READERS,
    WeightsOptions,
    cannot_write,
    draft_weights,
    not_from_stdin,
    note_on_references,
    read_model,
    rename_file,
    used_weights,
    whole_ops,
)
from .driver.formats.output_format import ModelFile, exported_model, note_of, settle_format, tosa_note, tosa_text
from .driver.formats.program import Program, decoded, unknown_ending, with_fixed_sizes
from .driver.formats.size_hint import inputs_of, size_hint, unknown_ranks
from .driver.formats.text_target import TextTarget
from .driver.formats.tosa import read_tosa
from .driver.options.arguments import ALLOW_OUTSIDE, CHECK_TARGET, OtherRun, add_arguments, fixed_sizes
from .driver.pipeline.best_passes import command_with_option, gain_of_best_passes, with_best_passes
from .driver.pipeline.output_formats import OWN_FORMATS
from .driver.pipeline.pass_reports import note_unfolded_views, report_of
from .driver.pipeline.pipeline import (
    build_passes,
    check_hardware,
    checked_format,
    checked_interface,
    pin_report,
    target_report,
    with_described_ops,
    with_interface,
    with_pins,
    with_ties,
)
from .driver.pipeline.priced_target import assumed_size, placed_targets, priced_target
from .driver.pipeline.reproducer import FailedPass, write_reproducer
from .observers.base import ChangedProgram
from .observers.chosen import chosen_observers

if TYPE_CHECKING:
    from ..bridges.files import Draft
    from ..bridges.imported import Imported
    from ..text.parser import SourceMap

DESCRIPTION = "Assigns layouts, minimises transposes and fuses ops for neural processing units, on programs in MLIR."


class NpuOptMain(xDSLOptMain):
    """xDSL's driver with a flag per pass, MLIR-style diagnostics, and atomic output."""

    def __init__(self, args: Sequence[str]) -> None:
        self._universe = installed()
        self._timings = Timings()
        self._progress = Progress()
        self._step = Step("reading")
        self._imported: Imported | None = None
        self._draft: Draft | None = None
        self._model: ModelFile | None = None
        self._original: Program | None = None
        """A copy of the program before all passes, if the written model is to be verified."""
        self._model_note = ""
        self._source: SourceMap | None = None
        self._line_offset = 0
        self.exit_code = 0
        self._command = ("npu-opt", *args)
        super().__init__(DESCRIPTION, spell_out_flags(args, self._universe.all_passes))
        self._priced = priced_target(self.pipeline.passes, self.args.hardware)
        self._observer = chosen_observers(
            self.args, self._priced, self.get_input_name(), self._timings, lambda: self._imported
        )
        self._observer.check(self.pipeline.passes)

    def register_all_dialects(self) -> None:
        for name, factory in self._universe.all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        self.available_frontends["mlir"] = self._parse_mlir
        self.available_frontends["onnx"] = self._parse_onnx
        self.available_frontends["tosa"] = self._parse_tosa
        self.available_frontends.update({format: partial(self._parse_model, format) for format in READERS})

    def register_all_passes(self) -> None:
        self.available_passes.update(self._universe.all_passes)

    def register_all_targets(self) -> None:
        self.available_targets.update(self._universe.all_targets)
        self.available_targets.update(OWN_FORMATS)
        self.available_targets["mlir"] = lambda: TextTarget

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        add_arguments(arg_parser, self.available_passes, self.available_targets)

    def setup_pipeline(self) -> None:
        if self.args.other_files or self.args.assign is not None:
            raise OtherRun(self.args)
        if self.args.time_limit is not None:
            raise ReportedError(Report("argument --time-limit: expected --assign, whose time it limits"))
        check_hardware(self.args.hardware)
        interface = checked_interface(self.args.interface)
        self._target_writes = settle_format(self.args)
        self.args.target = checked_format(self.args.target, self.available_targets, self.args.hardware)
        self.args.command = self._command
        self._optimizes = with_best_passes(self.args)
        passes = build_passes(self.args.passes, self.available_passes, self.args.hardware, interface)
        passes = with_interface(passes, self.available_passes, interface)
        passes = with_ties(passes, self.available_passes, self.args)
        passes = with_pins(passes, self.available_passes, self.args.plan)
        self.pipeline = PassPipeline(tuple(self._counted(with_described_ops(passes, self.available_passes))))

    def _counted(self, passes: Sequence[ModulePass]) -> Sequence[ModulePass]:
        """The passes that run, as many as a debug counter says."""
        if not self.args.debug_counter:
            return passes
        # Imported late: it loads passes, and most runs count nothing.
        from .driver.pipeline.debug_counter import first_passes

        return first_passes(passes, dict(self.args.debug_counter))

    def get_input_name(self) -> str:
        return "<stdin>" if self._reads_stdin() else self.args.input_file

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        if model := model_format(self.get_input_name(), self.args.frontend):
            if self._reads_stdin():
                raise ReportedError(not_from_stdin(model))
            # The importer opens the file itself, so that large data is not loaded.
            return BytesIO(), model
        if self._reads_stdin():
            return BytesIO(sys.stdin.buffer.read()), "mlir"
        stream, extension = super().get_input_stream()
        # A file name without suffix, such as a pipe, is MLIR.
        return stream, extension or "mlir"

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        self._source = None
        self._line_offset = start_offset
        with self._timings.step("parse"), self._progress.step("reading") as step:
            self._step = step
            return super().parse_chunk(chunk, file_extension, start_offset)

    def apply_passes(self, prog: ModuleOp) -> None:
        self._verify(prog)
        if self.args.verify_layouts and self._target_writes:
            copy = prog.clone()
            imported = self._imported and replace(self._imported, module=copy)
            self._original = Program(self.get_input_name(), copy, self._source, imported)
        # Imported late: --help reads no program.
        from .driver.pipeline.linalg import converted

        with converted(prog, self._source, self.pipeline.passes, self.ctx, self._observer.proofs):
            self._observer.before_passes(prog, self._source)
            for index, module_pass in enumerate(self.pipeline.passes):
                self._apply_pass(module_pass, index, prog)
                if self.args.print_between_passes and index + 1 < len(self.pipeline.passes):
                    print(f"// ----- after {module_pass.name}", file=sys.stderr)
                    Printer(stream=sys.stderr).print_op(prog)
                    print(file=sys.stderr)
            self._observer.after_passes(prog)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        if parse_spec(self.args.target).name == "tosa":
            return self._as_tosa(prog)
        if not self._target_writes:
            return super().output_resulting_program(prog)
        # From model to model, weights are copied from file to file.
        self._model = exported_model(prog, self.args.target, self._imported, self.args.hardware)
        from ..passes.common.demands.target_cost import cost_on_target
        from ..passes.common.words.left_unchanged import left_unchanged

        self._observer.before_model(self._model.cost, self._model.nodes)
        cost, placed_for = cost_on_target(prog, self._priced), placed_targets(self.pipeline.passes)
        self._model_note = note_of(self._model, cost, left_unchanged(prog), placed_for, self.args.command)
        if self._imported is not None and not self.pipeline.passes:
            with self._progress.step("optimizing"):
                self._model_note += gain_of_best_passes(
                    self._model, prog, self._imported, self.args, self.available_passes
                )
        return ""

    def _as_tosa(self, prog: ModuleOp) -> str:
        from ..bridges.changed_nodes import ChangedNodes
        from ..passes.common.demands.target_cost import cost_on_target

        text, found = tosa_text(prog, self.args.target)
        self._observer.before_model(found, ChangedNodes(0, 0))
        name = "<stdout>" if self._writes_stdout() else self.args.output_file
        self._model_note += tosa_note(name, found, cost_on_target(prog, self._priced))
        return text

    def run(self) -> None:
        """Run the tool. Nothing is written before the whole output is complete."""
        try:
            self.exit_code = self._run()
        finally:
            self.discard()

    def _run(self) -> int:
        try:
            text = self.compute()
        except ShrinkException:
            print("Success, can shrink")
            return 0
        code = self.write(text)
        if self.args.time_passes:
            print(self._timings.table(), file=sys.stderr)
        if self.args.shrink:
            print("Failure, can't shrink")
            return 1
        return code

    def compute(self) -> str:
        """Compute the output; a model is proved, and the text of any other format is returned."""
        # Imported late: --help verifies nothing.
        from ..compat.xdsl import without_module_dumps
        from ..dialects.settings.assumed_sizes import assuming

        with assuming(assumed_size(self.pipeline.passes)):
            with without_module_dumps(), self._reading_files():
                text = self._process_input()
            self._observer.at_end()
            self._check_output()
            if self._model is not None:
                self._verify_written(self._model)
        return text

    def program_before(self, pass_name: str) -> tuple[ModuleOp, ModulePass]:
        """The program in front of the first pass of a name, which is returned as well; no pass is observed."""
        # Imported late: --help verifies nothing.
        from ..compat.xdsl import without_module_dumps
        from ..dialects.settings.folding import folding_up_to

        (data, extension, offset), *_ = self._pieces()
        try:
            with without_module_dumps(), self._reading_files(), folding_up_to(self.args.fold_limit):
                module = self.parse_chunk(BytesIO(data), extension, offset)
                assert module is not None
                self._verify(module)
                for module_pass in self.pipeline.passes:
                    if module_pass.name == pass_name:
                        return module, module_pass
                    module_pass.apply(self.ctx, module)
                    self._compute_weights(module_pass, module)
        except ReportedError:
            raise
        except Exception as error:
            raise ReportedError(report_of(error, self._source, self.get_input_name())) from error
        raise ReportedError(Report(f"argument --tie: no pass in the pipeline finds a minimum (--{pass_name})"))

    def discard(self) -> None:
        """Remove what was written for a program that is not."""
        if self._draft is not None:
            self._draft.discard()

    def _reading_files(self) -> AbstractContextManager[object]:
        if not self.args.allow_outside:
            return nullcontext()
        # Imported late: most runs read no constants from files.
        from ..interpreter.files import outside_allowed

        return outside_allowed()

    def _reads_stdin(self) -> bool:
        return self.args.input_file in (None, "-")

    def _parse_mlir(self, stream: IO[bytes]) -> ModuleOp:
        # Imported late: --help reads no program.
        from ..text.parser import NpuParser

        data = stream.read()
        text = decoded(data, self.get_input_name(), self._line_offset)
        if self.args.frontend is None and is_tosa(text):
            return self._fixed(read_tosa(text, self.get_input_name(), self._line_offset))
        with hint_on_lowering(text, self.get_input_name()):
            parser = NpuParser(self.ctx, text, self.get_input_name(), line_offset=self._line_offset)
            self._source = parser.source
            module = parser.parse_module(not self.args.no_implicit_module)
        if self._observer.wants_places:
            locate_in_text(parser.source)
        return self._fixed(module)

    def _fixed(self, module: ModuleOp) -> ModuleOp:
        """The program of a text, with the sizes that are fixed."""
        fixed = fixed_sizes(self.args)
        if fixed:
            self._verify(module)
        return with_fixed_sizes(module, fixed, self.get_input_name())

    def _parse_onnx(self, stream: IO[bytes]) -> ModuleOp:
        stream.close()
        self._imported = read_model(self.args.input_file, self._weights(), self._step.update)
        notes = (*self._imported.notes, *unknown_ranks(self._imported.module, self.args.command))
        for text in notes:
            say(f"{self.get_input_name()}: note: {text}")
        self._observer.after_import(notes, [*self._imported.without_an_op])
        return self._imported.module

    def _parse_model(self, format: str, stream: IO[bytes]) -> ModuleOp:
        stream.close()
        self._imported = READERS[format](self.args.input_file, self._weights())
        self._observer.after_import(self._imported.notes, [*self._imported.without_an_op])
        return self._imported.module

    def _parse_tosa(self, stream: IO[bytes]) -> ModuleOp:
        text = decoded(stream.read(), self.get_input_name(), self._line_offset)
        return self._fixed(read_tosa(text, self.get_input_name(), self._line_offset))

    def _weights(self) -> WeightsOptions:
        # A device has no neighbours.
        output = None if self._writes_stdout() or is_special(Path(self.args.output_file)) else self.args.output_file
        args = self.args
        limits = args.inline_limit, args.fold_limit
        writes_onnx = self._target_writes and parse_spec(args.target).name == "onnx"
        whole = whole_ops(args.hardware) if writes_onnx else frozenset[str]()
        fixed, folds = fixed_sizes(args), args.fold_weights
        return WeightsOptions(args.weights, *limits, folds, output, fixed, args.hardware, whole, self._command)

    def _verify(self, module: ModuleOp) -> None:
        if self.args.disable_verify:
            return
        # Imported late: --help does not load the dialects.
        from ..dialects.program.symbols import verify

        with self._timings.step("verify"):
            verify(module)

    def _apply_pass(self, module_pass: ModulePass, index: int, module: ModuleOp) -> None:
        # Imported late: --help does not load the dialects.
        from ..dialects.settings.folding import folding_up_to
        from ..passes.common.hints import hinting

        problem = "failed"
        self._observer.before_pass(module_pass, module)
        try:
            with self._timings.step(f"{index + 1}. {module_pass.name}"), self._progress.step(module_pass.name):
                with folding_up_to(self.args.fold_limit) as folding, hinting(partial(command_with_option, self.args)):
                    self._run_pass(module_pass, module)
            note_unfolded_views(folding, module_pass.name, self._source, self.get_input_name(), self._command)
            problem = "left an invalid program"
            self._verify(module)
            problem = "could not be observed"
            self._observer.after_pass(module_pass, module)
            self._compute_weights(module_pass, module)
        except ShrinkException:
            raise
        except ChangedProgram as error:
            raise FailedPass(self.pipeline.passes, index, "changed what the program computes", error) from error
        except Exception as error:
            raise FailedPass(self.pipeline.passes, index, problem, error) from error

    def _compute_weights(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """Compute what a pass has left of ops on the weights of a model."""
        # Imported late: few passes leave such ops.
        from ..passes.common.same_meaning import PreservesMeaning

        if self._imported is None:
            return
        if isinstance(module_pass, PreservesMeaning) and module_pass.leaves_weights:
            from .driver.formats.computed_weights import with_computed_weights

            self._imported = with_computed_weights(self._imported, module, self._weights(), self.get_input_name())

    def _run_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if not self.args.debug_counter:
            module_pass.apply(self.ctx, module)
            return
        # Imported late: most runs count nothing.
        from .driver.pipeline.debug_counter import counted

        with counted(module_pass, dict(self.args.debug_counter)) as counted_pass:
            counted_pass.apply(self.ctx, module)

    def _process_input(self) -> str:
        return "// -----\n".join(starmap(self._process_chunk, self._pieces()))

    def _pieces(self) -> Sequence[tuple[bytes, str, int]]:
        """The pieces of the input, with the format and the lines in front of each."""
        try:
            chunks, extension = self.prepare_input()
            return [(_read(chunk), extension, offset) for chunk, offset in chunks]
        except OSError as error:
            raise ReportedError(Report(f"cannot read '{self.get_input_name()}': {error.strerror}")) from error
        except ValueError as error:
            raise ReportedError(unknown_ending(self.get_input_name())) from error

    def _process_chunk(self, data: bytes, extension: str, offset: int) -> str:
        try:
            module = self.parse_chunk(BytesIO(data), extension, offset)
            if module is None:
                return ""
            self.apply_passes(module)
            self._draft_weights()
            with self._timings.step("print"):
                return self.output_resulting_program(module)
        except (ShrinkException, ReportedError):
            raise
        except Exception as error:
            # Imported late: it loads the dialects.
            from ..compat.xdsl import failing_op

            report = report_of(error, self._source, self.get_input_name())
            op = failing_op(error)
            if self._imported is not None and not isinstance(error, FailedPass) and op is not None and op.operands:
                report = report.with_notes(*size_hint(inputs_of(self._imported.module), self.args.command))
            if self._is_expected(error):
                return self._expected_output(report)
            if isinstance(error, FailedPass) and pin_report(error.cause) is None:
                report = report.with_notes(*self._failure_notes(error, data, extension, offset))
            raise ReportedError(report) from error

    def _is_expected(self, error: Exception) -> bool:
        cause = error.cause if isinstance(error, FailedPass) else error
        if self.args.parsing_diagnostics and isinstance(cause, ParseError):
            return True
        return self.args.verify_diagnostics and isinstance(cause, DiagnosticException)

    def _expected_output(self, report: Report) -> str:
        """Print an expected diagnostic to stdout in the place of the program."""
        text = f"{report}\n"
        if self._writes_stdout():
            return text
        print(text, end="")
        return ""

    def _failure_notes(self, failure: FailedPass, data: bytes, extension: str, offset: int) -> tuple[str, ...]:
        before = ", ".join(module_pass.name for module_pass in failure.before) or "none"
        notes = (f"passes before '{failure.failed.name}': {before}",)
        if failure.is_user_error and self.args.reproducer is None:
            return notes
        try:
            module = self.parse_chunk(BytesIO(data), extension, offset)
            assert module is not None
            for module_pass in failure.before:
                module_pass.apply(self.ctx, module)
            return (*notes, write_reproducer(failure, self._as_mlir(module), self.args))
        except Exception as error:
            return (*notes, f"no reproducer could be written: {summarize(error)}")

    def _as_mlir(self, module: ModuleOp) -> str:
        from ..text.printer import NpuPrinter

        buffer = StringIO()
        NpuPrinter(stream=buffer, print_debuginfo=self.args.print_debuginfo).print_op(module)
        return buffer.getvalue() + "\n"

    def _writes_stdout(self) -> bool:
        return self.args.output_file in (None, "-")

    def _draft_weights(self) -> None:
        """Write the weights that the program refers to into a draft, or print a note that they are not written."""
        if self._imported is None or self._target_writes or self.args.weights in ("inline", "none"):
            return
        keys = used_weights(self._imported, self._imported.module)
        if not keys:
            return
        weights = self._weights()
        if weights.file is None:
            note_on_references(len(keys), self.args.input_file, self._command)
            return
        with self._timings.step("weights"), self._progress.step("writing weights"):
            self._draft = draft_weights(self._imported, keys, weights.file)
        if self._draft is not None:
            self._name_weights(self._draft, weights, self._imported.module)

    def _name_weights(self, draft: Draft, weights: WeightsOptions, module: ModuleOp) -> None:
        """Settle the name of the weights file, and let the program refer to it."""
        program = None if weights.output is None else Path(weights.output)
        old, file = weights.name(self.args.input_file), draft.path
        with cannot_write(file):
            name = draft.settle_name(program)
        if name == file.name:
            return
        rename_file(module, old, Path(old).with_name(name).as_posix())
        print(
            f"{program or self.args.input_file}: note: the weights are in '{draft.path}':"
            f" other programs may refer to the content of '{file}'",
            file=sys.stderr,
        )

    def _check_output(self) -> None:
        """Check that the program can be written, before the weights that only it refers to."""
        if self._draft is not None and not self._writes_stdout():
            with cannot_write(Path(self.args.output_file)):
                check_writable(Path(self.args.output_file))

    def _write_weights(self) -> None:
        """Put the weights in place, before the program that refers to them."""
        if (draft := self._draft) is None:
            return
        with cannot_write(draft.path):
            draft.put_beside()
        if self._weights().is_outside:
            print(
                f"{self.args.output_file}: note: '{draft.path}' is not below the folder of the program:"
                f" reading its constants requires {ALLOW_OUTSIDE}",
                file=sys.stderr,
            )

    def _verify_written(self, model: ModelFile) -> None:
        if self._original is None:
            return
        # Imported late: most runs prove nothing.
        from .driver.comparison.written_model import verify_written

        args = self.args
        with self._timings.step("verify layouts"), self._progress.step("proving the file"):
            is_talkative = self._optimizes or args.remarks is not None
            fixed = None if args.fold_weights else fixed_sizes(args)
            verify_written(model, self._original, fixed, self.pipeline.passes, args.hardware, is_talkative)

    def write(self, text: str) -> int:
        """Write the output that was computed."""
        self._write_weights()
        if self._model is not None:
            with self._timings.step("write"), self._progress.step("writing"):
                self._model.write()
            print(self._model_note, file=sys.stderr)
            return 0
        print(self._model_note, end="", file=sys.stderr)
        if self._writes_stdout():
            return write_stdout(text)
        try:
            write_file(self.args.output_file, text)
        except OSError as error:
            raise ReportedError(Report(f"cannot write '{self.args.output_file}': {error.strerror}")) from error
        return 0


def _read(stream: IO[bytes]) -> bytes:
    with stream:
        return stream.read()


def run(args: Sequence[str]) -> int:
    """Run npu-opt and return the exit code."""
    return run_tool("npu-opt", lambda: _transform(args), debug="--debug" in args, explain=target_report)


def _transform(args: Sequence[str]) -> int:
    try:
        tool = NpuOptMain(args)
    except OtherRun as other:
        # Imported late: most runs read one program.
        from .other_runs import run_other

        return run_other(NpuOptMain, args, other.arguments)
    if tool.args.check_target is not None:
        return _check_target(tool.args)
    tool.run()
    return tool.exit_code


def _check_target(args: argparse.Namespace) -> int:
    if args.passes or args.output_file is not None:
        raise ReportedError(Report(f"{CHECK_TARGET} only prints: it runs no passes and writes no file"))
    # Imported late: it loads passes.
    from .driver.pipeline.target_check import check_target

    return check_target(args.check_target, args.input_file, args.frontend)


def main() -> int:
    return run(sys.argv[1:])
