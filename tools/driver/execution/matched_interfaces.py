"""Inputs and outputs of a LiteRT model and those of the program that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..formats.program import Program
from .lite_models import is_lite_model

T = TypeVar("T")


@dataclass(frozen=True)
class MatchedInterfaces:
    """The positions of a program's inputs in the order of another program's, and those of the other's outputs."""

    inputs: Sequence[int] | None = None
    """None if they are in the same order."""
    outputs: Sequence[int] | None = None

    @classmethod
    def of(cls, program: Program, other: Program, name: str) -> MatchedInterfaces:
        """The positions for two programs; those of a LiteRT model go by name, as a converter may change their order."""
        if not any(is_lite_model(each.name) for each in (program, other)):
            return cls()
        own, others = _function(program, name), _function(other, name)
        if own is None or others is None:
            return cls()
        inputs = _positions(_names(own.arg_attrs), _names(others.arg_attrs))
        return cls(inputs, _positions(_names(others.res_attrs), _names(own.res_attrs)))


def in_order(items: Sequence[T], positions: Sequence[int] | None) -> Sequence[T]:
    return items if positions is None else [items[position] for position in positions]


def _function(program: Program, name: str) -> FuncOp | None:
    functions = (op for op in program.module.ops if isinstance(op, FuncOp))
    return next((op for op in functions if op.sym_name.data == name), None)


def _positions(names: Sequence[str], wanted: Sequence[str]) -> Sequence[int] | None:
    """The position of each wanted name; None if not all names are the same, or one is there twice."""
    if len(set(names)) != len(names) or sorted(names) != sorted(wanted):
        return None
    return [names.index(name) for name in wanted]


def _names(attributes: ArrayAttr[DictionaryAttr] | None) -> list[str]:
    return [] if attributes is None else [_text(each.data.get("onnx.name")) for each in attributes]


def _text(name: Attribute | None) -> str:
    return name.data if isinstance(name, StringAttr) else ""
