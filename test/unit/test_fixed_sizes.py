"""Sizes that the command line or a caller fixes: `--size`, `--shape`, and what folds behind them."""

import re
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.fixed_sizes import FixedSizes, WrongSizes
from npu_opt.tools import check, opt
from npu_opt.tools import run as npu_run
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper
from support.optional_tools import litert, mlir_bindings
from support.shell import in_shell

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
Sizes = list[int | str | None]

needs_litert = pytest.mark.skipif(litert().location is None, reason=litert().note)


def save(model: ModelProto, file: str) -> None:
    Path(file).write_bytes(model.SerializeToString())


def load(file: str) -> ModelProto:
    return ModelProto.FromString(Path(file).read_bytes())


def model_of(graph: GraphProto) -> ModelProto:
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


def made(nodes: list[NodeProto], inputs: dict[str, tuple[int, Sizes]], **constants: object) -> ModelProto:
    """A model with the output y."""
    ends = [helper.make_tensor_value_info(name, kind, sizes) for name, (kind, sizes) in inputs.items()]
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    return model_of(helper.make_graph(nodes, "g", ends, [helper.make_tensor_value_info("y", FLOAT, None)], tensors))


def decoder() -> ModelProto:
    """One head of attention with a causal mask that is computed from the number of words."""
    generator = np.random.default_rng(0)
    table = generator.standard_normal((11, 8)).astype(np.float32)
    node = helper.make_node
    nodes = [
        node("Shape", ["ids"], ["shape"]),
        node("Gather", ["shape", "one"], ["count"]),
        node("Gather", ["shape", "zero"], ["batch"]),
        node("Range", ["zero", "count", "one"], ["places"]),
        node("Unsqueeze", ["places", "last"], ["rows"]),
        node("GreaterOrEqual", ["rows", "places"], ["seen"]),
        node("Cast", ["seen"], ["seen_f"], to=FLOAT),
        node("Sub", ["one_f", "seen_f"], ["hidden"]),
        node("Mul", ["hidden", "low"], ["mask"]),
        node("Unsqueeze", ["batch", "first"], ["batch1"]),
        node("Unsqueeze", ["count", "first"], ["count1"]),
        node("Concat", ["batch1", "count1", "count1"], ["square"], axis=0),
        node("Expand", ["mask", "square"], ["masks"]),
        node("Gather", ["table", "ids"], ["words"]),
        node("Transpose", ["words"], ["keys"], perm=[0, 2, 1]),
        node("MatMul", ["words", "keys"], ["scores"]),
        node("Add", ["scores", "masks"], ["masked"]),
        node("Softmax", ["masked"], ["shares"], axis=-1),
        node("MatMul", ["shares", "words"], ["y"]),
    ]
    return made(
        nodes,
        {"ids": (INT64, ["batch", "sequence"])},
        one=np.int64(1),
        zero=np.int64(0),
        last=np.array([1]),
        first=np.array([0]),
        one_f=np.float32(1),
        low=np.float32(-1e4),
        table=table,
    )


def with_branch() -> ModelProto:
    """A squeeze if the batch is one, as exporters of PyTorch write it."""
    node = helper.make_node
    ends = [helper.make_tensor_value_info("o", FLOAT, None)]
    squeeze = helper.make_graph([node("Squeeze", ["x"], ["o"])], "yes", [], ends)
    weights = [numpy_helper.from_array(np.full(1, 2, np.float32), "w")]
    double = helper.make_graph([node("Mul", ["x", "w"], ["o"])], "no", [], ends, weights)
    nodes = [
        node("Shape", ["x"], ["s"], start=0, end=1),
        node("Squeeze", ["s"], ["batch"]),
        node("Equal", ["batch", "one"], ["is_one"]),
        node("If", ["is_one"], ["i"], then_branch=squeeze, else_branch=double),
        node("Relu", ["i"], ["y"]),
    ]
    return made(nodes, {"x": (FLOAT, ["n", 4])}, one=np.int64(1))


def relu(sizes: Sizes) -> ModelProto:
    return made([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, sizes)})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shape_of_input(file: str) -> list[int | str]:
    dims = load(file).graph.input[0].type.tensor_type.shape.dim
    return [dim.dim_param or dim.dim_value for dim in dims]


INPUTS = {"ids": ["batch", "sequence"], "mask": ["batch", "past + sequence"], "image": [1, 3, None, None]}


