"""The rules of a target for what a file of a model may contain."""

from dataclasses import dataclass

OLDEST_OPSET = 13
"""The oldest opset of ONNX that is written: its axes and sizes are inputs, as in the newer ones."""


@dataclass(frozen=True)
class FileRules:
    """The rules for files; by default there is none."""

    opset: int | None = None
    """The newest opset of ONNX."""
    max_rank: int | None = None
    """The highest rank of a value."""
    transposed: int | None = None
    """The highest rank of a transpose."""
    keeps_squeeze: bool = False
    """True if a reshape that only drops or adds unit axes is a Squeeze or an Unsqueeze."""
    splits_transposes: bool = False
    """True if a Transpose beside a Reshape that merges or splits axes is of the split ones."""
    equal_ranks: bool = False
    """True if both operands of a product have one rank, but for a matrix on the right, which all batches share."""
    no_constant_lhs: bool = False
    """True if no left operand of a product is a constant."""
    product_rank: int | None = None
    """The highest rank of a product of a tensor and a matrix that all batches share."""
    lacks: frozenset[str] = frozenset()
    """The ops of ONNX that the engine does not have."""
    unary_rank: int | None = None
    """The highest rank of unary ops between an input and a transpose."""
    domains: frozenset[str] = frozenset()
    """The domains of the engine's own ops, which a file may have as well as those of the imported model."""


ANYTHING = FileRules()
"""No rule."""
