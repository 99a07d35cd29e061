"""RNN, GRU and LSTM."""

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr

from .....dialects.npu import recurrent
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size

HIDDEN, CELL, PEEPHOLES = 5, 6, 7
"""Inputs with states, and the last one."""


@converts("RNN")
def rnn(node: ImportedNode) -> Converted:
    return _converted(node, recurrent.RnnOp, HIDDEN + 1)


@converts("GRU")
def gru(node: ImportedNode) -> Converted:
    linear = UnitAttr() if node.flag("linear_before_reset") else None
    return _converted(node, recurrent.GruOp, HIDDEN + 1, linear_before_reset=linear)


@converts("LSTM")
def lstm(node: ImportedNode) -> Converted:
    if node.flag("input_forget"):
        raise UnsupportedNode("input and forget gates that are one")
    return _converted(node, recurrent.LstmOp, PEEPHOLES + 1)


def _converted(
    node: ImportedNode, op: type[recurrent.RecurrentOp], count: int, **properties: UnitAttr | None
) -> Converted:
    """The op, between transposes if the batch is the first axis in the model."""
    direction = node.choice("direction", *recurrent.DIRECTIONS)
    directions = 1 + (direction == recurrent.BIDIRECTIONAL)
    batch_first = node.flag("layout")
    if node.has_attribute("clip"):
        raise UnsupportedNode("clip")
    operands = [node.optional(index) for index in range(count)]
    if batch_first:
        turned = {0, HIDDEN, CELL}
        operands = [
            node.transpose(value, (1, 0, 2)) if value is not None and index in turned else value
            for index, value in enumerate(operands)
        ]
    data, parameters = operands[0], operands[2]
    assert data is not None
    assert parameters is not None
    steps, batch, _ = node.sizes_of(data)
    size = node.sizes_of(parameters)[2]
    if node.integer("hidden_size", size if isinstance(size, int) else 0) != size:
        raise UnsupportedNode(f"states of another size than {size}")
    element = element_type_of(data)
    state: tuple[Size, ...] = (directions, batch, size)
    results = [
        Shaped(element, (steps, directions, batch, size)),
        *[Shaped(element, state)] * (2 if count > CELL else 1),
    ]
    made = node.add_many(
        op,
        operands,
        results,
        direction=None if direction == recurrent.FORWARD else direction,
        activations=_activations(node, op, directions),
        **properties,
    )
    if not batch_first:
        return made
    orders = [(2, 0, 1, 3), (1, 0, 2), (1, 0, 2)]
    return [node.transpose(value, order) for value, order in zip(made, orders, strict=False)]


def _activations(node: ImportedNode, op: type[recurrent.RecurrentOp], directions: int) -> ArrayAttr[StringAttr] | None:
    """The names of the activations, if they are not the usual ones."""
    for name in ("activation_alpha", "activation_beta"):
        if node.numbers(name):
            raise UnsupportedNode(name)
    given = node.texts("activations")
    if given is None:
        return None
    names = [name.lower() for name in given]
    if not {*names} <= {*op.ACTIVATIONS}:
        raise UnsupportedNode(f"activations {', '.join(given)}")
    if names == [*op.DEFAULTS] * directions:
        return None
    return ArrayAttr(map(StringAttr, names))
