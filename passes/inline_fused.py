"""Inlining of fused functions."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from .common.same_meaning import PreservesMeaning
from .fusion.functions.outlining import inline_fused


@dataclass(frozen=True)
class InlineFused(PreservesMeaning, ModulePass):
    """Inline fused functions into their callers.

    Calls of functions with the attribute `npu.primitive` are inlined and the private ones are erased, the inverse of
    `fuse-ops` and `fuse-ops-hw`. Recursive functions, and those that another op refers to, are kept.
    """

    name = "inline-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fused = inline_fused(op)
        referred = set(_referred(op))
        for function in fused:
            is_private = function.sym_visibility is not None and function.sym_visibility.data == "private"
            if is_private and function.sym_name.data not in referred:
                Rewriter.erase_op(function)


def _referred(module: ModuleOp) -> Iterator[str]:
    """The symbol names that ops refer to."""
    for op in module.walk():
        for attribute in (*op.attributes.values(), *op.properties.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.root_reference.data
                yield from (name.data for name in attribute.nested_references)
