"""Resampling and spatial ops against loops over every index."""

import math

import numpy as np
import pytest
from support.oracles.one_op import Array, close, compute, equal, integers, numbers

X = numbers(2, 3, 4, 5)


def in_layout(name: str, attributes: str, x: Array, result: tuple[int, ...], layout: str = "NHWC") -> Array:
    """The result in logical order of an op on an activation that is given in logical order."""
    order = ["NCHW".index(letter) for letter in layout]
    shapes = ["x".join(str(shape[axis]) for axis in order) for shape in (x.shape, result)]
    types = [f"tensor<{shape}xf32, #npu.layout<{layout}>>" for shape in shapes]
    found = compute(f"%r = npu.{name} %x {attributes} : ({types[0]}) -> {types[1]}", np.transpose(x, order))
    return np.transpose(found, np.argsort(order))


@pytest.mark.parametrize("layout", ["NCHW", "NHWC", "WCHN"])
def test_upsample(layout: str):
    found = in_layout("upsample", "factors = [2, 3]", X, (2, 3, 8, 15), layout)
    for n, c, h, w in np.ndindex(*found.shape):
        assert found[n, c, h, w] == X[n, c, h // 2, w // 3]


def test_upsample_of_a_volume():
    x = numbers(1, 2, 3, 1, 2)
    text = (
        "%r = npu.upsample %x factors = [1, 2, 3] data_layout = <NCDHW>"
        " : (tensor<1x2x3x1x2xf32>) -> tensor<1x2x3x2x6xf32>"
    )
    found = compute(text, x)
    for n, c, d, h, w in np.ndindex(*found.shape):
        assert found[n, c, d, h, w] == x[n, c, d, h // 2, w // 3]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_unpool(layout: str):
    found = in_layout("unpool", "window = [2, 3]", X, (2, 3, 8, 15), layout)
    for n, c, h, w in np.ndindex(*found.shape):
        is_first = h % 2 == 0 and w % 3 == 0
        assert found[n, c, h, w] == (X[n, c, h // 2, w // 3] if is_first else 0)


def test_mask_unpool():
    x, mask = numbers(1, 2, 3, 4), integers(0, 1, 1, 4, 6, 4).astype(bool)
    text = (
        "%r = npu.mask_unpool %x, %m window = [2, 2] : (tensor<1x2x3x4xf32, #npu.layout<NHWC>>,"
        " tensor<1x4x6x4xi1, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>>"
    )
    found = compute(text, x, mask)
    for n, h, w, c in np.ndindex(*found.shape):
        assert found[n, h, w, c] == (x[n, h // 2, w // 2, c] if mask[n, h, w, c] else 0)


def place(coordinates: str, at: int, length: int, size: int, scale: float) -> float:
    match coordinates:
        case "half_pixel":
            found = (at + 0.5) / scale - 0.5
        case "asymmetric":
            found = at / scale
        case _:
            found = at * (size - 1) / (length - 1) if length > 1 else 0
    return min(max(found, 0), size - 1)


def weights(position: float) -> dict[int, float]:
    """The neighbours of a position, with one minus their distance."""
    low = math.floor(position)
    return {low: 1 - (position - low), **({low + 1: position - low} if position > low else {})}


@pytest.mark.parametrize("coordinates", ["half_pixel", "align_corners", "asymmetric"])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize(
    ("attributes", "sizes", "scales"),
    [
        ("sizes = [8, 7]", (8, 7), (2, 7 / 5)),
        ("sizes = [1, 2]", (1, 2), (1 / 4, 2 / 5)),
        ("factors = [1.5, 1.3]", (6, 6), (1.5, 1.3)),
        ("factors = [1.0, 4.0e-01]", (4, 2), (1, 0.4)),
    ],
)
def test_bilinear(attributes: str, sizes: tuple[int, int], scales: tuple[float, float], coordinates: str, layout: str):
    found = in_layout("bilinear", f'{attributes} coordinates = "{coordinates}"', X, (2, 3, *sizes), layout)
    for n, c, h, w in np.ndindex(*found.shape):
        rows = weights(place(coordinates, h, sizes[0], 4, scales[0]))
        columns = weights(place(coordinates, w, sizes[1], 5, scales[1]))
        close(found[n, c, h, w], sum(a * b * X[n, c, i, j] for i, a in rows.items() for j, b in columns.items()))


@pytest.mark.parametrize(
    ("size", "factor", "length"),
    [(10, 0.9, 9), (10, 0.7, 7), (100, 0.29, 29), (30, 1.1, 33), (10, 0.8999, 8), (1000, 1.0009, 1000)],
)
def test_sizes_of_factors_that_an_f32_cannot_represent(size: int, factor: float, length: int):
    """The size is the decimal product, rounded down, whether the factor is the nearest f32 or the nearest f64."""
    for each in (factor, float(np.float32(factor))):
        found = in_layout("bilinear", f"factors = [{each!r}, 1.0]", np.ones((1, 1, size, 1)), (1, 1, length, 1))
        equal(found, np.ones((1, 1, length, 1)))


def test_bilinear_keeps_infinities_where_they_are():
    x = np.array([[[[1.0, np.inf, 2.0]]]])
    found = in_layout("bilinear", 'sizes = [1, 3] coordinates = "asymmetric"', x, (1, 1, 1, 3))
    equal(found, x)


def test_bilinear_to_an_empty_result():
    assert in_layout("bilinear", "sizes = [0, 2]", X, (2, 3, 0, 2)).shape == (2, 3, 0, 2)
    empty = np.zeros((1, 1, 0, 2))
    assert in_layout("bilinear", "sizes = [0, 2]", empty, (1, 1, 0, 2)).shape == (1, 1, 0, 2)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_depth_to_space(layout: str):
    x = numbers(1, 8, 2, 3)
    dcr = in_layout("depth_to_space", "block = 2", x, (1, 2, 4, 6), layout)
    crd = in_layout("depth_to_space", 'block = 2 mode = "crd"', x, (1, 2, 4, 6), layout)
    for n, c, h, w in np.ndindex(*dcr.shape):
        assert dcr[n, c, h, w] == x[n, (h % 2 * 2 + w % 2) * 2 + c, h // 2, w // 2]
        assert crd[n, c, h, w] == x[n, (c * 2 + h % 2) * 2 + w % 2, h // 2, w // 2]
    equal(in_layout("space_to_depth", "block = 2", dcr, (1, 8, 2, 3), layout), x)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("result", ["", ", #npu.layout<NTensor>", ", #npu.layout<Tensor, [2, 0, 1]>"])
def test_img2col(layout: str, result: str):
    """One row per position, in which the channels of one window element are adjacent."""
    x = numbers(1, 3, 5, 6)
    order = ["NCHW".index(letter) for letter in layout]
    shape = "x".join(str(x.shape[axis]) for axis in order)
    stored = "18x1x15" if "[2" in result else "1x15x18"
    text = (
        "%r = npu.img2col %x window = [3, 2] strides = [2, 1] dilations = [1, 2] pads = [1, 0, 1, 1]"
        f" : (tensor<{shape}xf32, #npu.layout<{layout}>>) -> tensor<{stored}xf32{result}>"
    )
    found = compute(text, np.transpose(x, order))
    rows = found.transpose(1, 2, 0) if "[2" in result else found
    for h, w, kh, kw, c in np.ndindex(3, 5, 3, 2, 3):
        at = h * 2 + kh - 1, w + kw * 2
        is_inside = 0 <= at[0] < 5 and at[1] < 6
        assert rows[0, h * 5 + w, (kh * 2 + kw) * 3 + c] == (x[0, c, at[0], at[1]] if is_inside else 0)


def test_mirror():
    text = (
        "%r = npu.mirror %x axes = [2] : (tensor<2x3x4x5xf32, #npu.layout<NHWC>>)"
        " -> tensor<2x3x4x5xf32, #npu.layout<NHWC>>"
    )
    found = compute(text, X)
    for n, h, w, c in np.ndindex(*X.shape):
        assert found[n, h, w, c] == X[n, h, 3 - w, c]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_rotate(layout: str):
    turned = in_layout("rotate", "turns = 1", X, (2, 3, 5, 4), layout)
    for n, c, h, w in np.ndindex(*turned.shape):
        assert turned[n, c, h, w] == X[n, c, w, 4 - h]
    equal(in_layout("rotate", "turns = 1", turned, X.shape, layout), in_layout("rotate", "turns = 2", X, X.shape))
    equal(in_layout("rotate", "turns = 3", turned, X.shape, layout), X)


@pytest.mark.parametrize(
    ("coordinates", "given", "expected"),
    [
        # 1.5 / 0.6 - 0.5 is 2 in f32, and a little less with the scale of f32 in f64.
        ("half_pixel", 5, [0, 2, 3]),
        # 41 * (2 / 82) is less than 1 in f32.
        ("lite_asymmetric", 2, [0] * 42 + [1] * 40),
        ("asymmetric", 2, [0] * 41 + [1] * 41),
    ],
)
def test_positions_of_a_resize_are_computed_in_f32(coordinates: str, given: int, expected: list[int]):
    text = (
        f'%r = npu.dynamic_resize %x, %n axes = [0] coordinates = "{coordinates}" rounding = "floor"'
        f" : (tensor<{given}xf32>, tensor<1xi64>) -> tensor<?xf32>"
    )
    assert compute(text, np.arange(given), [len(expected)]).tolist() == expected


@pytest.mark.parametrize(
    ("coordinates", "rounding", "scales", "columns", "rows"),
    [
        ("tf_crop_and_resize", "floor", [1.0, 1.25], [0, 0, 1, 2, 3], [0, 1, 2]),
        ("tf_crop_and_resize", "floor", [1.1, 1.25], [0, 0, 1, 2, 3], [1, 1, 1]),
        ("tf_crop_and_resize", "floor", [1.1, 1.1], [0, 1, 2, 3], [0, 1, 2]),
        ("tf_half_pixel_for_nn", "ceil", [1.0, 1.25], [1, 2, 2, 3, 3], [0, 1, 2]),
        ("tf_half_pixel_for_nn", "ceil", [1.1, 1.25], [1, 2, 2, 3, 3], [1, 2, 2]),
    ],
)
def test_an_axis_of_scale_one_stays(
    coordinates: str, rounding: str, scales: list[float], columns: list[int], rows: list[int]
):
    """As in ONNX Runtime 1.32, whose numbers these are."""
    is_cropped = coordinates == "tf_crop_and_resize"
    text = (
        f"%r = npu.dynamic_resize %x, %n{', %b' * is_cropped} axes = [0, 1]"
        f' coordinates = "{coordinates}" rounding = "{rounding}"'
        f" : (tensor<3x4xf32>, tensor<2xf32>{', tensor<4xf32>' * is_cropped}) -> tensor<?x?xf32>"
    )
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    given = [x, np.array(scales, np.float32), *([np.array([0.5, 0, 0.5, 1], np.float32)] * is_cropped)]
    assert compute(text, *given).tolist() == x[np.ix_(rows, columns)].tolist()
