"""Inputs and results of a program in another order than the one that it was made from, as `--interface` says.

A buffer that is read and written in one other order begins with its numbers in that order. Other state keeps its own,
and is permuted in the program. The orders are in the notes of the graph, which files have as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import Any, cast

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree
from xdsl.dialects.func import FuncOp

from ....dialects.notes.interfaces import InterfaceValue, arguments_of, results_of
from ....dialects.notes.states import state_of
from ....layout import Order, permutation_between
from ...orders import noted_orders, read_orders
from ..errors import NotExportable

CUSTOM, ENTRY = "custom", "npu_opt"


class Ends:
    """The arguments of a function that becomes a program, and what the program notes of them."""

    def __init__(self, program: ExportedProgram, function: FuncOp, came: Mapping[str, Order | None]) -> None:
        self._program, self._function = program, function
        signature = program.graph_signature
        users = {spec.arg.name for spec in signature.input_specs if spec.kind is InputKind.USER_INPUT}
        users -= {*signature.user_inputs_to_mutate.values()}
        arguments = dict(zip(came, arguments_of(function), strict=True))
        written = {state: value.permutation for value in results_of(function) if (state := state_of(value))}
        buffers = {
            name: state
            for name, value in arguments.items()
            if (state := state_of(value)) in written and written[state] == value.permutation
        }
        self.states = {*buffers.values()}
        """The buffers that are read and written in one order."""
        self.of_buffers = {name: _between(came[name], arguments[name].permutation) for name in buffers}
        """The orders of these beside those that they came in, None for one that has not changed."""
        others = arguments.keys() - users - buffers.keys()
        self.of_state = {name: own_order(arguments[name], came[name]) for name in others}
        """The orders in which the function reads other state, None for the one that it has."""
        self.of_inputs = {name: _between(came[name], arguments[name].permutation) for name in users & arguments.keys()}
        """The orders of inputs beside those that they came in, None for one that has not changed."""

    def examples(self) -> Any:
        """The example inputs in their new orders."""
        given: Any = self._program.example_inputs
        if given is None or not any(self.of_inputs.values()):
            return given
        leaves, structure = pytree.tree_flatten(given)
        specs = self._program.graph_signature.input_specs
        names = [spec.arg.name for spec in specs if spec.kind is InputKind.USER_INPUT]
        found = [_permuted(leaf, self.of_inputs.get(name)) for name, leaf in zip(names, leaves, strict=True)]
        return pytree.tree_unflatten(found, structure)

    def note(self, meta: dict[str, Any]) -> None:
        """Add the orders to the notes of a graph."""
        orders = noted_orders(self._function)
        if orders or CUSTOM in meta:
            others: Mapping[str, Any] = meta.get(CUSTOM) or {}
            meta[CUSTOM] = {**others, ENTRY: dumps(orders)}

    def own_order(self, result: InterfaceValue) -> Order | None:
        """The order in which a function has written state beside the one that this keeps; None if it is the same."""
        return None if state_of(result) in self.states else own_order(result, None)


def own_order(value: InterfaceValue, came: Order | None) -> Order | None:
    """The order in which a function has state, which keeps its own outside: there is no note about it."""
    if came is not None:
        problem = f"'{value.name}' is state in another order than that of the model it was made from"
        raise NotExportable(f"{problem}: give what is written into it the same layout (--interface)")
    order = value.permutation
    value.take_note(None)
    return order


def _between(came: Order | None, order: Order | None) -> Order | None:
    """The axes in the order in which they came, in their new order."""
    if came == order:
        return None
    rank = range(len(came or order or ()))
    return permutation_between(came or tuple(rank), order or tuple(rank))


def _permuted(leaf: Any, order: Order | None) -> Any:
    return leaf.permute(order).contiguous() if order and isinstance(leaf, torch.Tensor) else leaf


def read_ends(program: ExportedProgram, function: FuncOp) -> list[Order | None]:
    """Give the arguments and results of a function the orders that its program notes; returns those of arguments."""
    graph_module: Any = program.graph_module
    custom: Any = graph_module.meta.get(CUSTOM)
    entry: Any = cast("Any", custom).get(ENTRY) if isinstance(custom, dict) else None
    if isinstance(entry, str):
        read_orders(entry.encode(), function)
    return [value.permutation for value in arguments_of(function)]
