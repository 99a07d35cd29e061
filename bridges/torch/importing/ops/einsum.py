"""Conversion of einsum of two operands that is a product of their matrices as they are stored."""

from math import prod

from xdsl.ir import SSAValue

from .....dialects.npu import linear
from ....building import UnsupportedNode
from ..arithmetic import known
from ..node import CallNode
from ..registry import converts


@converts("aten.einsum.default")
def einsum(node: CallNode) -> SSAValue:
    """Batch axes first, then the rows and the axes that are summed, as a matrix or its transpose."""
    operands = node.list_of("tensors")
    inputs, arrow, result = "".join(str(node.get("equation")).split()).partition("->")
    terms = inputs.split(",")
    if len(operands) != 2 or len(terms) != 2 or not arrow or "." in inputs:
        raise UnsupportedNode("no product of two operands")
    for letters, value in zip(terms, operands, strict=True):
        if len({*letters}) != len(letters) or len(letters) != node.rank(value):
            raise UnsupportedNode("a diagonal")
    left, right = terms
    shared = [letter for letter in left if letter in right]
    batch = "".join(letter for letter in shared if letter in result)
    inner = "".join(letter for letter in shared if letter not in result)
    rows, columns = ("".join(letter for letter in letters if letter not in shared) for letters in terms)
    if result != batch + rows + columns or not inner:
        raise UnsupportedNode("a transposed result, or no sum")
    sizes = [
        dict(zip(letters, known(node.sizes_of(each)), strict=True))
        for letters, each in zip(terms, operands, strict=True)
    ]
    if any(sizes[0][letter] != sizes[1][letter] for letter in shared):
        raise UnsupportedNode("axes that are repeated")
    flags = _is_transposed(left, batch, rows, inner), _is_transposed(right, batch, inner, columns)
    all_sizes = {**sizes[0], **sizes[1]}
    outer = [all_sizes[letter] for letter in batch]
    height, depth, width = (prod(all_sizes[letter] for letter in letters) for letters in (rows, inner, columns))
    shapes = [(depth, height) if flags[0] else (height, depth), (width, depth) if flags[1] else (depth, width)]
    matrices = [node.reshape(value, (*outer, *shape)) for value, shape in zip(operands, shapes, strict=True)]
    found = node.add(linear.MatmulOp, matrices, (*outer, height, width), trans_a=flags[0], trans_b=flags[1])
    return node.reshape(found, [all_sizes[letter] for letter in result])


def _is_transposed(letters: str, batch: str, rows: str, columns: str) -> bool:
    if letters == batch + rows + columns:
        return False
    if letters != batch + columns + rows:
        raise UnsupportedNode("axes in another order")
    return True
