"""Constants and identities."""

from ..constants import numbers_of, shaped
from ..errors import ReadError
from ..node import ImportedOp, Operand
from ..registry import reads


@reads("tosa.const", "tosa.const_shape", "arith.constant")
def constant(node: ImportedOp) -> Operand:
    """A constant, which is built at its first use."""
    attribute = node.op.attributes["value" if node.op.name == "arith.constant" else "values"]
    is_sizes = node.op.name == "tosa.const_shape"
    found = shaped(node.op.results[0].type)
    node.require(is_sizes or found is not None, "not a tensor")
    numbers = numbers_of(attribute, node.function.source)
    if numbers is None:
        place = node.function.source.place(node.op.location)
        raise ReadError("the data of this constant is not in the file", place)
    return Operand(node.function, numbers.shape, found[1] if found else None, known=numbers, origin=node.op)


@reads("tosa.identity")
def identity(node: ImportedOp, *operands: Operand) -> tuple[Operand, ...]:
    return operands
