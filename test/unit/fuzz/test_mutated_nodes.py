"""Models that differ in one place are proved to compute the same only if they do, in ONNX Runtime."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.onnx.errors import OnnxError
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.equivalence.compare import CONDITIONS, Verdict, compare
from numpy.typing import NDArray
from onnx import ModelProto
from support.campaign import amount
from support.closeness import LAYERS, are_close
from support.generators.mutated_nodes import Family, families, special
from support.oracles.onnx_running import unoptimised
from xdsl.dialects.builtin import ModuleOp

pytest.importorskip("onnxruntime")

SPECIAL = 3
"""The runs on special numbers, behind that on the numbers of the test."""
LEAST = 0.02
"""The share of pairs that are proved: nearly all change what is computed."""
FAMILIES = amount(30, 100_000)


def imported(model: ModelProto) -> ModuleOp | None:
    try:
        return import_model(Path("model.onnx"), Options(inline_limit=None), model=model).module
    except OnnxError:
        return None


def results(model: ModelProto, inputs: Sequence[Sequence[NDArray[Any]]]) -> list[list[Any] | None] | None:
    """The results for each list of inputs, None where there are none; None if ONNX Runtime does not take the model."""
    try:
        session = unoptimised(model)
    except Exception:  # The exceptions of ONNX Runtime have no class in common.
        return None
    names = [each.name for each in session.get_inputs()]
    found: list[list[Any] | None] = []
    for arrays in inputs:
        try:
            found.append(session.run(None, dict(zip(names, arrays, strict=True))))
        except Exception:
            found.append(None)
    return found


def are_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """True for equal shapes and numbers, up to the order of sums."""
    for both in zip(one, other, strict=True):
        if not all(isinstance(each, np.ndarray) for each in both):
            continue
        left, right = both
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        if left.dtype.kind in "fiub" and not are_close(left.astype(np.float64), right.astype(np.float64), LAYERS):
            return False
    return True


def false_proofs(family: Family, tally: Counter[str]) -> list[str]:
    """The models of a family that are proved to compute what the first one computes, and compute something else."""
    module = imported(family.model)
    if module is None:
        tally["refused"] += 1
        return []
    inputs = [family.inputs, *([special(each, seed) for each in family.inputs] for seed in range(SPECIAL))]
    expected: list[list[Any] | None] | None = None
    found: list[str] = []
    for name, model in family.others.items():
        tally["pairs"] += 1
        other = imported(model)
        if other is None:
            tally["refused"] += 1
            continue
        answer = compare(module, other, by_formulas=True)
        if answer.verdict is not Verdict.PROVED:
            continue
        tally["proved"] += 1
        expected = expected or results(family.model, inputs)
        computed = results(model, inputs)
        if expected is None or computed is None:
            tally["not run"] += 1
            continue
        pairs = [(one, other) for one, other in zip(expected, computed, strict=True) if one and other]
        tally["run"] += bool(pairs)
        if not all(are_same(one, other) for one, other in pairs):
            conditions = [each for each in CONDITIONS if getattr(answer, each)]
            found.append(f"{family.name}: {name} {' '.join(conditions)}")
    return found


@pytest.mark.xdist_group("backend nodes")
def test_mutated_nodes_are_not_proved(capsys: pytest.CaptureFixture[str]):
    tally, found = Counter[str](), list[str]()
    for number, family in enumerate(families(Random(0))):
        if number >= FAMILIES:
            break
        found += false_proofs(family, tally)
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} false proofs\n" + "\n".join(found[:20])
    assert tally["proved"] > LEAST * tally["pairs"]
    assert tally["run"] > tally["proved"] / 2
