"""npu-reduce: the search, its edits on random programs, and what an interruption leaves."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from npu_opt.dialects.program.symbols import verify
from npu_opt.tools.reduce.edits import EDITS
from npu_opt.tools.reduce.main import run
from npu_opt.tools.reduce.minimum import needed
from npu_opt.tools.reduce.reducer import Reducer, count_ops, program_text
from support.generators.networks import random_network
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

LOOP = """
func.func @main(%c: i1, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = scf.if %c -> (tensor<4x6xf32>) {
    %a = npu.tanh %x : tensor<4x6xf32>
    %b = npu.relu %a : tensor<4x6xf32>
    scf.yield %b : tensor<4x6xf32>
  } else {
    scf.yield %x : tensor<4x6xf32>
  }
  return %y : tensor<4x6xf32>
}
"""


@pytest.mark.parametrize("seed", range(20))
def test_the_needed_items_are_found(seed: int):
    rng = Random(seed)
    wanted = set(rng.sample(range(60), rng.randint(0, 4)))
    tests: list[Sequence[int]] = []

    def holds(items: Sequence[int]) -> bool:
        tests.append(items)
        return wanted <= set(items)

    assert needed(range(60), holds) == sorted(wanted) or not wanted
    assert len(tests) < 120


def test_items_that_need_each_other_are_left_out_together():
    assert list(needed(range(8), lambda items: (2 in items) == (3 in items) and 5 in items)) == [5]


def reduced(module: ModuleOp, text: str) -> ModuleOp:
    reducer = Reducer(module, lambda program: text in program)
    reducer.reduce()
    verify(reducer.module)
    assert text in program_text(reducer.module)
    return reducer.module


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int):
    module = (random_program if seed % 2 else random_network)(seed, 20, True)
    before = program_text(module)
    names = sorted(set(re.findall(r"= (npu\.[a-z0-9_]+)", before)))
    name = Random(seed).choice(names)
    found = reduced(module, f"= {name} ")
    assert count_ops(found) <= 1
    assert program_text(module) == before


def test_code_in_ops_is_reduced_as_well():
    assert count_ops(reduced(parse(LOOP), "scf.if")) == 1
    assert "npu.tanh" not in program_text(reduced(parse(LOOP), "npu.relu"))


@pytest.mark.parametrize("seed", range(4))
def test_edits_leave_valid_programs(seed: int):
    """Any part of the items can be left out; signatures of functions that are called stay unchanged."""
    rng = Random(seed)
    for edit in EDITS[1:]:
        module = random_program(seed, 16, functions=seed % 3)
        edit.apply(module, {number for number in range(edit.count(module)) if rng.random() < 0.5})
        verify(module)


def test_an_interruption_leaves_the_smallest_program_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def interrupted(self: Reducer) -> None:
        self.module = parse("func.func @less() {\n  return\n}")
        raise KeyboardInterrupt

    monkeypatch.setattr(Reducer, "reduce", interrupted)
    (tmp_path / "loop.mlir").write_text(LOOP)
    output = tmp_path / "small.mlir"
    assert run([str(tmp_path / "loop.mlir"), "--test", "false", "-o", str(output)]) == 130
    assert "@less" in output.read_text()
    assert "note: 3 ops became 0, in 1 run of the command" in capsys.readouterr().err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["loop.mlir", "small.mlir"]
