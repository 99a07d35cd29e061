"""The best groups of a small program, by trying all of them, with code that shares nothing with the passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from math import prod

from npu_opt.dialects.npu.values import tensor_type
from npu_opt.targets import Target
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike

FREE = ("npu.reshape",)


class SmallProgram:
    """A block with ops that have the name of a stage's rule, reshapes, and others that no stage runs."""

    def __init__(self, block: Block, target: Target) -> None:
        self.target = target
        self.ops = [op for op in block.ops if not self.is_free(op)][:-1]
        end = block.last_op
        assert end is not None
        self.reads = {op: self._behind(op.operands) for op in [*self.ops, end]}
        self.returned = self.reads.pop(end)
        self.staged = [op for op in self.ops if self.stages(op)]
        self.leads = cache(self._leads)

    def is_free(self, op: Operation) -> bool:
        return op.has_trait(ConstantLike, value_if_unregistered=False) or op.name in FREE

    def stages(self, op: Operation) -> list[str]:
        return [stage.name for stage in self.target.stages.values() if stage.rules_for(op.name)]

    def _behind(self, values: Sequence[SSAValue]) -> set[SSAValue]:
        found: set[SSAValue] = set()
        for value in values:
            owner = value.owner
            if isinstance(owner, Operation) and self.is_free(owner):
                found |= self._behind(owner.operands)
            else:
                found.add(value)
        return found

    def _leads(self, first: str, second: str) -> bool:
        known, waiting = set[str](), [first]
        while waiting:
            fresh = set(self.target.stages[waiting.pop()].successors) - known
            known |= fresh
            waiting += fresh
        return second in known

    def best(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The fewest bytes, then groups; and the fewest groups, then bytes."""
        sums = [self.sums(groups) for groups in self._partitions(self.staged)]
        return min(sums), min((groups, total) for total, groups in sums)

    def _partitions(self, ops: Sequence[Operation]) -> Iterator[list[frozenset[Operation]]]:
        yield from (each for each in _partitions(list(ops), self._may_be_group) if self._is_acyclic(each))

    def sums(self, groups: Sequence[frozenset[Operation]]) -> tuple[int, int]:
        """The bytes that travel, and the number of groups."""
        parts = [*groups, *(frozenset([op]) for op in self.ops if op not in self.staged)]
        total = 0
        for part in parts:
            outside = set[SSAValue]().union(*(self.reads[op] for op in part))
            total += sum(_size(value) for value in outside if value.owner not in part)
            total += sum(_size(value) for op in part for value in op.results if self._is_read_outside(value, part))
        return total, len(groups)

    def _is_read_outside(self, value: SSAValue, part: frozenset[Operation]) -> bool:
        return value in self.returned or any(value in reads for op, reads in self.reads.items() if op not in part)

    def _may_be_group(self, part: frozenset[Operation]) -> bool:
        return any(self._has_stages(order, None, {}) for order in permutations(part) if self._is_legal(order))

    def _is_legal(self, order: Sequence[Operation]) -> bool:
        for place, op in enumerate(order):
            owners = {value.owner for value in self.reads[op]}
            if owners & set(order[place:]) or (place and not owners & set(order[:place])):
                return False
        inner = order[:-1] if self.target.forbids_escaping else ()
        return not any(self._is_read_outside(value, frozenset(order)) for op in inner for value in op.results)

    def _has_stages(self, order: Sequence[Operation], last: str | None, uses: Mapping[str, int]) -> bool:
        if not order:
            return True
        for stage in self.stages(order[0]):
            limit, used = self.target.stages[stage].uses, uses.get(stage, 0)
            if (last is None or self.leads(last, stage)) and (limit is None or used < limit):
                if self._has_stages(order[1:], stage, {**uses, stage: used + 1}):
                    return True
        return False

    def _is_acyclic(self, groups: Sequence[frozenset[Operation]]) -> bool:
        part_of = {op: part for part in groups for op in part}
        waiting = {
            part: {part_of.get(owner, frozenset([owner])) for op in part for owner in self._owners(op)} - {part}
            for part in [*groups, *(frozenset([op]) for op in self.ops if op not in part_of)]
        }
        while ready := {part for part, others in waiting.items() if not others}:
            waiting = {part: others - ready for part, others in waiting.items() if part not in ready}
        return not waiting

    def _owners(self, op: Operation) -> list[Operation]:
        return [value.owner for value in self.reads[op] if isinstance(value.owner, Operation)]


def _partitions(
    ops: list[Operation], is_legal: Callable[[frozenset[Operation]], bool]
) -> Iterator[list[frozenset[Operation]]]:
    known: dict[frozenset[Operation], bool] = {}

    def legal(part: frozenset[Operation]) -> bool:
        if part not in known:
            known[part] = is_legal(part)
        return known[part]

    def split(rest: list[Operation], parts: list[frozenset[Operation]]) -> Iterator[list[frozenset[Operation]]]:
        if not rest:
            if all(map(legal, parts)):
                yield parts
            return
        yield from split(rest[1:], [*parts, frozenset([rest[0]])])
        for place, part in enumerate(parts):
            yield from split(rest[1:], [*parts[:place], part | {rest[0]}, *parts[place + 1 :]])

    return split(ops, [])


def _size(value: SSAValue) -> int:
    type_ = tensor_type(value)
    assert isinstance(type_.element_type, FixedBitwidthType)
    return prod(type_.get_shape()) * type_.element_type.bitwidth // 8
