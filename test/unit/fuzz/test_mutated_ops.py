"""Ops that differ in one place are proved to compute the same only if they do, in the interpreter."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import ConstantOp, ForeignOp
from npu_opt.equivalence.compare import CONDITIONS, Verdict, compare
from npu_opt.interpreter import InterpreterError, run
from support.campaign import amount, counted
from support.closeness import LAYERS, are_close
from support.generators.mutated_ops import OpMutants, op_mutants
from xdsl.dialects.builtin import ModuleOp

OPS = [op for op in NPU.operations if issubclass(op, NpuOp) and not issubclass(op, ForeignOp | ConstantOp)]
MUTANTS = amount(4, 12)
EACH = amount(1, 200)


def computes_the_same(mutants: OpMutants, other: ModuleOp) -> bool:
    """True if both return equal shapes and numbers on all inputs; a program that cannot be run returns nothing."""
    for inputs in mutants.inputs:
        try:
            pairs = [*zip(run(mutants.module, "main", inputs), run(other, "main", inputs), strict=True)]
        except InterpreterError:
            continue
        for one, two in pairs:
            if one.shape != two.shape or one.dtype != two.dtype:
                return False
            if one.dtype.kind in "fiub" and not are_close(one.astype(np.float64), two.astype(np.float64), LAYERS):
                return False
    return True


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    mutants = op_mutants(OPS[seed % len(OPS)], seed, MUTANTS)
    for name, other in mutants.others:
        tally["mutants"] += 1
        answer = compare(mutants.module, other, by_formulas=True)
        tally[answer.verdict.name] += 1
        if answer.verdict is Verdict.PROVED and not computes_the_same(mutants, other):
            conditions = [each for each in CONDITIONS if getattr(answer, each)]
            yield f"seed {seed}, {name}, {' '.join(conditions)}:\n{mutants.module}\n{other}"


def test_no_change_of_an_op_is_proved_unless_it_is_none(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(EACH * len(OPS)), len(OPS), capsys)
    assert tally["PROVED"] > 0.02 * tally["mutants"]
    assert tally["mutants"] > EACH * len(OPS)
