"""Integers that are clipped: by the activation function of the kernel that makes them, or by ops of their own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.interpreter import run as interpret
from npu_opt.tools.check import run as check
from support.ir_text import parse
from support.oracles.litert_running import executed

PROVED, UNDECIDED = 0, 2
DTYPES: dict[str, Any] = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "i32": np.int32}


def kinds(file: Path) -> list[str]:
    return [node.kind for node in read_file(file).graphs[0].operators]


def run_and_checked(text: str, shape: Sequence[int], element: str, folder: Path) -> tuple[Path, int]:
    """The file of a program of integers, which computes the same, and the exit code of npu-check."""
    dtype = DTYPES[element]
    module, given, written = parse(text), folder / "given.mlir", folder / "written.tflite"
    given.write_text(text)
    written.write_bytes(packed(to_litert(module)))
    for seed in range(5):
        rng = np.random.default_rng(seed)
        ends = np.iinfo(dtype)
        x = rng.integers(ends.min, ends.max + 1, shape).astype(dtype)
        for found, expected in zip(executed(written.read_bytes(), [x]), interpret(module, "main", [x]), strict=True):
            np.testing.assert_array_equal(found, expected)
    return written, check([str(given), str(written)])


@pytest.mark.parametrize("bounds", ["min = 5.0 max = 100.0", "min = -1000.0 max = 7.0", "max = 70000.0"])
@pytest.mark.parametrize("element", DTYPES)
def test_integers(element: str, bounds: str, tmp_path: Path):
    text = f"""func.func @main(%x: tensor<4x5x{element}>) -> tensor<4x5x{element}> {{
      %y = npu.clip %x {bounds} : tensor<4x5x{element}>
      func.return %y : tensor<4x5x{element}>
    }}"""
    assert run_and_checked(text, (4, 5), element, tmp_path)[1] == PROVED


def convolution(element: str, zero: int, bounds: str, returned: str = "%y", scale: float = 0.1) -> str:
    types = ", ".join([f"tensor<1x4x4x2x{element}>"] * len(returned.split(",")))
    parameters = f"tensor<f32>, tensor<{element}>"
    return f"""func.func @main(%x: tensor<1x4x4x2x{element}>) -> ({types}) {{
      %s = npu.constant dense<{scale}> : tensor<f32>
      %z = npu.constant dense<{zero}> : tensor<{element}>
      %none = npu.constant dense<0> : tensor<i8>
      %k = npu.constant dense<[[[[10]], [[-20]]], [[[30]], [[40]]]]> : tensor<2x2x1x1xi8>
      %c = npu.quant_conv2d %x, %k, %s, %z, %s, %none, %s, %z data_layout = <NHWC> kernel_layout = <OIHW>
        : (tensor<1x4x4x2x{element}>, tensor<2x2x1x1xi8>, {parameters}, tensor<f32>, tensor<i8>, {parameters})
        -> tensor<1x4x4x2x{element}>
      %y = npu.clip %c {bounds} : tensor<1x4x4x2x{element}>
      func.return {returned} : {types}
    }}"""


CASES = [
    ("i8", 0, "min = 0.0", "%y", ["CONV_2D"]),
    ("i8", 3, "min = 3.0 max = 63.0", "%y", ["CONV_2D"]),
    ("i8", -100, "min = -110.0 max = -90.0", "%y", ["CONV_2D"]),
    # The largest number of the type ends a range as well.
    ("i8", 100, "min = 100.0", "%y", ["CONV_2D"]),
    ("ui8", 128, "min = 128.0", "%y", ["QUANTIZE", "CONV_2D", "QUANTIZE"]),
    # No activation function has the range, or another op reads the result before.
    ("i8", 0, "min = 1.0", "%y", ["CONV_2D", "MAXIMUM"]),
    ("i8", 0, "max = 60.0", "%y", ["CONV_2D", "MINIMUM"]),
    ("i8", 0, "min = 0.0", "%y, %c", ["CONV_2D", "MAXIMUM"]),
    ("ui8", 7, "min = 9.0 max = 250.0", "%y", ["QUANTIZE", "CONV_2D", "MAXIMUM", "MINIMUM", "QUANTIZE"]),
]


@pytest.mark.parametrize(("element", "zero", "bounds", "returned", "ops"), CASES)
def test_quantised_numbers(element: str, zero: int, bounds: str, returned: str, ops: list[str], tmp_path: Path):
    written, code = run_and_checked(convolution(element, zero, bounds, returned), (1, 4, 4, 2), element, tmp_path)
    assert kinds(written) == ops
    # Convolutions of ui8 are proved as those of dequantised numbers, which a model has and this program has not.
    assert code == (PROVED if element == "i8" else UNDECIDED)


def test_a_view_with_another_reader(tmp_path: Path):
    """The reshape is the tensor of the convolution, which is returned as well."""
    type_ = "tensor<1x4x4x2xi8>"
    text = convolution("i8", 0, "min = 0.0", "%y, %c").replace(
        f"%y = npu.clip %c min = 0.0 : {type_}",
        f"%v = npu.reshape %c : ({type_}) -> {type_}\n%y = npu.clip %v min = 0.0 : {type_}",
    )
    assert "npu.reshape" in text
    written, code = run_and_checked(text, (1, 4, 4, 2), "i8", tmp_path)
    assert (kinds(written), code) == (["CONV_2D", "MAXIMUM"], PROVED)


def test_a_bound_in_the_middle_of_two_steps(tmp_path: Path):
    """6 is 2.5 steps: the bound is 2, the even one of 2 and 3, as ONNX rounds, and kernels may take 3."""
    text = convolution("i8", 0, "min = 0.0 max = 2.0", scale=2.4)
    written, code = run_and_checked(text, (1, 4, 4, 2), "i8", tmp_path)
    assert (kinds(written), code) == (["CONV_2D", "MAXIMUM", "MINIMUM"], PROVED)


@pytest.mark.parametrize(("is_quantised", "expected"), [(True, ["RELU"]), (False, ["MAXIMUM", "MINIMUM"])])
def test_the_largest_number_is_no_bound_in_front_of_a_quantisation(
    is_quantised: bool, expected: Sequence[str], tmp_path: Path
):
    type_, result = "tensor<4x5xf32>", "tensor<4x5xi8>" if is_quantised else "tensor<4x5xf32>"
    quantised = f"%q = npu.quantize %y, %s, %z : ({type_}, tensor<f32>, tensor<i8>) -> {result}"
    module = parse(f"""func.func @main(%x: {type_}) -> {result} {{
      %s = npu.constant dense<0.25> : tensor<f32>
      %z = npu.constant dense<3> : tensor<i8>
      %y = npu.clip %x min = 0.0 max = 3.4028234663852886e+38 : {type_}
      {quantised if is_quantised else ""}
      func.return {"%q" if is_quantised else "%y"} : {result}
    }}""")
    file = tmp_path / "written.tflite"
    file.write_bytes(packed(to_litert(module)))
    assert [kind for kind in kinds(file) if kind in ("RELU", "MAXIMUM", "MINIMUM")] == expected
    x = np.resize(np.array([np.inf, -np.inf, 3.0, -3.0, 0.3], np.float32), (4, 5))
    for found, wanted in zip(executed(file.read_bytes(), [x]), interpret(module, "main", [x]), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_a_sum_has_the_scale_of_its_products(tmp_path: Path):
    """Kernels compute with scales of data and weights; other readers of the file with that of the bias."""
    file = tmp_path / "written.tflite"
    file.write_bytes(packed(to_litert(parse(convolution("i8", 3, "min = 3.0", scale=0.25)))))
    read = read_file(file).graphs[0]
    (node,) = read.operators
    data, weights, bias = (read.tensors[place].quantization for place in node.inputs)
    assert data is not None
    assert weights is not None
    assert bias is not None
    assert bias.scale.tolist() == (data.scale * weights.scale).tolist() == [0.0625]
    assert bias.zero_point.tolist() == [0]
