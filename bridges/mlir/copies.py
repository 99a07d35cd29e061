"""Copies of ops in upstream MLIR."""

from .bindings import Operation, Value, ir


def use_instead(op: Operation, copies: dict[Value, Value]) -> None:
    """Let an op, and the ops in its regions, use other values where some are known."""
    for each in nested(op):
        for index, value in enumerate(each.operands):
            if value in copies:
                each.operands[index] = copies[value]


def nested(op: Operation) -> list[Operation]:
    """An op and the ops in its regions."""
    found: list[Operation] = []

    def visit(each: Operation) -> object:
        found.append(each.operation)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found
