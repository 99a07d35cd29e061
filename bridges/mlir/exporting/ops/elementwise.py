"""Select and cast."""

from .....dialects.npu.elementwise import CastOp, SelectOp
from .....dialects.npu.values import element_type_of
from ...bindings import tosa
from ..arithmetic import converted, tosa_elementwise
from ..elements import element_of
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import select
from ..tensors import Tensor


@lowers(SelectOp)
def selected(op: SelectOp, condition: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    if on_true.element.is_moved_by_tosa:
        return tosa_elementwise(tosa.SelectOp, condition, on_true, on_false, element=on_true.element)
    return element_by_element(select, condition, on_true, on_false, element=on_true.element)


@lowers(CastOp)
def cast(op: CastOp, x: Tensor) -> Tensor:
    return converted(x, element_of(element_type_of(op.result)))
