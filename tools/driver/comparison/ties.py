"""Ties between two files: their tied arguments and results must be stored in one order, as their notes say."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.utils.exceptions import PassFailedException

from ....dialects.notes.ties import Tie, ties_of
from ....equivalence.compare import Verdict
from ....passes.tie_interfaces import TieInterfaces
from ..formats.program import Program
from ..formats.together import names_of, together
from ..pipeline.pipeline import tie_report


def check_ties(first: Program, second: Program, ties: Sequence[str]) -> int:
    """Print whether ties hold, and return the exit code."""
    names = names_of([first.name, second.name])
    module, _ = together(dict(zip(names, (first.module, second.module), strict=True)))
    try:
        TieInterfaces(",".join(ties)).apply(Context(), module)
    except (ValueError, PassFailedException) as error:
        raise tie_report(error) from error
    found = ties_of(module)
    for tie in found:
        print(_text(tie))
    return (Verdict.PROVED if all(len(tie.orders) <= 1 for tie in found) else Verdict.DIFFERENT).value


def _text(tie: Tie) -> str:
    ends = [(f"{end.function.sym_name.data}:{end.name.removeprefix('%')}", end.note) for end in tie.ends]
    if len(tie.orders) > 1:
        return f"different: {'; '.join(f'{name} is stored {_order(note)}' for name, note in ends)}"
    return f"tied: {' = '.join(name for name, _ in ends)}, stored {_order(ends[0][1])}"


def _order(note: object) -> str:
    return "as in its model" if note is None else f"as {note}"
