"""Random rewriting of a program that preserves its meaning.

Every function is rewritten op by op. A value may get several *forms*: in other orders, computed twice, through a view
and back. Ops take any of the forms that their relayouts allow.
"""

from collections.abc import Hashable, Sequence
from random import Random

import numpy as np
from npu_opt.dialects.npu.axes import MatmulFreedom, Relayout
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.relayout import apply_relayout, stored_in
from npu_opt.dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp, ViewOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of, tensor_type
from npu_opt.layout import (
    MAX_RANK,
    Layout,
    LayoutClass,
    Order,
    carry,
    compose,
    identity,
    permutation_between,
    permute,
    same_storage,
    unpermute,
)
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from .ops.shape import reshaped_sizes
from .sample_source import typed
from .samplers import constant_data, made


def shuffled(module: ModuleOp, seed: int) -> ModuleOp:
    """Another program that computes the same, with the same signatures."""
    rng = Random(seed)
    result = ModuleOp([])
    for op in module.ops:
        if isinstance(op, FuncOp) and len(op.body.blocks) == 1:
            result.body.block.add_op(_Rewriting(op, rng).function())
        else:
            result.body.block.add_op(op.clone())
    return result


class _Rewriting:
    """One function that is being rewritten."""

    def __init__(self, function: FuncOp, rng: Random):
        self._old = function
        self._rng = rng
        self._block = Block(arg_types=[argument.type for argument in function.body.block.args])
        self._forms: dict[SSAValue, list[SSAValue]] = {}
        self._written: dict[Hashable, Operation] = {}

    def function(self) -> FuncOp:
        old = self._old
        for argument, new in zip(old.body.block.args, self._block.args, strict=True):
            new.name_hint = argument.name_hint
            self._forms[argument] = [new]
        for op in _random_sequence(old.body.block, self._rng):
            self._write(op)
        result = FuncOp(old.sym_name.data, old.function_type, Region(self._block), old.sym_visibility)
        result.attributes.update(old.attributes)
        return result

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    # Ops.

    def _write(self, op: Operation) -> None:
        if not isinstance(op, NpuOp) or not is_side_effect_free(op):
            new = op.clone({operand: self._as_before(operand) for operand in op.operands})
            self._block.add_op(new)
            self._enter(op, new.results)
            return
        if all(result.first_use is None for result in op.results) and self._chance(0.7):
            return
        for _ in range(2 if self._chance(0.08) else 1):
            self._enter(op, self._rewritten(op))

    def _enter(self, op: Operation, results: Sequence[SSAValue]) -> None:
        for result, new in zip(op.results, results, strict=True):
            self._forms.setdefault(result, []).append(new)
            if self._chance(0.05):
                self._add_detour(result)

    def _rewritten(self, op: NpuOp) -> Sequence[SSAValue]:
        if isinstance(op, ReshapeOp) and self._chance(0.3) and (detour := self._reshaped_twice(op)) is not None:
            return [detour]
        relayout = self._relayout(op) if self._chance(0.7) else None
        sequence = (
            tuple(range(len(op.operands)))
            if relayout is None
            else relayout.operand_permutation or identity(len(op.operands))
        )
        if relayout is None:
            operands = [self._as_before(operand) for operand in op.operands]
        else:
            orders = unpermute(relayout.operands, sequence)
            operands = [self._in_order(value, order) for value, order in zip(op.operands, orders, strict=True)]
        types = [result.type for result in op.results]
        new: Operation = type(op).create(
            operands=operands, result_types=types, properties=dict(op.properties), attributes=dict(op.attributes)
        )
        self._block.add_op(new)
        assert isinstance(new, NpuOp)
        if relayout is not None:
            new = apply_relayout(new, relayout)
        if isinstance(new, NpuOp) and new.commutes() and self._chance(0.4):
            new.operands = (new.operands[1], new.operands[0])
        if isinstance(new, TransposeOp):
            return [self._tidied(new)]
        return self._merged(new).results

    def _relayout(self, op: NpuOp) -> Relayout | None:
        """A random relayout of an op with layouts."""
        values = [*op.operands, *op.results]
        if any(layout_of(value) is None or len(shape_of(value)) > MAX_RANK for value in values):
            return None
        operands: list[Order | None] = [None] * len(op.operands)
        results: list[Order | None] = [None] * len(op.results)
        place = self._rng.randrange(len(values))
        if place < len(operands):
            operands[place] = self._wanted_order(op, op.operands[place])
        else:
            results[place - len(operands)] = self._random_order(op, len(shape_of(values[place])))
        if isinstance(op, ViewOp) and operands[0] is not None and self._chance(0.5):
            results[0] = self._random_order(op, len(shape_of(op.results[0])))
        nothing: list[Order | None] = [None] * len(op.results)
        free = MatmulFreedom.FREE
        answers = op.relayouts_within(operands, results, free) or op.relayouts_within(operands, nothing, free)
        return self._rng.choice(answers) if answers else None

    def _wanted_order(self, op: NpuOp, operand: SSAValue) -> Order:
        """An order in which the operand exists already, or any."""
        if self._chance(0.7):
            return order_of_value(self._rng.choice(self._forms[operand]))
        return self._random_order(op, len(shape_of(operand)))

    def _random_order(self, op: NpuOp, rank: int) -> Order:
        if isinstance(op, LinearOp) and rank >= 2:
            matrix = self._rng.sample((rank - 2, rank - 1), 2)
            return (*self._rng.sample(range(rank - 2), rank - 2), *matrix)
        return tuple(self._rng.sample(range(rank), rank))

    def _merged(self, op: Operation) -> Operation:
        """An equal op that exists already, or this one."""
        key = (
            type(op),
            tuple(op.operands),
            tuple(sorted(op.properties.items(), key=lambda item: item[0])),
            tuple(sorted(op.attributes.items(), key=lambda item: item[0])),
            tuple(result.type for result in op.results),
        )
        known = self._written.setdefault(key, op)
        if known is op or self._chance(0.15):
            return op
        op.detach()
        op.erase()
        return known

    def _tidied(self, op: TransposeOp) -> SSAValue:
        """A transpose: composed with the one before it, or removed if it is a no-op."""
        source, permutation = op.input, tuple(op.permutation.get_values())
        if isinstance(source.owner, TransposeOp) and self._chance(0.5):
            permutation = compose(tuple(source.owner.permutation.get_values()), permutation)
            source = source.owner.input
        type_ = tensor_type(op.result)
        if permutation == identity(len(permutation)) and self._chance(0.8):
            op.detach()
            op.erase()
            if type_ == source.type:
                return source
            return self._add(made(RelabelOp, [source], [type_]))
        if source is not op.input:
            op.detach()
            op.erase()
            op = self._add_transpose(source, permutation, type_)
        return self._merged(op).results[0]

    # Values.

    def _as_before(self, value: SSAValue) -> SSAValue:
        """The value in a form of its original type."""
        forms = [form for form in self._forms[value] if form.type == value.type]
        if forms:
            return self._rng.choice(forms)
        return self._in_order(value, order_of_value(value))

    def _in_order(self, value: SSAValue, order: Order) -> SSAValue:
        """The value in an order."""
        forms = [form for form in self._forms[value] if order_of_value(form) == order]
        if forms and self._chance(0.9):
            return self._rng.choice(forms)
        form = self._restored(self._rng.choice(self._forms[value]), order)
        self._forms[value].append(form)
        return form

    def _restored(self, form: SSAValue, order: Order) -> SSAValue:
        old, type_ = order_of_value(form), stored_in(form, order)
        permutation = permutation_between(old, order)
        if isinstance(form.owner, ConstantOp) and self._chance(0.6):
            if (constant := permuted_constant(form.owner, permutation)) is not None:
                self._block.add_op(constant)
                return constant.result
        logical = unpermute(shape_of(form), old)
        if 0 not in logical and same_storage(old, order, logical) and self._chance(0.5):
            return self._add(made(ReshapeOp, [form], [type_]))
        return self._tidied(self._add_transpose(form, permutation, type_))

    def _add_transpose(self, source: SSAValue, permutation: Order, type_: TensorType) -> TransposeOp:
        op = made(TransposeOp, [source], [type_], permutation=permutation)
        self._block.add_op(op)
        assert isinstance(op, TransposeOp)
        return op

    def _add(self, op: Operation) -> SSAValue:
        self._block.add_op(op)
        return op.results[0]

    def _add_detour(self, value: SSAValue) -> None:
        """Another form of the value: through a transpose, a reshape or a relabel and back."""
        form = self._rng.choice(self._forms[value])
        rank = len(shape_of(form))
        layout = layout_of(form)
        kind = self._rng.randrange(3)
        if kind == 0 and rank <= MAX_RANK:
            # The axes of the intermediate value may have any layout.
            permutation = tuple(self._rng.sample(range(rank), rank))
            there = typed(element_type_of(form), permute(shape_of(form), permutation), layout)
            between = self._add_transpose(form, permutation, there).result
            back = tuple(permutation.index(axis) for axis in range(rank))
            self._forms[value].append(self._add_transpose(between, back, tensor_type(form)).result)
        elif kind == 1 and (between := self._reshaped(form, self._other_sizes(form))) is not None:
            logical = unpermute(shape_of(form), order_of_value(form))
            if (back := self._reshaped(between, logical, layout)) is not None:
                self._forms[value].append(back)
        elif kind == 2 and layout is not None:
            there = typed(element_type_of(form), shape_of(form), Layout(LayoutClass.TENSOR))
            between = self._add(made(RelabelOp, [form], [there]))
            self._forms[value].append(self._add(made(RelabelOp, [between], [tensor_type(form)])))

    def _other_sizes(self, form: SSAValue) -> tuple[int, ...]:
        return reshaped_sizes(self._rng, unpermute(shape_of(form), order_of_value(form)))

    def _reshaped_twice(self, op: ReshapeOp) -> SSAValue | None:
        """The result of a reshape through another shape."""
        form = self._rng.choice(self._forms[op.input])
        logical = unpermute(shape_of(op.result), order_of_value(op.result))
        between = self._reshaped(form, self._other_sizes(form))
        return None if between is None else self._reshaped(between, logical, layout_of(op.result))

    def _reshaped(self, form: SSAValue, logical: tuple[int, ...], layout: Layout | None = None) -> SSAValue | None:
        """A reshape to this logical shape, in the order to which that of the operand carries."""
        if 0 in logical or len(logical) > MAX_RANK:
            return None
        order = order_of_value(form)
        prefer = None if layout is None else layout.order_for(len(logical))
        carried = carry(order, unpermute(shape_of(form), order), logical, prefer)
        if carried is None:
            return None
        if layout_of(form) is not None:
            layout = (layout or Layout(LayoutClass.TENSOR)).with_order(carried)
        return self._add(made(ReshapeOp, [form], [typed(element_type_of(form), permute(logical, carried), layout)]))


