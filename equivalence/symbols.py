"""The functions of a program, and the definitions of the symbols that an op refers to."""

import json
import re
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from io import StringIO
from math import inf
from time import monotonic
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnregisteredAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Data, Operation, ParametrizedAttribute
from xdsl.printer import Printer
from xdsl.traits import SymbolTable

from ..dialects.npu.source import ForeignOp, OpaqueOp
from ..dialects.program.symbols import Symbols
from .onnx_versions import meaning

ONNX = "onnx"
"""The prefix of opaque ops of ONNX's own domain."""
GRAPHS = "litert.graph", "onnx.graph"
"""The attributes of a function with the name of the graph of a LiteRT or ONNX model that it was."""
CAPTURES = "onnx.captures"
"""The attribute of a node of ONNX with the names of the last operands, which only its subgraphs read."""

_NAME = r'(?:"[^"]*"|[A-Za-z_$.][\w$.-]*)'
_SYMBOL = re.compile(rf"@{_NAME}(?:::@{_NAME})*")
_PLAIN = re.compile(r"[A-Za-z_][\w$.]*")


def version_of(op: ForeignOp) -> Hashable:
    """A key that distinguishes ops of another system that share a name but may differ in meaning.

    It is the version of the op's domain that the program was made for, if noted; of all domains, if it has graphs.
    """
    notes = opsets(op)
    domain, _, kind = op.op_name.data.rpartition(".")
    if any(isinstance(each, DictionaryAttr) for each in op.attributes.values()):
        return tuple(sorted(notes.items()))
    if domain == ONNX and "" in notes:
        return meaning(kind, notes[""])
    return notes.get(domain)


def opsets(op: Operation) -> Mapping[str, int]:
    """The versions of ONNX's domains that the program of an op was made for."""
    root = op
    while (parent := root.parent_op()) is not None:
        root = parent
    notes = root.attributes.get("onnx.opsets")
    versions = notes.data.items() if isinstance(notes, DictionaryAttr) else ()
    return {domain: version.value.data for domain, version in versions if isinstance(version, IntegerAttr)}


class OutOfTime(Exception):
    """The comparison takes longer than it may."""


class Definitions:
    """The texts of ops and of the symbols they refer to, cached."""

    def __init__(self, seconds: float = inf) -> None:
        """With `seconds`, the time that the comparison may take from now on."""
        self.symbols = Symbols()
        self._end = monotonic() + seconds
        self._texts: dict[Operation, Hashable] = {}
        self._named: dict[Operation, tuple[Operation, ...]] = {}
        self._in_type: dict[Attribute, tuple[SymbolRefAttr, ...]] = {}

    def in_time(self, ops: Iterable[Operation]) -> Iterator[Operation]:
        """The ops, until the time is over. Raises `OutOfTime`."""
        for op in ops:
            if monotonic() >= self._end:
                raise OutOfTime
            yield op

    def text(self, op: Operation) -> Hashable:
        """The text of an op with its regions."""
        if op not in self._texts:
            stream = StringIO()
            # The generic format, because a custom format may omit attributes.
            Printer(stream, print_generic_format=True).print_op(op)
            versions = tuple(version_of(each) for each in op.walk() if isinstance(each, ForeignOp))
            self._texts[op] = stream.getvalue(), versions
        return self._texts[op]

    def of(self, *ops: Operation) -> tuple[Hashable, ...]:
        """The texts of all symbols that ops refer to, directly or indirectly.

        Ops that are compared by text are equal only if the texts of these are.
        """
        return self._texts_from(symbol for op in ops for nested in op.walk() for symbol in self._named_by(nested))

    def of_attributes(self, op: Operation, skipped: Container[str] = ()) -> tuple[Hashable, ...]:
        """The texts of the attributes of an op, without its regions and without the attributes of these names."""
        return self._texts_from(self._named_by(op, skipped))

    def _texts_from(self, symbols: Iterable[Operation]) -> tuple[Hashable, ...]:
        found: dict[Operation, None] = {}
        waiting = list(symbols)
        while waiting:
            symbol = waiting.pop()
            if symbol in found:
                continue
            found[symbol] = None
            if symbol not in self._named:
                self._named[symbol] = tuple(each for op in symbol.walk() for each in self._named_by(op))
            waiting += self._named[symbol]
        return tuple(map(self.text, found))

    def _named_by(self, op: Operation, skipped: Container[str] = ()) -> Iterator[Operation]:
        for reference in self._references(op, skipped):
            yield from self._found(op, reference)

    def _references(self, op: Operation, skipped: Container[str]) -> Iterator[SymbolRefAttr]:
        attributes = (value for name, value in op.attributes.items() if name not in skipped)
        for attribute in (*op.properties.values(), *attributes):
            yield from references(attribute)
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in (*op.results, *arguments):
            if value.type not in self._in_type:
                self._in_type[value.type] = tuple(references(value.type))
            yield from self._in_type[value.type]

    def _found(self, op: Operation, reference: SymbolRefAttr) -> Iterator[Operation]:
        """The ops that a symbol may refer to, in all tables around an op."""
        root = SymbolRefAttr(reference.root_reference)
        table: Operation | None = op
        while table is not None:
            if table.has_trait(SymbolTable):
                symbol = self.symbols.lookup(table, reference) or self.symbols.lookup(table, root)
                if symbol is not None:
                    yield symbol
            table = table.parent_op()


