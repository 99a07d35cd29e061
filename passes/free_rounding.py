"""Ops of LiteRT files, written as the nodes that run fastest."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.notes.node_kinds import KIND, was
from .common.same_meaning import PreservesMeaning


@dataclass(frozen=True)
class FreeRounding(PreservesMeaning, ModulePass):
    """Let ops that were read from a LiteRT file be written as faster nodes that round differently.

    A file that is read and written rounds as before: the attribute `litert.kind` keeps a BATCH_MATMUL with constant
    weights, a row that is added to a product, squares, sums of quantised numbers in integers and the QUANTIZE of an
    input as the ops that they were. The pass drops it from all ops but gathers, so that the exporter makes one
    FULLY_CONNECTED of a product and its row, and rounds quantised numbers as ONNX Runtime does. Sums may then be added
    in another order.
    """

    name = "free-rounding"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in op.walk():
            # Whether indices count from the end is no matter of rounding.
            if not was(each, "GATHER"):
                each.attributes.pop(KIND, None)
