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
from support.generators.lite_kept_families import KEPT_FAMILIES
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
    counted(problems, seeds(150, 20_000), 250, capsys)


@pytest.mark.parametrize("kind", KEPT_FAMILIES)
def test_ops_that_are_kept_compute_the_same(kind: str, tmp_path: Path):
    tally: Counter[str] = Counter()
    for seed in range(10):
        base = KEPT_FAMILIES[kind](Random(seed))
        # Some random numbers are none that LiteRT takes.
        if (expected := LITERT.run(base.model(), base.inputs)) is not None:
            base = base.with_results(expected)
            assert problems_of(base, expected, base, tmp_path, tally) == []
    assert tally["kept"] == tally["written: proved"] > 4
