"""The layouts under which ops read their operands, in programs that may have none yet."""

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from ...dialects.npu.values import layout_of
from ...layout import Layout
from ..transmit.apply import transmit


class OperandLayouts:
    """What an operand is read as: what its type says, or else what `layout-transmit` would make of the program.

    The program keeps its types. It must not change between two questions about ops without layouts.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._twins: dict[Operation, Operation] = {}
        """The ops of the program, and those of a coloured copy; made when the first one is asked for."""

    def of(self, op: Operation, index: int) -> Layout | None:
        value = op.operands[index]
        if not isinstance(value.type, TensorType):
            return None
        if (layout := layout_of(value)) is not None:
            return layout
        if op not in self._twins:
            copy = self._module.clone()
            self._twins = dict(zip(self._module.walk(), copy.walk(), strict=True))
            transmit(copy)
        return layout_of(self._twins[op].operands[index])
