"""Matching of transposes by their locations."""

from npu_opt.tools.observers.match_transposes import TransposeMatches, match_transposes
from npu_opt.tools.observers.seen_transposes import SeenTranspose, seen_transposes
from support.ir_text import parse

TRANSPOSE = "npu.transpose %in permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"


def seen(**locations: str) -> list[SeenTranspose]:
    """A transpose of each name, which comes from where is said."""
    ops = [f"%{name} = {TRANSPOSE} loc({location})" for name, location in locations.items()]
    lines = "\n".join(ops)
    module = parse(f"func.func @main(%in: tensor<2x3xf32>) {{\n{lines}\nfunc.return\n}}")
    return list(seen_transposes(module))


def matches(gone: list[SeenTranspose], new: list[SeenTranspose]) -> tuple[dict[str, str], str, str]:
    """The matches by the names of the ops: successors, composed ops, and compositions."""
    found: TransposeMatches = match_transposes(gone, new)
    name = {each.op: str(each.op.result.name_hint) for each in (*gone, *new)}
    successors = {name[old]: name[op] for old, op in found.successors.items()}
    return (
        successors,
        " ".join(sorted(map(name.__getitem__, found.composed))),
        " ".join(sorted(map(name.__getitem__, found.compositions))),
    )


A, B, C = '"a.py":1:1', '"b.py":1:1', '"my-pass: %conv demands NHWC"("c.py":1:1)'


def test_one_that_comes_from_the_same_place_is_the_same():
    assert matches(seen(a=A, b=B), seen(x=B, y=C)) == ({"b": "x"}, "", "")


def test_equal_locations_are_matched_in_program_order():
    assert matches(seen(a=A, b=A, c=A), seen(x=A, y=A)) == ({"a": "x", "b": "y"}, "", "")


def test_one_that_comes_from_other_places_as_well_is_still_the_same():
    assert matches(seen(a=A, b=B), seen(x=f"fused[{A}, {C}]")) == ({"a": "x"}, "", "")


def test_one_that_comes_from_several_that_are_gone_is_composed_of_them():
    assert matches(seen(a=A, b=B, c=C), seen(x=f"fused[{A}, {C}]")) == ({}, "a c", "x")


def test_several_may_be_composed_of_the_same():
    gone = seen(a=A, b=B, c=C)
    assert matches(gone, seen(x=f"fused[{A}, {B}]", y=f"fused[{A}, {C}]")) == ({}, "a b c", "x y")


def test_a_composition_is_composed_again():
    gone = seen(a=f"fused[{A}, {B}]", b=C)
    assert matches(gone, seen(x=f"fused[{A}, {B}, {C}]")) == ({}, "a b", "x")
    # Not all of its places are there.
    assert matches(gone, seen(x=f"fused[{A}, {C}]")) == ({"b": "x"}, "", "")


def test_one_that_has_a_successor_is_not_composed_as_well():
    gone = seen(a=A, b=B)
    assert matches(gone, seen(x=f"fused[{A}, {B}]", y=A)) == ({"a": "y", "b": "x"}, "", "")
    assert matches(gone, seen(x=f"fused[{A}, {B}]", y=f"fused[{A}, {C}]")) == ({"a": "y"}, "b", "x")


def test_unknown_locations_match_nothing():
    assert matches(seen(a="unknown"), seen(x="unknown")) == ({}, "", "")


def test_a_place_that_many_share_takes_no_longer():
    names = [f"t{index}" for index in range(1000)]
    gone = seen(**{name: f'fused[{A}, "{name}":1:1]' for name in names}, rest=B)
    new = seen(**{f"n{name}": f'fused[{A}, "{name}":1:1, {B}]' for name in names})
    successors, composed, compositions = matches(gone, new)
    assert successors == {}
    assert len(composed.split()) == 1001
    assert len(compositions.split()) == 1000
