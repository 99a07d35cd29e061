"""Select and cast."""

from itertools import groupby
from operator import attrgetter

from .....dialects.npu.elementwise import BitcastOp, CastOp, ElementwiseOp, SelectOp
from .....dialects.npu.values import element_type_of, is_boolean
from ...bindings import tosa
from ...counterparts import ACTIVATIONS, BINARY, UNARY
from ..arithmetic import converted, tosa_elementwise
from ..elements import BOOL, element_of
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import select
from ..tensors import Tensor

ROWS = {op: [*rows] for op, rows in groupby((*UNARY, *ACTIVATIONS, *BINARY), attrgetter("op"))}


def one_op(op: ElementwiseOp, *operands: Tensor) -> Tensor:
    """The op of TOSA in the row of an op, or a loop where it has none for the element type."""
    rows, given = ROWS[type(op)], operands[0].element
    element = BOOL if is_boolean(element_type_of(op.result)) else None
    for row in rows:
        if row.tosa is not None and given in row.types:
            return tosa_elementwise(row.tosa, *operands, element=element)
    return element_by_element(rows[0].function, *operands, element=element)


@lowers(SelectOp)
def selected(op: SelectOp, condition: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    if on_true.element.is_moved_by_tosa:
        return tosa_elementwise(tosa.SelectOp, condition, on_true, on_false, element=on_true.element)
    return element_by_element(select, condition, on_true, on_false, element=on_true.element)


@lowers(CastOp)
def cast(op: CastOp, x: Tensor) -> Tensor:
    return converted(x, element_of(element_type_of(op.result)))


@lowers(BitcastOp)
def bitcast(op: BitcastOp, x: Tensor) -> Tensor:
    element = element_of(element_type_of(op.result))
    return element_by_element(lambda each: each.cast(x.element).read_as(element), x, element=element)
