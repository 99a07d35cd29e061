"""npu-run as a program: what it takes, what it prints, and how it complains."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.tools.opt import run as run_npu_opt
from npu_opt.tools.run import difference, run
from support import optional_tools

PROGRAM = """\
func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = npu.add %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
"""
ENGINES = [
    pytest.param(
        "mlir",
        marks=pytest.mark.skipif(
            optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note
        ),
    ),
    "numpy",
]
X, Y = np.arange(6, dtype=np.float32).reshape(2, 3), np.full((1, 3), 10, np.float32)


def nothing(name: str) -> None:
    """The result of `find_spec` for a missing module."""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "add.mlir"
    file.write_text(PROGRAM)
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    return str(file)


@pytest.mark.parametrize("engine", ENGINES)
def test_inputs_by_name_and_number_and_results_in_a_file(program: str, tmp_path: Path, engine: str):
    results = tmp_path / "out.npz"
    inputs = ["--input", f"%x={tmp_path / 'x.npy'}", "--input", f"1={tmp_path / 'y.npy'}"]
    assert run([program, "--engine", engine, *inputs, "--output-file", str(results)]) == 0
    with np.load(results) as found:
        assert list(found) == ["output_0"]
        np.testing.assert_array_equal(found["output_0"], X + Y)


def test_the_rest_is_made_up_if_asked_for(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = [program, "--engine", "numpy", "--input", f"x={tmp_path / 'x.npy'}"]
    assert run(arguments) == 1
    assert capsys.readouterr().err == f"{program}: error: no --input for: y; use --random for the rest\n"
    assert run([*arguments, "--random", "--seed", "3"]) == 0
    assert "input  %y  1x3 of f32: random, seed 3" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ENGINES)
def test_a_difference_is_exit_code_3(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str):
    other = tmp_path / "sub.mlir"
    other.write_text(PROGRAM.replace("npu.add", "npu.sub"))
    assert run([program, "--engine", engine, "--compare", str(other)]) == 3
    assert f"output 0: different from {other}: largest difference" in capsys.readouterr().out
    assert run([program, "--engine", engine, "--compare", program]) == 0
    assert f"output 0: equal to {program}" in capsys.readouterr().out


def test_another_number_of_results_is_a_difference(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    other = tmp_path / "none.mlir"
    other.write_text("func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) { func.return }")
    assert run([program, "--engine", "numpy", "--compare", str(other)]) == 3
    assert capsys.readouterr().out.endswith(f"different from {other}: 1 output and not 0\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--function", "f"], "{0}: error: there is no function @f; --function takes one of: @main"),
        (
            ["--input", "z=x.npy"],
            "npu-run: error: --input z=x.npy: expected NAME=FILE.npy with a name or number of: x, y",
        ),
        (["--input", "x=missing.npy", "--random"], "missing.npy: error: cannot read: No such file or directory"),
        (["--input", "x={0}", "--random"], "{0}: error: not a .npy file of numbers"),
        (
            ["--input", "x={1}/y.npy", "--random"],
            "{1}/y.npy: error: expected 2x3 of f32 for input 'x', found 1x3 of float32",
        ),
        (["--output-file", "{1}/no/out.npz"], "{1}/no/out.npz: error: cannot write: No such file or directory"),
    ],
)
def test_what_is_wrong_is_said(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
):
    assert run([program, "--engine", "numpy", *(each.format(program, tmp_path) for each in arguments)]) == 1
    assert capsys.readouterr().err == message.format(program, tmp_path) + "\n"


def test_without_bindings_one_error_names_the_extra(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", nothing)
    assert run([program]) == 1
    expected = (
        "npu-run: error: MLIR's own bindings are needed for this: pip install 'npu-opt[mlir]'; or use --engine=numpy\n"
    )
    assert capsys.readouterr().err == expected
    assert run([program, "--engine", "numpy"]) == 0


@pytest.mark.parametrize("option", ["-t", "-f"])
def test_without_bindings_tosa_is_neither_written_nor_read(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, option: str
):
    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", nothing)
    assert run_npu_opt([program, option, "tosa"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.endswith(": error: MLIR's own bindings are needed for this: pip install 'npu-opt[mlir]'\n")
    assert err.count("\n") == 1


def test_an_op_that_the_interpreter_cannot_run_is_an_error_with_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "foreign.mlir"
    file.write_text("func.func @main() {\n  %c = arith.constant 1 : i32\n  func.return\n}\n")
    assert run([str(file), "--engine=numpy"]) == 1
    assert capsys.readouterr().err == f"{file}:2:8: error: 'arith.constant' cannot be evaluated\n"


def test_recursion_and_declarations_cannot_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    file = tmp_path / "calls.mlir"
    type_ = "(tensor<2xf32>) -> tensor<2xf32>"
    body = f"{{ %y = func.call @f(%x) : {type_} func.return %y : tensor<2xf32> }}"
    main = f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {body}\n"
    for callee, problem in (
        (f"func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {body}", "calls itself"),
        (f"func.func private @f{type_}", "is declared only"),
    ):
        file.write_text(main + callee)
        assert run([str(file)]) == 1
        assert capsys.readouterr().err == f"{file}: error: @f {problem}: it cannot be run\n"


def test_differences_are_measured_by_the_largest_number():
    right = np.array([1e6, 1.0, np.inf, np.nan])
    assert difference(np.array([1e6 + 1, 1.0, np.inf, np.nan]), right)[0]
    assert not difference(np.array([1e6 + 1000, 1.0, np.inf, np.nan]), right)[0]
    assert not difference(np.array([1e6, 1.0, np.nan, np.inf]), right)[0]
    assert not difference(np.array([1, 2]), np.array([1, 3]))[0]
    assert not difference(np.zeros((1, 2)), np.zeros((2, 1)))[0]


def test_what_it_is_compared_with_may_not_run(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """An error of the other program is one line."""
    other = tmp_path / "other.mlir"
    other.write_text(PROGRAM.replace("npu.add %x, %y", 'npu.opaque "my.f"(%x, %y)'))
    assert run([program, "--engine", "numpy", "--compare", str(other)]) == 1
    err = capsys.readouterr().err
    assert err == f"{other}: error: cannot be run on these inputs: 'npu.opaque' \"my.f\" cannot be evaluated\n"


needs_litert = pytest.mark.skipif(optional_tools.litert().location is None, reason=optional_tools.litert().note)


@pytest.mark.parametrize("engine", [[], ["--engine=litert"]])
def test_without_litert_one_error_names_the_extra(
    tmp_path: Path,
    program: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    engine: list[str],
):
    model = tmp_path / "model.tflite"
    model.write_bytes(b"")
    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", nothing)
    assert run([program, *engine] if engine else [str(model)]) == 1
    expected = "npu-run: error: LiteRT models need the package ai-edge-litert: pip install 'npu-opt[litert]'\n"
    assert capsys.readouterr().err == expected


@needs_litert
def test_litert_runs_other_sizes_and_other_orders_of_inputs(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Inputs of a converted file are found by their names, and what LiteRT prints itself is discarded."""
    text = """func.func @main({}) -> tensor<?x3xf32> {{
      %s = npu.sub %a, %b : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
      func.return %s : tensor<?x3xf32>
    }}"""
    a, b = '%a: tensor<?x3xf32> {onnx.name = "a"}', '%b: tensor<1x3xf32> {onnx.name = "b"}'
    first, second, model = (tmp_path / name for name in ("first.mlir", "second.mlir", "second.tflite"))
    first.write_text(text.format(f"{a}, {b}"))
    second.write_text(text.format(f"{b}, {a}"))
    assert run_npu_opt([str(second), "-o", str(model)]) == 0
    capfd.readouterr()
    for rows in (1, 5):
        np.save(tmp_path / "a.npy", np.ones((rows, 3), np.float32))
        given = ["--input", f"a={tmp_path / 'a.npy'}", "--random"]
        assert run([str(model), *given, "--compare", str(first)]) == 0
        assert run([str(first), *given, "--engine=numpy", "--compare", str(model)]) == 0
    out, err = capfd.readouterr()
    assert "input  %a  5x3 of f32" in out
    assert err == ""


