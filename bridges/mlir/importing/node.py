"""An op of upstream MLIR that is being read, and its operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import CastOp
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import element_type_of, shape_of
from ....interpreter.elements import Array, numpy_dtype
from ..bindings import Operation, ir
from .constants import shaped, tensor_type
from .errors import UnsupportedOp

if TYPE_CHECKING:
    from .function import FunctionReader

Operands: TypeAlias = "Sequence[SSAValue | Sequence[SSAValue]]"


@dataclass(slots=True, eq=False)
class Operand:
    """A tensor that the program computes, or numbers that become a constant of it where one is needed."""

    function: FunctionReader
    shape: tuple[int, ...]
    element: Attribute | None
    """None for the sizes that ops of TOSA ask for, which are no tensor of the program."""
    known: Array | None = None
    computed: SSAValue | None = None
    origin: Operation | None = None
    """The constant that the numbers are from."""

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def type(self) -> Attribute:
        if self.element is None:
            raise UnsupportedOp("sizes are no tensor")
        return self.element

    @property
    def value(self) -> SSAValue:
        """The value in the program; a constant is written where it is used first."""
        if self.computed is None:
            assert self.known is not None
            self.computed = self.function.add_constant(self.known, self.type, self.origin)
        return self.computed

    @property
    def numbers(self) -> Array:
        """The numbers of an operand that has to be known."""
        if self.known is None:
            raise UnsupportedOp("an operand is not constant")
        return self.known

    @property
    def ints(self) -> list[int]:
        """The numbers of a list of sizes that has to be known."""
        return [int(number) for number in self.numbers.reshape(-1)]

    def is_all(self, number: float) -> bool:
        """Whether this is known to be nothing but one number."""
        return self.known is not None and bool(np.all(self.known == number))


@dataclass(slots=True)
class ImportedOp:
    """An op that is being read."""

    function: FunctionReader
    op: Operation
    made: list[NpuOp] = field(default_factory=list[NpuOp])
    """The ops that stand for it so far."""

    # What it says.

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return self._result[0]

    @property
    def element(self) -> Attribute:
        """The element type of the result."""
        return self._result[1]

    @property
    def _result(self) -> tuple[tuple[int, ...], Attribute]:
        found = shaped(self.op.results[0].type)
        if found is None:
            raise UnsupportedOp("the result is no tensor of the npu dialect")
        return found

    def has(self, name: str) -> bool:
        return name in self.op.attributes

    def int(self, name: str) -> int:
        return ir.IntegerAttr(self.op.attributes[name]).value

    def flag(self, name: str) -> bool:
        return self.has(name) and bool(ir.BoolAttr(self.op.attributes[name]).value)

    def ints(self, name: str) -> list[int]:
        """A list of numbers, of 32 or of 64 bits."""
        return [int(number) for number in self.op.attributes[name]]

    def text(self, name: str) -> str:
        """An attribute as it is written, or nothing."""
        return str(self.op.attributes[name]) if self.has(name) else ""

    def require(self, condition: bool, why_not: str) -> None:
        if not condition:
            raise UnsupportedOp(why_not)

    # What becomes of it.

    def add(
        self,
        op: type[NpuOp],
        operands: Operands,
        properties: Mapping[str, Attribute] | None = None,
        type: TensorType | None = None,
    ) -> SSAValue:
        """Add an op, and return its result, which has the type of this op's unless another one is said."""
        made = op.build(
            operands=operands,
            result_types=[type or tensor_type(self.shape, self.element)],
            properties=dict(properties or {}),
        )
        self.made.append(made)
        return made.results[0]

    def constant(self, numbers: Array | float, element: Attribute) -> SSAValue:
        """Numbers that the module does not have, as a constant."""
        return self.function.add_constant(np.asarray(numbers, numpy_dtype(element)), element, None)

    def known(self, numbers: Array, like: Operand) -> Operand:
        """The result of an op on numbers that are known."""
        return Operand(self.function, numbers.shape, like.element, known=numbers, origin=self.op)

    def reshaped(self, x: Operand | SSAValue, shape: Sequence[int]) -> SSAValue:
        """A reshape; one of numbers that are known is done at once."""
        if isinstance(x, Operand):
            if tuple(shape) == x.shape:
                return x.value
            if x.known is not None:
                return self.constant(x.known.reshape(shape), x.type)
            x = x.value
        if tuple(shape) == shape_of(x):
            return x
        return self.add(ReshapeOp, [x], type=tensor_type(tuple(shape), element_type_of(x)))

    def cast(self, x: SSAValue, element: Attribute) -> SSAValue:
        """The same numbers in another element type."""
        if element_type_of(x) == element:
            return x
        return self.add(CastOp, [x], type=tensor_type(shape_of(x), element))

    def zero_points(self, *operands: Operand) -> list[float]:
        """The zero points that ops of TOSA come with, one number each."""
        return [float(operand.numbers.reshape(-1)[0]) for operand in operands]

    def require_no_zero_points(self, *operands: Operand) -> None:
        self.require(not any(self.zero_points(*operands)), "a zero point")

    def require_nan_propagates(self) -> None:
        self.require("IGNORE" not in self.text("nan_mode"), "NaN is ignored")
