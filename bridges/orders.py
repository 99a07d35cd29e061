"""The orders of inputs and outputs in the metadata of a file: `"stored": {"inputs": ["NHWC (was NCHW)"], ...}`."""

from collections.abc import Sequence
from contextlib import suppress
from json import loads
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from ..dialects.notes.interfaces import InterfaceValue, StoredAs, arguments_of, results_of

STORED = "stored"


def noted_orders(function: FuncOp) -> dict[str, Any]:
    """The notes of the arguments and results of a function as an entry of the metadata; empty without any."""
    notes = {
        what: [value.note and str(value.note) for value in interface]
        for what, interface in _interface(function).items()
    }
    return {STORED: notes} if any(map(any, notes.values())) else {}


def read_orders(metadata: bytes, function: FuncOp) -> None:
    """Give the arguments and results of a function the notes in the metadata of its file."""
    entry: Any = None
    with suppress(ValueError, RecursionError):
        entry = loads(metadata)
    stored = entry.get(STORED) if isa(entry, dict[str, Any]) else None
    if not isa(stored, dict[str, Any]):
        return
    for what, interface in _interface(function).items():
        texts = stored.get(what)
        for text, value in zip(texts if isa(texts, list[Any]) else (), interface, strict=False):
            if isinstance(text, str) and (note := StoredAs.parse(text, value.rank)) is not None:
                value.take_note(note)


def _interface(function: FuncOp) -> dict[str, Sequence[InterfaceValue]]:
    return {"inputs": arguments_of(function), "outputs": results_of(function)}
