"""The conflicts behind the layout of one value: the pinned op that fixes it, and the conversions of its storage."""

from xdsl.ir import SSAValue

from ...dialects.npu.values import encoding
from ..common.producers import node_of
from ..common.reasons import Names, stored_text
from .conflicts import Chain, Conflicts
from .mode_choice import ModeChoice


def explain(choice: ModeChoice, value: SSAValue, names: Names) -> list[str]:
    """The reason for the chosen layout of a value, as lines of text."""
    conflicts = Conflicts(choice, names)
    root = choice.storage.root(value)
    end, through = conflicts.chain(node_of(root))
    return [
        _heading(choice, value, names),
        f"  because {conflicts.side(Chain(end, through[1:]), None)}",
        *(
            f"  converted, because {conflicts.text(use)}"
            for use in choice.uses
            if use.root is root and use.is_converted
        ),
    ]


def _heading(choice: ModeChoice, value: SSAValue, names: Names) -> str:
    """The layout of a value, or the sizes under which it is stored if no order expresses its byte order."""
    root = choice.storage.root(value)
    order = choice.storage.order(value, choice.given(root)[1])
    if order is not None:
        return stored_text(value, order, names)
    sizes = "x".join("?" if size.symbols else str(size.factor) for size in choice.given_sizes(root))
    return f"{names.of(value)} is stored as {sizes}, which is no order of {encoding(value.type)}"
