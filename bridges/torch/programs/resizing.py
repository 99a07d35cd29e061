"""Exported programs with sizes that a user fixes: they are exported again with inputs of these sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.export import Dim, ExportedProgram
from torch.export.graph_signature import InputKind, TensorArgument
from torch.utils import _pytree as pytree

from ...fixed_sizes import FixedSizes, WrongSizes
from ..errors import FxError, brief
from .reading import sizes_of


def with_fixed_sizes(program: ExportedProgram, fixed: FixedSizes) -> ExportedProgram:
    """The program for inputs of these sizes; those that are not fixed stay as they are."""
    names, shapes = _inputs(program)
    try:
        settled = fixed.settled(dict(zip(names, shapes, strict=True)))
    except WrongSizes as error:
        raise FxError(str(error)) from error
    wanted = [
        [settled.size_of(dim) for dim in settled.shapes.get(name, shape)]
        for name, shape in zip(names, shapes, strict=True)
    ]
    if wanted == [list(shape) for shape in shapes]:
        return program
    if program.example_inputs is None:
        raise FxError("the program has no example inputs, which are needed to fix its sizes")
    given, structure = pytree.tree_flatten(program.example_inputs)
    tensors = iter(wanted)
    resized = [_resized(each, next(tensors)) if isinstance(each, torch.Tensor) else each for each in given]
    arguments, keywords = pytree.tree_unflatten(resized, structure)
    tensors = iter(wanted)
    unknown = [_unknown(next(tensors)) if isinstance(each, torch.Tensor) else None for each in given]
    positional, named = pytree.tree_unflatten(unknown, structure)
    dynamic = (*positional, *named.values()) if any(unknown) else None
    try:
        found = torch.export.export(program.module(), arguments, keywords, dynamic_shapes=dynamic)
    except Exception as error:
        # PyTorch raises errors of many classes for sizes that a program refuses.
        raise FxError(f"the program is not for these sizes: {brief(error)}") from error
    graph_module: Any = found.graph_module
    graph_module.meta.update(program.graph_module.meta)
    return found


def _inputs(program: ExportedProgram) -> tuple[list[str], list[Sequence[int | str]]]:
    """The names and sizes of the tensors that users give."""
    values = {node.name: node.meta.get("val") for node in program.graph.find_nodes(op="placeholder")}
    names = [
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.USER_INPUT and isinstance(spec.arg, TensorArgument)
    ]
    return names, [sizes_of(values[name]) for name in names]


def _resized(tensor: torch.Tensor, sizes: Sequence[Any]) -> torch.Tensor:
    """An example of these sizes: a size that stays unknown is that of the old one."""
    found = [size if isinstance(size, int) else old for size, old in zip(sizes, tensor.shape, strict=True)]
    return tensor if found == [*tensor.shape] else tensor.new_zeros(found)


def _unknown(sizes: Sequence[Any]) -> dict[int, Any] | None:
    return {axis: Dim.AUTO for axis, size in enumerate(sizes) if not isinstance(size, int)} or None
