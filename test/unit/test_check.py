"""npu-check as a program: exit codes and what it prints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from npu_opt.tools.check import run
from safetensors import numpy as safetensors

RELU = "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n  {}\n  func.return %y : tensor<2x3xf32>\n}}\n"
Write = Callable[[str, str], str]

UNARY = "%x : (tensor<2x3xf32>) -> tensor<2x3xf32>"


@pytest.fixture
def program(tmp_path: Path) -> Write:
    def write(name: str, body: str) -> str:
        file = tmp_path / name
        file.write_text(RELU.format(body))
        return str(file)

    return write


@pytest.mark.parametrize(
    ("second", "code", "first_word"),
    [
        (f"%y = npu.relu {UNARY}", 0, "proved"),
        (f"%y = npu.tanh {UNARY}", 3, "different"),
        (f"%z = npu.relu {UNARY}\n  %y = npu.relu {UNARY.replace('%x', '%z')}", 2, "undecided"),
    ],
)
def test_exit_code(program: Write, capsys: pytest.CaptureFixture[str], second: str, code: int, first_word: str):
    files = program("first.mlir", f"%y = npu.relu {UNARY}"), program("second.mlir", second)
    assert run(files) == code
    assert capsys.readouterr().out.startswith(f"{first_word}: ")
    assert run([*files, "--numeric", "--trials", "2"]) == code


def test_only_numeric_tries_several_inputs(program: Write, capsys: pytest.CaptureFixture[str]):
    twice = f"%z = npu.relu {UNARY}\n  %y = npu.relu {UNARY.replace('%x', '%z')}"
    files = [program("first.mlir", f"%y = npu.relu {UNARY}"), program("second.mlir", twice)]
    agree = "the results agree, up to 0 (tolerance 0.001)"
    for flags, inputs in (([], "1 random input (seed 4)"), (["--numeric"], "3 random inputs (seeds 4 to 6)")):
        assert run([*files, "--seed", "4", "--trials", "3", *flags]) == 2
        assert capsys.readouterr().out.splitlines()[-2:] == [
            f"note: @main was run on {inputs}: {agree}",
            "note: flags that may decide: --arithmetic",
        ]


def test_notes_are_about_the_function_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The proof fails for two functions, and numbers show a difference in the second one."""
    once, twice = f"%y = npu.relu {UNARY}", f"%z = npu.relu {UNARY}\n  %y = npu.relu {UNARY.replace('%x', '%z')}"
    files = [str(tmp_path / name) for name in ("first.mlir", "second.mlir")]
    for file, alike, other in zip(files, (once, twice), (once, once.replace("relu", "tanh")), strict=True):
        Path(file).write_text(RELU.format(alike).replace("@main", "@alike") + RELU.format(other))
    assert run(files) == 3
    verdict, *trials = capsys.readouterr().out.splitlines()
    assert verdict.startswith("different: @main: on the random input of seed 0, ")
    assert [line.partition(": the results ")[0] for line in trials] == [
        f"note: @{name} was run on 1 random input (seed 0)" for name in ("alike", "main")
    ]


