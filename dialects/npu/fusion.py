"""The behaviour of an op when it is fused with its neighbours (TVM's pattern kinds)."""

from enum import IntEnum


class FusionKind(IntEnum):
    """The kinds are ordered: the combination of two is the larger one."""

    ELEMENTWISE = 0
    """Each result element is computed from the operand elements at the same position."""
    BROADCAST = 1
    """Result axes map to operand axes in order; operands may be repeated along some of them."""
    INJECTIVE = 2
    """Each result element is computed from one operand element at any position."""
    REDUCTION = 3
    """A commutative reduction."""
    OUT_FUSABLE = 4
    """A complex op, such as a convolution, whose result elementwise ops can be fused into."""
    OPAQUE = 8
    """Never fused."""

    @property
    def word(self) -> str:
        """The kind in files and docs."""
        return self.name.lower().replace("_", "-")

    @staticmethod
    def of(word: str) -> "FusionKind":
        """The kind of a word."""
        return FusionKind[word.upper().replace("-", "_")]


FUSION_WORDS = tuple(kind.word for kind in FusionKind)
