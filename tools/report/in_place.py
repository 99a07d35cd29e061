"""Fused functions that are drawn in place of their calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue

from ...passes.common.graph.call_graph import call_graph
from ...passes.fusion.functions.outlining import is_fused


class InPlace:
    """The fused functions with one call, which are drawn there."""

    def __init__(self, module: ModuleOp) -> None:
        callees = call_graph(module).callees
        counts = Counter(callees.values())
        self._callees = {
            call: callee
            for call, callee in callees.items()
            if counts[callee] == 1 and is_fused(callee) and _may_show_ops(call.parent_op())
        }
        self._aliases: dict[SSAValue, SSAValue] = {}
        """For arguments of these functions and results of the calls the values that they are."""
        for call, callee in self._callees.items():
            block = callee.body.block
            assert block.last_op is not None
            self._aliases |= zip(block.args, call.operands, strict=True)
            self._aliases |= zip(call.results, block.last_op.operands, strict=True)

    @staticmethod
    def nothing() -> InPlace:
        """No function."""
        return InPlace(ModuleOp([]))

    def callee(self, op: Operation) -> FuncOp | None:
        """The function that is drawn in place of a call."""
        return self._callees.get(op) if isinstance(op, CallOp) else None

    def origin(self, value: SSAValue) -> SSAValue:
        """The value itself, or the one that it is in the drawing."""
        while value in self._aliases:
            value = self._aliases[value]
        return value

    def others(self, module: ModuleOp) -> Iterator[FuncOp]:
        """The functions with drawings of their own."""
        drawn = set(self._callees.values())
        for op in module.ops:
            if isinstance(op, FuncOp) and not op.is_declaration and op not in drawn:
                yield op


def _may_show_ops(caller: Operation | None) -> bool:
    """True if calls directly inside of an op may be replaced in the drawing."""
    return isinstance(caller, FuncOp) and not is_fused(caller)
