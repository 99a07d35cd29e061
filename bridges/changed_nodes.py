"""The nodes of a model that came, in the model that is written."""

from typing import NamedTuple


class ChangedNodes(NamedTuple):
    """The number of nodes that are not in the written model as they came, and of all that came."""

    changed: int
    came: int

    @property
    def text(self) -> str:
        return f"{self.changed:,} of {self.came:,} node{'s' * (self.came != 1)} changed"
