"""A graph of ONNX under construction.

Tensors are named when the graph is complete. Unused nodes are dropped then, so exporters may compute more than they
use.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.attrs import Reference
from ....dialects.settings.file_rules import ANYTHING, FileRules
from ....layout import DYNAMIC, Layout, Order, ReadStep, compose, identity, merge_steps, unpermuted
from ..errors import NotExportable
from .elements import BOOL, I64, NUMBERS, U64, UNSIGNED, WIDER, carrier, leftover_bits, type_name
from .kernels import KERNELS, Kernel
from .opset import Opset
from .versions import BECAME_INPUTS, Constant
from .weights import ConstantData, from_array

MOST_NUMBERS = 1024
"""The bytes of a constant of axes or sizes."""
END = np.iinfo(np.int64).max
"""A slice end beyond the end of any axis."""


@dataclass(eq=False, slots=True)
class OnnxTensor:
    """A tensor of the graph: the result of a node, a constant, or an input if it has neither."""

    element: int
    node: "OnnxNode | None" = None
    weights: ConstantData | None = None
    name: str | None = None
    original: "OnnxTensor | None" = None
    """The constant of which this one is a transpose or a reshape."""
    lifted: "Lifted | None" = None
    """The tensor of lower rank that this one is with unit axes in front, if the program added them."""
    sizes: tuple[int, ...] | None = None
    """The stored shape, if this is a value of the program."""
    dims: tuple[str, ...] = ()
    """The names of the dimensions in the imported model, if only that knows them."""
    value: SSAValue | None = None
    """The first value of the program that this is."""
    came: str | None = None
    """The name of the value of the imported model that this is."""


def numbers_of(x: OnnxTensor) -> NDArray[Any] | None:
    """The numbers of a small constant."""
    return x.weights.array() if x.weights is not None and x.weights.size <= MOST_NUMBERS else None


@dataclass(frozen=True, slots=True)
class Lifted:
    """A tensor, and the number of unit axes in front of it."""

    source: OnnxTensor
    count: int


@dataclass(eq=False, slots=True)
class OnnxNode:
    """A node of the graph; absent inputs are None."""

    kind: str
    inputs: tuple[OnnxTensor | None, ...]
    attributes: Sequence[AttributeProto] | Mapping[str, Any]
    outputs: tuple[OnnxTensor | None, ...] = ()
    domain: str = ""
    name: str | None = None
    doc: str = ""
    """The reason why a pass inserted the node."""
    part_of: str | None = None
    """The name of the op that the node is a part of; None for a transpose of the program."""
    is_pure: bool = True
    is_as_it_came: bool = False
    """True for a node of the imported model."""
    implied: frozenset[str] = frozenset()
    """The attributes that are not written, because they are left out in the model."""
    captures: Mapping[str, OnnxTensor] = field(default_factory=dict[str, OnnxTensor])
    """The outer tensors that subgraphs in the attributes use, by their names in the subgraphs."""
    bodies: "Mapping[str, Exported]" = field(default_factory=dict[str, "Exported"])
    """The subgraphs that are functions of the program, by attribute."""


Size: TypeAlias = int | OnnxTensor
"""A known size, or a tensor of one element that holds it at run time."""


Source: TypeAlias = Callable[[Reference, int], ConstantData | None]
"""Finds the data of a constant of this element type; on None it is read from a safetensors file."""


@dataclass(frozen=True, slots=True)
class OperandSize:
    """The size of the reshape's operand along one of its axes."""

    axis: int


@dataclass(eq=False)
class Exported:
    """A graph, its function and outputs, and the names of tensors."""

    graph: "OnnxGraph"
    function: FuncOp
    names: list[tuple[OnnxTensor, str]] = field(default_factory=list[tuple[OnnxTensor, str]])
    """The names of tensors in the imported model. A graph and its subgraphs share the list."""
    hints: list[tuple[OnnxTensor, str]] = field(default_factory=list[tuple[OnnxTensor, str]])
    """The names of other tensors in the program, not necessarily unique. A graph and its subgraphs share the list."""
    outputs: list[OnnxTensor] = field(default_factory=list[OnnxTensor])
    nodes: list[OnnxNode] = field(default_factory=list[OnnxNode])
    """The used nodes of the finished graph."""


