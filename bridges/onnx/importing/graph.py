"""State of an import: the values of the model, and the block with the ops built so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from re import sub
from typing import NamedTuple

import numpy as np
from onnx import NodeProto, TensorProto, helper
from xdsl.dialects.builtin import FusedLoc, LocationAttr, NameLoc, NoneAttr, StringAttr, TensorType, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.npu.attrs import Reference, ReferenceAttr
from ....dialects.npu.source import ConstantOp
from ....dialects.settings.folding import FOLD_LIMIT
from ...building import tensor_type
from ..came import CameGraph, CameNodes
from ..errors import UnsupportedNode
from .expanded import Expanded
from .shaped import Shaped
from .sizes import Size
from .tensors import ModelTensor, from_array
from .types import ELEMENT_TYPES, ONNX_TYPES, Array, dense

NO_LOCATION = NoneAttr()
LARGEST_KNOWN = 4096
"""Constants with more elements than this are not folded."""


class Postponed(Exception):
    """Conversion of `node` was postponed because its result was known, but now an op needs its result."""

    def __init__(self, node: NodeProto):
        super().__init__(node.op_type)
        self.node = node


@dataclass(slots=True)
class ModelValue:
    """A value of the model."""

    name: str
    shaped: Shaped
    ssa: SSAValue | None = None
    tensor: ModelTensor | None = None
    """The data of a constant."""
    known: Array | None = None
    """The value of a small constant or of a folded node; may contain unknown sizes."""
    node: NodeProto | None = None
    """The producer, as long as it is not converted."""


class ImportState(NamedTuple):
    """The parts that all graphs of a model share, at one point of the import."""

    weights: dict[str, ModelTensor]
    unfolded: dict[str, int]
    opaque: dict[str, int]
    functions: list[FuncOp]
    nodes: int
    """The number of converted nodes."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """All subgraphs of a node."""

    symbols: Mapping[str, str]
    """The names of the functions, by attribute."""
    arguments: Sequence[str]
    """The outer values that all functions take after the inputs of their graphs."""
    results: list[Shaped]
    """The types of the results of the node."""


@dataclass(slots=True)
class ImportedGraph:
    """The values of a graph by name, and the block that ops are added to."""

    block: Block
    opsets: Mapping[str, int]
    keeps_inline: Callable[[ModelTensor], bool]
    """True if a constant is written out in the program."""
    weights_file: str
    """The file that the other constants refer to."""
    read: Callable[[TensorProto, str], ModelTensor]
    """Reads a `TensorProto`; the second argument is its name for messages."""
    fold_limit: int = FOLD_LIMIT
    """The largest constant in bytes that the importer may build for a node."""
    computed: set[str] | None = None
    """The constants that were computed from weights; None if the program computes them."""
    same_shape: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Ops of other domains whose results have the shape of their first input, or (true) of all inputs together."""
    whole: frozenset[str] = frozenset()
    """Ops that become others only if none of these moves data."""
    takes_branches: bool = False
    """True if an `If` whose condition is known is the branch that runs."""
    expanded: Mapping[str, Expanded] = field(default_factory=dict[str, Expanded])
    """The nodes that are here as their definitions, by the names of the nodes of these."""
    unfolded: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes kept because of this limit, and the size of the constants they need."""
    values: dict[str, ModelValue] = field(default_factory=dict[str, ModelValue])
    used: set[str] = field(default_factory=set[str])
    weights: dict[str, ModelTensor] = field(default_factory=dict[str, ModelTensor])
    """The constants that are not written out, by key."""
    opaque: dict[str, int] = field(default_factory=dict[str, int])
    """The number of nodes that became `npu.opaque`, by op."""
    functions: list[FuncOp] = field(default_factory=list[FuncOp])
    """The imported subgraphs of the model, outer ones first."""
    bodies: dict[tuple[str, ...], Bodies] = field(default_factory=dict[tuple[str, ...], Bodies])
    """The imported subgraphs of nodes, by the names of their outputs."""
    came: CameNodes = field(default_factory=CameNodes)
    own: CameGraph = field(default_factory=CameGraph)
    """The notes about this graph alone."""
    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    """The first name of each SSA value in the model."""
    node_numbers: dict[str, int] = field(default_factory=dict[str, int])
    """The number of the last node with subgraphs, by op."""
    block_size: int | None = None
    """The size of blocks of channels, if the model notes it."""
    depth: int = 0
    """The number of graphs around this one."""
    location: str = ""
    """The name of the node that is being converted."""
    _sizes: dict[SSAValue, tuple[Size, ...]] = field(default_factory=dict[SSAValue, "tuple[Size, ...]"])
    _scalars: dict[tuple[str, Attribute], SSAValue] = field(default_factory=dict[tuple[str, Attribute], SSAValue])

    def inner(self) -> "ImportedGraph":
        """A graph for a subgraph of a node."""
        return ImportedGraph(
            Block(),
            self.opsets,
            self.keeps_inline,
            self.weights_file,
            self.read,
            self.fold_limit,
            same_shape=self.same_shape,
            whole=self.whole,
            takes_branches=self.takes_branches,
            expanded=self.expanded,
            unfolded=self.unfolded,
            weights=self.weights,
            opaque=self.opaque,
            functions=self.functions,
            came=self.came,
            block_size=self.block_size,
            depth=self.depth + 1,
        )

    def state(self) -> ImportState:
        """A copy of what all graphs share."""
        return ImportState(
            {**self.weights}, {**self.unfolded}, {**self.opaque}, [*self.functions], len(self.came.protos)
        )

    def restore(self, state: ImportState) -> None:
        """Undo everything that subgraphs have added since."""
        for table, before in zip((self.weights, self.unfolded, self.opaque), state[:3], strict=True):
            table.clear()
            table |= before
        self.functions[:] = state.functions
        del self.came.protos[state.nodes :]

    # Queries.

    def opset(self, domain: str) -> int:
        return self.opsets.get("" if domain == "ai.onnx" else domain, 0)

    def is_used(self, name: str) -> bool:
        return name in self.used

    def shaped(self, name: str) -> Shaped:
        return self.values[name].shaped

    def known(self, name: str) -> Array | None:
        """The folded value, or None. Its dtype is `object` if it contains unknown sizes."""
        value = self.values[name]
        if value.known is None and value.tensor is not None and value.tensor.has_data:
            if value.tensor.count > LARGEST_KNOWN:
                return None
            value.known = value.tensor.array()
        return value.known

    def sizes_of(self, value: SSAValue) -> tuple[Size, ...]:
        return self._sizes[value]

    def type_of(self, shaped: Shaped) -> TensorType:
        return tensor_type(shaped.element, shaped.sizes)

    def argument_types(self) -> list[Attribute]:
        return [argument.type for argument in self.block.args]

    # SSA values.

    def value(self, name: str) -> SSAValue:
        """The SSA value of a model value. Constants are built at their first use."""
        value = self.values[name]
        if value.ssa is None:
            if value.node is not None and (value.known is None or value.known.dtype == np.object_):
                raise Postponed(value.node)
            tensor = value.tensor or from_array(_plain(value), name)
            value.ssa = self._add_tensor(tensor, name)
            self.names[value.ssa] = name
        return value.ssa

    def set(self, name: str, ssa: SSAValue) -> None:
        """Set the SSA value of a model value."""
        self.values[name].ssa = ssa
        self.names.setdefault(ssa, name)
        if ssa.name_hint is None:
            ssa.name_hint = legal_hint(name)

    def set_all(self, names: Sequence[str], results: Sequence[SSAValue | None]) -> None:
        """Set the SSA values of the converted node's outputs; their names are in the locations of the ops."""
        known = {ssa: name for name, ssa in reversed(list(zip(names, results, strict=False))) if name and ssa}
        # The result may be that of an earlier node.
        ops = [op for op in dict.fromkeys(ssa.owner for ssa in known) if isinstance(op, Operation)]
        own = [op for op in ops if self._lacks_names(op)]
        for name, ssa in zip(names, results, strict=False):
            if name and ssa is not None:
                self.set(name, ssa)
        for op in own:
            found = [known.get(result) for result in op.results]
            if isinstance(op.location, NameLoc) and found != [result.name_hint for result in op.results]:
                op.location = NameLoc(op.location.desc, _names_loc(found))

    def _lacks_names(self, op: Operation) -> bool:
        """True for an op of the node that is being converted, or one of which no result is a value of the model yet."""
        if not isinstance(op.location, NameLoc) or op.location.location is not NO_LOCATION:
            return False
        return op.location.desc.data == self.location or all(result.name_hint is None for result in op.results)

    # Adding ops.

    def insert(self, op: Operation, sizes: Sequence[tuple[Size, ...]]) -> None:
        op.location = _name_loc(self.location)
        self.block.add_op(op)
        self._sizes.update(zip(op.results, sizes, strict=True))

    def add_argument(self, name: str, shaped: Shaped) -> None:
        argument = self.block.insert_arg(self.type_of(shaped), len(self.block.args))
        self._sizes[argument] = shaped.sizes
        self.values[name] = ModelValue(name, shaped, ssa=argument)
        self.names[argument] = name
        argument.name_hint = legal_hint(name)

    def add_tensor(self, name: str, tensor: ModelTensor) -> None:
        """Add a constant of the model."""
        self.values[name] = ModelValue(name, Shaped(ELEMENT_TYPES[tensor.number], tensor.shape), tensor=tensor)

    def add_constant(self, array: Array) -> SSAValue:
        """Build a constant that is not in the model."""
        return self._add_tensor(from_array(array, self.location), None)

    def add_scalar(self, number: float, element: Attribute) -> SSAValue:
        """Build a scalar constant, or reuse the existing one."""
        key = repr(number), element
        known = self._scalars.get(key)
        if known is None or known.owner.parent is None:
            number_type = ONNX_TYPES[element]
            array = np.array(number, helper.tensor_dtype_to_np_dtype(number_type))
            value = dense(array, number_type)
            known = self._scalars[key] = self._add_constant_op(ConstantOp(value), ())
        return known

    def _add_tensor(self, tensor: ModelTensor, name: str | None) -> SSAValue:
        if tensor.has_data and self.keeps_inline(tensor):
            op = ConstantOp(dense(tensor.array(), tensor.number))
        else:
            key = self._new_key(name or f"{self.location}.{len(self.weights)}", tensor)
            self.weights[key] = tensor
            type_ = tensor_type(ELEMENT_TYPES[tensor.number], tensor.shape)
            op = ConstantOp(ReferenceAttr(Reference(self.weights_file, key)), type_)
        around, self.location = self.location, name or self.location
        made = self._add_constant_op(op, tensor.shape)
        self.location = around
        if name is not None:
            made.name_hint = legal_hint(name)
        return made

    def _new_key(self, name: str, tensor: ModelTensor) -> str:
        """A key in the weights file, derived from this name: that of the tensor in another graph, or a new one."""
        while name in self.weights and self.weights[name] is not tensor:
            name += "_"
        return name

    def _add_constant_op(self, op: ConstantOp, shape: Sequence[int]) -> SSAValue:
        self.insert(op, [tuple(shape)])
        return op.result

    # Rolling back a conversion.

    def mark(self) -> Operation | None:
        """A point to roll back to."""
        return self.block.last_op

    def roll_back(self, mark: Operation | None) -> None:
        """Erase the ops added since `mark`, except for constants of the model."""
        op = self.block.last_op
        while op is not None and op is not mark:
            before = op.prev_op
            if not (isinstance(op, ConstantOp) and op.result.first_use is None and self._is_of_model(op)):
                for result in op.results:
                    self._sizes.pop(result, None)
                if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
                    self.weights.pop(op.value.data.key, None)
                op.detach()
                op.erase()
            op = before

    def _is_of_model(self, op: ConstantOp) -> bool:
        name = op.location.desc.data if isinstance(op.location, NameLoc) else ""
        value = self.values.get(name)
        return value is not None and value.ssa is op.result


@lru_cache(maxsize=16)
def _name_loc(name: str) -> NameLoc:
    # Cached: a node often becomes several ops.
    return NameLoc(StringAttr(name), NO_LOCATION)


def _names_loc(names: Sequence[str | None]) -> LocationAttr:
    """The location with one name, or with one for each result."""
    parts = [UnknownLoc() if name is None else NameLoc(StringAttr(name), NO_LOCATION) for name in names]
    return parts[0] if len(parts) == 1 else FusedLoc(tuple(parts), NO_LOCATION)


def _plain(value: ModelValue) -> Array:
    if value.known is None:
        raise UnsupportedNode(f"'{value.name}' has no value")
    return value.known.astype(helper.tensor_dtype_to_np_dtype(ONNX_TYPES[value.shaped.element]), copy=False)


def legal_hint(name: str) -> str | None:
    """The closest valid SSA name."""
    text = sub(r"[^0-9a-zA-Z_$.-]", "_", name).strip("_.-") or None
    return f"v{text}" if text and text[0].isdigit() else text
