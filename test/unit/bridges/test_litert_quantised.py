"""Sums and products of all pairs of quantised numbers in LiteRT: in floats, and in its integer kernels."""

from pathlib import Path
from random import Random

import npu_opt
import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import MadeFor, to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.interpreter import run as interpret
from support.campaign import amount
from support.ir_text import parse
from support.oracles.litert_running import executed
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

INTEGERS = MadeFor("chip", integers_only=True)
FLOATS = MadeFor("chip")
MOST_WRONG = 1e-5
"""The share of pairs whose number lies so close to the middle of two integers that a factor 1 / scale decides."""


def joined(op: str, seed: int, element: str, sizes: tuple[str, str, str] = ("256x1", "1x256", "256x256")) -> ModuleOp:
    """An op on two arguments, with random scales and zero points."""
    random = Random(seed)
    scales = [2 ** random.uniform(-8, -4) for _ in range(2)]
    wanted = 2 ** random.uniform(0, 2) * (max(scales) if op == "quant_add" else 50 * scales[0] * scales[1])
    low = -128 if element == "i8" else 0
    zeros = [random.randrange(low, low + 256) for _ in range(3)]
    parameters = [
        f"%{name}s = npu.constant dense<{scale}> : tensor<f32>\n"
        f"%{name}z = npu.constant dense<{zero}> : tensor<{element}>\n"
        for name, scale, zero in zip("aby", (*scales, wanted), zeros, strict=True)
    ]
    lhs, rhs, result = (f"tensor<{size}x{element}>" for size in sizes)
    types = ", ".join([lhs, rhs, *[f"tensor<f32>, tensor<{element}>"] * 3])
    return parse(f"""func.func @main(%a: {lhs}, %b: {rhs}) -> {result} {{
      {"".join(parameters)}
      %y = npu.{op} %a, %b, %as, %az, %bs, %bz, %ys, %yz : ({types}) -> {result}
      func.return %y : {result}
    }}""")


@pytest.mark.parametrize("element", ["i8", "ui8"])
@pytest.mark.parametrize("op", ["quant_add", "quant_mul"])
def test_all_pairs_round_as_in_onnx(op: str, element: str):
    every = np.arange(256, dtype=np.uint8).view(np.int8 if element == "i8" else np.uint8)
    pairs = [every.reshape(256, 1), every.reshape(1, 256)]
    wrong = tried = 0
    for seed in range(amount(8, 300)):
        module = joined(op, seed, element)
        (expected,) = interpret(module, "main", pairs)
        (found,) = executed(packed(to_litert(module)), pairs)
        assert np.abs(found.astype(int) - expected).max() <= 1
        wrong, tried = wrong + np.count_nonzero(found != expected), tried + found.size
    assert wrong <= MOST_WRONG * tried


@pytest.mark.parametrize("op", ["quant_add", "quant_mul"])
def test_hardware_without_floats_gets_integer_kernels(op: str):
    module = joined(op, 0, "i8", ("4x1", "1x4", "4x4"))
    assert [node.kind for node in to_litert(module, made_for=INTEGERS).nodes] == [op.removeprefix("quant_").upper()]
    every = np.arange(256, dtype=np.uint8).view(np.int8)
    pairs = [every.reshape(256, 1), every.reshape(1, 256)]
    module = joined(op, 1, "i8")
    (found,) = executed(packed(to_litert(module, made_for=INTEGERS)), pairs)
    assert np.abs(found.astype(int) - interpret(module, "main", pairs)[0]).max() <= 1


@pytest.mark.parametrize("after", ["i8", "ui8"])
@pytest.mark.parametrize("before", ["i8", "ui8"])
def test_hardware_without_floats_quantises_again_at_once(before: str, after: str):
    """Integers with one scale and zero point become those with other ones, which may end before the range does."""
    module = parse(f"""func.func @main(%a: tensor<256x{before}>) -> tensor<256x{after}> {{
      %s = npu.constant dense<0.31> : tensor<f32>
      %z = npu.constant dense<17> : tensor<{before}>
      %t = npu.constant dense<0.23> : tensor<f32>
      %p = npu.constant dense<9> : tensor<{after}>
      %f = npu.dequantize %a, %s, %z : (tensor<256x{before}>, tensor<f32>, tensor<{before}>) -> tensor<256xf32>
      %y = npu.quantize %f, %t, %p : (tensor<256xf32>, tensor<f32>, tensor<{after}>) -> tensor<256x{after}>
      func.return %y : tensor<256x{after}>
    }}""")
    kinds = [{node.kind for node in to_litert(module, made_for=made).nodes} for made in (INTEGERS, FLOATS)]
    assert kinds == [{"QUANTIZE"}, {"DEQUANTIZE", "QUANTIZE"}]
    every = np.arange(256, dtype=np.uint8).view(np.int8 if before == "i8" else np.uint8)
    (expected,) = interpret(module, "main", [every])
    (found,) = executed(packed(to_litert(module, made_for=INTEGERS)), [every])
    assert np.abs(found.astype(int) - expected).max() <= 1
    assert np.count_nonzero(found != expected) <= 4


