"""The groups of fuse-ops-hw on small hardware: the stage of each op, and the ops that may join."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from npu_opt.passes.cover.best import cover
from npu_opt.passes.fusion.groups.hardware_groups import hardware_groups
from npu_opt.passes.fusion.groups.traffic import traffic_of
from npu_opt.targets import Stage, Target
from support.generators.hardware import as_text, groups, hardware, matching, nodes_of, program
from support.oracles.legal_groups import faults
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

FORK = {
    "load": 'runs = ["abs"]',
    "left": 'runs = ["relu"]',
    "right": 'runs = ["relu", "neg"]\nuses = 1',
    "join": 'runs = ["add with tensor", "relu"]',
    "end": 'runs = ["exp"]',
}
FORK_EDGES = ("load > right | left", "left > join", "right > join", "join > left | end")


def op(name: str) -> Operation:
    node = next(node for node in nodes_of(program(f"a = {name} x", results="a")) if isinstance(node.source, Operation))
    assert isinstance(node.source, Operation)
    return node.source


def stage_name(stage: Stage | None) -> str | None:
    return None if stage is None else stage.name


@pytest.fixture(name="fork")
def _fork(tmp_path: Path) -> Target:
    return hardware(tmp_path, FORK_EDGES, FORK)


@pytest.mark.parametrize(
    ("name", "last", "uses", "expected"),
    [
        # Without a last stage the root itself may run the op.
        ("abs", None, {}, "load"),
        ("exp", None, {}, "end"),
        # Of two equally near stages, that of the first edge in the file.
        ("relu", "load", {}, "right"),
        ("relu", "load", {"right": 1}, "left"),
        ("neg", "load", {"right": 1}, None),
        # The nearest, though another is listed first; and around a cycle back to the same one.
        ("relu", "right", {}, "join"),
        ("relu", "left", {}, "join"),
        ("relu", "join", {}, "left"),
        # Stages may be skipped, full ones as well; there is no way back to the root or from the end.
        ("exp", "load", {"right": 1}, "end"),
        ("abs", "load", {}, None),
        ("abs", "left", {}, None),
        ("exp", "end", {}, None),
        # Ops that no stage runs.
        ("tanh", None, {}, None),
    ],
)
def test_find_match(fork: Target, name: str, last: str | None, uses: dict[str, int], expected: str | None):
    found = matching(fork, ModuleOp([])).find(op(name), fork.stage(last) if last else None, uses)
    assert stage_name(found) == expected


def test_a_cycle_comes_back_to_its_stage(tmp_path: Path):
    target = hardware(tmp_path, ("a > b", "b > a"), {"a": 'runs = ["relu"]', "b": 'runs = ["abs"]'})
    assert stage_name(matching(target, ModuleOp([])).find(op("relu"), target.stage("a"), {})) == "a"
    assert groups(target, "a = relu x", "b = relu a", "c = abs b", "d = relu c", results="d") == [
        "a on a, b on a, c on b, d on a"
    ]


def test_a_spent_stage_ends_the_group_and_says_so(tmp_path: Path):
    stages = {"a": 'runs = ["relu"]\nuses = 2', "b": 'runs = ["abs"]'}
    module = program("a = relu x", "b = relu a", "c = relu b", results="c")
    grouping = hardware_groups(nodes_of(module), matching(hardware(tmp_path, ("a > b", "b > a"), stages), module))
    assert as_text(grouping) == ["a on a, b on a", "c on a"]
    assert [each.reason for each in grouping.reasons.values()] == [
        "runs on a, which is full (at most 2 ops of a group)"
    ]


def test_only_the_newest_group_grows(fork: Target):
    # The second abs begins a group, so the group of the first one cannot take the sum any more.
    assert groups(fork, "a = abs x", "b = abs y", "c = relu b", "d = add a c", "e = exp a", results="d e") == [
        "a on load",
        "b on load, c on right, d on join",
        "e on end",
    ]


def test_op_without_operand_from_the_group_begins_another(fork: Target):
    assert groups(fork, "a = abs x", "b = relu y", "c = add a b", results="c") == ["a on load", "b on right, c on join"]


def test_cycle_through_several_ops_outside(fork: Target):
    lines = ("a = abs x", "t = tanh a", "u = sin t", "b = relu a", "c = add b u")
    assert groups(fork, *lines, results="c") == ["a on load, b on right", "c on join"]


def test_forbidden_escapes_cut_the_group_and_the_rest_begins_another(tmp_path: Path):
    target = hardware(tmp_path, FORK_EDGES, FORK, top="forbids-escaping = true")
    lines = ("a = abs x", "b = relu a", "c = add b y", "d = exp c")
    assert groups(target, *lines, results="d") == ["a on load, b on right, c on join, d on end"]
    assert groups(target, *lines, results="d b") == ["a on load, b on right", "c on join, d on end"]
    assert groups(target, *lines, results="b a d") == ["a on load", "b on right", "c on join, d on end"]
    # Also if another op ends the group.
    assert groups(target, *lines, "e = abs y", results="d b e") == [
        "a on load, b on right",
        "c on join, d on end",
        "e on load",
    ]
    # Without the second user inside, the first value is used outside: cutting repeats until none is.
    assert groups(target, "a = abs x", "b = relu a", "c = add b a", "d = exp b", results="c d") == [
        "a on load",
        "b on right",
        "c on join",
        "d on end",
    ]


def test_the_checker_finds_illegal_groups(fork: Target):
    """The campaign's check of legality finds errors."""
    module = program("a = abs x", "t = tanh a", "c = add a t", "e = exp y", results="c e")
    nodes = nodes_of(module)
    function = module.body.block.first_op
    assert function is not None
    block: Block = function.regions[0].block
    grouping = hardware_groups(nodes, matching(fork, module))
    assert faults(block, grouping, fork) == []
    first, second, third = grouping.groups
    assert as_text(grouping) == ["a on load", "c on join", "e on end"]
    first.add(second.members[0])
    found = faults(block, grouping, fork)
    assert "an op is in two groups" in found
    assert "groups wait for each other" in found
    first.cut(1)
    assert first.uses == {"load": 1}
    third.add(first.members[0])
    assert {"no way leads to load", "npu.abs reads nothing of its group"} <= set(faults(block, grouping, fork))


