"""Quantised numbers in LiteRT that round as in ONNX Runtime."""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

import onnx
from npu_opt.bridges.litert.exporting import MadeFor, to_litert
from npu_opt.bridges.litert.exporting.elements import LiteElement
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.exporting.rounded_sums import EightBits, Offsets, rounding_offsets
from npu_opt.interpreter import run as interpret
from support.campaign import amount
from support.ir_text import parse
from support.oracles.litert_running import executed
from support.oracles.onnx_running import executed as in_onnx_runtime
from xdsl.dialects.builtin import ModuleOp

Bytes = npt.NDArray[Any]
INTEGERS = MadeFor("chip", integers_only=True)
EVERY = np.arange(-128, 128).astype(np.int8)
AS_BYTES = {LiteElement.I8: ("i8", "INT8"), LiteElement.U8: ("ui8", "UINT8")}
MOST_WRONG = 2e-6
"""The share of pairs that no offsets turn around."""

OF_RESNET = [
    ((0.01046986, -7), (0.015181579, -128), (0.016263591, -128)),
    ((0.012298005, -5), (0.016263591, -128), (0.017596157, -128)),
    ((0.005173691, -3), (0.009637949, -128), (0.009162549, -128)),
]
"""The scales and zero points of three sums of resnet50_qlinear."""
BOTH = [(0.009364795871078968, -91), (0.002834963845089078, -80), (0.018425721675157547, 59)]
"""The scales and zero points of a sum for which no single offset is enough."""


def steps(numbers: tuple[float, int], element: LiteElement = LiteElement.I8) -> EightBits:
    return EightBits(float(np.float32(numbers[0])), numbers[1], element)


def constants(**numbers: EightBits) -> str:
    return "\n".join(
        f"%{name}s = npu.constant dense<{each.scale}> : tensor<f32>\n"
        f"%{name}z = npu.constant dense<{each.zero_point}> : tensor<{AS_BYTES[each.element][0]}>"
        for name, each in numbers.items()
    )


def sum_of_all_pairs(lhs: EightBits, rhs: EightBits, result: EightBits) -> ModuleOp:
    element = AS_BYTES[lhs.element][0]
    types = f"tensor<256x1x{element}>, tensor<1x256x{element}>" + f", tensor<f32>, tensor<{element}>" * 3
    all_pairs = f"tensor<256x256x{element}>"
    return parse(f"""func.func @main(%a: tensor<256x1x{element}>, %b: tensor<1x256x{element}>) -> {all_pairs} {{
      {constants(a=lhs, b=rhs, y=result)}
      %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz : ({types}) -> {all_pairs}
      func.return %y : {all_pairs}
    }}""")


def of_onnx_runtime(op: str, inputs: list[Bytes], *numbers: EightBits) -> Bytes:
    """The result of an op of ONNX Runtime on quantised numbers."""
    element = AS_BYTES[numbers[0].element][1]
    parameters = [
        f"float s{i} = {{{each.scale}}}, {element.lower()} z{i} = {{{each.zero_point}}}"
        for i, each in enumerate(numbers)
    ]
    names = [f"x{i}, s{i}, z{i}" for i in range(len(inputs))] + [f"s{len(inputs)}, z{len(inputs)}"]
    given = ", ".join(f"{element.lower()}[{','.join(map(str, x.shape))}] x{i}" for i, x in enumerate(inputs))
    text = f"""<ir_version: 9, opset_import: ["" : 17, "com.microsoft" : 1]>
      g ({given}) => ({element.lower()}[{",".join("abcd"[: inputs[0].ndim])}] y) <{", ".join(parameters)}> {{
      y = com.microsoft.{op} ({", ".join(names)}) }}"""
    return in_onnx_runtime(onnx.parser.parse_model(text), inputs)[0]


def sums_in_both(lhs: EightBits, rhs: EightBits, result: EightBits) -> tuple[Bytes, Bytes]:
    """All sums in LiteRT, and in ONNX Runtime."""
    every = EVERY if lhs.element == LiteElement.I8 else EVERY.view(np.uint8)
    pairs = [every.reshape(256, 1), every.reshape(1, 256)]
    (found,) = executed(packed(to_litert(sum_of_all_pairs(lhs, rhs, result))), pairs)
    whole = [np.repeat(every, 256).reshape(256, 256), np.tile(every, 256).reshape(256, 256)]
    return found, of_onnx_runtime("QLinearAdd", whole, lhs, rhs, result)


