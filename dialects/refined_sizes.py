"""Sizes of results that follow from those of operands: what the checks of an op expect of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from ..layout import DYNAMIC

if TYPE_CHECKING:
    from .npu.base import NpuOp
    from .npu.shape import ReshapeOp

Expected = dict[SSAValue, tuple[int, ...]]
_EXPECTED: ContextVar[Expected | None] = ContextVar("expected shapes", default=None)


def note_expected(value: SSAValue, shape: Sequence[int]) -> None:
    """Note the shape that a check expects of a value, if someone asks for it."""
    if (found := _EXPECTED.get()) is not None:
        found[value] = tuple(shape)


@contextmanager
def _expected_shapes() -> Generator[Expected]:
    """Inside this, checks note the shapes that they expect."""
    found: Expected = {}
    token = _EXPECTED.set(found)
    try:
        yield found
    finally:
        _EXPECTED.reset(token)


def refine_results(op: Operation) -> None:
    """Give the results of an op the sizes that follow from those of its operands; raises `VerifyException`."""
    # Imported late: ops note what they expect.
    from ..compat.xdsl import retype
    from .npu.attrs import ReshapeDimsAttr
    from .npu.base import NpuOp
    from .npu.shape import ReshapeOp
    from .npu.values import shape_of

    if not isinstance(op, NpuOp):
        return
    with _expected_shapes() as found:
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
    from .npu.values import shape_of

    sizes, place = [DYNAMIC] * len(shape_of(value)), list(op.results).index(value)
    found = op.roles()
    for role in () if found is None else found.roles:
        axes = [axis for result, axis in role.results if result == place]
        given = {shape_of(op.operands[operand])[axis] for operand, axis in role.operands}
        # Operands of one element along an axis are repeated.
        known = given - {1, DYNAMIC} or given
        if not role.marks and len(axes) == 1 and len(known) == 1:
            sizes[axes[0]] = known.pop()
    return tuple(sizes)


def _reshaped(op: ReshapeOp) -> tuple[int, ...]:
    """The shape of a reshape: sizes that are those of the operand, and one that follows from the number of elements."""
    from .npu.attrs import OperandDim
    from .npu.values import shape_of

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
