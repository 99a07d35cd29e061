"""Recurrent ops of ONNX, step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr, UnitAttr, f32
from xdsl.ir import SSAValue

from ...dialects.npu import activations, linear, unary
from ...dialects.npu.axes import numbers_of
from ...dialects.npu.source import OpaqueOp
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC
from .foreign import number
from .registry import foreign_formula
from .steps import Steps

MOST_STEPS = 128
"""More are not written one by one."""
DIRECTIONS: Mapping[str, Sequence[int]] = {"forward": (1,), "reverse": (-1,), "bidirectional": (1, -1)}
"""The strides through the steps."""
DATA, WEIGHTS, RECURRENCE, BIAS, LENGTHS, HIDDEN, CELL, PEEPHOLES = range(8)
"""The operands of ONNX's op by position."""
KNOWN = frozenset({"direction", "hidden_size", "layout", "onnx.operands", "onnx.results"})


@foreign_formula("onnx.LSTM")
def lstm(op: OpaqueOp, steps: Steps) -> None:
    """The hidden states of all steps, and the last hidden and cell states, for each direction."""
    found = op.attributes.get("onnx.operands")
    places = range(len(op.operands)) if found is None else numbers_of(found)
    operands = dict(zip(places, range(len(op.operands)), strict=True))
    name = op.attributes.get("direction", StringAttr("forward"))
    strides = DIRECTIONS.get(name.data if isinstance(name, StringAttr) else "")
    if op.pure is None or op.attributes.keys() - KNOWN or {LENGTHS, PEEPHOLES} & operands.keys():
        return
    sizes = shape_of(op.operands[0])
    if strides is None or number(op, "layout", 0) or not steps.is_f32() or DYNAMIC in sizes or sizes[0] > MOST_STEPS:
        return
    known = {place: steps.known(operands[place]) for place in (WEIGHTS, RECURRENCE, BIAS) if place in operands}
    if any(numbers is None or numbers.dtype != np.float32 for numbers in known.values()):
        return
    numbers = {place: each for place, each in known.items() if each is not None}
    each = [_direction(op, steps, operands, numbers, place, stride) for place, stride in enumerate(strides)]
    whole = [steps.concat(parts, axis) for parts, axis in zip(zip(*each, strict=True), (1, 0, 0), strict=True)]
    chosen = op.attributes.get("onnx.results")
    steps.return_(*(whole[: len(op.results)] if chosen is None else (whole[place] for place in numbers_of(chosen))))


def _direction(
    op: OpaqueOp,
    steps: Steps,
    operands: Mapping[int, int],
    known: Mapping[int, NDArray[Any]],
    place: int,
    stride: int,
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """The hidden states of all steps, and the last hidden and cell states of one direction."""
    x = steps.block.args[operands[DATA]]
    count, batch, _ = shape_of(x)
    gates, hidden = known[RECURRENCE].shape[1:]

    def start(which: int) -> SSAValue:
        if which not in operands:
            return steps.constant(np.zeros((batch, hidden), np.float32), f32)
        part = steps.slice(steps.block.args[operands[which]], [place, 0, 0], (1, batch, hidden))
        return steps.reshape(part, (batch, hidden))

    products = _product(steps, x, known[WEIGHTS][place])
    if BIAS in known:
        both = known[BIAS][place]
        products = steps.plus(products, steps.constant((both[:gates] + both[gates:]).reshape(1, 1, gates), f32))
    state, cell, states = start(HIDDEN), start(CELL), list[SSAValue]()
    for step in range(count)[::stride]:
        own = steps.reshape(steps.slice(products, [step, 0, 0], (1, batch, gates)), (batch, gates))
        state, cell = _step(steps, steps.plus(own, _product(steps, state, known[RECURRENCE][place])), cell)
        states.append(steps.reshape(state, (1, 1, batch, hidden)))
    last, memory = (steps.reshape(each, (1, batch, hidden)) for each in (state, cell))
    return steps.concat(states[::stride], 0), last, memory


def _product(steps: Steps, x: SSAValue, weights: NDArray[Any]) -> SSAValue:
    """A product with transposed weights."""
    sizes = shape_of(x)
    rows = steps.constant(weights.reshape(*[1] * (len(sizes) - 2), *weights.shape), f32)
    return steps.add(linear.MatmulOp, [x, rows], (*sizes[:-1], len(weights)), {"trans_b": UnitAttr()})


def _step(steps: Steps, total: SSAValue, cell: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The next hidden and cell states; gates are input, output, forget and cell."""
    parts = steps.split(total, 1, 4)
    opened, let_out, kept = (steps.unary(activations.SigmoidOp, part) for part in parts[:3])
    cell = steps.plus(steps.times(kept, cell), steps.times(opened, steps.unary(unary.TanhOp, parts[3])))
    return steps.times(let_out, steps.unary(unary.TanhOp, cell)), cell
