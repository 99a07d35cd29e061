"""docs/onnx.md names what is mapped."""

import re

from npu_opt.bridges.onnx.importing.expanded import EXPANDED
from npu_opt.bridges.onnx.importing.registry import CONVERTERS
from support.source_tree import ROOT


def test_every_mapped_op_is_named():
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "onnx.md").read_text()))
    assert {name.rpartition(".")[2] for name in (*CONVERTERS, *EXPANDED)} <= named
