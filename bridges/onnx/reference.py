"""Runs of nodes that stayed, by the reference implementation in the package onnx: `run_node`.

The numbers of a program with such nodes can then be computed. Nothing is proved by them.
"""

from collections.abc import Sequence
from typing import Any, cast

from numpy.typing import NDArray
from onnx import NodeProto, ValueInfoProto, helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ArrayAttr, BFloat16Type, DenseArrayBase, IntegerType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects.npu.attrs import OpaqueType
from ...dialects.npu.source import ForeignOp
from ...dialects.npu.values import is_whole
from ...interpreter import InterpreterError
from ...interpreter.objects import as_array, from_array
from .errors import brief
from .exporting.elements import carrier
from .exporting.ops.source import attributes_of
from .exporting.program import noted_opsets
from .importing.checking import NEWEST_OPSET, ONNX_DOMAINS

Array = NDArray[Any]


def run_node(op: ForeignOp, operands: Sequence[Array]) -> tuple[Array, ...]:
    """The results of a node that stayed. Raises `InterpreterError` if it is none of ONNX, or if it fails."""
    what = f"'{op.name}' \"{op.op_name.data}\" cannot be evaluated"
    domain, _, kind = op.op_name.data.rpartition(".")
    domain = "" if domain == "onnx" else domain
    if domain not in ONNX_DOMAINS:
        raise InterpreterError(what)
    taken = [each.data for each in cast("ArrayAttr[StringAttr]", op.attributes.get("onnx.captures", ArrayAttr(())))]
    inputs = _placed("x", len(operands) - len(taken), op.attributes.get("onnx.operands"))
    outputs = _placed("y", len(op.results), op.attributes.get("onnx.results"))
    node = NodeProto(op_type=kind, domain=domain, input=inputs, output=outputs, attribute=attributes_of(op))
    names, results = [*filter(None, inputs), *taken], [*filter(None, outputs)]
    try:
        graph = helper.make_graph([node], "node", [*map(_named, names)], [*map(_named, results)])
        evaluator = cast("Any", ReferenceEvaluator(graph, opsets=_opsets(op)))
        given = {name: _given(x.type, array) for name, x, array in zip(names, op.operands, operands, strict=True)}
        found = evaluator.run(None, given)
    except Exception as error:
        # The package onnx has no superclass of what it raises.
        raise InterpreterError(f"{what}: {brief(error)}") from error
    return tuple(map(_stored, op.results, found))


def _placed(letter: str, count: int, places: Attribute | None) -> list[str]:
    """The names of inputs or outputs, empty for those that the node leaves out."""
    numbers = [int(each) for each in places.get_values()] if isinstance(places, DenseArrayBase) else [*range(count)]
    return [f"{letter}{place}" if place in numbers else "" for place in range(max(numbers, default=-1) + 1)]


def _named(name: str) -> ValueInfoProto:
    return ValueInfoProto(name=name)


def _opsets(op: Operation) -> dict[str, int]:
    """The versions of the domains of the model, or the newest ones."""
    module: Operation | None = op
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    noted = {} if module is None else noted_opsets(module)
    return dict.fromkeys(ONNX_DOMAINS, 1) | {"": NEWEST_OPSET} | noted


def _given(type_: Attribute, array: Array) -> Any:
    """An array of the interpreter as the reference implementation takes it, which has lists, and types numpy lacks."""
    element = type_.get_element_type() if isa(type_, TensorType) else type_
    if isinstance(element, BFloat16Type) or (isa(element, IntegerType) and element.bitwidth < 8):
        return array.astype(helper.tensor_dtype_to_np_dtype(carrier(element)))
    is_list = isinstance(element, OpaqueType) and not element.is_rankless
    return from_array(array) if is_list else array


def _stored(value: SSAValue, found: Any) -> Array:
    """A result as an array. The implementation has an optional value as a list of one, from which it takes none."""
    is_wrapped = isinstance(found, list) and not is_whole(value)
    return as_array(*found) if is_wrapped else as_array(found)
