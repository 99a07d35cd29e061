"""Where data comes into being: a transpose, a relabel or a reshape only looks at it in another way."""

from xdsl.ir import SSAValue

from ...dialects.npu.shape import ViewOp
from ...dialects.npu.source import ConstantOp


class Origins:
    """The values that others are views of, each looked for once."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, SSAValue] = {}

    def of(self, value: SSAValue) -> SSAValue:
        """The value that is no view itself, of which this one is a view."""
        chain: list[SSAValue] = []
        while value not in self._known and isinstance(view := value.owner, ViewOp):
            # For now: where ops may stand in any sequence, views can form a ring.
            self._known[value] = value
            chain.append(value)
            value = view.input
        origin = self._known.get(value, value)
        self._known.update(dict.fromkeys(chain, origin))
        return origin

    def is_constant(self, value: SSAValue) -> bool:
        """Whether only views stand between a constant and a value."""
        return isinstance(self.of(value).owner, ConstantOp)
