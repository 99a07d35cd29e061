"""The costs of transposes, and transposes that are free."""

from typing import cast

import pytest
from npu_opt.passes.common.moves.transpose_cost import (
    Cost,
    NotCounted,
    cost_of,
    cost_of_program,
    counted_transposes,
    moved_bytes,
    transposes,
)
from npu_opt.passes.common.storages.origins import Origins
from support.ir_text import context, parse
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Block
from xdsl.parser import Parser


def type_of(text: str) -> TensorType:
    type_ = Parser(context(), text).parse_type()
    assert isinstance(type_, TensorType)
    return cast(TensorType, type_)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tensor<1x8x4x6xf32>", 768),
        ("tensor<1x8x4x6xf16, #npu.layout<NCHW>>", 384),
        ("tensor<1x8x4x6xf4E2M1FN>", 96),
        ("tensor<1x8x4x6xf8E4M3FN>", 192),
        ("tensor<1x8x4x6xbf16>", 384),
        ("tensor<3x5xi8>", 15),
        ("tensor<3x5xf64>", 120),
        ("tensor<3x3xi4>", 5),
        ("tensor<3x3xi1>", 2),
        ("tensor<f32>", 4),
        ("tensor<0x5xf32>", 0),
        # The first logical dimension counts as 1, any other as 64.
        ("tensor<?x8xf32>", 32),
        ("tensor<8x?xf32>", 2048),
        ("tensor<?x?x?x3xi8, #npu.layout<NHWC>>", 12288),
        ("tensor<?x?x?x3xi8, #npu.layout<HWNC>>", 12288),
        ("tensor<8x?xi8, #npu.layout<Tensor, [1, 0]>>", 8),
    ],
)
def test_bytes(text: str, expected: int):
    type_ = type_of(text)
    assert moved_bytes(type_) == expected
    assert cost_of(Block(arg_types=[type_]).args[0], Origins()) == Cost(1, expected, "?" in text)


def test_views_cost_as_much_as_what_they_look_at():
    """All of these are the same bytes, though their types leave open other sizes, in other places."""
    module = parse("""
    func.func @main(%x: tensor<?x?x4xi8, #npu.layout<NWC>>) {
      %t = npu.transpose %x permutation = [1, 2, 0]
        : (tensor<?x?x4xi8, #npu.layout<NWC>>) -> tensor<?x4x?xi8, #npu.layout<WCN>>
      %l = npu.relabel %t
        : (tensor<?x4x?xi8, #npu.layout<WCN>>) -> tensor<?x4x?xi8, #npu.layout<Tensor>>
      %r = npu.reshape %l
        : (tensor<?x4x?xi8, #npu.layout<Tensor>>) -> tensor<?x2xi8, #npu.layout<Tensor>>
      %u = npu.transpose %r permutation = [1, 0]
        : (tensor<?x2xi8, #npu.layout<Tensor>>) -> tensor<2x?xi8, #npu.layout<Tensor>>
      func.return
    }""")
    module.verify()
    origins = Origins()
    assert [cost_of(op.input, origins) for op, _ in transposes(module, origins)] == [Cost(1, 256, True)] * 2
    assert cost_of_program(module, assumed_size=3) == Cost(2, 24, True)


def not_counted(body: str, arguments: str = "%x: tensor<2x3x4xf32>") -> list[tuple[str | None, NotCounted | None]]:
    module = parse(f"func.func @main({arguments}) {{\n{body}\n  func.return\n}}")
    module.verify()
    return [(op.result.name_hint, not_counted) for op, not_counted in transposes(module, Origins())]


