"""`layout-optimal` on targets that demand blocks of channels, against all ways to store the values of programs."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare_each
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.common.apply import apply_plan
from npu_opt.passes.common.interface_choice import NO_ENDS
from npu_opt.passes.common.packs import cost_of_conversions
from npu_opt.passes.common.reasons import Names
from npu_opt.passes.common.target_layouts import TargetLayouts
from npu_opt.passes.common.transpose_cost import ASSUMED_SIZE
from npu_opt.passes.optimal.conversions import plan_of
from npu_opt.passes.optimal.mode_choice import choose_modes
from support.campaign import amount
from support.generators.block_programs import TARGETS, block_program, block_target
from support.oracles.every_block import fewest_bytes
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

PROGRAMS = amount(10, 2000)


def main_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


@pytest.mark.parametrize("name", TARGETS)
def test_no_way_to_store_values_moves_less(name: str, tmp_path: Path):
    target, tally = block_target(name, tmp_path), Counter[str]()
    for seed in range(PROGRAMS):
        program = block_program(seed)
        before, module = program.module(), program.module()
        case = f"seed {seed}\n{before}"
        choice = choose_modes(module, TargetLayouts(target), "bytes", ASSUMED_SIZE, 60, NO_ENDS)
        said = choice.cost.bytes
        apply_plan(plan_of(choice, lambda use: ""), Names(module))
        module.verify()
        assert choice.is_proved, case
        assert cost_of_conversions(module).bytes == said == fewest_bytes(program, name), f"{case}\n{module}"
        assert [each.verdict for each in compare_each(before, module)] == [Verdict.PROVED] * 2, f"{case}\n{module}"
        inputs = random_inputs(main_of(before), seed)
        for one, other in zip(run(before, inputs=inputs), run(module, inputs=inputs), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5, err_msg=case)
        tally["with blocks"] += "16c" in str(module)
        tally["with padding"] += "zeros" in str(module)
    print(dict(tally))
    assert tally["with padding"] >= 0.4 * PROGRAMS
