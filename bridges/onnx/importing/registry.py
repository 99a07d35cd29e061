"""Which function converts a node, by the name of its op: the one table of names that importing needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from .sizes import Size
from .types import Array

if TYPE_CHECKING:
    from .node import Node, Shaped

Converted: TypeAlias = SSAValue | Sequence[SSAValue | None]
"""What stands for the outputs of a node; None for those that nothing uses."""
Converter: TypeAlias = "Callable[[Node], Converted]"
"""Adds the npu ops that compute what a node does; raises `NotExpressible` where there are none."""
Folder: TypeAlias = "Callable[[Node], Array | None]"
"""The numbers that a node computes, if they are known."""
Sizer: TypeAlias = "Callable[[Node], Sequence[Size | None] | None]"
"""The shape of a node's first output, as far as it follows from what is known of its inputs."""
Typer: TypeAlias = "Callable[[Node], Shaped]"
"""The type of a node's first output, for ops that ONNX does not define."""

CONVERTERS: dict[str, Converter] = {}
FOLDERS: dict[str, Folder] = {}
SIZERS: dict[str, Sizer] = {}
TYPERS: dict[str, Typer] = {}
"""All by the name of the op, with its domain before it where that is not the default one."""


def converts(*names: str) -> Callable[[Converter], Converter]:
    """Enter a function as the converter of the ops with these names."""

    def enter(converter: Converter) -> Converter:
        CONVERTERS.update(dict.fromkeys(names, converter))
        return converter

    return enter


def folds(*names: str) -> Callable[[Folder], Folder]:
    """Enter a function that works out the numbers of ops with these names."""

    def enter(folder: Folder) -> Folder:
        FOLDERS.update(dict.fromkeys(names, folder))
        return folder

    return enter


def sizes_of(*names: str) -> Callable[[Sizer], Sizer]:
    """Enter a function that works out the shape of the results of ops with these names."""

    def enter(sizer: Sizer) -> Sizer:
        SIZERS.update(dict.fromkeys(names, sizer))
        return sizer

    return enter


def types(*names: str) -> Callable[[Typer], Typer]:
    """Enter a function that works out the type of the results of ops with these names."""

    def enter(typer: Typer) -> Typer:
        TYPERS.update(dict.fromkeys(names, typer))
        return typer

    return enter


def key_of(domain: str, name: str) -> str:
    """The name of an op in the tables."""
    return name if domain in ("", "ai.onnx") else f"{domain}.{name}"
