"""The node tests that onnx ships: those whose ops are mapped compute what is expected.

A sample runs always, all of them where NPU_OPT_ONNX is `all`. `python test/support/generators/backend_nodes.py` prints
the outcome of each.
"""

import os
import re
from collections import Counter

import pytest
from support.generators.backend_nodes import Outcome, all_cases, check, summary
from support.source_tree import ROOT

pytestmark = pytest.mark.xdist_group("backend nodes")
"""One process makes the node tests of onnx, which takes seconds, and tries each node, once."""
WHOLE = os.environ.get("NPU_OPT_ONNX") == "all"
STEP = 1 if WHOLE else 12
FEWEST_PASSED = 0.92
"""The share of the tests that are mapped and pass."""


@pytest.fixture(scope="module")
def outcomes() -> dict[str, tuple[Outcome, str]]:
    # Defaults of attributes are numbers that only ONNX says.
    tried = [case for place, case in enumerate(all_cases()) if place % STEP == 0 or "default" in case.name]
    return {case.name: ((result := check(case)).outcome, result.reason) for case in tried}


def test_mapped_ops_compute_what_is_expected(outcomes: dict[str, tuple[Outcome, str]]):
    assert {name: reason for name, (outcome, reason) in outcomes.items() if outcome is Outcome.WRONG} == {}


def test_nodes_that_stay_are_run(outcomes: dict[str, tuple[Outcome, str]]):
    """Others are random, or the package onnx does not run them either."""
    counts = Counter(outcome for outcome, _ in outcomes.values())
    assert counts[Outcome.KEPT] > 5 * (counts[Outcome.FOREIGN] + counts[Outcome.REFUSED])


def test_most_tests_are_mapped(outcomes: dict[str, tuple[Outcome, str]]):
    counts = Counter(outcome for outcome, _ in outcomes.values())
    print(summary(counts))
    assert counts[Outcome.PASSED] >= FEWEST_PASSED * counts.total()


if WHOLE:

    def test_count_is_the_one_that_is_written_down(outcomes: dict[str, tuple[Outcome, str]]):
        counts = Counter(outcome for outcome, _ in outcomes.values())
        written = re.search(r"\*\*(\d+ passed, .* in total)\*\*", (ROOT / "docs" / "results" / "onnx.md").read_text())
        assert written
        assert written[1] == summary(counts)
