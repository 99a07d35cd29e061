"""Export of opaque and vendor ops that were imported from MLIR."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, UnitAttr
from xdsl.ir import Attribute

from ....dialects.npu.source import ForeignOp
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.npu.vendor import VendorPoolOp
from ..bindings import Operation, Type, Value, ir
from ..copies import replace_operands
from ..errors import NotLowerable
from ..verbatim import FUNCTION, SIZES, mlir_key, to_mlir
from .elements import element_of
from .tensors import Tensor, computed, tensor_type, tosa_shape


def foreign(op: ForeignOp, operands: Sequence[Tensor]) -> list[Tensor]:
    """Build the MLIR op of an op of another system."""
    name = op.op_name.data
    if not ir.Context.current.is_registered_operation(name):
        raise NotLowerable(f"'{op.name}' \"{name}\": MLIR has no op of this name")
    _check_order(op)
    types = [tensor_type(shape_of(value), element_of(element_type_of(value))) for value in op.results]
    try:
        results = _of_function(op, operands) if FUNCTION in op.attributes else _alone(op, operands, types)
    except ir.MLIRError as error:
        raise NotLowerable(f"'{op.name}' \"{name}\": {_first_message(error)}") from error
    if [result.type for result in results] != types:
        raise NotLowerable(f"'{op.name}' {FUNCTION}: the types of the results differ from those of the op")
    return [
        computed(made, shape_of(value), element_of(element_type_of(value)))
        for made, value in zip(results, op.results, strict=True)
    ]


def _check_order(op: ForeignOp) -> None:
    """Check that the data of a pool has the order in which MLIR knows the op."""
    if isinstance(op, VendorPoolOp) and (layout := op.feature_layout("data", op.data)) != op.written_in.data:
        expected = f"{op.written_in.data}, in which MLIR has the op"
        raise NotLowerable(f"'{op.name}' \"{op.op_name.data}\" data: expected {expected}, found {layout}")


def _first_message(error: Any) -> str:
    return str(error.error_diagnostics[0].message if error.error_diagnostics else error)


def _alone(op: ForeignOp, operands: Sequence[Tensor], types: Sequence[Type]) -> list[Value]:
    """Build an op without regions, from its attributes."""
    values = [x.value for x in operands]
    for place, sizes in enumerate(_sizes(op, len(values))):
        if sizes is not None:
            values.insert(place, tosa_shape(sizes))
    attributes = {mlir_key(key): to_mlir(value) for key, value in op.attributes.items() if key != SIZES}
    made = ir.Operation.create(op.op_name.data, results=types, operands=values, attributes=attributes)
    made.verify()
    return list(made.results)


def _sizes(op: ForeignOp, count: int) -> Sequence[Sequence[int] | None]:
    """For each operand of the MLIR op its sizes, or None if it is an operand of the opaque op."""
    if SIZES not in op.attributes:
        return [None] * count
    found = op.attributes[SIZES]
    each = list(cast("ArrayAttr[Attribute]", found)) if isinstance(found, ArrayAttr) else []
    tensors = sum(isinstance(one, UnitAttr) for one in each)
    lists = [one.get_values() if isinstance(one, DenseArrayBase) else None for one in each]
    if tensors != count or tensors + sum(one is not None for one in lists) != len(each):
        expected = f"a unit for each of {count} operands, and lists of sizes between them"
        raise NotLowerable(f"'{op.name}' {SIZES}: expected {expected}, found {found}")
    return lists


def _of_function(op: ForeignOp, operands: Sequence[Tensor]) -> list[Value]:
    """Inline the function that contains an op and the ops it depends on."""
    text = op.attributes[FUNCTION]
    if not isinstance(text, StringAttr):
        raise NotLowerable(f"'{op.name}' {FUNCTION}: expected the text of a function, found {text}")
    module = ir.Module.parse(text.data)
    functions = list(module.body.operations)
    blocks = [block for function in functions for region in function.regions for block in region]
    if len(functions) != 1 or len(blocks) != 1:
        raise NotLowerable(f"'{op.name}' {FUNCTION}: expected one function of one block")
    if [argument.type for argument in blocks[0].arguments] != [x.value.type for x in operands]:
        raise NotLowerable(f"'{op.name}' {FUNCTION}: the types of the arguments differ from those of the operands")
    copies = {argument: x.value for argument, x in zip(blocks[0].arguments, operands, strict=True)}
    *ops, end = blocks[0].operations
    for each in ops:
        copy: Operation = each.operation.clone()
        replace_operands(copy, copies)
        copies.update(zip(each.operation.results, copy.results, strict=True))
    return [copies[value] for value in end.operation.operands]
