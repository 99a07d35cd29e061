"""Nodes that compute the sizes which calls of a program have as arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import sympy
import torch
from torch.fx import Graph, Node
from torch.utils._sympy.functions import FloorDiv, Max, Min, Mod, PythonMod

from .errors import NotExportable

OPERATORS: Mapping[type[sympy.Basic], Callable[..., Any]] = {
    sympy.Add: operator.add,
    sympy.Mul: operator.mul,
    sympy.Pow: operator.pow,
    FloorDiv: operator.floordiv,
    Mod: operator.mod,
    PythonMod: operator.mod,
    Max: torch.sym_max,
    Min: torch.sym_min,
}


class SizeNodes:
    """The sizes of a graph under construction, by the texts of their expressions."""

    def __init__(self, graph: Graph, old: Graph, kept: Mapping[Node, Node]) -> None:
        self._graph, self._kept = graph, kept
        self._old: dict[str, list[Node]] = {}
        for node in old.nodes:
            if isinstance(value := node.meta.get("val"), torch.SymInt | torch.SymFloat | torch.SymBool):
                self._old.setdefault(str(value.node.expr), []).append(node)
        self._nodes: dict[str, Node] = {}
        self._symbols: dict[str, tuple[Node, int]] = {}
        """A tensor for each symbol, and the axis of which it is the size."""

    def note(self, node: Node) -> None:
        """Note what a new node says of sizes."""
        value = node.meta.get("val")
        if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
            self._nodes.setdefault(str(value.node.expr), node)
        elif isinstance(value, torch.Tensor):
            for axis, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt) and isinstance(size.node.expr, sympy.Symbol):
                    self._symbols.setdefault(str(size.node.expr), (node, axis))

    def node(self, value: Any) -> Any:
        """A node for a number that is known at run time only: as in the old graph, if what that reads is there."""
        if not isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
            return value
        if isinstance(value, torch.SymInt) and (known := value.node.maybe_as_int()) is not None:
            return known
        text = str(value.node.expr)
        if text in self._nodes:
            return self._nodes[text]
        for old in self._old.get(text, ()):
            if (copy := self._copied(old)) is not None:
                return copy
        return self._made(value.node.expr, value)

    def _copied(self, old: Node) -> Node | None:
        """A copy of an old node, with those that it reads; None if a tensor among these is not there any more."""
        if old in self._kept:
            return self._kept[old]
        value = old.meta.get("val")
        if not isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
            return None
        text = str(value.node.expr)
        if text in self._nodes:
            return self._nodes[text]
        read: dict[Node, Node] = {}
        for each in old.all_input_nodes:
            found = self._copied(each)
            if found is None:
                return None
            read[each] = found
        self._nodes[text] = made = self._graph.node_copy(old, lambda each: read[each])
        return made

    def _made(self, expression: Any, value: Any) -> Any:
        """Nodes that compute an expression."""
        if expression.is_Integer:
            return int(expression)
        text = str(expression)
        if text in self._nodes:
            return self._nodes[text]
        shape_env = value.node.shape_env
        if expression.is_Symbol:
            if text not in self._symbols:
                raise NotExportable(f"nothing says what {text} is")
            tensor, axis = self._symbols[text]
            made = self._graph.call_function(torch.ops.aten.sym_size.int, (tensor, axis))
        else:
            function = OPERATORS.get(expression.func)
            if function is None:
                raise NotExportable(f"a size of {text}")
            made, *others = (self._made(each, value) for each in expression.args)
            for other in others:
                made = self._graph.call_function(function, (made, other))
        made.meta["val"] = shape_env.create_symintnode(expression, hint=None)
        self._nodes[text] = made
        return made
