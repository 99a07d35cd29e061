"""Settings of all unit tests."""

import gc

from hypothesis import HealthCheck, settings

# Objects of a program live as long as its test. By default Python looks for garbage among them so often that it took
# half of the time of tests with 100,000 objects.
gc.set_threshold(100_000, 20, 100)

# A machine under load is no error.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Take what all tests share, modules and the tests themselves, out of the search for garbage."""
    gc.collect()
    gc.freeze()
