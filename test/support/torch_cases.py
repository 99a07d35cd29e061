"""Functions of PyTorch as cases: what a program of them becomes, and whether it computes what PyTorch does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from npu_opt.api.torch_programs import relayout
from npu_opt.bridges.torch.exporting.convert import to_calls
from npu_opt.bridges.torch.importing.convert import to_npu
from npu_opt.bridges.torch.reading import read
from npu_opt.bridges.torch.writing import written
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run as interpret

torch: Any = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[torch]'")

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
    bits: int = 32

    @property
    def tolerance(self) -> dict[str, float]:
        return {"rtol": 1e-2, "atol": 1e-2} if self.bits == 16 else {"rtol": 2e-4, "atol": 2e-5}


def module_of(case: Case, order: Sequence[int] | None = None) -> Any:
    """The module of a case, whose first argument and results are permuted if there is an order."""

    class Functions(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for place, each in enumerate(case.weights):
                self.register_buffer(f"weight{place}", each)

        def forward(self, *arguments: Any) -> Any:
            first, *rest = arguments
            if order is not None:
                first = first.permute(*order)
            weights = [getattr(self, f"weight{place}") for place in range(len(case.weights))]
            results = [function(first, *rest, *weights) for function in case.functions]
            flat = [each for found in results for each in (found if isinstance(found, tuple) else (found,))]
            if order is None:
                return tuple(flat)
            back = [order.index(axis) for axis in range(len(order))]
            return tuple(each.permute(*back) if each.dim() == len(order) else each for each in flat)

    return Functions().eval()


def exported(case: Case, order: Sequence[int] | None = None, core: bool = False) -> tuple[Any, list[Any]]:
    """The program and its arguments."""
    arguments = [*case.arguments]
    if order is not None:
        arguments[0] = arguments[0].permute(*[order.index(axis) for axis in range(len(order))]).contiguous()
    shapes = None
    if case.dynamic:
        shapes = {"arguments": tuple(dict(case.dynamic.get(place, {})) or None for place in range(len(arguments)))}
    program = torch.export.export(module_of(case, order), tuple(arguments), dynamic_shapes=shapes)
    return program.run_decompositions() if core else program.run_decompositions({}), arguments


def left_calls(module: Any) -> set[str]:
    return {op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp)}


def interpreted(program: Any, arguments: Sequence[Any], case: Case) -> list[Any] | None:
    """The numbers of a program that is read; None if calls are left in it, which the case has to name."""
    module = read(program, NAME, None).module
    to_npu(module)
    for op in [*module.walk()]:
        if isinstance(op, OpaqueOp) and op.op_name.data in ASSERTS:
            op.detach()
            op.erase()
    module.verify()
    left = left_calls(module)
    assert left <= case.stays, sorted(left - case.stays)
    return None if left else interpret(module, "main", [array(each) for each in arguments])


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
    return sum("permute" in str(node.target) for node in program.graph.nodes)


def assert_equal(found: Sequence[Any], wanted: Sequence[Any], case: Case, where: str) -> None:
    assert len(found) == len(wanted)
    for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
        one, other = (each if isinstance(each, np.ndarray) else array(each) for each in (one, other))
        assert one.shape == other.shape, f"{where}: result {place}"
        assert case.bits == 16 or one.dtype == other.dtype, f"{where}: result {place}: {one.dtype}, {other.dtype}"
        if other.dtype.kind == "f":
            np.testing.assert_allclose(one, other, **case.tolerance, err_msg=f"{where}: result {place}")
        else:
            np.testing.assert_array_equal(one, other, err_msg=f"{where}: result {place}")


def check(case: Case) -> None:
    """Check a case in all ways, of which each is compared with PyTorch."""
    wanted = module_of(case)(*case.arguments)
    for core in (False, True):
        program, arguments = exported(case, core=core)
        kind = "core" if core else "plain"
        found = None
        if not core or not left_calls_of(program) - case.stays:
            found = interpreted(program, arguments, case)
        if found is not None:
            assert_equal(found, wanted, case, f"{kind}: read")
        assert_equal(without_notes(program).module()(*arguments), wanted, case, f"{kind}: written")
        same = relayout(program)
        assert same.graph_module.code == program.graph_module.code, f"{kind}: as it came"
        for target in ("onnx", "opu"):
            order = case.order or _last(case.arguments[0].dim())
            program, arguments = exported(case, order, core)
            placed = relayout(program, target=target)
            assert_equal(
                placed.module()(*arguments), module_of(case, order)(*arguments), case, f"{kind}: placed for {target}"
            )


def left_calls_of(program: Any) -> set[str]:
    module = read(program, NAME, 16).module
    to_npu(module)
    return left_calls(module) - ASSERTS


def _last(rank: int) -> list[int]:
    """The order that takes the second axis from the last place."""
    return [0, rank - 1, *range(1, rank - 1)] if rank > 1 else [*range(rank)]
