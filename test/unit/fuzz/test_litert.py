"""LiteProgram programs compute the same in LiteRT as in the interpreter: single ops, and random programs."""

from collections import Counter
from random import Random

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import NotExportable
from npu_opt.bridges.litert.exporting.registry import EXPORTERS
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.indexing import ScatterElementsOp
from npu_opt.dialects.npu.low_precision import BlockDequantizeOp, MatmulNBitsOp
from npu_opt.dialects.npu.quantized import QuantizedOp
from npu_opt.dialects.npu.recurrent import RecurrentOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.dialects.npu.vendor import VendorElementwiseOp, VendorPoolOp
from npu_opt.interpreter import evaluate, random_inputs
from support.campaign import one_by_one, seeds
from support.generators.networks import random_network
from support.generators.placed_programs import placed_on_random_target
from support.generators.samples import sample
from support.oracles.litert_running import (
    cut_refused_ops,
    executed,
    exported,
    make_parameters_constant,
    may_divide_by_zero,
)
from support.oracles.nearness import Array, all_values_returned, difference, steps_of, wobble
from support.oracles.running import main_of
from xdsl.ir import SSAValue

LEFT_OUT = {OpaqueOp, BlockDequantizeOp, MatmulNBitsOp}
"""The ops of other systems, and those that have a counterpart for constants only (test_few_bits.py)."""
OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp) and op not in LEFT_OUT]
WITHOUT_COUNTERPART = {op for op in OPS if op not in EXPORTERS and op is not ConstantOp} | {
    ScatterElementsOp,
    VendorElementwiseOp,
    VendorPoolOp,
}
"""The ops that are an error with their place: those without an entry or at places of the run, and of other systems."""


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_every_op_computes_the_same(op: type[NpuOp]):
    refused = tried = 0
    for seed in seeds(8, 300):
        made = sample(op, Random(seed), coloured=seed % 3 != 0)
        inputs = made.inputs(seed)
        of_operand = dict(zip(made.op.operands, inputs, strict=True))
        if isinstance(made.op, QuantizedOp | RecurrentOp):
            make_parameters_constant(made.op, of_operand)
        arguments = [of_operand[argument] for argument in main_of(made.module).body.block.args]
        tried += 1
        try:
            model = exported(made.module)
        except NotExportable:
            refused += 1
            continue
        if may_divide_by_zero(made.op) and not inputs[1].all():
            continue
        found = executed(model, arguments)
        for array, right, value in zip(found, evaluate(made.op, inputs), made.op.results, strict=True):
            problem = difference(array, right, value, max(steps_of(made.op), isinstance(made.op, QuantizedOp)))
            assert problem is None, f"seed {seed}: {problem}\n{made.op}"
    assert (refused == tried) == (op in WITHOUT_COUNTERPART)


def test_random_programs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    """Op by op, on the results of LiteRT so far: a small difference before a rounding is large behind it."""
    counts: Counter[str] = Counter()
    for seed in one_by_one(seeds(8, 500), capsys):
        module = random_network(seed, (10, 25, 60)[seed % 3], coloured=seed % 4 != 0, functions=0)
        if seed % 2:
            module = placed_on_random_target(module, seed)
        cut_refused_ops(module)
        function = main_of(module)
        results = (result for op in function.body.ops for result in op.results)
        if any(0 in shape_of(value) for value in (*function.body.block.args, *results)):
            counts["programs with tensors without elements"] += 1
            continue
        ops = all_values_returned(module)
        inputs = random_inputs(function, seed)
        arrays: dict[SSAValue, Array] = dict(zip(function.body.block.args, inputs, strict=True))
        found = iter(executed(exported(module), inputs))
        for op in ops:
            operands = [arrays[operand] for operand in op.operands]
            is_finite = all(np.isfinite(each).all() for each in operands)
            expected = evaluate(op, operands)
            for right, value in zip(expected, op.results, strict=True):
                arrays[value] = next(found)
                if not is_finite:
                    continue
                problem = difference(arrays[value], right, value, steps_of(op))
                if problem is not None:
                    (room,) = wobble(op, operands, [right])
                    problem = difference(arrays[value], right, value, steps_of(op), room)
                assert problem is None, f"seed {seed}: {problem}\n{op}"
            counts["ops"] += is_finite and not isinstance(op, ConstantOp)
            counts["not finite"] += not is_finite
        counts["programs"] += 1
    with capsys.disabled():
        print(f"\nwritten for LiteRT and run, op by op: {dict(counts)}")
