"""Recurrent layers. Each is an op; the steps come first, and the parts of its parameters are in the order of the op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import SSAValue

from .....dialects.npu import recurrent as ops
from .....dialects.npu.movement import END_OF_AXIS, ConcatOp, SliceOp
from .....dialects.npu.values import element_type_of
from ....building import Typed, UnsupportedNode
from ...recurrent import GATES, parameters_key
from ..computed import stacked
from ..node import CallNode
from ..registry import Converted, converts


@converts("aten.rnn_tanh.input")
def rnn_tanh(node: CallNode) -> Converted:
    return _layers(node, ops.RnnOp, [node.operand("hx")])


@converts("aten.rnn_relu.input")
def rnn_relu(node: CallNode) -> Converted:
    count = 1 + bool(node.get("bidirectional"))
    return _layers(node, ops.RnnOp, [node.operand("hx")], activations=ArrayAttr([StringAttr("relu")] * count))


@converts("aten.gru.input")
def gru(node: CallNode) -> Converted:
    return _layers(node, ops.GruOp, [node.operand("hx")], linear_before_reset=UnitAttr())


@converts("aten.lstm.input")
def lstm(node: CallNode) -> Converted:
    return _layers(node, ops.LstmOp, node.list_of("hx"))


def _layers(
    node: CallNode, op: type[ops.RecurrentOp], states: Sequence[SSAValue], **properties: object
) -> list[SSAValue | None]:
    x, count, batch_first = node.operand("input"), node.integer("num_layers"), bool(node.get("batch_first"))
    directions, has_biases = 1 + bool(node.get("bidirectional")), bool(node.get("has_biases"))
    parameters = node.list_of("params")
    each = 2 * directions * (1 + has_biases)
    node.require(len(parameters) == count * each, "projections")
    node.require(not node.get("train") or not node.get("dropout"), "numbers that are left out at random")
    node.require(node.rank(x) == len("TBX"), "no batch")
    turned = (1, 0, 2)
    x = node.transpose(x, turned) if batch_first else x
    last: list[Sequence[SSAValue]] = []
    for layer in range(count):
        begin = [_part(node, state, layer, directions) if count > 1 else state for state in states]
        made = _layer(node, op, x, parameters[layer * each : (layer + 1) * each], begin, directions, properties)
        last.append(made[1:])
        steps, _, batch, size = node.sizes_of(made[0])
        if directions == 1:
            x = node.reshape(made[0], (steps, batch, size))
            x = node.transpose(x, turned) if batch_first and layer == count - 1 else x
        else:
            is_turned = batch_first and layer == count - 1
            x = node.transpose(made[0], (2, 0, 1, 3) if is_turned else (0, 2, 1, 3))
            x = node.reshape(x, (*((batch, steps) if is_turned else (steps, batch)), directions * size))
    whole = [
        parts[0] if count == 1 else node.add(ConcatOp, [parts], node.sizes_of(state), element_type_of(state), axis=0)
        for parts, state in zip(zip(*last, strict=True), states, strict=True)
    ]
    return [x, *whole]


def _part(node: CallNode, state: SSAValue, layer: int, directions: int) -> SSAValue:
    """The state of a layer."""
    count, batch, size = node.sizes_of(state)
    first, limit = layer * directions, (layer + 1) * directions
    limits = [END_OF_AXIS if limit == count else limit, *[END_OF_AXIS] * 2]
    return node.add(SliceOp, [state], (directions, batch, size), starts=[first, 0, 0], limits=limits)


def _layer(
    node: CallNode,
    op: type[ops.RecurrentOp],
    x: SSAValue,
    parameters: Sequence[SSAValue],
    states: Sequence[SSAValue],
    directions: int,
    properties: Mapping[str, object],
) -> Sequence[SSAValue]:
    element, (steps, batch, inputs) = element_type_of(x), node.sizes_of(x)
    each, order = len(parameters) // directions, GATES[op]
    size = node.sizes_of(parameters[1])[-1]
    gates = len(order) * size
    wanted = [(gates, inputs), (gates, size), (gates,), (gates,)][:each] * directions
    if [node.sizes_of(value) for value in parameters] != wanted:
        raise UnsupportedNode("parameters of other sizes")
    weights, recurrence = (
        node.computed(parameters[place::each], "gates", (directions, gates, columns), stacked(order, 1))
        for place, columns in ((0, inputs), (1, size))
    )
    bias = None
    if each > 2:
        biases = [value for place, value in enumerate(parameters) if place % each >= 2]
        bias = node.computed(biases, "gates", (directions, 2 * gates), stacked(order, 2))
    node.parameters[parameters_key(weights, recurrence, bias)] = parameters
    state = Typed(element, (directions, batch, size))
    results = [Typed(element, (steps, directions, batch, size)), *[state] * len(states)]
    operands = [x, weights, recurrence, bias, None, *states, *([None] if op is ops.LstmOp else [])]
    direction = ops.BIDIRECTIONAL if directions > 1 else None
    return node.add_many(op, operands, results, direction=direction, **properties)
