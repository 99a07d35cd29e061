"""Ops that stayed as they are on the way in, written again."""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr
from xdsl.ir import Attribute

from ...dialects.npu.base import element_type_of, shape_of
from ...dialects.npu.source import OpaqueOp
from .bindings import Operation, Value, ir
from .copies import use_instead
from .elements import element_of
from .errors import NotLowerable
from .tensors import Tensor, computed, tensor_type, tosa_shape
from .verbatim import FUNCTION, SIZES, upstream_key, written


def foreign(op: OpaqueOp, operands: list[Tensor]) -> list[Tensor]:
    """The results of an op that MLIR knows by its name."""
    name = op.op_name.data
    if not ir.Context.current.is_registered_operation(name):
        raise NotLowerable(f"'{op.name}' \"{name}\": MLIR has no op of this name")
    types = [tensor_type(shape_of(value), element_of(element_type_of(value))) for value in op.results]
    try:
        results = _of_function(op, operands) if FUNCTION in op.attributes else _alone(op, operands, types)
    except ir.MLIRError as error:
        raise NotLowerable(f"'{op.name}' \"{name}\": {error}") from error
    if [result.type for result in results] != types:
        raise NotLowerable(f"'{op.name}' \"{name}\": the results are of other types than {FUNCTION} says")
    return [
        computed(made, shape_of(value), element_of(element_type_of(value)))
        for made, value in zip(results, op.results, strict=True)
    ]


def _alone(op: OpaqueOp, operands: list[Tensor], types: list[object]) -> list[Value]:
    """An op that says all in its attributes."""
    given = iter(operands)
    values = [tosa_shape(sizes) if sizes is not None else next(given).value for sizes in _sizes(op)]
    values += [x.value for x in given]
    attributes = {upstream_key(key): written(value) for key, value in op.attributes.items() if key != SIZES}
    made = ir.Operation.create(op.op_name.data, results=types, operands=values, attributes=attributes)
    made.verify()
    return list(made.results)


def _sizes(op: OpaqueOp) -> list[tuple[int, ...] | None]:
    """For each operand the sizes that it is, or None where it is a tensor."""
    if SIZES not in op.attributes:
        return []
    found = cast("ArrayAttr[Attribute]", op.attributes[SIZES])
    return [each.get_values() if isinstance(each, DenseArrayBase) else None for each in found]


def _of_function(op: OpaqueOp, operands: list[Tensor]) -> list[Value]:
    """The ops of a function that holds an op and what it needs."""
    text = op.attributes[FUNCTION]
    if not isinstance(text, StringAttr):
        raise NotLowerable(f"'{op.name}' {FUNCTION}: expected the text of a function, found {text}")
    module = ir.Module.parse(text.data)
    block = module.body.operations[0].regions[0].blocks[0]
    if [argument.type for argument in block.arguments] != [x.value.type for x in operands]:
        raise NotLowerable(f"'{op.name}' {FUNCTION}: the arguments are of other types than the operands")
    copies = {argument: x.value for argument, x in zip(block.arguments, operands, strict=True)}
    *ops, end = block.operations
    for each in ops:
        copy: Operation = each.operation.clone()
        use_instead(copy, copies)
        copies.update(zip(each.operation.results, copy.results, strict=True))
    return [copies[value] for value in end.operation.operands]
