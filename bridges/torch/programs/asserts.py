"""Assertions about the types of tensors, which types of the dialect state: they are no calls of a module."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.fx import Graph, Node

ABOUT_ORDER = ("size", "stride")
_PLACES = (1, 2)
"""The places of the arguments about order."""


def is_about_type(node: Node) -> bool:
    """True for an assertion that holds for a tensor in any order of its axes."""
    if node.target is not torch.ops.aten._assert_tensor_metadata.default:
        return False
    named = any(node.kwargs.get(name) is not None for name in ABOUT_ORDER)
    return not named and all(len(node.args) <= place or node.args[place] is None for place in _PLACES)


def copy_asserts(old: Graph, new: Graph, kept: Mapping[Node, Node]) -> None:
    """Repeat the assertions of a graph about the nodes that are in a new one as well."""
    present, last = {*new.nodes}, None
    for node in new.find_nodes(op="placeholder"):
        last = node
    for node in filter(is_about_type, old.nodes):
        tensor = node.args[0]
        made = kept.get(tensor) if isinstance(tensor, Node) else None
        if made is None or made not in present:
            continue
        with new.inserting_after(last if made.op == "placeholder" else made):
            new.node_copy(node, kept.__getitem__)
