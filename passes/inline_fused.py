"""Inlining of fused functions."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from .common.call_graph import call_graph
from .common.same_meaning import PreservesMeaning
from .fusion.outlining import PRIMITIVE, inline


@dataclass(frozen=True)
class InlineFused(PreservesMeaning, ModulePass):
    """Inline fused functions into their callers.

    Calls of functions with the attribute `npu.primitive` are inlined and the private ones are erased, the inverse of
    `fuse-ops` and `fuse-ops-hw`. Recursive functions, and those that another op refers to, are kept.
    """

    name = "inline-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graph = call_graph(op)
        calls: dict[FuncOp, list[CallOp]] = {}
        for call, callee in graph.callees.items():
            calls.setdefault(callee, []).append(call)
        fused = [each for each in graph.callees_first if _is_fused(each) and each not in graph.recursive]
        for function in fused:
            for call in calls.get(function, []):
                inline(call, function)
        referred = set(_referred(op))
        for function in fused:
            is_private = function.sym_visibility is not None and function.sym_visibility.data == "private"
            if is_private and function.sym_name.data not in referred:
                Rewriter.erase_op(function)


def _is_fused(function: FuncOp) -> bool:
    return PRIMITIVE in function.attributes and len(function.body.blocks) == 1


def _referred(module: ModuleOp) -> Iterator[str]:
    """The symbol names that ops refer to."""
    for op in module.walk():
        for attribute in (*op.attributes.values(), *op.properties.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.root_reference.data
                yield from (name.data for name in attribute.nested_references)
