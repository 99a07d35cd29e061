"""The channels rule of check_equal: it accepts channels in other orders, and rejects those that are others."""

# pyright: reportUnknownMemberType=false
import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from npu_opt.checkers import check_equal
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from onnx import ModelProto, numpy_helper, parser
from support.equal_models import followed

RANDOM = np.random.default_rng(5)
ORDER = [0, 2, 1, 3]
"""The channels that a shuffle of two groups of two makes."""
W, V, K = (RANDOM.standard_normal(shape).astype(np.float32) for shape in ((4, 2, 1, 1), (2, 4, 3, 3), (4, 1, 3, 3)))
B, S = (RANDOM.random(4).astype(np.float32) + 1 for _ in range(2))
VALUES = {"w": W, "v": V, "k": K, "b": B, "s": S, "one": np.ones(4, np.float32), "g": S.reshape(1, 4, 1, 1)}
SHUFFLE = (
    "five = Constant <value = int64[5] {{1, 2, 2, 5, 5}}> () four = Constant <value = int64[4] {{1, 4, 5, 5}}> ()"
    " r = Reshape ({0}, five) t = Transpose <perm = [0, 2, 1, 3, 4]> (r) h = Reshape (t, four) y = Conv (h, v)"
)
MADE = {
    "a convolution": "a = Conv (x, w, b) n = Relu (a)",
    "a convolution by channels": "a = Conv (x, w) n = Conv <group = 4, pads = [1, 1, 1, 1]> (a, k, b)",
    "a norm": "a = Conv (x, w) n = BatchNormalization (a, s, b, b, s)",
    "a pool": "a = Conv (x, w) n = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (a)",
    "factors": "a = Conv (x, w) n = Mul (a, g)",
    "a concatenation": "a = Conv (x, w) c = Relu (a) n = Sub (c, a)",
}
"""Four channels of a value that is shuffled; the constants have those of their names."""


def model_of(body: str, values: dict[str, np.ndarray], inputs: str = "float[1,2,5,5] x") -> ModelProto:
    model = parser.parse_model(f'<ir_version: 10, opset_import: ["": 21]> net ({inputs}) => (float[] y) {{ {body} }}')
    model.graph.output[0].type.tensor_type.ClearField("shape")
    read = {name for node in model.graph.node for name in node.input}
    model.graph.initializer.extend(numpy_helper.from_array(each, name) for name, each in values.items() if name in read)
    return model


def verdict(first: ModelProto, second: ModelProto, folder: Path) -> str:
    found = followed(first, second, folder)
    return found if isinstance(found, str) else f"accepted; believed: {', '.join(found[1]) or 'nothing'}"


def moved(names: str) -> dict[str, np.ndarray]:
    """The constants, some of which have their channels in the order of the shuffle."""
    return VALUES | {name: VALUES[name][:, ORDER] if name in "g" else VALUES[name][ORDER] for name in names}


@pytest.mark.parametrize("name", MADE)
def test_channels_of_a_shuffle(name: str, tmp_path: Path) -> None:
    first = model_of(f"{MADE[name]} {SHUFFLE.format('n')}", VALUES)
    body = f"{MADE[name]} y = Conv (n, v)"
    read = [each for each in "wkbsg" if f" {each})" in body or f" {each}," in body]
    assert verdict(first, model_of(body, moved("".join(read))), tmp_path) == "accepted; believed: nothing"
    for kept in read:
        wrong = model_of(body, moved("".join(each for each in read if each != kept)))
        assert verdict(first, wrong, tmp_path).startswith("rejected: ")


JOINED = "c = Concat <axis = 1> ({}) y = Conv{} (c, {})"
INPUTS = "float[1,2,5,5] x, float[1,2,5,5] z"


def test_channels_of_a_concatenation(tmp_path: Path) -> None:
    first = model_of(JOINED.format("x, z", "", "v"), VALUES, INPUTS)
    swapped = VALUES | {"v": V[:, [2, 3, 0, 1]]}
    assert verdict(first, model_of(JOINED.format("z, x", "", "v"), swapped, INPUTS), tmp_path).startswith("accepted")
    assert verdict(first, model_of(JOINED.format("z, x", "", "v"), VALUES, INPUTS), tmp_path).startswith("rejected: ")
    assert verdict(first, model_of(JOINED.format("x, z", "", "v"), swapped, INPUTS), tmp_path).startswith("rejected: ")
    padded = model_of(JOINED.format("z, x", " <pads = [1, 1, 1, 1]>", "v"), swapped, INPUTS)
    assert verdict(first, padded, tmp_path).startswith("rejected: ")


