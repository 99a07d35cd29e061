"""A node during its conversion: its attributes, its inputs, and builders of npu ops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from onnx import AttributeProto, NodeProto, TensorProto, defs, helper
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.values import element_type_of
from ...building import OpBuilder
from ...decimals import shortest_f32
from ..errors import OnnxError, UnsupportedNode
from .graph import ImportedGraph
from .order import label
from .shaped import Shaped
from .sizes import Size
from .types import Array

UNIT = UnitAttr()


class ImportedNode(OpBuilder):
    """One node, and the graph to which its ops are added."""

    def __init__(self, graph: ImportedGraph, proto: NodeProto, outputs: Sequence[Shaped | None]):
        self.graph = graph
        self.proto = proto
        self._outputs = outputs
        self._attributes: dict[str, AttributeProto] = {each.name: each for each in proto.attribute}
        self._read: set[str | int] = set()
        """The attributes and the inputs that were read."""

    # Attributes and outputs.

    def has_attribute(self, name: str) -> bool:
        self._read.add(name)
        return name in self._attributes

    def mark_read(self, *names: str | int) -> None:
        """Note attributes or inputs that do not matter here, or only for the type of the result, which is known."""
        self._read.update(names)

    def unread(self) -> list[str]:
        """The attributes and inputs of the node that nothing has read."""
        inputs = [index for index, name in enumerate(self.proto.input) if name and index not in self._read]
        attributes = [
            name
            for name, each in self._attributes.items()
            if name not in self._read
            and not name.startswith("__")
            and helper.get_attribute_value(each) != _default(self.proto.op_type, self.opset, self.proto.domain, name)
        ]
        return [*(f"attribute '{name}'" for name in attributes), *(f"input {index}" for index in inputs)]

    def _attribute(self, name: str, kind: int) -> Any:
        """The value of an attribute, which must have this type; None if it is absent."""
        self._read.add(name)
        if name not in self._attributes:
            return None
        found = self._attributes[name]
        if found.type != kind:
            raise OnnxError(
                f"{label(self.proto)}: attribute '{name}' is {kind_name(found.type)}, not {kind_name(kind)}"
            )
        return helper.get_attribute_value(found)

    def integer(self, name: str, default: int = 0) -> int:
        found = self._attribute(name, AttributeProto.INT)
        return default if found is None else int(found)

    def flag(self, name: str, default: int = 0) -> bool:
        """An integer attribute that is 0 or 1; runtimes differ about others."""
        found = self.integer(name, default)
        if found not in (0, 1):
            raise UnsupportedNode(f"{name} is {found}")
        return found == 1

    def number(self, name: str, default: float = 0.0) -> float:
        """A float attribute, which has 32 bits like its default."""
        found = self._attribute(name, AttributeProto.FLOAT)
        return shortest_f32(default if found is None else found)

    def text(self, name: str, default: str = "") -> str:
        found = self._attribute(name, AttributeProto.STRING)
        return default if found is None else found.decode(errors="replace")

    def choice(self, name: str, *choices: str) -> str:
        """A string attribute with a fixed set of values; the first is the default."""
        found = self.text(name, choices[0])
        if found not in choices:
            raise OnnxError(f"{label(self.proto)}: attribute '{name}' is '{found}', expected {_either(choices)}")
        return found

    def integers(self, name: str) -> list[int] | None:
        found = self._attribute(name, AttributeProto.INTS)
        return None if found is None else [int(each) for each in found]

    def numbers(self, name: str) -> list[float] | None:
        found = self._attribute(name, AttributeProto.FLOATS)
        return None if found is None else [float(each) for each in found]

    def texts(self, name: str) -> list[str] | None:
        """An attribute of several texts."""
        found = self._attribute(name, AttributeProto.STRINGS)
        return None if found is None else [each.decode(errors="replace") for each in found]

    def tensor(self, name: str) -> Array | None:
        """The data of a tensor attribute."""
        found: TensorProto | None = self._attribute(name, AttributeProto.TENSOR)
        return None if found is None else self.graph.read(found, f"{label(self.proto)}: {name}").array()

    @property
    def opset(self) -> int:
        """The version of the node's domain."""
        return self.graph.opset(self.proto.domain)

    @property
    def input_count(self) -> int:
        """The number of inputs without absent ones at the end."""
        return max((index + 1 for index, name in enumerate(self.proto.input) if name), default=0)

    @property
    def output_count(self) -> int:
        return len(self.proto.output)

    def has_input(self, index: int) -> bool:
        self._read.add(index)
        return index < len(self.proto.input) and bool(self.proto.input[index])

    def has_output(self, index: int) -> bool:
        """True if an output is present and used."""
        return index < len(self.proto.output) and self.graph.is_used(self.proto.output[index])

    def output(self, index: int = 0) -> Shaped:
        """The type of an output."""
        found = self._outputs[index]
        if found is None:
            raise UnsupportedNode(f"the type of output {index} is not known")
        return found

    # Inputs.

    def shaped(self, index: int) -> Shaped:
        """The type of an input."""
        if not self.has_input(index):
            raise UnsupportedNode(f"input {index} is missing")
        return self.graph.shaped(self.proto.input[index])

    def sizes(self, index: int = 0) -> tuple[Size, ...]:
        return self.shaped(index).sizes

    def rank(self, index: int = 0) -> int:
        return self.shaped(index).rank

    def known(self, index: int) -> Array | None:
        """The folded value of an input, which may contain unknown sizes, or None."""
        return self.graph.known(self.proto.input[index]) if self.has_input(index) else None

    def constant(self, index: int) -> Array:
        """The value of an input that must be constant."""
        found = self.known(index)
        if found is None or found.dtype == np.object_:
            raise UnsupportedNode(f"input {index} is not a constant")
        return found

    def single(self, index: int) -> Array:
        """The value of an input that must be a constant scalar."""
        return one(self.constant(index), f"input {index}")

    def constants(self, index: int) -> list[int]:
        """The value of an input that must be a constant list of integers."""
        return [int(each) for each in self.constant(index).reshape(-1)]

    def list_of(self, name: str, index: int) -> list[int] | None:
        """A list of integers that is an attribute in older versions of an op and an input in newer ones."""
        if self.has_attribute(name):
            return self.integers(name)
        return self.constants(index) if self.has_input(index) else None

    def axis(self, axis: int, rank: int | None = None) -> int:
        """The axis as a non-negative number."""
        rank = self.rank() if rank is None else rank
        if not -rank <= axis < max(rank, 1):
            raise UnsupportedNode(f"axis {axis} is out of range for rank {rank}")
        return axis % max(rank, 1)

    def axes(self, axes: Sequence[int], rank: int | None = None) -> list[int]:
        """The axes as non-negative numbers."""
        return [self.axis(axis, rank) for axis in axes]

    # Values.

    def operand(self, index: int) -> SSAValue:
        """The SSA value of an input."""
        if not self.has_input(index):
            raise UnsupportedNode(f"input {index} is missing")
        return self.graph.value(self.proto.input[index])

    def operands(self) -> list[SSAValue]:
        """The SSA values of all inputs."""
        return [self.operand(index) for index in range(self.input_count)]

    def optional(self, index: int) -> SSAValue | None:
        return self.operand(index) if self.has_input(index) else None

    def sizes_of(self, value: SSAValue) -> tuple[Size, ...]:
        """The shape of an SSA value."""
        return self.graph.sizes_of(value)

    # Adding ops.

    def place(self, made: Operation, sizes: Sequence[tuple[Any, ...]]) -> None:
        self.graph.insert(made, sizes)

    def reserve(self, sizes: Sequence[int], dtype: DTypeLike = np.int64) -> None:
        """Check a constant against the fold limit before it is built."""
        length = prod(sizes) * np.dtype(dtype).itemsize
        if length > self.graph.fold_limit:
            self.graph.unfolded.setdefault(label(self.proto), length)
            raise UnsupportedNode(f"a constant of {length} bytes")

    def constant_of(self, array: Array) -> SSAValue:
        """Build a constant."""
        return self.graph.add_constant(array)

    def scalar(self, number: float, like: SSAValue) -> SSAValue:
        """Build a scalar constant of the element type of a value."""
        return self.graph.add_scalar(number, element_type_of(like))


@lru_cache(maxsize=4096)
def _default(kind: str, opset: int, domain: str, name: str) -> Any:
    """The default value of an attribute in ONNX's definition of an op; None if it has none."""
    if not defs.has(kind, opset, domain):
        return None
    found = defs.get_schema(kind, opset, domain).attributes.get(name)
    return helper.get_attribute_value(found.default_value) if found and found.default_value.type else None


def one(numbers: Array, name: str) -> Array:
    """The element of an array that must have exactly one."""
    if numbers.size != 1:
        raise UnsupportedNode(f"{name} has {numbers.size} numbers")
    return numbers.reshape(())


def kind_name(kind: int) -> str:
    """The name of an attribute type."""
    names = {number: name for name, number in AttributeProto.AttributeType.items()}
    return names.get(kind, str(kind))


def _either(choices: Sequence[str]) -> str:
    *others, last = (f"'{choice}'" for choice in choices)
    return f"{', '.join(others)} or {last}" if others else last
