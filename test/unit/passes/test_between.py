"""Opaque ops between transposes are named beside the verdict."""

import npu_opt
import pytest
from npu_opt.passes.common.moves.between import between_text, opaque_between_transposes
from support.ir_text import parse

A, B = "tensor<2x3x4xf32>", "tensor<3x2x4xf32>"
MOVED, BACK = (
    f"npu.transpose %x permutation = [1, 0, 2] : ({A}) -> {B}",
    f"npu.transpose %b permutation = [1, 0, 2] : ({B}) -> {A}",
)


def program(*lines: str, result: str = f"%y : {A}") -> str:
    body = "\n".join(lines)
    return f"func.func @main(%x: {A}) -> {result.partition(': ')[2]} {{\n{body}\nfunc.return {result}\n}}"


BETWEEN = [
    pytest.param(
        program(f"%a = {MOVED}", f'%b = npu.opaque "onnx.Odd"(%a) pure : ({B}) -> {B}', f"%y = {BACK}"),
        ["onnx.Odd"],
        id="directly",
    ),
    pytest.param(
        program(
            f"%a = {MOVED}",
            f"%r = npu.relu %a : {B}",
            f'%o = npu.opaque "onnx.Odd"(%r) pure : ({B}) -> {B}',
            f"%b = npu.neg %o : {B}",
            f"%y = {BACK}",
        ),
        ["onnx.Odd"],
        id="through ops of any order",
    ),
    pytest.param(
        program(f"%a = {MOVED}", f"%b = npu.softmax %a axis = 0 : {B}", f"%y = {BACK}"), [], id="no opaque op"
    ),
    pytest.param(
        program(f"%a = {MOVED}", f'%b = npu.opaque "onnx.Odd"(%a) pure : ({B}) -> {B}', result=f"%b : {B}"),
        [],
        id="on one side only",
    ),
]


@pytest.mark.parametrize(("text", "names"), BETWEEN)
def test_opaque_ops_with_transposes_on_both_sides(text: str, names: list[str]):
    module = parse(text)
    module.verify()
    assert [op.op_name.data for op in opaque_between_transposes(module)] == names
    assert (names == []) == (between_text(module) == "")


def test_the_verdict_names_them():
    text = program(f"%a = {MOVED}", f'%b = npu.opaque "onnx.Odd"(%a) pure : ({B}) -> {B}', f"%y = {BACK}")
    result = npu_opt.optimize(parse(text), target="onnx")
    assert str(result).endswith(": proved minimum, with ops between transposes that nothing moves through: onnx.Odd")
