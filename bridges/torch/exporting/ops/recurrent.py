"""Recurrent layers, which are calls with the steps or the batch first."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import recurrent as ops
from .....dialects.npu.values import element_type_of, shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ...recurrent import GATES, parameters_key
from ..graph import CallBuilder
from ..registry import exports

ROWS = "#0.0", "#0.1"
"""The sizes of the first axes."""


@exports(ops.RnnOp)
def rnn(op: ops.RnnOp, graph: CallBuilder, *operands: SSAValue | None) -> Sequence[SSAValue]:
    names = {op.activations_of(direction)[0] for direction in range(op.count)}
    if len(names) > 1 or (name := names.pop()) == "sigmoid":
        raise NotExportable(f"'{op.name}' with these activations has no counterpart in PyTorch")
    return _called(op, graph, f"rnn_{name}", operands, operands[5:])


@exports(ops.GruOp)
def gru(op: ops.GruOp, graph: CallBuilder, *operands: SSAValue | None) -> Sequence[SSAValue]:
    if op.linear_before_reset is None:
        raise NotExportable(f"'{op.name}' whose reset gate comes before a product has no counterpart in PyTorch")
    _check_activations(op)
    return _called(op, graph, "gru", operands, operands[5:])


@exports(ops.LstmOp)
def lstm(op: ops.LstmOp, graph: CallBuilder, *operands: SSAValue | None) -> Sequence[SSAValue]:
    if operands[7] is not None:
        raise NotExportable(f"'{op.name}' with peepholes has no counterpart in PyTorch")
    _check_activations(op)
    return _called(op, graph, "lstm", operands, operands[5:7])


def _check_activations(op: ops.RecurrentOp) -> None:
    if any(tuple(op.activations_of(direction)) != op.DEFAULTS for direction in range(op.count)):
        raise NotExportable(f"'{op.name}' with these activations has no counterpart in PyTorch")


def _called(
    op: ops.RecurrentOp,
    graph: CallBuilder,
    name: str,
    operands: Sequence[SSAValue | None],
    states: Sequence[SSAValue | None],
) -> Sequence[SSAValue]:
    """The states of all steps and the last ones."""
    x, lengths = operands[0], operands[4]
    assert x is not None
    if lengths is not None or op.direction.data == ops.REVERSE:
        raise NotExportable(f"'{op.name}' of the reverse order or with lengths has no counterpart in PyTorch")
    steps, batch, _ = shape_of(x)
    _, count, _, size = shape_of(op.output)
    parameters = _parameters(op, graph)
    begin = [_zeros(op, graph) if each is None else each for each in states]
    output, *last = graph.call_many(
        f"aten.{name}.input",
        {"input": x, "hx": begin if len(begin) > 1 else begin[0], "params": parameters},
        [(steps, batch, count * size), *[(count, batch, size)] * len(begin)],
        [element_type_of(x)] * (1 + len(begin)),
        has_biases=op.bias is not None,
        num_layers=1,
        dropout=0.0,
        train=False,
        bidirectional=count > 1,
        batch_first=False,
    )
    if count == 1:
        # The directions are an axis of the op.
        output = graph.reshape(output, (steps, 1, batch, size), (ROWS[0], 1, ROWS[1], size))
    else:
        output = graph.note_added(graph.reshape(output, (steps, batch, count, size), (*ROWS, count, size)))
        output = graph.transpose(output, (0, 2, 1, 3))
    return graph.note_added(output), *last


def _zeros(op: ops.RecurrentOp, graph: CallBuilder) -> SSAValue:
    sizes, element = shape_of(op.hidden), element_type_of(op.hidden)
    if DYNAMIC in sizes:
        raise NotExportable(f"'{op.name}' of a batch of unknown size without a state has no counterpart in PyTorch")
    return graph.call("aten.full.default", {}, sizes, element, size=[*sizes], fill_value=0, dtype=element)


def _parameters(op: ops.RecurrentOp, graph: CallBuilder) -> list[SSAValue]:
    """The parameters of each direction: those of the call, or computed from numbers that are written out."""
    known = graph.parameters.get(parameters_key(op.weights, op.recurrence, op.bias))
    if known is not None:
        return [*map(graph.came_constant, known)]
    given = [each for each in (op.weights, op.recurrence, op.bias) if each is not None]
    arrays = [graph.numbers(each) for each in given]
    numbers = [each for each in arrays if each is not None]
    if len(numbers) < len(arrays):
        raise NotExportable(f"'{op.name}' of computed parameters has no counterpart in PyTorch")
    order, element = invert(GATES[type(op)]), element_type_of(op.weights)
    found: list[SSAValue] = []
    for direction in range(op.count):
        parts = [each[direction] for each in numbers]
        parts[2:] = np.split(parts[2], 2) if len(parts) > 2 else []
        found += [_constant(graph, part, order, element) for part in parts]
    return found


def _constant(graph: CallBuilder, rows: NDArray[Any], order: Sequence[int], element: Attribute) -> SSAValue:
    turned = rows.reshape(len(order), -1, *rows.shape[1:])[[*order]].reshape(rows.shape)
    return graph.constant(turned, element)
