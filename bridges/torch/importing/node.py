"""A call during its conversion: its arguments, and builders of npu ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ....dialects.notes.interfaces import arguments_of, dims_of
from ....dialects.npu.source import ConstantOp, OpaqueOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ...building import OpBuilder, Size, Typed, UnsupportedNode
from ..calls import Call
from ..numbers import dense
from ..recurrent import ParametersKey
from .computed import ComputedWeights, Rearranged


class KnownSizes:
    """The sizes of the values of a function, with the names of those that are known at run time only."""

    def __init__(self) -> None:
        self._sizes: dict[SSAValue, tuple[Size, ...]] = {}

    def of(self, value: SSAValue) -> tuple[Size, ...]:
        if value not in self._sizes:
            shape = shape_of(value)
            names = names_of(value) if DYNAMIC in shape else [None] * len(shape)
            self._sizes[value] = tuple(
                size if size != DYNAMIC else name or (value, axis)
                for axis, (size, name) in enumerate(zip(shape, names, strict=True))
            )
        return self._sizes[value]

    def note(self, value: SSAValue, sizes: Sequence[Size]) -> None:
        self._sizes[value] = tuple(sizes)


def names_of(value: SSAValue) -> Sequence[str | None]:
    """The names of the sizes of a value, None where it has none."""
    if isinstance(value, OpResult):
        names = [each.data if isinstance(each, StringAttr) else None for each in dims_of(value)]
    else:
        argument = cast("BlockArgument", value)
        function = argument.owner.parent_op()
        names = [*arguments_of(function)[argument.index].original_names] if isinstance(function, FuncOp) else []
    return names or [None] * len(shape_of(value))


class CallNode(OpBuilder):
    """One call, and the place at which its ops are added."""

    def __init__(self, op: OpaqueOp, call: Call, sizes: KnownSizes, weights: ComputedWeights):
        self.op = op
        self.call = call
        self._sizes = sizes
        self._weights = weights
        self.made: list[Operation] = []
        """The ops built so far."""
        self.parameters: dict[ParametersKey, Sequence[SSAValue]] = {}
        """Constants of the call of which others were computed, by these."""

    # Arguments and results.

    def has(self, name: str) -> bool:
        """True if an argument is an operand."""
        return name in self.call.operands

    def operand(self, name: str) -> SSAValue:
        if name not in self.call.operands:
            raise UnsupportedNode(f"{name} is no tensor")
        return self.call.operands[name]

    def optional(self, name: str) -> SSAValue | None:
        return self.call.operands.get(name)

    def list_of(self, name: str) -> list[SSAValue]:
        """The operands of a list."""
        return self.call.list_of(name)

    def get(self, name: str, default: Any = None) -> Any:
        """An argument that is no tensor."""
        if self.has(name):
            raise UnsupportedNode(f"{name} is a tensor")
        return self.call.values.get(name, default)

    def integers(self, name: str, count: int | None = None) -> list[int]:
        """A list of integers; a single one stands for all of them."""
        found: Any = self.get(name)
        values: list[Any] = [found] if isinstance(found, int) else [*(found or ())]
        self.require(all(isinstance(each, int) for each in values), f"{name} is not known")
        return values * count if count is not None and len(values) == 1 else values

    def integer(self, name: str, default: int | None = None) -> int:
        """An integer that is known."""
        found: Any = self.get(name, default)
        self.require(isinstance(found, int), f"{name} is not known")
        return found

    def require(self, is_so: bool, reason: str) -> None:
        """Refuse the call for a reason, unless something is so."""
        if not is_so:
            raise UnsupportedNode(reason)

    def axis(self, axis: int, rank: int) -> int:
        """An axis as a non-negative number; a scalar counts as having one."""
        if not -max(rank, 1) <= axis < max(rank, 1):
            raise UnsupportedNode(f"axis {axis} of {rank}")
        return axis % max(rank, 1)

    def result(self, index: int = 0) -> Typed:
        """The type of a result."""
        value = self.op.results[index]
        return Typed(element_type_of(value), self._sizes.of(value))

    # Building.

    def sizes_of(self, value: SSAValue) -> tuple[Any, ...]:
        return self._sizes.of(value)

    def rank(self, value: SSAValue) -> int:
        return len(self.sizes_of(value))

    def place(self, made: Operation, sizes: Sequence[tuple[Any, ...]]) -> None:
        made.location = self.op.location
        block = self.op.parent
        assert block is not None
        block.insert_op_before(made, self.op)
        self.made.append(made)
        for value, each in zip(made.results, sizes, strict=True):
            self._sizes.note(value, each)

    def constant_of(self, array: NDArray[Any], element: Attribute | None = None) -> SSAValue:
        """Build a constant; the default element type is that of the first result."""
        element = self.result().element if element is None else element
        op = ConstantOp(dense(array, element))
        self.place(op, [array.shape])
        return op.result

    def computed(
        self, sources: Sequence[SSAValue], name: str, shape: tuple[int, ...], rearranged: Rearranged
    ) -> SSAValue:
        """Build a constant of the elements of others."""
        op = self._weights.constant(sources, name, shape, rearranged)
        self.place(op, [shape])
        return op.result

    def scalar(self, number: float, element: Attribute) -> SSAValue:
        return self.constant_of(np.array(number), element)

    def place_of(self, index: int) -> SSAValue:
        """The constant of a position."""
        return self.constant_of(np.array(index), i64)
