"""The forms in which ops are written into a LiteRT model, where others would round differently."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

KIND = "litert.kind"
"""The attribute of an op with the name of the one that it was in a file."""


def was(op: Operation, kind: str) -> bool:
    """True if an op is to be written as this op of LiteRT, as it was in the file."""
    return op.attributes.get(KIND) == StringAttr(kind)
