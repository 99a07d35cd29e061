"""The reasons why an op is pinned to one order."""

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation

from ....dialects.npu.values import encoding
from ..graph.producers import Use
from .reasons import Names


def signature_reason(op: Operation, operand: int | None) -> str | None:
    """The signature that pins an operand of a return or call, or an unnamed one; None for all other ops."""
    layout = None if operand is None else encoding(op.operands[operand].type)
    if isinstance(op, ReturnOp):
        return f"{output_name(op, operand)} keeps {'its layout' if layout is None else layout}"
    if isinstance(op, CallOp):
        callee = f"@{op.callee.string_value()}"
        return (
            f"the signature of {callee} is fixed"
            if operand is None
            else f"{callee} takes {layout} as argument {operand}"
        )
    return None


def use_name(use: Use, names: Names) -> str:
    """An operand that is handed over: an output of a function, or a value in a call, branch or loop."""
    if isinstance(use.op, ReturnOp):
        return output_name(use.op, use.operand)
    return f"{names.of(use.value)} in {names.of(use.op)}"


def output_name(op: ReturnOp, operand: int | None) -> str:
    """An output of a function in words, or an unnamed one."""
    function = op.parent_op()
    name = f"@{function.sym_name.data}" if isinstance(function, FuncOp) else "the function"
    return f"an output of {name}" if operand is None else f"output {operand} of {name}"
