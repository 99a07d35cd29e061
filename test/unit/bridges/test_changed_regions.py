"""The comparison of written models with those that came finds nodes that are changed without need."""

from collections.abc import Sequence

import onnx
import pytest
from onnx import ModelProto
from support.oracles.same_nodes import differences

HEAD = '<ir_version: 8, opset_import: ["": 18]> net '
CONSTANTS = (
    "<int64[3] rows = {2, -1, 4}, float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}, int64[1] last = {-1},"
    " float[4] b = {1,2,3,4}, int64[6] none = {0,0,0,0,0,0}>"
)
ENDS = f"(float[2,3,4] x) => (float[2,3,4] y) {CONSTANTS} "


def model(nodes: str, ends: str = ENDS) -> ModelProto:
    return onnx.parser.parse_model(f"{HEAD}{ends}{{ {nodes} }}")


def found(before: str, after: str) -> Sequence[str]:
    return [*differences(model(before), model(after))]


WITHOUT_NEED: Sequence[tuple[str, str, Sequence[str]]] = (
    # An attribute that was left out, a negative axis, another order of operands.
    ("y = Softmax (x)", "y = Softmax <axis = -1> (x)", ["Softmax y: axis is -1, not left out"]),
    ("y = Softmax <axis = -1> (x)", "y = Softmax <axis = 2> (x)", ["Softmax y: axis is 2, not -1"]),
    ("y = Add (x, b)", "y = Add (b, x)", ["Add y: reads ['b', 'x'], not ['x', 'b']"]),
    # Another op, another name, and a node that became two.
    ("[n] y = Relu (x)", "[n] y = Reshape (x, rows)", ["Relu n: is Reshape"]),
    ("[n] y = Relu (x)", "[m] y = Relu (x)", ["Relu n: is called m"]),
    (
        "a = MatMul (x, w) y = Relu (a)",
        "c = MatMul (x, w) y = Relu (c)",
        ["MatMul a: gone", "Relu y: reads ['c'], not ['a']", "MatMul c: new"],
    ),
    ("y = Sum (x, x, x)", "a = Add (x, x) y = Add (a, x)", ["Sum y: is Add", "Add a: new"]),
    # A view of another op beside no transpose.
    (
        "u = Unsqueeze (x, last) e = Exp (u) y = Squeeze (e, last)",
        "u = Unsqueeze (x, last) e = Exp (u) y = Reshape (e, rows)",
        ["Squeeze y: is Reshape"],
    ),
    # A pair of transposes goes; a node at another place does not have to change.
    (
        "a = Transpose <perm = [0, 2, 1]> (x) r = Relu (a) c = Transpose <perm = [0, 2, 1]> (r) y = Softmax (c)",
        "c = Relu (x) y = Softmax (c)",
        [],
    ),
    (
        "a = Transpose <perm = [0, 2, 1]> (x) r = Relu (a) c = Transpose <perm = [0, 2, 1]> (r) e = Exp (x) z = Elu (e)"
        " y = Add (c, z)",
        "r = Relu (x) e = Exp (x) z = Elu <alpha = 1.0> (e) y = Add (r, z)",
        ["Elu z: alpha is 1.0, not left out"],
    ),
    # A transpose of unit axes moves nothing.
    (
        "u = Unsqueeze (x, last) t = Transpose <perm = [0, 1, 3, 2]> (u) r = Softmax <axis = 3> (t)"
        " y = Reshape (r, rows)",
        "u = Unsqueeze (x, last) r = Softmax <axis = 2> (u) y = Reshape (r, rows)",
        ["Transpose t: gone", "Softmax r: reads ['u'], not ['t'], axis is 2, not 3"],
    ),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after", "texts"), WITHOUT_NEED)
def test_changes_without_need_are_found(before: str, after: str, texts: Sequence[str]):
    assert found(before, after) == texts
    assert found(before, before) == []


MOVED = (
    # Square matrices do not show their order.
    (
        "(float[4,4] x) => (float[4,4] y)",
        "t = Transpose (x) s = Softmax <axis = 0> (t) r = Relu (s) y = Transpose (r)",
        "s = Softmax <axis = 1> (x) y = Relu (s)",
    ),
    # Nor do merged axes, and nodes that are as they came may be between.
    (
        "(float[2,3,4] x) => (float[6,4] y) <int64[2] rows = {6, 4}, int64[1] one = {1}>",
        "t = Transpose <perm = [1, 0, 2]> (x) r = Reshape (t, rows) e = Exp (r) s = Softmax <axis = 1> (e)"
        " y = Relu (s)",
        "r = Exp (x) e = Softmax (r) u = Transpose <perm = [1, 0, 2]> (e) s = Reshape (u, rows) y = Relu (s)",
    ),
)


@pytest.mark.parametrize(("ends", "before", "after"), MOVED)
def test_nodes_between_transposes_that_go_may_change(ends: str, before: str, after: str):
    assert [*differences(model(before, ends), model(after, ends))] == []


IDLE = (
    ("i = Identity (x) y = Relu (i)", "y = Relu (x)"),
    ("p = Pad (x, none) y = Relu (p)", "y = Relu (x)"),
    ("r = Relu (x) y = Identity (r)", "y = Relu (x)"),
    ("d = Dropout (x) y = Relu (d)", "y = Relu (x)"),
    ("s = Shape (x) z = Exp (x) y = Reshape (z, s)", "y = Exp (x)"),
    ("z = Exp (x) s = Shape (x) f = Reshape (x, s) y = Add (f, z)", "z = Exp (x) y = Add (x, z)"),
)


@pytest.mark.parametrize(("before", "after"), IDLE)
def test_nodes_without_effect_and_computed_shapes_may_be_gone(before: str, after: str):
    assert found(before, after) == []


SUBGRAPH = (
    "(bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] r) { r = Elu <%> (x) },"
    " else_branch = e () => (float[2] s) { s = Neg (x) }> }"
)


def test_subgraphs_are_compared():
    given, written = (
        onnx.parser.parse_model(HEAD + SUBGRAPH.replace("%", f"alpha = {each}")) for each in ("1.0", "2.0")
    )
    assert [*differences(given, written)] == ["Elu r: alpha is 2.0, not 1.0"]
    assert [*differences(given, given)] == []
