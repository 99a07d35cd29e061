"""npu-opt's driver in process: order of passes, options, hardware targets, failures inside passes."""

import re
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from npu_opt.passes import PASS_TABLE, PassEntry, get_all_passes
from npu_opt.tools.opt import run
from npu_opt.universe import NPU_UNIVERSE, installed
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import PassFailedException

SCRIPTS = Path(sysconfig.get_path("scripts"))
PROGRAM = "func.func @main(%x: i32) -> i32 {\n  func.return %x : i32\n}\n"

calls: list[ModulePass] = []


@dataclass(frozen=True)
class RecordPass(ModulePass):
    name = "test-record"

    text: str = ""
    numbers: tuple[int, ...] | None = None
    weight: float = 1.0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls.append(self)


@dataclass(frozen=True)
class TargetPass(ModulePass):
    name = "test-target"

    target: str = "opu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls.append(self)


@dataclass(frozen=True)
class ForeignPass(ModulePass):
    """A pass of another package, to which a target is something else."""

    name = "test-foreign"

    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls.append(self)


@dataclass(frozen=True)
class MarkPass(ModulePass):
    name = "test-mark"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["mark"] = StringAttr("before")


@dataclass(frozen=True)
class CrashPass(ModulePass):
    name = "test-crash"

    how: str = "key"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["mark"] = StringAttr("half done")
        if self.how == "key":
            raise KeyError("lost")
        if self.how == "interrupt":
            raise KeyboardInterrupt
        if self.how == "refuse":
            raise PassFailedException("cannot do that")
        self.apply(ctx, op)


@dataclass(frozen=True)
class BreakPass(ModulePass):
    """Leaves a program whose function returns what it does not say it returns."""

    name = "test-break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = next(child for child in op.walk() if isinstance(child, FuncOp))
        made = test.TestOp(result_types=[i64])
        terminator = function.body.block.last_op
        assert terminator is not None
        function.body.block.insert_op_before(made, terminator)
        broken = terminator.clone_without_regions()
        broken.operands = [made.res[0]]
        function.body.block.insert_op_before(broken, terminator)
        terminator.detach()


@pytest.fixture(autouse=True)
def passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls.clear()
    monkeypatch.setenv("NPU_OPT_VERIFY_LAYOUTS", "1")
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    for pass_type in (RecordPass, TargetPass, ForeignPass, MarkPass, CrashPass, BreakPass):
        _register(monkeypatch, pass_type)
    # To the driver this is a pass of this package, so `--target` is for it.
    monkeypatch.setitem(PASS_TABLE, "test-target", PassEntry("nowhere", "TargetPass", "Reads a target."))


def _register(monkeypatch: pytest.MonkeyPatch, pass_type: type[ModulePass]) -> None:
    factory: Callable[[], type[ModulePass]] = lambda: pass_type  # noqa: E731  # A loop variable must be bound here.
    monkeypatch.setitem(NPU_UNIVERSE.all_passes, pass_type.name, factory)


def fails(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    """Run, expect an error and nothing on stdout; what stderr says."""
    assert run(arguments) == 1
    out, err = capfd.readouterr()
    assert out == ""
    return err


def test_flags_and_pipelines_run_in_the_order_of_the_command_line() -> None:
    arguments = ["--test-record=text=a", "-p", "test-record{text=b},cse,test-record{text=c}", "--cse", "in.mlir"]
    assert run([*arguments, "--test-record=text=d", "-p=test-record{text=e}", "-o", "out.mlir"]) == 0
    assert [call.text for call in calls if isinstance(call, RecordPass)] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", RecordPass()),
        ("text=naive", RecordPass("naive")),
        ("  text=naive   numbers=1,2 ", RecordPass("naive", (1, 2))),
        ("text=a/b.toml weight=0.5", RecordPass("a/b.toml", weight=0.5)),
        ('text="two words" numbers=3', RecordPass("two words", (3,))),
        ("weight=-1.5e-3", RecordPass(weight=-1.5e-3)),
        ("text=2d-slice", RecordPass("2d-slice")),
    ],
)
def test_options_of_a_flag(options: str, expected: RecordPass) -> None:
    assert run([f"--test-record={options}", "in.mlir", "-o", "out.mlir"]) == 0
    assert calls == [expected]


def test_options_never_run_other_passes(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["--test-record=text},test-crash{", "in.mlir"], capfd)
    assert err == "npu-opt: error: argument --test-record: cannot read 'text},test-crash{'\n"
    assert calls == []


