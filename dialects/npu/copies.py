"""Copies of ops on other types, outside of any program."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from xdsl.ir import Attribute, Block
from xdsl.utils.exceptions import VerifyException

from .base import NpuOp

OpT = TypeVar("OpT", bound=NpuOp)


def like(op: OpT, types: Sequence[Attribute], properties: Mapping[str, Attribute]) -> OpT:
    """A detached copy of an op with operands and results of these types, and with these properties."""
    return type(op).create(
        operands=Block(arg_types=types[: len(op.operands)]).args,
        result_types=types[len(op.operands) :],
        properties=properties,
        attributes=op.attributes,
        location=op.location,
    )


def verifies(op: NpuOp) -> bool:
    """True if a new op verifies."""
    try:
        op.verify_()
    except VerifyException:
        return False
    return True