@pytest.mark.parametrize("numbers", OF_RESNET)
def test_sums_are_those_of_onnx_runtime(numbers: tuple[tuple[float, int], ...]):
    lhs, rhs, result = map(steps, numbers)
    found, wanted = sums_in_both(lhs, rhs, result)
    np.testing.assert_array_equal(found, wanted)
    in_floats = (result.quantised(lhs.dequantised()[:, None] + rhs.dequantised()) != wanted).sum()
    assert in_floats in (1, 2), "without offsets they are not"
    kinds = [node.kind for node in to_litert(sum_of_all_pairs(lhs, rhs, result)).nodes]
    assert sorted(kinds) == ["ADD", "ADD", "DEQUANTIZE", "DEQUANTIZE", "QUANTIZE", "SUB"]


@pytest.mark.parametrize("element", AS_BYTES)
def test_random_sums_are_those_of_onnx_runtime(element: LiteElement):
    wrong = tried = 0
    for seed in range(amount(10, 400)):
        random = Random(seed)
        low = -128 if element == LiteElement.I8 else 0
        scales = [10 ** random.uniform(-3, 0) for _ in range(2)]
        scales.append(max(scales) * 2 ** random.uniform(0, 1.5))
        lhs, rhs, result = (steps((scale, random.randrange(low, low + 256)), element) for scale in scales)
        found, wanted = sums_in_both(lhs, rhs, result)
        assert np.abs(found.astype(int) - wanted).max() <= 1
        wrong, tried = wrong + np.count_nonzero(found != wanted), tried + found.size
    assert wrong <= MOST_WRONG * tried


def test_sums_in_the_middle_are_those_of_onnx():
    lhs, rhs, result = steps((0.5, 3)), steps((0.25, 3)), steps((0.5, 3))
    assert rounding_offsets(lhs, rhs, result) == Offsets()
    pairs = [EVERY.reshape(256, 1), EVERY.reshape(1, 256)]
    module = sum_of_all_pairs(lhs, rhs, result)
    np.testing.assert_array_equal(executed(packed(to_litert(module)), pairs)[0], interpret(module, "main", pairs)[0])


@pytest.mark.parametrize("scales", [(0.1, 0.1, 0.2), (0.0123, 0.0123, 0.0246)])
def test_no_offsets_are_looked_for_where_half_of_the_sums_are_in_the_middle(scales: tuple[float, float, float]):
    lhs, rhs, result = (steps((scale, 0)) for scale in scales)
    assert rounding_offsets(lhs, rhs, result) == Offsets()
    found, wanted = sums_in_both(lhs, rhs, result)
    assert np.abs(found.astype(int) - wanted).max() == 1
    in_steps = np.add.outer(EVERY.astype(int), EVERY.astype(int))
    assert not np.any((found != wanted) & (in_steps % 2 == 0)), "f32 decides those in the middle alone"


def test_both_summands_may_be_rounded():
    lhs, rhs, result = steps(BOTH[0]), steps(BOTH[1]), steps(BOTH[2])
    offsets = rounding_offsets(lhs, rhs, result)
    assert all(offsets)
    np.testing.assert_array_equal(*sums_in_both(lhs, rhs, result))


def test_a_constant_summand_is_rounded_in_the_file():
    lhs, rhs, result = map(steps, OF_RESNET[0])
    assert rounding_offsets(lhs, rhs, result).lhs
    types = f"tensor<256x1xi8>, tensor<1x256xi8>{', tensor<f32>, tensor<i8>' * 3}"
    module = parse(f"""func.func @main(%b: tensor<1x256xi8>) -> tensor<256x256xi8> {{
      {constants(a=lhs, b=rhs, y=result)}
      %a = npu.constant dense<{EVERY.reshape(256, 1).tolist()}> : tensor<256x1xi8>
      %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz : ({types}) -> tensor<256x256xi8>
      func.return %y : tensor<256x256xi8>
    }}""")
    assert kinds_of(module) == ["DEQUANTIZE", "ADD", "QUANTIZE"]
    (found,) = executed(packed(to_litert(module)), [EVERY.reshape(1, 256)])
    np.testing.assert_array_equal(found, sums_in_both(lhs, rhs, result)[1])


