"""xDSL's printer with a cache of types, and a brief printer for diagnostics."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import StringIO
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr
from xdsl.ir import Attribute, Operation, Region, TypeAttribute
from xdsl.printer import Printer

from ..compat.attribute_table import AttributeTable
from ..compat.xdsl import PlainStringPrinter

ELIDED = "__elided__"
MAX_SHOWN_CHARACTERS = 2000
MAX_SHOWN_ELEMENTS = 16


@dataclass(eq=False, repr=False)
class NpuPrinter(PlainStringPrinter):
    """Printer with a cache of the text of types."""

    _type_texts: AttributeTable[str] = field(default_factory=AttributeTable[str], init=False)

    def print_attribute(self, attribute: Attribute) -> None:
        if not isinstance(attribute, TypeAttribute):
            super().print_attribute(attribute)
            return
        known = self._type_texts.get(attribute)
        if known is None:
            known = self.text_of(super().print_attribute, attribute)
            # Multi-line text depends on the indentation.
            if "\n" in known:
                super().print_attribute(attribute)
                return
            self._type_texts.enter(attribute, known)
        self.print_string(known)


@dataclass(eq=False, repr=False)
class BriefPrinter(Printer):
    """Printer for diagnostics: elides large constants and regions."""

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseResourceAttr):
            self.print_string(f"dense_resource<{ELIDED}>")
        elif isinstance(attribute, DenseIntOrFPElementsAttr):
            self._print_dense(cast("DenseIntOrFPElementsAttr[Any]", attribute))
        else:
            super().print_attribute(attribute)

    def _print_dense(self, constant: DenseIntOrFPElementsAttr[Any]) -> None:
        if len(constant) <= MAX_SHOWN_ELEMENTS:
            super().print_attribute(constant)
            return
        self.print_string(f"dense<{ELIDED}> : ")
        self.print_attribute(constant.get_type())

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        self.print_string("{...}")


def brief_text(op: Operation) -> str:
    """An op in generic format without large constants and regions; the end of a long text is elided."""
    buffer = StringIO()
    BriefPrinter(stream=buffer, print_generic_format=True).print_op(op)
    text = buffer.getvalue()
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