def test_a_flag_does_not_take_the_file_for_its_options(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--test-record", "in.mlir"]) == 0
    assert "func.func @main" in capfd.readouterr().out


def test_target_goes_to_the_passes_that_read_one_and_were_given_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> SimpleNamespace:
        return SimpleNamespace(vendor_ops={}, costs=None)

    monkeypatch.setattr("npu_opt.targets.load", load)
    arguments = ["in.mlir", "--target", "mine.toml", "-o", "out.mlir"]
    assert run([*arguments, "--test-target", "--test-foreign", "-p", "test-target{target=other}"]) == 0
    assert calls == [TargetPass("mine.toml"), ForeignPass("cpu"), TargetPass("other")]


@pytest.mark.parametrize("arguments", [["--no-such-flag"], ["in.mlir", "two.mlir"], ["-t"], ["-p", "no-such-pass"]])
def test_a_wrong_command_line_exits_like_every_error(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert "npu-opt: error: " in fails(arguments, capfd)


def test_help_shows_our_passes_only(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capfd.readouterr().out
    npu_passes = out.partition("\nnpu passes:\n")[2].partition("\n\n")[0]
    assert re.search(r"^  --test-target \[OPTIONS\]\s+Reads a target\.$", npu_passes, re.MULTILINE)
    assert "--test-record" not in out


def test_every_flag_of_xdsl_opt_is_there(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    ours = set(re.findall(r"--?[a-z][a-z-]*", capfd.readouterr().out))
    done = subprocess.run([SCRIPTS / "xdsl-opt", "--help"], capture_output=True, text=True, check=True)
    theirs = set(re.findall(r"^  (--?[a-z][a-z-]*)(?:.*, (--[a-z-]+))?", done.stdout, re.MULTILINE))
    assert {flag for pair in theirs for flag in pair if flag} <= ours


def test_unexpected_failure_of_a_pass(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "--test-mark", "--test-crash", "--cse"], capfd)
    assert err.splitlines() == [
        "in.mlir: error: pass 'test-crash' failed: KeyError: 'lost'",
        "note: --debug shows the Python traceback",
        "note: passes before 'test-crash': test-mark",
        "note: the program before the pass is in npu-opt-reproducer.mlir; to reproduce the failure:",
        "  npu-opt npu-opt-reproducer.mlir -p test-crash",
    ]
    # What the pass had changed before it failed is not in the file; what ran before it is.
    reproducer = Path("npu-opt-reproducer.mlir").read_text()
    assert 'attributes {mark = "before"}' in reproducer
    assert run(["npu-opt-reproducer.mlir", "-p", "test-crash"]) == 1


def test_the_reproducer_keeps_what_the_pass_was_given(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text('"foo.bar"() : () -> ()')
    arguments = ["in.mlir", "--allow-unregistered-dialect", "--test-crash=how=key", "--reproducer", "to/where"]
    Path("to").mkdir()
    fails(arguments, capfd)
    command = "// RUN: npu-opt to/where --allow-unregistered-dialect -p test-crash\n"
    assert Path("to/where").read_text().startswith(command)


def test_a_reproducer_that_cannot_be_written_is_a_note(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "--test-crash", "--reproducer", "no/such/folder"], capfd)
    assert "in.mlir: error: pass 'test-crash' failed: KeyError: 'lost'" in err
    assert "note: no reproducer could be written: FileNotFoundError" in err


def test_only_debug_shows_the_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    assert "Traceback" not in fails(["in.mlir", "--test-crash"], capfd)
    err = fails(["in.mlir", "--test-crash", "--debug"], capfd)
    assert "Traceback" in err
    assert 'raise KeyError("lost")' in err


def test_a_mistake_inside_an_op_is_explained_without_a_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text('"test.op"() {a = #npu.layout<NHWX>} : () -> ()')
    err = fails(["in.mlir"], capfd)
    assert "'NHWX' is not a layout" in err
    assert "--debug" not in err


def test_a_user_error_needs_no_reproducer(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "--test-crash=how=refuse"], capfd)
    assert err.splitlines()[0] == "in.mlir: error: pass 'test-crash' failed: cannot do that"
    assert not Path("npu-opt-reproducer.mlir").exists()


def test_endless_recursion_in_a_pass(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "--test-crash=how=recursion"], capfd)
    assert err.startswith("in.mlir: error: pass 'test-crash' failed: nested too deeply\n")


def test_interrupt() -> None:
    assert run(["in.mlir", "--test-crash=how=interrupt"]) == 130


def test_an_op_made_by_a_pass_that_does_not_verify(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "--test-break"], capfd)
    assert err.splitlines()[0] == (
        "in.mlir:1:1: error: pass 'test-break' left an invalid program: Expected arguments to have the same types as "
        "the function output types: expected [i32], got [i64] (in @main, at an operation created by a pass)"
    )
    assert 'note: see current operation: "func.return"(%0) : (i64) -> ()' in err
    assert "Failure: Expected arguments" in Path("npu-opt-reproducer.mlir").read_text()