@pytest.mark.parametrize("scales", [(1e-38, 1e-38, 1e38), (1e38, 1e38, 1e-38), (1e38, 1e-38, 1.0), (0.0, 1.0, 1.0)])
def test_no_offsets_belong_to_unusual_scales(scales: tuple[float, float, float]):
    assert rounding_offsets(*(steps((scale, 0)) for scale in scales)) == Offsets()


@pytest.mark.parametrize(
    "scales", [(2.0**99, 2.0**99, 2.0**-99), (2.0**-99, 2.0**-99, 2.0**99), (2.0**99, 2.0**-99, 1.0)]
)
def test_scales_that_are_far_apart_have_sums_as_well(scales: tuple[float, float, float]):
    assert np.isfinite(rounding_offsets(*(steps((scale, 0)) for scale in scales))).all()


def quantised(scale: float, before: str = "", given: str = "%x") -> ModuleOp:
    return parse(f"""func.func @main(%x: tensor<1x512xf32>) -> tensor<1x512xi8> {{
      {constants(y=steps((scale, -9)))}
      {before}
      %y = npu.quantize {given}, %ys, %yz : (tensor<1x512xf32>, tensor<f32>, tensor<i8>) -> tensor<1x512xi8>
      func.return %y : tensor<1x512xi8>
    }}""")


def kinds_of(module: ModuleOp, made_for: MadeFor | None = None) -> list[str]:
    made = to_litert(module) if made_for is None else to_litert(module, made_for=made_for)
    return [node.kind for node in made.nodes]


def test_inputs_are_divided_by_the_scale():
    scale = np.float32(0.0366808586)
    middles = (np.arange(-200, 200) + 0.5) * np.float64(scale)
    near = np.stack(
        [np.nextafter(middles.astype(np.float32), np.float32(side)) for side in (-np.inf, 0, np.inf)]
    ).ravel()
    by_factor = np.rint(near * (np.float32(1) / scale))
    unlike = near[by_factor != np.rint(near / scale)]
    assert 10 < unlike.size <= 512, "the factor decides otherwise"
    x = np.resize(unlike, (1, 512))
    module = quantised(float(scale))
    assert kinds_of(module) == ["DIV", "ROUND", "MUL", "QUANTIZE"]
    np.testing.assert_array_equal(executed(packed(to_litert(module)), [x])[0], interpret(module, "main", [x])[0])


def test_other_numbers_are_only_quantised():
    relu = "%f = npu.relu %x : tensor<1x512xf32>"
    assert kinds_of(quantised(0.3, relu, "%f")) == ["RELU", "QUANTIZE"]
    assert kinds_of(quantised(0.25)) == ["QUANTIZE"], "a product with 4 is exact"
    assert kinds_of(quantised(0.3), INTEGERS) == ["QUANTIZE"]


@pytest.mark.parametrize("zeros", [(-128, -128), (11, -70)])
def test_means_are_those_of_onnx_runtime(zeros: tuple[int, int]):
    given, result = steps((0.0079173, zeros[0])), steps((0.0061047, zeros[1]))
    sums = np.arange(-128 * 49, 127 * 49 + 1)
    rows = np.arange(49)[:, None] < (sums % 49)
    images = (sums // 49 + rows).astype(np.int8).reshape(1, 7, 7, sums.size)
    mean = f"tensor<1x1x1x{sums.size}xi8>"
    module = parse(f"""func.func @main(%x: tensor<1x7x7x{sums.size}xi8>) -> {mean} {{
      {constants(x=given, y=result)}
      %y = npu.quant_global_avg_pool %x, %xs, %xz, %ys, %yz data_layout = <NHWC>
        : (tensor<1x7x7x{sums.size}xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> {mean}
      func.return %y : {mean}
    }}""")
    assert kinds_of(module) == ["MEAN"]
    wanted = of_onnx_runtime(
        "QLinearGlobalAveragePool", [np.ascontiguousarray(images.transpose(0, 3, 1, 2))], given, result
    )
    (found,) = executed(packed(to_litert(module)), [images])
    np.testing.assert_array_equal(found.ravel(), wanted.ravel())