@pytest.mark.parametrize(
    ("fixed", "shapes"),
    [
        (FixedSizes({"batch": 1, "sequence": 4, "past": 3}), {"ids": [1, 4], "mask": [1, 7]}),
        (FixedSizes({"sequence": 4}), {"ids": ["batch", 4], "mask": ["batch", "past + sequence"]}),
        (FixedSizes({"past + sequence": 9}), {"ids": ["batch", "sequence"], "mask": ["batch", 9]}),
        (FixedSizes({"past": 0}, {"ids": (2, 5)}), {"ids": (2, 5), "mask": [2, 5]}),
        (FixedSizes(shapes={"image": (1, 3, 8, 8)}), {"image": (1, 3, 8, 8), "ids": ["batch", "sequence"]}),
        (FixedSizes({"nothing": 1}, {"nobody": (1,)}).if_there(), {"ids": ["batch", "sequence"]}),
    ],
)
def test_sizes_follow_from_names_and_shapes(fixed: FixedSizes, shapes: dict[str, object]):
    settled = fixed.settled(INPUTS)
    assert {name: settled.shape_of(name, INPUTS[name]) for name in shapes} == shapes


@pytest.mark.parametrize(
    ("fixed", "error"),
    [
        (
            FixedSizes({"batches": 1}),
            "no size is called 'batches'; the names are: batch (of ids), sequence (of ids),"
            " past + sequence (of mask), past (of mask)",
        ),
        (
            FixedSizes(shapes={"id": (1,)}),
            "no input is called 'id'; the inputs are: ids:batchxsequence, mask:batchxpast + sequence, image:1x3x?x?",
        ),
        (FixedSizes(shapes={"ids": (1,)}), "the input 'ids' has 2 sizes (batchxsequence), not 1"),
        (FixedSizes(shapes={"image": (2, 3, 8, 8)}), "the input 'image' is 1x3x?x?: '1' is 1, not 2"),
        (FixedSizes({"batch": 1}, {"ids": (2, 4)}), "the input 'ids' is batchxsequence: 'batch' is 1, not 2"),
    ],
)
def test_wrong_sizes_list_the_right_ones(fixed: FixedSizes, error: str):
    with pytest.raises(WrongSizes, match=re.escape(error)):
        fixed.settled(INPUTS)


def test_models_without_names_say_how_to_fix_sizes():
    with pytest.raises(WrongSizes, match=re.escape("--shape fixes those of an input (x:?x4)")):
        FixedSizes({"n": 1}).settled({"x": [None, 4], "w": [3]})
    with pytest.raises(WrongSizes, match="all sizes of the inputs are known"):
        FixedSizes({"n": 1}).settled({"x": [2, 4]})


@pytest.mark.parametrize("text", ["batch", "=1", "batch=", "batch=-1", "batch=1x2"])
def test_sizes_are_checked_at_once(folder: Path, capsys: pytest.CaptureFixture[str], text: str):
    assert opt.run(["none.onnx", f"--size={text}"]) == 1
    assert f"argument --size: expected NAME=N, as in batch=1, found '{text}'" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["x", ":1", "x:1x", "x:?x2", "x:a"])
def test_shapes_are_checked_at_once(folder: Path, capsys: pytest.CaptureFixture[str], text: str):
    assert opt.run(["none.onnx", f"--shape={text}"]) == 1
    assert f"argument --shape: expected INPUT:SIZES, as in ids:1x128, found '{text}'" in capsys.readouterr().err


def test_a_model_is_written_with_its_sizes(folder: Path, capsys: pytest.CaptureFixture[str]):
    save(relu(["n", "c", 4]), "m.onnx")
    assert opt.run(["m.onnx", "--size", "n=2", "-o", "out.onnx"]) == 0
    assert shape_of_input("out.onnx") == [2, "c", 4]
    assert check.run(["m.onnx", "out.onnx", "--size=n=2"]) == 0
    assert check.run(["m.onnx", "out.onnx", "--size=n=3"]) == 3
    assert opt.run(["m.onnx", "--shape=x:2x3x4", "-o", "out.onnx"]) == 0
    assert shape_of_input("out.onnx") == [2, 3, 4]
    capsys.readouterr()
    assert opt.run(["m.onnx", "--size=batch=2", "-o", "none.onnx"]) == 1
    assert capsys.readouterr().err == "m.onnx: error: no size is called 'batch'; the names are: n (of x), c (of x)\n"


@needs_litert
def test_a_decoder_becomes_a_file_of_litert(folder: Path, capsys: pytest.CaptureFixture[str]):
    save(decoder(), "m.onnx")
    sizes = ["--size=batch=2", "--size=sequence=5"]
    assert opt.run(["m.onnx", *sizes, "-O", "-o", "out.tflite"]) == 0
    assert "out.tflite: remark: the file is proved to compute what m.onnx does" in capsys.readouterr().err
    assert npu_run.run(["m.onnx", "--engine=numpy", "--compare", "out.tflite", *sizes]) == 0
    assert "2x5x8 of f32" in capsys.readouterr().out


