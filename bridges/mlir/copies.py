"""Helpers for cloned ops in MLIR."""

from .bindings import Operation, Value, ir


def replace_operands(op: Operation, copies: dict[Value, Value]) -> None:
    """Replace the operands of an op and its nested ops as far as `copies` has other values for them."""
    for each in nested(op):
        for index, value in enumerate(each.operands):
            if value in copies:
                each.operands[index] = copies[value]


def nested(op: Operation) -> list[Operation]:
    """An op and its nested ops."""
    found: list[Operation] = []

    def visit(each: Operation) -> object:
        found.append(each.operation)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found
