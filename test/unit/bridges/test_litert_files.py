"""LiteRT models as files: names, signatures, joined ops, and dynamic sizes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper, parser

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.orders import read_orders
from npu_opt.interpreter import run as interpret
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from npu_opt.tools.run import run as run_model
from support.closeness import FEW_STEPS, assert_close
from support.ir_text import parse
from support.oracles.litert_running import executed, exported, interpreter
from support.oracles.running import main_of


def kinds(text: str) -> list[str]:
    return [node.kind for node in to_litert(parse(text)).nodes]


def test_an_activation_joins_the_op_before_it():
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %y = npu.add %x, %x : tensor<2x3xf32>
      %z = npu.clip %y min = 0.0 max = 6.0 : tensor<2x3xf32>
      func.return %z : tensor<2x3xf32>
    }"""
    assert kinds(text) == ["ADD"]
    (found,) = executed(exported(parse(text)), [np.full((2, 3), 5, np.float32)])
    assert (found == 6).all()


def test_an_activation_of_a_value_with_other_users_is_an_op():
    text = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
      %y = npu.add %x, %x : tensor<2x3xf32>
      %z = npu.relu %y : tensor<2x3xf32>
      func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
    }"""
    assert kinds(text) == ["ADD", "RELU"]


@pytest.mark.parametrize(
    ("bias", "joined"),
    [("4", ["FULLY_CONNECTED"]), ("1x4", ["FULLY_CONNECTED"]), ("1", ["FULLY_CONNECTED", "ADD"]), ("2x4", None)],
)
def test_a_row_that_is_added_to_a_product_is_its_bias(bias: str, joined: list[str] | None):
    text = f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {{
      %w = npu.constant dense<0.5> : tensor<3x4xf32>
      %b = npu.constant dense<0.25> : tensor<{bias}xf32>
      %y = npu.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %z = npu.add %b, %y : (tensor<{bias}xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %r = npu.relu %z : tensor<2x4xf32>
      func.return %r : tensor<2x4xf32>
    }}"""
    assert kinds(text) == (joined or ["FULLY_CONNECTED", "ADD"])
    (found,) = executed(exported(parse(text)), [np.ones((2, 3), np.float32)])
    assert (found == 1.75).all()


def test_a_product_with_other_users_has_no_bias():
    text = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
      %w = npu.constant dense<0.5> : tensor<3x4xf32>
      %b = npu.constant dense<0.25> : tensor<4xf32>
      %y = npu.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %z = npu.add %y, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
      func.return %y, %z : tensor<2x4xf32>, tensor<2x4xf32>
    }"""
    assert kinds(text) == ["FULLY_CONNECTED", "ADD"]


def gelu(half: str, root: str) -> str:
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %root = npu.constant dense<{root}> : tensor<1xf32>
      %half = npu.constant dense<{half}> : tensor<1xf32>
      %one = npu.constant dense<1.0> : tensor<1xf32>
      %a = npu.div %x, %root : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
      %b = npu.erf %a : tensor<4xf32>
      %c = npu.add %b, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
      %d = npu.mul %x, %c : tensor<4xf32>
      %e = npu.mul %d, %half : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
      func.return %e : tensor<4xf32>
    }}"""


def test_gelu_as_arithmetic_is_one_op():
    assert kinds(gelu("0.5", "1.41421354")) == ["GELU"]
    assert "GELU" not in kinds(gelu("0.25", "1.41421354"))
    assert "GELU" not in kinds(gelu("0.5", "1.5"))


def test_a_transpose_of_many_axes_moves_no_more_than_it_has_to():
    text = """func.func @main(%x: tensor<1x6x3x2x4xf32>) -> tensor<3x1x2x6x4xf32> {
      %y = npu.transpose %x permutation = [2, 0, 3, 1, 4] : (tensor<1x6x3x2x4xf32>) -> tensor<3x1x2x6x4xf32>
      func.return %y : tensor<3x1x2x6x4xf32>
    }"""
    (_, transpose, _) = nodes = to_litert(parse(text)).nodes
    assert [node.kind for node in nodes] == ["RESHAPE", "TRANSPOSE", "RESHAPE"]
    assert [tensor.shape for tensor in transpose.outputs] == [(6, 6, 4)]
    given = np.arange(144, dtype=np.float32).reshape(1, 6, 3, 2, 4)
    (found,) = executed(exported(parse(text)), [given])
    assert (found == given.transpose(2, 0, 3, 1, 4)).all()


