"""Pairs of models that compute other numbers: no proof calls them equal without a note about what they differ in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from support.campaign import amount, one_by_one

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from support.generators.unequal_lite import pairs_of_lite
from support.generators.unequal_pairs import Pair, pairs_of_nodes, pairs_with_defaults
from support.oracles.unequal_pairs import NOT_READ, witnesses, wrong_proofs


def _counts(pairs: Iterator[Pair], capsys: pytest.CaptureFixture[str], folder: Path) -> Counter[str]:
    """The pairs of each family that count: an engine computes other numbers for them."""
    counts, problems = Counter[str](), list[str]()
    chosen: Sequence[Pair] = list(pairs)
    for pair in one_by_one(chosen, capsys):
        if not (found := witnesses(pair)):
            counts["without a witness"] += 1
            continue
        wrong = wrong_proofs(pair, found, folder)
        counts[NOT_READ if wrong == [NOT_READ] else pair.family] += 1
        problems += [each for each in wrong if each != NOT_READ]
    with capsys.disabled():
        print(f"\n{dict(counts)}")
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:20])
    return counts


def test_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    counts = _counts(islice(pairs_of_nodes(), amount(40, 2500)), capsys, tmp_path)
    assert counts["without a witness"] < counts.total() / 4
    assert counts[NOT_READ] < counts.total() / 20
    assert len(counts) > 12, "one pair of each family"


def test_ops_of_litert(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    counts = _counts(islice(pairs_of_lite(), amount(14, 2000)), capsys, tmp_path)
    assert counts["without a witness"] < counts.total() / 4
    assert len(counts) > 8


def test_constants_that_a_caller_may_replace(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    counts = _counts(pairs_with_defaults(amount(6, 60)), capsys, tmp_path)
    assert counts["defaults"] == counts.total()
