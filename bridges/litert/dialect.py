"""The `tfl` dialect: a LiteRT file before it is written, and a handle for its tensors."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any, cast

from xdsl.dialects.builtin import NoneType, StringAttr, f32, i32, i64
from xdsl.ir import Data, Dialect, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, Pure

from ...compat.xdsl import retype
from ...layout import DYNAMIC, ReadStep, is_permutation, unpermuted
from ..formats.records import UI8, bytes_attr, parse_fields, print_fields, stated
from ..safetensors import Extract
from .data import LiteData
from .element_types import LiteElement
from .kept import PREFIX

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quantization:
    """The numbers that integers of a tensor represent: (integer - zero point) times scale."""

    scale: tuple[float, ...]
    zero_point: tuple[int, ...]
    axis: int = 0
    """The axis with one scale per position, if there are several."""


@dataclass(frozen=True, slots=True)
class LiteType:
    """A tensor of the file. Unknown sizes are `DYNAMIC`."""

    element: LiteElement
    shape: Shape
    quantization: Quantization | None = None
    """The numbers that the integers represent, if kernels take them as quantised."""
    shift: int = 0
    """The difference of the program's integers from those here: kernels take i8 for ui8."""
    is_variable: bool = False
    """True if an op that was kept changes it."""
    name: str | None = None
    sparsity: bytes = b""
    """The places of the elements that a constant has, in the format of the file; empty if it has all."""


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """An op of the file."""

    kind: str
    """The name of the builtin; with a prefix for an op that is written as an imported file had it."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    activation: str | None = None
    """The kind of the activation function that the op applies to its result."""
    origin: str | None = None
    """The name of the node of the imported model."""
    is_scope: bool = False
    """True if a tensor has the name of that node."""
    part_of: str | None = None
    """The name of the op that the node is a part of; None for a transpose of the program."""
    stays: bool = False
    """True if the op was one of its own in an imported file, with its own rounding."""
    has_effects: bool = False
    moved: int | None = None
    """The bytes that a transpose moves, as the program tells them; if it does not, those of the shape."""
    is_estimated: bool = False
    """True if a size is unknown, and assumed."""


@irdl_attr_definition
class LiteTypeAttr(Data[LiteType], TypeAttribute):
    """The type of a tensor.

    ```mlir
    !tfl.tensor<I8 [1, ?], {name = "x", quantization = {scale = array<f64: 0.5>, zero_point = array<i64: 3>}}>
    ```
    """

    name = "tfl.tensor"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LiteType:
        def size() -> int:
            return DYNAMIC if parser.parse_optional_punctuation("?") else parser.parse_integer(allow_negative=False)

        def made(quantization: Any = None, **fields: Any) -> LiteType:
            return LiteType(element, shape, quantization and Quantization(**quantization), **fields)

        with parser.in_angle_brackets():
            element = _parse_element(parser)
            shape = tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, size))
            return parse_fields(parser, made) if parser.parse_optional_punctuation(",") else made()

    def print_parameter(self, printer: Printer) -> None:
        fields = stated(self.data)
        element, shape = fields.pop("element"), fields.pop("shape")
        if (numbers := self.data.quantization) is not None:
            fields["quantization"] = stated(numbers)
        with printer.in_angle_brackets():
            sizes = ", ".join("?" if size == DYNAMIC else str(size) for size in shape)
            printer.print_string(f"{element.name} [{sizes}]{', ' if fields else ''}")
            if fields:
                print_fields(printer, fields)


@irdl_attr_definition
class NodeFactsAttr(Data[NodeFacts]):
    """The kind of an op, and all that is known of it beside its operands and results."""

    name = "tfl.node"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NodeFacts:
        def made(kind: Any, **fields: Any) -> NodeFacts:
            texts = (kind, *(fields.get(name, "") for name in ("activation", "origin", "part_of")))
            if not all(isinstance(each, str) for each in texts) or not isinstance(fields.get("options", {}), dict):
                raise TypeError("a text or a dictionary is something else")
            return NodeFacts(kind, **fields)

        with parser.in_angle_brackets():
            return parse_fields(parser, made)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_fields(printer, stated(self.data))


@irdl_attr_definition
class DataAttr(Data[LiteData]):
    """The elements of a constant: numbers, or a range of a file, and the reshapes and transposes to apply."""

    name = "tfl.data"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LiteData:
        def made(
            numbers: bytes = b"", file: str = "", place: Any = (0, 0), steps: Any = None, is_half: bool = False
        ) -> LiteData:
            source = Extract(Path(file), *place) if file else numbers
            row = _row(element, source)
            read = (row,) if steps is None else tuple(ReadStep(*each) for each in steps)
            if any(prod(each.shape) != row.shape[0] or not is_permutation(each.permutation) for each in read):
                raise ValueError(f"steps that read {row.shape[0]} elements")
            return LiteData(element, source, read, is_half)

        with parser.in_angle_brackets():
            element = _parse_element(parser)
            parser.parse_punctuation(",")
            return parse_fields(parser, made)

    def print_parameter(self, printer: Printer) -> None:
        fields = stated(self.data)
        element, source, steps = (fields.pop(name) for name in ("element", "source", "steps"))
        if isinstance(source, bytes):
            fields["numbers"] = bytes_attr(source, _READABLE.get(element, UI8))
        else:
            fields |= {"file": str(source.path), "place": (source.offset, source.length)}
        if steps != (_row(element, source),):
            fields["steps"] = [(tuple(step.shape), tuple(step.permutation)) for step in steps]
        with printer.in_angle_brackets():
            printer.print_string(f"{element.name}, ")
            print_fields(printer, fields)


_READABLE = {LiteElement.I32: i32, LiteElement.I64: i64, LiteElement.F32: f32}
"""The elements that are written as numbers, not as their bytes."""


def _row(element: LiteElement, source: bytes | Extract) -> ReadStep:
    """All elements of a source along one axis."""
    size = len(source) if isinstance(source, bytes) else source.length
    return unpermuted((size // element.dtype.itemsize,))


def _parse_element(parser: AttrParser) -> LiteElement:
    start = parser.pos
    if (name := parser.parse_identifier()) not in LiteElement.__members__:
        parser.raise_error(f"expected one of {', '.join(LiteElement.__members__)}", start, parser.pos)
    return LiteElement[name]


class EffectsOfKept(MemoryEffect):
    """No effects, but for ops of an imported file of which nothing is known."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        return None if isinstance(op, LiteNode) and op.said.has_effects else frozenset()


