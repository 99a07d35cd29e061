"""Fused functions, put back where they are called."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from .moves_layouts import MovesLayouts
from .outlining import PRIMITIVE, inline


@dataclass(frozen=True)
class InlineFused(MovesLayouts, ModulePass):
    """Put the ops of fused functions back in the place of their calls.

    Private functions with the attribute `npu.primitive` disappear, so that `fuse-ops` and `fuse-ops-hw` are undone.
    """

    name = "inline-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fused = {
            function.sym_name.data: function
            for function in op.ops
            if isinstance(function, FuncOp) and PRIMITIVE in function.attributes and function.body.blocks
        }
        for call in [each for each in op.walk() if isinstance(each, CallOp)]:
            callee = SymbolTable.lookup_symbol(call, call.callee)
            if isinstance(callee, FuncOp) and fused.get(callee.sym_name.data) is callee:
                inline(call, callee)
        for function in fused.values():
            if function.sym_visibility is not None and function.sym_visibility.data == "private":
                Rewriter.erase_op(function)
