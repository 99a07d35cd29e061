"""Random valid LiteRT ops of every family that the importer reads, and some that it keeps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from .lite_cases import Array, LiteCase, LiteTensor, Quantization

Family = Callable[[Random], LiteCase]
FAMILIES: dict[str, Family] = {}


def _family(*kinds: str) -> Callable[[Callable[[str, Random], LiteCase]], Callable[[str, Random], LiteCase]]:
    def enter(function: Callable[[str, Random], LiteCase]) -> Callable[[str, Random], LiteCase]:
        for kind in kinds:
            FAMILIES[kind] = lambda rng, kind=kind: function(kind, rng)
        return function

    return enter


# Tensors.


def _shape(rng: Random, low: int = 0, high: int = 4) -> list[int]:
    return [rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(low, high))]


def _floats(rng: Random, shape: Sequence[int], low: int = -3, high: int = 3) -> Array:
    # Multiples of 1/8 have few different sums, so that most ops are exact.
    return np.array(np.random.default_rng(rng.randrange(1 << 30)).integers(8 * low, 8 * high, shape) / 8, np.float32)


def _ints(rng: Random, shape: Sequence[int], dtype: Any = np.int32, low: int = -9, high: int = 9) -> Array:
    return np.array(np.random.default_rng(rng.randrange(1 << 30)).integers(low, high + 1, shape), dtype)


def _of(rng: Random, shape: Sequence[int], dtype: str) -> Array:
    if dtype == "bool":
        return _ints(rng, shape, np.bool_, 0, 1)
    if dtype.startswith("float"):
        return _floats(rng, shape).astype(dtype)
    return _ints(rng, shape, dtype, 0 if dtype == "uint8" else -9, 9)


def _input(array: Array) -> LiteTensor:
    return LiteTensor(array, is_input=True)


def _constant(numbers: Any, dtype: Any = np.int32) -> LiteTensor:
    return LiteTensor(np.array(numbers, dtype))


def _result(dtype: Any) -> LiteTensor:
    return LiteTensor(np.zeros((1,), dtype))


def _quantised(rng: Random, scale: float | None = None) -> Quantization:
    return Quantization([scale or rng.choice((0.5, 0.25, 0.1, 0.0625))], [rng.choice((0, 0, 3, -5))])


def _maybe(rng: Random, tensor: LiteTensor) -> LiteTensor:
    """An operand that is constant half of the time."""
    return replace(tensor, is_input=rng.random() < 0.5)


def _case(
    kind: str,
    options: str | None,
    values: Mapping[str, Any],
    operands: Sequence[LiteTensor | None],
    *results: LiteTensor,
    version: int = 1,
) -> LiteCase:
    return LiteCase(kind, options, dict(values), list(operands), list(results), version)


def _axis(rng: Random, rank: int) -> int:
    return rng.randrange(-rank, rank)


def _activation(rng: Random) -> int:
    return rng.choice((0, 0, 1, 2, 3))


# Elementwise.

ON_FLOATS = {
    **dict.fromkeys(("ABS", "CEIL", "COS", "ELU", "EXP", "FLOOR", "HARD_SWISH", "LOGISTIC", "NEG", "RELU"), (-3, 3)),
    **dict.fromkeys(("RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "ROUND", "SIGN", "SIN", "SQUARE", "TANH"), (-8, 8)),
    **dict.fromkeys(("LOG", "RSQRT", "SQRT"), (1, 6)),
    **dict.fromkeys(("GELU", "ZEROS_LIKE", "LOG_SOFTMAX", "SOFTMAX", "L2_NORMALIZATION", "LEAKY_RELU"), (-3, 3)),
    "LOCAL_RESPONSE_NORMALIZATION": (-3, 3),
}
OPTIONS: Mapping[str, tuple[str, Callable[[Random], Mapping[str, Any]]]] = {
    "GELU": ("GeluOptions", lambda rng: {"approximate": rng.random() < 0.5}),
    "SOFTMAX": ("SoftmaxOptions", lambda rng: {"beta": rng.choice((1.0, 0.5, 2.0))}),
    "LEAKY_RELU": ("LeakyReluOptions", lambda rng: {"alpha": rng.choice((0.1, 0.25, 0.0, 1.5, -0.5))}),
    "L2_NORMALIZATION": ("L2NormOptions", lambda _: {}),
    "LOCAL_RESPONSE_NORMALIZATION": (
        "LocalResponseNormalizationOptions",
        lambda rng: {"radius": rng.randrange(1, 4), "bias": 1.0, "alpha": 0.25, "beta": rng.choice((0.5, 0.75))},
    ),
}
MIXED = (
    "ABS",
    "HARD_SWISH",
    "LEAKY_RELU",
    "LOGISTIC",
    "LOG_SOFTMAX",
    "RELU",
    "RELU6",
    "RELU_N1_TO_1",
    "SOFTMAX",
    "TANH",
)
"""The kinds that have kernels for quantised numbers as well."""


@_family(*ON_FLOATS)
def unary(kind: str, rng: Random) -> LiteCase:
    low = {"LOCAL_RESPONSE_NORMALIZATION": 4, "SOFTMAX": 1, "LOG_SOFTMAX": 1, "L2_NORMALIZATION": 1}.get(kind, 0)
    shape = _shape(rng, low)
    options, values_of = OPTIONS.get(kind, (None, None))
    values: Mapping[str, Any] = {} if values_of is None else values_of(rng)
    given, dtype = _input(_floats(rng, shape, *ON_FLOATS[kind])), "float32"
    result = _result("float32")
    if kind in MIXED and rng.random() < 0.3:
        dtype = rng.choice(("int8", "uint8"))
        zero = {"int8": -128, "uint8": 0}[dtype]
        given = replace(_input(_of(rng, shape, dtype)), quantization=_quantised(rng))
        fixed = {"LOGISTIC": (1 / 256, zero), "SOFTMAX": (1 / 256, zero), "TANH": (1 / 128, zero + 128)}
        fixed |= {"LOG_SOFTMAX": (1 / 16, zero + 255)}
        numbers = Quantization([fixed[kind][0]], [fixed[kind][1]]) if kind in fixed else _quantised(rng)
        result = replace(_result(dtype), quantization=numbers)
    return _case(kind, options, values, [given], result, version=2 if dtype == "int8" else 1)


@_family("LOGICAL_NOT")
def negation(kind: str, rng: Random) -> LiteCase:
    return _case(kind, "LogicalNotOptions", {}, [_input(_of(rng, _shape(rng), "bool"))], _result("bool"))


@_family("SHAPE", "RANK")
def sizes(kind: str, rng: Random) -> LiteCase:
    options, values = ("ShapeOptions", {"outType": 2}) if kind == "SHAPE" else ("RankOptions", {})
    return _case(kind, options, values, [_input(_floats(rng, _shape(rng, 1)))], _result("int32"))


COMPARISONS = {
    "EQUAL": "EqualOptions",
    "GREATER": "GreaterOptions",
    "GREATER_EQUAL": "GreaterEqualOptions",
    "LESS": "LessOptions",
    "LESS_EQUAL": "LessEqualOptions",
    "NOT_EQUAL": "NotEqualOptions",
}
BINARY: Mapping[str, tuple[str | None, Sequence[str]]] = {
    "ADD": ("AddOptions", ("float32", "int32", "int64", "int8", "uint8")),
    "SUB": ("SubOptions", ("float32", "int32", "int64", "int8", "uint8")),
    "MUL": ("MulOptions", ("float32", "int32", "int64", "int8", "uint8")),
    "DIV": ("DivOptions", ("float32", "int32")),
    "MAXIMUM": ("MaximumMinimumOptions", ("float32", "int32", "int64", "int8", "uint8")),
    "MINIMUM": ("MaximumMinimumOptions", ("float32", "int32", "int64", "int8", "uint8")),
    "POW": ("PowOptions", ("float32", "int32")),
    "SQUARED_DIFFERENCE": ("SquaredDifferenceOptions", ("float32", "int32")),
    "FLOOR_DIV": ("FloorDivOptions", ("float32", "int32", "int8")),
    "FLOOR_MOD": ("FloorModOptions", ("float32", "int32", "int64")),
    "LOGICAL_AND": ("LogicalAndOptions", ("bool",)),
    "LOGICAL_OR": ("LogicalOrOptions", ("bool",)),
    "PRELU": (None, ("float32",)),
    **{kind: (options, ("float32", "int32", "int64", "int8", "bool")) for kind, options in COMPARISONS.items()},
}


@_family(*BINARY)
def binary(kind: str, rng: Random) -> LiteCase:
    options, dtypes = BINARY[kind]
    dtype, shape = rng.choice(dtypes), _shape(rng, 1)
    other = [size if rng.random() < 0.7 else 1 for size in shape][rng.choice((0, 0, 0, 1)) :]
    pair = [_of(rng, shape, dtype), _of(rng, other, dtype)]
    if kind in ("DIV", "FLOOR_DIV", "FLOOR_MOD", "POW"):
        pair[1] = np.where(pair[1] == 0, pair[1].dtype.type(2), np.abs(pair[1])).astype(dtype)
        pair[0] = np.abs(pair[0]) if kind == "POW" else pair[0]
    if rng.random() < 0.3 and kind not in ("PRELU",):
        pair.reverse()
    tensors = [_input(pair[0]), _maybe(rng, _input(pair[1]))]
    result = _result("bool" if kind in COMPARISONS or dtype == "bool" else dtype)
    if dtype in ("int8", "uint8"):
        numbers = [_quantised(rng) for _ in range(3)]
        if kind in ("MAXIMUM", "MINIMUM"):
            numbers = [numbers[0]] * 3
        tensors = [replace(each, quantization=of) for each, of in zip(tensors, numbers, strict=False)]
        result = result if kind in COMPARISONS else replace(result, quantization=numbers[2])
    values = {"fusedActivationFunction": _activation(rng)} if kind in ("ADD", "SUB", "MUL", "DIV") else {}
    return _case(kind, options, values, tensors, result, version=2 if dtype in ("int8", "int64") else 1)


@_family("ADD_N")
def sum_of(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng), rng.choice(("float32", "int32"))
    return _case(
        kind, "AddNOptions", {}, [_input(_of(rng, shape, dtype)) for _ in range(rng.randint(1, 4))], _result(dtype)
    )


@_family("SELECT", "SELECT_V2")
def choice(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1), rng.choice(("float32", "int32"))
    smaller = [size if rng.random() < 0.7 or kind == "SELECT" else 1 for size in shape]
    condition = shape[:1] if kind == "SELECT" and rng.random() < 0.3 else smaller
    operands = [
        _input(_of(rng, condition, "bool")),
        _input(_of(rng, shape, dtype)),
        _maybe(rng, _input(_of(rng, smaller, dtype))),
    ]
    # Its kernel does not change a result of one element.
    result = LiteTensor(np.zeros(shape, dtype))
    return _case(kind, "SelectOptions" if kind == "SELECT" else "SelectV2Options", {}, operands, result)


@_family("CAST")
def cast(kind: str, rng: Random) -> LiteCase:
    given, wanted = (
        rng.choice(("float32", "int32", "int64", "bool", "uint8", "int8")),
        rng.choice(("float32", "int32", "int64", "bool", "float16", "int16", "uint8")),
    )
    array = _of(rng, _shape(rng), given)
    return _case(kind, "CastOptions", {}, [_input(np.abs(array) if wanted == "uint8" else array)], _result(wanted))


@_family("QUANTIZE", "DEQUANTIZE")
def quantize(kind: str, rng: Random) -> LiteCase:
    dtype, shape = rng.choice(("int8", "uint8", "int16")), _shape(rng)
    if kind == "DEQUANTIZE":
        given = replace(_input(_of(rng, shape, dtype)), quantization=_quantised(rng))
        return _case(kind, "DequantizeOptions", {}, [given], _result("float32"), version=2)
    given = _input(_floats(rng, shape))
    if rng.random() < 0.3:
        given = replace(_input(_of(rng, shape, "int8")), quantization=_quantised(rng))
        dtype = "int8"
    result = replace(_result(dtype), quantization=replace(_quantised(rng), zeros=[0]))
    return _case(kind, "QuantizeOptions", {}, [given], result)


# Reductions.


@_family("SUM", "MEAN", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "REDUCE_ANY", "REDUCE_ALL")
def reduction(kind: str, rng: Random) -> LiteCase:
    shape = _shape(rng, 1)
    axes = sorted({_axis(rng, len(shape)) for _ in range(rng.randint(1, len(shape)))})
    dtype = "bool" if kind in ("REDUCE_ANY", "REDUCE_ALL") else rng.choice(("float32", "float32", "int32", "int8"))
    if dtype == "int8" and kind == "REDUCE_PROD":
        dtype = "float32"
    given, result = _input(_of(rng, shape, dtype)), _result(dtype)
    if dtype == "int8":
        numbers = [_quantised(rng)] * 2 if kind in ("REDUCE_MAX", "REDUCE_MIN") else [_quantised(rng), _quantised(rng)]
        given, result = replace(given, quantization=numbers[0]), replace(result, quantization=numbers[1])
    values = {"keepDims": rng.random() < 0.5}
    return _case(kind, "ReducerOptions", values, [given, _constant(axes)], result, version=2 if dtype == "int8" else 1)


@_family("ARG_MAX", "ARG_MIN")
def place(kind: str, rng: Random) -> LiteCase:
    shape, wide = _shape(rng, 1), rng.random() < 0.5
    options = "ArgMaxOptions" if kind == "ARG_MAX" else "ArgMinOptions"
    operands = [_input(_of(rng, shape, rng.choice(("float32", "int32")))), _constant(_axis(rng, len(shape)))]
    return _case(kind, options, {"outputType": 4 if wide else 2}, operands, _result("int64" if wide else "int32"))


@_family("CUMSUM")
def running_sum(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1), rng.choice(("float32", "int32"))
    values = {"exclusive": rng.random() < 0.5, "reverse": rng.random() < 0.5}
    operands = [_input(_of(rng, shape, dtype)), _constant(_axis(rng, len(shape)))]
    return _case(kind, "CumsumOptions", values, operands, _result(dtype))


# Windows.


def _window(rng: Random, letters: str, dilates: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"padding": rng.randrange(2), "fusedActivationFunction": _activation(rng)}
    dilated = dilates and rng.random() < 0.4
    for letter in letters:
        values[f"stride{letter}"] = 1 if dilated else rng.choice((1, 1, 2))
        if dilates:
            values[f"dilation{letter}Factor"] = rng.choice((1, 2)) if dilated else 1
    return values


def _weights(
    rng: Random, shape: Sequence[int], axis: int, data: Quantization, dtype: Any
) -> tuple[LiteTensor, LiteTensor]:
    """Quantised weights and their bias, with a scale for each output or one for all; those of ui8 have a zero point."""
    is_unsigned = dtype is np.uint8
    count = shape[axis] if rng.random() < 0.6 and not is_unsigned else 1
    scales, zero = [rng.choice((0.5, 0.25, 0.125)) for _ in range(count)], rng.choice((128, 30)) if is_unsigned else 0
    numbers = _ints(rng, shape, dtype, 0 if is_unsigned else -9, 255 if is_unsigned else 9)
    weights = replace(LiteTensor(numbers), quantization=Quantization(scales, [zero] * count, axis if count > 1 else 0))
    bias = LiteTensor(_ints(rng, [shape[axis]], np.int32, -40, 40))
    of_bias = Quantization([float(np.float32(data.scales[0]) * np.float32(s)) for s in scales], [0] * count, 0)
    return weights, replace(bias, quantization=of_bias)


def _product(
    kind: str,
    options: str,
    values: Mapping[str, Any],
    rng: Random,
    data: Sequence[int],
    kernel: Sequence[int],
    axis: int,
) -> LiteCase:
    """A convolution or product with weights, of floats or quantised."""
    if rng.random() < 0.35:
        dtype: Any = rng.choice((np.int8, np.int8, np.uint8))
        least = 0 if dtype is np.uint8 else -100
        numbers, made = (
            replace(each, zeros=[each.zeros[0] + least + 100])
            for each in (_quantised(rng), _quantised(rng, rng.choice((0.5, 1.0, 2.0))))
        )
        weights, bias = _weights(rng, kernel, axis, numbers, dtype)
        given = replace(_input(_ints(rng, data, dtype, least, least + 200)), quantization=numbers)
        result = replace(_result(dtype), quantization=made)
        return _case(kind, options, values, [given, weights, bias], result, version=3 if least else 1)
    floats = [_input(_floats(rng, data)), LiteTensor(_floats(rng, kernel)), LiteTensor(_floats(rng, [kernel[axis]]))]
    if rng.random() < 0.2:
        floats[1] = replace(floats[1], is_input=True)
    operands: list[LiteTensor | None] = [*floats]
    if rng.random() < 0.3:
        operands = [*floats[:2], None] if kind == "FULLY_CONNECTED" or rng.random() < 0.5 else [*floats[:2]]
    return _case(kind, options, values, operands, _result("float32"))


@_family("CONV_2D", "DEPTHWISE_CONV_2D")
def convolution(kind: str, rng: Random) -> LiteCase:
    data = [rng.choice((1, 2)), rng.randint(3, 6), rng.randint(3, 6), rng.choice((1, 2, 4))]
    values, extents = _window(rng, "HW", True), [rng.randint(1, 3), rng.randint(1, 2)]
    if kind == "CONV_2D":
        groups = rng.choice((1, 1, 1, 2)) if data[3] % 2 == 0 else 1
        kernel = [rng.choice((2, 4)), *extents, data[3] // groups]
        return _product(kind, "Conv2DOptions", values, rng, data, kernel, 0)
    values["depthMultiplier"] = rng.choice((1, 1, 2))
    values["strideH"] = values["strideW"]
    kernel = [1, *extents, data[3] * values["depthMultiplier"]]
    return _product(kind, "DepthwiseConv2DOptions", values, rng, data, kernel, 3)


@_family("CONV_3D")
def volume(kind: str, rng: Random) -> LiteCase:
    data = [1, rng.randint(2, 4), rng.randint(2, 4), rng.randint(2, 4), rng.choice((1, 2))]
    kernel = [rng.randint(1, 2), rng.randint(1, 2), rng.randint(1, 2), data[4], rng.choice((1, 3))]
    operands = [_input(_floats(rng, data)), LiteTensor(_floats(rng, kernel))]
    if rng.random() < 0.7:
        operands.append(LiteTensor(_floats(rng, [kernel[4]])))
    return _case(kind, "Conv3DOptions", _window(rng, "DHW", True), operands, _result("float32"))


@_family("TRANSPOSE_CONV")
def transposed(kind: str, rng: Random) -> LiteCase:
    values = _window(rng, "HW", False)
    values["fusedActivationFunction"] = 0
    data = [1, rng.randint(2, 4), rng.randint(2, 4), rng.choice((1, 2))]
    kernel = [rng.choice((1, 3)), rng.randint(1, 3), rng.randint(1, 3), data[3]]
    strides = values["strideH"], values["strideW"]
    sizes = [
        size * stride if values["padding"] == 0 else (size - 1) * stride + extent
        for size, stride, extent in zip(data[1:3], strides, kernel[1:3], strict=True)
    ]
    operands = [_constant([1, *sizes, kernel[0]]), LiteTensor(_floats(rng, kernel)), _input(_floats(rng, data))]
    if rng.random() < 0.5:
        operands.append(LiteTensor(_floats(rng, [kernel[0]])))
    version = 3 if len(operands) == 4 else 1
    return _case(kind, "TransposeConvOptions", values, operands, _result("float32"), version=version)


@_family("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D")
def pool(kind: str, rng: Random) -> LiteCase:
    data = [rng.choice((1, 2)), rng.randint(2, 6), rng.randint(2, 6), rng.choice((1, 2, 3))]
    values = _window(rng, "HW", False)
    values |= {"filterHeight": rng.randint(1, 3), "filterWidth": rng.randint(1, 3)}
    if values["padding"] == 1:
        values["filterHeight"], values["filterWidth"] = (
            min(values[f"filter{x}"], n) for x, n in (("Height", data[1]), ("Width", data[2]))
        )
    given, result, version = _input(_floats(rng, data)), _result("float32"), 1
    if kind != "L2_POOL_2D" and rng.random() < 0.3:
        dtype, numbers = rng.choice(("int8", "uint8")), _quantised(rng)
        given = replace(_input(_of(rng, data, dtype)), quantization=numbers)
        result, version = replace(_result(dtype), quantization=numbers), 2
    return _case(kind, "Pool2DOptions", values, [given], result, version=version)


@_family("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(kind: str, rng: Random) -> LiteCase:
    data = [1, rng.randint(1, 4), rng.randint(1, 4), rng.choice((1, 2))]
    sizes = [size * rng.choice((1, 2, 3)) if rng.random() < 0.7 else rng.randint(1, 7) for size in data[1:3]]
    mode = rng.choice(({}, {"alignCorners": True}, {"halfPixelCenters": True}))
    options = "ResizeBilinearOptions" if kind == "RESIZE_BILINEAR" else "ResizeNearestNeighborOptions"
    return _case(kind, options, mode, [_input(_floats(rng, data)), _constant(sizes)], _result("float32"), version=3)


@_family("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def blocks(kind: str, rng: Random) -> LiteCase:
    block, data = rng.choice((1, 2)), [rng.choice((1, 2)), 2, 4, rng.choice((4, 8))]
    options = "DepthToSpaceOptions" if kind == "DEPTH_TO_SPACE" else "SpaceToDepthOptions"
    dtype = rng.choice(("float32", "int32", "int8"))
    return _case(kind, options, {"blockSize": block}, [_input(_of(rng, data, dtype))], _result(dtype))


# Products.


@_family("FULLY_CONNECTED")
def connected(kind: str, rng: Random) -> LiteCase:
    data, columns = _shape(rng, 1, 4), rng.choice((1, 3, 4))
    values = {"fusedActivationFunction": _activation(rng), "keepNumDims": rng.random() < 0.5, "weightsFormat": 0}
    return _product(kind, "FullyConnectedOptions", values, rng, data, [columns, data[-1]], 0)


@_family("BATCH_MATMUL")
def batched(kind: str, rng: Random) -> LiteCase:
    front, (rows, inner, columns) = _shape(rng, 0, 2), (rng.randint(1, 4) for _ in range(3))
    values = {"adjX": rng.random() < 0.3, "adjY": rng.random() < 0.3}
    lhs = [*front, inner, rows] if values["adjX"] else [*front, rows, inner]
    other = [size if rng.random() < 0.7 else 1 for size in front]
    rhs = [*other, columns, inner] if values["adjY"] else [*other, inner, columns]
    pair = [_input(_floats(rng, lhs)), _maybe(rng, _input(_floats(rng, rhs)))]
    return _case(kind, "BatchMatMulOptions", values, pair, _result("float32"))


# Movement.


@_family("CONCATENATION", "PACK")
def joined(kind: str, rng: Random) -> LiteCase:
    shape, dtype, count = _shape(rng, 1, 4), rng.choice(("float32", "int32", "int8")), rng.randint(1, 4)
    axis = _axis(rng, len(shape) + (kind == "PACK"))
    arrays: list[Array] = []
    for _ in range(count):
        sizes = list(shape)
        if kind == "CONCATENATION":
            sizes[axis] = rng.randint(1, 3)
        arrays.append(_of(rng, sizes, dtype))
    operands = [_input(arrays[0]), *(_maybe(rng, _input(each)) for each in arrays[1:])]
    result = _result(dtype)
    if dtype == "int8" and rng.random() < 0.5:
        numbers = _quantised(rng)
        operands = [replace(each, quantization=numbers) for each in operands]
        result = replace(result, quantization=numbers)
    if kind == "PACK":
        return _case(kind, "PackOptions", {"axis": axis, "valuesCount": count}, operands, result)
    return _case(kind, "ConcatenationOptions", {"axis": axis}, operands, result)


@_family("SPLIT", "SPLIT_V", "UNPACK")
def parts(kind: str, rng: Random) -> LiteCase:
    shape, dtype, count = _shape(rng, 1, 4), rng.choice(("float32", "int32")), rng.randint(1, 3)
    axis = _axis(rng, len(shape))
    if kind == "UNPACK":
        values = {"axis": axis, "num": shape[axis]}
        return _case(kind, "UnpackOptions", values, [_input(_of(rng, shape, dtype))], *[_result(dtype)] * shape[axis])
    pieces = [rng.randint(1, 3)] * count if kind == "SPLIT" else [rng.randint(1, 3) for _ in range(count)]
    shape[axis] = sum(pieces)
    given, results = _input(_of(rng, shape, dtype)), [_result(dtype)] * count
    if kind == "SPLIT":
        return _case(kind, "SplitOptions", {"numSplits": count}, [_constant(axis), given], *results)
    if rng.random() < 0.3:
        pieces[rng.randrange(count)] = -1
    return _case(kind, "SplitVOptions", {"numSplits": count}, [given, _constant(pieces), _constant(axis)], *results)


@_family("PAD", "PADV2", "MIRROR_PAD")
def pad(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1, 4), rng.choice(("float32", "int32"))
    mode = rng.randrange(2)
    most = [size if kind != "MIRROR_PAD" else size + mode for size in shape]
    widths = _constant([[rng.randrange(each), rng.randrange(each)] for each in most])
    given = _input(_of(rng, shape, dtype))
    if kind == "MIRROR_PAD":
        return _case(kind, "MirrorPadOptions", {"mode": mode}, [given, widths], _result(dtype))
    if kind == "PADV2":
        value = LiteTensor(_of(rng, [], dtype))
        return _case(kind, "PadV2Options", {}, [given, widths, value], _result(dtype))
    return _case(kind, "PadOptions", {}, [given, widths], _result(dtype))


@_family("SLICE", "STRIDED_SLICE")
def part(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1, 4), rng.choice(("float32", "int32"))
    given, begins = _input(_of(rng, shape, dtype)), [rng.randrange(size) for size in shape]
    if kind == "SLICE":
        # Its kernel does not change the rank that the file states.
        result = LiteTensor(np.zeros([1] * len(shape), dtype))
        sizes = [rng.choice((-1, rng.randint(1, size - b))) for size, b in zip(shape, begins, strict=True)]
        return _case(kind, "SliceOptions", {}, [given, _constant(begins), _constant(sizes)], result)
    steps = [rng.choice((1, 1, 2, -1)) for _ in shape]
    ends = [
        b + rng.randint(1, 3) if s > 0 else b - rng.randint(1, b + 1) - size * (b == 0)
        for b, s, size in zip(begins, steps, shape, strict=True)
    ]
    masks = {name: rng.randrange(1 << len(shape)) if rng.random() < 0.5 else 0 for name in ("beginMask", "endMask")}
    masks["shrinkAxisMask"] = sum(1 << axis for axis, step in enumerate(steps) if step > 0 and rng.random() < 0.2)
    operands = [given, _constant(begins), _constant(ends), _constant(steps)]
    return _case(kind, "StridedSliceOptions", masks, operands, _result(dtype))


@_family("REVERSE_V2", "TILE", "BROADCAST_TO", "TRANSPOSE", "EXPAND_DIMS", "SQUEEZE", "RESHAPE")
def moved(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1, 4), rng.choice(("float32", "int32", "int8", "bool"))
    given, result = _input(_of(rng, shape, dtype)), _result(dtype)
    match kind:
        case "REVERSE_V2":
            axes = sorted({rng.randrange(len(shape)) for _ in range(2)})
            return _case(kind, "ReverseV2Options", {}, [given, _constant(axes)], result)
        case "TILE":
            return _case(kind, "TileOptions", {}, [given, _constant([rng.randint(1, 3) for _ in shape])], result)
        case "BROADCAST_TO":
            wanted = [*_shape(rng, 0, 2), *(rng.randint(2, 3) if size == 1 else size for size in shape)]
            return _case(kind, "BroadcastToOptions", {}, [given, _constant(wanted)], result, version=3)
        case "TRANSPOSE":
            order = rng.sample(range(len(shape)), len(shape))
            return _case(kind, "TransposeOptions", {}, [given, _constant(order)], result)
        case "EXPAND_DIMS":
            axis = rng.randrange(-len(shape) - 1, len(shape) + 1)
            return _case(kind, "ExpandDimsOptions", {}, [given, _constant([axis])], result)
        case "SQUEEZE":
            axes = [axis for axis, size in enumerate(shape) if size == 1 and rng.random() < 0.6]
            return _case(kind, "SqueezeOptions", {"squeezeDims": axes}, [given], result)
        case _:
            wanted = [*shape[1:], shape[0]] if rng.random() < 0.5 else [int(np.prod(shape))]
            if rng.random() < 0.4:
                wanted[rng.randrange(len(wanted))] = -1
            operands = [given, _constant(wanted)] if rng.random() < 0.7 else [given]
            return _case(kind, "ReshapeOptions", {"newShape": wanted}, operands, result)


@_family("GATHER", "GATHER_ND", "ONE_HOT", "TOPK_V2", "FILL", "RANGE", "WHERE", "REVERSE_SEQUENCE")
def others(kind: str, rng: Random) -> LiteCase:
    shape, dtype = _shape(rng, 1, 3), rng.choice(("float32", "int32"))
    given, result = _input(_of(rng, shape, dtype)), _result(dtype)
    match kind:
        case "GATHER":
            axis = rng.randrange(len(shape))
            places = _maybe(rng, _input(_ints(rng, _shape(rng, 0, 2), np.int32, 0, shape[axis] - 1)))
            batch = rng.randrange(axis + 1) if rng.random() < 0.2 else 0
            if batch:
                places = _input(_ints(rng, [*shape[:batch], 2], np.int32, 0, shape[axis] - 1))
            return _case(kind, "GatherOptions", {"axis": axis, "batchDims": batch}, [given, places], result)
        case "GATHER_ND":
            depth = rng.randint(1, len(shape))
            places = np.stack([_ints(rng, [3], np.int32, 0, size - 1) for size in shape[:depth]], -1)
            return _case(kind, "GatherNdOptions", {}, [given, _maybe(rng, _input(places))], result)
        case "ONE_HOT":
            places = _input(_ints(rng, shape, np.int32, 0, 3))
            operands = [places, _constant(4), _constant(1.5, np.float32), _constant(-1.0, np.float32)]
            return _case(kind, "OneHotOptions", {"axis": rng.choice((-1, 0))}, operands, _result("float32"))
        case "TOPK_V2":
            count = _constant(rng.randint(1, shape[-1]))
            return _case(kind, "TopKV2Options", {}, [given, count], result, _result("int32"))
        case "FILL":
            return _case(kind, "FillOptions", {}, [_constant(shape), _input(_of(rng, [], dtype))], result)
        case "RANGE":
            ends = [_input(_of(rng, [], dtype)), *(_constant(n, dtype) for n in (10, rng.choice((1, 2, 3))))]
            return _case(kind, "RangeOptions", {}, ends, result)
        case "WHERE":
            return _case(kind, "WhereOptions", {}, [_input(_of(rng, shape, "bool"))], _result("int64"))
        case _:
            shape = [2, *shape]
            lengths = _constant([rng.randint(0, shape[1]) for _ in range(2)])
            values = {"seqDim": 1, "batchDim": 0}
            return _case(kind, "ReverseSequenceOptions", values, [_input(_of(rng, shape, dtype)), lengths], result)


@_family("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")
def batches(kind: str, rng: Random) -> LiteCase:
    sides = _constant([[0, 0], [0, 0]])
    data = [4, 2, 2, rng.randint(1, 3)]
    options = "SpaceToBatchNDOptions" if kind == "SPACE_TO_BATCH_ND" else "BatchToSpaceNDOptions"
    return _case(kind, options, {}, [_input(_floats(rng, data)), _constant([2, 2]), sides], _result("float32"))
