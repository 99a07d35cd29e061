"""Ops of linalg and tosa on tensors as ops that the layout passes place."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .common.same_meaning import PreservesMeaning


@dataclass(frozen=True)
class ConvertLinalgToNpu(PreservesMeaning, ModulePass):
    """Rewrite ops of linalg and tosa on tensors as nests of loops, which the layout passes place.

    `linalg.transpose` becomes `npu.transpose`, and a tensor of `arith.constant` becomes `npu.constant`. Generic ops,
    named ones, fills, reductions, broadcasts, pads, slices and the elementwise ops of tosa become `loops.nest`, with
    their indexing maps and their bodies. Ops on buffers, those with other effects, with `linalg.index` or with element
    types that npu lacks stay, and keep the orders of their operands. `convert-npu-to-linalg` is the way back.

    A generic op takes its operands in any orders in which it reads all of them along one order of its loops, and in any
    orders at all if none of them has all loops, as in a product of matrices. An elementwise op takes any order that
    all share. A named op takes the orders for which there is a named op.
    """

    name = "convert-linalg-to-npu"

    generalise: bool = False
    """True if named ops, such as `linalg.matmul`, may become `linalg.generic` in orders without a name."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Imported late: most programs have no ops of these dialects.
        from .loops.nests import as_npu, replace

        for each in [*op.walk()]:
            if (new := as_npu(each, self.generalise)) is not None:
                replace(each, new)