def test_parts_of_channels_are_no_channels(tmp_path: Path) -> None:
    first = model_of(JOINED.format("x, z", "", "v"), VALUES, INPUTS)
    flipped = "i = Constant <value = int64[5] {4, 3, 2, 1, 0}> () t = Gather <axis = 2> (x, i) "
    for turned in ("t = Transpose <perm = [0, 1, 3, 2]> (x) ", flipped):
        second = model_of(turned + JOINED.format("t, z", "", "v"), VALUES, INPUTS)
        assert verdict(first, second, tmp_path).startswith("rejected: ")


def test_channels_of_slices(tmp_path: Path) -> None:
    """Slices that are concatenated list channels; each is counted as often as it is read."""
    parts = (
        "i = Constant <value = int64[1] {{{}}}> () j = Constant <value = int64[1] {{{}}}> ()"
        " a = Gather <axis = 1> (x, i) c = Gather <axis = 1> (x, j) n = Concat <axis = 1> (a, c, z) y = Conv (n, v)"
    )
    first = model_of(JOINED.format("x, z", "", "v"), VALUES, INPUTS)
    swapped = VALUES | {"v": V[:, [1, 0, 2, 3]]}
    assert verdict(first, model_of(parts.format(0, 1), VALUES, INPUTS), tmp_path).startswith("accepted")
    assert verdict(first, model_of(parts.format(1, 0), swapped, INPUTS), tmp_path).startswith("accepted")
    assert verdict(first, model_of(parts.format(1, 0), VALUES, INPUTS), tmp_path).startswith("rejected: ")
    assert verdict(first, model_of(parts.format(0, 0), VALUES, INPUTS), tmp_path).startswith("rejected: ")


def test_groups_and_zeros(tmp_path: Path) -> None:
    """A convolution of groups is one of all channels with weights of zero, if these are finite."""
    grouped = RANDOM.standard_normal((2, 2, 1, 1)).astype(np.float32)
    whole = np.zeros((2, 4, 1, 1), np.float32)
    whole[0, :2], whole[1, 2:] = grouped
    first = model_of(JOINED.format("x, z", " <group = 2>", "v"), {"v": grouped}, INPUTS)
    found = verdict(first, model_of(JOINED.format("x, z", "", "v"), {"v": whole}, INPUTS), tmp_path)
    assert found == "accepted; believed: numbers that a Conv multiplies by zeros are finite"
    other = model_of(JOINED.format("z, x", "", "v"), {"v": whole}, INPUTS)
    assert verdict(first, other, tmp_path).startswith("rejected: ")
    for group in (0, 3, 4):
        wrong = model_of(JOINED.format("x, z", f" <group = {group}>", "v"), {"v": grouped}, INPUTS)
        assert verdict(first, wrong, tmp_path).startswith("rejected: ")
    whole[0, 2] = 1e-30
    assert verdict(first, model_of(JOINED.format("x, z", "", "v"), {"v": whole}, INPUTS), tmp_path).startswith(
        "rejected"
    )


@pytest.mark.parametrize("op", ["Add", "Mul"])
def test_operands_of_other_ranks_have_no_channels(op: str, tmp_path: Path) -> None:
    """The second axis of an operand is the third one of the result, if it has an axis less."""
    inputs = "float[1,4,4,4] x, float[4,4,4] z"
    body = "i = Constant <value = int64[4] {{2, 0, 1, 3}}> () {} y = Relu (n)"
    first = model_of(body.format(f"a = {op} (x, z) n = Gather <axis = 1> (a, i)"), {}, inputs)
    taken = "t = Gather <axis = 1> (x, i) u = Gather <axis = {}> (z, i) n = {} (t, u)"
    assert verdict(first, model_of(body.format(taken.format(0, op)), {}, inputs), tmp_path).startswith("accepted")
    assert verdict(first, model_of(body.format(taken.format(1, op)), {}, inputs), tmp_path).startswith("rejected: ")


def test_a_shuffle_that_npu_opt_absorbs(tmp_path: Path) -> None:
    model, placed, trace = (tmp_path / name for name in ("model.onnx", "placed.onnx", "trace.json"))
    onnx.save(model_of(f"{MADE['a convolution']} {SHUFFLE.format('n')}", VALUES), model)
    assert npu_opt([str(model), "--recognise-shuffles=absorb", "--layout-optimal", "-o", str(placed)]) == 0
    assert "Transpose" not in {node.op_type for node in onnx.load(placed).graph.node}
    assert npu_check([str(model), str(placed), "--trace", str(trace)]) == 0
    assert check_equal.check(str(model), str(placed), json.loads(trace.read_text()), {}) == ([], {})
