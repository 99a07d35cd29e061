"""Formats that the content of a file tells where its name does not."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from xdsl.utils.exceptions import ParseError

from ..console.command_text import as_command
from .foreign_files import MOST_BYTES, content_notes

_OP = re.compile(r'^[ \t]*(?:%[^=\n]*=[ \t]*)?"?([a-z_]\w*)\.[\w.$-]+', re.MULTILINE)
"""The beginning of a line with an op."""
LOWERED_BY = {
    "torch": ("torch-mlir-opt", "--torch-backend-to-tosa-backend-pipeline"),
    "stablehlo": ("stablehlo-opt", "--stablehlo-legalize-to-tosa"),
}
"""The command that lowers the ops of a dialect to TOSA; that of torch is a part of the extra [mlir]."""


def dialects_of(text: str) -> set[str]:
    """The dialects whose ops a text in MLIR has."""
    return {found[1] for found in _OP.finditer(text)}


def is_tosa(text: str) -> bool:
    """True for a module of TOSA; programs of the dialects npu and linalg may have ops of TOSA as well."""
    found = dialects_of(text)
    return "tosa" in found and found.isdisjoint(("npu", "linalg"))


@contextmanager
def hint_on_lowering(text: str, file: str) -> Generator[None]:
    """Inside this, errors about ops of systems that can lower them to TOSA say how, and those about no programs what
    they are."""
    try:
        yield
    except ParseError as error:
        for dialect in sorted(dialects_of(text) & LOWERED_BY.keys()):
            source = "-" if file == "<stdin>" else file
            output = "out.tosa.mlir" if source == "-" else str(Path(file).with_suffix(".tosa.mlir"))
            command = as_command([*LOWERED_BY[dialect], source, "-o", output])
            error.add_note(f"npu-opt reads TOSA, to which the ops of {dialect} are lowered (run: {command})")
        for note in content_notes(text[:MOST_BYTES].encode()):
            error.add_note(note)
        raise
