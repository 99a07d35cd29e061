"""Comparison of two programs: proved equal, shown to differ, or undecided, with the first difference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from ..dialects.npu.convolution import ForwardConvolutionOp
from ..dialects.npu.movement import ConcatOp, GatherOp, SliceOp, SplitOp
from ..dialects.npu.quantized import QuantizedOp
from ..dialects.npu.resampling import MaskUnpoolOp, UnpoolOp
from ..dialects.npu.source import ForeignOp, OpaqueOp
from ..dialects.npu.spatial import Img2colOp
from ..dialects.npu.values import shape_of, shape_text
from .attempts import ATTEMPTS
from .definitions import MAX_UNPOOL
from .notes import difference, meaningful, of_function
from .numbering import Numbering
from .outcome import Effect, Outcome
from .signatures import mismatch, names_of_sizes, taken_types
from .symbols import Definitions, OutOfTime, modules_of, public_functions
from .values import tensor

OpT = TypeVar("OpT", bound=Operation)


class Verdict(Enum):
    """The outcome, with the exit codes of npu-check."""

    PROVED = 0
    UNDECIDED = 2
    DIFFERENT = 3


@dataclass(frozen=True)
class Answer:
    """The verdict on two programs, or on one function of both, with its reason."""

    verdict: Verdict
    reason: str = ""
    function: str = ""
    unmatched: tuple[Operation | None, Operation | None] = (None, None)
    """The first op of each program with a value that the other program does not have."""
    rounds_once: bool = False
    """True if the programs are equal if dequantised values are real numbers, which only quantisation rounds."""
    by_formulas: bool = False
    """True if the programs are equal if ops are the arithmetic that defines them."""
    sizes_fit: bool = False
    """True if the programs are equal if numbers that are computed of sizes, and divided, fit in 32 bits."""
    powers_fit: bool = False
    """True if the programs are equal if products with powers of two lose no digits."""
    offsets_fit: bool = False
    """True if the programs are equal if numbers that are added to dequantised ones and subtracted again are nothing."""
    zeros_absorb: bool = False
    """True if the programs are equal if what a convolution multiplies by zeros is finite."""
    out_of_time: bool = False
    """True if the limit of time ended the comparison before it was tried in all ways."""
    outcomes: Sequence[tuple[Outcome, Outcome]] = field(default=(), compare=False, repr=False)
    """The numbered values of the functions that are proved, of both programs."""

    @property
    def text(self) -> str:
        """The reason, prefixed by the function."""
        return f"@{self.function}: {self.reason}" if self.function else self.reason


PROVED = Answer(Verdict.PROVED)
UNTRIED = Answer(Verdict.UNDECIDED)


CONDITIONS = ("rounds_once", "by_formulas", "sizes_fit", "powers_fit", "offsets_fit", "zeros_absorb")
"""The conditions of a proof."""


def compare(
    first: ModuleOp, second: ModuleOp, *, by_formulas: bool = False, seconds: float = inf, signs_count: bool = True
) -> Answer:
    """Compare all symbols of two programs; private functions are compared at their uses.

    With `by_formulas`, functions that could not be proved are compared by the arithmetic that defines their ops. Those
    that are not proved after `seconds` are undecided. Without `signs_count`, the types of one program say of no integer
    whether it has a sign. Returns the answer for the first function that is different, else for the first one that is
    undecided.
    """
    answers = compare_each(first, second, by_formulas=by_formulas, seconds=seconds, signs_count=signs_count)
    worst = [answer for answer in answers if answer.verdict is Verdict.DIFFERENT]
    worst += [answer for answer in answers if answer.verdict is Verdict.UNDECIDED]
    if worst:
        return worst[0]
    flags = {name: any(getattr(each, name) for each in answers) for name in CONDITIONS}
    return replace(PROVED, **flags, outcomes=[outcomes for each in answers for outcomes in each.outcomes])


def compare_each(
    first: ModuleOp, second: ModuleOp, *, by_formulas: bool = False, seconds: float = inf, signs_count: bool = True
) -> list[Answer]:
    """The answers for all public functions and their modules, or one answer about a function that one program lacks."""
    left, right = public_functions(first), public_functions(second)
    for name in (*left, *right):
        if name not in left or name not in right:
            which = "second" if name in left else "first"
            return [Answer(Verdict.DIFFERENT, f"the {which} program has no public function @{name}", name)]
    definitions = Definitions(seconds)
    answers = [compare_functions(name, left[name], right[name], definitions, by_formulas, signs_count) for name in left]
    return [*answers, _compare_modules(first, second, definitions)]


def _compare_modules(first: ModuleOp, second: ModuleOp, definitions: Definitions) -> Answer:
    """Compare the attributes of modules and their ops outside of functions."""
    left, right = modules_of(first), modules_of(second)
    if left.keys() != right.keys():
        way = min(left.keys() ^ right.keys())
        which = "second" if way in left else "first"
        return Answer(Verdict.UNDECIDED, f"the {which} program has no module @{way.removesuffix('::@')}")
    for way, one in left.items():
        other = right[way]
        where = f"module @{way.removesuffix('::@')}: " if way else ""
        if (reason := difference(dict(meaningful(one.attributes)), dict(meaningful(other.attributes)))) is not None:
            return Answer(Verdict.UNDECIDED, where + reason)
        if definitions.of_attributes(one) != definitions.of_attributes(other):
            return Answer(Verdict.UNDECIDED, f"{where}the symbols that the attributes of the module refer to differ")
        numbering = Numbering(definitions)
        outside = _numbered(numbering.outside_functions, one, other, UNTRIED)
        if outside.verdict is not Verdict.PROVED:
            return replace(outside, reason=f"{where}outside of functions, {outside.reason}")
    return PROVED


def compare_functions(
    name: str,
    first: FuncOp,
    second: FuncOp,
    definitions: Definitions,
    by_formulas: bool = False,
    signs_count: bool = True,
) -> Answer:
    """Compare two functions of one name."""
    found = mismatch(first, second, signs_count=signs_count)
    if found is not None and found.is_sure:
        return Answer(Verdict.DIFFERENT, found.reason, name)
    answer = _compare_bodies(name, first, second, definitions, by_formulas)
    if found is None or answer.verdict is Verdict.DIFFERENT:
        return answer
    # What both take may be computed in the same way, but one takes something else as well.
    proved = "for what both take, the results are computed in the same way"
    reason = proved if answer.verdict is Verdict.PROVED else answer.reason
    return Answer(Verdict.UNDECIDED, f"{found.reason}; {reason}", name, answer.unmatched)


def _compare_bodies(
    name: str, first: FuncOp, second: FuncOp, definitions: Definitions, by_formulas: bool = False
) -> Answer:
    """Compare what two functions compute from arguments that both take."""
    if (reason := difference(of_function(first), of_function(second))) is not None:
        return Answer(Verdict.UNDECIDED, reason, name)
    if definitions.of_attributes(first) != definitions.of_attributes(second):
        return Answer(Verdict.UNDECIDED, "the symbols that the attributes of the function refer to differ", name)
    if not first.body.blocks and not second.body.blocks:
        return PROVED
    if len(first.body.blocks) != 1 or len(second.body.blocks) != 1:
        texts = [(definitions.text(each), definitions.of(each)) for each in (first, second)]
        if texts[0] == texts[1]:
            return PROVED
        return Answer(Verdict.UNDECIDED, "functions of several blocks are only compared by their text", name)
    taken = {first: taken_types(first, second), second: taken_types(second, first)}
    names = names_of_sizes(first, second)

    def outcome(function: FuncOp) -> Outcome:
        return numbering.function(function, taken[function], names)

    numbering = Numbering(definitions)
    answer = _numbered(outcome, first, second, replace(UNTRIED, function=name))
    is_quantised = _is_quantised(first) or _is_quantised(second)
    has_channels = _picks_channels(first) or _picks_channels(second)
    for attempt in ATTEMPTS:
        if answer.verdict is not Verdict.UNDECIDED or answer.out_of_time:
            break
        if (attempt.rounds_once and not is_quantised) or (attempt.by_formulas and not by_formulas):
            continue
        if attempt.by_channels and (not has_channels or (attempt.zeros_absorb and not by_formulas)):
            continue
        if attempt.by_places and not (_is_scattered(first) or _is_scattered(second)):
            continue
        numbering = Numbering(definitions, attempt)
        found = _numbered(outcome, first, second, answer)
        if attempt.by_channels and found.verdict is Verdict.UNDECIDED and not found.out_of_time:
            # The first time tells the axes along which values have channels.
            found = _numbered(outcome, first, second, answer)
        if found.out_of_time:
            return found
        if found.verdict is Verdict.PROVED:
            flags = attempt._asdict() | numbering.conditions
            return replace(found, **{name: flags[name] for name in CONDITIONS if name in flags})
        answer = found if attempt.by_formulas and not attempt.moves_factors and not attempt.in_signed_bytes else answer
    return answer


def _numbered(number: Callable[[OpT], Outcome], first: OpT, second: OpT, before: Answer) -> Answer:
    """Compare two ops that are numbered so; the answer before with another reason if the time is over."""
    try:
        return _compare_outcomes(number(first), number(second), before.function)
    except OutOfTime:
        reason = "the time limit ended the comparison"
        return replace(before, reason=f"{before.reason}; {reason}" if before.reason else reason, out_of_time=True)


def _is_quantised(function: FuncOp) -> bool:
    """True if a function computes with quantised numbers, itself or in what it calls."""
    return any(isinstance(op, QuantizedOp | CallOp) for op in function.walk())


def _is_scattered(function: FuncOp) -> bool:
    """True if a function has windows: an op that other programs write as moves of elements, or such moves."""
    return any(_has_windows(op) for op in function.walk())


def _picks_channels(function: FuncOp) -> bool:
    """True if a function gathers, or has convolutions with groups or with ops that pick and join their channels."""
    ops = [*function.walk()]
    convolutions = [op for op in ops if isinstance(op, ForwardConvolutionOp)]
    if any(op.groups.value.data > 1 and not op.is_on_each_channel() for op in convolutions):
        return True
    picking = ConcatOp | GatherOp | SliceOp | SplitOp if convolutions else GatherOp
    return any(isinstance(op, picking) for op in ops)


def _has_windows(op: Operation) -> bool:
    match op:
        case ConcatOp():
            return all(isinstance(each.owner, SliceOp) for each in op.inputs)
        case GatherOp():
            return len(shape_of(op.indices)) > 1
        case OpaqueOp():
            return op.op_name.data == MAX_UNPOOL
        case _:
            return isinstance(op, Img2colOp | MaskUnpoolOp | UnpoolOp)


def _compare_outcomes(left: Outcome, right: Outcome, name: str = "") -> Answer:
    names = [[effect.name for effect in outcome.effects] for outcome in (left, right)]
    if names[0] != names[1]:
        place = _first_difference(names[0], names[1])
        both = [each[place] if place < len(each) else "nothing" for each in names]
        reason = f"effect {place} is {both[0]} in the first program and {both[1]} in the second"
        unmatched = tuple(each.effects[place].op if place < len(each.effects) else None for each in (left, right))
        is_sure = not any(map(_may_do_nothing, (*left.effects, *right.effects)))
        is_sure = is_sure and not _pure_in_other(left, right) and not _pure_in_other(right, left)
        verdict = Verdict.DIFFERENT if is_sure else Verdict.UNDECIDED
        return Answer(verdict, reason, name, (unmatched[0], unmatched[1]))
    if (reason := _unproved(left, right)) is None:
        return replace(PROVED, outcomes=[(left, right)])
    return Answer(Verdict.UNDECIDED, reason, name, (_first_unmatched(left, right), _first_unmatched(right, left)))


def _may_do_nothing(effect: Effect) -> bool:
    """True for a call of a function whose body was not numbered, and for an op that may be there for its results only.

    Those are ops of other dialects, of which nothing says whether they have effects.
    """
    if isinstance(effect.op, ForeignOp):
        return False
    if not isinstance(effect.op, CallOp):
        return bool(effect.op.results)
    callee = SymbolTable.lookup_symbol(effect.op, effect.op.callee)
    return isinstance(callee, FuncOp) and bool(callee.body.blocks)


def _pure_in_other(outcome: Outcome, other: Outcome) -> bool:
    """True if an effect is an op of another system, of which the other program says that it has none."""
    pure = {op.op_name.data for op in other.values if isinstance(op, ForeignOp) and op.pure is not None}
    return any(isinstance(effect.op, ForeignOp) and effect.op.op_name.data in pure for effect in outcome.effects)


def _first_difference(left: Sequence[object], right: Sequence[object]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def _unproved(left: Outcome, right: Outcome) -> str | None:
    """The first effect or result with different numbers, which has not been proved equal."""
    for index, (one, other) in enumerate(zip(left.effects, right.effects, strict=True)):
        if one.key != other.key:
            return f"effect {index}, {one.name}, does not have the same operands and attributes"
    for index, (one, other) in enumerate(zip(left.returned, right.returned, strict=True)):
        if one.node != other.node:
            return f"result {index} is not computed in the same way"
        if one.stored != other.stored:
            return f"result {index} is computed in the same way, but its axes are stored in another order"
    for index, (one, left_sizes, right_sizes) in enumerate(zip(left.returned, left.sizes, right.sizes, strict=True)):
        if left_sizes != right_sizes and any(size.symbols for size in tensor(one).shape):
            both = f"{shape_text(left_sizes)} in the first program and {shape_text(right_sizes)} in the second"
            return f"result {index} is computed in the same way, but is {both}"
    return None


def _first_unmatched(outcome: Outcome, other: Outcome) -> Operation | None:
    """The first op with a value whose node the other program does not have."""
    there = {value.node for values in (other.arguments, *other.values.values()) for value in values}
    return next((op for op, values in outcome.values.items() if any(value.node not in there for value in values)), None)
