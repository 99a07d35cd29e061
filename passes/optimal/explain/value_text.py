"""The conflicts behind the layout of one value: the pinned op that fixes it, and the conversions of its storage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import SSAValue

from ....dialects.npu.values import encoding
from ...common.graph.producers import Use
from ...common.moves.transpose_cost import cost_of
from ...common.words.pins import output_name, use_name
from ...common.words.reasons import Names, moved_text, stored_as_text, stored_text
from ..choice.mode_choice import ModeChoice, ModeUse
from .conflicts import Chain, Conflicts


class Explanation(NamedTuple):
    """The reason for the chosen layout of a value."""

    lines: list[str]
    ends: list[Chain]
    """The ends of the conflicts behind its conversions; without any, the end that decides for it."""
    is_converted: bool


def explanation(choice: ModeChoice, value: SSAValue, names: Names, is_minimal: bool = True) -> Explanation:
    conflicts = Conflicts(choice, names, is_minimal)
    root = choice.table.storage.root(value)
    cause = cause_of(root, conflicts)
    converted = _converted(choice, root)
    lines = [_heading(choice, value, names), f"  because {conflicts.side(cause)}", *_tied_text(choice, value, names)]
    lines += (f"  {text}" for text in conversion_texts(root, conflicts, choice, names))
    found = [conflicts.of(uses[0]) for uses in converted]
    ends = [end for conflict in found for end in (conflict.wanted, conflict.given) if end is not None]
    return Explanation(lines, ends or [cause], bool(ends))


def _tied_text(choice: ModeChoice, value: SSAValue, names: Names) -> list[str]:
    """The ends that a value is tied to, as a line; no line if there are none."""
    found: dict[str, None] = {}
    for tie in choice.table.modes.free.ties:
        if any(value is each.value for each in tie):
            found |= dict.fromkeys(
                use_name(each.end, names) if isinstance(each.end, Use) else names.of(each.end) for each in tie
            )
    own = names.of(value)
    others = [text for text in found if text != own]
    return [f"  in one layout with {', '.join(others)}"] if others else []


def cause_of(root: SSAValue, conflicts: Conflicts) -> Chain:
    """The pinned node that decides for the layout of a storage, and the path to it."""
    found = conflicts.chain(conflicts.producer(root))
    return found._replace(through=found.through[1:])


def conversion_texts(root: SSAValue, conflicts: Conflicts, choice: ModeChoice, names: Names) -> list[str]:
    """Each conversion of a storage in words, with its cost and its reason."""
    return [_conversion(uses, conflicts, choice, names) for uses in _converted(choice, root)]


def _converted(choice: ModeChoice, root: SSAValue) -> list[list[ModeUse]]:
    """The uses of each conversion of a storage."""
    groups: dict[object, list[ModeUse]] = {}
    for use in choice.uses:
        if use.root is root and use.is_converted:
            groups.setdefault(use.byte_order, []).append(use)
    return [*groups.values()]


def _conversion(uses: Sequence[ModeUse], conflicts: Conflicts, choice: ModeChoice, names: Names) -> str:
    first, others = uses[0], len({use.op for use in uses}) - 1
    more = f" and {others} more op{'s' * (others > 1)}" if others else ""
    moved = f"{_bytes_text(choice, first)} bytes"
    reader = output_name(first.op, first.operand) if isinstance(first.op, ReturnOp) else names.of(first.op)
    how = moved_text(choice.given_type(first.root), first.type)
    return f"{how} for {reader}{more} ({moved}), because {conflicts.text(first)}"


def _bytes_text(choice: ModeChoice, use: ModeUse) -> str:
    """The bytes that a conversion moves, with padding."""
    cost = cost_of(use.root, choice.table.storage.origins, choice.table.assumed_size)
    given = choice.given(use.root)[1]
    return replace(cost, bytes=choice.table.problem.bytes_moved(use.root, given, use.byte_order)).bytes_text


def _heading(choice: ModeChoice, value: SSAValue, names: Names) -> str:
    """The layout of a value, or the sizes under which it is stored if no order expresses its byte order."""
    root = choice.table.storage.root(value)
    made = encoding(choice.given_type(root)) if value is root else None
    if made is not None and made.tiles:
        return stored_as_text(value, made, names)
    order = choice.table.storage.order(value, choice.given(root)[1])
    return stored_text(value, order, names) if order is not None else pieces_text(choice, value, names)


def pieces_text(choice: ModeChoice, value: SSAValue, names: Names) -> str:
    """The sizes under which a value is stored whose byte order no order expresses."""
    root = choice.table.storage.root(value)
    sizes = "x".join("?" if size.symbols else str(size.factor) for size in choice.given_sizes(root))
    return f"{names.of(value)} is stored as {sizes}, which is no permutation of {encoding(value.type)}"
