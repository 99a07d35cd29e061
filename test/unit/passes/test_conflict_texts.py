"""The reasons of transposes contradict themselves nowhere: of two ends, what one wants is not what the other has."""

import re
from collections import Counter

import npu_opt
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.conflicts import Conflicts
from npu_opt.passes.placement.layout_pass import colour
from support.campaign import amount
from support.generators.programs import random_program
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

WANTED = re.compile(r"(?:demands|keeps|is|takes|orders of|pinned to) ((?:[A-Z]{3,}|N?Tensor)(?:, \[[\d, ]+\])?)(?= |$)")
BETWEEN = re.compile(r": (%\S+) (transpose|reshape|relabel)\S* of the program is between them")


def kinds_of_texts(module: ModuleOp, target: str) -> Counter[str]:
    """The number of reasons of each kind for a program on a target."""
    layout_pass = LayoutOptimal(target=target)
    names = colour(module, layout_pass.default_layout())
    choice = layout_pass.choose(module, layout_pass.chosen_interface(module, names))
    conflicts = Conflicts(choice, names)
    return Counter(
        kind(conflicts.text(use), {*Names(module).known(), *names.known()}) for use in choice.uses if use.is_converted
    )


def kind(text: str, names: set[str]) -> str:
    """The kind of a reason, which is checked."""
    one, but, other = text.partition(", but ")
    if but:
        assert "so does" not in other, text
        wanted, given = WANTED.findall(one), WANTED.findall(other)
        assert not (wanted and given) or wanted[0] != given[0], text
        return "but"
    between = BETWEEN.search(text)
    assert between is None or between[1] in names, text
    return "no op" if between is None and " between them" in text else "one side" if between is None else between[2]


def test_no_two_ends_of_random_programs_want_the_same():
    found: Counter[str] = Counter()
    for seed in range(amount(40, 2_000)):
        program = random_program(seed, 14, coloured=seed % 2 == 0, functions=0)
        found += kinds_of_texts(program, ("opu", "plover")[seed % 2])
    assert found["but"] > 20


def test_the_channel_shuffles_of_a_network_are_between_its_convolutions():
    module = npu_opt.load(ROOT / "benchmarks/models/shufflenet_v2.onnx").module
    found = kinds_of_texts(module, "opu")
    assert found["but"] == 1, "the image at the first convolution"
    assert found["transpose"] >= 16
    assert set(found) == {"but", "transpose", "one side"}
