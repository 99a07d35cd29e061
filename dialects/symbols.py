"""What symbols stand for in a program that does not change meanwhile.

xDSL reads through a table of symbols from its start whenever it looks one up. A program with many calls of many
functions would take time that grows with the square of its length. xDSL's `SymbolTableCollection` reads them once as
well, but gives other answers than its verifiers: the last of several symbols of one name, none that is private in a
nested module, and an error where a table has no block.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.symbol_table import get_name_if_symbol

from ..compat.xdsl import symbol_lookup
from .dominance import verify_dominance


class Symbols:
    """The tables of symbols of a program, each read once."""

    def __init__(self) -> None:
        self._tables: dict[Operation, dict[str, Operation]] = {}

    def lookup(self, op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
        """What a name stands for where it is used by an op."""
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


def _read(table: Operation) -> dict[str, Operation]:
    """The ops in a table by their symbols, the first one where several have the same."""
    if not table.has_trait(SymbolTable) or len(table.regions) != 1 or len(table.regions[0].blocks) != 1:
        return {}
    named = ((get_name_if_symbol(op), op) for op in reversed(table.regions[0].block.ops))
    return {name: op for name, op in named if name is not None}


def _symbol(op: Operation) -> StringAttr | None:
    trait = op.get_trait(SymbolOpInterface)
    return None if trait is None else trait.get_sym_attr_name(op)


def _defined_again(module: ModuleOp) -> Operation | None:
    """The first op whose symbol is that of another op in its table."""
    for table in module.walk():
        if table.has_trait(SymbolTable):
            first = set(_read(table).values())
            ops = table.regions[0].block.ops
            again = next((op for op in ops if _symbol(op) is not None and op not in first), None)
            if again is not None:
                return again
    return None


def verify(module: ModuleOp) -> None:
    """Verify a module, also that values are defined before they are used.

    That takes time which grows with the length of the program, however many calls it has.
    """
    try:
        with symbol_lookup(Symbols().lookup):
            module.verify()
    except VerifyException as error:
        # xDSL says it of the table, which need not stand in the text.
        if str(error).startswith("Redefinition of symbol") and (op := _defined_again(module)) is not None:
            op.emit_error(str(error), VerifyException(str(error)))
        raise
    verify_dominance(module)
