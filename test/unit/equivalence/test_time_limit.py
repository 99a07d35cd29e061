"""Programs that are not proved within the limit of time are undecided, with what was found until then."""

import json
from itertools import count
from pathlib import Path

import npu_opt
import pytest
from npu_opt.equivalence import symbols
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.roles import Axis
from npu_opt.tools.check import run
from support.ir_text import parse, split_and_joined


def program(op: str, number: int = 2) -> str:
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %c = npu.constant dense<{number}.0> : tensor<4xf32>
      %y = npu.{op} %x, %c : tensor<4xf32>
      func.return %y : tensor<4xf32>
    }}"""


def test_no_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name in ("a", "b"):
        Path(tmp_path, f"{name}.mlir").write_text(program("add"))
    files = [str(Path(tmp_path, f"{name}.mlir")) for name in ("a", "b")]
    assert run([*files]) == 0
    assert run([*files, "--time-limit=0"]) == Verdict.UNDECIDED.value
    assert "undecided: @main: the time limit ended the comparison" in capsys.readouterr().out


def test_no_time_for_callers_and_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [tmp_path / name for name in ("a.mlir", "b.mlir")]
    for file in files:
        file.write_text(program("add"))
    assert npu_opt.check(*files, time_limit=0.0).out_of_time
    assert npu_opt.check(*files, time_limit=0.0).word == "undecided"
    assert npu_opt.check(*files, time_limit=60)
    assert not npu_opt.check(*files).out_of_time
    with pytest.raises(npu_opt.NpuOptError, match="argument time_limit: expected a number of at least 0; found -1"):
        npu_opt.check(*files, time_limit=-1)
    for seconds, is_over in ((0, True), (60, False)):
        run([*map(str, files), f"--time-limit={seconds}", "--json"])
        assert json.loads(capsys.readouterr().out)["out_of_time"] is is_over


@pytest.mark.parametrize("other", ["add", "mul"])
def test_what_was_found_before(monkeypatch: pytest.MonkeyPatch, other: str):
    # The time passes with each op. The first comparison takes eight, and the next one has none left.
    clock = count()
    monkeypatch.setattr(symbols, "monotonic", lambda: next(clock))
    first, second = parse(program("add")), parse(program(other, 3))
    answer = compare(first, second, by_formulas=True, seconds=8)
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.out_of_time
    assert answer.reason == "result 0 is not computed in the same way; the time limit ended the comparison"
    assert answer.unmatched[0] is not None


@pytest.mark.parametrize("count_of_parts", [50, 200])
def test_ops_with_many_operands_and_results(monkeypatch: pytest.MonkeyPatch, count_of_parts: int):
    """Their axes, which are as long as there are operands and results, are not compared again for each of them."""
    module = parse(split_and_joined(count_of_parts))
    hashed, original = count(), Axis.__hash__

    def counted(axis: Axis) -> int:
        next(hashed)
        return original(axis)

    monkeypatch.setattr(Axis, "__hash__", counted)
    assert compare(module, module.clone()).verdict is Verdict.PROVED
    assert next(hashed) < 40
