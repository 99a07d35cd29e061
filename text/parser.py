"""xDSL's parser with a cache of types and of repeated ops, and a table of op positions.

Most of xDSL's parsing time is spent on repeated types. `NpuParser` caches types and simple attributes by their text.
Only context-free text is cached: no alias (`!t`, `#a`), no string, no comment.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import prod
from typing import NoReturn, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    RankedStructure,
    TensorType,
)
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind, StringLiteral

from ..compat.xdsl import OpenParser
from .aliases import Aliases
from .lexer import NpuLexer
from .repeated_ops import RepeatedOps, op_line

_TYPE = (
    r"(?:tensor|vector|memref)<[0-9a-zA-Z_?* ]*(?:, *#npu\.layout<[A-Za-z]+(?:, *\[[0-9, ]*\])?>)?>"
    r"|(?:[su]?i[0-9]+|bf16|f16|f32|f64|index)(?![0-9a-zA-Z_$.])"
)
_ATTRIBUTE = (
    r"array<[a-z0-9]+(?:: [-+0-9., e]+)?>"
    r"|-?[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)? : (?:i[0-9]+|f[0-9]+|bf16|index)(?![0-9a-zA-Z_$.])"
    r"|#npu\.layout<[A-Za-z]+(?:, *\[[0-9, ]*\])?>"
)
_CONTEXT_FREE_TYPE = re.compile(_TYPE)
_CONTEXT_FREE_ATTRIBUTE = re.compile(f"{_TYPE}|{_ATTRIBUTE}")
"""Types and attributes whose meaning does not depend on their context."""

_BLANKS = r"(?:\s++|//[^\n]*+)*+"
_RESULT_LIST = re.compile(rf"(?:%[0-9a-zA-Z$._-]++{_BLANKS}(?::{_BLANKS}[0-9]++{_BLANKS})?,?{_BLANKS})++={_BLANKS}")
"""The results before an op's name: `%a, %b:2 = `."""

_ONE_ELEMENT = re.compile(r'<\s*(?:"0x([0-9a-fA-F]*+)"|[^"<>\[\]]++)>')
"""The body of a splat `dense<...>`; hexadecimal text may be several elements."""

_OP_NAME = re.compile(r'"[^"\n]*"|[a-zA-Z_][a-zA-Z0-9_$.]*')


class InvalidConstructError(ParseError, VerifyException):
    """Valid syntax for an attribute, type or op that does not verify."""


class BadNumberError(ParseError):
    """A number that Python cannot parse, or that is out of range."""


@dataclass
class SourceMap:
    """The positions of ops in a parsed text."""

    input: Input[str]
    line_offset: int = 0
    """Lines of the file before this text (`--split-input-file`)."""
    starts: dict[Operation, Position] = field(default_factory=dict[Operation, Position])

    def span_of(self, op: Operation) -> Span[str] | None:
        """The span of the op's name, if it was parsed from this text."""
        start = self.starts.get(op)
        if start is None:
            return None
        if results := _RESULT_LIST.match(self.input.content, start):
            start = results.end()
        name = _OP_NAME.match(self.input.content, start)
        return Span(start, name.end() if name else start, self.input, self.line_offset)


