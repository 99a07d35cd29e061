"""The dialect as a Python program sees it."""

import re

import pytest
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.unary import AbsOp
from npu_opt.layout import DYNAMIC, Layout
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32
from xdsl.utils.exceptions import VerifyException


def test_unknown_sizes_are_written_as_xdsl_writes_them():
    assert DYNAMIC == DYNAMIC_INDEX


def test_a_layout_fits_the_rank_also_where_no_parser_has_looked():
    type_ = TensorType(f32, [1, 8, 8], LayoutAttr(Layout.parse("NHWC")))
    (value,) = test.TestOp(result_types=[type_]).results
    expected = "'npu.abs' input: expected a layout that fits the rank, found layout NHWC is of rank 4"
    with pytest.raises(VerifyException, match=re.escape(expected)):
        AbsOp(operands=[value], result_types=[type_]).verify()
