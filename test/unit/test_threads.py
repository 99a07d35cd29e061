"""Calls of the Python functions from several threads: each gives what it gives alone, and nothing outside changes."""

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.passes.optimal.solve.linear_program import optimize as solver
from npu_opt.tools.driver.comparison import comparison
from support.campaign import amount
from support.generators.frustrated import frustrated_program
from support.generators.made_models import convolution
from support.source_tree import ROOT
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import CallOp, Func
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.traits import SymbolTable
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import VerifyException

THREADS = amount(8, 16)
CALLS = amount(10, 200)
JOBS = 40
TARGETS = ("opu", "plover", "onnx", "litert")
ENDINGS = ("mlir", "onnx", "tflite", "mmd")
FRUSTRATED = (20, 21, 45)
"""Seeds of programs with conflicts; for the last two the solver searches integers."""
OPS = 16

CALLED = """
func.func @main(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %y = func.call @twice(%x) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %z = func.call @twice(%y) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %z : tensor<1x4x6x8xf32>
}
func.func private @twice(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %y = npu.add %x, %x : tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}
"""
WRONG = (
    "func.func @main() {\n  func.call @missing() : () -> ()\n  return\n}",
    'func.func @main(%x: tensor<2xf32>) {\n  %y = "npu.relu"(%x) : (tensor<2xf32>) -> tensor<3xf32>\n  return\n}',
)
"""Programs whose verification fails."""


@pytest.fixture
def models(tmp_path: Path) -> Sequence[Any]:
    """Files and programs in memory, some of which all threads read."""
    (tmp_path / "model.onnx").write_bytes(convolution().SerializeToString())
    for number, text in enumerate((CALLED, *WRONG)):
        (tmp_path / f"{number}.mlir").write_text(text)
    files = [tmp_path / "model.onnx", *sorted(tmp_path.glob("*.mlir")), ROOT / "examples" / "two_branches.mlir"]
    return [*map(str, files), npu_opt.load(files[0]), *(frustrated_program(seed, OPS) for seed in FRUSTRATED)]


def result_of(job: int, models: Sequence[Any], folder: Path) -> object:
    """The outcome of a call: figures, reasons and bytes of a file, a verdict, an explanation, or an error."""
    model, target = models[job % len(models)], TARGETS[job // 3 % len(TARGETS)]
    fused = f"canonicalize,fuse-ops-hw{{target={target}}}"
    try:
        result = npu_opt.optimize(model, target=target, passes=fused if job % 2 else "canonicalize")
        if job % 5 == 4:
            return npu_opt.check(model, result, numeric=True), npu_opt.explain(result, "0")
        file = folder / f"out.{ENDINGS[job % len(ENDINGS)]}"
        result.save(file)
        return str(result), [each.reason for each in result.inserted], file.read_bytes()
    except npu_opt.NpuOptError as error:
        return str(error).replace(str(folder / "out"), "out")


@dataclass(frozen=True)
class State:
    """Things of the process and of other packages."""

    streams: list[tuple[int, int]]
    folder: str
    variables: dict[str, str]
    signals: list[object]
    recursion: int
    numbers: dict[str, str]
    warnings: list[object]
    classes: list[dict[str, object]]

    @staticmethod
    def now() -> "State":
        replaceable = (Operation, IRDLOperation, SSAValue, Block, Region, SymbolTable, Diagnostic, Parser, Printer)
        return State(
            [(os.fstat(each).st_dev, os.fstat(each).st_ino) for each in range(3)],
            os.getcwd(),
            dict(os.environ),
            [signal.getsignal(each) for each in signal.valid_signals()],
            sys.getrecursionlimit(),
            {key: str(value) for key, value in np.geterr().items()},
            list(warnings.filters),
            [dict(vars(each)) for each in (*replaceable, CallOp)],
        )


def test_threads_give_what_one_gives(models: Sequence[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    searches: list[object] = []
    milp = solver.milp

    def counted(*given: Any, **more: Any) -> Any:
        searches.append(0)
        return milp(*given, **more)

    monkeypatch.setattr(solver, "milp", counted)
    barrier, before = Barrier(THREADS), State.now()

    def calls(thread: int) -> list[tuple[int, object]]:
        folder = tmp_path / str(thread)
        folder.mkdir()
        barrier.wait()
        jobs = [(7 * thread + number) % JOBS for number in range(CALLS)]
        return [(job, result_of(job, models, folder)) for job in jobs]

    with ThreadPoolExecutor(THREADS) as pool:
        found = [each for results in pool.map(calls, range(THREADS)) for each in results]
    after = State.now()
    assert searches
    assert before == after
    alone = {job: result_of(job, models, tmp_path) for job in {job for job, _ in found}}
    assert [job for job, result in found if result != alone[job]] == []


def test_a_check_writes_into_no_program(models: Sequence[Any], monkeypatch: pytest.MonkeyPatch):
    """Constants in files are compared by content, and another thread may use the program meanwhile."""
    (model,) = (each for each in models if isinstance(each, npu_opt.Program))
    seen: list[str] = []
    compare = comparison.compare

    def watched(*given: Any, **more: Any) -> Any:
        seen.append(str(model.module))
        return compare(*given, **more)

    monkeypatch.setattr(comparison, "compare", watched)
    before = str(model.module)
    assert npu_opt.check(model, models[0]).word == "proved"
    assert seen == [before]


COLD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import npu_opt

barrier = Barrier(8)

def call(number):
    barrier.wait()
    if number % 2:
        return npu_opt.check(sys.argv[1], sys.argv[1], numeric=True).word
    result = npu_opt.optimize(sys.argv[1], target="opu" if number % 4 else "onnx")
    result.save(f"{sys.argv[2]}/{number}.onnx")
    return bool(result)

with ThreadPoolExecutor(8) as pool:
    print(*pool.map(call, range(8)))
print("behind", file=sys.stderr)
"""


def test_the_first_calls_may_come_at_once(tmp_path: Path):
    """They import what they need at the same time."""
    (tmp_path / "model.onnx").write_bytes(convolution().SerializeToString())
    done = subprocess.run(
        [sys.executable, "-c", COLD, str(tmp_path / "model.onnx"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.stdout, done.stderr) == ("True proved " * 3 + "True proved\n", "behind\n")


@dataclass(frozen=True)
class Probe(ModulePass):
    """A pass that compares the state of the process during a call."""

    name = "probe"

    before: State

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        assert State.now() == self.before


def message_of_xdsl() -> str:
    """The error and the notes of xDSL for a call of a function that does not exist."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Func)
    with pytest.raises(VerifyException) as raised:
        Parser(context, WRONG[0]).parse_module().verify()
    return "\n".join([str(raised.value), *raised.value.__notes__])


def test_nothing_outside_changes_during_a_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    message, before = message_of_xdsl(), State.now()
    assert "could not be found in symbol table" in message

    def refused(*_: object):
        raise AssertionError("this belongs to the process")

    def call(number: int):
        npu_opt.optimize(frustrated_program(21, OPS), passes=[Probe(before)]).save(tmp_path / f"{number}.mlir")

    with monkeypatch.context() as context, ThreadPoolExecutor(2) as pool:
        for name in ("dup2", "umask", "chdir", "putenv"):
            context.setattr(os, name, refused)
        calls = [pool.submit(call, number) for number in range(3)]
        messages = {message_of_xdsl() for _ in range(20)}
        for each in calls:
            each.result()
    assert messages == {message}
    assert State.now() == before
