"""The dialect as a Python program sees it."""

from npu_opt.layout import DYNAMIC
from xdsl.dialects.builtin import DYNAMIC_INDEX


def test_unknown_sizes_are_written_as_xdsl_writes_them():
    assert DYNAMIC == DYNAMIC_INDEX
