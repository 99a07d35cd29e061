"""The text in which the class of an op declares its axes."""

import re
from typing import ClassVar

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import AxisAttribute, AxisTable, Counts, PossibleLayouts
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import Conv2dOp, ConvolutionOp
from npu_opt.dialects.npu.declared_axes import axes_of, stored_axes
from npu_opt.dialects.npu.elementwise import UnaryOp
from npu_opt.dialects.npu.quantized_pooling import QuantAvgPoolOp
from npu_opt.dialects.npu.same_layout import SameLayoutOp
from npu_opt.dialects.npu.spatial import Img2colOp
from npu_opt.layout import Layout, LayoutClass
from support.ir_text import parse_verified

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


def test_pieces_of_a_bias_are_those_of_the_outputs_in_any_order():
    """The result stores the inner piece of its channels before the outer one, the bias the outer one first."""
    data, kernel = "tensor<1x8x2x4x4xf32, #npu.layout<N8cCHW>>", "tensor<2x2x1x1x8x8xf32, #npu.layout<OIHW8o8i>>"
    bias = "tensor<2x8xf32, #npu.layout<Tensor, [0] tiles [0 by 8]>>"
    module = parse_verified(f"""func.func @main(%x: {data}, %w: {kernel}, %b: {bias}) -> {data} {{
      %r = npu.conv2d %x, %w, %b : ({data}, {kernel}, {bias}) -> {data}
      func.return %r : {data}
    }}""")
    (roles,) = (op.roles() for op in module.walk() if isinstance(op, ConvolutionOp))
    assert roles is not None
    BIAS, OUTER, INNER = 2, (0, 2), (0, 1)
    found = {role.results: [place for place in role.operands if place[0] == BIAS] for role in roles.roles}
    assert (found[OUTER,], found[INNER,]) == ([(BIAS, 0)], [(BIAS, 1)])


@pytest.mark.parametrize(("op", "name"), [(QuantAvgPoolOp, "input_scale"), (Img2colOp, "result"), (Conv2dOp, "bias")])
def test_values_without_letters_cannot_have_layouts_with_letters(op: type[NpuOp], name: str):
    assert op.possible_layouts()[name].classes == (LayoutClass.TENSOR, LayoutClass.NTENSOR)
    assert op.possible_layouts()[op.AXES.feature_map].classes == (LayoutClass.FEATURE,)


def test_a_kernel_has_the_letters_of_weights():
    assert Conv2dOp.possible_layouts()["kernel"] == PossibleLayouts((LayoutClass.WEIGHT,), (4,))
