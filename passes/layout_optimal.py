"""The least data that a program can move, with the proof that it cannot move less."""

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ..dialects.carrying.callers import counting_calls
from ..dialects.notes.value_pins import drop_pins
from ..dialects.npu.values import shape_of
from ..dialects.settings.assumed_sizes import assuming, assumption
from ..layout import DYNAMIC, movement
from ..targets import CostUnit, Target, load
from ..targets.prices import TICKS
from .common.debug_counter import limit_of
from .common.demands.target_cost import cost_of_conversions, cost_on_target
from .common.demands.target_layouts import TargetLayouts
from .common.graph.producers import node_of
from .common.moves.between import between_text
from .common.moves.idle_pairs import drop_idle_pairs
from .common.moves.transpose_cost import Cost, NotCounted, cost_of_program, counted_transposes, transposes
from .common.plans.apply import apply_plan
from .common.plans.interface_choice import FIXED_INTERFACE, Interface
from .common.plans.plan import LayoutPlan
from .common.plans.state_ties import free_states, note_of, tie_states, tied_states
from .common.words.left_unchanged import left_unchanged
from .common.words.reasons import Names
from .optimal.certificates.core import Certificate
from .optimal.certificates.of_choice import add_certificate, certificate_of_choice
from .optimal.choice.fewest_views import with_fewest_views
from .optimal.choice.mode_choice import ModeChoice, ModeTable, Optimum, choose_modes
from .optimal.choice.partial_choice import first_modes
from .optimal.choice.run_twice import CopyTrial, as_it_came_text, twice_text
from .optimal.explain.account import OF_THOSE_TRIED, Account, add_account
from .optimal.explain.changes import Changes
from .optimal.explain.conflicts import Conflicts
from .optimal.explain.pin_prices import PinPrices, prices_of, under_text
from .optimal.explain.value_text import explanation
from .optimal.prices.module_problem import Solved
from .placement.layout_pass import LayoutPass, colour, parsed_interface

if TYPE_CHECKING:
    from .optimal.choice.copied_ops import CopiedOps

SAME_PRICE = 1.5
"""The ratio of prices up to which measurements do not tell which of two programs is faster."""
PARTS = 64
"""A transpose less is worth the price of the whole program, or one of so many parts of it."""
SAME_TIME = 2
"""The ratio of prices up to which transposes stay where they are if none is saved: kernels move elements, and take
little less time for narrower ones."""
OF_FORMS_TRIED = "(not every two forms of the ops that may run twice were tried)"
UNTRIED = "  single changes are not tried with cost=traffic: --what-if solves the program again for each of them"


