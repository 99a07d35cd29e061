"""The names that a target file may use: ops of the dialect with their operands and results."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, VariadicDef

from ..dialects import names
from .toml_lines import KeyPath
from .toml_table import TomlTable, hint

PREFIX = "npu."
"""Target files leave it out: they only speak of this dialect's ops."""


@dataclass(frozen=True)
class OpNames:
    """What the parts of an op are called."""

    operands: tuple[str, ...]
    results: tuple[str, ...]
    takes_several: bool
    """Whether it can have more than one operand."""


Vocabulary: TypeAlias = Mapping[str, OpNames]
"""By op name without the dialect's prefix."""


def full_name(op: str) -> str:
    """The name that an op has in a program."""
    return PREFIX + op


def known_op(op: str, vocabulary: Vocabulary, table: TomlTable, path: KeyPath) -> OpNames:
    """What the parts of an op are called that a file speaks of."""
    if op not in vocabulary:
        raise table.error(f"unknown op '{op}'{hint(op, vocabulary.keys())}", path)
    return vocabulary[op]


@cache
def dialect_vocabulary() -> Vocabulary:
    """The whole npu dialect."""
    # Imported late: to list the targets must not cost the loading of all ops.
    from ..dialects.npu import NPU

    operations = (op for op in NPU.operations if issubclass(op, IRDLOperation))
    return {op.name.removeprefix(PREFIX): _names_of(op) for op in operations}


def _names_of(operation: type[IRDLOperation]) -> OpNames:
    definition = operation.get_irdl_definition()
    operands = definition.operands
    return OpNames(
        operands=tuple(name for name, _ in operands),
        results=tuple(name for name, _ in definition.results),
        takes_several=len(operands) > 1 or any(isinstance(operand, VariadicDef) for _, operand in operands),
    )


def operand_names(op: Operation) -> tuple[str, ...]:
    """For each operand of an op the name that its definition has for it; empty for ops without one."""
    return names.operand_names(op).fields if isinstance(op, IRDLOperation) else ("",) * len(op.operands)


def result_names(op: Operation) -> tuple[str, ...]:
    """For each result of an op the name that its definition has for it; empty for ops without one."""
    return names.result_names(op).fields if isinstance(op, IRDLOperation) else ("",) * len(op.results)
