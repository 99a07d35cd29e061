"""Ties between arguments and results, of one function or of several, and the calls of each function."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .common.plans.named_ties import note_named_calls, parsed_calls, parsed_ties, tie_named
from .common.same_meaning import PreservesMeaning


@dataclass(frozen=True)
class TieInterfaces(PreservesMeaning, ModulePass):
    """Tie arguments and results, so that they are stored in one layout, and note how often each function is called.

    A cache that one function returns and another one takes needs one layout, and so does a state that a function takes
    and returns for its next call. `ties` names them: `prefill:present_*=decode:past_*` ties each result `present_...`
    of `@prefill` to the argument of `@decode` whose name has the same text in the place of `*`. Without a function,
    the only one is meant. A name in the text of a function is that of the ONNX model, that of the value, or its place,
    as `input0` and `output1`.

    Tied arguments and results are free: `layout-optimal` finds the layout with the least cost in all calls. A layout
    that the option `interface` names for one of them is that of all. Other passes do not change them. The notes are the
    attributes `npu.tie` of arguments and results and `npu.calls` of functions, which a program may have as well from
    the start.
    """

    name = "tie-interfaces"

    ties: str | None = None
    """The ties: `FUNCTION:NAME=FUNCTION:NAME`, several with commas between."""
    calls: str | None = None
    """The calls of functions: `prefill=1,decode=512`; 1 by default."""

    def __post_init__(self) -> None:
        parsed_ties(self.ties or "")
        parsed_calls(self.calls or "")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_named_calls(op, parsed_calls(self.calls or ""))
        tie_named(op, parsed_ties(self.ties or ""))
