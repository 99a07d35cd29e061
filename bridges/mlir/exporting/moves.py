"""The transposes of a finished module: those of TOSA, and the loops that move elements of types that TOSA lacks."""

from collections.abc import Sequence

from ....layout import identity, same_storage
from ...moved_data import MovedData
from ..bindings import Module, Operation, ir


def moved_data(module: Module) -> MovedData:
    """The transposes in a module that move data."""
    found = MovedData()

    def count(op: Operation) -> Operation:
        nonlocal found
        permutation = _permutation(op)
        if permutation is not None and isinstance(op.operands[0].type, ir.UnrankedTensorType):
            if tuple(permutation) != identity(len(permutation)):
                found = found.with_transpose(None, 0, None)
        elif permutation is not None:
            type_ = ir.RankedTensorType(op.operands[0].type)
            if not same_storage(identity(type_.rank), tuple(permutation), tuple(type_.shape)):
                width = (type_.element_type.width + 7) // 8
                found = found.with_transpose(type_.shape, width, None)
        return ir.WalkResult.ADVANCE

    module.operation.walk(count)
    return found


def _permutation(op: Operation) -> Sequence[int] | None:
    """The permutation of an op that does nothing but transpose, or None."""
    if op.name == "tosa.transpose":
        return [*op.attributes["perms"]]
    if op.name != "linalg.generic" or len(op.regions[0].blocks[0].operations) > 1:
        return None
    read, *written = (ir.AffineMapAttr(each).value for each in op.attributes["indexing_maps"])
    if len(written) != 1 or not read.is_permutation:
        return None
    return [ir.AffineDimExpr(each).position for each in read.results]
