"""ONNX's LSTM, step by step: LiteRT's own has states of zeros, and no last states as results."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerAttr, StringAttr

from ....dialects.npu.axes import numbers_of
from ....dialects.npu.source import OpaqueOp
from ....layout import DYNAMIC
from ..errors import NotExportable
from .elements import LiteElement
from .graph import LiteGraph, LiteTensor

MOST_STEPS = 128
"""The largest number of steps that are written one by one, with 16 ops each."""
DIRECTIONS: Mapping[str, Sequence[int]] = {"forward": (1,), "reverse": (-1,), "bidirectional": (1, -1)}
"""The strides through the steps."""
DATA, WEIGHTS, RECURRENCE, BIAS, LENGTHS, HIDDEN, CELL, PEEPHOLES = range(8)
"""The operands of ONNX's op by position."""


class Direction(NamedTuple):
    """The parameters of one direction; gates are input, output, forget and cell."""

    weights: LiteTensor
    recurrence: LiteTensor
    bias: LiteTensor
    hidden: LiteTensor
    cell: LiteTensor


def lstm(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """The hidden states of all steps, and the last hidden and cell states, for each direction."""
    given = _by_position(op, inputs)
    _check(op, given)
    name = op.attributes.get("direction", StringAttr("forward"))
    strides = DIRECTIONS.get(name.data if isinstance(name, StringAttr) else "", ())
    found = [
        _run(graph, given[DATA], _direction(op, graph, given, place), stride) for place, stride in enumerate(strides)
    ]
    return [graph.concat(parts, axis) for parts, axis in zip(zip(*found, strict=True), (1, 0, 0), strict=True)]


def _by_position(op: OpaqueOp, inputs: Sequence[LiteTensor]) -> dict[int, LiteTensor]:
    """The operands by their positions in ONNX, where some are absent."""
    places = op.attributes.get("onnx.operands")
    if places is None:
        return dict(enumerate(inputs))
    return dict(zip(numbers_of(places), inputs, strict=True))


def _check(op: OpaqueOp, given: Mapping[int, LiteTensor]) -> None:
    refused = [name for name in op.attributes if name.startswith("activation") or name in ("clip", "input_forget")]
    layout = op.attributes.get("layout")
    if refused or LENGTHS in given or PEEPHOLES in given or (isinstance(layout, IntegerAttr) and layout.value.data):
        raise NotExportable(f"'{op.op_name.data}' with options of its own has no counterpart in LiteRT")
    data = given[DATA]
    if DYNAMIC in data.shape:
        raise NotExportable(f"'{op.op_name.data}' of data of unknown sizes has no counterpart in LiteRT")
    if data.element != LiteElement.F32:
        raise NotExportable(f"'{op.op_name.data}' of {data.element.name.lower()} has no counterpart in LiteRT")
    if data.shape[0] > MOST_STEPS:
        raise NotExportable(f"'{op.op_name.data}' of more than {MOST_STEPS} steps has no counterpart in LiteRT")


def _direction(op: OpaqueOp, graph: LiteGraph, given: Mapping[int, LiteTensor], place: int) -> Direction:
    weights, recurrence = (_known(op, graph, given[which])[place] for which in (WEIGHTS, RECURRENCE))
    gates, hidden = recurrence.shape
    both = _known(op, graph, given[BIAS])[place] if BIAS in given else np.zeros(2 * gates, np.float32)
    state = given[DATA].shape[1], hidden

    def start(which: int) -> LiteTensor:
        if which not in given:
            return graph.numbers(np.zeros(state), LiteElement.F32)
        return graph.reshape(graph.slice(given[which], [place, 0, 0], (1, *state)), state)

    bias = both[:gates] + both[gates:]
    first, second, third = (graph.numbers(each, LiteElement.F32) for each in (weights, recurrence, bias))
    return Direction(first, second, third, start(HIDDEN), start(CELL))


def _known(op: OpaqueOp, graph: LiteGraph, x: LiteTensor) -> NDArray[Any]:
    known = graph.known(x)
    if known is None:
        raise NotExportable(f"'{op.op_name.data}' of computed weights has no counterpart in LiteRT")
    return known


def _run(graph: LiteGraph, data: LiteTensor, part: Direction, stride: int) -> tuple[LiteTensor, LiteTensor, LiteTensor]:
    """The hidden states of all steps, and the last hidden and cell states of one direction."""
    steps, batch, _ = data.shape
    gates, hidden = part.recurrence.shape
    options: dict[str, Any] = {"weightsFormat": 0}
    shape = steps, batch, gates
    products = graph.node("FULLY_CONNECTED", [data, part.weights, part.bias], shape, keepNumDims=True, **options)
    state, cell = part.hidden, part.cell
    states: list[LiteTensor] = []
    for step in range(steps)[::stride]:
        own = graph.reshape(graph.slice(products, [step, 0, 0], (1, batch, gates)), (batch, gates))
        last = graph.node("FULLY_CONNECTED", [state, part.recurrence], (batch, gates), keepNumDims=False, **options)
        state, cell = _step(graph, graph.binary("ADD", own, last), cell)
        states.append(graph.reshape(state, (1, 1, batch, hidden)))
    last, memory = (graph.reshape(each, (1, batch, hidden)) for each in (state, cell))
    return graph.concat(states[::stride], 0), last, memory


def _step(graph: LiteGraph, total: LiteTensor, cell: LiteTensor) -> tuple[LiteTensor, LiteTensor]:
    """The next hidden and cell states."""
    axis = graph.numbers(1, LiteElement.I32)
    parts = graph.split_node("SPLIT", [axis, total], [cell.shape] * 4, total.element, numSplits=4)
    opened, let_out, kept = (graph.unary("LOGISTIC", each) for each in parts[:3])
    new = graph.binary("MUL", opened, graph.unary("TANH", parts[3]))
    cell = graph.binary("ADD", graph.binary("MUL", kept, cell), new)
    return graph.binary("MUL", let_out, graph.unary("TANH", cell)), cell
