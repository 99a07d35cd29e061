"""The attributes of the npu dialect: layouts, the dimensions of a reshape, and constants kept in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, f64, i64
from xdsl.ir import Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import EqAttrConstraint, IRDLOperation, irdl_attr_definition
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from ...layout import DYNAMIC, Layout, LayoutError, Order, ReadStep, is_permutation

UNKNOWN = "?"
"""The type of a value of which nothing is known."""


@irdl_attr_definition
class StringType(ParametrizedAttribute, TypeAttribute):
    """The element type of texts, which ops of other systems compute with.

    ```mlir
    tensor<2x!npu.string>
    ```
    """

    name = "npu.string"


@irdl_attr_definition
class OpaqueType(ParametrizedAttribute, TypeAttribute):
    """An element type, or what a whole value is, by the name that another system has for it.

    Values that are no tensors, and tensors of a rank that nobody knows, are single elements of such a type. A value of
    which nothing is known is one of type `?`.

    ```mlir
    tensor<2x3x!npu.opaque<"complex64">>
    tensor<!npu.opaque<"seq(tensor(float))">>
    tensor<!npu.opaque<"tensor(float)">>
    tensor<!npu.opaque<"?">>
    ```
    """

    name = "npu.opaque"
    written: StringAttr

    @property
    def is_whole(self) -> bool:
        """True if this is what a value is as a whole."""
        return self.written.data.endswith((")", ">")) or self.is_unknown

    @property
    def is_rankless(self) -> bool:
        """True if this is a tensor of unknown rank."""
        return self.written.data.startswith(("tensor(", "tensor<*"))

    @property
    def is_unknown(self) -> bool:
        """True if nobody knows what the value is."""
        return self.written.data == UNKNOWN


@irdl_attr_definition
class LayoutAttr(Data[Layout]):
    """The layout of a tensor: class and order; the encoding of tensor types.

    Axes may be cut into blocks, and the last block filled up: with zeros if the layout says so, else with anything.

    ```mlir
    tensor<1x56x56x64xf32, #npu.layout<NHWC>>
    tensor<64x12xf32, #npu.layout<Tensor, [1, 0]>>
    tensor<1x3x56x56x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
    tensor<4x2x12x16xf32, #npu.layout<Tensor, [0, 1, 2] tiles [1 by 16]>>
    ```
    """

    name = "npu.layout"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Layout:
        with parser.in_angle_brackets():
            start = parser.pos
            name = parser.parse_optional_identifier()
            if name is None:
                parser.raise_error("expected a layout such as NHWC, HWOI or Tensor")
            end = start + len(name)
            text = name
            if parser.parse_optional_punctuation("{") is not None:
                text, end = f"{name} {{{_parse_size(parser)}}}", parser.pos
                parser.parse_punctuation("}")
            while parser.parse_optional_punctuation(",") is not None:
                text, end = f"{text}, {_parse_item(parser)}", parser.pos
            try:
                return Layout.parse(text)
            except LayoutError as error:
                parser.raise_error(str(error), start, end)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def _parse_item(parser: AttrParser) -> str:
    """Parse a part of a layout behind its name: the order of axes, a logical size, or `zeros`."""
    entries = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_entry(parser))
    if entries is None:
        return "zeros" if parser.parse_optional_keyword("zeros") is not None else _parse_size(parser)
    text = f"[{', '.join(entries)}]"
    if parser.parse_optional_keyword("tiles") is None:
        return text
    tiles = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_entry(parser))
    return f"{text} tiles [{', '.join(tiles)}]"


def _parse_entry(parser: AttrParser) -> str:
    axis = parser.parse_integer(allow_boolean=False)
    if parser.parse_optional_keyword("by") is None:
        return str(axis)
    return f"{axis} by {parser.parse_integer(allow_boolean=False, allow_negative=False)}"


def _parse_size(parser: AttrParser) -> str:
    """Parse `C = 40` or `dim 1 = 40`."""
    axis = parser.parse_optional_identifier()
    if axis is None:
        parser.raise_error("expected an order in brackets, the size of an axis, or zeros")
    if axis == "dim":
        axis = f"dim {parser.parse_integer(allow_boolean=False, allow_negative=False)}"
    parser.parse_punctuation("=")
    return f"{axis} = {parser.parse_integer(allow_boolean=False, allow_negative=False)}"


@dataclass(frozen=True, slots=True)
class OperandDim:
    """A result dimension that equals a dimension of the operand, written `@in2`."""

    position: int


ReshapeDim: TypeAlias = int | OperandDim


def parse_reshape_dims(parser: AttrParser) -> tuple[ReshapeDim, ...]:
    """Parse `[@in0, 12, ?]`."""

    def parse_dim() -> ReshapeDim:
        if parser.parse_optional_punctuation("?") is not None:
            return DYNAMIC
        start = parser.pos
        symbol = parser.parse_optional_symbol_name()
        if symbol is None:
            return parser.parse_integer(allow_boolean=False, allow_negative=False, context_msg=", @in0 or ?")
        digits = symbol.data.removeprefix("in")
        if digits == symbol.data or not digits.isdecimal():
            parser.raise_error("expected @in followed by a dimension of the operand", start, parser.pos)
        return OperandDim(int(digits))

    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_dim))


def print_reshape_dims(printer: Printer, dims: Sequence[ReshapeDim]) -> None:
    """Print `[@in0, 12, ?]`."""

    def print_dim(dim: ReshapeDim) -> None:
        if isinstance(dim, OperandDim):
            printer.print_string(f"@in{dim.position}")
        else:
            printer.print_string("?" if dim == DYNAMIC else str(dim))

    with printer.in_square_brackets():
        printer.print_list(dims, print_dim)


@irdl_attr_definition
class ReshapeDimsAttr(Data[tuple[ReshapeDim, ...]]):
    """The origin of each dimension of a reshape's result: a dimension of the operand, a number, or unknown.

    ```mlir
    #npu.dims<[@in0, 12, ?]>
    ```
    """

    name = "npu.dims"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[ReshapeDim, ...]:
        with parser.in_angle_brackets():
            return parse_reshape_dims(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_reshape_dims(printer, self.data)


@irdl_custom_directive
class ReshapeDims(CustomDirective):
    """The list of a `#npu.dims` without its brackets, within the format of an op."""

    dims: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.dims.set(state, ReshapeDimsAttr(parse_reshape_dims(parser)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        attribute = self.dims.get(op)
        if isinstance(attribute, ReshapeDimsAttr):
            state.print_whitespace(printer)
            print_reshape_dims(printer, attribute.data)

    def is_present(self, op: IRDLOperation) -> bool:
        return self.dims.is_present(op)

    def is_anchorable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Reference:
    """A tensor in a safetensors file: file, key, and the steps to read it."""

    file: str
    key: str
    permutation: Order | None = None
    """The permutation of its axes when it is loaded, the last step."""
    is_reshaped: bool = False
    """True if the numbers are reshaped, in row-major order, before the first permutation."""
    before: tuple[ReadStep, ...] = ()
    """Further steps before the last one."""


@irdl_attr_definition
class ReferenceAttr(Data[Reference]):
    """The value of a constant that is kept in a safetensors file beside the program.

    ```mlir
    #npu.reference<"weights.safetensors", "conv1.weight", [2, 3, 0, 1]>
    #npu.reference<"weights.safetensors", "fc1.weight", reshaped [0, 2, 1]>
    #npu.reference<"weights.safetensors", "fc2.weight", [1, 0] of [3, 6], reshaped [1, 0]>
    ```
    """

    name = "npu.reference"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Reference:
        with parser.in_angle_brackets():
            file = _parse_name(parser, " of the file")
            parser.parse_punctuation(",")
            key = _parse_name(parser, " of the key")
            if parser.parse_optional_punctuation(",") is None:
                return Reference(file, key)
            is_reshaped = parser.parse_optional_keyword("reshaped") is not None
            permutation = _parse_permutation(parser, is_reshaped)
            before: list[ReadStep] = []
            while permutation is not None and parser.parse_optional_keyword("of") is not None:
                before.append(_parse_step(parser, permutation))
                parser.parse_punctuation(",", ": a step with a shape must be followed by another step")
                parser.parse_keyword("reshaped")
                permutation = _parse_permutation(parser, is_optional=True)
            return Reference(file, key, permutation, is_reshaped, tuple(before))

    def print_parameter(self, printer: Printer) -> None:
        found = self.data
        steps = [f"{list(step.permutation)} of {list(step.shape)}" for step in found.before]
        steps.append("" if found.permutation is None else str(list(found.permutation)))
        with printer.in_angle_brackets():
            printer.print_string_literal(found.file)
            printer.print_string(", ")
            printer.print_string_literal(found.key)
            for place, step in enumerate(steps):
                how = f"reshaped {step}" if place or found.is_reshaped else step
                printer.print_string(f", {how.rstrip()}" if how else "")


def _parse_name(parser: AttrParser, what: str) -> str:
    start = parser.pos
    # xDSL lexes a string literal with non-ASCII characters as bytes.
    if (found := parser.parse_optional_bytes_literal()) is None:
        return parser.parse_str_literal(what)
    try:
        return found.decode()
    except UnicodeDecodeError:
        parser.raise_error(f"expected UTF-8 text{what}", start, parser.pos)


def _parse_permutation(parser: AttrParser, is_optional: bool) -> Order | None:
    start = parser.pos
    if is_optional:
        found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(False))
    else:
        found = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(False))
    if found is not None and not is_permutation(found):
        parser.raise_error(f"{found} is not a permutation", start, parser.pos)
    return None if found is None else tuple(found)


def _parse_step(parser: AttrParser, permutation: Order) -> ReadStep:
    start = parser.pos
    shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(False, False))
    if len(shape) != len(permutation):
        parser.raise_error(f"expected the sizes of {len(permutation)} axes, found {shape}", start, parser.pos)
    return ReadStep(tuple(shape), permutation)


I64Array = DenseArrayBase.constr(i64)
"""A list of numbers such as strides or axes."""
I64 = IntegerAttr.constr(type=EqAttrConstraint(i64))
"""One number, such as an axis."""

F64 = FloatAttr.constr(type=EqAttrConstraint(f64))
"""One number with a fraction, such as an epsilon."""
F64Array = DenseArrayBase.constr(f64)
"""A list of numbers with a fraction, such as factors."""


@lru_cache(maxsize=1024)
def i64_array(*values: int) -> DenseArrayBase:
    """A list of numbers as an attribute."""
    return DenseArrayBase.from_list(i64, list(values))


@lru_cache(maxsize=1024)
def i64_attr(value: int) -> IntegerAttr:
    """One number as an attribute."""
    return IntegerAttr(value, i64)
