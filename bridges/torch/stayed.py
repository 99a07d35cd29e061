"""Calls that stayed in a program, named for users: the node of each and its line in their module."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.npu.source import ForeignOp
from ..imported import Imported
from ..origins import node_of
from .calls import ASSERTS, Call
from .errors import line_of

MOST = 8
"""The most calls that are named."""
ADVICE = (
    "a .pt2 file keeps such calls; program.run_decompositions() before torch.export.save may write them with other"
    " operators"
)


@contextmanager
def naming_stayed(imported: Imported | None, module: ModuleOp) -> Generator[None]:
    """Inside this, errors about programs of PyTorch in files of other formats name the calls that stayed."""
    try:
        yield
    except DiagnosticException as error:
        if imported is not None and imported.format == "torch" and (found := [*_stayed(imported, module)]):
            more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
            error.add_note(f"calls without an op: {', '.join(found[:MOST])}{more}")
            error.add_note(ADVICE)
        raise


def _stayed(imported: Imported, module: ModuleOp) -> Iterator[str]:
    for op in module.walk():
        name = node_of(op)
        if isinstance(op, ForeignOp) and (call := Call.of(op)) is not None and not call.name.startswith(ASSERTS):
            node, _ = imported.came.calls.get(name, (None, None))
            place = "" if node is None else line_of(node.meta.get("stack_trace"))
            yield f"{call.name} ({': '.join(filter(None, (place, name)))})"
