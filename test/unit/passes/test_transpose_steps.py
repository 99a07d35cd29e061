"""Transposes of more axes than a target moves at once: several steps, which are counted and exported."""

from itertools import pairwise
from pathlib import Path
from random import Random

import npu_opt
import pytest
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.equivalence.compare import Verdict, compare_each
from npu_opt.layout import permute
from npu_opt.layout.movement import FEWEST_AXES, steps_of
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.targets import CostUnit, available, load
from support.ir_text import parse_verified
from xdsl.context import Context

WINDOWS = """
func.func @main(%x: tensor<2x3x4x5x6x14xf32>) -> tensor<7x6x4x2x5x2x3xf32> {
  %a = npu.transpose %x permutation = [5, 1, 3, 0, 4, 2] : (tensor<2x3x4x5x6x14xf32>) -> tensor<14x3x5x2x6x4xf32>
  %b = npu.reshape %a : (tensor<14x3x5x2x6x4xf32>) -> tensor<7x2x3x5x2x6x4xf32>
  %c = npu.transpose %b permutation = [0, 5, 6, 4, 3, 1, 2]
    : (tensor<7x2x3x5x2x6x4xf32>) -> tensor<7x6x4x2x5x2x3xf32>
  return %c : tensor<7x6x4x2x5x2x3xf32>
}
"""
"""Each transpose moves six axes, and both together seven."""
REVERSED = """
func.func @main(%x: tensor<7x2x3x4x5x6x2xf32>) -> tensor<2x6x5x4x3x2x7xf32> {
  %c = npu.transpose %x permutation = [6, 5, 4, 3, 2, 1, 0] : (tensor<7x2x3x4x5x6x2xf32>) -> tensor<2x6x5x4x3x2x7xf32>
  return %c : tensor<2x6x5x4x3x2x7xf32>
}
"""
ATTENTION = """
func.func @main(%x: tensor<1x6x6x8xf32>, %w: tensor<8x24xf32>) -> tensor<3x1x3x3x2x2x2x4xf32> {
  %f = npu.reshape %x : (tensor<1x6x6x8xf32>) -> tensor<36x8xf32>
  %y = npu.matmul %f, %w : (tensor<36x8xf32>, tensor<8x24xf32>) -> tensor<36x24xf32>
  %a = npu.reshape %y : (tensor<36x24xf32>) -> tensor<3x2x3x2x24xf32>
  %b = npu.transpose %a permutation = [0, 2, 1, 3, 4] : (tensor<3x2x3x2x24xf32>) -> tensor<3x3x2x2x24xf32>
  %c = npu.reshape %b : (tensor<3x3x2x2x24xf32>) -> tensor<1x3x3x2x2x3x2x4xf32>
  %t = npu.tanh %c : tensor<1x3x3x2x2x3x2x4xf32>
  %d = npu.transpose %t permutation = [5, 0, 2, 1, 6, 4, 3, 7]
    : (tensor<1x3x3x2x2x3x2x4xf32>) -> tensor<3x1x3x3x2x2x2x4xf32>
  return %d : tensor<3x1x3x3x2x2x2x4xf32>
}
"""
"""Windows of an image, then queries, keys and values of two heads."""
PROGRAMS = {"windows": WINDOWS, "reversed": REVERSED, "attention": ATTENTION}


def blocks(permutation: tuple[int, ...]) -> int:
    return 1 + sum(other != one + 1 for one, other in pairwise(permutation))


def test_steps_are_the_transpose():
    rng, several = Random(0), 0
    for _ in range(2000):
        permutation = tuple(rng.sample(range(size := rng.randint(1, 10)), size))
        most = rng.randint(FEWEST_AXES, 7)
        steps, moved = steps_of(permutation, most), tuple(range(size))
        for step in steps:
            assert blocks(step) <= most, (permutation, most)
            moved = permute(moved, step)
        assert moved == permutation
        assert len(steps) <= max(1, blocks(permutation) - most + 1)
        assert (len(steps) == 1) == (blocks(permutation) <= most)
        several += len(steps) > 1
    assert several > 500


@pytest.mark.parametrize("most_axes", [4, 5, 6])
@pytest.mark.parametrize("cost", ["target", "bytes", "count"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_transpose_moves_more_axes_than_the_target_does(name: str, cost: CostUnit, most_axes: int, tmp_path: Path):
    file = tmp_path / "litert.toml"
    text = available()["litert"].read_text()
    assert "transpose = 6" in text
    file.write_text(text.replace("transpose = 6", f"transpose = {most_axes}"))
    before = parse_verified(PROGRAMS[name])
    module = before.clone()
    LayoutOptimal(target=str(file), cost=cost).apply(Context(), module)
    module.verify()
    assert all(answer.verdict is Verdict.PROVED for answer in compare_each(before, module))
    moved = [op for op in module.walk() if isinstance(op, TransposeOp)]
    assert moved
    for op in moved:
        shape = shape_of(op.input)
        order = [axis for axis in op.moved() if shape[axis] != 1]
        ranks = sorted(order)
        assert blocks(tuple(map(ranks.index, order))) <= most_axes, str(module)
    assert cost_of_program(module).transposes == len(moved)


@pytest.mark.parametrize("name", PROGRAMS)
def test_transposes_of_seven_axes_are_exported(name: str, tmp_path: Path):
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed: pip install -e '.[litert]'")
    given, placed, plain = tmp_path / "in.mlir", tmp_path / "placed.tflite", tmp_path / "plain.tflite"
    given.write_text(PROGRAMS[name])
    npu_opt.optimize(given, target="litert").save(placed)
    npu_opt.optimize(given, target="litert", strategy=None).save(plain)
    assert npu_opt.check(given, placed).word == "proved"
    assert npu_opt.check(given, plain).word == "proved"


def test_the_key_is_bounded(tmp_path: Path):
    file = tmp_path / "litert.toml"
    file.write_text(available()["litert"].read_text().replace("transpose = 6", "transpose = 3"))
    with pytest.raises(Exception, match="'transpose' must be from 4 to 6, found 3"):
        load(file)
