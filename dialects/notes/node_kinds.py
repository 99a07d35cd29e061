"""The kinds of nodes as which ops are written into a model, where others would round differently or be longer."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

KIND = "litert.kind"
"""The attribute of an op with the name of the one that it was in a LiteRT model."""
ONNX_KIND = "onnx.kind"
"""The attribute with the name of the ONNX op, of ops that are written in another way where they were another op."""


def was(op: Operation, kind: str, key: str = KIND) -> bool:
    """True if an op is to be written as this op of LiteRT, or of ONNX, as it was in the file."""
    return op.attributes.get(key) == StringAttr(kind)
