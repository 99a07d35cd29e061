"""Functions of PyTorch as cases: what a program of them becomes, and whether it computes what PyTorch does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[torch]'")

import torch as untyped_torch
from npu_opt.api.torch_programs import relayout
from npu_opt.bridges.torch.exporting.convert import to_calls
from npu_opt.bridges.torch.importing.convert import to_npu
from npu_opt.bridges.torch.programs.reading import read
from npu_opt.bridges.torch.programs.writing import written
from npu_opt.dialects.npu.source import ForeignOp, OpaqueOp
from npu_opt.interpreter import run as interpret
from npu_opt.tools.driver.execution.foreign_ops import environment_in

torch: Any = untyped_torch

ASSERTS = frozenset({"aten._assert_tensor_metadata.default"})
NAME = "w.safetensors"


@dataclass(frozen=True)
class Case:
    """Functions of the same arguments, which make one program."""

    functions: Sequence[Callable[..., Any]]
    arguments: Sequence[Any]
    stays: frozenset[str] = frozenset()
    """The operators that stay calls."""
    order: Sequence[int] | None = None
    """The order of the first argument between two permutes; by default its first axis but one comes last."""
    weights: Sequence[Any] = ()
    """Tensors that the functions read behind the arguments, as buffers."""
    dynamic: Mapping[int, Mapping[int, Any]] = field(default_factory=dict[int, "Mapping[int, Any]"])
    """The axes of arguments whose sizes are known at run time only."""
    others: Sequence[Sequence[Any]] = ()
    """Arguments of other sizes."""
    bits: int = 32
    permutes: int | None = None
    """The permutes between two permutes, for operators in the orders of the target `onnx`."""
    is_joined: bool = False
    """True if reshapes in front of a call are joined with its own."""
    is_decomposed: bool = True
    """True if the decomposed program is checked as well."""

    @property
    def tolerance(self) -> tuple[float, float]:
        """The relative and the absolute one."""
        return (1e-2, 1e-2) if self.bits == 16 else (2e-4, 2e-5)


def module_of(case: Case, order: Sequence[int] | None = None) -> Any:
    """The module of a case, whose first argument and results are permuted if there is an order."""

    class Functions(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType] - torch is Any here, for want of types.
            for place, each in enumerate(case.weights):
                self.register_buffer(f"weight{place}", each)

        def forward(self, *arguments: Any) -> Any:
            first, *rest = arguments
            if order is not None:
                first = first.permute(*order)
            weights = [getattr(self, f"weight{place}") for place in range(len(case.weights))]
            results = [function(first, *rest, *weights) for function in case.functions]
            flat: list[Any] = []
            for found in results:
                flat += found if isinstance(found, tuple) else [found]
            if order is None:
                return tuple(flat)
            back = [order.index(axis) for axis in range(len(order))]
            return tuple(each.permute(*back) if each.dim() == len(order) else each for each in flat)

    return Functions().eval()


def exported(case: Case, order: Sequence[int] | None = None, core: bool = False) -> tuple[Any, list[Any]]:
    """The program and its arguments."""
    arguments = moved(case.arguments, order)
    shapes = None
    if case.dynamic:
        axes = [dict(case.dynamic.get(place, {})) for place in range(len(arguments))]
        if order is not None:
            axes[0] = {order[axis]: size for axis, size in axes[0].items()}
        shapes = {"arguments": tuple(each or None for each in axes)}
    program = torch.export.export(module_of(case, order), tuple(arguments), dynamic_shapes=shapes)
    return program.run_decompositions() if core else program.run_decompositions({}), arguments


def moved(arguments: Sequence[Any], order: Sequence[int] | None) -> list[Any]:
    """Arguments of which the module permutes the first one to what it is here."""
    first, *rest = arguments
    if order is not None:
        first = first.permute(*[order.index(axis) for axis in range(len(order))]).contiguous()
    return [first, *rest]


def left_calls(module: Any) -> set[str]:
    return {op.op_name.data for op in module.walk() if isinstance(op, ForeignOp)}


def interpreted(program: Any, arguments: Sequence[Any], case: Case, core: bool) -> list[Any] | None:
    """The numbers of a program that is read; None if opaque calls are left in it."""
    module = read(program, NAME, None).module
    to_npu(module)
    for op in [*module.walk()]:
        if isinstance(op, OpaqueOp) and op.op_name.data in ASSERTS:
            op.detach()
            op.erase()
    module.verify()
    left = left_calls(module)
    assert core or left <= case.stays, sorted(left - case.stays)
    if any(isinstance(op, OpaqueOp) for op in module.walk()):
        return None
    return interpret(module, "main", [array(each) for each in arguments], environment_in(Path.cwd()))


def array(tensor: Any) -> Any:
    return tensor.float().numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def without_notes(program: Any) -> Any:
    """The program, written from the ops that it became, not from notes about its calls."""
    imported = read(program, NAME, 16)
    to_npu(imported.module)
    to_calls(imported.module)
    imported.module.verify()
    return written(imported.came, imported.module)


def permutes(program: Any) -> int:
    return sum(node.op == "call_function" and "permute" in str(node.target) for node in program.graph.nodes)


def calls_of(program: Any) -> set[str]:
    """The calls of a program that compute something, with their arguments that are no tensors."""
    found: set[str] = set()
    for node in program.graph.nodes:
        name = str(node.target).split(".")
        if node.op == "call_function" and name[0] == "aten" and name[1] not in VIEWS:
            found.add(f"{node.target} {torch.fx.node.map_arg(node.args, _nothing)}")
    return found


def _nothing(_node: object) -> None:
    """In place of a tensor."""


VIEWS = frozenset(
    "alias arange clone contiguous expand full ones permute reshape scalar_tensor select slice squeeze t transpose"
    " unsqueeze view zeros".split()
)
"""Operators that say how data are read, which are joined, and constants."""


def assert_equal(found: Sequence[Any], wanted: Sequence[Any], case: Case, where: str) -> None:
    assert len(found) == len(wanted)
    for place, pair in enumerate(zip(found, wanted, strict=True)):
        one, other = (array(each) if isinstance(each, torch.Tensor) else each for each in pair)
        assert one.shape == other.shape, f"{where}: result {place}"
        assert case.bits == 16 or one.dtype == other.dtype, f"{where}: result {place}: {one.dtype}, {other.dtype}"
        if other.dtype.kind == "f":
            np.testing.assert_allclose(one, other, *case.tolerance, err_msg=f"{where}: result {place}")
        else:
            np.testing.assert_array_equal(one, other, err_msg=f"{where}: result {place}")


def check(case: Case) -> None:
    """Check a case in all ways, of which each is compared with PyTorch."""
    wanted = module_of(case)(*case.arguments)
    for core in (False, True) if case.is_decomposed else (False,):
        program, arguments = exported(case, core=core)
        kind = "core" if core else "plain"
        if (found := interpreted(program, arguments, case, core)) is not None:
            assert_equal(found, wanted, case, f"{kind}: read")
        assert_equal(without_notes(program).module()(*arguments), wanted, case, f"{kind}: written")
        changed = calls_of(program) - calls_of(relayout(program))
        assert not changed or case.is_joined, f"{kind}: {sorted(changed)}"
        order = case.order or _last(case.arguments[0].dim())
        between, arguments = exported(case, order, core)
        for target in ("opu",) if core else ("onnx", "opu"):
            relayouted = relayout(between, target=target)
            if target == "onnx" and case.permutes is not None:
                assert permutes(relayouted) == case.permutes
            placed = relayouted.module()
            for given in (arguments, *(moved(each, order) for each in case.others)):
                where = f"{kind}: placed for {target}"
                assert_equal(placed(*given), module_of(case, order)(*given), case, where)


def _last(rank: int) -> list[int]:
    """The order that takes the second axis from the last place."""
    return [0, rank - 1, *range(1, rank - 1)] if rank > 1 else [*range(rank)]
