"""Pooling against loops over the elements of the window."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.oracles.one_op import Array, close, compute, equal, integers, numbers

PADDING, BEHIND = "padding", "behind"


def seen(x: Array, position: tuple[int, ...], window: dict[str, Any]) -> list[Any]:
    """The elements of one channel in a window, and for positions outside, True if they are in the pads."""
    found: list[Any] = []
    rank = x.ndim
    for place in np.ndindex(*window["extents"]):
        moves = zip(position, window["strides"], place, window["dilations"], window["pads"][:rank], strict=True)
        at = [p * stride + k * dilation - begin for p, stride, k, dilation, begin in moves]
        ends = [size + pad for size, pad in zip(x.shape, window["pads"][rank:], strict=True)]
        if any(a >= end for a, end in zip(at, ends, strict=True)):
            found.append(BEHIND)
        elif any(a < 0 or a >= size for a, size in zip(at, x.shape, strict=True)):
            found.append(PADDING)
        else:
            found.append(x[tuple(at)])
    return found


def positions_along(axis: int, size: int, window: dict[str, Any]) -> int:
    """The formula of ONNX; the last position does not count if it begins behind the data."""
    stride, begin = window["strides"][axis], window["pads"][axis]
    padded = size + begin + window["pads"][axis + len(window["strides"])]
    reach = window["dilations"][axis] * (window["extents"][axis] - 1) + 1
    steps = (padded - reach) / stride
    if not window["ceil"]:
        return max(math.floor(steps) + 1, 0)
    last = math.ceil(steps)
    return max(last if last * stride >= size + begin else last + 1, 0)


def expected(x: Array, window: dict[str, Any], reduce: Callable[[list[Any]], Any]) -> Array:
    sizes = [positions_along(axis, size, window) for axis, size in enumerate(x.shape[2:])]
    result = np.zeros((*x.shape[:2], *sizes))
    for n, c, *position in np.ndindex(*result.shape):
        result[(n, c, *position)] = reduce(seen(x[n, c], tuple(position), window))
    return result


def largest(values: list[Any]) -> float:
    return max((value for value in values if not isinstance(value, str)), default=-math.inf)


def average(counts: Callable[[Any], bool]) -> Callable[[list[Any]], float]:
    def of(values: list[Any]) -> float:
        counted = [0 if isinstance(value, str) else value for value in values if counts(value)]
        return sum(counted) / len(counted) if counted else 0

    return of


@st.composite
def windows(draw: st.DrawFn, rank: int) -> dict[str, Any]:
    def each(low: int, high: int, count: int) -> list[int]:
        return draw(st.lists(st.integers(low, high), min_size=count, max_size=count))

    return {
        "extents": each(1, 3, rank),
        "strides": each(1, 3, rank),
        "dilations": each(1, 2, rank),
        "pads": each(0, 2, 2 * rank),
        "ceil": draw(st.booleans()),
    }


def pool(name: str, x: Array, result: Array, window: dict[str, Any], flags: str = "") -> Array:
    letters = {1: "NCW", 2: "NCHW", 3: "NCDHW"}[x.ndim - 2]
    shapes = ["x".join(map(str, (*array.shape, "f64"))) for array in (x, result)]
    ceil = "ceil" if window["ceil"] else ""
    return compute(
        f"%r = npu.{name} %x window = {window['extents']} strides = {window['strides']}"
        f" dilations = {window['dilations']} pads = {window['pads']} {ceil} {flags} data_layout = <{letters}>"
        f" : (tensor<{shapes[0]}>) -> tensor<{shapes[1]}>",
        x,
    )


@pytest.mark.parametrize("rank", [1, 2, 3])
@settings(max_examples=40)
@given(data=st.data())
def test_pooling(rank: int, data: st.DataObject):
    window = data.draw(windows(rank))
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=rank, max_size=rank))
    x = numbers(1, 2, *sizes).astype(float)
    most = expected(x, window, largest)
    equal(pool("max_pool", x, most, window), most)
    mean = expected(x, window, average(lambda value: not isinstance(value, str)))
    close(pool("avg_pool", x, mean, window), mean)
    padded = expected(x, window, average(lambda value: value is not BEHIND))
    close(pool("avg_pool", x, padded, window, "count_padding"), padded)


def test_nan_propagates():
    text = "%r = npu.max_pool %x window = [2] data_layout = <NCW> : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>"
    equal(compute(text, [[[1, 2, np.nan, 3]]]), [[[2, np.nan, np.nan]]])


def test_padding_is_never_the_maximum():
    text = (
        "%r = npu.max_pool %x window = [2] pads = [1, 1] data_layout = <NCW> : (tensor<1x1x2x{0}>) -> tensor<1x1x3x{0}>"
    )
    equal(compute(text.format("i8"), [[[-5, -7]]]), [[[-5, -5, -7]]])
    equal(compute(text.format("f32"), [[[-5, -7]]]), [[[-5, -5, -7]]])


def test_averages_of_integers_are_rounded_to_even():
    text = (
        "%r = npu.avg_pool %x window = [2] strides = [2] data_layout = <NCW> : (tensor<1x1x10xi8>) -> tensor<1x1x5xi8>"
    )
    equal(compute(text, [[[0, 1, 1, 2, -1, -2, 127, 127, -128, -128]]]), [[[0, 2, -2, 127, -128]]])
    text = "%r = npu.global_avg_pool %x data_layout = <NCW> : (tensor<1x1x3x{0}>) -> tensor<1x1x1x{0}>"
    equal(compute(text.format("i8"), [[[1, 1, 0]]]), [[[1]]])
    equal(compute(text.format("ui8"), [[[255, 255, 254]]]), [[[255]]])


@pytest.mark.parametrize("layout", ["NCHW", "NHWC", "HWCN"])
def test_layouts_change_the_storage_only(layout: str):
    x = numbers(2, 3, 5, 4)
    order = ["NCHW".index(letter) for letter in layout]

    def text_of(name: str, attributes: str, result: tuple[int, ...]) -> str:
        shapes = ["x".join(str(shape[axis]) for axis in order) for shape in (x.shape, result)]
        types = [f"tensor<{shape}xf32, #npu.layout<{layout}>>" for shape in shapes]
        return f"%r = npu.{name} %x {attributes} : ({types[0]}) -> {types[1]}"

    window = {"extents": [3, 2], "strides": [2, 1], "dilations": [1, 1], "pads": [1, 0, 1, 0], "ceil": False}
    attributes = "window = [3, 2] strides = [2, 1] pads = [1, 0, 1, 0]"
    most = expected(x, window, largest)
    found = compute(text_of("max_pool", attributes, most.shape), np.transpose(x, order))
    equal(found, np.transpose(most, order))
    mean = expected(x, window, average(lambda value: not isinstance(value, str)))
    close(compute(text_of("avg_pool", attributes, mean.shape), np.transpose(x, order)), np.transpose(mean, order))
    found = compute(text_of("global_max_pool", "", (2, 3, 1, 1)), np.transpose(x, order))
    equal(found, np.transpose(x.max((2, 3), keepdims=True), order))
    found = compute(text_of("global_avg_pool", "", (2, 3, 1, 1)), np.transpose(x, order))
    close(found, np.transpose(x.mean((2, 3), keepdims=True), order))


def test_global_pooling_of_empty_channels():
    text = "%r = npu.global_{} %x data_layout = <NCW> : (tensor<1x1x0x{}>) -> tensor<1x1x1x{}>"
    empty = np.zeros((1, 1, 0))
    equal(compute(text.format("max_pool", "f32", "f32"), empty), [[[-np.inf]]])
    equal(compute(text.format("max_pool", "i8", "i8"), empty), [[[-128]]])
    equal(compute(text.format("avg_pool", "f32", "f32"), empty), [[[0]]])
    equal(compute(text.format("avg_pool", "i8", "i8"), empty), [[[0]]])


def test_dynamic_sizes():
    x = integers(-9, 9, 1, 2, 5, 6)
    text = "%r = npu.max_pool %x window = [5, 6] data_layout = <NCHW> : tensor<?x2x?x?xi8>"
    equal(compute(text, x), x.max((2, 3), keepdims=True))
