"""Nests of loops as ops of linalg and tosa again."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .common.same_meaning import PreservesMeaning


@dataclass(frozen=True)
class ConvertNpuToLinalg(PreservesMeaning, ModulePass):
    """Rewrite nests of loops as the ops of linalg and tosa that they were, or as those in other layouts.

    Results in another order than they came in are written into new empty tensors. In a program without other ops of
    npu, transposes become `linalg.transpose`, and the types lose their layouts: a tensor in another order is a tensor
    of another shape there. In a program with both, transposes remain `npu.transpose`, and the types keep their layouts.
    """

    name = "convert-npu-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Imported late: most programs have no ops of these dialects.
        from .loops.program import write_program

        write_program(op)
