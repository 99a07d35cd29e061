"""The roots of storages through all views, also those that tear axes."""

from collections.abc import Sequence
from typing import cast

from xdsl.ir import SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.likely_sizes import LikelySizes
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.views import views_above
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ..graph.quick_checks import isinstance_cached


class Origins:
    """The root of each value's storage, looked up once."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, SSAValue] = {}
        self._likely_sizes: dict[int, LikelySizes] = {}

    def of(self, value: SSAValue) -> SSAValue:
        """The root of a value's storage."""
        if not isinstance_cached(value.owner, ViewOp):
            return value
        chain: list[SSAValue] = []
        root = value
        for view in views_above(value):
            if root in self._known:
                break
            chain.append(root)
            root = view.input
        root = self._known.get(root, root)
        self._known.update(dict.fromkeys(chain, root))
        return root

    def is_constant(self, value: SSAValue) -> bool:
        """True if a value is a view of a constant, or of what another source makes."""
        owner = self.of(value).owner
        return isinstance_cached(owner, NpuOp) and cast(NpuOp, owner).is_source

    def likely_sizes(self, value: SSAValue, assumed_size: int = ASSUMED_SIZE) -> Sequence[int]:
        """The logical sizes of a value; unknown ones are assumed."""
        return self._likely_sizes.setdefault(assumed_size, LikelySizes(assumed_size)).of(value)
