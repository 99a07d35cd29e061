"""Casts and choices."""

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from .....dialects.npu.elementwise import CastOp, ElementwiseOp, SelectOp
from .....dialects.npu.values import element_type_of, shape_of
from ..graph import CallBuilder
from ..registry import exports


def aligned(op: ElementwiseOp, graph: CallBuilder, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Operands without unit axes in front that the dialect needs, and PyTorch does not."""
    rank = len(shape_of(op.result))
    found = [graph.reshape(x, ()) if len(shape_of(x)) > rank else x for x in values]
    carriers = [place for place, x in enumerate(found) if len(shape_of(x)) == rank]
    if not carriers:
        found[0] = graph.reshape(found[0], [1] * rank)
        return found
    carrier = min(carriers, key=lambda place: graph.unlifted(found[place]) is not found[place])
    return [x if place == carrier else graph.unlifted(x) for place, x in enumerate(found)]


def cast(graph: CallBuilder, x: SSAValue, element: Attribute) -> SSAValue:
    if element_type_of(x) == element:
        return x
    if not graph.has_copies:
        return graph.call("aten._to_copy.default", {"self": x}, shape_of(x), element, dtype=element)
    how = {"dtype": element, "dim_order": [*range(len(shape_of(x)))]}
    return graph.call("dim_order_ops._to_dim_order_copy.default", {"self": x}, shape_of(x), element, **how)


@exports(CastOp)
def cast_op(op: CastOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return cast(graph, x, element_type_of(op.result))


@exports(SelectOp)
def select(op: SelectOp, graph: CallBuilder, condition: SSAValue, on_true: SSAValue, on_false: SSAValue) -> SSAValue:
    """One of two values may be a number."""
    condition, *chosen = aligned(op, graph, (condition, on_true, on_false))
    sizes, element = shape_of(op.result), element_type_of(op.result)
    operands, more = {"condition": condition}, {}
    kind = "self"
    for name, x, other in (("other", chosen[1], "ScalarOther"), ("self", chosen[0], "ScalarSelf")):
        number = None if graph.is_core or more else graph.number(x)
        if number is None or not shape_of(chosen[0 if name == "other" else 1]):
            operands[name] = x
        else:
            more[name], kind = number, other
    return graph.call(f"aten.where.{kind}", operands, sizes, element, **more)
