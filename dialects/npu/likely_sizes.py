"""The sizes that count for unknown ones, followed from the arguments through the program.

An unknown batch counts as one wherever an op puts its axis: where it counts by its place in each value, a program would
move less data for no reason but another order of axes.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Attribute, Operation, SSAValue

from ...layout import DYNAMIC, permute, unpermute
from ..settings.assumed_sizes import ASSUMED_SIZE, assumed
from .attrs import OperandDim
from .shape import ReshapeOp, StoredAxesOp, ViewOp
from .values import is_tensor, order_of_value, shape_of


class LikelySizes:
    """The logical sizes of values, with assumed ones. Passes may change the types of values meanwhile."""

    def __init__(self, assumed_size: int = ASSUMED_SIZE) -> None:
        self._assumed_size = assumed_size
        self._known: dict[SSAValue, tuple[Attribute, Sequence[int]]] = {}
        """The sizes as stored, for the type of the value."""

    def of(self, value: SSAValue) -> Sequence[int]:
        """The logical sizes of a value."""
        waiting = [value]
        while waiting:
            last = waiting[-1]
            needed = [] if self._is_known(last) else [each for each in _sources(last) if not self._is_known(each)]
            waiting += needed
            if not needed:
                waiting.pop()
                if not self._is_known(last):
                    self._known[last] = last.type, self._found(last)
        return self._logical(value)

    def _is_known(self, value: SSAValue) -> bool:
        return value in self._known and self._known[value][0] is value.type

    def _logical(self, value: SSAValue) -> Sequence[int]:
        return unpermute(self._known[value][1], order_of_value(value))

    def _found(self, value: SSAValue) -> Sequence[int]:
        shape, op = shape_of(value), value.owner
        if DYNAMIC not in shape:
            return shape
        if isinstance(op, ViewOp):
            _, before = self._known[op.input]
            return permute(before, op.moved()) if isinstance(op, StoredAxesOp) else _reshaped(op, before, shape)
        order = order_of_value(value)
        logical, likely = unpermute(shape, order), assumed(unpermute(shape, order), self._assumed_size)
        for source in reversed(_sources(value)):
            sizes = unpermute(shape_of(source), order_of_value(source))
            for axis, size in enumerate(self._logical(source)):
                if logical[axis] == sizes[axis] == DYNAMIC:
                    likely[axis] = size
        return permute(likely, order)


def _sources(value: SSAValue) -> list[SSAValue]:
    """The operands whose axes those of a value of unknown sizes are: that of a view, else those of the same rank."""
    op, shape = value.owner, shape_of(value)
    if not isinstance(op, Operation) or DYNAMIC not in shape:
        return []
    if isinstance(op, ViewOp):
        return [op.input]
    return [each for each in op.operands if is_tensor(each) and len(shape_of(each)) == len(shape)]


def _reshaped(op: ViewOp, before: Sequence[int], shape: Sequence[int]) -> Sequence[int]:
    """The sizes behind a reshape: those that it takes over, and what is left for another one."""
    dims = op.dims.data if isinstance(op, ReshapeOp) and op.dims else shape
    sizes = [
        before[dim.position] if isinstance(dim, OperandDim) else size for dim, size in zip(dims, shape, strict=True)
    ]
    known = prod(size for size in sizes if size != DYNAMIC)
    return [max(1, prod(before) // max(1, known)) if size == DYNAMIC else size for size in sizes]
