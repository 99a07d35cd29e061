"""Branches in branches: the order of what each returns is found while its code is numbered once."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

TYPE, TURNED = "tensor<3x4xf32>", "tensor<4x3xf32>"


def nested(depth: int, op: str = "relu", is_turned: bool = False) -> ModuleOp:
    """An op in so many branches, each of which returns it, or what it returns transposed."""
    type_ = TURNED if is_turned else TYPE
    made = [f"%r0 = npu.{op} %x : {TYPE}"]
    if is_turned:
        made += [f"%t = npu.transpose %r0 permutation = [1, 0] : ({TYPE}) -> {TURNED}"]
    value = "%t" if is_turned else "%r0"
    for level in range(1, depth + 1):
        other = [f"%c{level} = npu.constant dense<0.5> : {type_}", f"scf.yield %c{level} : {type_}"]
        begin, end = f"%r{level} = scf.if %bit -> ({type_}) {{", f"scf.yield {value} : {type_}"
        made = [begin, *made, end, "} else {", *other, "}"]
        value = f"%r{level}"
    if is_turned:
        made += [f"%y = npu.transpose {value} permutation = [1, 0] : ({TURNED}) -> {TYPE}"]
        value = "%y"
    body = "\n".join(made)
    return parse(f"func.func @main(%x: {TYPE}, %bit: i1) -> {TYPE} {{\n{body}\nfunc.return {value} : {TYPE}\n}}")


@pytest.mark.parametrize("depth", [1, 3, 30])
def test_branches_that_return_another_order_are_equal(depth: int):
    first, second = nested(depth), nested(depth, is_turned=True)
    assert compare(first, second).verdict is Verdict.PROVED
    assert compare(second, first).verdict is Verdict.PROVED


def test_another_op_in_the_innermost_branch_is_none():
    assert compare(nested(30), nested(30, "exp", is_turned=True)).verdict is not Verdict.PROVED
    assert compare(nested(3), nested(4)).verdict is not Verdict.PROVED
