"""The ways in which one more step can be grouped, from a state of the search for groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .problem import GROUP_PRICE, CoverProblem
from .state import NONE, Decision, OpenGroup, State, Value

_WRITTEN = Value()
"""A value that is written, and depends on no open group."""


class CoverMoves:
    """All ways to go from a state before a step to one behind it."""

    def __init__(self, problem: CoverProblem) -> None:
        self._problem = problem
        self._order = problem.order
        self._keeps_all = True

    def after(self, state: State, step: int) -> tuple[list[State], bool]:
        """The states behind a step; False if a way was left out."""
        self._keeps_all = True
        problem = self._problem
        found = list(self._ways(state, step)) if problem.is_grouped(step) else [self._outside(state, step)]
        return [each for each in found if self._finish(each, step)], self._keeps_all

    def is_safe(self, state: State) -> bool:
        """True if all groups can be left unchanged, whatever follows."""
        if not self._problem.forbids_escaping:
            return not any(value.is_unserved for value in state.values.values())
        return all(record.group is None or self._may_close(state, value) for value, record in state.values.items())

    def _outside(self, state: State, step: int) -> State:
        result = state.copy()
        below = NONE.union(*(state.below(value) for value in self._reads(step)))
        if below:
            result.values |= {value: Value(below=below) for value in self._results(step) if self._lives(value, step)}
        return result

    def _reads(self, step: int) -> Sequence[int]:
        return self._problem.flow.steps[step].reads

    def _results(self, step: int) -> Sequence[int]:
        return self._problem.flow.steps[step].results

    def _lives(self, value: int, step: int) -> bool:
        return self._problem.last_reader[value] > step

    def _ways(self, state: State, step: int) -> Iterator[State]:
        problem = self._problem
        for group in self._groups_read(state, step):
            yield from self._joined(state, step, group)
            if problem.is_free[step] and (free := self._carried(state, step, group)) is not None:
                yield free
        if problem.is_absorbed(step):
            entries = -1 if problem.is_free[step] else problem.entries[step]
            yield from self._placed(state, step, step, None, 0, entries)
        own = problem.beginning[step]
        for stage in own if self._reads_waiting(state, step) else self._best_last(step, own):
            yield from self._placed(state, step, step, stage, 0)
        if not own and problem.stages[step]:
            yield from self._alone(state, step)

    def _alone(self, state: State, step: int) -> Iterator[State]:
        """A step that may not begin a group, outside of all groups."""
        result = state.copy()
        result.groups[step] = OpenGroup(self._problem.stages[step][:1])
        if not self._read(result, step, step) or (made := self._with_results(result, step, step, 0)) is None:
            return
        made.forget([step])
        yield made

    def _best_last(self, step: int, stages: Sequence[int]) -> list[int]:
        return self._order.best_last(stages, self._problem.prices_on[step])

    def _groups_read(self, state: State, step: int) -> list[int]:
        """The open groups from which a step reads a value."""
        if not state.groups:
            return []
        records = (state.values.get(value) for value in self._reads(step))
        return list(dict.fromkeys(each.group for each in records if each is not None and each.group is not None))

    def _reads_waiting(self, state: State, step: int) -> bool:
        """True if a step reads a value of a group that may be absorbed."""
        return any(state.groups[group].entries is not None for group in self._groups_read(state, step))

    def _joined(self, state: State, step: int, group: int) -> Iterator[State]:
        """The ways to run a step on a stage of a group whose values it reads."""
        found = state.groups[group]
        able = self._able(state, step, group)
        if found.entries is not None or not able:
            return
        own = [state.values[value] for value in self._reads(step) if self._is_in(state, value, group)]
        first = max(value.place for value in own) + 1
        if first == 0 and not any(self._problem.may_join(value, step) for value in self._reads(step)):
            # No stage behind those of these values runs the step, and they are forgotten.
            return
        uses = dict(found.uses)
        for place in range(first, len(found.stages) + 1):
            stages = [each for each in able if self._fits(step, each, found.stages, place, uses)]
            is_last = place == len(found.stages) and self._is_only_one(state, step, group)
            if is_last and not self._reads_waiting(state, step):
                stages = self._best_last(step, stages)
            for stage in stages:
                yield from self._placed(state, step, group, stage, place)

    def _able(self, state: State, step: int, group: int) -> Sequence[int]:
        """The stages that run a step in a group, by the values that it reads of it."""
        problem, reader = self._problem, self._problem.flow.steps[step]
        found = problem.stages[step]
        factors = sum(any(self._is_in(state, value, group) for value in each) for each in reader.factors)
        if factors > 1 or any(self._is_in(state, value, group) for value in reader.beside):
            found = [stage for stage in found if problem.holding[step] >> stage & 1]
        read = [value for value in reader.reads if self._is_in(state, value, group)]
        found = [stage for stage in found if all(problem.takes(stage, value) for value in read)]
        if problem.own[step] and not all(self._is_in(state, value, group) for value in reader.reads):
            found = [stage for stage in found if not problem.own[step] >> stage & 1]
        return found

    def _is_in(self, state: State, value: int, group: int) -> bool:
        record = state.values.get(value)
        return record is not None and record.group == group

    def _fits(self, step: int, stage: int, stages: Sequence[int], place: int, uses: dict[int, int]) -> bool:
        if place and not self._order.leads(stages[place - 1], stage):
            return False
        if place < len(stages) and not self._order.leads(stage, stages[place]):
            return False
        limit = self._order.limit(stage)
        return limit is None or not self._problem.spends[step] >> stage & 1 or uses.get(stage, 0) < limit

    def _is_only_one(self, state: State, step: int, group: int) -> bool:
        """True if only the results of a step can be read by more ops of a group."""
        return all(
            record.group != group or self._problem.last_join[value] <= step for value, record in state.values.items()
        )

    def _carried(self, state: State, step: int, group: int) -> State | None:
        """A free transpose in the group that it reads, without a stage; an op of that group has to read it."""
        result = state.copy()
        own = [state.values[value].place for value in self._reads(step) if self._is_in(state, value, group)]
        if not self._read(result, step, group):
            return None
        behind = len(state.groups[group].stages) - max(own) - 1
        result.decisions = Decision(step, group, None, behind, (), state.decisions)
        return self._with_results(result, step, group, max(own), is_unserved=True)

    def _placed(
        self, state: State, step: int, group: int, stage: int | None, place: int, entries: int | None = None
    ) -> Iterator[State]:
        """A step at a place of a group, which begins with it if it bears its number."""
        for absorbed in self._absorbed(state, step, group, stage):
            result = state.copy()
            if group == step:
                result.groups[group] = OpenGroup(entries=entries)
                result.cost += GROUP_PRICE if entries != -1 else 0
            if not self._read(result, step, group, absorbed):
                continue
            behind = len(result.groups[group].stages) - place
            result.decisions = Decision(step, group, stage, behind, tuple(absorbed), state.decisions)
            if stage is not None:
                self._insert(result, step, group, stage, place)
            for other in absorbed:
                self._absorb(result, other, group, place)
            if stage is not None and self._problem.has_stage_prices:
                self._pay(result, step, group, stage, absorbed)
            made = self._with_results(result, step, group, place if stage is not None else -1)
            if made is not None:
                yield made

    def _absorbed(self, state: State, step: int, group: int, stage: int | None) -> Iterator[list[int]]:
        """The groups of transposes that become a part of the group of a step that reads them.

        It is always right to absorb one that nothing else reads: another state has the same transpose on a stage of its
        own, where it costs nothing. One on which another operand depends cannot be absorbed.
        """
        if stage is None or not state.groups:
            yield []
            return
        waiting = [each for each in self._groups_read(state, step) if each != group]
        able = [
            each
            for each in waiting
            if self._can_absorb(state, each, group, stage) and not self._is_below_another(state, each, step)
        ]
        others = [each for each in able if not self._is_only_reader(state, each, step)]
        alone = [each for each in able if each not in others]
        yield alone
        self._keeps_all &= not others
        yield from ([*alone, other] for other in others if group == step)

    def _price_into(self, waiting: int, stage: int) -> int:
        """The price of the transpose with which a waiting group begins, on the way to a stage."""
        return self._problem.prices_into[waiting].get(stage, 0)

    def _pay(self, state: State, step: int, group: int, stage: int, absorbed: Collection[int]) -> None:
        """Pay for the transposes that join a group, or are owed because of the first op that is none."""
        price = self._problem.prices_on[step].get(stage, 0) + sum(self._price_into(each, stage) for each in absorbed)
        owed = state.groups[group].owed
        if owed is not None and self._problem.is_transpose(step):
            state.groups[group] = state.groups[group]._replace(owed=owed + price)
            return
        state.cost += price + (owed or 0)
        state.groups[group] = state.groups[group]._replace(owed=None)

    def _can_absorb(self, state: State, waiting: int, group: int, stage: int) -> bool:
        found = state.groups[waiting]
        if found.entries is None or group in found.below:
            return False
        if group in state.groups and waiting in state.groups[group].below:
            # An op between the two may be the cause; it is not known here.
            self._keeps_all = False
            return False
        if self._problem.forbids_escaping and self._escapes(state, waiting):
            return False
        return found.entries == -1 or any(
            self._order.leads(entry, stage) for entry in range(len(self._order.stages)) if found.entries >> entry & 1
        )

    def _is_below_another(self, state: State, group: int, step: int) -> bool:
        """True if an operand of a step depends on a group that does not produce it."""
        records = ((value, state.values.get(value)) for value in self._reads(step))
        return any(
            record is not None and record.group != group and group in state.below(value) for value, record in records
        )

    def _escapes(self, state: State, group: int) -> bool:
        return any(record.group == group and self._problem.escapes[value] for value, record in state.values.items())

    def _is_only_reader(self, state: State, group: int, step: int) -> bool:
        """True if no op behind a step reads values of a group."""
        return all(
            record.group != group or (not self._lives(value, step) and not self._problem.escapes[value])
            for value, record in state.values.items()
        )

    def _absorb(self, state: State, waiting: int, group: int, place: int) -> None:
        """Make a group of transposes a part of another one, which reads what both have read only once.

        They go with the op at a place, so others that read them come behind it; free ones go with the first reader.
        """
        for value, record in state.values.items():
            if waiting in record.read_by and group in record.read_by:
                state.cost -= self._problem.prices[value]
        found = state.groups[waiting]
        state.cost -= GROUP_PRICE if found.entries != -1 else 0
        state.depend(group, found.below)
        state.rename(waiting, group, place if found.entries != -1 else -1)

    def _read(self, state: State, step: int, group: int, absorbed: Collection[int] = ()) -> bool:
        """Let a group read the operands of a step; False if groups would wait for each other, or a value escape."""
        below: set[int] = set()
        for value in self._reads(step):
            record = state.values.get(value)
            if record is None:
                state.cost += self._problem.prices[value]
                state.values[value] = Value(read_by=frozenset((group,)))
                continue
            if record.group == group or record.group in absorbed:
                state.values[value] = record._replace(is_unserved=False)
                continue
            below |= state.below(value)
            if not record.is_written:
                if self._problem.forbids_escaping and not self._closes(state, value):
                    return False
                state.cost += self._problem.prices[value]
                record = state.values[value]._replace(is_written=True)
            if group not in record.read_by:
                state.cost += self._problem.prices[value]
                record = record._replace(read_by=record.read_by | {group})
            state.values[value] = record
        if group in below or not below.isdisjoint(absorbed):
            return False
        state.depend(group, frozenset(below) & state.groups.keys())
        return True

    def _closes(self, state: State, value: int) -> bool:
        """Close a group whose last op has a value that is read outside; False if it is another op's value."""
        group = state.values[value].group
        if group is None:
            # It is closed already, behind the op of which this is another result.
            return True
        if not self._may_close(state, value):
            return False
        state.forget([group])
        return True

    def _may_close(self, state: State, value: int) -> bool:
        """True if no other op of the group that has a value is still read, and none comes behind it."""
        record = state.values[value]
        assert record.group is not None
        others = [each for each, found in state.values.items() if found.group == record.group and each != value]
        is_last = record.place == len(state.groups[record.group].stages) - 1
        mates = self._mates(value)
        return is_last and not record.is_unserved and all(each in mates for each in others)

    def _mates(self, value: int) -> Sequence[int]:
        """All results of the op that produces a value."""
        return self._problem.flow.steps[self._problem.flow.producer[value]].results

    def _insert(self, state: State, step: int, group: int, stage: int, place: int) -> None:
        found = state.groups[group]
        uses = dict(found.uses)
        if self._problem.spends[step] >> stage & 1:
            uses[stage] = uses.get(stage, 0) + 1
        stages = (*found.stages[:place], stage, *found.stages[place:])
        state.groups[group] = OpenGroup(stages, tuple(sorted(uses.items())), found.below, owed=found.owed)
        for value, record in state.values.items():
            if record.group == group and record.place >= place:
                state.values[value] = record._replace(place=record.place + 1)

    def _with_results(self, state: State, step: int, group: int, place: int, is_unserved: bool = False) -> State | None:
        """Record the results of a step; None if one of them may not leave the group."""
        problem = self._problem
        results = self._results(step)
        for value in results:
            state.values[value] = Value(group, place, problem.escapes[value], is_unserved=is_unserved)
        escaping = [value for value in results if problem.escapes[value]]
        if not problem.forbids_escaping or not escaping:
            return state
        if state.groups[group].entries is not None:
            # Even if nothing reads this value any more, no group may absorb it.
            state.groups[group] = state.groups[group]._replace(entries=0)
            return state
        alive = [
            value
            for value, record in state.values.items()
            if record.group == group and self._lives(value, step) and value not in results
        ]
        if alive or place != len(state.groups[group].stages) - 1 or is_unserved:
            return None
        state.forget([group])
        return state

    def _finish(self, state: State, step: int) -> bool:
        """Drop the values that are not read any more, and close groups; False if a free transpose has no reader."""
        last_reader, last_join = self._problem.last_reader, self._problem.last_join
        for value in [each for each in state.values if last_reader[each] <= step]:
            record = state.values[value]
            if record.is_unserved:
                return False
            if not self._may_be_refunded(state, record):
                del state.values[value]
        growing = {
            record.group
            for value, record in state.values.items()
            if last_join[value] > step and record.group is not None
        }
        if any(record.is_unserved and record.group not in growing for record in state.values.values()):
            return False
        state.forget([group for group in state.groups if group not in growing])
        for group in state.groups:
            self._trim(state, group, step)
        for value in [each for each, record in state.values.items() if record == _WRITTEN]:
            del state.values[value]
        return True

    def _may_be_refunded(self, state: State, record: Value) -> bool:
        """True if a group that may be absorbed has read a value, which another group may have read as well."""
        return len(record.read_by) > 1 and any(state.groups[each].entries is not None for each in record.read_by)

    def _trim(self, state: State, group: int, step: int) -> None:
        """Forget the stages in front of the first value of a group that more ops may read inside of it."""
        found = state.groups[group]
        if found.entries is not None:
            return
        own = [(value, record) for value, record in state.values.items() if record.group == group]
        start = min([record.place for value, record in own if self._problem.last_join[value] > step])
        if start < 0:
            return
        if start:
            for value, record in own:
                state.values[value] = record._replace(place=max(record.place - start, -1))
        stages = found.stages[start:]
        if len(stages) == 1:
            stages = (self._order.alike(stages[0]),)
        left = self._order.limited_behind(stages[0])
        uses = tuple([(stage, count) for stage, count in found.uses if left >> stage & 1])
        if stages != found.stages or uses != found.uses:
            state.groups[group] = OpenGroup(stages, uses, found.below, owed=found.owed)
