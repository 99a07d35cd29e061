"""Several files in one run of npu-opt: ties, what is written, and mistakes."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from npu_opt.tools import check, opt

EXAMPLES = Path(__file__).parents[2] / "examples" / "ties"
FILES = [str(EXAMPLES / name) for name in ("prefill.mlir", "decode.mlir")]
CACHE = "prefill:output0=decode:past=decode:output1"


def placed(folder: Path, *flags: str, files: Sequence[str] = FILES, tie: str = CACHE) -> int:
    return opt.run([*files, "--tie", tie, *flags, "--layout-optimal", "-o", str(folder)])


def test_both_files_have_one_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert placed(tmp_path / "out", "--calls=prefill=1,decode=512", "--verify-layouts") == 0
    said = capsys.readouterr().err
    assert "note: prefill:output0 = decode:past = decode:output1: Tensor, [0, 1, 3, 2] (was Tensor)" in said
    assert "note: together, in all calls: 1 transpose, 4096 bytes: proved minimum" in said
    both = [str(tmp_path / "out" / name) for name in ("prefill.mlir", "decode.mlir")]
    assert check.run([*both, "--tie", CACHE]) == 0
    assert [check.run([first, second]) for first, second in zip(FILES, both, strict=True)] == [0, 0]


def test_calls_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert placed(tmp_path / "out", "--calls=prefill=1000,decode=1") == 0
    assert "decode:output1: Tensor, [0, 2, 1, 3] (was Tensor)" in capsys.readouterr().err


def test_broken_tie(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert placed(tmp_path / "out") == 0
    capsys.readouterr()
    assert check.run([str(tmp_path / "out" / "prefill.mlir"), FILES[1], "--tie", "prefill:output0=decode:past"]) == 3
    assert capsys.readouterr().out == (
        "different: prefill:output0 is stored as Tensor, [0, 1, 3, 2] (was Tensor);"
        " decode:past is stored as in its model\n"
    )


@pytest.mark.parametrize("flag", ["--what-if", "--what-if=json"])
def test_orders_of_all_files(flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The table is that of all files, printed once; each file alone has no answers."""
    assert placed(tmp_path / "out", "--calls=prefill=1,decode=512", flag) == 0
    said = capsys.readouterr().err
    assert "what if: 1 transpose" not in said
    if flag.endswith("json"):
        (line,) = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
        (cache,) = line["ties"]
        assert cache["ties"] == "prefill:output0 = decode:past = decode:output1"
        best, *others = cache["orders"]
        assert (best["order"], best["minimum"], best["bytes"]) == ([0, 1, 3, 2], True, 4096)
        assert best["calls"] == {"prefill": {"transposes": 1, "bytes": 4096}, "decode": {"transposes": 0, "bytes": 0}}
        assert [each["bytes"] for each in others] == [2228224, 2232320, 2363392, 2363392, 2363392]
        return
    begin = (
        "  [0, 1, 3, 2] BHCN: 1 transpose, 4096 bytes; prefill 1 transpose, 4096 bytes; decode 0 transposes, 0 bytes"
    )
    assert f"{begin} (the minimum)" in said
    assert said.count("what if:") == 1


@pytest.mark.parametrize("order", ["Tensor, [0, 2, 1, 3]", "Tensor, [0, 3, 1, 2]"])
def test_orders_cost_what_files_do(order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The line of an order has the cost of the run in which it is pinned."""
    calls = "--calls=prefill=1,decode=512"
    assert placed(tmp_path / "all", calls, "--what-if") == 0
    lines = capsys.readouterr().err.splitlines()
    assert placed(tmp_path / "pinned", calls, f"--interface=past:{order}") == 0
    (cost,) = re.findall(r"in all calls: (.*): proved minimum", capsys.readouterr().err)
    assert any(line.startswith(f"  {order.partition(', ')[2]} ") and f": {cost};" in line for line in lines)


@pytest.mark.parametrize(
    ("tie", "flags", "message"),
    [
        (
            "prefill:keys=decode:past",
            (),
            "argument --tie: 'prefill:keys=decode:past': @prefill has no argument or result",
        ),
        ("prefil:output0=decode:past", (), "argument --tie: 'prefil:output0=decode:past': no function 'prefil'"),
        ("prefill:output0", (), "argument --tie: expected FUNCTION:NAME=FUNCTION:NAME"),
        (CACHE, ("--calls=decode=none",), "argument --calls: expected FUNCTION=COUNT"),
        (CACHE, ("--interface=past:keep", "--interface=output1:Tensor, [0, 1, 3, 2]"), "contradicts itself"),
    ],
)
def test_mistakes(tie: str, flags: Sequence[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert placed(tmp_path / "out", *flags, tie=tie) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_unless_all_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """One file cannot be written as what its name says."""
    model = tmp_path / "decode.onnx"
    model.write_bytes(b"no model")
    assert placed(tmp_path / "out", files=[FILES[0], str(model)]) == 1
    assert "decode.onnx" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("files", "message"), [(FILES, "expected a folder"), ([FILES[0]] * 2, "two files have the name 'prefill'")]
)
def test_no_folder(files: Sequence[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = [] if files is FILES else ["-o", str(tmp_path / "out")]
    assert opt.run([*files, "--tie", CACHE, "--layout-optimal", *folder]) == 1
    assert message in capsys.readouterr().err


def test_inputs_are_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    copies = [tmp_path / Path(file).name for file in FILES]
    for file, copy in zip(FILES, copies, strict=True):
        copy.write_text(Path(file).read_text())
    assert placed(tmp_path, files=[*map(str, copies)]) == 1
    assert "would be replaced" in capsys.readouterr().err


PLACED = """
func.func @one(%x: tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>> {npu.interface = "Tensor, [1, 0] (was Tensor)"})
    -> tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>> {
  %y = npu.exp %x : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
  func.return %y : tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
}
"""
CAME = """
func.func @two(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = npu.exp %x : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
"""


@pytest.mark.parametrize(("calls", "note"), [("one=5", "Tensor, [1, 0] (was Tensor)"), ("two=5", "unchanged")])
def test_files_that_were_placed_before(calls: str, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The order of the model is one that a file in another order may have to take."""
    files = [tmp_path / "one.mlir", tmp_path / "two.mlir"]
    for file, text in zip(files, (PLACED, CAME), strict=True):
        file.write_text(text)
    tie = "one:input0=two:input0"
    assert placed(tmp_path / "out", f"--calls={calls}", "--what-if", files=[*map(str, files)], tie=tie) == 0
    said = capsys.readouterr().err
    assert f"note: one:x = two:x: {note}" in said
    order = "[1, 0]" if "1, 0" in note else "[0, 1]"
    assert f"  {order}: 1 transpose, 24 bytes;" in said
    assert f"  {'[0, 1]' if order == '[1, 0]' else '[1, 0]'}: 5 transposes, 120 bytes;" in said
    assert check.run([*(str(tmp_path / "out" / file.name) for file in files), "--tie", tie]) == 0


@pytest.mark.parametrize("type_", ["tensor<1x8x2xf32>", "i64"])
def test_ties_written_by_hand_are_checked(type_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "in.mlir"
    function = 'func.func @{0}(%x: {1} {{npu.tie = "k"}}) -> {1} {{ func.return %x : {1} }}\n'
    file.write_text(function.format("one", "tensor<1x8xf32>") + function.format("other", type_))
    assert opt.run([str(file), "--layout-optimal"]) == 1
    said = capsys.readouterr().err
    assert "@other:%x cannot be tied: expected tensors of one rank, in functions of one block" in said
    assert f"found {type_.removesuffix('>')}" in said
