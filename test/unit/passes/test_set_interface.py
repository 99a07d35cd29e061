"""Arguments and results in other orders, in programs that lit cases are too small for."""

import io
from contextlib import redirect_stderr

import pytest
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.passes.set_interface import SetInterface
from support.ir_text import parse_verified
from xdsl.context import Context

MATRICES = ("tensor<3x4xf32>", "tensor<4x3xf32>")
COUNT = 3001


@pytest.mark.parametrize(("interface", "left"), [("keep", COUNT), ("free", 0)])
def test_long_chains_of_transposes_take_no_recursion(interface: str, left: int):
    lines = [
        f"%{i + 1} = npu.transpose %{i} permutation = [1, 0] : ({MATRICES[i % 2]}) -> {MATRICES[(i + 1) % 2]}"
        for i in range(COUNT)
    ]
    head = f"func.func @main(%0: {MATRICES[0]}) -> {MATRICES[COUNT % 2]} {{"
    module = parse_verified("\n".join((head, *lines, f"func.return %{COUNT} : {MATRICES[COUNT % 2]}", "}")))
    with redirect_stderr(io.StringIO()):
        SetInterface(interface=interface).apply(Context(), module)
    assert sum(isinstance(op, AnyTransposeOp) for op in module.walk()) == left