def test_transposes_of_many_axes_that_cancel_out_are_none():
    text = """func.func @main(%x: tensor<1x2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32> {
      %k = npu.constant dense<1.0> : tensor<2x2x1x1x1xf32>
      %y = npu.conv3d %x, %k data_layout = <NCDHW> kernel_layout = <OIDHW>
        : (tensor<1x2x4x5x6xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x5x6xf32>
      %z = npu.conv3d %y, %k data_layout = <NCDHW> kernel_layout = <OIDHW>
        : (tensor<1x2x4x5x6xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x5x6xf32>
      func.return %z : tensor<1x2x4x5x6xf32>
    }"""
    assert kinds(text).count("TRANSPOSE") == 2


def test_inputs_and_outputs_have_names_in_the_signature():
    text = """func.func @main(%x: tensor<2xf32> {onnx.name = "image"}) -> (tensor<2xf32> {onnx.name = "scores"}) {
      %y = npu.exp %x : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    running: Any = interpreter.Interpreter(model_content=exported(parse(text)))
    assert running.get_signature_list() == {"serving_default": {"inputs": ["image"], "outputs": ["scores"]}}


def test_a_batch_of_unknown_size():
    text = """func.func @main(%x: tensor<?x3x8x8xf32>) -> tensor<?x10xf32> {
      %k = npu.constant dense<0.5> : tensor<4x3x3x3xf32>
      %w = npu.constant dense<0.25> : tensor<144x10xf32>
      %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
        : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x6x6xf32>
      %b = npu.reshape %a dims = [@in0, 144] : (tensor<?x4x6x6xf32>) -> tensor<?x144xf32>
      %c = npu.matmul %b, %w : (tensor<?x144xf32>, tensor<144x10xf32>) -> tensor<?x10xf32>
      func.return %c : tensor<?x10xf32>
    }"""
    model = exported(parse(text))
    for batch in (1, 5):
        (found,) = executed(model, [np.ones((batch, 3, 8, 8), np.float32)])
        assert_close(found, np.full((batch, 10), 27 * 0.5 * 144 * 0.25), FEW_STEPS)


def test_constants_are_stored_as_kernels_want_them():
    """No op moves the kernel of a convolution or the weights of a product at run time."""
    text = """func.func @main(%x: tensor<1x8x8x3xf32>) -> tensor<1x6x6x4xf32> {
      %k = npu.constant dense<0.5> : tensor<4x3x3x3xf32>
      %y = npu.conv2d %x, %k data_layout = <NHWC> kernel_layout = <OIHW>
        : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x6x6x4xf32>
      func.return %y : tensor<1x6x6x4xf32>
    }"""
    assert kinds(text) == ["CONV_2D"]


def test_an_op_without_counterpart_is_named_with_its_node(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = parser.parse_model("""<ir_version: 10, opset_import: ["": 21]>
    agraph (float[4,4] x) => (float y) {
      [sample] y = Det (x)
    }""")
    file = tmp_path / "model.onnx"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(tmp_path / "model.tflite")]) == 1
    expected = f"{file}:sample: error: 'onnx.Det' has no counterpart in LiteRT\n"
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "model.tflite").exists()


def errors_about(text: str, passes: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of the error about a model of ONNX that is refused."""
    file = folder / "model.onnx"
    file.write_bytes(parser.parse_model(text).SerializeToString())
    capsys.readouterr()
    assert run([str(file), *passes, "-o", str(folder / "model.tflite")]) == 1
    lines = capsys.readouterr().err.splitlines()
    return [line.removeprefix(str(file)) for line in lines if "see current operation" not in line]


