"""The orders of inputs and outputs in the metadata of a file: `"stored": {"inputs": ["NHWC (was NCHW)"], ...}`."""

from collections.abc import Sequence
from contextlib import suppress
from json import loads
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from ...dialects.notes.interfaces import End, StoredAs, arguments_of, results_of

STORED = "stored"


def noted_orders(function: FuncOp) -> dict[str, Any]:
    """The notes of the arguments and results of a function as an entry of the metadata; empty without any."""
    notes = {what: [end.note and str(end.note) for end in ends] for what, ends in _ends(function).items()}
    return {STORED: notes} if any(map(any, notes.values())) else {}


def read_orders(metadata: bytes, function: FuncOp) -> None:
    """Give the arguments and results of a function the notes in the metadata of its file."""
    entry: Any = None
    with suppress(ValueError, RecursionError):
        entry = loads(metadata)
    stored = entry.get(STORED) if isa(entry, dict[str, Any]) else None
    if not isa(stored, dict[str, Any]):
        return
    for what, ends in _ends(function).items():
        texts = stored.get(what)
        for text, end in zip(texts if isa(texts, list[Any]) else (), ends, strict=False):
            if isinstance(text, str) and (note := StoredAs.parse(text, end.rank)) is not None:
                end.take_note(note)


def _ends(function: FuncOp) -> dict[str, Sequence[End]]:
    return {"inputs": arguments_of(function), "outputs": results_of(function)}
