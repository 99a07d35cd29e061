"""Strides of the tensors of a new graph, which differ from the old ones where data are in other orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, cast

import torch
from torch._dispatch.python import enable_python_dispatcher
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
"""Operators that refuse some strides."""
OF_DATA = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)


class Strides:
    """The strides of the nodes of a new graph."""

    def __init__(self, graph: Graph, fake_mode: Any) -> None:
        self._graph, self._fake_mode = graph, fake_mode

    def value_of(self, node: Node) -> Any:
        """The value of a new node, computed without data."""
        target: Any = node.target
        return self.computed(lambda: target(*map_arg(node.args, _value), **map_arg(node.kwargs, _value)))

    def computed(self, compute: Callable[[], Any]) -> Any:
        """The result of a function of values without data."""
        shape_env = self._fake_mode.shape_env
        # A size that is known at run time only is not to become the one that the program was made with, as it does in
        # operators in C++ that ask for integers.
        unguarded = nullcontext() if shape_env is None else shape_env.suppress_guards()
        with self._fake_mode, unguarded, enable_python_dispatcher():
            return compute()

    def restride(self, node: Node, old: Node) -> None:
        """State the strides of a node that came, and change it if it refuses or reads those of its operands."""
        before, after = (_operands(each) for each in (old, node))
        if [*map(_strides, before)] == [*map(_strides, after)]:
            return
        operator = operator_of(node)
        if operator in VIEWS and not after[0].is_contiguous():
            node.target = torch.ops.aten.reshape.default
        elif operator in READ_STRIDES or isinstance(operator, HigherOrderOperator):
            # The graphs of a loop or a branch may have views of what they read.
            self._restore(node)
        if not isinstance(operator, HigherOrderOperator) and _is_computable(node):
            node.meta["val"] = self.value_of(node)

    def _restore(self, node: Node) -> None:
        """Make the operands of a node contiguous."""
        read = ((each, _value(each)) for each in node.all_input_nodes)
        for each in [each for each, value in read if isinstance(value, torch.Tensor) and not value.is_contiguous()]:
            with self._graph.inserting_before(node):
                made = self._graph.call_function(
                    torch.ops.aten.clone.default, (each,), {"memory_format": torch.contiguous_format}
                )
            made.meta = {**each.meta}
            made.meta["val"] = self.value_of(made)
            node.replace_input_with(each, made)


def _operands(node: Node) -> list[torch.Tensor]:
    return [value for each in node.all_input_nodes if isinstance(value := _value(each), torch.Tensor)]


def _is_computable(node: Node) -> bool:
    """True unless the value of a node depends on data."""
    tags = getattr(operator_of(node), "tags", ())
    value = node.meta.get("val")
    return value is not None and not is_size(value) and not any(tag in tags for tag in OF_DATA)


def _value(node: Node) -> Any:
    return node.meta.get("val")


def _strides(value: torch.Tensor) -> list[int | str]:
    strides = cast("Sequence[Any]", value.stride())
    return [each if isinstance(each, int) else str(each) for each in strides]
