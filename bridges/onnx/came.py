"""The nodes of a model as they came, noted by the importer for the exporter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from numpy.typing import NDArray
from onnx import AttributeProto, NodeProto, TensorProto, numpy_helper
from xdsl.ir import Attribute

from ..came_nodes import CameNode, ReadType, ReadValue


@dataclass(frozen=True, slots=True)
class ReadNumbers:
    """A constant input that the ops have in their attributes or types."""

    name: str
    element: int
    array: NDArray[Any]


@dataclass(frozen=True, slots=True)
class ReadSizes:
    """A folded input that the ops have in their attributes, with sizes that are not known."""


CameInput: TypeAlias = ReadValue | ReadNumbers | ReadType | ReadSizes | None


@dataclass(frozen=True, slots=True, eq=False)
class OnnxCameNode(CameNode[NodeProto]):
    """A node of ONNX that can leave as it came.

    One without an op type stands for several nodes that became ops together, with the names of what these read and
    compute: they leave if the values that they read are those of the model.
    """

    inputs: Sequence[CameInput]
    has_equal_ranks: bool = False
    """True for a product of matrices of equal ranks."""


@dataclass(frozen=True, slots=True, eq=False)
class BareNode:
    """A node of a model that has no ops of its own in the program."""

    proto: NodeProto
    numbers: Mapping[str, ReadNumbers]
    """The constants that it reads."""
    elements: Sequence[int]
    """The element types of its outputs."""
    rank: int
    """The rank of its first output."""
    folded: NDArray[Any] | None = None
    """The numbers that it computes, if they are known."""
    shows: str | None = None
    """The value of the model that its result is as well."""
    text: str = ""
    """The type of that value, as `type_text` says it."""
    has_ops: bool = False
    """True if it became ops together with other nodes."""


@dataclass(slots=True)
class CameGraph:
    """The values of one graph of a model, by name."""

    bare: dict[str, BareNode] = field(default_factory=dict[str, BareNode])
    """The nodes without ops of their own, by each output."""
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    """The types of the inputs, as `type_text` says them."""
    constants: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    """The numbers of the constants that ops read, or their place in the file of weights."""
    foreign: dict[str, tuple[Sequence[str], Sequence[str]]] = field(
        default_factory=dict[str, "tuple[Sequence[str], Sequence[str]]"]
    )
    """The names of operands and results of each op that passes leave unchanged, by that of its first result."""


@dataclass(slots=True)
class CameNodes:
    """The nodes of a model that became ops, those of subgraphs included."""

    protos: list[NodeProto] = field(default_factory=list[NodeProto])
    by_name: dict[str, list[OnnxCameNode]] = field(default_factory=dict[str, list[OnnxCameNode]])
    """The nodes that can leave as they came, by the node of each of their last ops. Names need not be unique."""
    graphs: dict[str, CameGraph] = field(default_factory=dict[str, CameGraph])
    """The graphs of the model, by the names of their functions."""
    inner_constants: set[str] = field(default_factory=set[str])
    """The names of the constants that subgraphs have of their own."""

    def note(self, node: OnnxCameNode | None) -> None:
        """Note a node that can leave as it came; those within its definition come behind it."""
        if node is None:
            return
        for name in dict(node.last):
            noted = self.by_name.setdefault(name, [])
            noted.insert(0 if len(node.parts) > 1 else len(noted), node)

    def with_equal_ranks(self) -> frozenset[str]:
        """The names of the products of matrices of equal ranks."""
        return frozenset(name for name, nodes in self.by_name.items() if any(each.has_equal_ranks for each in nodes))

    def names(self) -> Iterable[str]:
        """The names of the nodes and of their outputs."""
        for node in self.protos:
            yield node.name
            yield from node.output


def count_changed(came: CameNodes, written: Iterable[NodeProto]) -> int:
    """The number of nodes that are not among the written ones."""
    # Subgraphs may have values of one name.
    by_output: dict[Sequence[str], list[NodeProto]] = {}
    for node in written:
        by_output.setdefault(_without_absent(node.output), []).append(node)
    return sum(
        not any(_is_same(node, other) for other in by_output.get(_without_absent(node.output), ()))
        for node in came.protos
    )


def _without_absent(names: Sequence[str]) -> Sequence[str]:
    """The names up to the last one that is there: those behind it may be left out."""
    given = [place for place, name in enumerate(names, 1) if name]
    return tuple(names[: given[-1] if given else 0])


def _is_same(node: NodeProto, other: NodeProto) -> bool:
    """True for nodes of one op with the same inputs and attributes; subgraphs are the nodes within them."""
    if (node.op_type, node.domain) != (other.op_type, other.domain):
        return False
    if _without_absent(node.input) != _without_absent(other.input):
        return False
    given, found = ({each.name: each for each in one.attribute} for one in (node, other))
    return given.keys() == found.keys() and all(_has_same_value(each, found[name]) for name, each in given.items())


def _has_same_value(one: AttributeProto, other: AttributeProto) -> bool:
    if one == other:
        return True
    if one.type == other.type == AttributeProto.TENSOR and one.t.data_location == TensorProto.EXTERNAL:
        # Long tensors lie in the file of the model, and nothing changes them.
        return (one.t.data_type, [*one.t.dims]) == (other.t.data_type, [*other.t.dims])
    if one.type == other.type == AttributeProto.TENSOR:
        first, second = numpy_helper.to_array(one.t), numpy_helper.to_array(other.t)
        return (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())
    return one.type == other.type == AttributeProto.GRAPH
