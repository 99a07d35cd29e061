"""Settings of all unit tests."""

import gc
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from support import warm_programs

# Objects of a program live as long as its test. By default Python looks for garbage among them so often that it took
# half of the time of tests with 100,000 objects.
gc.set_threshold(100_000, 20, 100)

# A machine under load is no error.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config) -> Any:
    if config.getoption("dist") != "loadgroup":
        return None
    from support.scheduling import InRuns

    return InRuns(config)


@pytest.fixture(scope="session")
def warm_scripts() -> Iterator[Path]:
    """A folder with the programs of npu-opt, which start warm where there is a fork.

    Tests that use it are of the group `warm programs`, so that one process starts the server, once.
    """
    scripts = Path(sysconfig.get_path("scripts"))
    folder = warm_programs.start(scripts, 600)
    yield folder or scripts
    if folder is not None:
        warm_programs.stop(folder)
        assert not folder.exists()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Groups are the longest parts that one process runs, so they start first."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


def pytest_collection_finish() -> None:
    """Take what all tests share, modules and the tests themselves, out of the search for garbage."""
    gc.collect()
    gc.freeze()
