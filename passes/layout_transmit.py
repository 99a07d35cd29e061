"""Layouts for all values, from those that some ops know."""

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .common.same_meaning import PreservesMeaning
from .transmit.apply import parsed_default, transmit


@dataclass(frozen=True)
class LayoutTransmit(PreservesMeaning, ModulePass):
    """Give every value a layout, starting from the ops that know theirs.

    Convolutions and other ops with `data_layout`, matrix products, and typed arguments know their layouts. A sweep
    against the direction of data says what their operands are; arguments and constants that are still open take the
    layout of an elementwise sibling, else the default; a sweep in the direction of data fills in the rest. Where values
    of several classes meet at one op, the result is a feature if one of them is, else a weight, whichever comes first.
    What an op stated about its layouts moves into the types.

    Layouts are names for what is stored, so nothing is moved and no number changes. Where a value is needed under two
    names, the producer's stands, else that of most users, and each other user reads it through a `npu.relabel` right
    before it. Running the pass again changes nothing.
    """

    name = "layout-transmit"

    default: str = "Tensor"
    """The layout of arguments and constants that nothing is known about."""
    resolve: Literal["forward", "next", "previous", "nearest"] = "forward"
    """What settles the operand of an op whose result cannot tell it, such as a reshape: nothing, so that the layout of
    its producer stands, or the next, the previous or the nearest op that knows its layouts."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        transmit(op, parsed_default(self.default), self.resolve)
