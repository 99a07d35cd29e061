"""Texts of calls of PyTorch's operators as npu ops, and back; nothing of PyTorch runs here."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from npu_opt.bridges.torch.calls import Call
from npu_opt.bridges.torch.exporting.convert import to_calls
from npu_opt.bridges.torch.importing.convert import to_npu
from npu_opt.dialects.npu.source import OpaqueOp
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

F = "tensor<2x4x6x8xf32>"
CALLS: Mapping[str, tuple[str, str, str]] = {
    "number": (
        f'%y = npu.opaque "aten.add.Tensor"(%x) pure {{operands = ["self"], other = 2 : i64, alpha = 1 : i64}}'
        f" : ({F}) -> {F}",
        "npu.add",
        "aten.add.Tensor(self) other = 2.0",
    ),
    "number in front": (
        f'%y = npu.opaque "aten.rsub.Scalar"(%x) pure {{operands = ["self"], other = 2 : i64}} : ({F}) -> {F}',
        "npu.sub",
        "aten.rsub.Scalar(self) other = 2.0",
    ),
    "factor": (
        f'%y = npu.opaque "aten.add.Tensor"(%x, %x) pure {{operands = ["self", "other"], alpha = 3 : i64}}'
        f" : ({F}, {F}) -> {F}",
        "npu.mul npu.add",
        "aten.mul.Tensor(self) other = 3.0; aten.add.Tensor(self, other)",
    ),
    "comparison": (
        f'%y = npu.opaque "aten.gt.Scalar"(%x) pure {{operands = ["self"], other = 0.5 : f64}}'
        f" : ({F}) -> tensor<2x4x6x8xi1>",
        "npu.greater",
        "aten.gt.Scalar(self) other = 0.5",
    ),
    "bounds": (
        f'%y = npu.opaque "aten.hardtanh.default"(%x) pure {{operands = ["self"], min_val = -1 : i64,'
        f" max_val = 2 : i64}} : ({F}) -> {F}",
        "npu.clip",
        "aten.clamp.default(self) min = -1.0, max = 2.0",
    ),
    "mean": (
        f'%y = npu.opaque "aten.mean.dim"(%x) pure {{operands = ["self"], dim = array<i64: -1, -2>, keepdim = true}}'
        f" : ({F}) -> tensor<2x4x1x1xf32>",
        "npu.reduce_mean",
        "aten.mean.dim(self) dim = [2, 3], keepdim = True",
    ),
    "softmax": (
        f'%y = npu.opaque "aten.softmax.int"(%x) pure {{operands = ["self"], dim = -3 : i64}} : ({F}) -> {F}',
        "npu.softmax",
        "aten.softmax.int(self) dim = 1",
    ),
    "pool": (
        '%y = npu.opaque "aten.max_pool2d.default"(%x) pure {operands = ["self"], kernel_size = array<i64: 2, 2>}'
        f" : ({F}) -> tensor<2x4x3x4xf32>",
        "npu.max_pool",
        "aten.max_pool2d.default(self) kernel_size = [2, 2], stride = [2, 2], padding = [0, 0], dilation = [1, 1],"
        " ceil_mode = False",
    ),
    "attention": (
        '%y = npu.opaque "aten.scaled_dot_product_attention.default"(%x, %x, %x) pure'
        ' {operands = ["query", "key", "value"], dropout_p = 0.0 : f64, is_causal = true}'
        f" : ({F}, {F}, {F}) -> {F}",
        "npu.attention",
        "aten.scaled_dot_product_attention.default(query, key, value) is_causal = True, enable_gqa = False",
    ),
}
STAYING: Mapping[str, str] = {
    "an unknown number": '"aten.add.Tensor"(%x) pure {operands = ["self"], other = "s0", alpha = 1 : i64}',
    "random numbers": '"aten.dropout.default"(%x) pure {operands = ["input"], p = 0.5 : f64, train = true}',
    "dropout": '"aten.scaled_dot_product_attention.default"(%x, %x, %x)'
    ' {operands = ["query", "key", "value"], dropout_p = 0.5 : f64}',
}
UNKNOWN: Mapping[str, str] = {
    "a quotient rounded down": '"aten.div.Tensor_mode"(%x) pure'
    ' {operands = ["self"], other = 3 : i64, rounding_mode = "floor"}',
    "crossed bounds": '"aten.clamp.default"(%x) pure {operands = ["self"], min = 2 : i64, max = 1 : i64}',
}
"""Functions of elements that are no npu op."""


def parsed(call: str) -> ModuleOp:
    result = call.rpartition("-> ")[2]
    return parse(f"func.func @main(%x : {F}) -> {result} {{\n  {call}\n  func.return %y : {result}\n}}")


def body(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op.name.startswith("npu.") and op.name != "npu.constant"]


def stated(op: Operation) -> str:
    """A call with the names of its operands, and its other arguments."""
    assert isinstance(op, OpaqueOp)
    call = Call.of(op)
    assert call is not None
    values = ", ".join(f"{name} = {[*each] if isinstance(each, tuple) else each}" for name, each in call.values.items())
    return f"{call.name}({', '.join(call.operands)}){' ' * bool(values)}{values}"


@pytest.mark.parametrize("name", CALLS)
def test_call(name: str) -> None:
    text, ops, calls = CALLS[name]
    module = parsed(text)
    to_npu(module)
    module.verify()
    assert [op.name for op in body(module)] == ops.split()
    to_calls(module)
    module.verify()
    assert "; ".join(map(stated, body(module))) == calls


@pytest.mark.parametrize("name", STAYING)
def test_call_that_stays(name: str) -> None:
    operands = ", ".join([F] * STAYING[name].count("%x"))
    module = parsed(f"%y = npu.opaque {STAYING[name]} : ({operands}) -> {F}")
    before = str(module)
    to_npu(module)
    assert str(module) == before


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_function(name: str) -> None:
    module = parsed(f"%y = npu.opaque {UNKNOWN[name]} : ({F}) -> {F}")
    before = str(module)
    (call,) = map(stated, body(module))
    to_npu(module)
    module.verify()
    assert str(module) == before.replace("npu.opaque", "npu.vendor_elementwise")
    to_calls(module)
    assert [*map(stated, body(module))] == [call]
