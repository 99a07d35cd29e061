"""The names that a target file may use: ops of the dialect with their operands and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, VariadicDef

from ..dialects.npu.axes import PossibleLayouts
from ..dialects.npu.base import NpuOp
from ..dialects.program import names
from ..layout import LayoutClass
from .toml_lines import KeyPath
from .toml_table import TomlTable, hint

PREFIX = "npu."
"""Omitted in target files. The names of ops of other systems, which have their domain in front, are in quotes."""


@dataclass(frozen=True)
class OpNames:
    """The names of an op's operands and results."""

    operands: tuple[str, ...]
    results: tuple[str, ...]
    takes_several: bool
    """True if it can have more than one operand."""
    axes: tuple[str, ...] = ()
    """The axes whose positions attributes name, or the form of the op says."""
    result_axes: tuple[str, ...] = ()
    """The attributes that name an axis of the result for each axis of the operand."""
    facts: tuple[str, ...] = ()
    """The facts that the op may answer in conditions."""
    is_conversion: bool = False
    """True for transposes, packs and unpacks."""
    layouts: Mapping[str, PossibleLayouts] = field(default_factory=dict[str, PossibleLayouts])
    """The classes and ranks of operands and results, as far as they are the same in all programs."""
    letters: Mapping[str, str] = field(default_factory=dict[str, str])
    """The letters of the axes of operands and results that may be demanded in any order."""
    kept: tuple[str, ...] = ()
    """The operands that stay unchanged."""

    @property
    def all_axes(self) -> tuple[str, ...]:
        return (*self.axes, *self.result_axes)

    @property
    def spatial_ranks(self) -> tuple[int, ...]:
        """The possible numbers of spatial axes of the op's feature maps; empty if it has none."""
        ranks = (each.ranks for each in self.layouts.values() if each.classes == (LayoutClass.FEATURE,))
        return tuple(rank - 2 for rank in next(ranks, ()))


Vocabulary: TypeAlias = Mapping[str, OpNames]
"""Keyed by op name without the dialect's prefix."""


def full_name(op: str) -> str:
    """The op name with the dialect's prefix, or that of another system, which has a dot."""
    return op if "." in op else PREFIX + op


def short_name(op_name: str) -> str:
    """The name of an op as target files have it."""
    return op_name.removeprefix(PREFIX)


def known_op(op: str, vocabulary: Vocabulary, table: TomlTable, path: KeyPath) -> OpNames:
    """The names of an op's operands and results; an error if the op is unknown."""
    if op in vocabulary:
        return vocabulary[op]
    if "." in op and not op.startswith(PREFIX):
        similar = hint(op, [known for known in vocabulary if "." in known])
        raise table.error(f"'{op}' is described nowhere: add [ops.\"{op}\"]{similar}", path)
    raise table.error(f"unknown op '{op}'{hint(op, vocabulary.keys())}", path)


@cache
def dialect_vocabulary() -> Vocabulary:
    """The vocabulary of the npu dialect."""
    # Imported late, here and below: listing the targets must not load all ops.
    from ..dialects.npu import NPU

    operations = (op for op in NPU.operations if issubclass(op, NpuOp))
    return {op.name.removeprefix(PREFIX): _names_of(op) for op in operations}


def _names_of(operation: type[NpuOp]) -> OpNames:
    from ..dialects.npu.packing import PackingOp
    from ..dialects.npu.shape import AnyTransposeOp

    definition = operation.get_irdl_definition()
    operands = definition.operands
    return OpNames(
        operands=tuple(name for name, _ in operands),
        results=tuple(name for name, _ in definition.results),
        axes=operation.axis_names(),
        result_axes=operation.RESULT_AXES,
        facts=operation.fact_names(),
        takes_several=len(operands) > 1 or any(isinstance(operand, VariadicDef) for _, operand in operands),
        layouts=operation.possible_layouts(),
        letters=operation.LETTERED,
        is_conversion=issubclass(operation, AnyTransposeOp | PackingOp),
    )


def name_of(op: Operation) -> str:
    """The name by which a target refers to an op: of an op of another system the name that it has there."""
    return op.target_name if isinstance(op, NpuOp) else op.name


def operand_names(op: Operation) -> tuple[str, ...]:
    """The name of each operand of an op in a target; empty for ops without a definition."""
    if isinstance(op, NpuOp):
        return op.operand_fields()
    return names.operand_names(op).fields if isinstance(op, IRDLOperation) else ("",) * len(op.operands)


def result_names(op: Operation) -> tuple[str, ...]:
    """The name of each result of an op in a target; empty for ops without a definition."""
    if isinstance(op, NpuOp):
        return op.result_fields()
    return names.result_names(op).fields if isinstance(op, IRDLOperation) else ("",) * len(op.results)
