"""The transposes, packs and unpacks of a fused program that are in a group with other ops."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from ....dialects.npu.shape import ViewOp
from ...common.moves.conversion_ops import ConversionOp
from ..graph.graph import is_constant
from .fused_functions import GROUP
from .outlining import PRIMITIVE


def absorbed_transposes(module: ModuleOp) -> set[ConversionOp]:
    """The transposes in groups with ops that are no views: in functions of fused ops, or with the number of a group."""
    found: dict[Hashable, list[ConversionOp]] = {}
    groups_of_others: set[Hashable] = set()
    for op in module.walk():
        group = _group_of(op)
        if group is None:
            continue
        if isinstance(op, ConversionOp):
            found.setdefault(group, []).append(op)
        elif not isinstance(op, ViewOp | ReturnOp) and not is_constant(op):
            groups_of_others.add(group)
    return {op for group, ops in found.items() if group in groups_of_others for op in ops}


def _group_of(op: Operation) -> Hashable | None:
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return None
    if PRIMITIVE in function.attributes:
        return function
    return (function, op.attributes[GROUP]) if GROUP in op.attributes else None
