"""Statements about ops of other systems, which a comparison relies on and nothing can prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.vendor import VendorOp
from ..console.output import Say
from ..formats.program import Program

if TYPE_CHECKING:
    from ....targets import DescribedOp


@dataclass(frozen=True)
class Assumptions:
    """The statements that two programs make about their ops."""

    places: Mapping[str, str]
    """The places in a target where ops are described, by name."""
    each: tuple[Mapping[str, str], Mapping[str, str]]
    """The statements of both programs, by the name of the op."""
    opaque: frozenset[str]
    """The names of the opaque ops of both programs."""

    @staticmethod
    def of(first: Program, second: Program, target: str | None, note: Say) -> Assumptions:
        """Write what a target says into both programs, and collect what they say then."""
        known = _described_by(target)
        if known:
            # Imported late: most comparisons have no target.
            from ....passes.describe_ops import describe

            for program in (first, second):
                for problem in describe(program.module, known):
                    note(f"{program.name}: {problem}")
        places = {name: op.place for name, op in known.items()}
        opaque = frozenset(_opaque_ops(first.module)) | frozenset(_opaque_ops(second.module))
        return Assumptions(places, (dict(_statements(first.module)), dict(_statements(second.module))), opaque)

    def statements(self) -> Iterator[str]:
        """The statements of both programs, with their source."""
        for name, statement in sorted({**self.each[0], **self.each[1]}.items()):
            source = self.places.get(name, "as the programs say")
            yield f'"{name}" {statement} ({source})'

    def when_proved(self) -> Iterator[str]:
        """The statements that a proof relies on."""
        return (f"believed, not proved: {each}" for each in self.statements())

    def when_not_proved(self) -> Iterator[str]:
        """Ops of which only one program says something."""
        for name in sorted((self.each[0].keys() ^ self.each[1].keys()) & self.opaque):
            which = "first" if name in self.each[0] else "second"
            text = f'only the {which} program says how "{name}" treats its axes'
            yield f"{text}; a --target with it in [ops] says it of both"


def _described_by(target: str | None) -> Mapping[str, DescribedOp]:
    if target is None:
        return {}
    # Imported late: most comparisons have no target.
    from ....targets import load

    return load(target).vendor_ops


def _statements(module: ModuleOp) -> Iterator[tuple[str, str]]:
    return ((op.op_name.data, op.STATEMENT) for op in module.walk() if isinstance(op, VendorOp))


def _opaque_ops(module: ModuleOp) -> Iterator[str]:
    return (op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp))
