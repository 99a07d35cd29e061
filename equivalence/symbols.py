"""What the symbols that an op names stand for."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable


def definitions(op: Operation) -> str:
    """The text of all functions and other symbols that an op names, and that those name in turn.

    An op that is compared by its text is only as equal as what that text refers to.
    """
    found: dict[Operation, None] = {}
    waiting = list(_named(op))
    while waiting:
        symbol = waiting.pop()
        if symbol not in found:
            found[symbol] = None
            waiting += _named(symbol)
    return "\n".join(map(str, found))


def public_functions(module: ModuleOp) -> dict[str, FuncOp]:
    """The functions that others can call, by their names."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    return {op.sym_name.data: op for op in functions if not (op.sym_visibility and op.sym_visibility.data == "private")}


def _named(op: Operation) -> Iterator[Operation]:
    for nested in op.walk():
        for attribute in (*nested.properties.values(), *nested.attributes.values()):
            if not isinstance(attribute, SymbolRefAttr):
                continue
            symbol = SymbolTable.lookup_symbol(nested, attribute)
            if symbol is not None:
                yield symbol
