"""Inference of the layouts of all values."""

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .common.same_meaning import PreservesMeaning
from .transmit.apply import parsed_default, transmit


@dataclass(frozen=True)
class LayoutTransmit(PreservesMeaning, ModulePass):
    """Infer a layout for every value, starting from the ops with known layouts.

    The layouts of convolutions and other ops with `data_layout`, of matrix products, and of typed arguments are known.
    A backward sweep infers the layouts of operands; arguments and constants that are still open take the layout of an
    elementwise sibling, else the default; a forward sweep infers the rest. If values of several layouts meet at one op,
    the result is a feature if one of them is, else a weight; of several features the one that is not repeated decides,
    then the identity order comes before others; the order of the operands makes no difference. Layout properties of ops
    move into the types.

    A layout only describes how data is stored, so no data is moved. If a value is needed under two layouts, that of the
    producer is kept, else that of most users, and each other user gets a `npu.relabel` before it. The pass is
    idempotent.
    """

    name = "layout-transmit"

    default: str = "Tensor"
    """The layout of arguments and constants for which no layout can be inferred."""
    resolve: Literal["forward", "next", "previous", "nearest"] = "forward"
    """The layout of an operand that the result does not determine, as of a reshape: that of its producer (forward), or
    that of the next, the previous or the nearest op with known layouts."""

    def __post_init__(self) -> None:
        parsed_default(self.default)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        transmit(op, parsed_default(self.default), self.resolve)
