"""A sum behind a product that became a Gemm, which adds the other operand as its bias.

Engines fuse a MatMul and an Add into a Gemm, but not a Gemm without a bias and an Add.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from ....compat.xdsl import is_array_of
from ....dialects.notes.interfaces import DIMS, arguments_of
from ....dialects.npu.elementwise import AnyElementwiseOp
from ....dialects.npu.linear import MatmulOp
from ....dialects.npu.shape import StoredAxesOp
from ....dialects.npu.values import shape_of
from ....layout import DYNAMIC
from .graph import OnnxTensor


class BiasedGemm(NamedTuple):
    """A Gemm with a bias."""

    inputs: Sequence[OnnxTensor | None]
    flags: Mapping[str, Any]


def gemm_and_bias(values: Sequence[SSAValue | None], tensors: Sequence[OnnxTensor | None]) -> BiasedGemm | None:
    """The Gemm that a MatMul in front of a sum has become, which nothing else reads, with the other operand as bias.

    None without one.
    """
    for place, (value, tensor) in enumerate(zip(values, tensors, strict=True)):
        other, bias = values[1 - place], tensors[1 - place]
        node = tensor.node if tensor is not None and value is not None and isinstance(value.owner, MatmulOp) else None
        if value is None or other is None or bias is None or node is None or not isinstance(node.attributes, Mapping):
            continue
        is_whole = node.kind == "Gemm" and len(node.inputs) == 2 and value.has_one_use()
        if is_whole and _broadcasts(other, value):
            return BiasedGemm((*node.inputs, bias if bias.lifted is None else bias.lifted.source), node.attributes)
    return None


def _broadcasts(bias: SSAValue, product: SSAValue) -> bool:
    """True if a value certainly has the axes of a product of matrices, or one element along them."""
    rank = len(shape_of(bias))
    sizes = ((_size(bias, axis), _size(product, axis + 2 - rank)) for axis in range(rank))
    return rank <= 2 and all(size is not None and size in (1, wanted) for size, wanted in sizes)


def _size(value: SSAValue, axis: int) -> int | str | None:
    """The size along an axis, or the name that the model has for it; None if it has none."""
    while (size := shape_of(value)[axis]) == DYNAMIC and isinstance(value, OpResult):
        op, at = value.op, (value.index, axis)
        if isinstance(op, StoredAxesOp):
            value, axis = op.input, op.moved()[axis]
            continue
        # A slice or a pad has its axes in common with its operand, but not their sizes.
        roles = op.roles() if isinstance(op, MatmulOp | AnyElementwiseOp) else None
        read = [role.operands for role in roles.roles if at in role.results] if roles is not None else []
        if len(read) != 1 or len(read[0]) != 1:
            return None
        ((operand, axis),) = read[0]
        value = op.operands[operand]
    return _name(value, axis) if isinstance(value, BlockArgument) and size == DYNAMIC else size


def _name(argument: BlockArgument, axis: int) -> str | None:
    function = argument.block.parent_op()
    dims = arguments_of(function)[argument.index].attributes.data.get(DIMS) if isinstance(function, FuncOp) else None
    name = dims.data[axis] if is_array_of(dims, Attribute) and len(dims) == len(shape_of(argument)) else None
    return name.data or None if isinstance(name, StringAttr) else None
