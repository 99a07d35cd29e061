"""Random valid LiteRT ops that the importer keeps as they are."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from .lite_cases import Array, LiteCase, LiteTensor
from .lite_families import FAMILIES, Family

KEPT_FAMILIES: dict[str, Family] = {}


def _family(*kinds: str) -> Callable[[Callable[[str, Random], LiteCase]], Callable[[str, Random], LiteCase]]:
    def enter(function: Callable[[str, Random], LiteCase]) -> Callable[[str, Random], LiteCase]:
        for kind in kinds:
            FAMILIES[kind] = KEPT_FAMILIES[kind] = lambda rng, kind=kind: function(kind, rng)
        return function

    return enter


def _shape(rng: Random, low: int = 0) -> list[int]:
    return [rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(low, 4))]


def _floats(rng: Random, shape: Sequence[int], low: int = -3, high: int = 3) -> Array:
    return np.array(np.random.default_rng(rng.randrange(1 << 30)).integers(8 * low, 8 * high, shape) / 8, np.float32)


def _ints(rng: Random, shape: Sequence[int], dtype: Any = np.int32, low: int = -9, high: int = 9) -> Array:
    return np.array(np.random.default_rng(rng.randrange(1 << 30)).integers(low, high + 1, shape), dtype)


def _of(rng: Random, shape: Sequence[int], dtype: str) -> Array:
    return _floats(rng, shape) if dtype == "float32" else _ints(rng, shape, dtype)


def _input(array: Array) -> LiteTensor:
    return LiteTensor(array, is_input=True)


def _constant(numbers: Any, dtype: Any = np.int32) -> LiteTensor:
    return LiteTensor(np.array(numbers, dtype))


def _result(dtype: Any) -> LiteTensor:
    return LiteTensor(np.zeros((1,), dtype))


def _case(
    kind: str,
    options: str | None,
    values: Mapping[str, Any],
    operands: Sequence[LiteTensor | None],
    *results: LiteTensor,
) -> LiteCase:
    return LiteCase(kind, options, values, operands, results)


SCALES = np.array([-1.5, 0.0, 0.5, 2.0], np.float32)


def _complex(rng: Random, shape: list[int]) -> LiteTensor:
    return _input((_floats(rng, shape) + 1j * _floats(rng, shape)).astype(np.complex64))


@_family("COMPLEX_ABS", "IMAG", "REAL")
def parts(kind: str, rng: Random) -> LiteCase:
    return _case(kind, None, {}, [_complex(rng, _shape(rng, 1))], _result("float32"))


@_family("RFFT2D")
def spectrum(kind: str, rng: Random) -> LiteCase:
    sizes = [rng.choice((2, 4, 8)), rng.choice((4, 8))]
    operands = [_input(_floats(rng, [2, *sizes])), _constant(sizes)]
    return _case(kind, "Rfft2dOptions", {}, operands, _result("complex64"))


@_family("ATAN2")
def angle(kind: str, rng: Random) -> LiteCase:
    shape = _shape(rng)
    return _case(kind, "ATan2Options", {}, [_input(_floats(rng, shape)) for _ in range(2)], _result("float32"))


@_family("BITWISE_XOR", "RIGHT_SHIFT")
def bits(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1), rng.choice(("int8", "int16", "int32"))
    options = {"BITWISE_XOR": "BitwiseXorOptions", "RIGHT_SHIFT": "RightShiftOptions"}[kind]
    operands = [_input(_of(rng, shape, dtype)), _input(_ints(rng, shape, dtype, 0, 5))]
    return _case(kind, options, {}, operands, _result(dtype))


@_family("BITCAST")
def bitcast(kind: str, rng: Random) -> LiteCase:
    x = _input(_floats(rng, _shape(rng)))
    return _case(kind, "BitcastOptions", {}, [x], _result("int32"))


@_family("BUCKETIZE")
def buckets(kind: str, rng: Random) -> LiteCase:
    x = _input(_floats(rng, _shape(rng)))
    return _case(kind, "BucketizeOptions", {"boundaries": SCALES}, [x], _result("int32"))


@_family("FAKE_QUANT")
def rounded(kind: str, rng: Random) -> LiteCase:
    values = {"min": -2.0, "max": 2.0, "numBits": rng.choice((4, 8)), "narrowRange": rng.random() < 0.5}
    return _case(
        kind,
        "FakeQuantOptions",
        values,
        [_input(_floats(rng, _shape(rng, 1)))],
        _result("float32"),
    )


@_family("EMBEDDING_LOOKUP")
def rows(kind: str, rng: Random) -> LiteCase:
    places = _input(_ints(rng, [3], np.int32, 0, 4))
    return _case(kind, None, {}, [places, _constant(_floats(rng, [5, 6]), np.float32)], _result("float32"))


@_family("SPARSE_TO_DENSE")
def placed(kind: str, rng: Random) -> LiteCase:
    operands = [
        _input(_ints(rng, [1], np.int32, 0, 3)),
        _constant([4]),
        _input(_floats(rng, [1])),
        _constant(0.5, np.float32),
    ]
    return _case(kind, "SparseToDenseOptions", {}, operands, _result("float32"))


@_family("UNIQUE")
def different(kind: str, rng: Random) -> LiteCase:
    x = _input(_ints(rng, [6], np.int32, 0, 3))
    return _case(kind, "UniqueOptions", {"idxOutType": 2}, [x], _result("int32"), _result("int32"))


@_family("MATRIX_DIAG", "MATRIX_SET_DIAG")
def diagonals(kind: str, rng: Random) -> LiteCase:
    diagonal = _input(_floats(rng, [2, 3]))
    if kind == "MATRIX_DIAG":
        return _case(kind, "MatrixDiagOptions", {}, [diagonal], _result("float32"))
    return _case(
        kind,
        "MatrixSetDiagOptions",
        {},
        [_input(_floats(rng, [2, 3, 3])), diagonal],
        _result("float32"),
    )


@_family("NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5")
def boxes(kind: str, rng: Random) -> LiteCase:
    corners = _floats(rng, [5, 2], 0, 3)
    found = _input(np.concatenate([corners, corners + 1], 1))
    operands = [
        found,
        _input(np.linspace(0.1, 0.9, 5, dtype=np.float32)),
        _constant(3),
        _constant(0.5, np.float32),
    ]
    operands.append(_constant(0.0, np.float32))
    if kind.endswith("V4"):
        return _case(kind, "NonMaxSuppressionV4Options", {}, operands, _result("int32"), _result("int32"))
    operands.append(_constant(0.5, np.float32))
    results = _result("int32"), _result("float32"), _result("int32")
    return _case(kind, "NonMaxSuppressionV5Options", {}, operands, *results)


@_family("SCATTER_ND")
def scattered(kind: str, rng: Random) -> LiteCase:
    places = _input(np.array([[0], [2]], np.int32))
    return _case(
        kind,
        "ScatterNdOptions",
        {},
        [places, _input(_floats(rng, [2, 3])), _constant([4, 3])],
        _result("float32"),
    )


@_family("SEGMENT_SUM", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_SUM")
def segments(kind: str, rng: Random) -> LiteCase:
    operands = [_input(_floats(rng, [4, 3])), _input(np.array([0, 0, 1, 2], np.int32))]
    if kind == "SEGMENT_SUM":
        return _case(kind, "SegmentSumOptions", {}, operands, _result("float32"))
    name = "".join(word.title() for word in kind.split("_"))
    return _case(kind, f"{name}Options", {}, [*operands, _constant(3)], _result("float32"))


@_family("CONV_3D_TRANSPOSE")
def volume(kind: str, rng: Random) -> LiteCase:
    values = {"padding": rng.randrange(2), **{f"stride{letter}": 1 for letter in "DHW"}}
    kernel = _constant(_floats(rng, [2, 2, 2, 3, 2]), np.float32)
    sizes = [3, 3, 3] if values["padding"] == 0 else [4, 4, 4]
    operands = [_constant([1, *sizes, 3]), kernel, _input(_floats(rng, [1, 3, 3, 3, 2]))]
    return _case(kind, "Conv3DOptions", values, operands, _result("float32"))


@_family("BROADCAST_ARGS")
def common_shape(kind: str, rng: Random) -> LiteCase:
    operands = [_input(np.array([2, 1, 3], np.int32)), _input(np.array([rng.choice((1, 4)), 1], np.int32))]
    return _case(kind, None, {}, operands, _result("int32"))


@_family("DYNAMIC_UPDATE_SLICE")
def updated(kind: str, rng: Random) -> LiteCase:
    start = _input(_ints(rng, [2], np.int32, 0, 3))
    operands = [_input(_floats(rng, [4, 5])), _input(_floats(rng, [2, 3])), start]
    return _case(kind, "DynamicUpdateSliceOptions", {}, operands, _result("float32"))


@_family("DILATE")
def dilated(kind: str, rng: Random) -> LiteCase:
    operands = [
        _input(_floats(rng, [2, 3])),
        _constant([rng.randint(1, 3), 2]),
        _constant(0.5, np.float32),
    ]
    return _case(kind, "DilateOptions", {}, operands, _result("float32"))


@_family("REDUCE_WINDOW")
def windows(kind: str, rng: Random) -> LiteCase:
    numbers = [_constant(each, np.int64) for each in ([2, 2], [1, 1], [1, 1])]
    operands = [_input(_floats(rng, [4, 5])), _constant(0.0, np.float32), *numbers]
    return _case(kind, "ReduceWindowOptions", {"reduceFunction": rng.choice((1, 3, 4))}, operands, _result("float32"))


@_family("STABLEHLO_ADD", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY")
def stable(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1), rng.choice(("float32", "int32"))
    return _case(kind, None, {}, [_input(_of(rng, shape, dtype)) for _ in range(2)], _result(dtype))


@_family("STABLEHLO_SHIFT_LEFT")
def stable_shift(kind: str, rng: Random) -> LiteCase:
    shape = _shape(rng, 1)
    operands = [_input(_of(rng, shape, "int32")), _input(_ints(rng, shape, np.int32, 0, 5))]
    return _case(kind, "StablehloShiftLeftOptions", {}, operands, _result("int32"))


@_family("STABLEHLO_PAD")
def stable_pad(kind: str, rng: Random) -> LiteCase:
    values = {"edgePaddingLow": [1, 0], "edgePaddingHigh": [rng.randint(0, 2), 1], "interiorPadding": [0, 1]}
    values = {name: np.array(each, np.int64) for name, each in values.items()}
    operands = [_input(_floats(rng, [2, 3])), _constant(0.5, np.float32)]
    return _case(kind, "StablehloPadOptions", values, operands, _result("float32"))
