"""If, Loop and Scan of ONNX, whose subgraphs are functions of the program (bridges/onnx/README.md)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from ..dialects.npu.source import OpaqueOp, integers_of
from ..dialects.npu.values import is_whole, shape_of, shapes_agree
from .elements import Array
from .errors import InterpreterError

Caller: TypeAlias = Callable[[str, Sequence[Array]], Sequence[Array]]
"""Runs a function of the program."""

MOST_ITERATIONS = 1 << 12
"""The most iterations of a loop: one that never ends is not run."""


def has_subgraphs(op: Operation) -> bool:
    """True for a node whose subgraphs are functions, and that can be run."""
    if not isinstance(op, OpaqueOp) or op.op_name.data not in _MEANINGS:
        return False
    return any(isinstance(value, SymbolRefAttr) for value in op.attributes.values())


def run_node(op: OpaqueOp, operands: Sequence[Array], call: Caller) -> list[Array]:
    """The results of a node with subgraphs."""
    names = op.attributes.get("onnx.captures")
    count = len(cast("ArrayAttr[Attribute]", names)) if isinstance(names, ArrayAttr) else 0
    border = len(operands) - count
    places = integers_of(op, "onnx.operands") or range(border)
    inputs: dict[int, Array] = dict(zip(places, operands[:border], strict=True))

    def body(attribute: str, arguments: Sequence[Array]) -> Sequence[Array]:
        symbol = op.attributes.get(attribute)
        if not isinstance(symbol, SymbolRefAttr):
            raise InterpreterError(f"'{op.name}' \"{op.op_name.data}\" has no function {attribute}")
        return call(symbol.string_value(), [*arguments, *operands[border:]])

    found = _MEANINGS[op.op_name.data](op, inputs, body)
    results = [found[place] for place in integers_of(op, "onnx.results") or range(len(op.results))]
    for value, array in zip(op.results, results, strict=True):
        if not is_whole(value) and not shapes_agree(array.shape, shape_of(value)):
            raise InterpreterError(f"'{op.name}' \"{op.op_name.data}\" returns another shape than its type has")
    return results


def _if(op: OpaqueOp, inputs: Mapping[int, Array], body: Caller) -> Sequence[Array]:
    return body("then_branch" if inputs[0].all() else "else_branch", [])


def _loop(op: OpaqueOp, inputs: Mapping[int, Array], body: Caller) -> Sequence[Array]:
    most = int(inputs[0].item()) if 0 in inputs else MOST_ITERATIONS + 1
    goes_on = bool(inputs[1].all()) if 1 in inputs else True
    states = [inputs[place] for place in sorted(inputs) if place > 1]
    slices: list[Sequence[Array]] = []
    while goes_on and len(slices) < most:
        if len(slices) >= MOST_ITERATIONS:
            raise InterpreterError(f"a loop has more than {MOST_ITERATIONS} iterations")
        number, flag = _shaped(op, 0, np.array(len(slices), np.int64)), _shaped(op, 1, np.array(goes_on))
        condition, *values = body("body", [number, flag, *states])
        goes_on = bool(condition.all())
        if 1 not in inputs and not goes_on:
            # ONNX ignores the condition, ONNX Runtime does not.
            raise InterpreterError("a loop without a condition ends by one")
        states, rest = values[: len(states)], values[len(states) :]
        slices.append(rest)
    return [*states, *_stacked(op, slices, len(states), [])]


def _shaped(op: OpaqueOp, index: int, number: Array) -> Array:
    """A number for an argument of the body, which may be a scalar or have one axis."""
    symbol = op.attributes["body"]
    function = SymbolTable.lookup_symbol(op, symbol) if isinstance(symbol, SymbolRefAttr) else None
    if not isinstance(function, FuncOp) or index >= len(function.args):
        raise InterpreterError(f"'{op.name}' \"{op.op_name.data}\" has no function body with {index + 1} arguments")
    return number.reshape((1,) * len(shape_of(function.args[index])))


def _scan(op: OpaqueOp, inputs: Mapping[int, Array], body: Caller) -> Sequence[Array]:
    values = [inputs[place] for place in sorted(inputs)]
    (count,) = integers_of(op, "num_scan_inputs") or (0,)
    states, scanned = values[: len(values) - count], values[len(values) - count :]
    axes = integers_of(op, "scan_input_axes") or [0] * count
    backward = integers_of(op, "scan_input_directions") or [0] * count
    sequences = [np.moveaxis(array, axis, 0) for array, axis in zip(scanned, axes, strict=True)]
    sequences = [each[::-1] if flag else each for each, flag in zip(sequences, backward, strict=True)]
    slices: list[Sequence[Array]] = []
    for elements in zip(*sequences, strict=True):
        found = body("body", [*states, *map(np.asarray, elements)])
        states, rest = list(found[: len(states)]), found[len(states) :]
        slices.append(rest)
    if any(integers_of(op, "scan_output_directions")):
        raise InterpreterError("a Scan that returns its outputs backward")
    return [*states, *_stacked(op, slices, len(states), integers_of(op, "scan_output_axes"))]


def _stacked(op: OpaqueOp, slices: Sequence[Sequence[Array]], border: int, axes: Sequence[int]) -> list[Array]:
    """The outputs of all iterations together."""
    if not slices:
        if len(op.results) > border:
            raise InterpreterError("a loop without iterations that returns the outputs of all")
        return []
    columns = list(zip(*slices, strict=True))
    return [np.stack(column, axis) for column, axis in zip(columns, axes or [0] * len(columns), strict=True)]


_MEANINGS: Mapping[str, Callable[[OpaqueOp, Mapping[int, Array], Caller], Sequence[Array]]] = {
    "onnx.If": _if,
    "onnx.Loop": _loop,
    "onnx.Scan": _scan,
}
