"""Ops that replace others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import copysign
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.movement import PadOp
from ...dialects.npu.values import element_type_of


@dataclass(frozen=True, slots=True)
class Replaced:
    """New ops, the last of which has the result of an op, and the ops that nothing reads then."""

    op: Operation
    new: Sequence[NpuOp]
    parts: Sequence[Operation]
    """The replaced ops before the op, in the order of the program."""


def made(
    op: type[NpuOp],
    operands: Sequence[SSAValue],
    shape: Sequence[int],
    properties: Mapping[str, Attribute | None] | None = None,
    element: Attribute | None = None,
) -> NpuOp:
    """A new op with one result without a layout, by default of the first operand's element type."""
    types: list[Any] = [TensorType(element or element_type_of(operands[0]), shape)]
    return op.build(operands=operands, result_types=types, properties=dict(properties or {}))


def adds_zeros(pad: PadOp) -> bool:
    """True if a pad puts zeros around a value."""
    value = pad.value.value.data
    return pad.mode.data == "constant" and value == 0 and copysign(1, value) > 0
