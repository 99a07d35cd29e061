"""Fewer views among calls: those that no node came as, where other calls compute the same without them.

An op of npu has one form where PyTorch has several operators. `unbind` takes parts of one element without the axis
along which they are, `stack` joins tensors along a new axis, and `cat` and permutes read tensors whose axes of
one element are others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from math import prod
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ..calls import Call
from .graph import CallBuilder

Replaced: TypeAlias = Mapping[SSAValue, SSAValue] | None
"""The values that take the places of others."""


def drop_views(graph: CallBuilder) -> None:
    """Replace calls that no node came as, where that needs fewer views, and drop those that nothing reads."""
    graph.drop_unused()
    for rules in STEPS:
        for op in [*graph.block.ops]:
            call = Call.of(op) if isinstance(op, OpaqueOp) and op not in graph.came else None
            rule = None if call is None else rules.get(_base(call))
            if call is None or rule is None:
                continue
            graph.before, graph.location = op, op.location
            for before, after in (rule(graph, op, call) or {}).items():
                before.replace_all_uses_with(after)
        graph.before = None
        graph.drop_unused()


def _units_before(graph: CallBuilder, op: Operation, call: Call) -> Replaced:
    """A permute of a view with other axes of one element, in place of a view of the permute of a view."""
    (result,), permuted = op.results, call.operands["self"]
    moved = graph.permuted(permuted)
    if graph.viewed(result) is None or moved is None or permuted.owner in graph.came:
        return None
    source, order = moved
    if not (
        _is_read_once(permuted) and _is_read_once(source) and (graph.viewed(source) or _is_unit_part(graph, source))
    ):
        return None
    given, wanted = shape_of(source), shape_of(result)
    order = tuple(axis for axis in order if given[axis] != 1)
    if [given[axis] for axis in order] != [size for size in wanted if size != 1] or wanted.count(DYNAMIC) > 1:
        return None
    # The axes of one element are in front, where the permute takes them from.
    count, axes = wanted.count(1), sorted(order)
    units, others = iter(range(count)), (count + axes.index(axis) for axis in order)
    viewed = graph.reshape(source, (*(1,) * count, *(given[axis] for axis in axes)))
    return {result: graph.transpose(viewed, tuple(next(units if size == 1 else others) for size in wanted))}


def _parts_without_axis(graph: CallBuilder, op: Operation, call: Call) -> Replaced:
    """Parts without the axis along which each is one element, in place of a split and views of its parts."""
    x, axis = call.operands["self"], call.values["dim"]
    sizes = shape_of(x)
    without = (*sizes[:axis], *sizes[axis + 1 :])
    views = {use.operation: place for place, part in enumerate(op.results) for use in part.uses}
    # Core operators take such parts one by one only, which is not shorter.
    if graph.is_core or not _has_units(call) or without.count(DYNAMIC) > 1:
        return None
    if any(_view_of(graph, view) is None or shape_of(view.results[0]) != without for view in views):
        return None
    count, element = len(op.results), element_type_of(x)
    parts = graph.call_many("aten.unbind.int", {"self": x}, [without] * count, [element] * count, dim=axis)
    return {view.results[0]: parts[place] for view, place in views.items()}


def _joined_without_views(graph: CallBuilder, op: Operation, call: Call) -> Replaced:
    """A stack, or a view of tensors that are joined along another axis, in place of views that are joined."""
    (result,), operands = op.results, call.list_of("tensors")
    sizes, axis = shape_of(result), call.values["dim"]
    sources = [source for each in operands if (source := graph.viewed(each)) is not None]
    dropped, shapes = sum(map(_is_read_once, operands)), [*map(shape_of, sources)]
    if len(sources) < len(operands) or not dropped:
        return None
    if {*shapes} == {(*sizes[:axis], *sizes[axis + 1 :])} and sizes.count(DYNAMIC) <= 1 and not graph.is_core:
        return {result: graph.call("aten.stack.default", {"tensors": sources}, sizes, dim=axis)}
    if dropped < 2 or any(DYNAMIC in each for each in (sizes, *shapes)):
        return None
    for place in range(len(shapes[0])):
        outer, inner = shapes[0][:place], shapes[0][place + 1 :]
        is_along = all((each[:place], each[place + 1 :]) == (outer, inner) for each in shapes)
        if is_along and prod(outer) == prod(sizes[:axis]):
            whole = (*outer, sum(each[place] for each in shapes), *inner)
            joined = graph.call("aten.cat.default", {"tensors": sources}, whole, dim=place)
            return {result: graph.reshape(joined, sizes)}
    return None


Rule: TypeAlias = Callable[[CallBuilder, Operation, Call], Replaced]
STEPS: Sequence[Mapping[str, Rule]] = (
    {"reshape": _units_before, "view": _units_before},
    {"split_with_sizes": _parts_without_axis, "cat": _joined_without_views},
)
"""The rules by the operators that they replace, one step after the other."""


def _base(call: Call) -> str:
    return call.name.split(".")[1].removesuffix("_copy")


def _has_units(call: Call) -> bool:
    """True for a split into parts of one element."""
    return _base(call) == "split_with_sizes" and {*call.values["split_sizes"]} == {1}


def _is_unit_part(graph: CallBuilder, x: SSAValue) -> bool:
    call = Call.of(x.owner) if isinstance(x.owner, OpaqueOp) and x.owner not in graph.came else None
    return call is not None and _has_units(call)


def _view_of(graph: CallBuilder, op: Operation) -> SSAValue | None:
    return graph.viewed(op.results[0]) if len(op.results) == 1 else None


def _is_read_once(x: SSAValue) -> bool:
    return len([*islice(x.uses, 2)]) == 1