def references(attribute: Attribute) -> Iterator[SymbolRefAttr]:
    """The symbols anywhere in an attribute."""
    match attribute:
        case SymbolRefAttr():
            yield attribute
        case UnregisteredAttr():
            # Only its text is known.
            yield from map(_parsed, _SYMBOL.findall(attribute.value.data))
        case ParametrizedAttribute():
            for parameter in attribute.parameters:
                yield from references(parameter)
        case Data():
            yield from _in_python(attribute.data)
        case _:
            pass


def _in_python(data: object) -> Iterator[SymbolRefAttr]:
    """The symbols in a Python structure inside an attribute."""
    match data:
        case int() | float() | str() | bytes() | None:
            # Most are such; whether data are of an abstract class takes longer to say.
            pass
        case Attribute():
            yield from references(data)
        case Mapping():
            for pair in cast("Mapping[object, object]", data).items():
                yield from _in_python(pair)
        case tuple() | list() | AbstractSet():
            for each in cast("Iterable[object]", data):
                yield from _in_python(each)
        case _ if is_dataclass(data) and not isinstance(data, type):
            for each in fields(data):
                yield from _in_python(getattr(data, each.name))
        case _:
            pass


def _parsed(text: str) -> SymbolRefAttr:
    root, *nested = (name.removeprefix("@").strip('"') for name in text.split("::"))
    return SymbolRefAttr(root, nested)


def public_functions(module: ModuleOp) -> dict[str, FuncOp]:
    """The functions with public visibility, by name; those of nested modules by path."""
    ways = modules_of(module).items()
    return {
        way + _quoted(op.sym_name): op
        for way, each in ways
        for op in each.ops
        if isinstance(op, FuncOp) and not is_private(op)
    }


def modules_of(module: ModuleOp) -> dict[str, ModuleOp]:
    """A module and its nested modules, by path; unnamed ones by index."""
    found = {"": module}
    waiting = [("", module)]
    while waiting:
        way, outer = waiting.pop()
        inner = [op for op in outer.ops if isinstance(op, ModuleOp)]
        for number, each in enumerate(inner):
            name = str(number) if each.sym_name is None else _quoted(each.sym_name)
            found[f"{way}{name}::@"] = each
            waiting.append((f"{way}{name}::@", each))
    return found


def _quoted(name: StringAttr) -> str:
    return name.data if _PLAIN.fullmatch(name.data) else json.dumps(name.data)


def is_private(function: FuncOp) -> bool:
    """True if a function is not visible outside of its module."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def is_subgraph(function: FuncOp, op: OpaqueOp) -> bool:
    """True if a function is a subgraph of a node of ONNX, or was the graph of another op of a model.

    Symbols of ops of other domains may be anything.
    """
    is_of_onnx = op.op_name.data.rpartition(".")[0] == ONNX
    return is_private(function) and (is_of_onnx or any(each in function.attributes for each in GRAPHS))


def ends_by_return(function: FuncOp) -> bool:
    """True if a function is one block with a return."""
    return len(function.body.blocks) == 1 and isinstance(function.body.block.last_op, ReturnOp)


def count_of_captures(op: Operation) -> int:
    """The number of the last operands of a node of ONNX that only its subgraphs read."""
    names = op.attributes.get(CAPTURES)
    count = len(cast("ArrayAttr[Attribute]", names)) if isinstance(names, ArrayAttr) else 0
    return min(count, len(op.operands))