@irdl_op_definition
class SourceOp(IRDLOperation):
    """A constant; without data a variable of an op, or the place of an operand that an op does not have."""

    name = "tfl.source"

    data = opt_prop_def(DataAttr)
    of = opt_prop_def(StringAttr)
    """The name of the constant that this one was made of."""
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "($data^)? (`of` $of^)? attr-dict `:` type($result)"


@irdl_op_definition
class LiteNode(IRDLOperation):
    """An op of the file."""

    name = "tfl.op"

    facts = prop_def(NodeFactsAttr)
    arguments = var_operand_def()
    values = var_result_def()
    traits = traits_def(EffectsOfKept())
    assembly_format = "$facts `(` $arguments `)` attr-dict `:` functional-type(operands, results)"

    @property
    def said(self) -> NodeFacts:
        return cast("NodeFactsAttr", self.properties["facts"]).data

    @property
    def kind(self) -> str:
        return self.said.kind

    @property
    def is_transpose(self) -> bool:
        return self.kind.removeprefix(PREFIX) == "TRANSPOSE"

    @property
    def options(self) -> Mapping[str, Any]:
        return self.said.options

    @property
    def activation(self) -> str | None:
        return self.said.activation

    @property
    def inputs(self) -> list[LiteTensor | None]:
        return [None if isinstance(each.type, NoneType) else LiteTensor(each) for each in self.operands]

    @property
    def outputs(self) -> list[LiteTensor]:
        return [LiteTensor(each) for each in self.results]

    def change(self, **fields: Any) -> None:
        self.facts = NodeFactsAttr(replace(self.said, **fields))


@dataclass(frozen=True, slots=True)
class LiteTensor:
    """A value as a tensor: the result of a node, a constant, or an input if it has neither."""

    value: SSAValue

    @property
    def type(self) -> LiteType:
        return cast("LiteTypeAttr", self.value.type).data

    @property
    def element(self) -> LiteElement:
        return self.type.element

    @property
    def shape(self) -> Shape:
        return self.type.shape

    @property
    def quantization(self) -> Quantization | None:
        return self.type.quantization

    @property
    def shift(self) -> int:
        return self.type.shift

    @property
    def node(self) -> LiteNode | None:
        return owner if isinstance(owner := self.value.owner, LiteNode) else None

    @property
    def data(self) -> LiteData | None:
        owner = self.value.owner
        return owner.data.data if isinstance(owner, SourceOp) and owner.data is not None else None

    @property
    def source_name(self) -> str | None:
        """The name, or that of the constant that this one was made of."""
        owner = self.value.owner
        return self.type.name or (owner.of.data if isinstance(owner, SourceOp) and owner.of else None)

    def change(self, **fields: Any) -> None:
        retype(self.value, LiteTypeAttr(replace(self.type, **fields)))


def take_result(before: LiteNode, node: LiteNode) -> None:
    """Let an op give the result of the op that reads it."""
    (own,), (result,) = before.results, node.results
    retype(own, result.type)
    result.replace_all_uses_with(own)
    node.detach()
    node.erase()


TFL = Dialect("tfl", [SourceOp, LiteNode], [LiteTypeAttr, NodeFactsAttr, DataAttr])
