"""Ops of npu as calls of PyTorch's operators."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class ConvertNpuToFx(ModulePass):
    """Rewrite all ops of npu as calls of PyTorch's operators that compute the same.

    Values have no layouts then, and their axes are in the order of their types. Constants stay. An op that no operators
    compute is an error. `convert-fx-to-npu` describes calls, and is the way back.
    """

    name = "convert-npu-to-fx"

    copies: bool = False
    """True for views as copies (`aten.permute_copy.default`), as in the edge dialect of ExecuTorch."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Imported late: most programs stay as they are.
        from .exporting.convert import to_calls

        to_calls(op, has_copies=self.copies)