def test_the_arithmetic_of_shapes_folds(folder: Path, capsys: pytest.CaptureFixture[str]):
    save(decoder(), "m.onnx")
    assert opt.run(["m.onnx", "--size=batch=2", "--size=sequence=5", "--fold-weights"]) == 0
    text = capsys.readouterr().out
    for name in ("Shape", "Range", "ConstantOfShape", "onnx.", "?x"):
        assert name not in text.replace("onnx.name", "").split("{\n", 2)[2]


@pytest.mark.parametrize(("size", "op"), [(1, "npu.reshape"), (3, "npu.mul")])
def test_a_branch_with_a_known_condition_is_taken(folder: Path, capsys: pytest.CaptureFixture[str], size: int, op: str):
    save(with_branch(), "m.onnx")
    assert opt.run(["m.onnx", f"--size=n={size}"]) == 0
    text = capsys.readouterr().out
    assert op in text
    assert "If" not in text
    assert npu_run.run(["m.onnx", "--engine=numpy", f"--size=n={size}"]) == 0


def test_names_in_a_branch_may_be_those_around_it(folder: Path, capsys: pytest.CaptureFixture[str]):
    """A name that a branch defines again in a graph inside of it is another value."""
    node = helper.make_node
    ends = [helper.make_tensor_value_info("o", FLOAT, None)]
    inner = helper.make_graph([node("Neg", ["r"], ["o"])], "inner", [], ends)
    other = helper.make_graph([node("Exp", ["r"], ["o"])], "other", [], ends)
    nodes = [node("Relu", ["x"], ["r"]), node("If", ["c"], ["o"], then_branch=inner, else_branch=other)]
    outer = helper.make_graph(nodes, "outer", [], ends)
    plain = helper.make_graph([node("Abs", ["x"], ["o"])], "plain", [], ends)
    model = made(
        [
            node("Relu", ["x"], ["i/r"]),
            node("If", ["yes"], ["i"], then_branch=outer, else_branch=plain),
            node("Add", ["i", "i/r"], ["y"]),
        ],
        {"x": (FLOAT, ["n", 4]), "c": (BOOL, [])},
        yes=np.bool_(True),
    )
    save(model, "m.onnx")
    assert opt.run(["m.onnx", "--size=n=2"]) == 0
    text = capsys.readouterr().out
    assert text.count("npu.relu") == 2
    assert text.count('"onnx.If"') == 1
    assert npu_run.run(["m.onnx", "--engine=numpy", "--size=n=2"]) == 0


def test_a_branch_stays_without_sizes(folder: Path, capsys: pytest.CaptureFixture[str]):
    node = helper.make_node
    ends = [helper.make_tensor_value_info("o", FLOAT, [2, 4])]
    branches = [helper.make_graph([node(kind, ["x"], ["o"])], kind, [], ends) for kind in ("Relu", "Neg")]
    model = made(
        [node("If", ["yes"], ["y"], then_branch=branches[0], else_branch=branches[1])],
        {"x": (FLOAT, [2, 4])},
        yes=np.bool_(True),
    )
    save(model, "m.onnx")
    assert opt.run(["m.onnx", "-o", "out.onnx"]) == 0
    assert [each.op_type for each in load("out.onnx").graph.node] == ["If"]
    assert opt.run(["m.onnx", "--fold-weights", "-o", "out.onnx"]) == 0
    assert [each.op_type for each in load("out.onnx").graph.node] == ["Relu"]


@needs_litert
def test_inputs_of_litert_models_have_names(folder: Path, capsys: pytest.CaptureFixture[str]):
    save(relu(["n", 3]), "m.onnx")
    assert opt.run(["m.onnx", "-o", "m.tflite"]) == 0
    assert opt.run(["m.tflite", "--shape=x:2x3", "-o", "out.tflite"]) == 0
    assert check.run(["m.onnx", "out.tflite", "--shape=x:2x3"]) == 0
    assert npu_run.run(["m.tflite", "--shape=x:2x3", "--compare=m.onnx"]) == 0
    assert "output 0   2x3 of f32" in capsys.readouterr().out
    assert opt.run(["m.tflite", "--size=n=2"]) == 1
    assert "no size has a name: --shape fixes those of an input (x:?x3)" in capsys.readouterr().err
    assert npu_run.run(["m.tflite", "--shape=z:2x3"]) == 1
    assert "no input is called 'z'; the inputs are: x:?x3" in capsys.readouterr().err


def test_notes_about_unknown_ranks_say_a_command(folder: Path):
    save(with_branch(), "m.onnx")
    done = in_shell("npu-opt m.onnx -o out.onnx")
    assert done.returncode == 0
    what, note = done.stderr.splitlines()[:2]
    assert what == (
        "m.onnx: note: nodes that read or compute values of unknown rank stay unchanged (i, y);"
        " --shape fixes those of inputs"
    )
    found = re.fullmatch(
        r"m\.onnx: note: the inputs have sizes that are unknown \(x:nx4\); these flags fix them \(run: (.*)\)", note
    )
    assert found is not None, note
    assert found[1] == "npu-opt --size=n=1 m.onnx -o out.onnx"
    assert in_shell(found[1]).returncode == 0
    assert shape_of_input("out.onnx") == [1, 4]