def test_deeply_nested_input(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text('"test.op"() ({\n' * 3000)
    assert re.match(r"in\.mlir:[0-9]+:[0-9]+: error: nested too deeply\n", fails(["in.mlir"], capfd))


def test_a_directory_without_permission_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    err = fails(["in.mlir", "-o", "missing/out.mlir"], capfd)
    assert err == "npu-opt: error: cannot write 'missing/out.mlir': No such file or directory\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["in.mlir", "--help", "--list-passes"])
def test_a_closed_pipe_is_not_an_error(unbuffered: str, arguments: str) -> None:
    value = "i32 " * 20000
    Path("in.mlir").write_text(f'"test.op"() {{a = "{value}"}} : () -> ()')
    command = f"'{SCRIPTS / 'npu-opt'}' {arguments} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env={"PYTHONUNBUFFERED": unbuffered})
    assert done.stderr == ""
    # 0 where all of it fitted into the pipe before its reader was gone.
    assert done.returncode in ((141,) if arguments == "in.mlir" else (0, 141))


def test_the_table_of_passes() -> None:
    for name, factory in get_all_passes().items():
        if name.startswith("test-"):
            continue
        entry, pass_type = PASS_TABLE[name], factory()
        assert pass_type.name == name
        assert entry.module.split(".")[-1] == name.replace("-", "_")
        module = import_module(f".{entry.module}", "npu_opt.passes")
        assert getattr(module, entry.class_name) is pass_type
        assert (pass_type.__doc__ or "").strip().splitlines()[0] == entry.summary


def test_a_parser_that_trips_names_the_place_and_the_way_to_more(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text(
        '"test.op"() {a = 0xFF : f32} : () -> ()\n"test.op"() {a = dense<1> : tensor<2xi128>} : () -> ()'
    )
    lines = fails(["in.mlir"], capfd).splitlines()
    assert lines[0] == "in.mlir:2:1: error: cannot read this: NotImplementedError: Format not implemented for i128"
    assert lines[-1] == "note: --debug shows the Python traceback"


def test_a_number_that_does_not_fit_is_an_error_in_the_text(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text('"test.op"() {a = 0xFFFFFFFFFF : f32} : () -> ()')
    err = fails(["in.mlir"], capfd)
    assert err.startswith("in.mlir:1:1: error: cannot read this: int too big to convert\n")
    assert "--debug" not in err


def test_a_run_leaves_xdsl_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    before = Diagnostic.raise_exception
    fails(["in.mlir", "--test-crash"], capfd)
    assert Diagnostic.raise_exception is before


@pytest.mark.parametrize(
    ("flag", "problem"),
    [
        ("--what-if", "solves layouts (--layout-optimal)"),
        ("--save-plan=plan.toml", "solves layouts (--layout-optimal)"),
        ("--why=x", "decides layouts (--layout-preset)"),
        ("--why-not-fused", "fuses ops (--fuse-ops, --fuse-ops-hw)"),
    ],
)
def test_questions_that_no_pass_answers_before_anything_is_read(
    flag: str, problem: str, capsys: pytest.CaptureFixture[str]
):
    assert run(["missing.mlir", "--cse", flag]) == 1
    name = flag.partition("=")[0]
    assert capsys.readouterr().err == f"npu-opt: error: argument {name}: no pass in the pipeline {problem}\n"


def test_names_of_two_packages_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if one of them was added after the packages were found."""
    assert "canonicalize" in installed().all_passes
    monkeypatch.setitem(NPU_UNIVERSE.all_passes, "canonicalize", NPU_UNIVERSE.all_passes["layout-optimal"])
    with pytest.raises(ValueError, match="Duplicate definition of canonicalize"):
        installed()
