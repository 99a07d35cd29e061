"""docs/onnx.md names what is mapped."""

import re

from npu_opt.bridges.onnx.importing.expanded import EXPANDED
from npu_opt.bridges.onnx.importing.registry import CONVERTERS
from support.source_tree import ROOT


def test_every_mapped_op_is_named():
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "onnx.md").read_text()))
    assert {name.rpartition(".")[2] for name in (*CONVERTERS, *EXPANDED)} <= named


def test_all_tests_that_are_not_mapped_are_listed():
    text = (ROOT / "docs" / "results" / "onnx.md").read_text()
    counted = re.search(r"(\d+) mapped, (\d+) run as they stay, (\d+) not run, (\d+) in total", text)
    assert counted is not None
    mapped, stay, not_run, total = map(int, counted.groups())
    rows = text.partition("| nodes that stay | tests |")[2].partition("\n\n")[0].splitlines()[2:]
    assert sum(int(row.split("|")[2]) for row in rows) == stay + not_run == total - mapped