def test_an_op_in_another_order_is_named_with_its_node(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = """<ir_version: 10, opset_import: ["": 21]>
    agraph (float[1,3,10,10] x) => (float[1,3,6,8] y) {
      [the_node] y = MaxPool <kernel_shape = [3, 3], dilations = [2, 1]> (x)
    }"""
    expected = ":the_node: error: 'npu.max_pool' with dilations or of volumes has no counterpart in LiteRT"
    assert expected in errors_about(text, ["--layout-optimal", "--canonicalize"], tmp_path, capsys)


def test_a_quantised_op_is_named_with_all_nodes_that_it_is_made_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = """<ir_version: 10, opset_import: ["": 21]>
    agraph (int8[3,2] x) => (int8[3,2] y)
      <float s = {0.5}, int8 z = {0}, int8[2,2] w = {-128, -128, -128, 127}, int8 a = {127}> {
      [data] f = DequantizeLinear (x, s, z)
      [weights] v = DequantizeLinear (w, s, a)
      [product] p = MatMul (f, v)
      [result] y = QuantizeLinear (p, s, z)
    }"""
    assert errors_about(text, ["--recognise-quantised"], tmp_path, capsys)[-2:] == [
        ":result: error: quantised weights whose numbers have no form with a zero point of 0 have none in LiteRT",
        "note: made of the nodes data, weights, product, result",
    ]


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("names", ["x, w, r", "x, w, r, b, , h, c"])
def test_an_lstm_is_written_step_by_step(direction: str, names: str, tmp_path: Path):
    count, steps, batch, inputs, hidden = 1 + (direction == "bidirectional"), 3, 2, 4, 5
    sizes = {"w": (count, 4 * hidden, inputs), "r": (count, 4 * hidden, hidden), "b": (count, 8 * hidden)}
    state = f"float[{count},{batch},{hidden}]"
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 21]>
    agraph (float[{steps},{batch},{inputs}] x, {state} h, {state} c) => (
      float[{steps},{count},{batch},{hidden}] y, {state} last, {state} cell) {{
      y, last, cell = LSTM <direction = "{direction}", hidden_size = {hidden}> ({names})
    }}""")
    random = np.random.default_rng(0)
    for name, size in sizes.items():
        model.graph.initializer.append(numpy_helper.from_array(random.random(size, np.float32) - 0.5, name))
    file, written = tmp_path / "model.onnx", tmp_path / "model.tflite"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "--layout-transmit", "-o", str(written)]) == 0
    assert run_model([str(written), "--compare", str(file)]) == 0


@pytest.mark.parametrize("results", ["_, last", "_, _, cell", "y"])
def test_results_that_nobody_wants_are_left_out(results: str, tmp_path: Path):
    names = results.replace("_", "")
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 21]>
    agraph (float[3,2,4] x) => (float[{"3,1,2,5" if names == "y" else "1,2,5"}] {names.split(",")[-1]}) {{
      {names} = LSTM <hidden_size = 5> (x, w, r)
    }}""")
    random = np.random.default_rng(0)
    for name, size in (("w", (1, 20, 4)), ("r", (1, 20, 5))):
        model.graph.initializer.append(numpy_helper.from_array(random.random(size, np.float32) - 0.5, name))
    file, written = tmp_path / "model.onnx", tmp_path / "model.tflite"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(written)]) == 0
    assert run_model([str(written), "--compare", str(file)]) == 0


