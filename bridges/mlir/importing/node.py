"""An MLIR op during its import, and its operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import CastOp
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import element_type_of, shape_of
from ....interpreter.elements import Array, numpy_dtype
from ..bindings import Operation, Value, ir
from .constants import shaped, tensor_type
from .errors import UnsupportedOp
from .places import Source

Operands: TypeAlias = "Sequence[SSAValue | Sequence[SSAValue]]"


class OpValues(Protocol):
    """The values of the function to which the ops for an MLIR op are added."""

    @property
    def source(self) -> Source:
        """The text of the module."""
        ...

    def operand(self, value: Value) -> Operand | None:
        """The operand for a value, or None if it is not a tensor."""
        ...

    def add_constant(self, numbers: Array, element: Attribute, origin: Operation | None) -> SSAValue:
        """Build a constant; `origin` is the op in the module, if it has one."""
        ...


@dataclass(slots=True, eq=False)
class Operand:
    """A tensor of the program, or a constant that is built at its first use."""

    function: OpValues
    shape: tuple[int, ...]
    element: Attribute | None
    """None for a `tosa.const_shape`, which is not a tensor of the program."""
    known: Array | None = None
    computed: SSAValue | None = None
    origin: Operation | None = None
    """The op of the constant."""

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def type(self) -> Attribute:
        if self.element is None:
            raise UnsupportedOp("a shape is not a tensor")
        return self.element

    @property
    def value(self) -> SSAValue:
        """The SSA value; a constant is built at its first use."""
        if self.computed is None:
            assert self.known is not None
            self.computed = self.function.add_constant(self.known, self.type, self.origin)
        return self.computed

    @property
    def numbers(self) -> Array:
        """The data of an operand, which must be constant."""
        if self.known is None:
            raise UnsupportedOp("an operand is not constant")
        return self.known

    @property
    def ints(self) -> list[int]:
        """The integers of an operand, which must be constant."""
        return [int(number) for number in self.numbers.reshape(-1)]

    def is_all(self, number: float) -> bool:
        """True if the operand is a constant whose elements all equal a number."""
        return self.known is not None and bool(np.all(self.known == number))


@dataclass(slots=True)
class ImportedOp:
    """An MLIR op, with builders of npu ops for it."""

    function: OpValues
    op: Operation
    made: list[NpuOp] = field(default_factory=list[NpuOp])
    """The npu ops built for it so far."""

    # Attributes and results.

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
            raise UnsupportedOp("the npu dialect does not support the type of the result")
        return found

    def has(self, name: str) -> bool:
        return name in self.op.attributes

    def int(self, name: str) -> int:
        return ir.IntegerAttr(self.op.attributes[name]).value

    def flag(self, name: str) -> bool:
        return self.has(name) and bool(ir.BoolAttr(self.op.attributes[name]).value)

    def ints(self, name: str) -> list[int]:
        """A list of integers of 32 or 64 bits."""
        return [int(number) for number in self.op.attributes[name]]

    def text(self, name: str) -> str:
        """The text of an attribute, or an empty string."""
        return str(self.op.attributes[name]) if self.has(name) else ""

    def require(self, condition: bool, reason: str) -> None:
        if not condition:
            raise UnsupportedOp(reason)

    # Builders.

    def add(
        self,
        op: type[NpuOp],
        operands: Operands,
        properties: Mapping[str, Attribute] | None = None,
        type: TensorType | None = None,
    ) -> SSAValue:
        """Add an op and return its result; the default type is that of the MLIR op's result."""
        made = op.build(
            operands=operands,
            result_types=[type or tensor_type(self.shape, self.element)],
            properties=dict(properties or {}),
        )
        self.made.append(made)
        return made.results[0]

    def constant(self, numbers: Array | float, element: Attribute) -> SSAValue:
        """Build a constant that is not in the module."""
        return self.function.add_constant(np.asarray(numbers, numpy_dtype(element)), element, None)

    def known(self, numbers: Array, like: Operand) -> Operand:
        """A folded result."""
        return Operand(self.function, numbers.shape, like.element, known=numbers, origin=self.op)

    def reshaped(self, x: Operand | SSAValue, shape: Sequence[int]) -> SSAValue:
        """Reshape an operand or value; constants are folded."""
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
        """Cast to another element type."""
        if element_type_of(x) == element:
            return x
        return self.add(CastOp, [x], type=tensor_type(shape_of(x), element))

    def zero_points(self, *operands: Operand) -> list[float]:
        """The zero points of a TOSA op, which must be constant."""
        return [float(operand.numbers.reshape(-1)[0]) for operand in operands]

    def require_no_zero_points(self, *operands: Operand) -> None:
        self.require(not any(self.zero_points(*operands)), "a zero point")

    def require_nan_propagates(self) -> None:
        self.require("IGNORE" not in self.text("nan_mode"), "NaN is ignored")
