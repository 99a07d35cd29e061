"""Recurrent ops, step by step: LiteRT's own have states of zeros, and no last states as results."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .....dialects.npu import recurrent as ops
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

MOST_STEPS = 128
"""The largest number of steps that are written one by one, with at most 16 ops each."""
KINDS: Mapping[str, str] = {"sigmoid": "LOGISTIC", "tanh": "TANH", "relu": "RELU"}
FULL: Mapping[str, Any] = {"weightsFormat": 0}


class Direction(NamedTuple):
    """The parameters of one direction."""

    graph: LiteGraph
    op: ops.RecurrentOp
    place: int
    recurrence: NDArray[Any]
    bias: NDArray[Any]
    """The numbers that are added to products with a state that something is done with before the input counts."""

    def activate(self, which: int, x: LiteTensor) -> LiteTensor:
        return self.graph.unary(KINDS[self.op.activations_of(self.place)[which]], x)

    def product(self, state: LiteTensor, first: int, count: int) -> LiteTensor:
        """The products of a state with the parameters of some gates."""
        batch, size = state.shape
        rows = slice(first * size, (first + count) * size)
        given = [state, self.graph.numbers(self.recurrence[rows], LiteElement.F32)]
        if self.bias[rows].any():
            given.append(self.graph.numbers(self.bias[rows], LiteElement.F32))
        return self.graph.node("FULLY_CONNECTED", given, (batch, count * size), keepNumDims=False, **FULL)

    def split(self, x: LiteTensor, count: int) -> list[LiteTensor]:
        """Equal parts along the numbers of gates."""
        batch, size = x.shape
        axis = self.graph.numbers(1, LiteElement.I32)
        return [
            *self.graph.split_node("SPLIT", [axis, x], [(batch, size // count)] * count, x.element, numSplits=count)
        ]

    def binary(self, kind: str, one: LiteTensor, other: LiteTensor) -> LiteTensor:
        return self.graph.binary(kind, one, other)


def _rnn(cell: Direction, own: LiteTensor, state: LiteTensor, memory: LiteTensor) -> tuple[LiteTensor, LiteTensor]:
    return cell.activate(0, cell.binary("ADD", own, cell.product(state, 0, 1))), memory


def _gru(cell: Direction, own: LiteTensor, state: LiteTensor, memory: LiteTensor) -> tuple[LiteTensor, LiteTensor]:
    assert isinstance(cell.op, ops.GruOp)
    batch, size = state.shape
    parts = [cell.graph.slice(own, [0, first * size], (batch, count * size)) for first, count in ((0, 2), (2, 1))]
    both = cell.activate(0, cell.binary("ADD", parts[0], cell.product(state, 0, 2)))
    update, reset = cell.split(both, 2)
    if cell.op.linear_before_reset is not None:
        product = cell.binary("MUL", reset, cell.product(state, 2, 1))
    else:
        product = cell.product(cell.binary("MUL", reset, state), 2, 1)
    new = cell.activate(1, cell.binary("ADD", parts[1], product))
    # (1 - z) * n + z * h
    return cell.binary("ADD", new, cell.binary("MUL", update, cell.binary("SUB", state, new))), memory


def _lstm(cell: Direction, own: LiteTensor, state: LiteTensor, memory: LiteTensor) -> tuple[LiteTensor, LiteTensor]:
    total = cell.binary("ADD", own, cell.product(state, 0, 4))
    opened, let_out, kept, new = cell.split(total, 4)
    opened, let_out, kept = (cell.activate(0, each) for each in (opened, let_out, kept))
    memory = cell.binary("ADD", cell.binary("MUL", kept, memory), cell.binary("MUL", opened, cell.activate(1, new)))
    return cell.binary("MUL", let_out, cell.activate(2, memory)), memory


Step = Callable[[Direction, LiteTensor, LiteTensor, LiteTensor], tuple[LiteTensor, LiteTensor]]


@exports(ops.RnnOp)
def rnn(op: ops.RnnOp, graph: LiteGraph, *inputs: LiteTensor | None) -> tuple[LiteTensor, ...]:
    return _converted(op, graph, inputs, _rnn)[:2]


@exports(ops.GruOp)
def gru(op: ops.GruOp, graph: LiteGraph, *inputs: LiteTensor | None) -> tuple[LiteTensor, ...]:
    return _converted(op, graph, inputs, _gru)[:2]


@exports(ops.LstmOp)
def lstm(op: ops.LstmOp, graph: LiteGraph, *inputs: LiteTensor | None) -> tuple[LiteTensor, ...]:
    return _converted(op, graph, inputs, _lstm)


def _converted(
    op: ops.RecurrentOp, graph: LiteGraph, inputs: tuple[LiteTensor | None, ...], step: Step
) -> tuple[LiteTensor, ...]:
    """The hidden states of all steps, and the last hidden and cell states, for each direction."""
    names = [name for name, _ in op.get_irdl_definition().operands]
    given = {name: x for name, x in zip(names, inputs, strict=True) if x is not None}
    _check(op, given)
    found = [_run(op, graph, given, place, step) for place in range(op.count)]
    return tuple(graph.concat(parts, axis) for parts, axis in zip(zip(*found, strict=True), (1, 0, 0), strict=True))


def _check(op: ops.RecurrentOp, given: Mapping[str, LiteTensor]) -> None:
    data = given["input"]
    if "lengths" in given or "peepholes" in given:
        raise NotExportable(f"'{op.name}' with lengths or peepholes has no counterpart in LiteRT")
    if DYNAMIC in data.shape:
        raise NotExportable(f"'{op.name}' of data of unknown sizes has no counterpart in LiteRT")
    if data.element != LiteElement.F32:
        raise NotExportable(f"'{op.name}' of {data.element.name.lower()} has no counterpart in LiteRT")
    if data.shape[0] > MOST_STEPS:
        raise NotExportable(f"'{op.name}' of more than {MOST_STEPS} steps has no counterpart in LiteRT")


def _known(op: ops.RecurrentOp, graph: LiteGraph, x: LiteTensor) -> NDArray[Any]:
    known = graph.known(x)
    if known is None:
        raise NotExportable(f"'{op.name}' of computed weights has no counterpart in LiteRT")
    return known


def _run(
    op: ops.RecurrentOp, graph: LiteGraph, given: Mapping[str, LiteTensor], place: int, step: Step
) -> tuple[LiteTensor, LiteTensor, LiteTensor]:
    """The hidden states of all steps, and the last hidden and cell states of one direction."""
    data, stride = graph.raw(given["input"]), op.strides[place]
    weights, recurrence = (_known(op, graph, given[name])[place] for name in ("weights", "recurrence"))
    gates, size = recurrence.shape
    steps, batch, _ = data.shape
    both = _known(op, graph, given["bias"])[place] if "bias" in given else np.zeros(2 * gates, np.float32)
    first, second = both[:gates], both[gates:]
    # A bias is added once, unless it is multiplied by the reset gate.
    is_apart = isinstance(op, ops.GruOp) and op.linear_before_reset is not None
    joined = 2 * size if is_apart else gates
    first, second = np.concatenate([first[:joined] + second[:joined], first[joined:]]), second.copy()
    second[:joined] = 0
    cell = Direction(graph, op, place, recurrence, second)

    def start(name: str) -> LiteTensor:
        if name not in given:
            return graph.numbers(np.zeros((batch, size)), LiteElement.F32)
        return graph.reshape(graph.slice(given[name], [place, 0, 0], (1, batch, size)), (batch, size))

    parameters = (graph.numbers(each, LiteElement.F32) for each in (weights, first))
    products = graph.node("FULLY_CONNECTED", [data, *parameters], (steps, batch, gates), keepNumDims=True, **FULL)
    state, memory, states = start("initial_hidden"), start("initial_cell"), list[LiteTensor]()
    for number in range(steps)[::stride]:
        own = graph.reshape(graph.slice(products, [number, 0, 0], (1, batch, gates)), (batch, gates))
        state, memory = step(cell, own, state, memory)
        states.append(graph.reshape(state, (1, 1, batch, size)))
    last, kept = (graph.reshape(each, (1, batch, size)) for each in (state, memory))
    return graph.concat(states[::stride], 0), last, kept
