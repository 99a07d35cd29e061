"""Arguments and results in layouts that the user names."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..layout import Layout
from .common.plans.interface_choice import chosen_interface
from .common.plans.interfaces import absorb_border_transposes, noted_interfaces, store_as_named
from .common.same_meaning import PreservesMeaning
from .placement.layout_pass import colour, parsed_interface
from .transmit.apply import parsed_default
from .transmit.known_layouts import TENSOR


@dataclass(frozen=True)
class SetInterface(PreservesMeaning, ModulePass):
    """Store arguments and results in the layouts that `interface` names, with transposes at the border.

    A transpose of the program that only changes the layout of an argument or result cancels out with the one that the
    pass would insert there. With `free`, such transposes become part of the signature: an argument that is only read
    through the same transpose takes its layout, and so does a result that comes from one. The passes that choose
    layouts have the option, too; this pass changes nothing else.

    Public functions change, unless something in the program calls them. The note `npu.interface` at each argument and
    result says its layout and the one before, so that `npu-check` can compare the programs. A program without layouts
    gets them from `layout-transmit` first.
    """

    name = "set-interface"

    interface: str
    """The layouts: `keep`, `free` (npu-opt chooses), a layout such as `NHWC` for all arguments and results that have
    its axes, or `x:NHWC` for one of them; several with commas between."""
    default: str | None = None
    """The layout of arguments and constants that no op determines, if the program has no layouts; Tensor by default."""

    def __post_init__(self) -> None:
        self._default_layout()
        parsed_interface(self.interface)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = colour(op, self._default_layout())
        with noted_interfaces(op):
            interface = chosen_interface(op, parsed_interface(self.interface), names)
            store_as_named(interface, self.name)
            absorb_border_transposes(interface, self.name)

    def _default_layout(self) -> Layout:
        return TENSOR if self.default is None else parsed_default(self.default)
