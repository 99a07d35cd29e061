"""Tests that share something slow run in one process."""

import pytest

GROUP = "one group"


@pytest.mark.xdist_group(GROUP)
def test_grouped_tests_go_to_one_process(request: pytest.FixtureRequest):
    """pytest-xdist sends tests to processes by the ends of their names. Without them it is silent, and slow."""
    name = str(request.node.nodeid)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # Untyped.
    assert name.endswith(f"@{GROUP}") or not request.config.getoption("loadgroup", False)
