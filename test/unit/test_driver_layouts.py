"""Reports and checks of npu-opt's driver about transposes that passes insert and remove."""

import json
import os
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from npu_opt.dialects.npu.activations import ReluOp
from npu_opt.dialects.npu.elementwise import ElementwiseOp
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.npu.unary import TanhOp
from npu_opt.dialects.npu.values import tensor_type
from npu_opt.passes.common.same_meaning import PreservesMeaning
from npu_opt.tools.opt import run
from npu_opt.universe import NPU_UNIVERSE
from safetensors import numpy as safetensors
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr, TensorType
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

SCRIPTS = Path(sysconfig.get_path("scripts"))

PROGRAM = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %relu = npu.relu %x : tensor<2x3xf32>
  %1 = npu.tanh %relu : tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}
"""


def results_of(module: ModuleOp, kind: type[Operation]) -> list[OpResult]:
    return [op.results[0] for op in module.walk() if isinstance(op, kind)]


@dataclass(frozen=True)
class WrapPass(ModulePass):
    """Puts two transposes behind every relu and tanh, which undo each other."""

    name = "test-wrap"

    reason: str = "test-wrap: because of the test"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for result in results_of(op, ElementwiseOp):
            uses = tuple(result.uses)
            value = result
            for _ in range(2):
                type_ = tensor_type(value)
                transpose = TransposeOp(value, (1, 0), TensorType(type_.element_type, type_.get_shape()[::-1]))
                if self.reason:
                    transpose.location = NameLoc(StringAttr(self.reason), result.op.location)
                Rewriter.insert_op(transpose, InsertPoint.after(value.op))
                value = transpose.results[0]
            for use in uses:
                use.operation.operands[use.index] = value


@dataclass(frozen=True)
class TradePass(PreservesMeaning, ModulePass):
    """A wrong pass: every relu becomes a tanh."""

    name = "test-trade"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for result in results_of(op, ReluOp):
            new = TanhOp.create(operands=result.op.operands, result_types=[result.type])
            Rewriter.replace_op(result.op, new)


@dataclass(frozen=True)
class TwicePass(PreservesMeaning, ModulePass):
    """A pass that is right in a way that the proof does not know: relu of relu is relu."""

    name = "test-twice"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for result in results_of(op, ReluOp):
            again = result.op.clone()
            Rewriter.insert_op(again, InsertPoint.after(result.op))
            result.replace_uses_with_if(again.results[0], lambda use, again=again: use.operation is not again)
            again.operands = [result]


@dataclass(frozen=True)
class DropPass(PreservesMeaning, ModulePass):
    """A wrong pass: opaque ops without uses are dropped."""

    name = "test-drop"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for result in results_of(op, OpaqueOp):
            Rewriter.erase_op(result.op)


@pytest.fixture(autouse=True)
def passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NPU_OPT_VERIFY_LAYOUTS", raising=False)
    Path("in.mlir").write_text(PROGRAM)
    for pass_type in (WrapPass, TradePass, TwicePass, DropPass):
        _register(monkeypatch, pass_type)


def _register(monkeypatch: pytest.MonkeyPatch, pass_type: type[ModulePass]) -> None:
    monkeypatch.setitem(NPU_UNIVERSE.all_passes, pass_type.name, lambda: pass_type)


def stderr_of(arguments: list[str], capfd: pytest.CaptureFixture[str], code: int = 0) -> list[str]:
    """Run; the lines on stderr."""
    assert run(arguments) == code
    out, err = capfd.readouterr()
    assert (out == "") == (code != 0)
    return err.splitlines()


# --- remarks


def test_what_a_pass_puts_in_and_another_one_takes_away(capfd: pytest.CaptureFixture[str]) -> None:
    assert stderr_of(["in.mlir", "--test-wrap", "--canonicalize", "--remarks=all"], capfd) == [
        "in.mlir:2:11: remark: inserted transpose by [1, 0] of 2x3 (24 bytes) by test-wrap: because of the test",
        "in.mlir:2:11: remark: inserted transpose by [1, 0] of 3x2 (24 bytes) by test-wrap: because of the test",
        "in.mlir:3:8: remark: inserted transpose by [1, 0] of 2x3 (24 bytes) by test-wrap: because of the test",
        "in.mlir:3:8: remark: inserted transpose by [1, 0] of 3x2 (24 bytes) by test-wrap: because of the test",
        "in.mlir:2:11: remark: cancelled transpose by [1, 0] of 2x3 (24 bytes) by canonicalize",
        "in.mlir:2:11: remark: cancelled transpose by [1, 0] of 3x2 (24 bytes) by canonicalize",
        "in.mlir:3:8: remark: cancelled transpose by [1, 0] of 2x3 (24 bytes) by canonicalize",
        "in.mlir:3:8: remark: cancelled transpose by [1, 0] of 3x2 (24 bytes) by canonicalize",
    ]


def test_a_kept_insertion_is_reported_once(capfd: pytest.CaptureFixture[str]) -> None:
    lines = stderr_of(["in.mlir", "--test-wrap", "--cse", "--remarks=all"], capfd)
    assert len(lines) == 4
    assert all(": remark: inserted transpose " in line for line in lines)


def test_a_reason_of_another_pass_is_reported_in_full(capfd: pytest.CaptureFixture[str]) -> None:
    lines = stderr_of(["in.mlir", '--test-wrap=reason="inner: why not"', "--remarks=all"], capfd)
    assert lines[0].endswith("remark: inserted transpose by [1, 0] of 2x3 (24 bytes) by test-wrap: inner: why not")


def test_one_without_a_reason_or_a_place(capfd: pytest.CaptureFixture[str]) -> None:
    lines = stderr_of(["in.mlir", "--test-wrap=reason=name", "--remarks=all"], capfd)
    assert lines[0] == "in.mlir:2:11: remark: inserted transpose by [1, 0] of 2x3 (24 bytes) by test-wrap"
    lines = stderr_of(["in.mlir", '--test-wrap=reason=""', "--remarks=all"], capfd)
    assert lines[:2] == [
        "%0: remark: inserted transpose by [1, 0] of 2x3 (24 bytes) by test-wrap",
        "%1: remark: inserted transpose by [1, 0] of 3x2 (24 bytes) by test-wrap",
    ]


def test_a_name_where_no_place_is_known(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text("""
    func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %turned = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("a"("b"))
      func.return %turned : tensor<3x2xf32>
    }""")
    assert stderr_of(["in.mlir", "--remarks=all"], capfd) == [
        "%turned: remark: kept transpose by [1, 0] of 2x3 (24 bytes)"
    ]


def test_an_error_still_shows_its_line(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text(PROGRAM.replace("npu.tanh %relu", "npu.softmax %relu axis = 2"))
    with_remarks = stderr_of(["in.mlir", "--remarks=all"], capfd, 1)
    assert with_remarks == stderr_of(["in.mlir"], capfd, 1)
    assert with_remarks[1].startswith("  %1 = npu.softmax %relu axis = 2")


# --- statistics


def test_a_pass_that_fails_leaves_no_statistics(capfd: pytest.CaptureFixture[str]) -> None:
    lines = stderr_of(["in.mlir", "--stats=json", "--test-wrap", "--layout-transmit=default=nothing"], capfd, 1)
    assert not any("transposes" in line for line in lines)


def test_statistics_of_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text("")
    assert run(["in.mlir", "--parsing-diagnostics", "--stats=json"]) == 0
    assert json.loads(capfd.readouterr().err) == {
        "before": {"transposes": 0, "bytes": 0},
        "after": {"transposes": 0, "bytes": 0},
        "passes": [],
    }


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals")
def test_a_terminal_gets_a_drawn_table() -> None:
    ours, theirs = os.openpty()
    command = [SCRIPTS / "npu-opt", "in.mlir", "--canonicalize", "--stats"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        os.close(theirs)
        output = b""
        try:
            while chunk := os.read(ours, 1000):
                output += chunk
        except OSError:  # How Linux says that the other end was closed.
            pass
        assert process.wait() == 0
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;]*m", "", output.decode())
    assert re.search(r"transposes ┃ bytes", text)
    assert re.search(r"│ 1\. canonicalize │ +0 │ +0 │", text)


# --- expectations


@pytest.mark.parametrize("text", ["-1", "1e3", "", " ", "two", "1.0", "٣"])
@pytest.mark.parametrize("flag", ["--expect-transposes", "--expect-bytes"])
def test_what_is_expected_is_a_number(flag: str, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    problem = f"npu-opt: error: argument {flag}: expected a non-negative number, found '{text}'"
    assert stderr_of(["in.mlir", f"{flag}={text}"], capfd, 1)[-1] == problem


def test_what_costs_nothing_is_not_unexpected(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text("""
    func.func @main(%x: tensor<1x3xf32>, %y: tensor<2x3xf32>) {
      %c = npu.constant dense<1.0> : tensor<2x3xf32>
      %constant = npu.transpose %c permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %units = npu.transpose %x permutation = [1, 0] : (tensor<1x3xf32>) -> tensor<3x1xf32>
      %moved = npu.transpose %y permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      func.return
    }""")
    assert stderr_of(["in.mlir", "--expect-transposes=1"], capfd) == []
    assert stderr_of(["in.mlir", "--expect-transposes=0"], capfd, 3) == [
        "in.mlir: error: expected at most 0 transposes, found 1",
        "in.mlir:6:16: note: transpose by [1, 0] of 2x3 (24 bytes)",
    ]


def test_pieces_are_expected_together(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text(f"{PROGRAM}// -----\n{PROGRAM}")
    arguments = ["in.mlir", "--split-input-file", "--test-wrap"]
    assert stderr_of([*arguments, "--expect-transposes=8", "--expect-bytes", "192"], capfd) == []
    lines = stderr_of([*arguments, "--expect-transposes=7"], capfd, 3)
    assert lines[0] == "in.mlir: error: expected at most 7 transposes, found 8"
    assert len(lines) == 9
    text = "note: transpose by [1, 0] of 3x2 (24 bytes): test-wrap: because of the test"
    assert lines[-1] == f"in.mlir:9:8: {text}"


# --- verification


def test_a_pass_that_changes_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    lines = stderr_of(["in.mlir", "--cse", "--test-trade", "--verify-layouts", "-o", "out.mlir"], capfd, 1)
    assert re.fullmatch(
        r"in\.mlir: error: pass 'test-trade' changed what the program computes: @main: on the random input of seed 0,"
        r" element \[0, 1\] of result 0 is \S+ in the first program and \S+ in the second",
        lines[0],
    )
    relu = '%relu = "npu.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    tanh = '%relu = "npu.tanh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    assert lines[1:] == [
        "note: the first program is the one before the pass, the second the one after it",
        f"in.mlir:2:11: note: nothing after the pass is equal to: {relu}",
        f"in.mlir: note: nothing before the pass is equal to: {tanh}",
        "note: passes before 'test-trade': cse",
        "note: the program before the pass is in npu-opt-reproducer.mlir; to reproduce the failure:",
        "  npu-opt npu-opt-reproducer.mlir --verify-layouts -p test-trade",
    ]
    assert not Path("out.mlir").exists()
    assert run(["npu-opt-reproducer.mlir", "--verify-layouts", "-p", "test-trade"]) == 1
    assert run(["npu-opt-reproducer.mlir", "-p", "test-trade"]) == 0


def test_a_pass_that_drops_an_effect(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text("""
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %y = npu.opaque "vendor.print"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      func.return %x : tensor<2x3xf32>
    }""")
    lines = stderr_of(["in.mlir", "--test-drop", "--verify-layouts"], capfd, 1)
    assert lines[0] == (
        "in.mlir: error: pass 'test-drop' changed what the program computes: @main: effect 0 is vendor.print in the"
        " first program and nothing in the second"
    )
    assert lines[2].startswith('in.mlir:3:12: note: nothing after the pass is equal to: %y = "npu.opaque"(%x)')


def test_where_the_proof_fails_numbers_decide(capfd: pytest.CaptureFixture[str]) -> None:
    assert stderr_of(["in.mlir", "--test-twice", "--verify-layouts"], capfd) == []
    assert stderr_of(["in.mlir", "--test-twice", "--verify-layouts", "--remarks=all"], capfd) == [
        "in.mlir: remark: pass 'test-twice' is verified by random inputs only: @main: result 0 is not computed in the"
        " same way"
    ]


def test_constants_beside_the_program_are_read(capfd: pytest.CaptureFixture[str]) -> None:
    Path("below").mkdir()
    cast("Any", safetensors).save_file({"w": np.ones((2, 3), np.float32)}, "below/w.safetensors")
    Path("below/in.mlir").write_text("""
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %w = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<2x3xf32>
      %relu = npu.relu %x : tensor<2x3xf32>
      %y = npu.add %relu, %w : tensor<2x3xf32>
      func.return %y : tensor<2x3xf32>
    }""")
    (line,) = stderr_of(["below/in.mlir", "--test-twice", "--verify-layouts", "--remarks=all"], capfd)
    assert line.startswith("below/in.mlir: remark: pass 'test-twice' is verified by random inputs only: ")


def test_where_numbers_fail_as_well_there_is_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.mlir").write_text("""
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %relu = npu.relu %x : tensor<2x3xf32>
      %y = npu.opaque "vendor.print"(%relu) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      func.return %y : tensor<2x3xf32>
    }""")
    (line,) = stderr_of(["in.mlir", "--test-twice", "--verify-layouts"], capfd)
    assert line.startswith(
        "in.mlir: warning: pass 'test-twice' is not verified: @main: effect 0, vendor.print, does not have the same"
        " operands and attributes, and it was not run: "
    )


@pytest.mark.parametrize(("value", "code"), [("1", 1), ("yes", 1), ("0", 0), ("", 0)])
def test_the_environment_asks_for_verification(value: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPU_OPT_VERIFY_LAYOUTS", value)
    assert run(["in.mlir", "--test-trade", "-o", "out.mlir"]) == code


def test_only_passes_that_move_layouts_are_verified(capfd: pytest.CaptureFixture[str]) -> None:
    def has_row(*arguments: str) -> bool:
        lines = stderr_of(["in.mlir", *arguments, "--verify-layouts", "--time-passes"], capfd)
        return any(line.startswith("  verify layouts ") for line in lines)

    assert has_row("--layout-transmit")
    assert has_row("--canonicalize")
    assert has_row("--strip-layouts")
    assert not has_row("--test-wrap", "--cse")
    # Without an op of the dialect there is nothing to move.
    Path("in.mlir").write_text("func.func @main() {\n  func.return\n}")
    assert not has_row("--canonicalize")