class NpuParser(OpenParser):
    """Parser with a cache of types and attributes by text, and a table of op positions."""

    source: SourceMap
    _known: dict[str, Attribute]

    def __init__(self, ctx: Context, text: str, name: str = "<unknown>", *, line_offset: int = 0) -> None:
        super().__init__(ctx, text, name)
        self.source = SourceMap(self.lexer.input, line_offset)
        self._known = {}
        self._repeated = RepeatedOps()
        self.use_lexer(NpuLexer(self.lexer.input))
        self.attribute_aliases = Aliases(len(text), self.raise_error)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self.current_token.kind is MLIRTokenKind.EOF:
            self._raise_in_file(ParseError(self.current_token.span, "empty input: expected an operation"))
        try:
            return super().parse_module(allow_implicit_module)
        except RecursionError as error:
            self._raise_in_file(ParseError(self.current_token.span, "nested too deeply"), error)
        except Exception as error:
            self._raise_in_file(self._as_parse_error(error, self.pos), error)

    def _raise_in_file(self, error: ParseError, cause: Exception | None = None) -> NoReturn:
        """Raise `error` with line numbers of the whole file."""
        offset = self.source.line_offset
        error.span = replace(error.span, line_offset=offset)
        if isinstance(error, MultipleSpansParseError):
            error.refs = [(replace(span, line_offset=offset), text) for span, text in error.refs]
        raise error from (error.__cause__ if cause is error else cause)

    def parse_operation(self) -> Operation:
        start, content = self.pos, self.lexer.input.content
        line = op_line(content, start)
        if line is not None and (op := self._repeated.repeated(line, self.ssa_values)) is not None:
            result = Span(start, start + 1 + len(line.result), self.lexer.input)
            self.register_ssa_definition(line.result, op.results, result)
            self.resume_from(line.end)
            self.source.starts[op] = start
            return op
        try:
            op = super().parse_operation()
        except RecursionError:
            raise
        except Exception as error:
            raise self._as_parse_error(error, start) from error
        self.source.starts[op] = start
        if line is not None:
            self._repeated.remember(line, op, content, self.pos, self.ssa_values)
        return op

    def _as_parse_error(self, error: Exception, start: Position) -> ParseError:
        """Convert any exception in the parser (an assertion, a missing key) to a parse error."""
        if isinstance(error, ParseError):
            return error
        if isinstance(error, VerifyException):
            return InvalidConstructError(self._span_from(start), str(error))
        if str(error).startswith("Exceeds the limit"):
            return BadNumberError(self._span_from(start), "a number has too many digits")
        if isinstance(error, ValueError | OverflowError | struct.error):
            return BadNumberError(self._span_from(start), f"cannot read this: {error}")
        return ParseError(self._span_from(start), f"cannot read this: {type(error).__name__}: {error}")

    def op_class(self, name: str) -> type[Operation]:
        if op_type := self.ctx.get_optional_op(name, dialect_stack=self.dialect_stack):
            return op_type
        start = self.lexer.input.content.rfind(name, 0, self.pos)
        quote = 1 if self.lexer.input.content[start - 1] == '"' else 0
        self.raise_error(self._unregistered_op_message(name), start - quote, start + len(name) + quote)

    def _unregistered_op_message(self, name: str) -> str:
        message = f"Operation {name} is not registered"
        dialect = name.partition(".")[0]
        if self.ctx.get_optional_dialect(dialect) is None:
            return f"{message} (no dialect '{dialect}'; --allow-unregistered-dialect keeps it unchanged)"
        # Imported late: only needed here.
        from difflib import get_close_matches

        if close := get_close_matches(name, [op.name for op in self.ctx.loaded_ops], n=1):
            return f"{message} (did you mean {close[0]}?)"
        return message

    def parse_optional_type(self) -> TypeAttribute | None:
        known = self._parse_known(_CONTEXT_FREE_TYPE, self._parse_optional_checked_type)
        return cast("TypeAttribute | None", known)

    def parse_optional_attribute(self) -> Attribute | None:
        return self._parse_known(_CONTEXT_FREE_ATTRIBUTE, super().parse_optional_attribute)

    def _parse_known(self, pattern: re.Pattern[str], parse: Callable[[], Attribute | None]) -> Attribute | None:
        """Parse, or return the cached result if the text matches `pattern`."""
        content, start = self.lexer.input.content, self.pos
        match = pattern.match(content, start)
        if match is None:
            return parse()
        text = match[0]
        if (known := self._known.get(text)) is not None:
            self.resume_from(match.end())
            return known
        parsed = parse()
        # The parser must have consumed exactly this text.
        if parsed is not None and content[start : self.pos].rstrip() == text:
            self._known[text] = parsed
        return parsed

    def _parse_optional_checked_type(self) -> TypeAttribute | None:
        start = self.pos
        try:
            parsed = super().parse_optional_type()
        except ParseError:
            raise  # An error about a nested type has its position already.
        except VerifyException as error:
            raise InvalidConstructError(self._span_from(start), str(error)) from error
        self._check_layout(parsed, start)
        return parsed

    def parse_optional_str_literal(self) -> str | None:
        if self.current_token.kind is not MLIRTokenKind.BYTES_LIT:
            return super().parse_optional_str_literal()
        try:
            text = StringLiteral.from_span(self.current_token.span).bytes_contents.decode()
        except UnicodeDecodeError:
            return None
        # Non-ASCII text, which xDSL would take for bytes.
        self.consume_token()
        return text

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        literal = _ONE_ELEMENT.match(self.lexer.input.content, self.pos)
        if literal is None:
            return super().parse_dense_int_or_fp_elements_attr(type)
        # Imported late: --help does not load the dialects.
        from ..dialects.program.written import SPLAT_LIMIT

        start = self.pos
        self.resume_from(literal.end())
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self.parse_dense_literal_type()
        end = self.pos
        self.resume_from(start)
        size = type.get_element_type().compile_time_size
        is_element = literal[1] is None or len(literal[1]) == 2 * size
        if not is_element or prod(type.get_shape()) * size <= SPLAT_LIMIT:
            attribute = super().parse_dense_int_or_fp_elements_attr(type)
        else:
            # xDSL would repeat the element for the whole shape.
            one = TensorType(type.get_element_type(), [1])
            element = super().parse_dense_int_or_fp_elements_attr(one).data.data
            attribute = DenseIntOrFPElementsAttr(type, BytesAttr(element))
        self.resume_from(end)
        return attribute

    def _check_layout(self, parsed: TypeAttribute | None, start: Position) -> None:
        """Check that a layout fits the shape of its tensor."""
        if not isinstance(parsed, TensorType):
            return
        tensor = cast("TensorType[Attribute]", parsed)
        if tensor.encoding.name != "npu.layout":
            return
        # Imported late: files without layouts do not load the dialect.
        from ..dialects.npu.attrs import LayoutAttr

        if not isinstance(tensor.encoding, LayoutAttr):
            return
        if problem := tensor.encoding.data.mismatch(tensor.get_shape()):
            raise InvalidConstructError(self._span_from(start), problem)

    def _span_from(self, start: Position) -> Span[str]:
        """From `start` to the current position, without trailing blanks."""
        text = self.lexer.input.content[start : self.pos].rstrip()
        return Span(start, start + max(len(text), 1), self.lexer.input)