BodyExporter: TypeAlias = Callable[[str, Sequence[OnnxTensor]], Exported]
"""Exports the function of this name as a subgraph; its last arguments are these outer tensors."""


class OnnxGraph:
    """Nodes in topological order, with builders for them."""

    def __init__(
        self,
        opset: Opset,
        directory: Path = Path(),
        foreign_opset: int | None = None,
        source: Source | None = None,
        domains: frozenset[str] = frozenset(),
        has_nchwc: bool = False,
        foreign: Counter[str] | None = None,
        rules: FileRules = ANYTHING,
    ) -> None:
        self.opset = opset
        self.source = source
        """The source of constants that are in no file yet."""
        self.foreign_opset = foreign_opset
        """The opset of opaque ops; None if it is the same."""
        self.domains = domains
        """The domains that the imported model uses, or the engine has."""
        self.directory = directory
        """The folder with the files of constants."""
        self.has_nchwc = has_nchwc
        """True if ops on blocks of channels are those of com.microsoft.nchwc."""
        self.foreign = foreign
        """The ops of other formats that are nodes, with their numbers; None if they are errors."""
        self.rules = rules
        """The rules of the target for files."""
        self.came_with_equal_ranks: frozenset[str] = frozenset()
        """The nodes of the model that are products of matrices of equal ranks."""
        self.block_size: int | None = None
        """The size of these blocks, if there are any."""
        self.inputs: list[OnnxTensor] = []
        self.nodes: list[OnnxNode] = []
        self.export_body: BodyExporter | None = None
        self.originals: dict[tuple[str, str, int, str | None], OnnxTensor] = {}
        """The constants in files as they are stored, by file, key, element type and name."""
        self.logical: dict[tuple[OnnxTensor, Layout], OnnxTensor] = {}
        """The logical tensors that were stored in blocks, by what they became."""
        self._casts: dict[tuple[OnnxTensor, int], OnnxTensor] = {}
        self._transposes: dict[tuple[OnnxTensor, Order], OnnxTensor] = {}
        self._reshaped: dict[tuple[OnnxTensor, tuple[ReadStep, ...]], OnnxTensor] = {}
        self._numbers: dict[tuple[int, tuple[int, ...], bytes], OnnxTensor] = {}
        self._named: dict[tuple[str, int, tuple[int, ...], object], OnnxTensor] = {}

    def inner(self) -> "OnnxGraph":
        """A graph for a subgraph, with the same constants."""
        graph = OnnxGraph(
            self.opset,
            self.directory,
            self.foreign_opset,
            self.source,
            self.domains,
            self.has_nchwc,
            self.foreign,
            self.rules,
        )
        graph.originals, graph._reshaped, graph._named = self.originals, self._reshaped, self._named
        return graph

    def input(self, element: int) -> OnnxTensor:
        """Add an input."""
        self.inputs.append(OnnxTensor(element))
        return self.inputs[-1]

    # Constants.

    def numbers(self, array: Any, element: int | None = None) -> OnnxTensor:
        """A constant, of the array's element type unless another one is given."""
        found = np.asarray(array)
        number = NUMBERS[found.dtype] if element is None else element
        weights = from_array(found, number)
        assert isinstance(weights.source, bytes)
        key = number, weights.shape, weights.source
        if key not in self._numbers:
            self._numbers[key] = OnnxTensor(number, weights=weights)
        return self._numbers[key]

    def named(self, name: str, constant: OnnxTensor) -> OnnxTensor:
        """A constant of the imported model: one tensor for all that are equal under one name."""
        weights = constant.weights
        assert weights is not None
        return self._named.setdefault((name, weights.number, weights.shape, weights.source), constant)

    def ints(self, *values: int) -> OnnxTensor:
        """A constant vector of i64, such as a shape."""
        return self.numbers(np.array(values, np.int64))

    def like(self, x: OnnxTensor, value: float) -> OnnxTensor:
        """A scalar constant of the element type of `x`, which numpy must have."""
        return self.numbers(value, x.element)

    def constants_like(self, data: Sequence[OnnxTensor | None]) -> Constant[OnnxTensor]:
        """Constants for a node, which have their own element type, or that of the data."""

        def constant(numbers: NDArray[Any], is_like_data: bool) -> OnnxTensor:
            (x,) = data if is_like_data else (None,)
            return self.numbers(numbers, None if x is None else x.element)

        return constant

    # Nodes.

    def node(self, kind: str, *inputs: OnnxTensor | None, element: int | None = None, **attributes: Any) -> OnnxTensor:
        """Add a node with one result. The default element type is that of the first input."""
        return self.split_node(kind, inputs, 1, element, **attributes)[0]

    def split_node(
        self, kind: str, inputs: Sequence[OnnxTensor | None], count: int, element: int | None = None, **attributes: Any
    ) -> tuple[OnnxTensor, ...]:
        """Add a node with `count` results of one element type."""
        if element is None:
            assert inputs[0] is not None
            element = inputs[0].element
        inputs, attributes = self._in_older_form(kind, inputs, attributes)
        written = self.opset.written(kind, attributes)
        self.opset.check(kind, [None if x is None else x.element for x in inputs], element, written)
        return self._add(OnnxNode(kind, tuple(inputs), written), count, element)

    def _in_older_form(
        self, kind: str, inputs: Sequence[OnnxTensor | None], attributes: dict[str, Any]
    ) -> tuple[Sequence[OnnxTensor | None], dict[str, Any]]:
        """Inputs and attributes where the opset has the constant inputs behind the first one as attributes."""
        became, names = BECAME_INPUTS.get(kind, (0, ()))
        if self.opset.number >= became or len(inputs) - 1 > len(names):
            return inputs, attributes
        given = {name: x for name, x in zip(names, inputs[1:], strict=False) if x is not None}
        numbers = {name: found.tolist() for name, x in given.items() if (found := numbers_of(x)) is not None}
        return (inputs[:1], attributes | numbers) if len(numbers) == len(given) else (inputs, attributes)

    def _add(self, node: OnnxNode, count: int, element: int) -> tuple[OnnxTensor, ...]:
        node.outputs = tuple(OnnxTensor(element, node) for _ in range(count))
        self.add(node)
        return node.outputs

    def foreign_node(
        self, domain: str, kind: str, inputs: Sequence[OnnxTensor | None], element: int, **attributes: Any
    ) -> OnnxTensor:
        """Add a node of another domain with one result."""
        (result,) = self._add(OnnxNode(kind, tuple(inputs), attributes, domain=domain), 1, element)
        return result

    def add(self, node: OnnxNode) -> None:
        """Append a node."""
        self.nodes.append(node)

    def op(self, kind: str, *inputs: OnnxTensor | None, element: int | None = None, **attributes: Any) -> OnnxTensor:
        """Add a node that computes in the nearest element type with a kernel."""
        return self.node(kind, *self.computable(kind, inputs), element=element, **attributes)

    def reduce(self, kind: str, x: OnnxTensor, axes: Sequence[int], keep: bool = True) -> OnnxTensor:
        """Add a reduction. The axes are an input, or an attribute in older opsets."""
        if self.opset.has_attribute(kind, "axes"):
            return self.op(kind, x, axes=list(axes), keepdims=int(keep))
        return self.op(kind, x, self.ints(*axes), keepdims=int(keep))

    def where(self, condition: OnnxTensor, on_true: OnnxTensor, on_false: OnnxTensor) -> OnnxTensor:
        """Add a Where."""
        operands = self.computable("Where", [condition, on_true, on_false])
        assert operands[1] is not None
        return self.node("Where", *operands, element=operands[1].element)

    def compare(self, kind: str, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
        """Add a comparison."""
        return self.op(kind, lhs, rhs, element=BOOL)

    def computable_one(self, kind: str, x: OnnxTensor) -> OnnxTensor:
        """Cast the operand of an op to an element type with a kernel."""
        (found,) = self.computable(kind, [x])
        assert found is not None
        return found

    def computable_pair(self, kind: str, lhs: OnnxTensor, rhs: OnnxTensor) -> tuple[OnnxTensor, OnnxTensor]:
        """Cast the two operands of an op to an element type with a kernel."""
        return self.computable_one(kind, lhs), self.computable_one(kind, rhs)

    def computable(self, kind: str, inputs: Sequence[OnnxTensor | None]) -> list[OnnxTensor | None]:
        """Cast the operands of an op to an element type with a kernel."""
        kernel = KERNELS.get(kind)
        if kernel is None:
            return list(inputs)
        places = range(len(inputs)) if kernel.operands is None else kernel.operands
        first = inputs[places[0]]
        assert first is not None
        in_opset = self.opset.types(kind, places[0])
        element = _computable(kind, kernel, first.element, kernel.types if in_opset is None else in_opset)
        return [self.cast(x, element) if x is not None and index in places else x for index, x in enumerate(inputs)]

    def cast(self, x: OnnxTensor, element: int) -> OnnxTensor:
        """Cast a tensor: integers wrap, floats are truncated."""
        if x.element == element:
            return x
        if (x, element) not in self._casts:
            self._casts[x, element] = self.node("Cast", x, element=element, to=element)
        return self._casts[x, element]

    def stored(self, x: OnnxTensor, element_type: Attribute) -> OnnxTensor:
        """Cast a tensor to an element type of the program."""
        result = self.cast(x, carrier(element_type))
        return self._wrapped(result, element_type) if leftover_bits(element_type) else result

    def _wrapped(self, x: OnnxTensor, element_type: Any) -> OnnxTensor:
        """Wrap integers to a width that ONNX does not have."""
        wide = self.cast(x, I64)
        span = self.like(wide, 1 << element_type.bitwidth)
        half = self.like(wide, (1 << element_type.bitwidth) // 2)
        if x.element in UNSIGNED:
            return self.cast(self.node("Mod", wide, span), x.element)
        lifted = self.node("Mod", self.node("Add", wide, half), span)
        return self.cast(self.node("Sub", lifted, half), x.element)

    # Shapes.

    def transpose(self, x: OnnxTensor, permutation: Order) -> OnnxTensor:
        """Transpose a tensor. Chains of transposes are composed, constants are transposed at once."""
        if permutation == identity(len(permutation)):
            return x
        if x.weights is not None:
            return self._remembered(x, permutation)
        if x.node is not None and x.node.kind == "Transpose" and not x.node.domain:
            (source,) = x.node.inputs
            assert source is not None
            assert isinstance(x.node.attributes, Mapping)
            return self.transpose(source, compose(tuple(x.node.attributes["perm"]), permutation))
        return self._remembered(x, permutation)

    def new_transpose(self, x: OnnxTensor, permutation: Order) -> OnnxTensor:
        """A transpose of the program: always a new node, unless it is the identity or of a constant."""
        if x.weights is not None or permutation == identity(len(permutation)):
            return self.transpose(x, permutation)
        source = self.computable_one("Transpose", x)
        return self.node("Transpose", source, perm=list(permutation))

    def _remembered(self, x: OnnxTensor, permutation: Order) -> OnnxTensor:
        key = x, permutation
        if key not in self._transposes:
            if x.weights is not None:
                self._transposes[key] = self.read(x, x.weights.transposed(permutation).steps)
            else:
                source = self.computable_one("Transpose", x)
                self._transposes[key] = self.node("Transpose", source, perm=list(permutation))
        return self._transposes[key]

    def read(self, x: OnnxTensor, steps: tuple[ReadStep, ...]) -> OnnxTensor:
        """The data of a constant with other steps."""
        original = x.original or x
        assert original.weights is not None
        if steps == original.weights.steps:
            return original
        key = original, steps
        if key not in self._reshaped:
            self._reshaped[key] = OnnxTensor(x.element, weights=original.weights.read(steps), original=original)
        return self._reshaped[key]

    def size(self, x: OnnxTensor, axis: int, count: int = 1) -> OnnxTensor:
        """The size of an axis at run time, or of several from it on, as a vector."""
        if self.opset.has_attribute("Shape", "start"):
            return self.op("Shape", x, element=I64, start=axis, end=axis + count)
        return self.slice(self.op("Shape", x, element=I64), [0], [axis], [axis + count])

    def shape(self, sizes: Sequence[Size]) -> OnnxTensor:
        """A vector of sizes."""
        if all(isinstance(size, int) for size in sizes):
            return self.ints(*(size for size in sizes if isinstance(size, int)))
        parts = [self.ints(size) if isinstance(size, int) else size for size in sizes]
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=0)

    def reshape(self, x: OnnxTensor, sizes: Sequence[Size | OperandSize]) -> OnnxTensor:
        """Reshape a tensor. One size may be `DYNAMIC`: it is inferred. Constants are reshaped at once."""
        if x.weights is not None and (known := _known_sizes(x.weights.shape, sizes)) is not None:
            return self.read(x, merge_steps((*x.weights.steps, unpermuted(known))))
        # In ONNX, 0 is the operand's size along the same axis, and -1 is inferred.
        if 0 not in sizes:
            short = [
                0 if isinstance(size, OperandSize) and size.axis == axis else size for axis, size in enumerate(sizes)
            ]
            unknown = [size for size in short if not isinstance(size, int) or size == DYNAMIC]
            if len(unknown) <= 1:
                numbers = [size if isinstance(size, int) and size != DYNAMIC else -1 for size in short]
                return self.op("Reshape", x, self.ints(*numbers))
        if 0 in sizes and DYNAMIC in sizes:
            raise NotExportable("a reshape with an undetermined size of a tensor without elements")
        spelt = [
            self.size(x, size.axis) if isinstance(size, OperandSize) else -1 if size == DYNAMIC else size
            for size in sizes
        ]
        return self.op("Reshape", x, self.shape(spelt), allowzero=int(-1 not in spelt))

    def unsqueeze(self, x: OnnxTensor, axes: Sequence[int]) -> OnnxTensor:
        """Insert unit axes, at these positions of the result. Constants are reshaped at once."""
        if x.weights is not None:
            kept = iter(x.weights.shape)
            return self.reshape(
                x, [1 if axis in axes else next(kept) for axis in range(len(x.weights.shape) + len(axes))]
            )
        return self.op("Unsqueeze", x, self.ints(*axes)) if axes else x

    def slice(
        self,
        x: OnnxTensor,
        axes: Sequence[int],
        starts: Sequence[int],
        ends: Sequence[int],
        steps: Sequence[int] | None = None,
    ) -> OnnxTensor:
        """Slice a tensor along some axes."""
        given = (starts, ends, axes) if steps is None or {*steps} == {1} else (starts, ends, axes, steps)
        return self.op("Slice", x, *(self.ints(*values) for values in given))

    def reversed(self, x: OnnxTensor, axes: Sequence[int]) -> OnnxTensor:
        """Reverse a tensor along some axes."""
        ones = [1] * len(axes)
        return self.slice(x, axes, [-one for one in ones], [-END * one for one in ones], [-one for one in ones])

    def padded(self, x: OnnxTensor, low: Sequence[int], high: Sequence[int], value: float = 0) -> OnnxTensor:
        """Pad each axis at both ends."""
        if not any((*low, *high)):
            return x
        source = self.computable_one("Pad", x)
        return self.node(
            "Pad", source, self.ints(*low, *high), self.like(source, value) if value or np.signbit(value) else None
        )


def _computable(kind: str, kernel: Kernel, element: int, types: AbstractSet[int]) -> int:
    """The nearest element type that an op has, in the opset and in ONNX Runtime."""
    types = types & kernel.types
    if element in types:
        return element
    choices = (I64,) if element == U64 and kernel.wraps else WIDER.get(element, ())
    for choice in choices:
        if choice in types:
            return choice
    raise NotExportable(f"ONNX Runtime has no {kind} for elements of type {type_name(element)}")


def _known_sizes(before: Sequence[int], sizes: Sequence[Size | OperandSize]) -> tuple[int, ...] | None:
    """The sizes of a reshaped constant, or None if one of them is not known."""
    found = [before[size.axis] if isinstance(size, OperandSize) else size for size in sizes]
    numbers = [size for size in found if isinstance(size, int) and size != DYNAMIC]
    if len(numbers) == len(sizes):
        return tuple(numbers)
    if len(numbers) + found.count(DYNAMIC) < len(sizes) or found.count(DYNAMIC) > 1 or not prod(numbers):
        return None
    rest = prod(before) // prod(numbers)
    return tuple(rest if size == DYNAMIC else size for size in found if isinstance(size, int))
