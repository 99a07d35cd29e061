"""Transposes of axes of one element that cancel out: they move nothing, so no plan saves anything without them.

Between two of them may be ops that compute the same in the other order of axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....compat.xdsl import retype
from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.relayout import move_dims
from ....dialects.npu.shape import AnyTransposeOp, ReshapeOp, ViewOp
from ....dialects.npu.values import has_one_element, layout_of, shape_of, tensor_type
from ....layout import DYNAMIC, Layout, LayoutClass, Order, compose, identity, invert, permute, same_storage

MOST_BETWEEN = 8
"""The number of ops between two transposes."""


def drop_idle_pairs(module: ModuleOp) -> None:
    """Let what reads the second one of two such transposes read what the first one reads."""
    for op in list(module.walk()):
        if not isinstance(op, AnyTransposeOp) or not isinstance(first := op.input.owner, AnyTransposeOp):
            continue
        nothing = identity(len(shape_of(first.input)))
        if op.result.type != first.input.type or compose(first.moved(), op.moved()) != nothing:
            continue
        if _is_idle(first):
            _bypass(op, first.input)
    for op in list(module.walk()):
        if isinstance(op, AnyTransposeOp) and op.parent is not None and (between := _between(op)) is not None:
            between.drop()


def _is_idle(op: AnyTransposeOp) -> bool:
    sizes = shape_of(op.input)
    return same_storage(identity(len(sizes)), op.moved(), sizes)


def _bypass(op: AnyTransposeOp, value: SSAValue) -> None:
    """Let what reads a transpose read this value, and drop the transposes that nothing reads."""
    before = op.input.owner
    op.result.replace_all_uses_with(value)
    for each in (op, before):
        if isinstance(each, AnyTransposeOp) and not each.result.first_use:
            each.detach()
            each.erase()


@dataclass(frozen=True, slots=True)
class _Between:
    """Ops between two transposes, the first one of which reads `source`, and the forms in which they need neither."""

    first: AnyTransposeOp
    ops: Sequence[tuple[Operation, Relayout, TensorType]]
    """Each with its form, and the type of its result."""
    second: AnyTransposeOp

    def drop(self) -> None:
        value: SSAValue = self.first.input
        before: SSAValue = self.first.result
        for op, relayout, type_ in self.ops:
            op.operands = [value if each is before else each for each in op.operands]
            (before,) = op.results
            move_dims(before, relayout.results[0])
            op.properties.update(relayout.properties)
            for name in relayout.removed:
                op.properties.pop(name, None)
            retype(before, type_)
            value = before
        _bypass(self.second, value)
        if not self.first.result.first_use:
            self.first.detach()
            self.first.erase()


def _between(second: AnyTransposeOp) -> _Between | None:
    """The ops between two transposes of which one moves nothing, and which cancel out; None if they do not.

    A view between two that move nothing may show the same data in any shape.
    """
    ops: list[Operation] = []
    value = second.input
    while not isinstance(first := value.owner, AnyTransposeOp):
        if not isinstance(first, NpuOp) or len(first.results) != 1 or value.has_more_than_one_use():
            return None
        ops.insert(0, first)
        large = [each for each in first.operands if len(first.operands) == 1 or not has_one_element(each)]
        if len({*large}) != 1 or len(ops) > MOST_BETWEEN:
            return None
        value = large[0]
    values = [first.input, first.result, *(op.results[0] for op in ops), second.result]
    if not ops or not all(map(_is_plain, values)) or not (_is_idle(first) or _is_idle(second)):
        return None
    if len(ops) == 1 and isinstance(view := ops[0], ReshapeOp):
        sizes = shape_of(second.result)
        # The number of elements says one size.
        is_one_shape = DYNAMIC not in sizes or (sizes.count(DYNAMIC) == 1 and 0 not in sizes)
        form = Relayout((), (second.moved(),), removed=frozenset({"dims"}))
        is_dropped = is_one_shape and _is_idle(first) and _is_idle(second)
        return _Between(first, [(view, form, tensor_type(second.result))], second) if is_dropped else None
    order, forms = invert(first.moved()), list[tuple[Operation, Relayout, TensorType]]()
    for op in ops:
        relayout = _form(op, value, order)
        if relayout is None:
            return None
        (value,), (order,) = op.results, relayout.results
        type_ = tensor_type(value)
        shape = permute(type_.get_shape(), order)
        forms.append((op, relayout, TensorType(type_.element_type, shape, type_.encoding)))
    is_undone = order == second.moved() and forms[-1][2] == second.result.type
    return _Between(first, forms, second) if is_undone else None


def _is_plain(value: SSAValue) -> bool:
    """True for a value whose axes have their order, and no meaning that a layout states."""
    return layout_of(value) in (None, Layout(LayoutClass.TENSOR))


def _form(op: Operation, value: SSAValue, order: Order) -> Relayout | None:
    """The form of an op that reads a value in this order, and other values as they are."""
    if not isinstance(op, NpuOp) or isinstance(op, ViewOp) or op.data_layouts():
        return None
    asked = [order if each is value else None for each in op.operands]
    for relayout in op.relayouts(asked, [None]):
        given = zip(op.operands, relayout.operands, strict=True)
        others = (each for each in given if each[0] is not value and not has_one_element(each[0]))
        is_same_op = relayout.becomes is None and relayout.operand_permutation is None
        if is_same_op and all(found == identity(len(found)) for _, found in others):
            return relayout
    return None
