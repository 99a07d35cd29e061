"""A program that is ready to be written, with what users count in it: permutes, views and changed nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import getitem
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx import Node

from ....layout import Order, identity, same_storage
from ...building import static
from ...moved_data import MovedData
from .reading import WEIGHTS, is_size, name_of, operator_of, sizes_of

PERMUTES = frozenset(
    {"adjoint", "mT", "movedim", "moveaxis", "numpy_T", "permute", "swapaxes", "swapdims", "t", "transpose"}
)
VIEWS = frozenset({"_unsafe_view", "flatten", "reshape", "squeeze", "unflatten", "unsqueeze", "view"})


@dataclass(frozen=True)
class TorchModel:
    """A program, beside the one that came."""

    program: ExportedProgram
    before: ExportedProgram

    @property
    def moves(self) -> MovedData:
        """The permutes but for those of parameters, which `note` counts."""
        found = MovedData(views=sum(_base(node) in VIEWS for node in _calls(self.program)))
        weights = _weights(self.program)
        for node, order in _permutes(self.program):
            source, value = node.args[0], node.meta["val"]
            sizes = static(sizes_of(source.meta["val"])) if isinstance(source, Node) else ()
            if source in weights:
                continue
            if same_storage(identity(len(sizes)), order, sizes):
                found = found.with_idle()
            else:
                found = found.with_transpose(sizes, value.element_size(), None)
        return found

    @property
    def note(self) -> str:
        weights = _weights(self.program)
        count = sum(node.args[0] in weights for node, _ in _permutes(self.program))
        return f"{count} more permute{'s' * (count != 1)} of parameters, which --canonicalize folds" if count else ""

    @property
    def came(self) -> int:
        return len([*_calls(self.before)])

    @property
    def changed(self) -> int:
        """The nodes that are not in the new program as they came."""
        there = {node.name: _text(node) for node in _calls(self.program)}
        return sum(there.get(node.name) != _text(node) for node in _calls(self.before))


def _calls(program: ExportedProgram) -> Iterator[Node]:
    """The nodes that compute tensors."""
    for node in program.graph.nodes:
        if node.op == "call_function" and node.target is not getitem and not is_size(node.meta.get("val")):
            yield node


def _text(node: Node) -> tuple[Any, str, str]:
    return operator_of(node), str(node.args), str(node.kwargs)


def _base(node: Node) -> str:
    """The name of the operator without its overload; views and their copies have the same."""
    parts = name_of(node).split(".")
    return parts[1].removesuffix("_copy") if parts[0] == "aten" and len(parts) > 1 else ""


def is_view(node: Node) -> bool:
    """True for a call that permutes or views a tensor."""
    return node.op == "call_function" and _base(node) in PERMUTES | VIEWS


def _permutes(program: ExportedProgram) -> Iterator[tuple[Node, Order]]:
    for node in _calls(program):
        source = node.args[0] if node.args else None
        if _base(node) in PERMUTES and isinstance(source, Node) and isinstance(source.meta.get("val"), torch.Tensor):
            yield node, _order(node, source.meta["val"].dim())


def _order(node: Node, rank: int) -> Order:
    """The axes in their new order: those of a tensor of as many different sizes."""
    arguments: Mapping[str, Any] = dict(node.kwargs)
    moved = operator_of(node)(torch.empty([*range(1, rank + 1)], device="meta"), *node.args[1:], **arguments)
    return tuple(size - 1 for size in moved.shape)


def _weights(program: ExportedProgram) -> set[Any]:
    """The nodes of parameters, buffers and constants that nothing writes."""
    signature = program.graph_signature
    changed = {*signature.buffers_to_mutate.values()}
    names = {spec.arg.name for spec in signature.input_specs if spec.kind in WEIGHTS and spec.target not in changed}
    return {node for node in program.graph.find_nodes(op="placeholder") if node.name in names}
