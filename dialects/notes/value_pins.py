"""Pins: the layouts that a user has chosen for values. `layout-optimal` obeys them.

A pin is the attribute `npu.pin = "NHWC"` of the op that produces the value, or `npu.pin = "NHWC (plan.toml:4:1)"` with
its place in a file. An op with several results has a list, in which the text of a result without a pin is empty. The
attribute of an argument is one of its function's argument.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, NoReturn, cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...layout import Layout, LayoutError
from .interfaces import InterfaceValue

PIN = "npu.pin"

_TEXT = re.compile(r"(.+?)(?: \((.+)\))?", re.DOTALL)


class PinError(PassFailedException):
    """A pin that cannot be obeyed."""

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.place = place
        """`file:line:col` of the pin, or empty."""


def refuse(op: Operation | None, message: str, place: str) -> NoReturn:
    """Raise a `PinError`, at an op of the program if the pin has no place in a file."""
    error = PinError(message, place)
    if op is not None and not place:
        op.emit_error(message, error)
    raise error


class Pin(NamedTuple):
    """A value with the layout that a user has chosen for it."""

    value: SSAValue
    layout: Layout
    place: str
    """`file:line:col` of the pin, or empty."""

    @property
    def text(self) -> str:
        return f"{self.layout} ({self.place})" if self.place else str(self.layout)


def pins_of(module: ModuleOp) -> list[Pin]:
    """The pins of a module, in program order; raises `PinError`."""
    return [pin for op in module.walk() for pin in _pins_of(op)]


def add_pin(pin: Pin) -> None:
    """Write a pin into the program; raises `PinError`."""
    _write(pin.value, pin.text, pin.place)


def drop_pins(pins: Iterable[Pin]) -> None:
    """Remove pins from the program."""
    for pin in pins:
        _write(pin.value, "", pin.place)


@contextmanager
def without_pins(pins: Sequence[Pin]) -> Generator[None]:
    """A context in which the program does not have these pins."""
    drop_pins(pins)
    try:
        yield
    finally:
        for pin in pins:
            add_pin(pin)


def _pins_of(op: Operation) -> Iterator[Pin]:
    if (attribute := op.attributes.get(PIN)) is not None:
        texts = _texts(op, attribute)
        if len(texts) != len(op.results):
            refuse(op, f"{PIN}: expected a layout for each of {len(op.results)} results, found {attribute}", "")
        yield from (_parsed(op, value, text) for value, text in zip(op.results, texts, strict=True) if text)
    if isinstance(op, FuncOp) and op.arg_attrs is not None and len(op.body.blocks) == 1:
        for value, attributes in zip(op.body.block.args, op.arg_attrs, strict=True):
            yield from (_parsed(op, value, text) for text in _texts(op, attributes.data.get(PIN)) if text)


def _texts(op: Operation, attribute: Attribute | None) -> list[str]:
    match attribute:
        case None:
            return []
        case StringAttr(data=text):
            return [text]
        case ArrayAttr(data=parts):
            return [text for part in cast("Sequence[Attribute]", parts) for text in _texts(op, part)]
        case _:
            refuse(op, f"{PIN}: expected a text such as NHWC, found {attribute}", "")


def _parsed(op: Operation, value: SSAValue, text: str) -> Pin:
    found = _TEXT.fullmatch(text)
    assert found is not None
    try:
        layout = Layout.parse(found[1])
    except LayoutError as error:
        refuse(op, f"{PIN}: {error}", "")
    return Pin(value, layout, found[2] or "")


def _write(value: SSAValue, text: str, place: str) -> None:
    """Replace the pin of a value; without a text remove it."""
    if isinstance(value, OpResult):
        texts = _texts(value.op, value.op.attributes.get(PIN)) or [""] * len(value.op.results)
        texts[value.index] = text
        value.op.attributes.pop(PIN, None)
        if any(texts):
            value.op.attributes[PIN] = _attribute(texts)
        return
    assert isinstance(value, BlockArgument)
    function = value.owner.parent_op()
    if not isinstance(function, FuncOp) or len(function.body.blocks) != 1:
        raise PinError("an argument of code inside an op, or of one of several blocks, keeps its layout", place)
    end = InterfaceValue(function, value.index, is_argument=True)
    others = {name: attribute for name, attribute in end.attributes.data.items() if name != PIN}
    end.set_attributes({**others, PIN: StringAttr(text)} if text else others)


def _attribute(texts: Sequence[str]) -> Attribute:
    return StringAttr(texts[0]) if len(texts) == 1 else ArrayAttr(map(StringAttr, texts))
