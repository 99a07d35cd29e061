"""Extraction of an op and the non-tensor values it depends on into a function of its own."""

from ..bindings import Operation, Value, func, ir
from ..copies import nested, replace_operands
from .errors import UnsupportedOp
from .node import ImportedOp, Operand

NAME = "op"


def isolated(node: ImportedOp) -> tuple[str, list[Operand]]:
    """The text of a function that contains only the op, and the tensors that are its arguments.

    Producers of non-tensor operands, such as indices, are cloned into the function.
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
                replace_operands(copy, copies)
                copies.update(zip(op.results, copy.results, strict=True))
            func.ReturnOp([copies[result] for result in node.op.results])
    operands = [node.function.operand(value) for value in inputs]
    return str(module), [operand for operand in operands if operand is not None]


def outer_values(op: Operation) -> list[Value]:
    """The outer values used by an op and its nested ops, each once."""
    inside: set[Value] = set()
    used: dict[Value, None] = {}
    for each in nested(op):
        inside.update(each.results)
        inside.update(argument for region in each.regions for block in region for argument in block.arguments)
        used.update(dict.fromkeys(each.operands))
    return [value for value in used if value not in inside]


def _needs(node: ImportedOp) -> tuple[list[Operation], list[Value]]:
    """The producers of non-tensor operands in topological order, and the tensors used from outside.

    The order depends only on the op, not on the surrounding text, so that equal ops have equal texts.
    """
    needed: dict[Operation, None] = {}
    inputs: dict[Value, None] = {}
    waiting = [(node.op, iter(outer_values(node.op)))]
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
            waiting.append((owner, iter(outer_values(owner))))
    del needed[node.op]
    return list(needed), list(inputs)