@needs_litert
def test_a_litert_model_has_the_only_public_function_as_main(program: str, tmp_path: Path):
    named, model = tmp_path / "named.mlir", tmp_path / "named.tflite"
    named.write_text(PROGRAM.replace("@main", "@net"))
    assert run_npu_opt([str(named), "-o", str(model)]) == 0
    options = ["--engine", "numpy", "--compare", str(model)]
    assert run([str(named), "--function", "net", *options]) == 0
    named.write_text(f"{PROGRAM}{PROGRAM.replace('@main', '@net')}")
    assert run([str(named), *options]) == 0
    assert run([str(named), "--function", "net", *options]) == 1


@needs_litert
def test_litert_may_refuse_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """An index outside of an axis stops it: one line, whichever of the two programs it is."""
    text = """func.func @main(%x: tensor<4xf32>, %i: tensor<1xi32>) -> tensor<1xf32> {
      %y = npu.gather %x, %i axis = 0 : (tensor<4xf32>, tensor<1xi32>) -> tensor<1xf32>
      func.return %y : tensor<1xf32>
    }"""
    program, model, index = tmp_path / "gather.mlir", tmp_path / "gather.tflite", tmp_path / "i.npy"
    program.write_text(text)
    np.save(index, np.array([9], np.int32))
    assert run_npu_opt([str(program), "-o", str(model)]) == 0
    capsys.readouterr()
    assert run([str(model), "--input", f"1={index}", "--random"]) == 1
    assert capsys.readouterr().err.startswith(f"{model}: error: LiteRT: gather index out of bounds")
