"""Random modules of PyTorch compute the same behind `relayout`, which is proved; changed ones are never proved."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from collections import Counter
from random import Random
from typing import cast

import npu_opt
import pytest
from npu_opt.equivalence.compare import Verdict
from support.campaign import one_by_one, seeds
from support.generators.fx_graphs import random_module
from support.generators.fx_mutants import mutants
from support.torch_graphs import QUIET, are_equal, compared, exported, relayout, results
from torch._export.verifier import SpecViolationError

pytestmark = QUIET
CLOSE = 2e-4
"""Sums of another order round otherwise."""
TARGETS = ("onnx", "torch", "opu")
REFUSED = cast("type[Exception]", SpecViolationError)


def test_random_modules(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    for seed in one_by_one(seeds(6, 500), capsys):
        rng = Random(seed)
        made = random_module(rng)
        try:
            program = exported(made.module, made.inputs, None if made.dynamic is None else (made.dynamic,))
        except REFUSED:
            # PyTorch refuses what it has decomposed itself.
            counts["not exported"] += 1
            continue
        placed = relayout(program, target=TARGETS[seed % len(TARGETS)], interface="keep")
        for inputs in (made.inputs, *made.more):
            wanted = results(program, inputs)
            assert are_equal(results(placed, inputs), wanted, CLOSE), f"seed {seed} computes something else"
        verdict = compared(program, placed).verdict
        assert verdict is not Verdict.DIFFERENT, f"seed {seed} is said to be different"
        counts[verdict.name] += 1
        for what, changed in mutants(rng, placed):
            # Of the program whose orders it has: sums of other orders round otherwise.
            if are_equal(results(changed, made.inputs), results(placed, made.inputs)):
                counts["mutants that compute the same"] += 1
                continue
            counts["mutants"] += 1
            assert not npu_opt.check(program, changed), f"seed {seed}: {what} is proved"
    assert counts["PROVED"] > 0
    with capsys.disabled():
        print(f"\n{dict(counts)}")
