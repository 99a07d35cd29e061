"""The text of a plan: the layout of each value, with its reason and cost, in TOML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....dialects.npu.values import encoding
from ....passes.common.words.reasons import Names
from ....passes.layout_optimal import LayoutOptimal
from ....passes.optimal.choice.mode_choice import ModeChoice
from ....passes.optimal.explain.conflicts import Conflicts
from ....passes.optimal.explain.value_text import cause_of, conversion_texts, pieces_text
from ....passes.pins.value_index import ValueIndex
from ....passes.placement.layout_pass import colour
from ....targets.errors import printable

HEAD = """\
# The layout of each value, and the reason for it. To pin a value, change its line or move it to [pins].
# npu-opt --plan=FILE obeys the pins and prints what each of them costs; all other lines are information.
"""
SAVED = """\
# For --plan, to find lines that were changed, and values that have another name in the next model.
[saved]"""


def plan_text(layout_pass: LayoutOptimal, module: ModuleOp, model: str) -> str:
    """The plan of a pass for a program. The program is not changed."""
    copy = module.clone()
    # The names are those before layouts are inferred, as they are when a plan is read.
    index = ValueIndex(copy)
    names = colour(copy, layout_pass.default_layout())
    ends = layout_pass.chosen_interface(copy, names)
    choice = layout_pass.choose(copy, ends)
    prices = layout_pass.pin_prices(choice, names, ends)
    pins = {pin.value: price.text for pin, price in zip(choice.table.pinned.pins, prices.each, strict=True)}
    writer = _Writer(choice, names, index)
    rest = [root for root in writer.roots() if root not in pins]
    header = {
        "model": model,
        "target": layout_pass.target,
        "options": str(layout_pass),
        "result": layout_pass.summary(choice),
    }
    lines = [
        *(f"{key} = {_quoted(text)}" for key, text in header.items()),
        "\n[pins]",
        *(line for value, price in pins.items() for line in writer.lines(value, price)),
        "\n[layouts]",
        *(line for value in rest for line in writer.lines(value)),
        f"\n{SAVED}",
        *writer.saved([*pins, *rest]),
    ]
    return "\n".join([HEAD, *lines, ""])


class _Writer:
    """Lines about values."""

    def __init__(self, choice: ModeChoice, names: Names, index: ValueIndex) -> None:
        self._choice = choice
        self._names = names
        self._index = index
        self._conflicts = Conflicts(choice, names)

    def roots(self) -> list[SSAValue]:
        """The values that are stored at run time, in program order."""
        values: list[SSAValue] = []
        for op in self._choice.table.module.walk():
            values += op.results
            values += [argument for region in op.regions for block in region.blocks for argument in block.args]
        return [value for value in values if value in self._choice.solved.weights]

    def lines(self, value: SSAValue, price: str = "") -> Iterator[str]:
        """The line of a value with the price of its pin or the reason for its layout, and one for each transpose."""
        root = self._choice.table.storage.root(value)
        reason = price or self._conflicts.side(cause_of(root, self._conflicts))
        layout = self._layout(value)
        if layout is None:
            # No text could pin it.
            yield f"# {printable(pieces_text(self._choice, value, self._names))}: {printable(reason)}"
        else:
            yield f"{self._key(value)} = {_quoted(layout)}  # {printable(reason)}"
        for text in conversion_texts(root, self._conflicts, self._choice, self._names):
            yield f"#   {printable(text)}"

    def saved(self, values: Iterable[SSAValue]) -> Iterator[str]:
        """The layout and the structural name of each value."""
        for value in values:
            if (layout := self._layout(value)) is not None:
                yield f"{self._key(value)} = {_quoted(f'{layout} {self._index.structure(value)}')}"

    def _key(self, value: SSAValue) -> str:
        return _quoted(self._index.name(value))

    def _layout(self, value: SSAValue) -> str | None:
        """The layout in which a value is stored; None if no order expresses it."""
        own, storage = encoding(value.type), self._choice.table.storage
        order = storage.order(value, self._choice.given(storage.root(value))[1])
        return None if own is None or order is None else str(own.with_order(order))


def _quoted(text: str) -> str:
    """A text in TOML."""
    # JSON escapes all characters that TOML does not allow, except for one.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