@dataclass(frozen=True)
class LayoutOptimal(LayoutPass):
    """Give the ops the layouts with which the whole program moves the least data, and prove it.

    Every op has modes: its forms that meet the layout requirements (demands) of the target. Transposes, relabels and
    reshapes are views of a storage, not ops. A tensor pays for one copy per extra layout, however many ops read that
    copy. The least total cost is a linear program. If its optimum is integral, it is the minimum, and the dual values
    of the solver prove it in exact arithmetic; otherwise branch and bound continues.

    The minimum is over all layouts of all values and all forms of each op that compute the same: with permuted axes,
    and with axes split into pieces, as a softmax over the rows of an image can work on the image. The pieces of an axis
    may be permuted, as a matrix product sums in any order if its matrix is stored to match. Ops with a layout
    requirement are only permuted; axes named N, C, H, W are never split. Not searched are pieces of axes of unknown
    size, axes merged before they are split, ops with more axes than the target re-orders, and programs in which an op
    is replaced or moved. If prices are minimised, an op may run twice where the target has a price for that, in
    `[costs.recompute]`. Opaque ops and signatures stay unchanged. Values that calls, branches and loops carry take the
    layout with the least cost over all calls and iterations; private functions change with it.

    Constants are stored in each layout that is read. A second one costs the price of `constant` in `[costs]` of the
    target, if prices are minimised, else nothing. Axes of one element cost nothing. A program that is already at its
    minimum is not changed. The pass accepts programs without layouts (`layout-transmit` runs first), with layouts, and
    the result of every other layout pass, whose transposes it removes. Values with a pin (`pin-layouts`) are stored as
    it says: the minimum is that under the pins, and the pass prints the cost of each, from a solution without it.
    """

    name = "layout-optimal"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    cost: Literal["target", "bytes", "count", "traffic", "prices", "guarded"] = "target"
    """The cost to minimise: `bytes` that transposes move; `count`, the number of transposes; `traffic`, the bytes that
    travel between the groups of `fuse-ops-hw{strategy=cover}`; `prices` in the target's file; or `target`, which the
    key `cost` of the file names, by default its prices if it has any, else bytes. `guarded` is `target`, but the
    program stays as it came if it costs less by the prices, or nothing is saved by either. Without prices in the
    file, both are `target`."""
    assume: int = 64
    """The assumed size of an unknown dimension. An unknown first dimension of an argument counts as 1."""
    time_limit: int = 60
    """The time limit of branch and bound, in seconds."""
    recompute: bool = True
    """True lets an op run twice where the target has a price for that below that of converting its result."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.assume < 1:
            raise ValueError(f"option assume: expected a size of at least 1, found {self.assume}")
        if self.time_limit < 0:
            raise ValueError(f"option time-limit: expected 0 seconds or more, found {self.time_limit}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with assuming(self.assume), counting_calls():
            super().apply(ctx, op)

    def chosen_interface(self, module: ModuleOp, names: Names) -> Interface:
        tie_states(free_states(module, parsed_interface(self.interface), names))
        return super().chosen_interface(module, names)

    def place(self, module: ModuleOp, names: Names, interface: Interface) -> None:
        if states := tied_states(module):
            print(f"note: {self.name}: {note_of(states)}", file=sys.stderr)
        drop_idle_pairs(module)
        choice = self._with_second_runs(self.choose(module, interface), names, interface)
        add_certificate(lambda: self._certificate(choice, names))
        if choice.as_it_came is not None:
            drop_pins(choice.table.pinned.pins)
            print(f"layout-optimal: {self._kept_text(choice, choice.as_it_came)}", file=sys.stderr)
            return
        if (partial := first_modes(choice, self.name, names)) is not choice:
            drop_pins(choice.table.pinned.pins)
            if not choice.changes_nothing():
                apply_plan(self._plan(partial, names), names)
            return
        pins = self.pin_prices(choice, names, interface)
        self.note_unmet(module, choice.table.target_layouts, names)
        drop_pins(choice.table.pinned.pins)
        realised = choice.cost if choice.changes_nothing() else self._written(choice, names)
        if _states_sizes(choice, realised):
            found = max(realised.counted(choice.table.cost_unit), choice.solution.cost)
            choice = choice.with_solution(replace(choice.solution, cost=found))
        bound = choice.run_time.bound if choice.table.modes.is_complete else None
        unit, target = choice.table.cost_unit, choice.table.target_layouts.target
        text = self._account(choice, realised) + (between_text(module) if choice.is_proved else "")
        is_printed = not (choice.is_proved or choice.least_price is not None)
        add_account(
            Account(
                unit, bound, choice.is_proved, choice.has_every_order, target, self.assume, text, is_printed, pins.each
            )
        )
        for line in pins.lines():
            print(line, file=sys.stderr)
        if is_printed:
            print(f"{self.name}: {text}", file=sys.stderr)

    def certificate(self, module: ModuleOp) -> Certificate:
        """The certificate of the minimum of a program, which gets layouts, and the copies of ops that run twice."""
        with assuming(self.assume), counting_calls():
            names = colour(module, self.default_layout())
            ends = self.chosen_interface(module, names)
            drop_idle_pairs(module)
            return self._certificate(self._with_second_runs(self.choose(module, ends), names, ends), names)

    def _certificate(self, choice: ModeChoice, names: Names) -> Certificate:
        """The certificate of the minimum, before the program changes."""
        if limit_of(self.name) is not None:
            raise PassFailedException("there is no certificate of a part of the changes: leave --debug-counter out")
        parts = {"parts": TICKS} if choice.table.cost_unit == "target" else {}
        notes = {"pass": str(self), "target": load(self.target).name, "unit": choice.table.unit_text, **parts}
        return certificate_of_choice(choice, names, notes, self.time_limit)

    def explain(self, module: ModuleOp, value: SSAValue, names: Names, interface: Interface) -> list[str]:
        with counting_calls():
            return self._explain(module, value, names, interface)

    def _explain(self, module: ModuleOp, value: SSAValue, names: Names, interface: Interface) -> list[str]:
        choice = self.choose(module, interface)
        found = explanation(choice, value, names)
        if choice.as_it_came is not None:
            return [f"  in all: {self._kept_text(choice, choice.as_it_came)}"]
        if choice.traffic is not None:
            # Each change would take as long as the choice.
            return [*found.lines, f"  in all: {self.summary(choice)}", UNTRIED]
        changes = self.changes(choice, names, interface)
        twice = self._second_run_lines(choice, value, names)
        return [
            *found.lines,
            f"  in all{', if each op runs once' if twice else ''}: {self.summary(choice)}",
            *twice,
            *self._kept_lines(choice, value, names),
            *changes.lines(found.ends, found.is_converted),
        ]

    def changes(self, choice: ModeChoice, names: Names, interface: Interface) -> Changes:
        """The changes of one thing that could save a chosen program conversions."""

        def chosen(target: Target, free: Interface) -> ModeChoice:
            return self._choose(choice.table.module, target, choice.table.cost_unit, {**interface, **free})

        return Changes(choice, names, chosen, self.time_limit)

    def choose(self, module: ModuleOp, interface: Interface = FIXED_INTERFACE) -> ModeChoice:
        """Choose modes for a coloured program. Changes nothing."""
        target = load(self.target)
        has_prices = target.with_prices.cost == "target"
        if self.cost == "prices" and has_prices:
            return self._choose_by_prices(module, target, interface)
        if self.cost == "guarded" and has_prices:
            return self._choose_guarded(module, target, interface)
        return self._choose_by_cost(module, target, interface)

    def _with_second_runs(self, choice: ModeChoice, names: Names, interface: Interface) -> ModeChoice:
        """The choice for the program with some ops copied, if it costs less; the program has the copies then.

        A copy may run twice as well, so that another run of the pass finds nothing to copy.
        """
        module, counts = choice.table.module, load(self.target).cost != "target"
        while (copied := self._copied(choice)) is not None:
            trial = CopyTrial(choice, copied, lambda: self.choose(module, interface), counts, self._copied_in)
            choice, is_better = trial.best(self.name, names)
            if not is_better:
                break
        return choice

    def _second_run_lines(self, choice: ModeChoice, value: SSAValue, names: Names) -> list[str]:
        """The ops that run twice, and what the one behind a value saves."""
        copied = self._copied(choice)
        if copied is None:
            return []
        from .optimal.explain.second_runs import second_run_lines

        def least_without(op: Operation) -> int:
            other = self._copied(choice, op)
            return choice.solution.cost if other is None else other.cost

        return second_run_lines(copied, choice.priced or choice.table, value, names, least_without)

    def _kept_lines(self, choice: ModeChoice, value: SSAValue, names: Names) -> list[str]:
        """The orders of the constant behind a value, if it is kept in several at a price."""
        if not choice.kept.constants:
            return []
        # Imported late: few targets have prices of constants.
        from .optimal.explain.kept_constants import kept_lines

        return kept_lines(choice, value, names, self.time_limit)

    def _copied(self, choice: ModeChoice, but: Operation | None = None) -> "CopiedOps | None":
        """The cheapest program in which ops may run twice, but for one of them. Changes nothing."""
        table = choice.table if choice.table.cost_unit == "target" else choice.priced
        if table is None or not self.recompute or limit_of(self.name) is not None:
            return None
        if not table.target_layouts.prices.has_second_runs:
            return None
        if table is choice.table:
            return self._copied_in(table, choice.solved, but)
        # Imported late: few targets have prices of second runs.
        from .optimal.choice.copied_ops import second_prices

        # Another unit has no bound by prices, which would take as long as the choice: look where results are converted.
        ops = second_prices(table).keys() - {but}
        if not any(use.is_converted and node_of(use.root) in ops for use in choice.uses):
            return None
        return self._copied_in(table, table.problem.chosen([0] * len(table.modes.of)), but)

    def _copied_in(
        self, table: ModeTable, solved: Solved | None = None, but: Operation | None = None
    ) -> "CopiedOps | None":
        """The cheapest program in which ops may run twice in the modes of a table, but for one of them."""
        # Imported late: few targets have prices of second runs.
        from .optimal.choice.copied_ops import copied_ops, second_prices

        prices = {op: price for op, price in second_prices(table).items() if op is not but}
        return copied_ops(table, solved or table.problem.solved(self.time_limit), prices, self.time_limit)

    def _choose_by_prices(self, module: ModuleOp, target: Target, interface: Interface) -> ModeChoice:
        """The cheapest choice, or one of fewer transposes that measured prices do not tell from it.

        The choice of the target's own cost comes first, if it costs no more than the program as it came: patterns that
        engines know are not rewritten for a gain that may not be there. Then comes the cheapest one of as few
        transposes. A program that has fewer transposes than the cheapest choice, and could have even fewer, does not
        get more: it stays as it came if that costs less. If none is saved, it also stays for a small gain. Last comes
        one of fewer transposes than the cheapest, if it costs no more than the program as it came.
        """
        prices = target.with_prices
        if target.cost == "target":
            return self._choose_by_cost(module, target, interface)
        table = self._priced(module, prices, interface)
        present = self._present(table)
        other = replace(self._choose_by_cost(module, target, interface), priced=table)
        price = table.ticks_of(other)
        # The bound takes a fraction of the time of the least price, and is enough for most programs.
        if price <= min(present.total, SAME_PRICE * table.bound):
            return _nearest(other, price, present)
        cheapest = table.best(self.time_limit)
        least = cheapest.solved.solution.cost
        if price <= min(present.total, SAME_PRICE * least):
            return _nearest(other, price, present)
        if least > present.total and _meets_demands(other):
            return replace(cheapest.table.choice(cheapest.solved), as_it_came=present)
        counts = target.cost == "count"
        fewer = self._fewer(cheapest, present.total, SAME_PRICE * least, interface) if counts else None
        if fewer is not None:
            return fewer
        if cheapest.cost.transposes > present.transposes >= other.cost.transposes:
            is_better = other.cost.transposes < present.transposes and price <= present.total
            return other if is_better else replace(cheapest.table.choice(cheapest.solved), as_it_came=present)
        if counts and other.cost.transposes < cheapest.cost.transposes:
            most = min(present.total, SAME_PRICE * least)
            fewer = self._fewer(cheapest, present.total // PARTS, most, interface)
        return fewer or cheapest.choice()

    def _choose_guarded(self, module: ModuleOp, target: Target, interface: Interface) -> ModeChoice:
        """The choice of the target's own cost, or the program as it came if that costs less by the prices.

        The program also stays as it came if the choice saves nothing by either.
        """
        if target.cost == "target":
            return self._choose_by_cost(module, target, interface)
        table = self._priced(module, target.with_prices, interface)
        choice = replace(self._choose_by_cost(module, target, interface), priced=table)
        present = self._present(table)
        price, unit = table.ticks_of(choice), choice.table.cost_unit
        is_better = price < present.total or choice.cost.counted(unit) < present.counted(unit)
        changes_in_vain = not (is_better or choice.changes_nothing())
        stays = (price > present.total or changes_in_vain) and _meets_demands(choice)
        return replace(choice, as_it_came=present) if stays else choice

    def _present(self, table: ModeTable) -> Cost:
        """The price of the program as it came."""
        moved = cost_on_target(table.module, table.target_layouts.target, self.assume)
        return replace(moved, kept=table.constants.as_it_is.ticks)

    def _fewer(self, cheapest: Optimum, worth: int, most: float, interface: Interface) -> ModeChoice | None:
        """A choice of fewer transposes than the cheapest one, where each is worth so much, for `most` in all."""
        dearer = load(self.target).with_prices.with_dearer_transposes(worth)
        table = self._priced(cheapest.table.module, dearer, interface)
        found = table.best(self.time_limit).at_the_prices_of(cheapest)
        if found.cost.transposes >= cheapest.cost.transposes or found.solved.solution.cost > most:
            return None
        return replace(found.choice(), least_price=cheapest.solved.solution.cost)

    def _priced(self, module: ModuleOp, target: Target, interface: Interface) -> ModeTable:
        """All modes at the prices of a target."""
        return ModeTable.of(module, TargetLayouts(target, self.assume), "target", self.assume, interface)

    def unit(self, target: Target) -> CostUnit:
        """The figure that is the least: the target's own, or the one that is chosen."""
        return target.cost if self.cost in ("target", "prices", "guarded") else self.cost

    def _choose_by_cost(self, module: ModuleOp, target: Target, interface: Interface) -> ModeChoice:
        unit = self.unit(target)
        found = self._choose(module, target, unit, interface)
        if unit == "target":
            return self._or_as_it_came(found)
        if self.cost == "count" or unit != "count":
            return found
        present = cost_of_program(module, self.assume)
        if found.cost.bytes <= present.bytes or found.cost.transposes > present.transposes:
            return found
        # Fewer transposes of more data than before take longer than those that were there.
        other = self._choose(module, target, "bytes", interface)
        return other if other.cost.transposes <= present.transposes else found

    def _or_as_it_came(self, choice: ModeChoice) -> ModeChoice:
        """A choice by prices, or the program as it came if that costs less, as it transposes converted copies."""
        moved = self._transposes_of(choice.table.module, choice)
        present = replace(moved, kept=choice.table.constants.as_it_is.ticks)
        is_dearer = not present.is_assumed and choice.solution.cost > present.total
        return replace(choice, as_it_came=present) if is_dearer and _meets_demands(choice) else choice

    def pin_prices(self, choice: ModeChoice, names: Names, interface: Interface) -> PinPrices:
        """The price of each pin of a chosen program, solved again without it."""
        module, unit, pins = choice.table.module, choice.table.cost_unit, choice.table.pinned.pins
        return prices_of(pins, names, choice.cost, unit, lambda: self.choose(module, interface).cost)

    def summary(self, choice: ModeChoice) -> str:
        """The cost of a chosen program in words, with its proof."""
        return self._account(choice, choice.cost)

    def _kept_text(self, choice: ModeChoice, present: Cost) -> str:
        count = choice.cost.transposes
        why = f"the least price needs {count} transposes"
        if choice.table.cost_unit == "target" and choice.solution.cost > present.total:
            least = f"{choice.table.counted_text(choice.solution.cost)} {choice.table.unit_text}"
            why = f"all others that were tried cost more, {least} at least"
        elif choice.priced is not None and (price := choice.priced.ticks_of(choice)) > present.total:
            more = f"{choice.priced.counted_text(price)} {choice.priced.unit_text}"
            why = f"{count} transposes would cost {more}"
        elif count == present.transposes:
            why = "fewer are impossible, and to move them saves little"
        return f"{present.text}{as_it_came_text(choice)}: unchanged, because {why}"

    @property
    def keeps_interface(self) -> bool:
        """True if no argument or result may change."""
        return parsed_interface(self.interface).keeps_all

    def _choose(self, module: ModuleOp, target: Target, unit: CostUnit, interface: Interface) -> ModeChoice:
        if unit == "traffic":
            # Imported late: only this cost needs the groups.
            from .optimal.traffic.choice import choose_by_traffic

            return choose_by_traffic(
                module, TargetLayouts(target, self.assume), self.assume, self.time_limit, interface
            )
        return choose_modes(module, TargetLayouts(target, self.assume), unit, self.assume, self.time_limit, interface)

    def _plan(self, choice: ModeChoice, names: Names) -> LayoutPlan:
        draft = with_fewest_views(choice)
        return draft.plan(Conflicts(draft.choice, names).text, self.name)

    def _written(self, choice: ModeChoice, names: Names) -> Cost:
        """Write the program as chosen, and return its cost."""
        has_unknown_sizes = any(use.is_converted and DYNAMIC in shape_of(use.root) for use in choice.uses)
        apply_plan(self._plan(choice, names), names)
        if choice.traffic is not None:
            return self._written_for_traffic(choice)
        realised = replace(self.cost_of(choice.table.module, choice), kept=choice.table.constants.as_it_is.ticks)
        # A price may depend on sizes that only views have stated which the plan has removed.
        is_guess = has_unknown_sizes and realised.is_assumed and choice.table.cost_unit == "target"
        if not is_guess and not _states_sizes(choice, realised):
            self._check(realised.counted(choice.table.cost_unit), choice.solution.cost)
        return realised

    def _written_for_traffic(self, choice: ModeChoice) -> Cost:
        """The cost of a program that was written so that the fewest bytes travel.

        The conversions are counted again. The groups are those of the choice: to find them takes as long as to try one
        more choice.
        """
        # Imported late: few programs have packs.
        from .common.moves.packs import cost_of_packs

        moved = self._transposes_of(choice.table.module, choice)
        self._check(moved.bytes, choice.cost.bytes)
        if not choice.table.target_layouts.target.blocks:
            moved += cost_of_packs(choice.table.module, self.assume)
        return moved.in_groups_of(choice.cost)

    def cost_of(self, module: ModuleOp, choice: ModeChoice) -> Cost:
        """The cost of a program, in the unit that a choice minimises."""
        if choice.table.cost_unit == "traffic":
            from .cover.module import covered_cost

            return covered_cost(module, choice.table.target_layouts.target, self.assume)
        return self._transposes_of(module, choice)

    def _transposes_of(self, module: ModuleOp, choice: ModeChoice) -> Cost:
        """The cost of the transposes of a program, on the target of a choice."""
        target = choice.table.target_layouts.target
        priced = target if choice.table.cost_unit == "target" else None
        if target.blocks:
            return cost_of_conversions(module, self.assume, priced)
        return cost_on_target(module, priced, self.assume)

    def _check(self, found: int, expected: int) -> None:
        """Check that a realised cost is the proved one."""
        if found != expected:
            raise PassFailedException(f"the program costs {found} instead of {expected}: please report this")

    def _account(self, choice: ModeChoice, realised: Cost) -> str:
        left = f"{realised.text}{assumption(realised.is_assumed)}{twice_text(choice)}"
        under, solution = under_text(choice.table.pinned.pins), choice.run_time
        if choice.is_proved:
            # A price may favour orders that nothing in the program leads to.
            if not choice.has_every_order:
                return f"{left}: {OF_THOSE_TRIED}{under}"
            if left_unchanged(choice.table.module):
                return f"{left}: the least for the ops that were placed{under}"
            tried = "" if choice.second_runs.are_all_tried else f" {OF_FORMS_TRIED}"
            return f"{left}: proved minimum{under}{tried}"
        if choice.least_price is not None:
            least = f"{choice.table.counted_text(choice.least_price)} {choice.table.unit_text}"
            return f"{left}: fewer transposes than the least price needs, which is {least}{under}"
        best = f"{left}: best found{under}"
        if not choice.table.modes.is_complete:
            return f"{best}, as not all rewrites of the ops were tried"
        if choice.traffic is not None and not choice.traffic.is_bound_known:
            return f"{best}, as sizes are unknown"
        if choice.traffic is not None:
            return f"{best}, at least {solution.bound} bytes travel (gap {solution.cost - solution.bound})"
        bound, gap = map(choice.table.counted_text, (solution.bound, solution.cost - solution.bound))
        return f"{best}, at least {bound} {choice.table.unit_text} are needed (gap {gap})"