def test_data_is_transposed_once_while_it_is_loaded(tmp_path: Path):
    target = hardware(tmp_path, ["load > act"], {"load": "absorbs = true", "act": "runs = ['relu']"})
    chain = f"a = transpose x | {MOVED}", f"b = transpose a | {MOVED}", "c = relu b"
    assert groups(target, *chain, results="c") == ["c on act", "a on load"]
    with_reshape = f"a = transpose x | {MOVED}", "b = reshape a", "c = relu b"
    assert groups(target, *with_reshape, results="c") == ["c on act"]


MOVED = "permutation = [0, 2, 3, 1]"


@pytest.mark.parametrize(
    ("lines", "results", "edges", "stages", "top"),
    [
        pytest.param(
            (f"a = transpose x | {MOVED}", f"b = transpose a | {MOVED}", "c = relu a"),
            "b c",
            "s0 > s1",
            ("runs = ['relu']", "runs = ['exp']"),
            "forbids-escaping = true",
            id="the second transpose is returned, so that the first one cannot be in the group of the relu",
        ),
        pytest.param(
            (
                *(f"a = transpose y | {MOVED}", f"b = transpose a | {MOVED}", f"c = transpose a | {MOVED}"),
                *("d = relu c", "e = add d y", f"f = transpose b | {MOVED}"),
            ),
            "e f d",
            "s0 > s1, s1 > s2, s1 > s3",
            ("runs = ['mul']", "runs = ['abs']", "runs = ['add']\nuses = 1", "runs = ['relu', 'exp']"),
            "forbids-escaping = true",
            id="a transpose that is read by two more, one of which is returned",
        ),
        pytest.param(
            (
                *(f"a = transpose y | {MOVED}", "b = exp y", "c = add a b", "d = relu y", "e = mul a b"),
                *("f = exp b", "g = mul b e", "h = tanh g", "i = mul b y"),
            ),
            "c d f h i",
            "s0 > s1 > s2, s0 > s2, s1 > s3",
            (
                "runs = ['add', 'exp']\nuses = 2",
                "runs = ['mul', 'relu', 'exp']",
                "runs = ['abs', 'add']\nuses = 2",
                "runs = ['relu', 'add', 'abs']\nuses = 2",
            ),
            "",
            id="the second reader of a transpose reads what depends on the first one as well",
        ),
        pytest.param(
            (
                *("a = exp x", f"b = transpose a | {MOVED}", f"c = transpose y | {MOVED}", "d = mul b c"),
                *(f"e = transpose b | {MOVED}", "f = add c e"),
            ),
            "d f",
            "s0 > s1 > s2",
            ("runs = ['exp']", "runs = ['mul']", "runs = ['add']"),
            "",
            id="a transpose of what a group makes that reads another transpose",
        ),
        pytest.param(
            ("a = add y x", "b = abs a", "c = exp a", "d = add c b"),
            "d",
            "s0 > s1, s0 > s2",
            (
                "runs = ['exp', 'add', 'abs']\nuses = 2",
                "runs = ['add', 'mul']\nuses = 2",
                "runs = ['add', 'exp']\nuses = 2",
            ),
            "",
            id="the first op of a group cannot be followed by one on its own stage",
        ),
    ],
)
def test_groups_of_any_width_are_legal(
    lines: Sequence[str], results: str, edges: str, stages: Sequence[str], top: str, tmp_path: Path
):
    named = {f"s{place}": body for place, body in enumerate(stages)}
    target = hardware(tmp_path, edges.split(", "), named, top, ("reshape", "transpose"))
    module = program(*lines, results=results)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    flow = traffic_of(nodes_of(module), matching(target, module))
    for width in (1, 2, 48):
        assert faults(function.body.block, cover(flow, matching(target, module), width), target) == []


def test_only_data_goes_from_stage_to_stage(tmp_path: Path):
    """A slope is read beside the data: an op in front of it is neither in its pass nor before its stage."""
    stages = {"frame": 'runs = ["abs before act", "relu"]', "act": 'runs = ["prelu"]'}
    target = hardware(tmp_path, ("frame > act",), stages)
    assert groups(target, "a = abs x", "b = prelu a y", results="b") == ["a on frame, b on act"]
    assert groups(target, "a = abs x", "b = prelu y a", results="b") == ["b on act"]
    module = program("a = relu x", "r = reshape a", "b = prelu a r", results="b")
    grouping = hardware_groups(nodes_of(module), matching(target, module))
    assert as_text(grouping) == ["a on frame", "b on act"]
    assert [each.reason for each in grouping.reasons.values()] == [
        "uses a result of the previous group beside its data"
    ]
    best = cover(traffic_of(nodes_of(module), matching(target, module)), matching(target, module))
    assert as_text(best) == ["a on frame", "b on act"]
