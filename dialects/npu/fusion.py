"""How an op behaves when it is fused with its neighbours (TVM's pattern kinds)."""

from enum import IntEnum


class FusionKind(IntEnum):
    """The kinds are ordered: combining two of them gives the larger one."""

    ELEMENTWISE = 0
    """Each result element comes from the operand elements at the same place."""
    BROADCAST = 1
    """Result axes map to operand axes in order, operands may repeat along some of them."""
    INJECTIVE = 2
    """Each result element comes from one operand element, wherever that is."""
    REDUCTION = 3
    """A commutative reduction."""
    OUT_FUSABLE = 4
    """A complex op, such as a convolution, whose result elementwise ops can be fused into."""
    OPAQUE = 8
    """Fused with nothing."""
