"""The layouts that a plan pins, written onto the ops that produce the values."""

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects.notes.value_pins import Pin, PinError, add_pin
from .pins.plan_file import PlannedPin, read_pins
from .pins.value_index import UnknownValue, ValueIndex


@dataclass(frozen=True)
class PinLayouts(ModulePass):
    """Mark the values whose layouts a plan pins, for `layout-optimal` to obey.

    A plan is a file that `npu-opt --save-plan` writes, with a line for each value. The lines under `[pins]`, and those
    under `[layouts]` that were changed by hand, become the attribute `npu.pin` of the op that produces the value. The
    next `layout-optimal` stores the values in these layouts, finds the minimum under the pins, says what each of them
    costs, and removes the attributes.

    A value is found by its name in the model or in the text, or by the structure of the program around it if the plan
    has it: renamed values and other orders of ops make no difference. `npu-opt --plan` runs this pass in front of the
    first `layout-optimal`.
    """

    name = "pin-layouts"

    plan: str
    """The path of the plan."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        index = ValueIndex(op)
        known: dict[SSAValue, PlannedPin] = {}
        for line in read_pins(self.plan):
            value = _found(index, line)
            if (other := known.setdefault(value, line)) is not line and other.layout != line.layout:
                raise PinError(f"'{line.name}' is the value that {other.place} pins to {other.layout}", line.place)
            add_pin(Pin(value, line.layout, line.place))


def _found(index: ValueIndex, line: PlannedPin) -> SSAValue:
    try:
        value = index.find(line.name, line.structure)
    except UnknownValue as error:
        raise PinError(str(error), line.place) from error
    if line.structure is not None and not index.has_name(value, line.name):
        print(f"{line.place}: note: '{line.name}' is {index.printed(value)} in this program", file=sys.stderr)
    return value
