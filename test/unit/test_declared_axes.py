"""The text in which the class of an op declares its axes."""

import re
from typing import ClassVar

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import AxisAttribute, AxisTable, Counts
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.declared_axes import axes_of, stored_axes
from npu_opt.dialects.npu.elementwise import UnaryOp
from npu_opt.dialects.npu.same_layout import SameLayoutOp
from npu_opt.layout import Layout

CONVOLUTION = axes_of("data[N, I, *S~], kernel[O, I, *S~], bias[O], zero_point[] -> result[N, O, *S~]")

NOT_DECLARED = {"npu.dynamic_pad": {"fill"}, "npu.vendor_any_order": {"parameters"}, "npu.vendor_pool": {"parameters"}}
"""Operands of one element, and operands of other systems whose axes are unknown."""


def test_values_with_other_ends_have_layouts_of_their_own():
    assert CONVOLUTION.independent == {"kernel", "bias", "zero_point"}
    assert CONVOLUTION.feature_map == "data"
    assert CONVOLUTION.by_letters["OI"] == "kernel"


def test_marks():
    (batch, channels, spatial) = CONVOLUTION.values["data"]
    assert not batch.is_related
    assert not channels.is_any_number
    assert spatial.is_related
    assert spatial.is_any_number
    assert not CONVOLUTION.repeats
    assert axes_of("lhs[*A?], rhs[*A?] -> result[*A]").repeats


def test_attributes_that_name_axes():
    table = axes_of("input[*A], scale[axis] -> result[*A]; axis: one, splits; axes: listed; low: each -1")
    assert table.attributes == {
        "axis": AxisAttribute(Counts.ONE, splits=True),
        "axes": AxisAttribute(Counts.LISTED),
        "low": AxisAttribute(Counts.EACH, neutral=-1),
    }
    assert table.vectors == table.independent == {"scale"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("input[*A]", "'input[*A]': expected one '->'"),
        ("input[*A], scale -> result[*A]", "'input[*A], scale': expected values such as input[N, C, *S]"),
        ("input[*A!] -> result[*A]", "'*A!': expected an axis such as N, *S, S~, A? or the name of an attribute"),
        ("input[axis] -> result[*A]", "'input[axis] -> result[*A]': axis is named by no attribute behind ';'"),
        (
            "input[*A] -> result[*A]; axis: two",
            "'axis: two': expected an attribute such as 'axis: one, splits' or 'low: each 0'",
        ),
    ],
)
def test_texts_that_are_not_understood(text: str, problem: str):
    with pytest.raises(ValueError, match=re.escape(problem)):
        axes_of(text)


def test_a_class_without_a_declared_operand_is_an_error_when_it_is_made():
    with pytest.raises(TypeError, match="Wrong: AXES declares slope, which is no operand, result or property"):

        class Wrong(UnaryOp):  # pyright: ignore[reportUnusedClass] -- making it is the test
            AXES: ClassVar[AxisTable] = axes_of("input[*A], slope[*A?] -> result[*A]")


def test_axes_of_stored_values():
    data, kernel = CONVOLUTION.values["data"], CONVOLUTION.values["kernel"]
    assert stored_axes(data, Layout.parse("NHWC"), 4) == ["N", "S0", "S1", "I"]
    assert stored_axes(kernel, Layout.parse("HWOI"), 4) == ["S0", "S1", "O", "I"]
    assert stored_axes(data, Layout.parse("NCHW16c"), 5) == ["N", "I", "S0", "S1", "i"]
    assert stored_axes(CONVOLUTION.values["bias"], Layout.parse("Tensor"), 1) == ["O"]


@pytest.mark.parametrize("op", [op for op in NPU.operations if issubclass(op, SameLayoutOp)], ids=lambda op: op.name)
def test_all_operands_and_results_are_declared(op: type[NpuOp]):
    definition = op.get_irdl_definition()
    names = {name for name, _ in (*definition.operands, *definition.results)}
    assert names - op.AXES.values.keys() == NOT_DECLARED.get(op.name, set())
