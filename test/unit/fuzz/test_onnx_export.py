"""Exported programs compute the same in ONNX Runtime as in the interpreter: single ops, and random programs."""

from collections import Counter
from random import Random

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.exporting import NEWEST_OPSET, NotExportable
from npu_opt.bridges.onnx.exporting.opset import NeedsOpset
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.elementwise import BitcastOp
from npu_opt.dialects.npu.reduction import ReduceProdOp
from npu_opt.dialects.npu.sampling import RoiAlignOp
from npu_opt.dialects.npu.source import ConstantOp, ForeignOp
from npu_opt.dialects.npu.values import layout_of, shape_of
from npu_opt.dialects.settings.file_rules import OLDEST_OPSET
from npu_opt.interpreter import evaluate, random_inputs
from support.campaign import one_by_one, seeds
from support.generators.placed_programs import placed_on_random_target
from support.generators.programs import FunctionBuilder, RunTimeBuilder, random_program
from support.generators.samples import loosened, sample
from support.oracles.nearness import Array, all_values_returned, difference, steps_of, wobble
from support.oracles.onnx_running import executed, exported, may_saturate
from support.oracles.running import main_of
from xdsl.ir import SSAValue

OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp) and not issubclass(op, ForeignOp)]


OPSETS = (NEWEST_OPSET, OLDEST_OPSET, 17, 18, 21)
COMPLETE = 21
"""The opset from which on every op of the dialect can be written, but for floats of few bits and a bitcast."""


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_every_op_computes_the_same(op: type[NpuOp]):
    for seed in seeds(6, 200):
        made = sample(op, Random(seed), coloured=seed % 3 != 0)
        inputs = made.inputs(seed)
        of_operand = dict(zip(made.op.operands, inputs, strict=True))
        arguments = [of_operand[argument] for argument in main_of(made.module).body.block.args]
        # ONNX Runtime has no kernel of RoiAlign from opset 22 on.
        opset = OPSETS[seed % len(OPSETS)] if op is not RoiAlignOp else 21
        try:
            model = exported(made.module, opset)
        except NeedsOpset:
            is_newer = made.has_narrow_floats or isinstance(made.op, BitcastOp)
            if opset >= (NEWEST_OPSET if is_newer else COMPLETE):
                raise
            continue
        assert model.opset_import[0].version == opset
        if any(node.op_type == "BitCast" for node in model.graph.node):
            # ONNX Runtime has no kernel.
            continue
        found = executed(model, arguments)
        if may_saturate(made.op, inputs):
            continue
        expected = evaluate(made.op, inputs)
        for array, right, value in zip(found, expected, made.op.results, strict=True):
            problem = difference(array, right, value, steps_of(made.op))
            assert problem is None, f"seed {seed}: {problem}\n{made.op}"


def test_random_programs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    """Op by op, on the results of ONNX Runtime so far: a small difference before a rounding is large behind it."""
    counts: Counter[str] = Counter()
    for seed in one_by_one(seeds(10, 1500), capsys):
        of_run = seed // 3 % 2 > 0
        builder = RunTimeBuilder if of_run else FunctionBuilder
        module = random_program(seed, (10, 25, 60)[seed % 3], seed % 4 != 0, functions=0, builder=builder)
        if seed % 2:
            module = placed_on_random_target(module, seed)
        ops = all_values_returned(module)
        function = main_of(module)
        inputs = random_inputs(function, seed)
        found = iter(executed(exported(module, COMPLETE if of_run else NEWEST_OPSET), inputs))
        arrays: dict[SSAValue, Array] = dict(zip(function.body.block.args, inputs, strict=True))
        for op in ops:
            operands = [arrays[operand] for operand in op.operands]
            expected = evaluate(op, operands)
            is_comparable = not may_saturate(op, operands)
            # ONNX does not define the results for NaN, and for an infinite number times a weight of 0.
            is_finite = all(np.isfinite(each).all() for each in operands)
            for right, value in zip(expected, op.results, strict=True):
                arrays[value] = next(found)
                if not (is_finite and is_comparable):
                    continue
                problem = difference(arrays[value], right, value, steps_of(op))
                if problem is not None:
                    (room,) = wobble(op, operands, [right])
                    problem = difference(arrays[value], right, value, steps_of(op), room)
                    counts["sensitive"] += 1
                assert problem is None, f"seed {seed}: {problem}\n{op}"
            counts["ops"] += is_finite and is_comparable and not isinstance(op, ConstantOp)
            counts["not finite"] += not is_finite
            counts["may saturate"] += not is_comparable
            counts["coloured"] += layout_of(op.results[0]) is not None
        counts["programs"] += 1
    with capsys.disabled():
        print(f"\nexported and run, op by op: {dict(counts)}")


def test_random_programs_with_functions(capsys: pytest.CaptureFixture[str]):
    """The results as a whole; where they differ, an earlier op has rounded to another side."""
    from support.oracles.running import results as interpreted

    same = count = 0
    for seed in one_by_one(seeds(8, 600), capsys):
        module = random_program(seed, (15, 30)[seed % 2], coloured=seed % 3 != 0, functions=seed % 3)
        placed = placed_on_random_target(module, seed) if seed % 4 > 1 else module
        found = executed(exported(placed), random_inputs(main_of(module), seed))
        returned = main_of(module).get_return_op()
        assert returned is not None
        pairs = zip(found, interpreted(module, seed), returned.operands, strict=True)
        problems = [difference(*pair, steps=1) for pair in pairs]
        same, count = same + problems.count(None), count + len(problems)
        assert not any(problem and problem.startswith("shape") for problem in problems)
    with capsys.disabled():
        print(f"\nexported and run as a whole: {same} of {count} results are the same")
    assert same >= 0.9 * count


def test_dynamic_sizes(capsys: pytest.CaptureFixture[str]):
    counts: Counter[str] = Counter()
    for op in one_by_one(OPS, capsys):
        for seed in seeds(2, 40):
            made = sample(op, Random(seed), coloured=seed % 2 == 0)
            module = loosened(made.module, Random(seed))
            # The result for no elements is decided before the run time.
            if module is None or any(0 in shape_of(value) for value in (*made.op.operands, *made.op.results)):
                continue
            inputs = made.inputs(seed)
            of_operand = dict(zip(made.op.operands, inputs, strict=True))
            arguments = [of_operand[argument] for argument in main_of(made.module).body.block.args]
            try:
                found = executed(exported(module, 21 if op is RoiAlignOp else NEWEST_OPSET), arguments)
            except NotExportable:
                counts["refused"] += 1
                continue
            counts["same"] += 1
            if op is ReduceProdOp:
                # Integers wrap only if their number is static.
                continue
            for array, right, value in zip(found, evaluate(made.op, inputs), made.op.results, strict=True):
                problem = difference(array, right, value, steps_of(made.op))
                assert problem is None, f"seed {seed}: {problem}\n{module}"
    with capsys.disabled():
        print(f"\nexported with unknown sizes: {dict(counts)}")
    assert counts["refused"] < 0.1 * counts["same"]
