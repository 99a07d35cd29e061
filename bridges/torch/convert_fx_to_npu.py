"""Calls of PyTorch's operators as ops that the layout passes place."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class ConvertFxToNpu(ModulePass):
    """Rewrite calls of PyTorch's operators as the ops of npu that compute the same.

    A call is an `npu.opaque` with the name of an operator, such as `"aten.permute.default"`, whose attributes are the
    arguments by the names of its schema, and `operands` the names of those that are operands. Calls of ops that npu
    lacks, and those with arguments that it cannot say, stay and keep the orders of their operands.
    `convert-npu-to-fx` is the way back. Files of PyTorch (`.pt2`) are read with both: there, calls that no pass has
    changed leave as they came.
    """

    name = "convert-fx-to-npu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Imported late: most programs have no calls.
        from .importing.convert import to_npu

        to_npu(op)
