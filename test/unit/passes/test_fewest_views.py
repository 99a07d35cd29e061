"""The forms with the fewest new views, compared with all combinations of forms."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import prod

from npu_opt.dialects.npu.shape import AnyTransposeOp, ReshapeOp
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.fewest_views import Rewrite, rewrites_of, weight_of, with_fewest_views
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice
from npu_opt.passes.optimal.choice.plan import PlanDraft
from support.generators.programs import random_program
from support.ir_text import context, parse
from xdsl.ir import Operation

SEEDS = range(40)
MOST_COMBINATIONS = 300


def written(choice: ModeChoice, rewrites: Iterable[tuple[Operation, Rewrite]]) -> ModeChoice:
    """The choice with other forms of some ops."""
    modes, reshaped = {**choice.modes}, {**choice.reshaped}
    for op, rewrite in rewrites:
        modes[op] = rewrite.mode
        if rewrite.reshaped is not None:
            reshaped[op] = rewrite.reshaped
    return replace(choice, modes=modes, reshaped=reshaped)


def weight_of_plan(choice: ModeChoice) -> int:
    return weight_of(PlanDraft(choice))


def test_no_combination_of_forms_needs_fewer_views():
    tried = improved = 0
    for seed in SEEDS:
        choice = LayoutOptimal(target="onnx").choose(random_program(seed, 40))
        draft = PlanDraft(choice)
        rewrites = rewrites_of(draft)
        if not 1 < prod(map(len, rewrites.values())) <= MOST_COMBINATIONS:
            continue
        found = with_fewest_views(choice).choice
        combinations = product(*rewrites.values())
        least = min(weight_of_plan(written(choice, zip(rewrites, each, strict=True))) for each in combinations)
        assert weight_of_plan(found) == least, seed
        assert found.cost == choice.cost
        tried += 1
        improved += least < weight_of(draft)
    assert tried > 5
    assert improved > 0


SCALED = """
func.func @scaled(%x: tensor<1x3x4x4xf32>, %q: tensor<1x3x1x1xi8>) -> tensor<1x3x4x4xf32> {
  %s = npu.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %z = npu.constant dense<0> : tensor<3xi8>
  %xl = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x4x4xf32>) -> tensor<1x4x4x3xf32>
  %ql = npu.transpose %q permutation = [0, 2, 3, 1] : (tensor<1x3x1x1xi8>) -> tensor<1x1x1x3xi8>
  %d = npu.dequantize %ql, %s, %z axis = 3 : (tensor<1x1x1x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<1x1x1x3xf32>
  %m = npu.mul %xl, %d : (tensor<1x4x4x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32>
  %y = npu.transpose %m permutation = [0, 3, 1, 2] : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}
"""


def test_an_op_that_could_stay_spares_a_view():
    """The scales go along the channels where they are, beside an operand that moves none."""
    module = parse(SCALED)
    LayoutOptimal(target="onnx").apply(context(), module)
    assert not any(isinstance(op, ReshapeOp | AnyTransposeOp) for op in module.walk())