def test_bad_input_is_exit_code_1(program: Write, capsys: pytest.CaptureFixture[str]):
    good = program("good.mlir", f"%y = npu.relu {UNARY}")
    bad = program("bad.mlir", "%y = npu.softmax %x axis = 2 : tensor<2x3xf32>")
    assert run([good, bad]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{bad}:2:8: error: 'npu.softmax' axis: expected an axis from 0 to 1, found 2" in captured.err
    assert run([good, "missing.mlir"]) == 1
    assert capsys.readouterr().err == "missing.mlir: error: cannot read: No such file or directory\n"
    assert run([good]) == 1


def test_equal_numbers_may_be_kept_in_several_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each tensor has its own shape; a program that asks for another one does not run, and is not proved."""
    numbers = np.arange(6, dtype=np.float32)
    cast("Any", safetensors).save_file(
        {"a": numbers.reshape(2, 3), "b": numbers.reshape(3, 2)}, tmp_path / "w.safetensors"
    )
    text = """func.func @main() -> (tensor<2x3xf32>, tensor<3x2xf32>) {
      %a = npu.constant #npu.reference<"w.safetensors", "a"> : tensor<2x3xf32>
      %b = npu.constant #npu.reference<"w.safetensors", "KEY> : tensor<3x2xf32>
      func.return %a, %b : tensor<2x3xf32>, tensor<3x2xf32>
    }"""
    files: dict[str, str] = {}
    for key in ('b"', 'a", reshaped', 'a"'):
        file = tmp_path / f"{len(files)}.mlir"
        file.write_text(text.replace("KEY", key))
        files[key] = str(file)
    assert run([files['b"'], files['a", reshaped']]) == 0
    assert run([files['b"'], files['a"']]) == 2
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[:2]] == ["proved", "undecided"]


def test_what_cannot_be_run_is_said(program: Write, capsys: pytest.CaptureFixture[str]):
    op = '%y = npu.opaque "vendor.f"(%x) pure {{k = {} : i64}} : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    assert run([program("first.mlir", op.format(1)), program("second.mlir", op.format(2))]) == 2
    assert capsys.readouterr().out.splitlines()[-2] == (
        "note: @main was not run: 'npu.opaque' \"vendor.f\" cannot be evaluated"
    )


def test_functions_of_several_blocks_are_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [str(tmp_path / name) for name in ("first.mlir", "second.mlir")]
    for file, number in zip(files, (1, 2), strict=True):
        branch = f"%k = arith.constant {number} : i32\n  cf.br ^bb1\n^bb1:\n  %y = npu.relu {UNARY}"
        Path(file).write_text(RELU.format(branch))
    assert run(files) == 2
    assert capsys.readouterr().out.splitlines() == [
        "undecided: @main: functions of several blocks are only compared by their text",
        "note: @main was not run: @main has 2 blocks, and only one can be run",
    ]


def test_shapes_that_differ_are_told_as_shapes(program: Write, capsys: pytest.CaptureFixture[str]):
    whole = "%k = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
    row = "%k = npu.constant dense<[[7.0, 8.0, 9.0]]> : tensor<1x3xf32>\n"
    whole += "%y = npu.add %x, %k : tensor<2x3xf32>"
    row += "%y = npu.add %x, %k : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>"
    files = [program("first.mlir", whole), program("second.mlir", row)]
    assert run(files) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith(": note: the second program has nothing equal to: the constant %k of 2x3 of f32")
    assert lines[2].endswith(": note: the first program has nothing equal to: the constant %k of 1x3 of f32")
    assert lines[3] == "note: the constant is 2x3 of f32 in the first program and 1x3 of f32 in the second"
    assert "[[" not in "".join(lines)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ("[-0.0, 1.0]", "the constants differ in the signs of zeros or in the bits of NaNs only"),
        ("[0.0, 0x7F800000]", "1 of 2 elements differ, by up to inf: element [1] is 1.0 in the first program and inf"),
    ],
)
def test_numbers_that_cannot_be_subtracted(numbers: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    constant = "%k = npu.constant dense<{}> : tensor<2xf32>"
    body = f"func.func @main() -> tensor<2xf32> {{{{ {constant} func.return %k : tensor<2xf32> }}}}"
    files = [tmp_path / "first.mlir", tmp_path / "second.mlir"]
    for file, each in zip(files, ("[0.0, 1.0]", numbers), strict=True):
        file.write_text(body.format(each))
    assert run([*map(str, files), "--json"]) in (2, 3)
    assert json.loads(capsys.readouterr().out)["verdict"] in ("different", "undecided")
    run([*map(str, files)])
    assert text in capsys.readouterr().out


def test_declarations_of_one_interface_are_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    declarations = [
        f"func.func @main(tensor<2x3xf32{layout}>)" for layout in ("", ", #npu.layout<Tensor>", ">, tensor<2xi8")
    ]
    files = [str(tmp_path / f"{index}.mlir") for index in range(3)]
    for file, text in zip(files, declarations, strict=True):
        Path(file).write_text(text)
    assert run(files[:2]) == 0
    assert run(files[1:]) == 3
    assert "the first program has 1 arguments, the second 2" in capsys.readouterr().out


def test_scalars_that_differ_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    texts = [
        f"func.func @main(%x: tensor<4x4xf32>) -> tensor<i64> {{\n{move}%f = npu.reshape {value}"
        " : (tensor<4x4xf32>) -> tensor<16xf32>\n%y = npu.arg_max %f axis = 0 : (tensor<16xf32>) -> tensor<i64>\n"
        "func.return %y : tensor<i64>\n}"
        for move, value in (
            ("", "%x"),
            ("%t = npu.transpose %x permutation = [1, 0] : tensor<4x4xf32>\n", "%t"),
        )
    ]
    files = [str(tmp_path / f"{index}.mlir") for index in range(2)]
    for file, text in zip(files, texts, strict=True):
        Path(file).write_text(text)
    assert run(files) == 3
    assert "the element of result 0 is 6 in the first program and 9 in the second" in capsys.readouterr().out


def test_what_is_in_nested_modules_is_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A function of that name outside is another one."""
    outer = RELU.format(f"%y = npu.relu {UNARY}")
    files = [str(tmp_path / f"{index}.mlir") for index in range(2)]
    for file, op in zip(files, ("relu", "tanh"), strict=True):
        inner = RELU.format(f"%y = npu.{op} {UNARY}")
        Path(file).write_text(f"{outer}module @inner {{\n{inner}}}\n")
    assert run(files) == 2
    assert capsys.readouterr().out.startswith("undecided: @inner::@main: result 0 is not computed in the same way\n")
