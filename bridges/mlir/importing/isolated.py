"""Ops by themselves: with what they need of the function around them, apart from its tensors."""

from ..bindings import Operation, Value, func, ir
from ..copies import nested, use_instead
from .errors import UnsupportedOp
from .node import ImportedOp, Operand

NAME = "op"


def isolated(node: ImportedOp) -> tuple[str, list[Operand]]:
    """The text of a function that does what the op does, and the tensors that it is to be called with.

    What the op needs that is no tensor, such as a number or a size, is computed in the function once more.
    """
    needed, inputs = _needs(node)
    module = ir.Module.create(ir.Location.unknown())
    with ir.InsertionPoint(module.body), ir.Location.unknown():
        types = [value.type for value in inputs], [result.type for result in node.op.results]
        function = func.FuncOp(NAME, types)
        block = function.add_entry_block()
        copies = dict(zip(inputs, block.arguments, strict=True))
        with ir.InsertionPoint(block):
            for op in (*needed, node.op):
                copy = op.clone()
                use_instead(copy, copies)
                copies.update(zip(op.results, copy.results, strict=True))
            func.ReturnOp([copies[result] for result in node.op.results])
    operands = [node.function.operand(value) for value in inputs]
    return str(module), [operand for operand in operands if operand is not None]


def taken(op: Operation) -> list[Value]:
    """The values from outside that an op and the ops in its regions use, each once."""
    inside: set[Value] = set()
    used: dict[Value, None] = {}
    for each in nested(op):
        inside.update(each.results)
        inside.update(argument for region in each.regions for block in region for argument in block.arguments)
        used.update(dict.fromkeys(each.operands))
    return [value for value in used if value not in inside]


def _needs(node: ImportedOp) -> tuple[list[Operation], list[Value]]:
    """The ops that compute what is no tensor, each behind those that it needs, and the tensors from outside.

    Their sequence follows from the op alone, not from where they stand: ops that are alike have the same text.
    """
    needed: dict[Operation, None] = {}
    inputs: dict[Value, None] = {}
    waiting = [(node.op, iter(taken(node.op)))]
    while waiting:
        op, values = waiting[-1]
        value = next(values, None)
        if value is None:
            waiting.pop()
            needed[op] = None
            continue
        operand = node.function.operand(value)
        if operand is not None and operand.element is not None:
            inputs[value] = None
        elif isinstance(value.owner, ir.Block):
            raise UnsupportedOp(f"an argument of type {value.type}")
        elif value.owner.operation not in needed:
            owner = value.owner.operation
            waiting.append((owner, iter(taken(owner))))
    del needed[node.op]
    return list(needed), list(inputs)
