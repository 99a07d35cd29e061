"""Cached symbol lookup for a program that does not change meanwhile.

xDSL scans a symbol table from its start on each lookup, so that the time for many calls of many functions is
quadratic. xDSL's `SymbolTableCollection` caches tables as well, but its results differ from those of the verifiers: the
last of several symbols of one name, no private symbol of a nested module, and an error if a table has no block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.symbol_table import get_name_if_symbol

from ...compat.xdsl import symbol_lookup
from .dominance import verify_dominance


class Symbols:
    """The symbol tables of a program, each read once."""

    def __init__(self) -> None:
        self._tables: dict[Operation, dict[str, Operation]] = {}

    def lookup(self, op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
        """The op that a name refers to at `op`."""
        if not isinstance(name, SymbolRefAttr):
            name = SymbolRefAttr(name)
        table: Operation | None = op
        while table is not None and not table.has_trait(SymbolTable):
            table = table.parent_op()
        found = None if table is None else self._symbols(table).get(name.root_reference.data)
        for nested in name.nested_references:
            found = None if found is None else self._symbols(found).get(nested.data)
        return found

    def _symbols(self, table: Operation) -> dict[str, Operation]:
        if table not in self._tables:
            self._tables[table] = _read(table)
        return self._tables[table]


def symbols_in(op: Operation) -> Iterator[SymbolRefAttr]:
    """The symbols that an op refers to, in attributes of any depth."""
    waiting: list[object] = [*op.properties.values(), *op.attributes.values()]
    while waiting:
        match waiting.pop():
            case SymbolRefAttr() as symbol:
                yield symbol
            case ArrayAttr(data=inner):
                waiting += inner
            case each if isinstance(data := getattr(each, "data", None), Mapping):
                waiting += cast("Mapping[str, Attribute]", data).values()
            case _:
                pass


def referred_names(module: ModuleOp) -> set[str]:
    """The names of all symbols that ops refer to, and of those around them."""
    symbols = (symbol for op in module.walk() for symbol in symbols_in(op))
    return {part.data for each in symbols for part in (each.root_reference, *each.nested_references)}


def is_private(function: FuncOp) -> bool:
    """True if a function is not visible outside of its module."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _read(table: Operation) -> dict[str, Operation]:
    """The ops of a table by their symbols; the first one of equal symbols."""
    if not table.has_trait(SymbolTable) or len(table.regions) != 1 or len(table.regions[0].blocks) != 1:
        return {}
    named = ((get_name_if_symbol(op), op) for op in reversed(table.regions[0].block.ops))
    return {name: op for name, op in named if name is not None}


def _symbol(op: Operation) -> StringAttr | None:
    trait = op.get_trait(SymbolOpInterface)
    return None if trait is None else trait.get_sym_attr_name(op)


def _defined_again(module: ModuleOp) -> Operation | None:
    """The first op whose symbol is already defined in its table."""
    for table in module.walk():
        if table.has_trait(SymbolTable):
            first = set(_read(table).values())
            ops = table.regions[0].block.ops
            again = next((op for op in ops if _symbol(op) is not None and op not in first), None)
            if again is not None:
                return again
    return None


def verify(module: ModuleOp) -> None:
    """Verify a module, including dominance.

    Takes linear time, however many calls there are.
    """
    try:
        with symbol_lookup(Symbols().lookup):
            module.verify()
    except VerifyException as error:
        # xDSL reports it at the table, which may have no location in the text.
        if str(error).startswith("Redefinition of symbol") and (op := _defined_again(module)) is not None:
            op.emit_error(str(error), VerifyException(str(error)))
        raise
    verify_dominance(module)
