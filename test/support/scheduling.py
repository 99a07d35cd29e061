"""The order in which pytest-xdist sends tests to its processes."""

from collections import Counter
from collections.abc import Sequence

from xdist.scheduler import LoadGroupScheduling  # pyright: ignore[reportMissingTypeStubs]  # It carries no types.

LONGEST = 25
"""The largest number of tests that are sent together: few enough that all processes end at nearly the same time."""


class InRuns(LoadGroupScheduling):
    """Tests of a group go to one process together, and so do runs of other tests of one file.

    What the tests of a file share is made less often. For each test that ends, pytest-xdist counts all that were sent
    before it: one by one, they take time that grows with the square of their number.
    """

    def schedule(self) -> None:
        if self.collection is None:
            # They are in the order in which they are to start.
            self.config.option.loadscopereorder = False
            tests = next(iter(self.registered_collections.values()))
            self._runs = runs_of(tests, [*map(super()._split_scope, tests)])
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._runs[nodeid]


def runs_of(tests: Sequence[str], groups: Sequence[str]) -> dict[str, str]:
    """The run of each test; the group of a test without one is its name."""
    found, counts = dict[str, str](), Counter[str]()
    for test, group in zip(tests, groups, strict=True):
        file = test.split("::")[0]
        found[test] = f"{file} {counts[file] // LONGEST}" if group == test else group
        counts[file] += group == test
    return found
