"""State that a program reads and writes in place: `npu.state = "k"` at the argument and the result that are one."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr

from .interfaces import InterfaceValue

STATE = "npu.state"


def state_of(end: InterfaceValue) -> str | None:
    """The name of the state that an argument or result is."""
    noted = end.attributes.data.get(STATE)
    return noted.data if isinstance(noted, StringAttr) else None


def note_state(end: InterfaceValue, name: str) -> None:
    end.set_attributes({**end.attributes.data, STATE: StringAttr(name)})