def test_python_fixes_sizes(folder: Path):
    save(relu(["n", "c", 4]), "m.onnx")
    choices: list[dict[str, Any]] = [{"sizes": {"n": 2, "c": 3}}, {"shapes": {"x": (2, 3, 4)}}]
    for given in choices:
        for model in ("m.onnx", load("m.onnx")):
            assert "tensor<2x3x4xf32>" in str(npu_opt.load(model, **given).module)
            assert "tensor<2x3x4xf32" in str(npu_opt.optimize(model, target="onnx", **given).program.module)
    with pytest.raises(npu_opt.NpuOptError, match="no size is called 'm'; the names are: n"):
        npu_opt.load("m.onnx", sizes={"m": 2})
    with pytest.raises(npu_opt.NpuOptError, match="argument sizes: expected a file"):
        npu_opt.load(npu_opt.load("m.onnx"), sizes={"n": 2})


PROGRAM = """\
func.func @main(%x: tensor<?x3x?x?xf32>{notes}, %k: tensor<8x3x3x3xf32>) -> tensor<?x?xf32> {
  %c = npu.conv2d %x, %k pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32>
  %r = npu.relu %c : tensor<?x8x?x?xf32>
  %j = npu.concat %r, %c axis = 1 : (tensor<?x8x?x?xf32>, tensor<?x8x?x?xf32>) -> tensor<?x16x?x?xf32>
  %p = npu.max_pool %j window = [2, 2] strides = [2, 2] data_layout = <NCHW>
    : (tensor<?x16x?x?xf32>) -> tensor<?x16x?x?xf32>
  %t = npu.transpose %p permutation = [0, 2, 3, 1] : (tensor<?x16x?x?xf32>) -> tensor<?x?x?x16xf32>
  %s = npu.reshape %t dims = [@in0, ?] : (tensor<?x?x?x16xf32>) -> tensor<?x?xf32>
  %f = npu.softmax %s axis = 1 : tensor<?x?xf32>
  return %f : tensor<?x?xf32>
}
"""


def test_programs_have_sizes_by_the_names_of_their_arguments(folder: Path, capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(PROGRAM.replace("{notes}", ""))
    assert opt.run(["m.mlir", "--shape=x:2x3x4x6"]) == 0
    text = capsys.readouterr().out
    assert "tensor<?" not in text
    assert "-> tensor<2x96xf32> {" in text
    assert npu_run.run(["m.mlir", "--engine=numpy", "--shape=x:2x3x4x6"]) == 0
    assert "2x96 of f32" in capsys.readouterr().out
    assert opt.run(["m.mlir", "--shape=x:2x3x4x6", "-o", "fixed.mlir"]) == 0
    assert check.run(["m.mlir", "fixed.mlir", "--shape=x:2x3x4x6"]) == 0
    assert opt.run(["m.mlir", "--shape=x:2x4x4x6"]) == 1
    assert "m.mlir: error: the input 'x' is ?x3x?x?: '3' is 3, not 4" in capsys.readouterr().err


def test_programs_have_sizes_by_the_names_that_they_note(folder: Path, capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(PROGRAM.replace("{notes}", ' {onnx.name = "image", onnx.dims = ["n", 3, "h", "w"]}'))
    assert opt.run(["m.mlir", "--size=n=2", "--size=h=4"]) == 0
    text = capsys.readouterr().out
    assert 'tensor<2x3x4x?xf32> {onnx.name = "image", onnx.dims = [2 : i64, 3' in text
    assert "-> tensor<2x?xf32> {" in text
    assert opt.run(["m.mlir", "--size=m=2"]) == 1
    assert "the names are: n (of image), h (of image), w (of image)" in capsys.readouterr().err


def test_sizes_that_do_not_fit_are_an_error(folder: Path, capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(
        "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = npu.add %x, %y : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n"
    )
    assert opt.run(["m.mlir", "--shape=x:2", "--shape=y:3"]) == 1
    assert "m.mlir" in capsys.readouterr().err


@pytest.mark.skipif(mlir_bindings().location is None, reason=mlir_bindings().note)
def test_modules_of_tosa_have_sizes(folder: Path, capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(
        "func.func @main(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {\n"
        "  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>\n"
        "  return %0 : tensor<4x?xf32>\n}\n"
    )
    assert opt.run(["m.mlir", "--shape=x:3x4"]) == 0
    assert "-> tensor<4x3xf32> {" in capsys.readouterr().out
