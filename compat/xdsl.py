"""Everything that depends on internals of xDSL 0.74: replaced functions and private names.

pyproject.toml pins the version. Read this file when it changes: each entry has the reason for it and the condition for
its removal. Nothing else in the package replaces a function of xDSL or uses its private names.
"""

# pyright: reportPrivateUsage=false
# Reason: see above; the other files have none.

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeGuard, TypeVar, cast

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, ComplexType, IndexType, IntegerType, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, IRNode, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OpDef, get_accessors_from_op_def
from xdsl.parser import AttrParser, Parser, ParserState
from xdsl.printer import Printer
from xdsl.traits import SymbolTable
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

from .context import holding

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import FormatProgram

T = TypeVar("T", bound="FormedOp")
A = TypeVar("A", bound=Attribute)


class Lookup(Protocol):
    """The signature of `SymbolTable.lookup_symbol`: the op that a symbol refers to at another op."""

    def __call__(self, op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None: ...


# --- replaced functions


# Once, as this module is imported. Outside of the contexts below, and in other threads, each does what xDSL does.

_LOOKUP: ContextVar[Lookup | None] = ContextVar("lookup", default=None)
_WITHOUT_DUMPS: ContextVar[bool] = ContextVar("without_dumps", default=False)


def symbol_lookup(lookup: Lookup) -> AbstractContextManager[Lookup]:
    """Verifiers look up symbols with another function inside this context.

    Why: `func.call` is verified by `SymbolTable.lookup_symbol`, which scans the table from its start each time, so that
    the time for a program of many calls is quadratic.
    Until: xDSL verifies calls with a table that is built once, as MLIR does with `SymbolTableCollection`.
    """
    return holding(_LOOKUP, lookup)


def without_module_dumps() -> AbstractContextManager[bool]:
    """Inside this, a failing verifier or `emit_error` just raises, and the exception remembers the op (`failing_op`).

    Why: xDSL prints the whole module, weights included, into a note of every error. That takes seconds on a real
    network, and where the printing fails it hides the error itself. The exception does not name the op either.
    Until: xDSL leaves the printing to who shows the error, or has an option for it, and its errors name their op.
    """
    return holding(_WITHOUT_DUMPS, True)


def _replace_functions() -> None:
    scan, dump = SymbolTable.lookup_symbol, Diagnostic.raise_exception

    def lookup_symbol(op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
        return (_LOOKUP.get() or scan)(op, name)

    def raise_exception(self: Diagnostic, ir: IRNode, underlying_error: Exception) -> NoReturn:
        if not _WITHOUT_DUMPS.get():
            dump(self, ir, underlying_error)
        if isinstance(ir, Operation) and not hasattr(underlying_error, _FAILING_OP):
            setattr(underlying_error, _FAILING_OP, ir)
        raise underlying_error

    SymbolTable.lookup_symbol = staticmethod(lookup_symbol)
    Diagnostic.raise_exception = raise_exception


_FAILING_OP = "failing_op"

_replace_functions()


def failing_op(error: BaseException) -> Operation | None:
    """The op that emitted `error`, if `without_module_dumps` was active, or else the innermost one that was verified.

    Why: an error of `Operation.verify` itself does not name the op; the frame of that function does.
    Until: errors of xDSL name their op.
    """
    if (op := getattr(error, _FAILING_OP, None)) is not None:
        return op
    found, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code is Operation.verify.__code__:
            found = step.tb_frame.f_locals["self"]
        step = step.tb_next
    return found


FORMAT = "assembly_format_program"
"""The function of an op class that reads its assembly format, once."""


class FormedOp(IRDLOperation, ABC):
    """An op with an assembly format that follows from its definition, unless its class states another one."""

    @classmethod
    @abstractmethod
    def format_of(cls, definition: OpDef, fields: Sequence[str]) -> str:
        """The assembly format; `fields` are the names that its bases and its class define, in this order."""


def op_definition(cls: type[T]) -> type[T]:
    """Like xDSL's `irdl_op_definition`, for ops whose verifiers read properties and types only.

    The assembly format is read when the first op is parsed or printed, and ops are verified once for each kind. The
    operands and results of a class follow those of its bases.

    Why: reading the formats of a dialect takes longer than most runs need for anything else, and a run uses few ops.
    Verifying an op takes longer than building it, is done after each pass, and most ops of a network are repetitions.
    xDSL numbers those of a class before those of its bases, so that a class would have to repeat them.
    Until: xDSL reads formats on demand, compiles definitions to verifiers, and numbers operands of bases first.
    """
    definition = OpDef.from_pyrdl(cls)
    for values in (definition.operands, definition.results):
        if len(values) > 1:
            values.sort(key=lambda value: _fields(cls).index(value[0]))
    without_format = replace(definition, assembly_format=None)
    for name, value in get_accessors_from_op_def(without_format, getattr(cls, "verify_", None)).items():
        setattr(cls, name, value)
    setattr(cls, "verify_", _once_for_each_kind(cls, cls.verify_))
    if "parse" in vars(cls):
        return cls

    @cache
    def program() -> FormatProgram:
        # Imported late: --help reads no ops.
        from xdsl.irdl.declarative_assembly_format import FormatProgram

        stated = definition.assembly_format
        return FormatProgram.from_str(stated or cls.format_of(definition, _fields(cls)), definition)

    def parse(cls: type[T], parser: Parser) -> T:
        return program().parse(parser, cls)

    def print_(self: T, printer: Printer) -> None:
        program().print(printer, self)

    setattr(cls, "get_irdl_definition", classmethod(lambda _: definition))
    setattr(cls, FORMAT, staticmethod(program))
    setattr(cls, "parse", classmethod(parse))
    setattr(cls, "print", print_)
    return cls


def _fields(cls: type[IRDLOperation]) -> list[str]:
    """The names of all fields of a class, those of its bases first."""
    return list(dict.fromkeys(name for base in reversed(cls.mro()) for name in vars(base)))


MOST_KINDS = 1 << 10
"""The number of kinds that are remembered of an op."""


def _once_for_each_kind(cls: type[T], verify: Callable[[T], None]) -> Callable[[T], None]:
    """A verifier that is asked once for all ops with the same properties and types.

    Those are compared by identity, because hashing an attribute takes longer than verifying it. An op with other
    properties for most of its instances has a method `read_by_verifier`: the parts of them that its verifier reads.
    """
    parts = cast("Callable[[T], Iterable[object]] | None", getattr(cls, "read_by_verifier", None))
    verified: dict[tuple[int | str, ...], list[object]] = {}
    """The kinds that verify, with what was read, so that no other object gets the identity of one of these."""

    def verify_(self: T) -> None:
        if self.attributes or self.regions or self._successors:
            verify(self)
            return
        read = [*(self.properties.values() if parts is None else parts(self))]
        read += [value._type for value in self._operands]
        read += [value._type for value in self.results]
        kind = len(self._operands), *self.properties, *map(id, read)
        if kind in verified:
            return
        verify(self)
        if len(verified) >= MOST_KINDS:
            verified.clear()
        verified[kind] = read

    return verify_


def hash_by_identity() -> None:
    """Values, blocks and ops are hashed by `object`, as by xDSL, without a call of a Python function.

    Why: they are the keys of nearly all tables, so this is the function that a run calls most often.
    Until: xDSL inherits `object.__hash__`, which does the same.
    """
    for cls in (SSAValue, Block, Operation, IRDLOperation):
        setattr(cls, "__hash__", object.__hash__)


hash_by_identity()


def is_array_of(attribute: Attribute | None, kind: type[A]) -> TypeGuard[ArrayAttr[A]]:
    """True for an array whose elements are all of one class.

    Why: `isa(attribute, ArrayAttr[kind])` makes the constraint of such an array anew each time, which takes many
    times as long, also where there is no array.
    Until: xDSL makes the constraint of a type hint once.
    """
    if not isinstance(attribute, ArrayAttr):
        return False
    return all(isinstance(each, kind) for each in cast("ArrayAttr[Attribute]", attribute).data)


# --- private names


def arguments_of(parser: ArgumentParser) -> Sequence[Action]:
    """All arguments of a parser.

    Why: suggestions for mistyped flags and shell completion need them, and xDSL's driver makes the parser of npu-opt,
    so that no class of this package could collect them.
    Until: the driver takes a parser, or argparse has a public list.
    """
    return parser._actions


def retype(value: SSAValue, type: Attribute) -> None:
    """Set the type of a value in place: its name, location and uses remain.

    Why: `Rewriter.replace_value_with_new_type` creates another value and updates every user. In a rewrite pattern that
    is right, because listeners are notified.
    Until: the type of a value can be set, like `Value::setType` of MLIR.
    """
    value._type = type


class LinearStringLexer(MLIRLexer):
    """A lexer that takes linear time for a string.

    Why: xDSL's regular expression backtracks through all splits of an unterminated string: minutes for 30 characters.
    Until: the expression of xDSL is possessive like this one.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


@dataclass
class _BitPattern(Parser._TensorLiteralElement):
    """A hexadecimal number in `dense<...>`; for a float it is the bits, as in MLIR."""

    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> int | float | tuple[int, int] | tuple[float, float]:
        if not isinstance(type, AnyFloat):
            return super().to_type(parser, type)
        bits = cast(int, self.value)
        if bits.bit_length() > 8 * type.compile_time_size:
            parser.raise_error(f"expected the bits of one {type}", self.span)
        return type.unpack(bits.to_bytes(type.compile_time_size, "little"), 1)[0]


class OpenParser(Parser, ABC):
    """A parser with access to its lexer and position, and with a hook for the class of an op.

    Why: skipping text that was parsed before, replacing the lexer, and a better message about an unknown op all need
    internals. Hexadecimal numbers in `dense<...>` are values of floats for xDSL and bits for MLIR.
    Until: the parser takes a lexer, has a hook for unknown ops, can move its position, and parses such numbers as bits.
    """

    resume_from = Parser._resume_from
    consume_token = Parser._consume_token
    parse_dense_literal_type = Parser._parse_dense_literal_type
    register_ssa_definition = Parser._register_ssa_definition

    @abstractmethod
    def op_class(self, name: str) -> type[Operation]:
        """The class of the op whose name was just parsed."""

    @property
    def current_token(self) -> MLIRToken:
        return self._current_token

    @property
    def dialect_stack(self) -> list[str]:
        """The default dialects of names without a dialect, innermost last."""
        return self._parser_state.dialect_stack

    def use_lexer(self, lexer: MLIRLexer) -> None:
        """Continue with another lexer of the same text."""
        self._parser_state = ParserState(lexer)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        return self.op_class(name)

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:
        is_hexadecimal = self._current_token.text.startswith("0x")
        element = super()._parse_tensor_literal_element()
        return _BitPattern(element.is_negative, element.value, element.span) if is_hexadecimal else element


@dataclass(eq=False, repr=False)
class PlainStringPrinter(Printer):
    """A printer that writes text without line breaks in one piece, and can print to a string.

    Why: xDSL splits every string into lines before it writes it, and the column that it counts is private.
    Until: xDSL writes such text in one piece, and a printer can switch streams.
    """

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if self.stream is None or "\n" in text:
            super().print_string(text, indent=indent)
            return
        self._current_column += len(text)
        self.stream.write(text)

    def text_of(self, print: Callable[[Attribute], None], attribute: Attribute) -> str:
        """The text that a function prints for an attribute."""
        stream, column = self.stream, self._current_column
        self.stream = buffer = StringIO()
        try:
            print(attribute)
        finally:
            self.stream, self._current_column = stream, column
        return buffer.getvalue()
