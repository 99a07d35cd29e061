"""`--what-if`: each answer is the cost of the program that is solved with the change."""

import json
import re

import npu_opt
import pytest
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools.observers.what_if import WhatIfAnswer, what_if
from support.generators.programs import random_program
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

NETWORKS = ("shufflenet_v2", "squeezenet")


def solved(module: ModuleOp, answer: WhatIfAnswer) -> None:
    """Solve a program with the flag that an answer names, and compare."""
    flag = re.search(r"\(--interface=(.*)\)$", answer.change)
    if flag is None:
        return
    found = what_if(LayoutOptimal(interface=flag[1]), module)
    assert found.before == answer.cost, answer.change


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed: int):
    module = random_program(seed, 12, coloured=seed % 2 == 0, functions=0)
    text = str(module)
    found = what_if(LayoutOptimal(), module)
    assert str(module) == text
    for answer in found.answers:
        assert answer.cost.bytes <= found.before.bytes
        solved(module, answer)


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str):
    module = npu_opt.load(ROOT / f"benchmarks/models/{name}.onnx").module
    found = what_if(LayoutOptimal(), module)
    assert found.answers
    for answer in found.answers:
        solved(module, answer)


def test_json_has_what_the_lines_have():
    found = what_if(LayoutOptimal(), npu_opt.load(ROOT / "examples/two_branches.mlir").module)
    data = json.loads(found.as_json())
    assert data["before"] == {"transposes": 2, "bytes": 1536}
    assert [each["change"] for each in data["changes"]] == [each.change for each in found.answers]
    assert all(any(each.change in line for line in found.lines()) for each in found.answers)
