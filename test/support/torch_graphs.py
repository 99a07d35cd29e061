"""Programs of PyTorch in tests: exported, placed, run and compared."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[torch]'")

import torch
from npu_opt.api.torch_programs import relayout
from npu_opt.bridges.torch.exporting.convert import to_calls
from npu_opt.bridges.torch.importing.convert import to_npu
from npu_opt.bridges.torch.programs.reading import FxProgram, read
from npu_opt.bridges.torch.programs.writing import written
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.equivalence.compare import Answer, compare
from npu_opt.interpreter import run
from xdsl.dialects.builtin import ModuleOp

QUIET = pytest.mark.filterwarnings("ignore:.*treespec, LeafSpec:FutureWarning")
"""PyTorch warns of its own code."""
PERMUTES = {"aten.permute.default", "aten.permute_copy.default", "aten.transpose.int", "aten.t.default"}


class Function(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def exported(module: Any, inputs: Sequence[Any], dynamic_shapes: Any = None) -> Any:
    """The functional program of a module or function."""
    if not isinstance(module, torch.nn.Module):
        module = Function(module)
        dynamic_shapes = None if dynamic_shapes is None else (tuple(dynamic_shapes),)
    program = torch.export.export(module.eval(), tuple(inputs), dynamic_shapes=dynamic_shapes)
    found: Any = program
    return found.run_decompositions({})


def as_npu(program: Any, inline_limit: int | None = None) -> tuple[ModuleOp, FxProgram]:
    """The program in the npu dialect, with the notes for the writer."""
    imported = read(program, "weights.safetensors", inline_limit)
    came = imported.came
    assert isinstance(came, FxProgram)
    came.came = to_npu(imported.module)
    return imported.module, came


def bare(program: Any) -> Any:
    """The program, written without what is known of its calls: by the exporters alone."""
    module, came = as_npu(program)
    to_calls(module, None, program.dialect == "EDGE")
    return written(came, module)


def compared(one: Any, other: Any) -> Answer:
    """The proof that two programs compute the same."""
    return compare(as_npu(one)[0], as_npu(other)[0])


def results(program: Any, inputs: Sequence[Any]) -> list[Any]:
    """The results in eager, and the inputs and buffers as they are left behind."""
    # Programs share the buffers that they change.
    module, given = copy.deepcopy(program).module(), copy.deepcopy(tuple(inputs))
    with torch.no_grad():
        found = module(*given)
    flat: list[Any] = [*cast("Sequence[Any]", found)] if isinstance(found, tuple | list) else [found]
    buffers = dict(module.named_buffers())
    changed = [buffers[each] for each in program.graph_signature.buffers_to_mutate.values()]
    return [*flat, *(each for each in given if isinstance(each, torch.Tensor)), *changed]


def interpreted(program: Any, inputs: Sequence[Any]) -> list[Any]:
    """The results of the npu program, of one without buffers that change."""
    module, _ = as_npu(program)
    return run(module, "main", [each.detach().numpy() for each in inputs])


def calls(module: ModuleOp) -> list[str]:
    """The calls that have no counterpart in the dialect."""
    return [op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp)]


def nodes(program: Any) -> list[str]:
    """The nodes of a program: name, operator and arguments."""
    return [f"{node.name} {node.target} {node.args} {node.kwargs}" for node in program.graph.nodes]


def permutes(program: Any) -> int:
    return sum(str(node.target).removeprefix("aten::") in PERMUTES for node in program.graph.nodes)


def are_equal(one: Sequence[Any], other: Sequence[Any], tolerance: float = 0.0) -> bool:
    """True if values are equal; floats up to a tolerance."""
    return len(one) == len(other) and all(
        _is_equal(first, second, tolerance) for first, second in zip(one, other, strict=True)
    )


def _is_equal(one: Any, other: Any, tolerance: float) -> bool:
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return bool(np.all(np.asarray(one) == np.asarray(other)))
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return False
    if not one.dtype.is_floating_point or not tolerance:
        return bool(torch.equal(torch.nan_to_num(one.detach()), torch.nan_to_num(other.detach())))
    return torch.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)


__all__ = ["relayout", "torch"]
