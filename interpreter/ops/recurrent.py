"""Recurrent ops, step by step and sequence by sequence of a batch at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...dialects.npu import recurrent as ops
from ..elements import Array, precise
from ..registry import meaning

Activation = Callable[[Array], Array]

ACTIVATIONS: Mapping[str, Activation] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}


class Cell(NamedTuple):
    """The parameters of one direction, in the type for exponentials."""

    recurrence: Array
    bias: Array
    peepholes: Array
    activations: Sequence[Activation]
    is_linear: bool = False

    def product(self, state: Array, gate: slice) -> Array:
        """The products of some rows with a state, and their bias."""
        return state @ self.recurrence[gate].T + self.bias[gate]


Step = Callable[[Cell, Array, Array, Array], tuple[Array, Array]]
"""The next hidden and cell state, from the products of the input and both states."""


def _rnn(cell: Cell, own: Array, state: Array, memory: Array) -> tuple[Array, Array]:
    (activate,) = cell.activations
    return activate(own + cell.product(state, slice(None))), memory


def _gru(cell: Cell, own: Array, state: Array, memory: Array) -> tuple[Array, Array]:
    gate, activate = cell.activations
    size = state.shape[1]
    both = gate(own[:, : 2 * size] + cell.product(state, slice(2 * size)))
    update, reset = both[:, :size], both[:, size:]
    last = slice(2 * size, None)
    product = reset * cell.product(state, last) if cell.is_linear else cell.product(reset * state, last)
    return (1 - update) * activate(own[:, last] + product) + update * state, memory


def _lstm(cell: Cell, own: Array, state: Array, memory: Array) -> tuple[Array, Array]:
    gate, activate, show = cell.activations
    total = own + cell.product(state, slice(None))
    opened, let_out, kept, new = np.split(total, 4, axis=1)
    for_in, for_out, for_kept = np.split(cell.peepholes, 3)
    memory, before = memory * gate(kept + for_kept * memory), memory
    memory = memory + gate(opened + for_in * before) * activate(new)
    return gate(let_out + for_out * memory) * show(memory), memory


def _run(op: ops.RecurrentOp, step: Step, given: Mapping[str, Array], is_linear: bool = False) -> Sequence[Array]:
    """The states of all steps, and the last hidden and cell states, for each direction."""
    x = precise(given["input"])
    steps, batch, _ = x.shape
    size = given["recurrence"].shape[2]
    lengths = given["lengths"] if "lengths" in given else np.full(batch, steps)
    found: list[Sequence[Array]] = []
    for place, stride in enumerate(op.strides):
        part = {name: precise(array[place]) for name, array in given.items() if name not in ("input", "lengths")}
        zeros: Array = np.zeros((batch, size), x.dtype)
        weights, recurrence = part["weights"], part["recurrence"]
        no_bias: Array = np.zeros(2 * len(weights), x.dtype)
        first, second = np.split(part.get("bias", no_bias), 2)
        activations = [ACTIVATIONS[name] for name in op.activations_of(place)]
        peepholes = part["peepholes"] if "peepholes" in part else np.zeros(3 * size)
        cell = Cell(recurrence, second, peepholes, activations, is_linear)
        state, memory = part.get("initial_hidden", zeros), part.get("initial_cell", zeros)
        products = x @ weights.T + first
        states = np.zeros((steps, batch, size), x.dtype)
        for number in range(steps)[::stride]:
            # A sequence that is over keeps its states.
            is_there = (number < lengths)[:, np.newaxis]
            following = step(cell, products[number], state, memory)
            state, memory = (np.where(is_there, new, old) for new, old in zip(following, (state, memory), strict=True))
            states[number] = np.where(is_there, state, 0)
        is_empty = (lengths == 0)[:, np.newaxis]
        found.append((states, *(np.where(is_empty, 0, last) for last in (state, memory))))
    output, hidden, memories = zip(*found, strict=True)
    return np.stack(output, 1), np.stack(hidden), np.stack(memories)


def _by_name(op: ops.RecurrentOp, operands: Sequence[Array | None]) -> Mapping[str, Array]:
    fields = [name for name, _ in op.get_irdl_definition().operands]
    return {name: array for name, array in zip(fields, operands, strict=True) if array is not None}


@meaning(ops.RnnOp)
def rnn(op: ops.RnnOp, *operands: Array | None) -> tuple[Array, ...]:
    output, hidden, _ = _run(op, _rnn, _by_name(op, operands))
    return output, hidden


@meaning(ops.GruOp)
def gru(op: ops.GruOp, *operands: Array | None) -> tuple[Array, ...]:
    output, hidden, _ = _run(op, _gru, _by_name(op, operands), op.linear_before_reset is not None)
    return output, hidden


@meaning(ops.LstmOp)
def lstm(op: ops.LstmOp, *operands: Array | None) -> tuple[Array, ...]:
    return tuple(_run(op, _lstm, _by_name(op, operands)))
