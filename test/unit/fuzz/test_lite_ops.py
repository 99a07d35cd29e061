"""Mutants of single LiteRT ops are refused in words, or computed, written and compared as LiteRT computes them."""

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from support.campaign import counted, seeds
from support.generators.lite_cases import mutant
from support.generators.lite_families import FAMILIES
from support.oracles.lite_trials import LITERT, problems_of


def problems(seed: int, tally: Counter[str]) -> list[str]:
    rng = Random(seed)
    kind = [*FAMILIES][seed % len(FAMILIES)]
    base = FAMILIES[kind](rng)
    expected = LITERT.run(base.model(), base.inputs)
    if expected is None:
        tally["not run"] += 1
        return []
    base = base.with_results(expected)
    case = mutant(base, rng) if seed // len(FAMILIES) % 8 else base
    with TemporaryDirectory() as folder:
        found = problems_of(base, expected, case, Path(folder), tally)
    return [f"seed {seed}: {kind} {[*case.changed]}: {text}" for text in found]


def test_mutants_of_single_ops(capsys: pytest.CaptureFixture[str]):
    counted(problems, seeds(120, 20_000), 250, capsys)
