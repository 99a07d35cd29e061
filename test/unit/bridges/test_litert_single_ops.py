"""Single LiteRT ops with options, types and operands that readers have taken for what they are not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

import npu_opt
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.tools.run import run as run_model
from support.generators.lite_cases import Array, LiteCase, LiteTensor, Quantization
from support.oracles.lite_trials import LITERT, problems_of

F32: Array = (np.arange(24, dtype=np.float32) - 9.5).reshape(1, 2, 3, 4)


def given(array: Array, *unknown: int) -> LiteTensor:
    return LiteTensor(array, is_input=True, unknown=frozenset(unknown))


def const(numbers: Any, dtype: Any = np.int32) -> LiteTensor:
    return LiteTensor(np.array(numbers, dtype))


def result(dtype: Any = np.float32, shape: Sequence[int] = (1,), *unknown: int) -> LiteTensor:
    return LiteTensor(np.zeros(shape, dtype), unknown=frozenset(unknown))


WINDOW = {"padding": 1, "strideH": 1, "strideW": 1, "filterHeight": 2, "filterWidth": 2}
INTEGERS = F32.astype(np.int8)
SCALE = Quantization([0.5], [3])
KEPT: dict[str, LiteCase] = {
    "a softmax with a factor": LiteCase("SOFTMAX", "SoftmaxOptions", {"beta": 2.0}, [given(F32)], [result()]),
    "a condition that is repeated": LiteCase(
        "SELECT", "SelectOptions", {}, [given(np.array([True])), given(F32), given(-F32)], [result()]
    ),
    "floats as narrow integers": LiteCase("CAST", "CastOptions", {}, [given(F32)], [result(np.int8, F32.shape)]),
    "scales of another axis than that of the outputs": LiteCase(
        "CONV_2D",
        "Conv2DOptions",
        {"strideH": 1, "strideW": 1},
        [
            replace(given(INTEGERS), quantization=Quantization([1.0], [0])),
            LiteTensor(np.ones((4, 1, 1, 4), np.int8), quantization=Quantization([0.5, 0.25, 1.0, 2.0], [0] * 4, 3)),
            LiteTensor(np.zeros(4, np.int32), quantization=Quantization([0.5, 0.25, 1.0, 2.0], [0] * 4, 0)),
        ],
        [replace(result(np.int8, F32.shape), quantization=Quantization([1.0], [0]))],
        version=3,
    ),
    "a pool applies no TANH": LiteCase(
        "AVERAGE_POOL_2D", "Pool2DOptions", {**WINDOW, "fusedActivationFunction": 4}, [given(F32)], [result()]
    ),
    "a sum applies no TANH": LiteCase(
        "ADD", "AddOptions", {"fusedActivationFunction": 4}, [given(F32), given(F32)], [result()]
    ),
    "integers without a scale are not clipped": LiteCase(
        "MAX_POOL_2D", "Pool2DOptions", {**WINDOW, "fusedActivationFunction": 3}, [given(INTEGERS)], [result(np.int8)]
    ),
    "a concatenation applies no function": LiteCase(
        "CONCATENATION", "ConcatenationOptions", {"fusedActivationFunction": 1}, [given(F32), given(F32)], [result()]
    ),
    "products of integers without a scale": LiteCase(
        "BATCH_MATMUL", "BatchMatMulOptions", {"adjY": True}, [given(INTEGERS), given(INTEGERS)], [result(np.int8)]
    ),
    "places have the type of the option": LiteCase(
        "ARG_MAX", "ArgMaxOptions", {"outputType": 2}, [given(F32), const(3)], [result(np.int64)]
    ),
    "sizes have the type of the option": LiteCase(
        "SHAPE", "ShapeOptions", {"outType": 2}, [given(F32)], [result(np.int64)]
    ),
    "an unknown size may be 1": LiteCase(
        "SQUEEZE", "SqueezeOptions", {"squeezeDims": []}, [given(F32, 1)], [result(np.float32, (1, 3, 4), 0)]
    ),
    "weights that need their zero point": LiteCase(
        "FULLY_CONNECTED",
        "FullyConnectedOptions",
        {"keepNumDims": True},
        [
            replace(given(INTEGERS), quantization=Quantization([1.0], [0])),
            LiteTensor(np.arange(-8, 8, dtype=np.int8).reshape(4, 4), quantization=Quantization([0.5], [127])),
        ],
        [replace(result(np.int8, F32.shape), quantization=Quantization([1.0], [0]))],
        version=4,
    ),
    "zero points that some kernels do not read": LiteCase(
        "DEPTHWISE_CONV_2D",
        "DepthwiseConv2DOptions",
        {"strideH": 1, "strideW": 1, "depthMultiplier": 1},
        [
            replace(given(INTEGERS), quantization=Quantization([1.0], [0])),
            LiteTensor(np.ones((1, 1, 1, 4), np.int8), quantization=Quantization([0.5] * 4, [-3] * 4, 3)),
            LiteTensor(np.zeros(4, np.int32), quantization=Quantization([0.5] * 4, [0] * 4, 0)),
        ],
        [replace(result(np.int8, F32.shape), quantization=Quantization([1.0], [0]))],
        version=3,
    ),
    "a range that ends in the middle of two integers": LiteCase(
        "ADD",
        "AddOptions",
        {"fusedActivationFunction": 2},
        [replace(given(INTEGERS), quantization=SCALE)] * 2,
        [replace(result(np.int8, F32.shape), quantization=Quantization([2.0], [3]))],
        version=2,
    ),
    "pads are pairs": LiteCase(
        "PAD", "PadOptions", {}, [given(F32), const(np.ones((4, 1, 2)))], [result(np.float32, (3, 4, 5, 6))]
    ),
    "sizes are a list": LiteCase("RESHAPE", "ReshapeOptions", {"newShape": [24]}, [given(F32), const(24)], [result()]),
    "no list of sizes at all": LiteCase("RESHAPE", None, {}, [given(F32)], [result(np.float32, (24,))]),
    "a transposed convolution to another size than its window reaches": LiteCase(
        "TRANSPOSE_CONV",
        "TransposeConvOptions",
        {"padding": 1, "strideH": 1, "strideW": 1},
        [const([1, 2, 7, 4]), LiteTensor(np.ones((4, 1, 1, 4), np.float32)), given(F32)],
        [result(np.float32, (1, 2, 7, 4))],
    ),
    "no repeat at all": LiteCase(
        "TILE", "TileOptions", {}, [given(F32), const([1, 2, 0, 1])], [result(np.float32, (1, 4, 0, 4))]
    ),
    "an axis that is known at run time only": LiteCase(
        "EXPAND_DIMS",
        "ExpandDimsOptions",
        {},
        [given(F32[0]), replace(const(0), is_input=True)],
        [result(np.float32, (2, 3, 4, 1))],
    ),
    "an order of axes in 64 bits": LiteCase(
        "TRANSPOSE",
        "TransposeOptions",
        {},
        [given(F32[0]), const([-3, 2, 1], np.int64)],
        [result(np.float32, (2, 4, 3))],
    ),
    "integers with several scales as others": LiteCase(
        "QUANTIZE",
        "QuantizeOptions",
        {},
        [replace(given(INTEGERS), quantization=Quantization([0.5, 0.25, 0.125], [0, 0, 0], 2))],
        [replace(result(np.int8, F32.shape), quantization=SCALE)],
    ),
    "integers as others with several scales": LiteCase(
        "QUANTIZE",
        "QuantizeOptions",
        {},
        [replace(given(INTEGERS), quantization=SCALE)],
        [replace(result(np.int8, F32.shape), quantization=Quantization([0.5, 0.25, 0.125], [0, 0, 0], 2))],
    ),
    "a sum in another type than its terms": LiteCase(
        "ADD",
        "AddOptions",
        {},
        [replace(given(INTEGERS.astype(np.uint8)), quantization=SCALE)] * 2,
        [replace(result(np.int8, F32.shape), quantization=SCALE)],
    ),
    "parts of several ranks": LiteCase(
        "PACK",
        "PackOptions",
        {"valuesCount": 2},
        [given(F32[0], 1), LiteTensor(F32)],
        [result(np.float32, (1, 1, 2, 3, 4), 0, 3)],
    ),
    "an element whose axes are left out": LiteCase(
        "MUL",
        "MulOptions",
        {"fusedActivationFunction": 2},
        [
            replace(given(np.arange(3, dtype=np.int8)), quantization=SCALE),
            replace(const([[4]], np.int8), quantization=SCALE),
        ],
        [replace(result(np.int8, (1, 3)), quantization=SCALE)],
        version=2,
    ),
    "an axis beside a single scale, which the result does not have": LiteCase(
        "REDUCE_MAX",
        "ReducerOptions",
        {"keepDims": False},
        [given(INTEGERS.astype(np.int32)), const([0, -1])],
        [replace(result(np.int32, (1, 2, 1, 1)), quantization=Quantization([0.5], [0], 3))],
    ),
    "a transposed convolution to a size that is known at run time only": LiteCase(
        "TRANSPOSE_CONV",
        "TransposeConvOptions",
        {"strideH": 1, "strideW": 1},
        [replace(const([1, 2, 3, 4]), is_input=True), LiteTensor(np.ones((4, 1, 1, 4), np.float32)), given(F32)],
        [result(np.float32, F32.shape, 0, 1, 2, 3)],
    ),
    "an activation function in options of another op": LiteCase(
        "MINIMUM",
        "ConcatenationOptions",
        {"fusedActivationFunction": 1},
        [given(F32), given(F32 / 2)],
        [result(np.float32, F32.shape)],
    ),
    "halves as whole numbers": LiteCase(
        "DEQUANTIZE",
        "DequantizeOptions",
        {},
        [given(F32.astype(np.float16))],
        [result(np.int64, F32.shape)],
        version=2,
    ),
    "an axis that is added to a result of more axes": LiteCase(
        "EXPAND_DIMS", "ExpandDimsOptions", {}, [given(F32[0, 0, 0]), const(3)], [result(np.float32, (4, 1, 2), 1)]
    ),
    "a sum over no axes": LiteCase(
        "SUM", "ReducerOptions", {"keepDims": True}, [given(F32), const([])], [result(np.float32, F32.shape)]
    ),
}
READ: dict[str, LiteCase] = {
    "a product with columns as rows": LiteCase(
        "BATCH_MATMUL", "BatchMatMulOptions", {"adjY": True}, [given(F32), given(F32[:, :, :2].copy())], [result()]
    ),
    "a window of unequal sides": LiteCase(
        "AVERAGE_POOL_2D",
        "Pool2DOptions",
        {"padding": 1, "strideH": 1, "strideW": 1, "filterHeight": 2, "filterWidth": 1},
        [given(F32)],
        [result()],
    ),
    "SAME of an odd number that is cut off": LiteCase(
        "TRANSPOSE_CONV",
        "TransposeConvOptions",
        {"padding": 0, "strideH": 1, "strideW": 1},
        [const([1, 2, 3, 1]), LiteTensor(F32[:, :, :2, :].copy()), given(F32)],
        [result()],
    ),
    "pads of quantised numbers": LiteCase(
        "PAD",
        "PadOptions",
        {},
        [replace(given(INTEGERS), quantization=SCALE), const([[0, 0], [1, 0], [0, 2], [0, 0]])],
        [replace(result(np.int8), quantization=SCALE)],
    ),
    "an axis counted from the last one": LiteCase(
        "ARG_MAX", "ArgMaxOptions", {"outputType": 2}, [given(F32), const(-2)], [result(np.int32)]
    ),
    "a dropped axis counted from the last one": LiteCase(
        "SQUEEZE", "SqueezeOptions", {"squeezeDims": [-3]}, [given(F32[:, :1])], [result()]
    ),
    "an axis that is named twice": LiteCase("SUM", "ReducerOptions", {}, [given(F32), const([2, -2, 2])], [result()]),
    "a sum of those before": LiteCase(
        "CUMSUM", "CumsumOptions", {"exclusive": True}, [given(F32), const(1)], [result()]
    ),
    "a remainder of negative numbers": LiteCase(
        "FLOOR_MOD", "FloorModOptions", {}, [given(F32), const(3, np.float32)], [result()]
    ),
    "positions that are products": LiteCase(
        "RESIZE_BILINEAR", "ResizeBilinearOptions", {}, [given(F32), const([4, 3])], [result()], version=3
    ),
    "squares of neighbours": LiteCase(
        "LOCAL_RESPONSE_NORMALIZATION",
        "LocalResponseNormalizationOptions",
        {"radius": 1, "bias": 1.0, "alpha": 0.25, "beta": 0.5},
        [given(F32)],
        [result()],
    ),
    "a bound between two quantised numbers": LiteCase(
        "ADD",
        "AddOptions",
        {"fusedActivationFunction": 3},
        [replace(given(INTEGERS), quantization=Quantization([1.0], [0]))] * 2,
        [replace(result(np.int8, F32.shape), quantization=Quantization([0.7], [0]))],
    ),
    "rows of one axis": LiteCase(
        "FULLY_CONNECTED",
        "FullyConnectedOptions",
        {"keepNumDims": True},
        [given(F32.reshape(24)), LiteTensor(np.ones((2, 24), np.float32))],
        [result()],
    ),
    "powers of integers": LiteCase(
        "POW",
        "PowOptions",
        {},
        [given(np.array([1, 2, 3], np.int32)), given(np.array([3, 2, 0], np.int32))],
        [result(np.int32)],
    ),
    "a slope larger than the data": LiteCase(
        "PRELU", None, {}, [given(F32[:, :1]), LiteTensor(F32[0] / 4)], [result(np.float32, F32.shape)]
    ),
    "a slope of more axes than the data": LiteCase(
        "PRELU", None, {}, [given(F32[0, 0, 0, :1]), LiteTensor(F32[0, 0, :1, :1] / 4)], [result(np.float32, (1, 1))]
    ),
    "an unknown size that is one beside axes that are too many": LiteCase(
        "ADD",
        "AddOptions",
        {},
        [given(F32[:, :1, :1, :1], 0, 2, 3), LiteTensor(F32.reshape(1, 1, 2, 3, 4))],
        [result(np.float32, (1, 1, 2, 3, 4), 1)],
    ),
    "bytes as booleans": LiteCase(
        "CAST", "CastOptions", {}, [given(np.array([0, 1, 2, 255], np.uint8))], [result(np.bool_)]
    ),
    "halves": LiteCase("DEQUANTIZE", "DequantizeOptions", {}, [given(F32.astype(np.float16))], [result()], version=2),
    "an end of unknown size": LiteCase(
        "SLICE",
        "SliceOptions",
        {},
        [given(F32, 1, 2), const([0, 1, 1, 0]), const([1, -1, 2, 4])],
        [result(np.float32, (1, 1, 2, 4), 1, 2)],
    ),
    "a resize of booleans": LiteCase(
        "RESIZE_NEAREST_NEIGHBOR",
        "ResizeNearestNeighborOptions",
        {"alignCorners": True},
        [given(F32 > 1), const([3, 5])],
        [result(np.bool_)],
        version=3,
    ),
    "sizes of a resize whose result is called unknown": LiteCase(
        "RESIZE_BILINEAR",
        "ResizeBilinearOptions",
        {"halfPixelCenters": True},
        [given(F32, 1), const([4, 3])],
        [result(np.float32, (1, 4, 3, 4), 1, 2)],
        version=3,
    ),
    "unknown sizes that another part knows": LiteCase(
        "PACK",
        "PackOptions",
        {"valuesCount": 2},
        [given(F32, 1), LiteTensor(F32)],
        [result(np.float32, (2, 1, 2, 3, 4), 2)],
    ),
    "a bias of unknown size": LiteCase(
        "CONV_2D",
        "Conv2DOptions",
        {"strideH": 1, "strideW": 1},
        [given(F32), LiteTensor(np.ones((2, 1, 1, 4), np.float32)), given(np.array([0.5, 2], np.float32), 0)],
        [result(np.float32, (1, 2, 3, 2))],
    ),
    "a concatenation of one": LiteCase("CONCATENATION", "ConcatenationOptions", {"axis": 1}, [given(F32)], [result()]),
    "a known size beside an unknown one": LiteCase(
        "ADD",
        "AddOptions",
        {"fusedActivationFunction": 2},
        [given(F32.astype(np.int32), 3), const([1, 2, 3, 4])],
        [result(np.int32, F32.shape, 3)],
    ),
}
CHANNELS = Quantization([0.5, 0.25, 0.125], [0, 3, 128], 2)
SINGLE: dict[str, LiteCase] = {
    "PACK": LiteCase(
        "PACK", "PackOptions", {"valuesCount": 3, "axis": 2}, [given(F32), LiteTensor(F32), given(F32 + 1)], [result()]
    ),
    "UNPACK": LiteCase("UNPACK", "UnpackOptions", {"num": 3, "axis": -2}, [given(F32)], [result()] * 3),
    "REVERSE_V2": LiteCase("REVERSE_V2", "ReverseV2Options", {}, [given(F32), const([1, 2])], [result()]),
    "QUANTIZE": LiteCase(
        "QUANTIZE",
        "QuantizeOptions",
        {},
        [given(F32 / 7)],
        [replace(result(np.uint8, F32.shape), quantization=CHANNELS)],
    ),
    "DEQUANTIZE": LiteCase(
        "DEQUANTIZE",
        "DequantizeOptions",
        {},
        [replace(given(INTEGERS.astype(np.uint8)), quantization=CHANNELS)],
        [result()],
        version=2,
    ),
    "MUL": LiteCase(
        "MUL",
        "MulOptions",
        {"fusedActivationFunction": 1},
        [given(INTEGERS.astype(np.int32)), const([[[2]]])],
        [result(np.int32)],
    ),
    "SUB": LiteCase(
        "SUB",
        "SubOptions",
        {"fusedActivationFunction": 2},
        [given(INTEGERS.astype(np.int64)), const([[[2]]], np.int64)],
        [result(np.int64)],
    ),
    "ADD": LiteCase(
        "ADD",
        "AddOptions",
        {},
        [replace(given(INTEGERS.reshape(size)), quantization=SCALE) for size in ((2, 3, 1, 2, 2), (2, 3, 2, 2, 1))],
        [replace(result(np.int8), quantization=SCALE)],
        version=2,
    ),
}
"""Ops that are several of the dialect, apply a function to integers, or have more axes than it writes otherwise."""
DOUBLES = {
    "EXPAND_DIMS": ("ExpandDimsOptions", [const(0)]),
    "RESHAPE": ("ReshapeOptions", [const([4, 6])]),
    "SLICE": ("SliceOptions", [const([0, 1, 0, 0]), const([1, 1, 3, 4])]),
    "STRIDED_SLICE": ("StridedSliceOptions", [const([0, 1, 0, 0]), const([1, 2, 3, 4]), const([1, 1, 2, 1])]),
    "TILE": ("TileOptions", [const([1, 2, 1, 1])]),
    "TRANSPOSE": ("TransposeOptions", [const([0, 2, 1, 3])]),
}


def checked(case: LiteCase, folder: Path) -> Counter[str]:
    """The counts of a case that LiteRT runs, whose result has the stated shape if that is not a placeholder."""
    outputs = LITERT.run(case.model(), case.inputs)
    assert outputs is not None
    case = case if case.results[0].unknown else case.with_results(outputs)
    tally = Counter[str]()
    assert problems_of(case, outputs, case, folder, tally) == []
    return tally


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT)
def test_ops_that_stay(case: LiteCase, tmp_path: Path):
    if LITERT.run(case.model(), case.inputs) is not None:
        assert checked(case, tmp_path)["kept"]
    assert "npu.opaque" in _text(case, tmp_path)


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_ops_that_are_read(case: LiteCase, tmp_path: Path):
    assert checked(case, tmp_path)["written: proved"]
    assert "npu.opaque" not in _text(case, tmp_path)


@pytest.mark.parametrize("kind", SINGLE)
def test_ops_leave_as_they_came(kind: str, tmp_path: Path):
    assert checked(SINGLE[kind], tmp_path)["written: proved"]
    assert [node.kind for node in read_file(tmp_path / "again.tflite").graphs[0].operators] == [kind]


@pytest.mark.parametrize("is_quantised", [False, True])
def test_constants_keep_their_names(is_quantised: bool, tmp_path: Path):
    """Weights and bias are read in another order, or with other scales, than they are written."""
    weights, bias = const(np.arange(8).reshape(2, 1, 1, 4), np.int8), const([3, 4])
    operands = [replace(given(INTEGERS), quantization=SCALE), weights, bias]
    numbers = [SCALE, Quantization([0.5, 0.25], [0, 0], 0), Quantization([0.25, 0.125], [0, 0], 0)]
    case = LiteCase(
        "CONV_2D",
        "Conv2DOptions",
        {"strideH": 1, "strideW": 1},
        [replace(each, quantization=of) for each, of in zip(operands, numbers, strict=True)],
        [replace(result(np.int8), quantization=SCALE)],
        version=3,
    )
    if not is_quantised:
        floats = [replace(each, data=each.data.astype(np.float32)) for each in operands]
        case = replace(case, operands=[replace(each, quantization=None) for each in floats], results=[result()])
    assert checked(case, tmp_path)["written: proved"]
    written = read_file(tmp_path / "again.tflite").graphs[0]
    assert sorted(each.name for each in written.tensors) == ["t0", "t1", "t2", "t3"]


@pytest.mark.parametrize("kind", DOUBLES)
def test_doubles_are_moved(kind: str, tmp_path: Path):
    options, operands = DOUBLES[kind]
    shape = (1, 1, 3, 4) if kind == "SLICE" else (1,)
    case = LiteCase(kind, options, {}, [given(F32.astype(np.float64)), *operands], [result(np.float64, shape)])
    assert checked(case, tmp_path)["written: proved"]


COMPLEX: Array = (np.arange(6, dtype=np.complex64) * (1 - 2j)).reshape(2, 3)


@pytest.mark.parametrize(
    "case",
    [
        LiteCase("COMPLEX_ABS", None, {}, [given(COMPLEX)], [result(np.float32, (2, 3))]),
        LiteCase("COMPLEX_ABS", None, {}, [LiteTensor(COMPLEX)], [result(np.float32, (2, 3))]),
        LiteCase("RESHAPE", "ReshapeOptions", {}, [given(COMPLEX), const([3, 2])], [result(np.complex64, (3, 2))]),
    ],
    ids=lambda case: case.kind,
)
def test_ops_on_complex_numbers_stay(case: LiteCase, tmp_path: Path):
    assert 'tensor<2x3x!npu.opaque<"complex64">>' in _text(case, tmp_path)
    file, out = tmp_path / "complex.tflite", tmp_path / "out.tflite"
    file.write_bytes(case.model())
    npu_opt.optimize(file, target="litert").save(out)
    assert npu_opt.check(file, out).word == "proved"
    expected, found = (LITERT.run(each.read_bytes(), case.inputs) for each in (file, out))
    assert expected is not None
    assert found is not None
    np.testing.assert_array_equal(found[0], expected[0])


def test_what_is_kept_has_elements_whatever_the_file_states(tmp_path: Path):
    """Two ops of which nothing is known are not equal because files state results without elements."""
    bounds = [const([0, 0, 0, 0]), const([1, 2, 3, 4]), const([1, 1, 1, 1])]
    operands, stated = [given(F32), *bounds], [result(np.float32, (1, 0, 3))]
    first, second = (
        LiteCase("STRIDED_SLICE", "StridedSliceOptions", {"newAxisMask": m}, operands, stated) for m in (1, 2)
    )
    tally = Counter[str]()
    assert problems_of(first, [np.zeros((1, 0, 3), np.float32)], second, tmp_path, tally) == []
    assert tally["changed: undecided"]


ROWS: Array = np.arange(12, dtype=np.float32).reshape(3, 4)
PLACES = np.array([[1], [2], [0]], np.int32)
INDEXED: dict[str, tuple[str | None, dict[str, int], list[LiteTensor]]] = {
    "GATHER": ("GatherOptions", {}, [given(ROWS), given(PLACES)]),
    "GATHER of batches": ("GatherOptions", {"axis": 1, "batchDims": 1}, [given(ROWS), given(PLACES)]),
    "GATHER of unknown sizes": ("GatherOptions", {}, [given(ROWS, 1), given(PLACES, 0)]),
    "GATHER_ND": ("GatherNdOptions", {}, [given(ROWS), given(PLACES)]),
    "EMBEDDING_LOOKUP": (None, {}, [given(PLACES[:, 0]), given(ROWS)]),
}


@pytest.mark.parametrize("kind", INDEXED)
def test_indices_that_are_made_up_are_in_range(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """LiteRT refuses others, negative ones as well."""
    options, values, operands = INDEXED[kind]
    case = LiteCase(kind.split()[0], options, values, operands, [result()])
    outputs = LITERT.run(case.model(), case.inputs)
    assert outputs is not None
    file = tmp_path / "model.tflite"
    file.write_bytes(case.with_results(outputs).model())
    for seed in range(4):
        assert run_model([str(file), "--random", f"--seed={seed}"]) == 0, capsys.readouterr().err


def test_scales_have_to_fit_the_shape_at_run_time(tmp_path: Path):
    scales = Quantization([1.0, 2.0], [0, 0], 1)
    stated = replace(result(np.int8, (2, 2)), quantization=scales)
    operands = [given(INTEGERS.reshape(1, 3, 2, 4)), const([0])]
    case = LiteCase("REVERSE_V2", "ReverseV2Options", {}, operands, [stated])
    with pytest.raises(LiteRtError, match="'t2' has 2 scales along axis 1 of 1x3x2x4"):
        _text(case, tmp_path)


def _text(case: LiteCase, folder: Path) -> str:
    file = folder / "model.tflite"
    file.write_bytes(case.model())
    return str(import_model(file).module)


def test_a_bound_is_the_nearer_of_two_quantised_numbers(tmp_path: Path):
    """6 is 8.57 steps."""
    assert "max = 9.0" in _text(READ["a bound between two quantised numbers"], tmp_path)
