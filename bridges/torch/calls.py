"""Calls of PyTorch's operators in a program: one `npu.opaque` for each call of a graph.

The attributes of the op are the arguments of the operator by their names in its schema, without those that are None;
`operands` has the names of those that are operands:

```mlir
%y = npu.opaque "aten.conv2d.default"(%x, %w) pure {operands = ["input", "weight"], stride = array<i64: 2, 2>,
  padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64} : ...
```

The values of a list are `tensors.0`, `tensors.1` and so on. Element types are types of MLIR. A size that is known at
run time only is a text: an expression of named sizes ("2*s0"), or the size of an operand along an axis ("#0.2").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, SSAValue

from ...compat.xdsl import is_array_of
from ...dialects.notes.interfaces import DIMS
from ...dialects.npu.source import ForeignOp, OpaqueOp
from ..building import Sizes, tensor_type
from ..formats.records import attribute_of, value_of

OPERANDS = "operands"
SYSTEMS = ("aten.", "dim_order_ops.", "quantized_decomposed.", "prims.")
"""The beginnings of the names of operators."""
ASSERTS = ("aten._assert",)
"""The beginnings of the names of operators that compute nothing."""


@dataclass(slots=True)
class Call:
    """A call of an operator: its name, and its arguments by name."""

    name: str
    operands: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    """The other arguments; element types are attributes."""

    @staticmethod
    def of(op: ForeignOp) -> Call | None:
        """The call that an op is; None for an op of another system."""
        names = op.attributes.get(OPERANDS)
        if not is_array_of(names, StringAttr) or len(names) != len(op.operands):
            return None
        given = {each.data: value for each, value in zip(names, op.operands, strict=True)}
        values = {name: _value(each) for name, each in op.attributes.items() if name not in (OPERANDS, DIMS)}
        return Call(op.op_name.data, given, values) if len(given) == len(op.operands) else None

    def list_of(self, name: str) -> list[SSAValue]:
        """The operands of a list."""
        found: list[SSAValue] = []
        while (value := self.operands.get(f"{name}.{len(found)}")) is not None:
            found.append(value)
        return found

    def places_of(self, name: str) -> list[SSAValue | None]:
        """The operands of a list, None at places without one."""
        places = {
            int(each.removeprefix(f"{name}.")): value
            for each, value in self.operands.items()
            if each.startswith(f"{name}.")
        }
        return [places.get(place) for place in range(max(places, default=-1) + 1)]

    def op(self, elements: Sequence[Attribute], sizes: Sequence[Sizes], is_pure: bool = True) -> OpaqueOp:
        """The op, with results of these types."""
        attributes = {name: attribute_of(each) for name, each in self.values.items()}
        attributes[OPERANDS] = ArrayAttr([StringAttr(name) for name in self.operands])
        if any(not isinstance(size, int) for each in sizes for size in each):
            names = [[StringAttr(size if isinstance(size, str) else "") for size in each] for each in sizes]
            attributes[DIMS] = ArrayAttr([ArrayAttr(each) for each in names])
        types = [tensor_type(element, each) for element, each in zip(elements, sizes, strict=True)]
        properties: dict[str, Attribute] = {"op_name": StringAttr(self.name)}
        if is_pure:
            properties["pure"] = UnitAttr()
        made = OpaqueOp.create(
            operands=[*self.operands.values()], result_types=types, properties=properties, attributes=attributes
        )
        return made


def _value(attribute: Attribute) -> Any:
    try:
        return value_of(attribute)
    except ValueError:
        return attribute


def arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without those that are left out."""
    return {name: each for name, each in values.items() if each is not None}
