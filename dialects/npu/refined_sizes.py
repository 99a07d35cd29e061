"""Sizes of results that follow from those of operands."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, OpResult
from xdsl.utils.hints import isa

from ...compat.xdsl import retype
from ...layout import DYNAMIC
from .attrs import OperandDim, ReshapeDimsAttr
from .base import NpuOp
from .expected_shapes import expected_shapes
from .shape import ReshapeOp
from .values import shape_of


def refine_results(op: Operation) -> None:
    """Give the results of an op the sizes that follow from those of its operands; raises `VerifyException`."""
    if not isinstance(op, NpuOp):
        return
    with expected_shapes() as found:
        if isinstance(op, ReshapeOp):
            found[op.result] = _reshaped(op)
        else:
            op.verify_meaning()
    for value in op.results:
        old = shape_of(value)
        new = _merged(_merged(old, found.get(value, old)), _by_roles(op, value))
        if new != old and isa(value.type, TensorType):
            retype(value, TensorType(value.type.element_type, new, value.type.encoding))
    if isinstance(op, ReshapeOp) and op.dims is not None:
        dims = [dim if size == DYNAMIC else size for dim, size in zip(op.dims.data, shape_of(op.result), strict=True)]
        op.dims = ReshapeDimsAttr(tuple(dims)) if DYNAMIC in shape_of(op.result) else None


def _by_roles(op: NpuOp, value: OpResult) -> tuple[int, ...]:
    """The sizes of a result along axes that play one part in the op with those of operands, and no further one."""
    sizes, place = [DYNAMIC] * len(shape_of(value)), list(op.results).index(value)
    found = op.roles()
    for role in () if found is None else found.roles:
        axes = [axis for result, axis in role.results if result == place]
        given = {shape_of(op.operands[operand])[axis] for operand, axis in role.operands}
        # Operands of one element along an axis are repeated.
        known = given - {1, DYNAMIC} or given
        if role.is_plain and len(axes) == 1 and len(known) == 1:
            sizes[axes[0]] = known.pop()
    return tuple(sizes)


def _reshaped(op: ReshapeOp) -> tuple[int, ...]:
    """The shape of a reshape: sizes that are those of the operand, and one that follows from the number of elements."""
    operand, sizes = shape_of(op.input), list(shape_of(op.result))
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim):
            sizes[axis] = operand[dim.position]
    rest = prod(size for size in sizes if size != DYNAMIC)
    if sizes.count(DYNAMIC) == 1 and DYNAMIC not in operand and rest and prod(operand) % rest == 0:
        sizes[sizes.index(DYNAMIC)] = prod(operand) // rest
    return tuple(sizes)


def _merged(old: Sequence[int], expected: Sequence[int]) -> tuple[int, ...]:
    if len(old) != len(expected):
        return tuple(old)
    return tuple(new if size == DYNAMIC else size for size, new in zip(old, expected, strict=True))