def permuted_constant(op: ConstantOp, permutation: Order) -> ConstantOp | None:
    """The constant with its axes permuted."""
    layout = layout_of(op.result)
    if not isinstance(op.value, DenseIntOrFPElementsAttr) or layout is None:
        return None
    order = permute(layout.order_for(len(permutation)), permutation)
    shape = permute(shape_of(op.result), permutation)
    type_ = typed(element_type_of(op.result), shape, layout.with_order(order))
    return ConstantOp(constant_data(type_, permuted_data(op, permutation)))


def permuted_data(op: ConstantOp, permutation: Order) -> bytes:
    """The elements of a constant with its axes permuted."""
    assert isinstance(op.value, DenseIntOrFPElementsAttr)
    shape, data = shape_of(op.result), op.value.data.data
    if not data:
        return data
    elements = np.frombuffer(data, np.uint8).reshape(*shape, -1)
    return elements.transpose(*permutation, len(shape)).tobytes()


def _random_sequence(block: Block, rng: Random) -> list[Operation]:
    """The ops of a block in a random order that respects operands and keeps side effects in program order."""
    ops = list(block.ops)
    waiting: dict[Operation, int] = {}
    followers: dict[Operation, list[Operation]] = {op: [] for op in ops}
    last_effect: Operation | None = None
    for op in ops:
        before = [operand.owner for operand in op.operands if isinstance(operand.owner, Operation)]
        if isinstance(op, ReturnOp):
            continue
        if not is_side_effect_free(op):
            before += [last_effect] if last_effect is not None else []
            last_effect = op
        waiting[op] = len(before)
        for each in before:
            followers[each].append(op)
    ready = [op for op, count in waiting.items() if not count]
    sequence: list[Operation] = []
    while ready:
        index = rng.randrange(len(ready))
        ready[index], ready[-1] = ready[-1], ready[index]
        op = ready.pop()
        sequence.append(op)
        for follower in followers[op]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    return [*sequence, ops[-1]]
