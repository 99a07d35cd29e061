"""Inlining of fused functions."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialects.program.symbols import is_private, referred_names
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
        referred = referred_names(op)
        for function in fused:
            if is_private(function) and function.sym_name.data not in referred:
                Rewriter.erase_op(function)
