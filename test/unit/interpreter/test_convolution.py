"""The convolution family against loops over every index, and in every layout."""

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.interpreter import evaluate
from npu_opt.layout import Layout
from scipy import signal  # pyright: ignore[reportMissingTypeStubs]  # SciPy ships no types.
from support.oracles.one_op import Array, close, compute, equal, integers, numbers, parse_op

FEATURE = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
WEIGHT = {1: "OIW", 2: "OIHW", 3: "OIDHW"}
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A convolution: its logical shapes and its attributes."""

    data: Sizes
    kernel: Sizes
    strides: Sizes
    dilations: Sizes
    pads: Sizes
    groups: int = 1

    @property
    def rank(self) -> int:
        return len(self.strides)

    @property
    def outcome(self) -> Sizes:
        spatial = [
            max((size + before + behind - dilation * (extent - 1) - 1) // stride + 1, 0)
            for size, extent, stride, dilation, before, behind in zip(
                self.data[2:],
                self.kernel[2:],
                self.strides,
                self.dilations,
                self.pads[: self.rank],
                self.pads[self.rank :],
                strict=True,
            )
        ]
        return (self.data[0], self.kernel[0], *spatial)

    @property
    def attributes(self) -> str:
        return (
            f"strides = {list(self.strides)} dilations = {list(self.dilations)} pads = {list(self.pads)}"
            f" groups = {self.groups}"
        )

    def meetings(self) -> list[tuple[Sizes, Sizes, Sizes]]:
        """The indices of data, kernel and outcome whose elements are multiplied and added."""
        inputs, outputs = self.kernel[1], self.kernel[0] // self.groups
        found: list[tuple[Sizes, Sizes, Sizes]] = []
        for n, o, *position in np.ndindex(*self.outcome):
            for i, *place in np.ndindex(*self.kernel[1:]):
                at = [
                    p * stride + k * dilation - before
                    for p, stride, k, dilation, before in zip(
                        position, self.strides, place, self.dilations, self.pads, strict=False
                    )
                ]
                if all(0 <= a < size for a, size in zip(at, self.data[2:], strict=True)):
                    found.append(((n, o // outputs * inputs + i, *at), (o, i, *place), (n, o, *position)))
        return found


def tensor(shape: Sizes, element_type: str) -> str:
    return f"tensor<{'x'.join(map(str, (*shape, element_type)))}>"


def layouts(rank: int) -> str:
    return f"data_layout = <{FEATURE[rank]}> kernel_layout = <{WEIGHT[rank]}>"


def forward(case: Case, data: Array, kernel: Array, element_type: str = "f64") -> Array:
    data_type, kernel_type, outcome_type = (
        tensor(shape, element_type) for shape in (case.data, case.kernel, case.outcome)
    )
    text = (
        f"%r = npu.conv{case.rank}d %x, %w {case.attributes} {layouts(case.rank)}"
        f" : ({data_type}, {kernel_type}) -> {outcome_type}"
    )
    return compute(text, data, kernel)


def expected_outcome(case: Case, data: Array, kernel: Array) -> Array:
    outcome = np.zeros(case.outcome, data.dtype)
    for of_data, of_kernel, of_outcome in case.meetings():
        outcome[of_outcome] += data[of_data] * kernel[of_kernel]
    return outcome


def one_axis(values: st.SearchStrategy[int], rank: int) -> st.SearchStrategy[Sizes]:
    return st.tuples(*[values] * rank)


@st.composite
def cases(draw: st.DrawFn, rank: int, smallest: int = 0) -> Case:
    groups = draw(st.integers(1, 2))
    inputs, outputs = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    return Case(
        (draw(st.integers(smallest, 2)), groups * inputs, *draw(one_axis(st.integers(smallest, 5), rank))),
        (groups * outputs, inputs, *draw(one_axis(st.integers(1, 3), rank))),
        draw(one_axis(st.integers(1, 3), rank)),
        draw(one_axis(st.integers(1, 2), rank)),
        draw(one_axis(st.integers(0, 2), 2 * rank)),
        groups,
    )


@pytest.mark.parametrize("rank", [1, 2, 3])
@settings(max_examples=60)
@given(data=st.data())
def test_convolution(rank: int, data: st.DataObject):
    case = data.draw(cases(rank))
    x, w = numbers(*case.data).astype(float), numbers(*case.kernel).astype(float)
    close(forward(case, x, w), expected_outcome(case, x, w))


def test_convolution_equals_that_of_scipy():
    x, w = numbers(1, 1, 20, 30), numbers(1, 1, 5, 4)
    case = Case(x.shape, w.shape, (1, 1), (1, 1), (0, 0, 0, 0))
    expected = signal.correlate2d(x[0, 0], w[0, 0], "valid")  # pyright: ignore[reportUnknownMemberType]  # No types.
    close(forward(case, x, w, "f32")[0, 0], expected)


def test_integers_wrap():
    case = Case((1, 2, 4, 4), (3, 2, 3, 3), (1, 1), (1, 1), (1, 1, 1, 1))
    for width in (8, 64):
        low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
        x, w = integers(low, high, *case.data), integers(low, high, *case.kernel)
        exact = expected_outcome(case, x.astype(object), w.astype(object))
        equal(forward(case, x, w, f"i{width}"), (exact - low) % 2**width + low)


def test_unsigned_integers_wrap():
    case = Case((1, 1, 3), (1, 1, 2), (1,), (1,), (0, 0))
    equal(forward(case, np.array([[[200, 100, 3]]]), np.array([[[2, 3]]]), "ui8"), [[[700 % 256, 209]]])


def test_half_floats_are_added_as_f32():
    """A sum of f16 would stop growing at 2048."""
    case = Case((1, 4096, 1), (1, 4096, 1), (1,), (1,), (0, 0))
    ones = np.ones(case.data)
    equal(forward(case, ones, ones, "f16"), [[[4096]]])
    equal(forward(case, ones, ones, "bf16"), [[[4096]]])
    text = (
        "%r = npu.conv_transpose1d %x, %w data_layout = <NCW> kernel_layout = <OIW>"
        " : (tensor<1x1x2500xf16>, tensor<1x1x2500xf16>) -> tensor<1x1x4999xf16>"
    )
    assert compute(text, np.ones((1, 1, 2500)), np.ones((1, 1, 2500))).max() == 2500


def test_bias_is_added_per_channel():
    text = (
        "%r = npu.conv1d %x, %w, %b data_layout = <NCW> kernel_layout = <OIW>"
        " : (tensor<1x1x2xf32>, tensor<3x1x1xf32>, tensor<3xf32>) -> tensor<1x3x2xf32>"
    )
    found = compute(text, [[[1, 2]]], [[[1]], [[1]], [[1]]], [10, 20, 30])
    equal(found, [[[11, 12], [21, 22], [31, 32]]])


def transposed(case: Case, outcome: Array, kernel: Array, more: Sizes) -> Array:
    """Run as a transposed convolution: its data is the outcome of the case."""
    sizes = [
        max((count - 1) * stride + dilation * (extent - 1) + 1 - before - behind + added, 0)
        for count, stride, dilation, extent, before, behind, added in zip(
            outcome.shape[2:],
            case.strides,
            case.dilations,
            case.kernel[2:],
            case.pads[: case.rank],
            case.pads[case.rank :],
            more,
            strict=True,
        )
    ]
    result = (outcome.shape[0], case.kernel[1] * case.groups, *sizes)
    attributes = case.attributes.replace(" groups", f" output_pads = {list(more)} groups")
    text = (
        f"%r = npu.conv_transpose{case.rank}d %x, %w {attributes} {layouts(case.rank)}"
        f" : ({tensor(outcome.shape, 'f64')}, {tensor(case.kernel, 'f64')}) -> {tensor(result, 'f64')}"
    )
    return compute(text, outcome, kernel)


@pytest.mark.parametrize("rank", [1, 2, 3])
@settings(max_examples=60)
@given(data=st.data())
def test_transposed_convolution(rank: int, data: st.DataObject):
    """Each element adds its product with the kernel to a window; `output_pads` makes the result longer."""
    case = data.draw(cases(rank))
    more = data.draw(one_axis(st.integers(0, 2), rank))
    y, w = numbers(*case.outcome).astype(float), numbers(*case.kernel).astype(float)
    found = transposed(case, y, w, more)
    expected = np.zeros(found.shape)
    inputs, outputs = case.kernel[1], case.kernel[0] // case.groups
    for (n, o, *position), (i, *place) in product(np.ndindex(*y.shape), np.ndindex(*w.shape[1:])):
        at = tuple(
            p * stride + k * dilation - before
            for p, stride, k, dilation, before in zip(
                position, case.strides, place, case.dilations, case.pads, strict=False
            )
        )
        if all(0 <= a < size for a, size in zip(at, found.shape[2:], strict=True)):
            expected[(n, o // outputs * inputs + i, *at)] += y[(n, o, *position)] * w[(o, i, *place)]
    close(found, expected)


def test_output_pads_restore_the_pads_and_then_add_the_bias():
    text = (
        "%r = npu.conv_transpose1d %x, %w, %b pads = [0, 1] output_pads = [{0}] data_layout = <NCW>"
        " kernel_layout = <OIW> : (tensor<1x1x2xf32>, tensor<1x1x3xf32>, tensor<1xf32>) -> tensor<1x1x{1}xf32>"
    )
    operands = [[[1, 10]]], [[[1, 2, 3]]], [100]
    equal(compute(text.format(0, 3), *operands), [[[101, 112, 123]]])
    equal(compute(text.format(2, 5), *operands), [[[101, 112, 123, 130, 100]]])


def test_transposed_convolution_adds_a_bias():
    text = (
        "%r = npu.conv_transpose1d %x, %w, %b strides = [2] data_layout = <NCW> kernel_layout = <OIW>"
        " : (tensor<1x1x2xf32>, tensor<1x1x3xf32>, tensor<1xf32>) -> tensor<1x1x5xf32>"
    )
    equal(compute(text, [[[1, 10]]], [[[1, 2, 3]]], [100]), [[[101, 102, 113, 120, 130]]])


@settings(max_examples=40)
@given(case=cases(2, smallest=1))
def test_gradients(case: Case):
    x, w, dy = (numbers(*shape).astype(float) for shape in (case.data, case.kernel, case.outcome))
    data, kernel, outcome = (tensor(shape, "f64") for shape in (case.data, case.kernel, case.outcome))
    names = f"{case.attributes} {layouts(2)}"
    dx = compute(f"%r = npu.conv2d_bpa %dy, %w {names} : ({outcome}, {kernel}) -> {data}", dy, w)
    dw = compute(f"%r = npu.conv2d_bpw %x, %dy {names} : ({data}, {outcome}) -> {kernel}", x, dy)
    expected_dx, expected_dw = np.zeros_like(x), np.zeros_like(w)
    for of_data, of_kernel, of_outcome in case.meetings():
        expected_dx[of_data] += w[of_kernel] * dy[of_outcome]
        expected_dw[of_kernel] += x[of_data] * dy[of_outcome]
    close(dx, expected_dx)
    close(dw, expected_dw)


def stored(array: Array, letters: str) -> Array:
    order = Layout.parse(letters).order
    assert order is not None
    return np.transpose(array, order)


def in_layouts(name: str, attributes: str, operands: list[tuple[Array, str]], result: tuple[Sizes, str]) -> Array:
    """The result in logical order of an op on arrays in logical order, stored in the layouts that are named."""

    def type_of(shape: Sizes, letters: str) -> str:
        return f"{tensor(shape, 'f32')[:-1]}, #npu.layout<{letters}>>"

    types = [type_of(stored(array, letters).shape, letters) for array, letters in operands]
    shape, letters = result
    result_type = type_of(stored(np.empty(shape), letters).shape, letters)
    values = ", ".join(f"%{index}" for index in range(len(types)))
    text = f"%r = npu.{name} {values} {attributes} : ({', '.join(types)}) -> {result_type}"
    op: NpuOp = parse_op(text)
    (found,) = evaluate(op, [stored(array, letters) for array, letters in operands])
    order: Any = Layout.parse(letters).order
    return np.transpose(found, np.argsort(order))


ALL_FEATURE = ["".join(letters) for letters in permutations("NCHW")]
ALL_WEIGHT = ["".join(letters) for letters in permutations("OIHW")]
CASE = Case((2, 4, 6, 5), (6, 2, 3, 2), (2, 1), (1, 2), (1, 0, 2, 1), 2)


@pytest.mark.parametrize("index", range(24))
def test_layouts_change_the_storage_only(index: int):
    feature, weight = ALL_FEATURE[index], ALL_WEIGHT[-1 - index]
    x, w, dy = numbers(*CASE.data), numbers(*CASE.kernel), numbers(*CASE.outcome)
    attributes = CASE.attributes
    plain = in_layouts("conv2d", attributes, [(x, "NCHW"), (w, "OIHW")], (CASE.outcome, "NCHW"))
    close(plain, expected_outcome(CASE, x, w))
    for name, left, right, result in (
        ("conv2d", (x, "NCHW"), (w, "OIHW"), (CASE.outcome, "NCHW")),
        ("conv2d_bpa", (dy, "NCHW"), (w, "OIHW"), (CASE.data, "NCHW")),
        ("conv2d_bpw", (x, "NCHW"), (dy, "NCHW"), (CASE.kernel, "OIHW")),
    ):
        plain = in_layouts(name, attributes, [left, right], result)
        renamed = {"NCHW": feature, "OIHW": weight}
        other = in_layouts(
            name,
            attributes,
            [(array, renamed[letters]) for array, letters in (left, right)],
            (result[0], renamed[result[1]]),
        )
        close(other, plain, 1e-4)


def test_layout_attributes_count_like_types():
    x, w = numbers(1, 4, 4, 2), numbers(3, 3, 5, 2)
    plain = (
        "%r = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <HWOI>"
        " : (tensor<1x4x4x2xf32>, tensor<3x3x5x2xf32>) -> tensor<1x2x2x5xf32>"
    )
    typed = (
        "%r = npu.conv2d %x, %w : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>, tensor<3x3x5x2xf32, #npu.layout<HWOI>>)"
        " -> tensor<1x2x2x5xf32, #npu.layout<NHWC>>"
    )
    equal(compute(plain, x, w), compute(typed, x, w))


def test_dynamic_sizes():
    text = (
        "%r = npu.conv2d %x, %w strides = [2, 2] data_layout = <NCHW> kernel_layout = <OIHW>"
        " : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32>"
    )
    x, w = numbers(2, 3, 7, 9), numbers(4, 3, 3, 3)
    case = Case(x.shape, w.shape, (2, 2), (1, 1), (0, 0, 0, 0))
    close(compute(text, x, w), expected_outcome(case, x, w))
