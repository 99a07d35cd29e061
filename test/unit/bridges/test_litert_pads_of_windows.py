"""Pads in front of a window are those of the window in the program only where LiteRT computes the same."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.interpreter import run
from npu_opt.tools.check import run as check
from numpy.typing import NDArray
from support.ir_text import parse
from support.oracles.litert_running import executed, exported

flatbuffers: Any = import_module("flatbuffers")  # These carry no types.
schema: Any = import_module("ai_edge_litert.schema_py_generated")

PROVED, UNDECIDED = 0, 2
PADDED = """func.func @main(%x: tensor<1x4x4x2x{element}>) -> tensor<1x{size}x{size}x2x{element}> {{
  %p = npu.pad %x low = [0, 2, 2, 0] high = [0, 1, 1, 0] value = {value}
    : (tensor<1x4x4x2x{element}>) -> tensor<1x7x7x2x{element}>
  {window}
  func.return %y : tensor<1x{size}x{size}x2x{element}>
}}"""
QUANTISED = """%s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<3> : tensor<i8>
  %none = npu.constant dense<0> : tensor<i8>
  %k = npu.constant dense<[[[[1]], [[-2]]], [[[3]], [[1]]]]> : tensor<2x2x1x1xi8>
  %y = npu.quant_conv2d %p, %k, %s, %z, %s, %none, %s, %z data_layout = <NHWC> kernel_layout = <OIHW>
    : (tensor<1x7x7x2xi8>, tensor<2x2x1x1xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>,
    tensor<i8>) -> tensor<1x7x7x2xi8>"""
MEAN = """%y = npu.avg_pool %p window = [2, 2] data_layout = <NHWC> : (tensor<1x7x7x2xf32>) -> tensor<1x6x6x2xf32>"""
LARGEST = MEAN.replace("avg_pool", "max_pool")
CASES = {
    "a mean of zeros": ("f32", 6, "0.0", MEAN, True),
    "a mean of other zeros": ("f32", 6, "-0.0", MEAN, False),
    "a mean of ones": ("f32", 6, "1.0", MEAN, False),
    "the largest of zeros": ("f32", 6, "0.0", LARGEST, False),
    "zero points": ("i8", 7, "3.0", QUANTISED, True),
    "integers that are no zero points": ("i8", 7, "0.0", QUANTISED, False),
}


@pytest.mark.parametrize(("element", "size", "value", "window", "is_taken"), CASES.values(), ids=CASES)
def test_pads_in_front_of_a_window(element: str, size: int, value: str, window: str, is_taken: bool, tmp_path: Path):
    given, file = tmp_path / "given.mlir", tmp_path / "written.tflite"
    given.write_text(PADDED.format(element=element, size=size, value=value, window=window))
    file.write_bytes(exported(parse(given.read_text())))
    module = import_model(file).module
    assert ("npu.pad" not in {op.name for op in module.walk()}) == is_taken
    rng = np.random.default_rng(7)
    x: NDArray[Any] = rng.integers(-9, 9, (1, 4, 4, 2)).astype(np.float32 if element == "f32" else np.int8)
    (expected,) = executed(file.read_bytes(), [x])
    np.testing.assert_array_equal(run(module, "main", [x])[0], expected)
    # The proof has no convolution of integers whose pads are those of an op before it.
    assert check([str(given), str(file)]) == (UNDECIDED if is_taken and element == "i8" else PROVED)


def test_kinds_of_old_files(tmp_path: Path):
    """Converters of before 2020 write the kind of an op as one byte, in a field of its own."""
    file, x = tmp_path / "old.tflite", np.array([-2.0, 4.0], np.float32)
    module = parse("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = npu.leaky_relu %x alpha = 0.25 : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }""")
    model = schema.ModelT.InitFromPackedBuf(exported(module))
    (code,) = model.operatorCodes
    assert code.deprecatedBuiltinCode == code.builtinCode
    code.builtinCode = 0
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    file.write_bytes(bytes(builder.Output()))
    (expected,) = executed(file.read_bytes(), [x])
    np.testing.assert_array_equal(run(import_model(file).module, "main", [x])[0], expected)
    np.testing.assert_array_equal(expected, [-0.5, 4.0])
