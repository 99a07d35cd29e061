"""Sums of products may be taken in any sequence: a constant is stored in the one in which the data comes.

A flatten in front of a matrix product reads channels first. In NHWC the same numbers come in another sequence, which is
no order of the flattened axis. The product does not mind, if the rows of its matrix come in that sequence as well, and
a constant matrix can be stored like this once and for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xdsl.ir import SSAValue

from ...dialects.npu.axes import Role
from ...dialects.npu.base import NpuOp, order_of_value
from ...layout import UNIT, Arrangement, Extent, Order, Piece
from .common_pieces import atoms_of, cuts_of
from .storage import Sequence_, Storage


def regrouped(op: NpuOp, operand: int, sequence: Sequence_, storage: Storage) -> dict[int, Sequence_] | None:
    """The sequences in which an op reads some of its operands, if it can read one of them in a sequence that is no
    order of that operand."""
    roles = op.roles()
    for role in roles.roles if roles is not None else ():
        if _is_summed_up(role) and operand in (positions := dict(role.operands)):
            others = [other for other in positions if other != operand]
            if all(storage.is_constant(storage.root(op.operands[other])) for other in others):
                found = _parts(op.operands[operand], positions[operand], sequence, storage)
                if found is not None:
                    reads = {other: _moved(op.operands[other], positions[other], *found, storage) for other in others}
                    known = {other: each for other, each in reads.items() if each is not None}
                    return {operand: sequence, **known} if len(known) == len(others) else None
    return None


def _is_summed_up(role: Role) -> bool:
    """Whether several operands meet along an axis that no result has, wherever along it they do."""
    operands = [operand for operand, _ in role.operands]
    return role.splits and not role.results and not role.marks and len(operands) == len(set(operands)) > 1


def _parts(value: SSAValue, position: int, sequence: Sequence_, storage: Storage) -> tuple[list[Extent], Order] | None:
    """The sizes of the parts into which a sequence cuts an axis, and in which sequence it has them, if it leaves the
    other axes where they stand."""
    axes = storage.view(value).axes.axes
    stored = [axes[axis] for axis in order_of_value(value)]
    cuts = cuts_of(*stored, sequence)
    before, own, behind = (
        atoms_of([piece for pieces in some for piece in pieces], cuts)
        for some in (stored[:position], [stored[position]], stored[position + 1 :])
    )
    wanted = atoms_of(sequence, cuts)
    end = len(wanted) - len(behind)
    inside = wanted[len(before) : end]
    if wanted[: len(before)] != before or wanted[end:] != behind or sorted(inside) != sorted(own):
        return None
    if any(atom.size.symbols for atom in own):
        return None
    return [atom.size for atom in own], tuple(map(own.index, inside))


def _moved(
    value: SSAValue, position: int, sizes: Sequence[Extent], sequence: Order, storage: Storage
) -> Sequence_ | None:
    """The sequence in which a value is stored if the parts of an axis are."""
    view, order = storage.view(value), order_of_value(value)
    parts: list[Piece] = []
    inner = UNIT
    for size in reversed(sizes):
        parts.append(Piece(order[position], inner, size))
        inner = inner.times(size)
    parts.reverse()
    whole = [[] if view.sizes[axis].is_unit else [Piece(axis, UNIT, view.sizes[axis])] for axis in order]
    whole[position] = [parts[part] for part in sequence]
    found = Arrangement(tuple(map(tuple, whole))).applied_to(view.axes)
    return None if found is None else Arrangement.joined([tuple(chain(*found.axes))]).axes[0]