def _nearest(fewest: ModeChoice, price: int, present: Cost) -> ModeChoice:
    """The choice of the fewest transposes, or the program as it came if that has as few and costs little more."""
    is_as_good = fewest.cost.transposes == present.transposes and present.total <= SAME_TIME * price
    stays = is_as_good and not fewest.changes_nothing() and _may_stay(fewest)
    return replace(fewest, as_it_came=present) if stays else fewest


def _may_stay(choice: ModeChoice) -> bool:
    """True if the program as it came meets all demands, and has no transposes that move nothing."""
    uncounted = (reason for _, reason in transposes(choice.table.module, choice.table.storage.origins) if reason)
    return _meets_demands(choice) and all(reason is NotCounted.CONSTANT for reason in uncounted)


def _meets_demands(choice: ModeChoice) -> bool:
    """True if the program as it came meets all demands, and the target does each of its transposes at once."""
    table = choice.table
    if any(modes[0].relayout is not None for modes in table.modes.of.values()):
        return False
    most_axes = table.target_layouts.target.most_transposed_axes
    moved = (movement(op.moved(), shape_of(op.input)) for op in counted_transposes(table.module, table.storage.origins))
    return most_axes is None or all(len(each.permutation) <= most_axes for each in moved)


def _states_sizes(choice: ModeChoice, realised: Cost) -> bool:
    """True if the cost was that of assumed sizes, where the program as it was written has views that state them."""
    return choice.traffic is None and choice.cost.is_assumed and not realised.is_assumed
