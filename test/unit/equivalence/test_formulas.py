"""Formulas of ops compute the same as the ops."""

from random import Random
from typing import Any

import numpy as np
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.normalization import BatchNormOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.equivalence.formulas.registry import FORMULAS, steps_of
from npu_opt.interpreter import evaluate
from support.campaign import amount
from support.generators.samples import sample
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

steps_of(sample(BatchNormOp, Random(0)).op, lambda index: None)
"""The table is filled by its first use."""
FEWEST_TRIED = 20


def test_formulas_compute_the_same():
    tried: set[str] = set()
    for op_class in FORMULAS:
        assert issubclass(op_class, NpuOp)
        for seed in range(amount(12, 500)):
            made = sample(op_class, Random(seed), coloured=seed % 2 == 0)
            inputs = made.inputs(seed)
            steps = steps_of(made.op, inputs.__getitem__)
            if steps is None:
                continue
            tried.add(made.op.name)
            values: dict[SSAValue, Any] = dict(zip(steps.block.args, inputs, strict=True))
            for op in steps.block.ops:
                assert isinstance(op, NpuOp)
                op.verify()
                found = evaluate(op, [values[operand] for operand in op.operands])
                values.update(zip(op.results, found, strict=True))
            assert steps.block.last_op is not None
            last = steps.block.last_op.results[0]
            (right,) = evaluate(made.op, inputs)
            assert element_type_of(last) == element_type_of(made.op.results[0])
            assert values[last].shape == right.shape, made.op
            room = 1e-4 if element_type_of(last) == f32 else 0
            np.testing.assert_allclose(values[last], right, rtol=room, atol=room, err_msg=str(made.op))
    assert len(tried) >= FEWEST_TRIED, sorted(tried)
