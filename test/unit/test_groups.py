"""Tests that share something slow run in one process."""

import pytest

GROUP = "one group"


@pytest.mark.xdist_group(GROUP)
def test_grouped_tests_go_to_one_process(request: pytest.FixtureRequest):
    """pytest-xdist sends tests to processes by the ends of their names. Without them it is silent, and slow."""
    is_grouping = request.config.getoption("loadgroup", False)
    assert request.node.nodeid.endswith(f"@{GROUP}") or not is_grouping
