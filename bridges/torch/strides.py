"""Strides of the tensors of a new graph: other ones than in the old graph where data are in other orders."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch._ops import HigherOrderOperator
from torch.fx import Graph, Node
from torch.fx.node import map_arg

from .reading import is_size, operator_of

READ_STRIDES = (
    torch.ops.aten.as_strided.default,
    torch.ops.aten.as_strided_copy.default,
    torch.ops.aten.as_strided_scatter.default,
    torch.ops.aten.view.dtype,
    torch.ops.aten.view_as_complex.default,
)
"""Operators whose results depend on the strides of their operands."""
VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default)
"""Those that refuse some strides."""
OF_DATA = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)


class Strides:
    """The nodes of a new graph whose strides are those of their old nodes."""

    def __init__(self, graph: Graph, fake_mode: Any) -> None:
        self._graph, self._fake_mode = graph, fake_mode
        self.same: set[Node] = set()

    def value_of(self, node: Node) -> Any:
        """The value of a new node, computed without data."""
        target = cast("Any", node.target)
        with self._fake_mode:
            return target(*map_arg(node.args, _value), **map_arg(node.kwargs, _value))

    def restride(self, node: Node) -> None:
        """State the strides of a node that came, and change it if it refuses or reads those of its operands."""
        tensors = [each for each in node.all_input_nodes if isinstance(each.meta.get("val"), torch.Tensor)]
        others = [each for each in tensors if each not in self.same]
        if not others:
            self.same.add(node)
            return
        operator, before = operator_of(node), node.meta.get("val")
        if operator in VIEWS and not _has_strides_of(others[0]):
            node.target = torch.ops.aten.reshape.default
        elif operator in READ_STRIDES:
            self._restore(node, others)
        if before is None or isinstance(operator, HigherOrderOperator) or not _is_computable(node):
            return
        node.meta["val"] = self.value_of(node)
        if _strides(before) == _strides(node.meta["val"]):
            self.same.add(node)

    def _restore(self, node: Node, others: list[Node]) -> None:
        """Make operands of a node contiguous."""
        for each in others:
            with self._graph.inserting_before(node):
                made = self._graph.call_function(
                    torch.ops.aten.clone.default, (each,), {"memory_format": torch.contiguous_format}
                )
            made.meta = {**each.meta}
            made.meta["val"] = self.value_of(made)
            node.replace_input_with(each, made)


def _has_strides_of(node: Node) -> bool:
    """True for a contiguous tensor, which all views can read."""
    return bool(node.meta["val"].is_contiguous())


def _is_computable(node: Node) -> bool:
    """True unless the value of a node depends on data."""
    tags = getattr(operator_of(node), "tags", ())
    return not any(tag in tags for tag in OF_DATA) and not is_size(node.meta.get("val"))


def _value(node: Node) -> Any:
    return node.meta["val"]


def _strides(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return [str(each) for each in value.stride()]
    return [_strides(each) for each in cast("Any", value)] if isinstance(value, tuple | list) else None
