"""Conditions and prices of target files: their grammar, their values for facts, and the movement of transposes."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.packing import packing
from npu_opt.layout import DYNAMIC, Layout, movement
from npu_opt.passes.common.moves.pack_facts import pack_facts
from npu_opt.targets.conditions import parse_condition
from npu_opt.targets.expressions import ExpressionError
from npu_opt.targets.facts import Amount, OpFacts, PackKind, TransposeFacts
from npu_opt.targets.prices import parse_price
from support.oracles.one_op import parse_op
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block

NAMES = ("data", "kernel", "bias", "result")
CONV = parse_op(
    "%y = npu.conv2d %x, %w strides = [2, 2] pads = [1, 0, 1, 0] groups = 4"
    " : (tensor<1x?x8x32xf16, #npu.layout<NHWC>>, tensor<3x5x32x8xf16, #npu.layout<HWOI>>)"
    " -> tensor<1x?x2x32xf16, #npu.layout<NHWC>>"
)
FACTS = OpFacts(CONV, lambda type_: Amount(1000, 500), lambda value: value is CONV.operands[1])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("groups > 1", True),
        ("groups == 1 or kernel == 3x5", True),
        ("not depthwise and groups in [2, 4]", True),
        ("kernel.h == 3 and kernel.w >= 5", True),
        ("kernel > 3", False),
        ("kernel >= 3", True),
        ("kernel != 1x1", True),
        ("kernel in [1x1, 3x3]", False),
        ("kernel.d == 1", None),
        ("pads.h == 1 and pads.w == 0", True),
        ("pads == 1x0x1x0", True),
        ("stride == 2 and dilation == 1", True),
        ("type == f16", True),
        ("type in [i8, ui8]", False),
        ("rank == 4", True),
        ("C % 16 == 0", True),
        ("C % 3 == 2", True),
        ("H == 8", None),
        ("not H == 8", None),
        ("H == 8 or W == 8", True),
        ("H == 8 and W == 9", False),
        ("W of result == 2", True),
        ("O of kernel == 32 and I of kernel == 8", True),
        ("O == 32", None),
        ("dim 1 == 32 and dim 3 == 8", True),
        ("dim 4 == 1", None),
        ("bytes < 65536", None),
        ("bytes of kernel == 1000 and elements of kernel == 500", True),
        ("matrices == 32 and matrices of kernel == 256", True),
        ("kernel is constant", True),
        ("data is constant", False),
        ("bias is constant", None),
        ("not (kernel is constant and groups == 4)", False),
    ],
)
def test_value_of_a_condition(text: str, value: bool | None):
    condition = parse_condition(text, NAMES)
    assert condition.expression.holds(FACTS) is value
    assert condition.holds(FACTS) is (value is True)
    assert condition.asks_for_constants == ("constant" in text)


@pytest.mark.parametrize(
    ("shape", "value"), [("3x4", True), ("1x1x?x4", True), ("2x3x4", False), ("?x3x4", None), ("4", None)]
)
def test_matrices_of_a_value(shape: str, value: bool | None):
    """Their own sizes need not be known, and a vector has none."""
    op = parse_op(f"%y = npu.relu %x : tensor<{shape}xf32>")
    facts = OpFacts(op, lambda _: Amount(0, 0), lambda _: False)
    assert parse_condition("matrices == 1", NAMES).expression.holds(facts) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("keeps the last axis", False),
        ("moves the last axis", True),
        ("swaps blocks", True),
        ("permutation == [0, 2, 3, 1]", True),
        ("permutation != [1, 0]", True),
        ("rank <= 3 and bytes < 65536", True),
        ("dim 0 == 2 and dim 1 == 48 and dim 2 == 20", True),
        ("type == f32", True),
        ("packs", False),
    ],
)
def test_value_of_a_condition_on_a_transpose(text: str, value: bool):
    facts = TransposeFacts.of(f32, (2, 1, 48, 4, 5), (0, 3, 4, 1, 2), 7680)
    assert parse_condition(text, None).expression.holds(facts) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("packs", True),
        ("not unpacks", True),
        ("keeps the last axis", False),
        ("swaps blocks", True),
        ("rank == 3 and dim 0 == 2 and dim 1 == 16 and dim 2 == 20 and bytes == 2560", True),
    ],
)
def test_value_of_a_condition_on_a_pack(text: str, value: bool):
    argument = Block(arg_types=[typed("1x32x4x5", "NCHW")]).args[0]
    facts = pack_facts(packing(argument, typed("1x2x4x5x16", "NCHW16c")), 2560)
    assert parse_condition(text, None).expression.holds(facts) is value


@pytest.mark.parametrize(
    ("given", "wanted", "kind", "moves"),
    [
        (("1x4x5x32", "NHWC"), ("1x4x5x2x16", "NHWC16c"), PackKind.PACK, False),
        (("1x4x5x24", "NHWC"), ("1x4x5x2x16", "NHWC16c, C = 24, zeros"), PackKind.PACK, True),
        (("1x1x4x5x16", "NCHW16c, C = 3"), ("1x3x4x5", "NCHW"), PackKind.UNPACK, True),
        (("1x2x4x5x24", "NCHW24c"), ("1x3x4x5x16", "NCHW16c"), PackKind.PACK, True),
        (("1x2x4x5x8", "NCHW8c"), ("1x1x4x5x16", "NCHW16c"), PackKind.PACK, True),
        (("1x1x4x5x16", "NCHW16c"), ("1x16x4x5", "NCHW"), None, True),
        (("1x1x1x2x16", "NCHW16c"), ("1x16x1x2", "NCHW"), None, True),
    ],
)
def test_facts_of_packs(given: tuple[str, str], wanted: tuple[str, str], kind: PackKind | None, moves: bool):
    """A single block is the whole axis; padding is written or dropped even where nothing changes its place."""
    facts = pack_facts(packing(Block(arg_types=[typed(*given)]).args[0], typed(*wanted)), 1)
    assert (facts.kind, not facts.moves_nothing) == (kind, moves)


def typed(shape: str, layout: str) -> TensorType:
    return TensorType(f32, [*map(int, shape.split("x"))], LayoutAttr(Layout.parse(layout)))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: expected a condition, found the end"),
        ("grups > 1", "column 1: unknown fact 'grups'; did you mean 'groups'?"),
        ("groups > f16", "column 10: expected a whole number, found 'f16'"),
        ("groups > 1.5", "column 10: expected a whole number, found '1.5'"),
        ("groups", "column 7: expected a comparison such as '==', found the end"),
        ("groups of data > 1", "column 8: 'groups' belongs to the op, so 'of' has no meaning"),
        ("type > f16", "column 6: 'type' is compared with '==' or '!=', found '>'"),
        ("type == float", "column 9: expected an element type such as f16 or i8, found 'float'"),
        ("kernel == 3 x 3", "column 13: expected 'and', 'or' or the end of the condition, found 'x'"),
        ("kernel < 3x3", "column 10: sizes such as 3x3 are compared with '==' or '!='"),
        ("kernel.x == 1", "column 1: 'kernel' has no part 'x'; only sizes have .d, .h and .w"),
        ("depthwise == 1", "column 11: 'depthwise' is true or false: write 'depthwise' or 'not depthwise'"),
        ("C of reslt == 1", "column 6: no operand or result is named 'reslt'; did you mean 'result'?"),
        ("kernal is constant", "column 1: no operand or result is named 'kernal'; did you mean 'kernel'?"),
        ("C % 0 == 0", "column 5: no number can be divided by 0"),
        ("type % 2 == 0", "column 6: 'type' is no number"),
        ("rank == 4 rank == 5", "column 11: expected 'and', 'or' or the end of the condition, found 'rank'"),
        ("(rank == 4", "column 11: expected ')', found the end"),
        ("rank == 4 & type == f16", "column 11: unexpected '&'"),
        ("type in i8", "column 9: expected '[', found 'i8'"),
        ("not " * 40 + "depthwise", "column 129: nested too deeply"),
        ("rank == 1 or " * 60 + "rank == 2", "column 651: too long: at most 200 words"),
        ("swaps blocks", "column 1: unknown fact 'swaps'"),
        ("packs", "column 1: unknown fact 'packs'"),
    ],
)
def test_error_in_a_condition(text: str, error: str):
    with pytest.raises(ExpressionError) as caught:
        parse_condition(text, NAMES)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("groups > 1", "column 1: unknown fact 'groups'; expected 'permutation', 'type', 'rank', 'bytes'"),
        ("keeps the last", "column 1: expected 'keeps the last axis'"),
        ("bytes of data < 1", "column 7: it is about one value, so 'of' has no meaning"),
        ("permutation == [0, 2]", "column 16: [0, 2] is not a permutation"),
        ("permutation < [1, 0]", "column 13: 'permutation' is compared with '==' or '!=', found '<'"),
    ],
)
def test_error_in_a_condition_on_a_transpose(text: str, error: str):
    with pytest.raises(ExpressionError) as caught:
        parse_condition(text, None)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("200", 200_000),
        ("1.5 x bytes of result", 1_500_000),
        ("0.02 x elements of data + 500", 510_000),
        ("bytes", 1_000_000),
        ("0.000001 x bytes", 1),
        ("0.0000004 x bytes", 0),
        ("0.0000005 x bytes + 0.0004", 1),
        ("0.000000001 x bytes + 1000000000000", 10**15),
    ],
)
def test_price(text: str, ticks: int):
    assert parse_price(text, NAMES).ticks(FACTS) == ticks


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1.5 x byte", "column 7: unknown quantity 'byte'; did you mean 'bytes'?"),
        ("1.5 bytes", "column 5: expected '+' or the end of the price, found 'bytes'"),
        ("x bytes", "column 1: unknown quantity 'x'; expected 'bytes' or 'elements'"),
        ("1 +", "column 4: expected a number or a quantity such as 'bytes', found the end"),
        ("-1", "column 1: unexpected '-'"),
        ("2 x bytes of reslt", "column 14: no operand or result is named 'reslt'; did you mean 'result'?"),
        (
            "0.0000000001",
            "column 1: expected a number of at most 1000000000000, with at most 9 digits behind the point, found",
        ),
    ],
)
def test_error_in_a_price(text: str, error: str):
    with pytest.raises(ExpressionError) as caught:
        parse_price(text, NAMES)
    assert str(caught.value).startswith(error)


def test_a_transpose_has_no_elements_and_no_names():
    with pytest.raises(ExpressionError, match="column 5: unknown quantity 'elements'; expected 'bytes'"):
        parse_price("2 x elements", None)
    with pytest.raises(ExpressionError, match="column 11: it is about one value"):
        parse_price("2 x bytes of data", None)


def test_a_movement_is_the_transpose_in_the_fewest_axes():
    rng = Random(1)
    for _ in range(300):
        shape = [rng.choice((1, 1, 2, 3)) for _ in range(rng.randint(1, 5))]
        permutation = rng.sample(range(len(shape)), len(shape))
        found = movement(permutation, shape)
        data = np.arange(int(np.prod(shape))).reshape(shape)
        moved = data.transpose(permutation).ravel()
        assert np.array_equal(data.reshape(found.sizes).transpose(found.permutation).ravel(), moved)
        assert found.moves_nothing == np.array_equal(data.ravel(), moved)
        assert 1 not in found.sizes or found.moves_nothing
        # No two neighbouring blocks are still neighbours.
        assert all(after != before + 1 for before, after in zip(found.permutation, found.permutation[1:], strict=False))
        last = [axis for axis in range(len(shape)) if shape[axis] > 1][-1:]
        assert found.keeps_last_axis == ([axis for axis in permutation if shape[axis] > 1][-1:] == last)


def test_movements_that_swap_blocks():
    swapping = [order for order in permutations(range(4)) if movement(order, (2, 3, 4, 5)).swaps_blocks]
    assert swapping == [(0, 1, 3, 2), (0, 2, 3, 1), (0, 3, 1, 2), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]


def test_movement_of_unknown_sizes():
    assert movement((0, 2, 3, 1), (1, 3, DYNAMIC, 4)) == ((1, 0), (3, DYNAMIC))
    assert movement((0, 2, 1), (DYNAMIC, 1, 4)).moves_nothing
    assert movement((1, 0), (0, 4)).moves_nothing
