"""Nodes that compute the sizes which calls of a program have as arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import sympy  # pyright: ignore[reportMissingTypeStubs]  # It has none.
import torch
from torch.fx import Graph, Node
from torch.utils._sympy.functions import FloorDiv, Max, Min, Mod, PythonMod

from ..errors import NotExportable

ANY = cast("Any", operator)
"""Python's operators, which say too little of their types."""
OPERATORS: Mapping[Any, Callable[..., Any]] = {
    sympy.Add: ANY.add,
    sympy.Mul: ANY.mul,
    sympy.Pow: ANY.pow,
    FloorDiv: ANY.floordiv,
    Mod: ANY.mod,
    PythonMod: ANY.mod,
    Max: cast("Any", torch).sym_max,
    Min: cast("Any", torch).sym_min,
}


def expression_of(value: Any) -> Any:
    """The expression of a number that is known at run time only."""
    return value.node.expr


def text_of(value: object) -> str | None:
    """The text of that expression; None for any other value."""
    return str(expression_of(value)) if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool) else None


def known_size(value: Any) -> int | None:
    """The integer that such a number is in any case."""
    return cast("Any", value).node.maybe_as_int() if isinstance(value, torch.SymInt) else None


class SizeNodes:
    """The sizes of a graph under construction, by the texts of their expressions."""

    def __init__(self, graph: Graph, old: Graph, kept: Mapping[Node, Node]) -> None:
        self._graph, self._kept = graph, kept
        self._old: dict[str, list[Node]] = {}
        for node in old.nodes:
            if (text := text_of(node.meta.get("val"))) is not None:
                self._old.setdefault(text, []).append(node)
        self._nodes: dict[str, Node] = {}
        self._symbols: dict[str, tuple[Node, int]] = {}
        """A tensor for each symbol, and the axis of which it is the size."""

    def note(self, node: Node) -> None:
        """Note what a new node says of sizes."""
        value = node.meta.get("val")
        if (text := text_of(value)) is not None:
            self._nodes.setdefault(text, node)
        elif isinstance(value, torch.Tensor):
            for axis, size in enumerate(cast("Sequence[Any]", value.shape)):
                if isinstance(size, torch.SymInt) and (expression := expression_of(size)).is_Symbol:
                    self._symbols.setdefault(str(expression), (node, axis))

    def node(self, value: Any) -> Any:
        """A node for a number that is known at run time only: as in the old graph, if what that reads is there."""
        text = text_of(value)
        if text is None:
            return value
        if (known := known_size(value)) is not None:
            return known
        if text in self._nodes:
            return self._nodes[text]
        for old in self._old.get(text, ()):
            if (copy := self._copied(old)) is not None:
                return copy
        return self._made(expression_of(value), value)

    def _copied(self, old: Node) -> Node | None:
        """A copy of an old node, with those that it reads; None if a tensor among these is not there any more."""
        if old in self._kept:
            return self._kept[old]
        text = text_of(old.meta.get("val"))
        if text is None:
            return None
        if text in self._nodes:
            return self._nodes[text]
        read: dict[Node, Node] = {}
        for each in old.all_input_nodes:
            found = self._copied(each)
            if found is None:
                return None
            read[each] = found
        self._nodes[text] = made = self._graph.node_copy(old, read.__getitem__)
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