def test_integers_with_several_scales_are_dequantised():
    """LiteRT's kernel quantises only those with one scale again."""
    module = parse("""func.func @main(%a: tensor<4x2xi8>) -> tensor<4x2xi8> {
      %s = npu.constant dense<[0.3, 0.5]> : tensor<2xf32>
      %z = npu.constant dense<0> : tensor<2xi8>
      %t = npu.constant dense<0.2> : tensor<f32>
      %p = npu.constant dense<9> : tensor<i8>
      %f = npu.dequantize %a, %s, %z axis = 1 : (tensor<4x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<4x2xf32>
      %y = npu.quantize %f, %t, %p : (tensor<4x2xf32>, tensor<f32>, tensor<i8>) -> tensor<4x2xi8>
      func.return %y : tensor<4x2xi8>
    }""")
    assert [node.kind for node in to_litert(module, made_for=INTEGERS).nodes] == ["DEQUANTIZE", "QUANTIZE"]


def test_integer_kernels_take_four_axes():
    module = joined("quant_add", 0, "i8", ("2x1x2x1x2", "1x2x1x2x1", "2x2x2x2x2"))
    with pytest.raises(
        DiagnosticException, match="quant_add' of 5 axes has no counterpart in LiteRT's integer kernels"
    ):
        to_litert(module, made_for=INTEGERS)


def test_a_constant_is_dequantised_at_once():
    text = """func.func @main(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
      %c = npu.constant dense<[7, 8, 9]> : tensor<3xi8>
      %r = npu.reshape %c : (tensor<3xi8>) -> tensor<1x3xi8>
      %s = npu.constant dense<0.5> : tensor<f32>
      %z = npu.constant dense<3> : tensor<i8>
      %y = npu.quant_add %x, %r, %s, %z, %s, %z, %s, %z
        : (tensor<2x3xi8>, tensor<1x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>)
        -> tensor<2x3xi8>
      func.return %y : tensor<2x3xi8>
    }"""
    model = to_litert(parse(text))
    assert [node.kind for node in model.nodes] == ["DEQUANTIZE", "ADD", "QUANTIZE"]
    (found,) = executed(packed(model), [np.zeros((2, 3), np.int8)])
    np.testing.assert_array_equal(found, [[4, 5, 6]] * 2)


@pytest.mark.parametrize(("target", "computes_in_floats"), [("litert", True), ("ethos-u85", False)])
def test_a_saved_program_is_for_its_target(target: str, computes_in_floats: bool, tmp_path: Path):
    file = tmp_path / "model.tflite"
    npu_opt.optimize(joined("quant_add", 0, "i8", ("4x1", "1x4", "4x4")), target=target).save(file)
    assert ("npu.dequantize" in str(npu_opt.load(file).module)) is computes_in_floats


def test_floats_of_16_bits_are_dequantised_as_the_dialect_says():
    module = parse("""func.func @main(%x: tensor<2x3xi8>) -> tensor<2x3xf16> {
      %s = npu.constant dense<0.3> : tensor<f16>
      %z = npu.constant dense<5> : tensor<i8>
      %y = npu.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f16>, tensor<i8>) -> tensor<2x3xf16>
      func.return %y : tensor<2x3xf16>
    }""")
    numbers = np.array([[-128, -3, 0], [5, 77, 127]], np.int8)
    (found,) = executed(packed(to_litert(module)), [numbers])
    (expected,) = interpret(module, "main", [numbers])
    assert found.dtype == np.float16
    assert np.array_equal(found, expected)


def test_weights_without_a_form_in_i8_are_products_of_ui8():
    """Their numbers reach from -131 to 124 steps."""
    text = """func.func @main(%x: tensor<2x4xui8>) -> tensor<2x3xui8> {
      %w = npu.constant dense<[[0, 255, 131, 7], [90, 200, 3, 1], [255, 254, 0, 0]]> : tensor<3x4xui8>
      %s = npu.constant dense<0.5> : tensor<f32>
      %z = npu.constant dense<131> : tensor<ui8>
      %r = npu.constant dense<512.0> : tensor<f32>
      %y = npu.quant_matmul %x, %w, %s, %z, %s, %z, %r, %z trans_b
        : (tensor<2x4xui8>, tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>,
        tensor<ui8>) -> tensor<2x3xui8>
      func.return %y : tensor<2x3xui8>
    }"""
    module, x = parse(text), np.array([[0, 255, 9, 130], [17, 131, 132, 250]], np.uint8)
    model = to_litert(module)
    assert [node.kind for node in model.nodes] == ["FULLY_CONNECTED"]
    (found,), (expected,) = executed(packed(model), [x]), interpret(module, "main", [x])
    assert np.abs(found.astype(int) - expected).max() <= 1
