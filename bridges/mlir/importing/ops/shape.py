"""Reshapes and transposes."""

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.npu.attrs import OperandDim, ReshapeDimsAttr, i64_array
from .....dialects.npu.shape import ReshapeOp, TransposeOp
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ..node import ImportedOp, Operand
from ..registry import Read, reads
from .elementwise import build


@reads("tosa.transpose")
def transpose(node: ImportedOp, x: Operand) -> Read:
    if x.known is not None:
        return node.known(np.transpose(x.known, node.ints("perms")), x)
    return node.add(TransposeOp, [x.value], {"permutation": i64_array(*node.ints("perms"))})


@reads("tosa.reshape")
def reshape(node: ImportedOp, x: Operand, shape: Operand) -> Read:
    node.require(shape.known is not None, "an unknown shape")
    if x.known is not None:
        return node.known(x.known.reshape(node.shape), x)
    return build(node, ReshapeOp, x.value)


@reads("tensor.expand_shape", "tensor.collapse_shape")
def regrouped(node: ImportedOp, x: Operand) -> SSAValue:
    return build(node, ReshapeOp, x.value)


@reads("tensor.cast")
def cast(node: ImportedOp, x: Operand) -> SSAValue:
    """The operand, of whose sizes more or fewer are known."""
    sizes = zip(shape_of(x.value), node.shape, strict=True)
    dims = [OperandDim(axis) if before == size == DYNAMIC else size for axis, (before, size) in enumerate(sizes)]
    node.require(dims.count(DYNAMIC) < 2, "several sizes that are not known any more")
    return node.add(ReshapeOp, [x.value], {"dims": ReshapeDimsAttr(tuple(dims))})
