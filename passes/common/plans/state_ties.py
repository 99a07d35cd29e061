"""State that a function takes and returns for its next call: one order for both, unless the user says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from ....dialects.notes.interfaces import InterfaceValue, arguments_of, results_of
from ....dialects.notes.states import state_of
from ....dialects.notes.ties import TIE, tie, tie_names, ties_of
from ....dialects.program.symbols import is_private
from ....layout import DYNAMIC
from ..words.reasons import Names
from .interface_choice import Freedom, InterfaceChoice, chosen_interface

PRESENT = "present"
PASTS = ("past_key_values", "past")
"""The names of state that a function takes, which it returns as `present`; other state is noted in the program."""
StatePair: TypeAlias = tuple[InterfaceValue, InterfaceValue]


def states_of(module: ModuleOp) -> list[StatePair]:
    """The arguments and results that are the state of all functions, by their names and types."""
    functions = (op for op in module.walk() if isinstance(op, FuncOp) and not is_private(op))
    return [pair for function in functions for pair in _states_of(function)]


def free_states(module: ModuleOp, choice: InterfaceChoice, names: Names) -> list[StatePair]:
    """The states of which both ends are free, and none by its name."""
    if Freedom.FREE not in choice.for_all or not (pairs := states_of(module)):
        return []
    free = chosen_interface(module, choice, names)
    named = chosen_interface(module, InterfaceChoice((Freedom.KEEP,), choice.by_name), names)

    def is_left_open(end: InterfaceValue) -> bool:
        is_in_place = state_of(end) is not None
        return free.get(end) is Freedom.FREE and (is_in_place or named.get(end) is not Freedom.FREE)

    return [pair for pair in pairs if all(map(is_left_open, pair))]


def tie_states(pairs: Sequence[StatePair]) -> None:
    """Tie states by their names."""
    for argument, result in pairs:
        tie(f"{_name(argument)}={_name(result)}", (argument, result))


def tied_states(module: ModuleOp) -> list[StatePair]:
    """The states that are tied by their names."""
    found = (tie.ends for tie in ties_of(module) if len(tie.ends) == 2)
    return [(one, other) for one, other in found if f"{_name(one)}={_name(other)}" in tie_names(one) & tie_names(other)]


def note_of(pairs: Sequence[StatePair]) -> str:
    """The states that were tied, and how not to, in words."""
    argument, result = pairs[0]
    more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    tied = f"{_name(argument)} = {_name(result)}{more}: tied, as the state of the next call"
    return tied if state_of(result) else f"{tied} (apart with --interface=free,{_name(result)}:free)"


def _states_of(function: FuncOp) -> Iterator[StatePair]:
    if len(function.body.blocks) != 1:
        return
    results = {_name(each): each for each in results_of(function)}
    in_place = {state: each for each in results.values() if (state := state_of(each)) is not None}
    for argument in arguments_of(function):
        name = _name(argument)
        known = (name.replace(past, PRESENT, 1) for past in PASTS if past in name)
        result = next((results[each] for each in known if each in results), None)
        if (state := state_of(argument)) is not None:
            result = in_place.get(state)
        if result is not None and _is_one_state(argument, result):
            yield argument, result


def _is_one_state(argument: InterfaceValue, result: InterfaceValue) -> bool:
    """True for tensors of one element type and rank, of which one axis may have grown, that nobody has tied."""
    one, other = argument.type, result.type
    if any(TIE in end.attributes.data for end in (argument, result)):
        return False
    if not isa(one, TensorType) or not isa(other, TensorType) or one.get_element_type() != other.get_element_type():
        return False
    sizes = [*zip(one.get_shape(), other.get_shape(), strict=False)]
    grown = [each for each in sizes if each[0] != each[1] and DYNAMIC not in each]
    return argument.rank == result.rank > 1 and len(grown) <= 1


def _name(end: InterfaceValue) -> str:
    return end.name.removeprefix("%")
