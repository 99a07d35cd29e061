"""The layouts of operands, also in a program whose types have no layouts yet."""

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from ....dialects.npu.values import layout_of
from ....layout import Layout
from ...transmit.apply import transmit
from ..functions.outlining import inline_fused


class OperandLayouts:
    """The layouts of operands: from the type, else as `layout-transmit` would infer them.

    The program keeps its types. It must not change between two queries about ops without layouts. A function that was
    fused hides no layouts: those of its ops are inferred where it is called.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._twins: dict[Operation, Operation] = {}
        """Map from the ops of the program to those of a copy with inferred layouts, which is made when first needed."""

    def of(self, op: Operation, index: int) -> Layout | None:
        value = op.operands[index]
        if not isinstance(value.type, TensorType):
            return None
        if (layout := layout_of(value)) is not None:
            return layout
        if op not in self._twins:
            copy = self._module.clone()
            self._twins = dict(zip(self._module.walk(), copy.walk(), strict=True))
            inline_fused(copy)
            transmit(copy)
        return layout_of(self._twins[op].operands[index])
