"""The best groups of a small program, by trying all of them, with code that shares nothing with the passes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import prod

from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.values import tensor_type
from npu_opt.targets import Target
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike

from support.oracles.legal_groups import absorbs, factors_of, is_for_own, operands_beside, price_on

FREE = ("npu.reshape",)


class SmallProgram:
    """A block of ops that stages run, transposes, reshapes, and ops that no stage runs."""

    def __init__(self, block: Block, target: Target) -> None:
        self.target = target
        self.ops = [op for op in block.ops if not self.is_view(op)][:-1]
        end = block.last_op
        assert end is not None
        self.reads = {op: self._behind(op.operands) for op in [*self.ops, end]}
        self.returned = self.reads.pop(end)
        self._beside = {op: self._behind(operands_beside(op)) for op in self.ops}
        self._factors = {op: [self._behind([factor]) for factor in factors_of(op)] for op in self.ops}
        self.grouped = [op for op in self.ops if self.stages(op) or self.is_free(op)]
        self.leads = cache(self._leads)
        self._price = cache(self._least_price)
        self._bytes = cache(self._bytes_of)
        self._legal = cache(self._may_be_group)

    def is_view(self, op: Operation) -> bool:
        return op.has_trait(ConstantLike, value_if_unregistered=False) or op.name in FREE

    def is_free(self, op: Operation) -> bool:
        return isinstance(op, TransposeOp) and self.target.is_free(op.name)

    def is_kept_out(self, op: Operation) -> bool:
        """True for an op that all stages run behind others of its group only."""
        return bool(self.stages(op)) and all(is_for_own(self.target.stages[name], op) for name in self.stages(op))

    def loading(self, op: Operation) -> list[str]:
        """The stages that absorb a transpose."""
        return [stage.name for stage in self.target.stages.values() if absorbs(stage, op)]

    def stages(self, op: Operation) -> list[str]:
        running = [stage.name for stage in self.target.stages.values() if stage.rules_for(op.name)]
        return list(dict.fromkeys([*running, *self.loading(op)]))

    def _behind(self, values: Sequence[SSAValue]) -> set[SSAValue]:
        found: set[SSAValue] = set()
        for value in values:
            owner = value.owner
            if isinstance(owner, Operation) and self.is_view(owner):
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

    def best(self) -> tuple[int, int]:
        """The fewest bytes, then groups."""
        return min(self._priced(groups) for groups in self._partitions(self.grouped))

    def _priced(self, groups: Sequence[frozenset[Operation]]) -> tuple[int, int]:
        total, count = self.sums(groups)
        return total + sum(map(self._price, groups)), count

    def fewest_bytes(self, most: int) -> int:
        """The fewest bytes, or `most` if there are no fewer."""
        outside = [frozenset([op]) for op in self.ops if op not in self.grouped]
        return self._fewest(self.grouped, sum(map(self._bytes, outside)), [], most)

    def _fewest(self, rest: Sequence[Operation], total: int, groups: Sequence[frozenset[Operation]], most: int) -> int:
        """The fewest bytes with some groups, which cost so much, and any groups of the rest."""
        if total >= most or not rest:
            return total if total < most and self._is_acyclic(groups) else most
        for count in reversed(range(len(rest))):
            for others in combinations(rest[1:], count):
                if self._legal(part := frozenset([rest[0], *others])):
                    left = [op for op in rest if op not in part]
                    most = self._fewest(left, total + self._bytes(part) + self._price(part), [*groups, part], most)
        return most

    def _partitions(self, ops: Sequence[Operation]) -> Iterator[list[frozenset[Operation]]]:
        yield from (each for each in _partitions(list(ops), self._may_be_group) if self._is_acyclic(each))

    def sums(self, groups: Sequence[frozenset[Operation]]) -> tuple[int, int]:
        """The bytes that travel without prices, and the number of groups; a free transpose alone is none."""
        inside = set(chain(*groups))
        parts = [*groups, *(frozenset([op]) for op in self.ops if op not in inside)]
        return sum(map(self._bytes, parts)), sum(not self._is_none(group) for group in groups)

    def _is_none(self, group: frozenset[Operation]) -> bool:
        return all(map(self.is_free, group)) or (len(group) == 1 and all(map(self.is_kept_out, group)))

    def _bytes_of(self, part: frozenset[Operation]) -> int:
        """The bytes that a group, or an op in none, reads and writes."""
        outside = set[SSAValue]().union(*(self.reads[op] for op in part))
        read = sum(_size(value) for value in outside if value.owner not in part)
        return read + sum(_size(value) for op in part for value in op.results if self._is_read_outside(value, part))

    def _is_read_outside(self, value: SSAValue, part: Collection[Operation]) -> bool:
        return value in self.returned or any(value in reads for op, reads in self.reads.items() if op not in part)

    def _may_be_group(self, part: frozenset[Operation]) -> bool:
        if len(part) == 1:
            return True
        return any(True for _ in self._prices(part))

    def _least_price(self, part: frozenset[Operation]) -> int:
        """The least price of the transposes of a group; nothing if it has no other ops."""
        if not any(stage.price for stage in self.target.stages.values()):
            return 0
        is_free = self._is_none(part) or all(isinstance(op, TransposeOp) for op in part)
        return 0 if is_free else min(self._prices(part))

    def _prices(self, part: frozenset[Operation]) -> Iterator[int]:
        """The price of each way to run a group."""
        transposes = [op for op in part if isinstance(op, TransposeOp) and (self.is_free(op) or self.loading(op))]
        for count in range(min(len(transposes) + 1, len(part))):
            for carried in combinations(transposes, count):
                yield from self._prices_with(part, carried)

    def _prices_with(self, part: frozenset[Operation], carried: Collection[Operation]) -> Iterator[int]:
        """The price of each way to run all ops of a group on stages except for some transposes."""
        if any(not self.is_free(op) and self._owners(op) & part for op in carried):
            return
        if any(not any(op in self._owners(other) for other in part) for op in carried):
            return
        for order in self._orders((), part - {*carried}, carried, frozenset()):
            if not self._escapes(order, carried):
                able = tuple(self._able(order, carried))
                yield from self._on_stages(tuple(zip(order, able, strict=True)), frozenset(carried), None, {})

    def _orders(
        self,
        order: tuple[Operation, ...],
        rest: frozenset[Operation],
        carried: Collection[Operation],
        before: frozenset[Operation],
    ) -> Iterator[tuple[Operation, ...]]:
        """The orders of a group that begin so: each op behind those that it reads, and reading what is before it."""
        if not rest:
            yield order
        for op in self.grouped:
            if op not in rest or self._above(op, carried) & rest or (order and not self._owners(op) & before):
                continue
            if self._reads_beside(op, carried, before) and not self._holding(op):
                continue
            seen = before | {op, *(each for each in carried if each in self._above(op, carried))}
            seen |= {each for each in carried if self._above(each, carried) & seen}
            yield from self._orders((*order, op), rest - {op}, carried, seen)

    def _reads_beside(self, op: Operation, carried: Collection[Operation], before: Collection[Operation]) -> bool:
        """True if an op needs a value of its group whole, or one that is loaded for another op."""
        factors = [self._comes_from(factor, carried, before) for factor in self._factors[op]]
        return self._comes_from(self._beside[op], carried, before) or factors == [True, True]

    def _holding(self, op: Operation) -> Collection[str]:
        """The stages that run an op behind results of its group which it reads beside its data."""
        return [s for s in self.stages(op) if self.target.stages[s].holds]

    def _able(self, order: Sequence[Operation], carried: Collection[Operation]) -> Iterator[Collection[str]]:
        """The stages that run each op of an order, by what it reads of the ops before it."""
        before = frozenset[Operation]()
        for op in order:
            able = self.stages(op)
            if self._reads_beside(op, carried, before):
                able = self._holding(op)
            read = [value for value in self.reads[op] if self._comes_from([value], carried, before)]
            limits = {name: self.target.stages[name].most_bytes for name in able}
            able = [name for name in able if all(_size(each) <= (limits[name] or _size(each)) for each in read)]
            if not all(value.owner in before for value in self.reads[op]):
                able = [name for name in able if not is_for_own(self.target.stages[name], op)]
            yield able
            before |= {op, *(each for each in carried if each in self._above(op, carried))}
            before |= {each for each in carried if self._above(each, carried) & before}

    def _comes_from(
        self, values: Collection[SSAValue], carried: Collection[Operation], before: Collection[Operation]
    ) -> bool:
        owners = {value.owner for value in values if isinstance(value.owner, Operation)}
        above = (self._above(owner, carried) for owner in owners if owner in carried)
        return any(each in before for each in owners.union(*above))

    def _escapes(self, order: Sequence[Operation], carried: Collection[Operation]) -> bool:
        """True if a value leaves a group that must not."""
        inner = {*order[:-1], *carried} if self.target.forbids_escaping else set[Operation]()
        part = {*order, *carried}
        return any(self._is_read_outside(value, part) for op in inner for value in op.results)

    def _above(self, op: Operation, carried: Collection[Operation]) -> set[Operation]:
        """The ops that an op reads, also through carried ones."""
        found: set[Operation] = set()
        for owner in self._owners(op):
            found |= {owner} | (self._above(owner, carried) if owner in carried else set[Operation]())
        return found

    def _on_stages(
        self,
        order: Sequence[tuple[Operation, Collection[str]]],
        waiting: frozenset[Operation],
        last: str | None,
        uses: Mapping[str, int],
    ) -> Iterator[int]:
        """The price of each way to run ops in this order; those that wait are loaded for their first reader."""
        if not order:
            yield 0
            return
        op, able = order[0]
        loaded = [each for each in waiting if each in self._owners(op) and not self.is_free(each)]
        for stage in able:
            limit, used = self.target.stages[stage].uses, uses.get(stage, 0) + (stage not in self.loading(op))
            if last is not None and not self.leads(last, stage):
                continue
            ways = [[load for load in self.loading(each) if self.leads(load, stage)] for each in loaded]
            if not all(ways) or (limit is not None and used > limit):
                continue
            price = 0 if self.is_free(op) else self._price_on(stage, op)
            price += sum(
                min(self._price_on(load, each) for load in some) for each, some in zip(loaded, ways, strict=True)
            )
            for others in self._on_stages(order[1:], waiting - {*loaded}, stage, {**uses, stage: used}):
                yield price + others

    def _price_on(self, stage: str, op: Operation) -> int:
        return price_on(self.target.stages[stage], op)

    def _is_acyclic(self, groups: Sequence[frozenset[Operation]]) -> bool:
        part_of = {op: part for part in groups for op in part}
        waiting = {
            part: {part_of.get(owner, frozenset([owner])) for op in part for owner in self._owners(op)} - {part}
            for part in [*groups, *(frozenset([op]) for op in self.ops if op not in part_of)]
        }
        while ready := {part for part, others in waiting.items() if not others}:
            waiting = {part: others - ready for part, others in waiting.items() if part not in ready}
        return not waiting

    def _owners(self, op: Operation) -> set[Operation]:
        return {value.owner for value in self.reads[op] if isinstance(value.owner, Operation)}


def _partitions(
    ops: list[Operation], is_legal: Callable[[frozenset[Operation]], bool]
) -> Iterator[list[frozenset[Operation]]]:
    known: dict[frozenset[Operation], bool] = {}

    def legal(part: frozenset[Operation]) -> bool:
        if part not in known:
            known[part] = is_legal(part)
        return known[part]

    def split(rest: Sequence[Operation]) -> Iterator[list[frozenset[Operation]]]:
        if not rest:
            yield []
            return
        for count in range(len(rest)):
            for others in combinations(rest[1:], count):
                if legal(part := frozenset([rest[0], *others])):
                    yield from ([part, *parts] for parts in split([op for op in rest if op not in part]))

    return split(ops)


def _size(value: SSAValue) -> int:
    type_ = tensor_type(value)
    assert isinstance(type_.element_type, FixedBitwidthType)
    return prod(type_.get_shape()) * type_.element_type.bitwidth // 8
