"""LiteRT files as they are: ops, transposes that move data, and the shapes of inputs and outputs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from npu_opt.bridges.litert.schema import schema

BYTES = {"FLOAT32": 4, "INT32": 4, "UINT32": 4, "INT64": 8, "FLOAT16": 2, "INT16": 2}
"""The sizes of elements; those of all other types have one byte."""


BLOCKS = ("DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND")


class Counted(NamedTuple):
    """The work that a file gives to its runtime."""

    transposes: int
    """The transposes that change the order of axes of more than one element."""
    transposed: int
    """The bytes that they write."""
    others: int
    """Ops of other kinds that only change the order of computed data."""
    moved_by_others: int
    """The bytes that they write."""
    ops: int
    size: int
    """Of the file, in bytes."""

    @property
    def moves(self) -> int:
        return self.transposes + self.others


@dataclass(frozen=True)
class End:
    """An input or output of a file."""

    name: str
    shape: Sequence[int]


class LiteFile:
    """The tables of a file. Data is read where it is asked for."""

    def __init__(self, path: Path) -> None:
        self._content = path.read_bytes()
        self._model: Any = schema().Model.GetRootAs(self._content, 0)
        self._graph: Any = self._model.Subgraphs(0)
        self._kinds = _names(schema().BuiltinOperator)
        self._types = _names(schema().TensorType)

    def counted(self) -> Counted:
        nodes = [self._graph.Operators(index) for index in range(self._graph.OperatorsLength())]
        moved = [self._bytes(node.Outputs(0)) for node in nodes if self._moves(node)]
        others = [self._bytes(node.Outputs(0)) for node in nodes if self._reorders(node)]
        return Counted(len(moved), sum(moved), len(others), sum(others), len(nodes), len(self._content))

    def kinds(self) -> Iterator[str]:
        """The kinds of the ops."""
        for index in range(self._graph.OperatorsLength()):
            yield self._kind(self._graph.Operators(index))

    def inputs(self) -> list[End]:
        return [self._end(self._graph.Inputs(index)) for index in range(self._graph.InputsLength())]

    def outputs(self) -> list[End]:
        return [self._end(self._graph.Outputs(index)) for index in range(self._graph.OutputsLength())]

    def _end(self, tensor: int) -> End:
        found = self._graph.Tensors(tensor)
        return End(found.Name().decode(), self._shape(tensor))

    def _kind(self, node: Any) -> str:
        code = self._model.OperatorCodes(node.OpcodeIndex())
        return self._kinds[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]

    def _shape(self, tensor: int) -> list[int]:
        found = self._graph.Tensors(tensor)
        return [found.Shape(axis) for axis in range(found.ShapeLength())]

    def _signature(self, tensor: int) -> list[int]:
        """A shape with -1 for sizes that are known at run time only, for which the shape itself has 1."""
        found = self._graph.Tensors(tensor)
        count = found.ShapeSignatureLength()
        return [found.ShapeSignature(axis) for axis in range(count)] if count else self._shape(tensor)

    def _bytes(self, tensor: int) -> int:
        return prod(self._shape(tensor)) * BYTES.get(self._types[self._graph.Tensors(tensor).Type()], 1)

    def _is_constant(self, tensor: int) -> bool:
        return bool(self._model.Buffers(self._graph.Tensors(tensor).Buffer()).DataLength())

    def _moves(self, node: Any) -> bool:
        if self._kind(node) != "TRANSPOSE":
            return False
        if not self._is_constant(node.Inputs(1)):
            return True
        data = self._model.Buffers(self._graph.Tensors(node.Inputs(1)).Buffer()).DataAsNumpy()
        shape = self._signature(node.Inputs(0))
        long = [axis for axis in np.frombuffer(data.tobytes(), np.int32) if shape[axis] != 1]
        return long != sorted(long)

    def _reorders(self, node: Any) -> bool:
        """True for a change of blocks, and for a read of computed data at constant places."""
        if self._kind(node) in BLOCKS:
            return True
        if self._kind(node) != "GATHER" or self._is_constant(node.Inputs(0)) or not self._is_constant(node.Inputs(1)):
            return False
        return prod(self._shape(node.Inputs(1))) > 1


def digest(file: Path) -> str:
    """The digest of all in a file but its metadata."""
    module = schema()
    model: Any = module.ModelT.InitFromObj(module.Model.GetRootAs(file.read_bytes(), 0))
    for entry in model.metadata or ():
        model.buffers[entry.buffer].data = None
    model.metadata = None
    return sha256(json.dumps(model, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    fields: dict[str, Any] | None = getattr(value, "__dict__", None)
    # Arrays have no fields.
    return sha256(value.tobytes()).hexdigest() if fields is None else fields


def _names(enumeration: Any) -> dict[int, str]:
    """The names in an enumeration of the format, by their numbers."""
    return {getattr(enumeration, name): name for name in dir(enumeration) if not name.startswith("_")}
