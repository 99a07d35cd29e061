"""Pairs of LiteRT models that compute other numbers on some input: single ops, and chains of elementwise ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product, zip_longest
from random import Random
from typing import Any

import numpy as np

from .lite_ops import Array, LiteOp, LiteStep, chain
from .unequal_pairs import Pair, numbers

FLOAT = np.float32
IMAGE, CUBE, ROW = (1, 6, 6, 2), (2, 3, 4), (8,)
ACTIVATIONS = (0, 1, 2, 3)
Words = Sequence[LiteOp]


def counted(*shape: int) -> Array:
    return np.arange(np.prod(shape), dtype=FLOAT).reshape(shape)


def ints(*values: Any) -> Array:
    return np.array(values, np.int32)


def several(op: LiteOp, **values: Sequence[Any]) -> Words:
    """An op with all combinations of some values of its options."""
    return [
        replace(op, values={**op.values, **dict(zip(values, each, strict=True))}) for each in product(*values.values())
    ]


def with_operand(op: LiteOp, place: int, *arrays: Array) -> Words:
    """An op with each of these constants as an operand."""
    return [replace(op, operands=[*op.operands[:place], array, *op.operands[place + 1 :]]) for array in arrays]


def families() -> Iterator[tuple[str, Words]]:
    """Ops with the same inputs, each of which computes something else."""
    yield from windows()
    yield from moved()
    yield from sums()
    yield from elementwise()


def windows() -> Iterator[tuple[str, Words]]:
    x = counted(*IMAGE)
    shape: Mapping[str, Any] = {"strideW": 1, "strideH": 1}
    for code in ("MAX_POOL_2D", "AVERAGE_POOL_2D", "L2_POOL_2D"):
        pool = LiteOp(code, "Pool2DOptions", {**shape, "filterWidth": 2, "filterHeight": 2}, [x])
        ways = several(pool, padding=(0, 1), strideW=(1, 2), filterHeight=(2, 3), fusedActivationFunction=(0, 1))
        yield f"LiteRT {code}", ways
    weights, bias = (counted(3, 2, 2, 2) % 5 - 2).astype(FLOAT), np.array([1, -2, 3], FLOAT)
    conv = LiteOp("CONV_2D", "Conv2DOptions", {**shape, "dilationWFactor": 1, "dilationHFactor": 1}, [x, weights, bias])
    yield (
        "LiteRT CONV_2D",
        [
            *several(conv, padding=(0, 1), strideH=(1, 2), fusedActivationFunction=ACTIVATIONS),
            *several(conv, padding=(0, 1), dilationWFactor=(2, 3)),
            *with_operand(conv, 2, bias[::-1].copy(), 2 * bias),
            *with_operand(conv, 1, weights[:, ::-1].copy(), weights[::-1].copy(), weights.transpose(0, 2, 1, 3).copy()),
        ],
    )
    deep = LiteOp(
        "DEPTHWISE_CONV_2D",
        "DepthwiseConv2DOptions",
        {**shape, "depthMultiplier": 1, "dilationWFactor": 1, "dilationHFactor": 1},
        [x, (counted(1, 2, 3, 2) % 4 - 1).astype(FLOAT), bias[:2]],
    )
    yield "LiteRT DEPTHWISE_CONV_2D", several(deep, padding=(0, 1), strideW=(1, 2), fusedActivationFunction=(0, 1, 3))
    for size in (ints(9, 12), ints(4, 5)):
        for code, options in (
            ("BILINEAR", "ResizeBilinearOptions"),
            ("NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions"),
        ):
            resize = LiteOp(f"RESIZE_{code}", options, {}, [x, size])
            ways = [{}, {"alignCorners": True}, {"halfPixelCenters": True}]
            yield "LiteRT RESIZE", [replace(resize, values=each) for each in ways]


def moved() -> Iterator[tuple[str, Words]]:
    """Other elements, or the same in another order."""
    square = counted(4, 4)
    slices = LiteOp("STRIDED_SLICE", "StridedSliceOptions", {}, [square, ints(1, 2), ints(3, 4), ints(1, 1)])
    yield "LiteRT masks", several(slices, beginMask=(0, 1, 2, 3), endMask=(0, 1, 2), shrinkAxisMask=(0, 1, 2))
    back = replace(slices, operands=[square, ints(3, 1), ints(0, 3), ints(-1, 1)])
    yield "LiteRT masks", several(back, beginMask=(0, 2), endMask=(0, 1, 2, 3))
    yield "LiteRT masks", with_operand(slices, 1, ints(0, 2), ints(-4, 2), ints(1, -1), ints(1, 0))
    mirror = LiteOp("MIRROR_PAD", "MirrorPadOptions", {}, [square, ints((1, 1), (0, 2))])
    yield "LiteRT pads", several(mirror, mode=(0, 1))
    pad = LiteOp("PADV2", "PadV2Options", {}, [square, ints((1, 0), (0, 2)), np.zeros((), FLOAT)])
    zeros = [np.array(value, FLOAT) for value in (0.0, -0.0, 1.0, np.inf)]
    yield "LiteRT pads", with_operand(pad, 2, *zeros)
    yield "LiteRT pads", with_operand(pad, 1, ints((1, 0), (0, 2)), ints((0, 1), (0, 2)), ints((1, 0), (2, 0)))
    turn = LiteOp("TRANSPOSE", "TransposeOptions", {}, [counted(3, 3, 3), ints(0, 1, 2)])
    yield (
        "LiteRT orders",
        with_operand(turn, 1, ints(0, 1, 2), ints(1, 0, 2), ints(0, 2, 1), ints(2, 0, 1), ints(1, 2, 0)),
    )
    yield (
        "LiteRT orders",
        with_operand(LiteOp("REVERSE_V2", "ReverseV2Options", {}, [square, ints(0)]), 1, ints(0), ints(1), ints(0, 1)),
    )
    take = LiteOp("GATHER", "GatherOptions", {"axis": 0}, [square, ints(2, 0, 1)])
    yield "LiteRT orders", several(take, axis=(0, 1))
    yield "LiteRT orders", with_operand(take, 1, ints(2, 0, 1), ints(0, 1, 2), ints(1, 2, 0))
    tile = LiteOp("TILE", "TileOptions", {}, [square, ints(2, 1)])
    yield "LiteRT orders", with_operand(tile, 1, ints(2, 1), ints(1, 2), ints(2, 2))
    part = LiteOp("SLICE", "SliceOptions", {}, [square, ints(1, 0), ints(2, 3)])
    yield (
        "LiteRT orders",
        [*with_operand(part, 1, ints(0, 1), ints(1, 1)), *with_operand(part, 2, ints(-1, 3), ints(2, -1))],
    )
    for code, options in (("SPACE_TO_DEPTH", "SpaceToDepthOptions"), ("DEPTH_TO_SPACE", "DepthToSpaceOptions")):
        blocks = LiteOp(code, options, {"blockSize": 2}, [counted(1, 4, 4, 4)])
        yield (
            "LiteRT orders",
            [blocks, LiteOp("RESHAPE", "ReshapeOptions", {}, [counted(1, 4, 4, 4), ints(1, 2, 2, 16)])],
        )
    pack = LiteOp("PACK", "PackOptions", {"valuesCount": 2, "axis": 0}, [square, 2 * square], (0, 1))
    yield "LiteRT orders", [*several(pack, axis=(0, 1, 2)), replace(pack, inputs=(1, 0))]
    join = LiteOp("CONCATENATION", "ConcatenationOptions", {"axis": 0}, [square, 2 * square], (0, 1))
    yield "LiteRT orders", [*several(join, axis=(0, 1), fusedActivationFunction=(0, 1)), replace(join, inputs=(1, 0))]


def sums() -> Iterator[tuple[str, Words]]:
    x, square = counted(*CUBE), counted(3, 3)
    for code in ("SUM", "MEAN", "REDUCE_MAX", "REDUCE_PROD", "REDUCE_MIN"):
        reduce = LiteOp(code, "ReducerOptions", {"keepDims": True}, [x, ints(1)])
        yield "LiteRT sums", [*several(reduce, keepDims=(False, True)), *with_operand(reduce, 1, ints(2), ints(0, 2))]
    dot = LiteOp("BATCH_MATMUL", "BatchMatMulOptions", {}, [square, 2 * square], (0, 1))
    yield "LiteRT sums", [*several(dot, adjX=(False, True), adjY=(False, True)), replace(dot, inputs=(1, 0))]
    weights, bias = (counted(2, 3) - 3).astype(FLOAT), np.array([1, -50], FLOAT)
    full = LiteOp("FULLY_CONNECTED", "FullyConnectedOptions", {}, [square, weights, bias])
    yield (
        "LiteRT sums",
        [*several(full, fusedActivationFunction=ACTIVATIONS), *with_operand(full, 2, bias[::-1].copy())],
    )
    total = LiteOp("CUMSUM", "CumsumOptions", {}, [x, np.array(1, np.int32)])
    yield (
        "LiteRT sums",
        [
            *several(total, exclusive=(False, True), reverse=(False, True)),
            *with_operand(total, 1, np.array(2, np.int32)),
        ],
    )
    for code, options in (("ARG_MAX", "ArgMaxOptions"), ("ARG_MIN", "ArgMinOptions")):
        most = LiteOp(code, options, {"outputType": 2}, [x, np.array(1, np.int32)])
        yield "LiteRT sums", with_operand(most, 1, np.array(1, np.int32), np.array(2, np.int32), np.array(0, np.int32))


def elementwise() -> Iterator[tuple[str, Words]]:
    x, other = counted(*ROW) - 4, 2 * counted(*ROW) - 7
    for code in ("ADD", "SUB", "MUL", "DIV"):
        both = LiteOp(code, f"{code.title()}Options", {}, [x, other], (0, 1))
        yield (
            "LiteRT activations",
            [*several(both, fusedActivationFunction=ACTIVATIONS), replace(both, inputs=(1, 0))][
                : 5 if code in ("SUB", "DIV") else 4
            ],
        )
    for code in ("MAXIMUM", "MINIMUM"):
        both = LiteOp(code, "MaximumMinimumOptions", {}, [x, other], (0, 1))
        yield "LiteRT zeros and nans", [both, replace(both, inputs=(1, 0))]
    kinds = (
        "RELU",
        "RELU6",
        "RELU_N1_TO_1",
        "RELU_0_TO_1",
        "ABS",
        "NEG",
        "FLOOR",
        "CEIL",
        "ROUND",
        "HARD_SWISH",
        "ELU",
        "TANH",
    )
    options = {"ABS": "AbsOptions", "NEG": "NegOptions", "HARD_SWISH": "HardSwishOptions"}
    yield "LiteRT elementwise", [LiteOp(code, options.get(code, "NONE"), {}, [x]) for code in kinds]
    for op in (
        several(LiteOp("LEAKY_RELU", "LeakyReluOptions", {}, [x]), alpha=(0.01, 0.02, 0.0)),
        several(LiteOp("GELU", "GeluOptions", {}, [x]), approximate=(False, True)),
        several(LiteOp("SOFTMAX", "SoftmaxOptions", {}, [counted(2, 4)]), beta=(1.0, 0.5)),
        several(
            LiteOp(
                "LOCAL_RESPONSE_NORMALIZATION", "LocalResponseNormalizationOptions", {"radius": 1}, [counted(*IMAGE)]
            ),
            bias=(1.0, 2.0),
            alpha=(1.0, 0.5),
            beta=(0.5, 0.75),
        ),
    ):
        yield "LiteRT elementwise", op


def chains() -> Iterator[tuple[str, Sequence[Sequence[LiteStep]]]]:
    """Elementwise steps on one row: detours that lose digits, and none."""

    def step(code: str, number: float, *, first: bool = False) -> LiteStep:
        return LiteStep(code, number, first)

    for offset in (1.5 * 2**23, 2.0**23, 1e10, 1000.0, 3e38):
        yield "LiteRT detours", [[step("ADD", offset), step("SUB", offset)], []]
        yield "LiteRT detours", [[step("SUB", offset, first=True), step("SUB", offset, first=True)], []]
    for power in (127, -126, 100, 70):
        yield "LiteRT powers of two", [[step("MUL", 2.0**power), step("MUL", 2.0**-power)], []]
    for scale, offset in ((0.0625, 1.5 * 2**23), (0.25, 2.0**23), (0.0625, 1.5 * 2**26), (0.05, 1.5 * 2**20)):
        for places in (1, 0.5):
            magic = [step("MUL", places / scale), step("ADD", offset), step("SUB", offset), step("MUL", scale / places)]
            ends = LiteStep("QUANTIZE", scale=scale, zero=3), LiteStep("DEQUANTIZE")
            yield "LiteRT roundings", [[*magic, *ends], [*ends], [*magic[:1], *ends], [*magic]]
    yield "LiteRT detours", [[step("MUL", 3.0), step("DIV", 3.0)], []]
    yield "LiteRT zeros and nans", [[step("ADD", 0.0)], []]
    yield "LiteRT zeros and nans", [[step("MAXIMUM", 0.0)], [step("MAXIMUM", 0.0, first=True)]]
    yield "LiteRT zeros and nans", [[step("MUL", 0.0)], [step("MUL", 0.0), step("ADD", 0.0)]]
    yield "LiteRT zeros and nans", [[step("SUB", 0.0, first=True)], [step("MUL", -1.0)]]


def pairs_of_lite() -> Iterator[Pair]:
    """All pairs, one of each family in turn as long as there are any."""
    by_family: dict[str, list[tuple[Any, Any]]] = {}
    for family, each in (*families(), *chains()):
        by_family.setdefault(family, []).extend(combinations(each, 2))
    for found in by_family.values():
        Random(0).shuffle(found)
    for turn in zip_longest(*by_family.values()):
        for family, both in zip(by_family, turn, strict=True):
            if both is not None and (pair := _pair(family, *both)) is not None:
                yield pair


def _pair(family: str, first: Any, second: Any) -> Pair | None:
    """A pair of models; None if LiteRT does not run one of them."""
    if not isinstance(first, LiteOp):
        models = [chain(each, ROW) for each in (first, second)]
        return Pair(family, f"{first} and {second}", *models, inputs=_inputs([ROW]), ending=".tflite")
    one, other = first.run(), second.run()
    if one is None or other is None:
        return None
    shapes = [first.operands[place].shape for place in sorted(first.inputs)]
    name = f"{_text(first)} and {_text(second)}"
    models = [first.model(one), second.model(other)]
    return Pair(family, name, *models, inputs=_inputs(shapes), ending=".tflite")


def _text(op: LiteOp) -> str:
    return f"{op.code} {dict(op.values)} of {op.inputs} and {[each.tolist() for each in op.operands[1:]]}"


def _inputs(shapes: Sequence[Sequence[int]]) -> list[list[Array]]:
    return [[numbers(way, index, "float", shape) for index, shape in enumerate(shapes)] for way in range(6)]
