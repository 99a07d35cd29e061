"""Tests that share something slow run in one process."""

from collections import Counter

import pytest
from support.scheduling import LONGEST, runs_of

GROUP = "one group"


@pytest.mark.xdist_group(GROUP)
def test_grouped_tests_go_to_one_process(request: pytest.FixtureRequest):
    """pytest-xdist sends tests to processes by the ends of their names. Without them it is silent, and slow."""
    name = str(request.node.nodeid)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # Untyped.
    assert name.endswith(f"@{GROUP}") or not request.config.getoption("loadgroup", False)


def test_runs_are_of_one_file_and_short():
    tests = [f"{file}.py::test[{number}]" for file in "ab" for number in range(LONGEST + 5)]
    grouped = {*tests[3:5], tests[-1]}
    runs = runs_of(tests, [GROUP if test in grouped else test for test in tests])
    assert {test for test, run in runs.items() if run == GROUP} == grouped
    lengths = Counter(run for run in runs.values() if run != GROUP)
    assert sorted(lengths.values()) == [3, 4, LONGEST, LONGEST]
    assert all(len({test[0] for test in tests if runs[test] == run}) == 1 for run in lengths)
