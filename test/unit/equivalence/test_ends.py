"""Arguments and results of which one program says more than the other: `different` needs a witness."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.equivalence.compare import Answer, Verdict, compare
from npu_opt.tools.check import run
from onnx import helper, numpy_helper
from support.ir_text import parse


def program(argument: str, result: str, kind: str = "relu") -> str:
    given, made = f"tensor<{argument}xf32>", f"tensor<{result}xf32>"
    body = f"%y = npu.{kind} %x : ({given}) -> {made}\n  func.return %y : {made}"
    return f"func.func @main(%x: {given}) -> {made} {{\n  {body}\n}}"


def compared(first: str, second: str, *, signs_count: bool = True) -> Answer:
    return compare(parse(first), parse(second), signs_count=signs_count)


RESHAPE = """func.func @main(%x: tensor<10x20x30xf32>) -> tensor<{sizes}xf32> {{
  %y = npu.reshape %x : (tensor<10x20x30xf32>) -> tensor<{sizes}xf32>
  %z = npu.relu %y : (tensor<{sizes}xf32>) -> tensor<{sizes}xf32>
  func.return %z : tensor<{sizes}xf32>
}}"""


@pytest.mark.parametrize("sizes", ["1x?x30", "?x200x30", "1x200x?"])
def test_sizes_of_results_that_follow_from_those_of_arguments(sizes: str) -> None:
    whole, less = RESHAPE.format(sizes="1x200x30"), RESHAPE.format(sizes=sizes)
    assert compared(less, whole).verdict is Verdict.PROVED
    assert compared(whole, less).verdict is Verdict.PROVED
    # The numbers are the same in another shape, which both types allow at first sight.
    assert compared(less, RESHAPE.format(sizes="200x1x30")).verdict is not Verdict.PROVED


def test_sizes_of_results_that_only_one_program_says() -> None:
    """The type of one program is not believed in the other."""
    answer = compared(program("?x4", "?x4"), program("?x4", "7x4"))
    assert answer.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(("one", "other"), [("?x2", "1x2"), ("?x2", "5x2"), ("?x2", "3x?"), ("1x?", "?x2")])
def test_arguments_of_which_one_program_takes_more(one: str, other: str) -> None:
    first, second = program(one, one), program(other, other)
    for answer in (compared(first, second), compared(second, first)):
        assert answer.verdict is Verdict.UNDECIDED
        assert "of which one takes more than the other; for what both take, the results are computed" in answer.reason
    answer = compared(first, program(other, other, "tanh"))
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.reason.endswith("result 0 is not computed in the same way")
    assert answer.unmatched[0] is not None


@pytest.mark.parametrize("other", ["3x2", "1x2x1", "2x1"])
def test_arguments_that_no_call_can_have_in_common(other: str) -> None:
    assert compared(program("1x2", "1x2"), program(other, other)).verdict is Verdict.DIFFERENT


def test_models_with_another_size_of_the_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Undecided where the numbers agree, and different with a witness: both are run on an input that both take."""

    def written(name: str, kind: str, batch: str | int) -> str:
        ends = [helper.make_tensor_value_info(each, 1, [batch, 2]) for each in ("x", "y")]
        graph = helper.make_graph([helper.make_node(kind, ["x"], ["y"])], "g", ends[:1], ends[1:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        (tmp_path / name).write_bytes(model.SerializeToString())
        return str(tmp_path / name)

    unknown, known = written("n.onnx", "Relu", "n"), written("one.onnx", "Relu", 5)
    for files in ((unknown, known), (known, unknown)):
        assert run(files) == 2
        assert "was run on 1 random input (seed 0): the results agree" in capsys.readouterr().out
    for files in ((unknown, written("neg.onnx", "Neg", 5)), (written("neg_n.onnx", "Neg", "n"), known)):
        assert run(files) == 3
        assert capsys.readouterr().out.startswith("different: @main: on the random input of seed 0, element")


def test_a_model_whose_written_file_knows_a_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last size of the result is unknown to the model; that of its constants follows from the other sizes."""
    nodes = [
        helper.make_node("Concat", ["a", "b"], ["sizes"], axis=0),
        helper.make_node("Reshape", ["x", "sizes"], ["y"]),
    ]
    ends = [helper.make_tensor_value_info("x", 1, [4, 6]), helper.make_tensor_value_info("y", 1, ["p", "q", "r"])]
    numbers = [numpy_helper.from_array(np.array(value), name) for name, value in (("a", [1, 8]), ("b", [-1]))]
    model = helper.make_model(
        helper.make_graph(nodes, "g", ends[:1], ends[1:], numbers), opset_imports=[helper.make_opsetid("", 18)]
    )
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", 1, [1, 8, 3]))
    (tmp_path / "known.onnx").write_bytes(model.SerializeToString())
    assert run([str(tmp_path / "model.onnx"), str(tmp_path / "known.onnx")]) == 0
    assert capsys.readouterr().out.startswith("proved")


GENERIC = """
#same = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {{indexing_maps = [#same, #same], iterator_types = ["parallel"]}}
    ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %1 = {of} : f32
    linalg.yield %1 : f32
  }} -> tensor<4xf32>
  func.return %{returned} : tensor<4xf32>
}}"""


def test_loops_over_tensors_have_no_effects() -> None:
    add, other = GENERIC.format(of="arith.addf %in, %in", returned="y"), program("4", "4", "abs")
    for pair in ((add, other), (other, add), (add, GENERIC.format(of="arith.mulf %in, %in", returned="y"))):
        answer = compared(*pair)
        assert (answer.verdict, answer.reason) == (Verdict.UNDECIDED, "result 0 is not computed in the same way")
    assert compared(add, add).verdict is Verdict.PROVED
    unused, nothing = (GENERIC.format(of=f"arith.{each} %in, %in", returned="x") for each in ("addf", "mulf"))
    assert compared(unused, nothing).verdict is Verdict.PROVED


def test_loops_that_write_memory_have_effects() -> None:
    text = """func.func @main(%x: memref<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {{
      {}
      func.return %y : tensor<4xf32>
    }}"""
    copy = "linalg.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)"
    assert compared(text.format(copy), text.format("")).verdict is Verdict.DIFFERENT


def test_an_op_that_may_have_effects_may_be_there_for_its_results() -> None:
    """Nothing is known of it, so its absence is no witness; one without results does nothing else."""
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      {} : (tensor<4xf32>) -> {}
      func.return %x : tensor<4xf32>
    }}"""
    computed, printed = text.format('%y = "test.op"(%x)', "tensor<4xf32>"), text.format('"test.op"(%x)', "()")
    assert compared(computed, program("4", "4")).verdict is Verdict.UNDECIDED
    assert compared(printed, program("4", "4")).verdict is Verdict.DIFFERENT


SIGNS = """func.func @main(%x: tensor<4x{type}>) -> tensor<4x{type}> {{
  %y = npu.{kind} %x, %x : (tensor<4x{type}>, tensor<4x{type}>) -> tensor<4x{type}>
  func.return %y : tensor<4x{type}>
}}"""


def test_integers_whose_types_say_no_sign() -> None:
    """TOSA has no unsigned types: the same bits may be meant."""
    first, second = (SIGNS.format(type=type_, kind="mul") for type_ in ("ui8", "i8"))
    assert compared(first, second).verdict is Verdict.DIFFERENT
    answer = compared(first, second, signs_count=False)
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.reason.startswith("argument 0 is 4 of ui8 in the first program and 4 of i8 in the second")
    assert compared(first, SIGNS.format(type="i16", kind="mul"), signs_count=False).verdict is Verdict.DIFFERENT


def test_a_module_of_tosa_with_unsigned_integers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch_mlir")
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    ends = [helper.make_tensor_value_info(name, 2, [4]) for name in ("x", "y")]
    model = helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:]))
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    text = """func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {{
      %y = tosa.{} : (tensor<4xi8>{}) -> tensor<4xi8>
      return %y : tensor<4xi8>
    }}"""
    (tmp_path / "same.mlir").write_text(text.format("identity %x", ""))
    (tmp_path / "other.mlir").write_text(text.format("sub %x, %x", ", tensor<4xi8>"))
    files = [str(tmp_path / name) for name in ("model.onnx", "same.mlir", "other.mlir")]
    assert run([*files[:2], "-f", "onnx,tosa"]) == 2
    assert "the results agree" in capsys.readouterr().out
    assert run([files[0], files[2], "-f", "onnx,tosa"]) == 3
    assert "different: @main: on the random input of seed 0, element" in capsys.readouterr().out