def test_what_moves_nothing_does_not_count():
    arguments = (
        "%x: tensor<2x1x4x1xf32>, %none: tensor<2x0x4xf32>, %unknown: tensor<2x?xf32>,"
        " %c: tensor<1x1x4x6xf32, #npu.layout<NCHW>>, %d: tensor<1x4x6x8xf32, #npu.layout<NHWC>>"
    )
    body = """
      %still = npu.transpose %x permutation = [0, 1, 2, 3] : tensor<2x1x4x1xf32>
      %units = npu.transpose %x permutation = [3, 0, 2, 1] : (tensor<2x1x4x1xf32>) -> tensor<1x2x4x1xf32>
      %moved = npu.transpose %x permutation = [2, 1, 0, 3] : (tensor<2x1x4x1xf32>) -> tensor<4x1x2x1xf32>
      %empty = npu.transpose %none permutation = [2, 1, 0] : (tensor<2x0x4xf32>) -> tensor<4x0x2xf32>
      %maybe = npu.transpose %unknown permutation = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
      %one = npu.nchw2nhwc %c : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
      %fixed = npu.nhwc2nchw %d : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
    """
    assert not_counted(body, arguments) == [
        ("still", NotCounted.NO_MOVE),
        ("units", NotCounted.UNIT_AXES),
        ("moved", None),
        ("empty", NotCounted.NO_MOVE),
        ("maybe", None),
        ("one", NotCounted.UNIT_AXES),
        ("fixed", None),
    ]


def test_what_views_make_of_a_constant_does_not_count():
    body = """
      %c = npu.constant dense<1.0> : tensor<2x3x4xf32>
      %a = npu.transpose %c permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
      %r = npu.reshape %a : (tensor<4x3x2xf32>) -> tensor<12x2xf32>
      %l = npu.relabel %r : (tensor<12x2xf32>) -> tensor<12x2xf32, #npu.layout<Tensor>>
      %b = npu.transpose %l permutation = [1, 0]
        : (tensor<12x2xf32, #npu.layout<Tensor>>) -> tensor<2x12xf32, #npu.layout<Tensor>>
      %n = npu.relu %c : tensor<2x3x4xf32>
      %computed = npu.transpose %n permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
      %w = npu.broadcast %c axes = [1, 2, 3] : (tensor<2x3x4xf32>) -> tensor<5x2x3x4xf32>
      %repeated = npu.transpose %w permutation = [3, 2, 1, 0] : (tensor<5x2x3x4xf32>) -> tensor<4x3x2x5xf32>
      %argument = npu.transpose %x permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
      %behind = npu.transpose %argument permutation = [0, 2, 1] : (tensor<4x3x2xf32>) -> tensor<4x2x3xf32>
    """
    assert not_counted(body) == [
        ("a", NotCounted.CONSTANT),
        ("b", NotCounted.CONSTANT),
        ("computed", None),
        ("repeated", None),
        ("argument", None),
        ("behind", None),
    ]


def test_costs_add_up():
    module = parse("""
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<?x3xi8>) {
      %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %b = npu.transpose %y permutation = [1, 0] : (tensor<?x3xi8>) -> tensor<3x?xi8>
      func.return
    }
    func.func @other(%x: tensor<2x3xf32>) {
      %c = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      func.return
    }""")
    assert [op.result.name_hint for op in counted_transposes(module)] == ["a", "b", "c"]
    assert cost_of_program(module) == Cost(3, 51, True)
    assert cost_of_program(module).bytes_text == "~51"
    assert cost_of_program(ModuleOp([])) == Cost(0, 0, False)
    assert Cost(0, 0).bytes_text == "0"


def test_long_chains_are_followed_without_recursion():
    count = 2_000
    type_ = "tensor<2x3x4xf32>"
    lines = [f"%0 = npu.constant dense<1.0> : {type_}"]
    lines += [f"%{index + 1} = npu.transpose %{index} permutation = [0, 1, 2] : {type_}" for index in range(count)]
    turned = "permutation = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>"
    lines += [f"%t{index} = npu.transpose %{index} {turned}" for index in range(1, count + 1)]
    module = parse(f"func.func @main() {{\n{chr(10).join(lines)}\nfunc.return\n}}")
    found = [not_counted for _, not_counted in transposes(module, Origins())]
    assert found == [NotCounted.NO_MOVE] * count + [NotCounted.CONSTANT] * count


def test_a_ring_of_views_comes_from_nowhere():
    module = parse("""
    "builtin.module"() ({
      %a = npu.transpose %b permutation = [1, 0] : tensor<2x2xf32>
      %b = npu.transpose %a permutation = [1, 0] : tensor<2x2xf32>
    }) : () -> ()""")
    assert [not_counted for _, not_counted in transposes(module, Origins())] == [None, None]
