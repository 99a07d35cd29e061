"""Recurrent ops, step by step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import UnitAttr, f32
from xdsl.ir import SSAValue

from ...dialects.npu import activations, linear, unary
from ...dialects.npu import recurrent as ops
from ...dialects.npu.base import NpuOp
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps

MOST_STEPS = 128
"""More are not written one by one."""
ACTIVATIONS: Mapping[str, type[NpuOp]] = {
    "relu": activations.ReluOp,
    "sigmoid": activations.SigmoidOp,
    "tanh": unary.TanhOp,
}


class RecurrentPart(NamedTuple):
    """One direction, with the numbers of its parameters."""

    steps: Steps
    activations: Sequence[type[NpuOp]]
    recurrence: NDArray[Any]
    bias: NDArray[Any]
    """The numbers that are added to products with the state."""

    def activate(self, which: int, x: SSAValue) -> SSAValue:
        return self.steps.unary(self.activations[which], x)

    def product(self, state: SSAValue, first: int, count: int) -> SSAValue:
        """The products of a state with the parameters of some gates."""
        size = shape_of(state)[1]
        rows = slice(first * size, (first + count) * size)
        return _product(self.steps, state, self.recurrence[rows], self.bias[rows])


Step = Callable[[RecurrentPart, SSAValue, SSAValue, SSAValue], tuple[SSAValue, SSAValue]]
"""The next hidden and cell states, from the products of the input and both states."""


@formula(ops.RnnOp)
def rnn(op: ops.RnnOp, steps: Steps) -> None:
    def step(part: RecurrentPart, own: SSAValue, state: SSAValue, memory: SSAValue) -> tuple[SSAValue, SSAValue]:
        return part.activate(0, steps.plus(own, part.product(state, 0, 1))), memory

    _write(op, steps, step, op.GATES)


@formula(ops.GruOp)
def gru(op: ops.GruOp, steps: Steps) -> None:
    is_linear = op.linear_before_reset is not None

    def step(part: RecurrentPart, own: SSAValue, state: SSAValue, memory: SSAValue) -> tuple[SSAValue, SSAValue]:
        batch, size = shape_of(state)
        ours, last = (steps.slice(own, [0, first * size], (batch, count * size)) for first, count in ((0, 2), (2, 1)))
        both = part.activate(0, steps.plus(ours, part.product(state, 0, 2)))
        update, reset = steps.split(both, 1, 2)
        if is_linear:
            product = steps.times(reset, part.product(state, 2, 1))
        else:
            product = part.product(steps.times(reset, state), 2, 1)
        new = part.activate(1, steps.plus(last, product))
        return steps.plus(new, steps.times(update, steps.minus(state, new))), memory

    _write(op, steps, step, op.GATES - is_linear)


@formula(ops.LstmOp)
def lstm(op: ops.LstmOp, steps: Steps) -> None:
    def step(part: RecurrentPart, own: SSAValue, state: SSAValue, memory: SSAValue) -> tuple[SSAValue, SSAValue]:
        parts = steps.split(steps.plus(own, part.product(state, 0, 4)), 1, 4)
        opened, let_out, kept = (part.activate(0, each) for each in parts[:3])
        memory = steps.plus(steps.times(kept, memory), steps.times(opened, part.activate(1, parts[3])))
        return steps.times(let_out, part.activate(2, memory)), memory

    if op.peepholes is None:
        _write(op, steps, step, op.GATES)


def _write(op: ops.RecurrentOp, steps: Steps, step: Step, joined: int) -> None:
    """The states of all steps, and the last hidden and cell states, for each direction.

    Both biases of so many gates are one.
    """
    sizes = shape_of(op.input)
    if op.lengths is not None or not steps.is_f32() or DYNAMIC in sizes or not 1 <= sizes[0] <= MOST_STEPS:
        return
    places = {name: place for place, name in enumerate(op.operand_names())}
    known = {name: steps.known(places[name]) for name in ("weights", "recurrence", "bias") if name in places}
    if any(numbers is None or numbers.dtype != np.float32 for numbers in known.values()):
        return
    numbers = {name: each for name, each in known.items() if each is not None}
    each = [_direction(op, steps, places, numbers, place, step, joined) for place in range(op.count)]
    whole = [steps.concat(parts, axis) for parts, axis in zip(zip(*each, strict=True), (1, 0, 0), strict=True)]
    steps.return_(*whole[: len(op.results)])


def _direction(
    op: ops.RecurrentOp,
    steps: Steps,
    places: Mapping[str, int],
    known: Mapping[str, NDArray[Any]],
    place: int,
    step: Step,
    joined: int,
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """The hidden states of all steps, and the last hidden and cell states of one direction."""
    x = steps.block.args[places["input"]]
    count, batch, _ = shape_of(x)
    gates, size = known["recurrence"].shape[1:]

    def start(name: str) -> SSAValue:
        if name not in places:
            return steps.constant(np.zeros((batch, size), np.float32), f32)
        part = steps.slice(steps.block.args[places[name]], [place, 0, 0], (1, batch, size))
        return steps.reshape(part, (batch, size))

    both = known["bias"][place] if "bias" in known else np.zeros(2 * gates, np.float32)
    first, second = both[:gates].copy(), both[gates:].copy()
    first[: joined * size] += second[: joined * size]
    second[: joined * size] = 0
    chosen = [ACTIVATIONS[name] for name in op.activations_of(place)]
    part = RecurrentPart(steps, chosen, known["recurrence"][place], second)
    products = _product(steps, x, known["weights"][place], first)
    state, memory, states = start("initial_hidden"), start("initial_cell"), list[SSAValue]()
    for number in range(count)[:: op.strides[place]]:
        own = steps.reshape(steps.slice(products, [number, 0, 0], (1, batch, gates)), (batch, gates))
        state, memory = step(part, own, state, memory)
        states.append(steps.reshape(state, (1, 1, batch, size)))
    last, kept = (steps.reshape(each, (1, batch, size)) for each in (state, memory))
    return steps.concat(states[:: op.strides[place]], 0), last, kept


def _product(steps: Steps, x: SSAValue, weights: NDArray[Any], bias: NDArray[Any]) -> SSAValue:
    """A product with transposed weights, and a bias, if it is not 0."""
    sizes = shape_of(x)
    ones = [1] * (len(sizes) - 2)
    rows = steps.constant(weights.reshape(*ones, *weights.shape), f32)
    found = steps.add(linear.MatmulOp, [x, rows], (*sizes[:-1], len(weights)), {"trans_b": UnitAttr()})
    return steps.plus(found, steps.constant(bias.reshape(*ones, 1, -1), f32)) if bias.any() else found
