"""The function of a program that becomes the graph of a model."""

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.program.symbols import is_private


class NoMainFunction(DiagnosticException):
    """A program has no function, or several, that could be the graph; the message is for the user."""


def main_function(module: ModuleOp) -> func.FuncOp:
    """The function to export: @main, or the only public one."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    named = [op for op in functions if op.sym_name.data == "main"]
    public = [op for op in functions if not is_private(op)]
    found = named or public
    if len(found) != 1:
        raise NoMainFunction(
            f"the graph of a model is one function: expected @main, or one public function, found {len(found)}"
        )
    return found[0]