@pytest.mark.parametrize("options", ["clip = 1.0", 'activations = ["Relu", "Affine", "Tanh"]', "input_forget = 1"])
def test_an_lstm_with_options_of_its_own_is_refused(options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 21]>
    agraph (float[3,3,4] x, float[1,20,4] w, float[1,20,5] r) => (float[3,1,3,5] y) {{
      [cells] y = LSTM <hidden_size = 5, {options}> (x, w, r)
    }}""")
    file = tmp_path / "model.onnx"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(tmp_path / "model.tflite")]) == 1
    expected = f"{file}:cells: error: 'onnx.LSTM' has no counterpart in LiteRT\n"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("element", ["i8", "ui8"])
def test_pads_of_a_pool_are_the_least_integers(element: str):
    """The numbers are all negative, so that pads of zeros would be the largest."""
    module = parse(f"""func.func @main(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {{
      %s = npu.constant dense<0.1> : tensor<f32>
      %z = npu.constant dense<100> : tensor<{element}>
      %q = npu.quantize %x, %s, %z : (tensor<1x6x6x2xf32>, tensor<f32>, tensor<{element}>) -> tensor<1x6x6x2x{element}>
      %p = npu.max_pool %q window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] data_layout = <NHWC>
        : (tensor<1x6x6x2x{element}>) -> tensor<1x3x3x2x{element}>
      %y = npu.dequantize %p, %s, %z
        : (tensor<1x3x3x2x{element}>, tensor<f32>, tensor<{element}>) -> tensor<1x3x3x2xf32>
      func.return %y : tensor<1x3x3x2xf32>
    }}""")
    inputs = [np.linspace(-9, -1, 72, dtype=np.float32).reshape(1, 6, 6, 2)]
    np.testing.assert_array_equal(executed(exported(module), inputs)[0], interpret(module, "main", inputs)[0])


def test_operands_of_more_known_sizes_than_the_result():
    text = """func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<?x3x?xf32> {
      %z = npu.mul %x, %y : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<?x3x?xf32>
      func.return %z : tensor<?x3x?xf32>
    }"""
    assert kinds(text) == ["MUL"]


def test_a_transpose_of_many_axes_of_unknown_size():
    """Two that stay together are no one in between, as they could not be separated behind it."""
    text = """func.func @main(%x: tensor<?x?x3x?x2xf32>) -> tensor<?x?x?x3x2xf32> {
      %y = npu.transpose %x permutation = [0, 1, 3, 2, 4] : (tensor<?x?x3x?x2xf32>) -> tensor<?x?x?x3x2xf32>
      func.return %y : tensor<?x?x?x3x2xf32>
    }"""
    given = np.arange(4 * 5 * 3 * 7 * 2, dtype=np.float32).reshape(4, 5, 3, 7, 2)
    (found,) = executed(exported(parse(text)), [given])
    np.testing.assert_array_equal(found, given.transpose(0, 1, 3, 2, 4))


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("3x1x2x1x4", "3x5x2x6x4", ["BROADCAST_TO", "MUL"]),
        ("3x1x2x1x4", "1x5x1x6x1", ["BROADCAST_TO", "BROADCAST_TO", "MUL"]),
        ("3x1x2x1x4x1", "3x5x2x6x4x2", ["BROADCAST_TO", "MUL"]),
        ("3x1x1x2x1x1", "3x5x6x2x3x4", ["MUL"]),
    ],
)
def test_axes_that_are_repeated_by_turns(left: str, right: str, found: list[str]):
    """Kernels repeat axes of up to four; an operand is repeated before them until neighbours are alike."""
    shapes = [tuple(map(int, text.split("x"))) for text in (left, right)]
    result = "x".join(map(str, np.broadcast_shapes(*shapes)))
    text = f"""func.func @main(%x: tensor<{left}xf32>, %y: tensor<{right}xf32>) -> tensor<{result}xf32> {{
      %z = npu.mul %x, %y : (tensor<{left}xf32>, tensor<{right}xf32>) -> tensor<{result}xf32>
      func.return %z : tensor<{result}xf32>
    }}"""
    assert [kind for kind in kinds(text) if kind != "RESHAPE"] == found
    x, y = (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes)
    np.testing.assert_array_equal(executed(exported(parse(text)), [x, y])[0], x * y)


def test_true_is_one_in_a_file():
    text = """func.func @main(%x: tensor<1xi1>) -> tensor<3xi1> {
      %t = npu.constant dense<[true, false]> : tensor<2xi1>
      %y = npu.concat %t, %x axis = 0 : (tensor<2xi1>, tensor<1xi1>) -> tensor<3xi1>
      func.return %y : tensor<3xi1>
    }"""
    (found,) = executed(exported(parse(text)), [np.zeros(1, np.bool_)])
    assert found.view(np.uint8).tolist() == [1, 0, 0]


def test_orders_of_inputs_and_outputs_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """So that a file whose inputs are stored in another order is proved, also after several runs."""
    given, first, second = (tmp_path / name for name in ("given.mlir", "first.tflite", "second.tflite"))
    given.write_text("""func.func @main(%x: tensor<1x3x8x6xf32>, %y: tensor<2xf32>) -> tensor<1x3x8x6xf32> {
      %r = npu.relu %x : tensor<1x3x8x6xf32>
      func.return %r : tensor<1x3x8x6xf32>
    }""")
    assert run([str(given), "--interface=input0:NHWC", "--layout-optimal", "-o", str(first)]) == 0
    assert run([str(first), "--interface=output0:NHWC", "--layout-optimal", "-o", str(second)]) == 0
    capsys.readouterr()
    assert check([str(given), str(second)]) == 0
    assert ", with input0, output0 stored as " in capsys.readouterr().out


@pytest.mark.parametrize(
    "metadata", [b"\xff", b"[" * 100_000, b"3", b'{"stored": 3}', b'{"stored": {"inputs": [3, "x"]}}']
)
def test_metadata_that_says_nothing_of_orders_is_left(metadata: bytes):
    function = main_of(
        parse("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      func.return %x : tensor<2xf32>
    }""")
    )
    before = str(function)
    read_orders(metadata, function)
    assert str(function) == before


@pytest.mark.parametrize("ending", ["mlir", "onnx", "tflite"])
def test_unknown_sizes_count_alike_in_programs_and_files(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Two transposes of 1x8x64x6 numbers, where 1 and 64 are assumed."""
    given = tmp_path / "given.mlir"
    given.write_text("""func.func @main(%x: tensor<?x8x?x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<?x8x?x6xf32> {
      %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
        : (tensor<?x8x?x6xf32>, tensor<8x8x1x1xf32>) -> tensor<?x8x?x6xf32>
      func.return %c : tensor<?x8x?x6xf32>
    }""")
    options = ["--target=opu", "--layout-optimal", "--expect-bytes=24575", "-o", str(tmp_path / f"made.{ending}")]
    assert run([str(given), *options]) == 3
    assert "found ~24576" in capsys.readouterr().err


def test_an_lstm_of_an_unknown_batch_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = parser.parse_model("""<ir_version: 10, opset_import: ["": 21]>
    agraph (float[3,B,4] x, float[1,20,4] w, float[1,20,5] r) => (float[3,1,B,5] y) {
      [cells] y = LSTM <hidden_size = 5> (x, w, r)
    }""")
    file = tmp_path / "model.onnx"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(tmp_path / "model.tflite")]) == 1
    assert "error: 'npu.lstm' of data of unknown sizes has no counterpart in LiteRT" in capsys.readouterr().err
