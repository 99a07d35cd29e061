"""Reshapes across axes, uniform constants, and axes along which a value is repeated."""

from itertools import pairwise

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.generators.programs import random_program
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp


def read(argument: str, result: str, body: str) -> ModuleOp:
    text = f"func.func @main(%x: tensor<{argument}xf32>) -> tensor<{result}xf32> {{\n{body}\n"
    return parse_verified(f"{text}func.return %y : tensor<{result}xf32>\n}}")


def proves(argument: str, result: str, first: str, second: str) -> bool:
    return compare(read(argument, result, first), read(argument, result, second)).verdict is Verdict.PROVED


def reshapes(*shapes: str) -> str:
    """Reshapes of %x through these shapes to %y."""
    names = ["x", *(f"r{index}" for index in range(len(shapes) - 2)), "y"]
    return "\n".join(
        f"%{names[index + 1]} = npu.reshape %{names[index]} : (tensor<{one}xf32>) -> tensor<{other}xf32>"
        for index, (one, other) in enumerate(pairwise(shapes))
    )


@pytest.mark.parametrize(
    "shapes",
    [
        ("4x6", "3x8", "8x3"),
        ("4x6", "24", "8x3"),
        ("4x6", "3x8", "2x12", "8x3"),
        ("4x6", "8x3", "4x6", "8x3"),
        ("4x6", "1x4x6", "3x2x4", "8x3"),
    ],
)
def test_intermediate_shapes_of_reshapes_do_not_matter(shapes: tuple[str, ...]):
    assert proves("4x6", "8x3", reshapes("4x6", "8x3"), reshapes(*shapes))


def test_a_reshape_and_its_inverse_are_the_identity():
    there_and_back = reshapes("4x6x5", "4x5x6", "24x5", "12x10", "4x6x5")
    relu = "%y = npu.relu %{} : tensor<4x6x5xf32>"
    assert proves("4x6x5", "4x6x5", relu.format("x"), there_and_back.replace("%y", "%z") + "\n" + relu.format("z"))


def test_reshapes_of_transposed_data_differ():
    swapped = "%t = npu.transpose %x permutation = [1, 0] : tensor<6x6xf32>\n"
    across = reshapes("6x6", "4x9")
    assert proves("6x6", "4x9", across, across)
    assert not proves("6x6", "4x9", across, swapped + across.replace("%x", "%t"))


def test_reshapes_across_axes_differ_from_transposes():
    transposed = "%y = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>"
    assert not proves("4x6", "6x4", reshapes("4x6", "6x4"), transposed)
    later = "%t = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>\n"
    back = "\n%y = npu.transpose %u permutation = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>"
    one = reshapes("4x6", "8x3")
    other = later + "%u = npu.reshape %t : (tensor<6x4xf32>) -> tensor<3x8xf32>" + back
    assert not proves("4x6", "8x3", one, other)


def add(constant: str, shape: str) -> str:
    return (
        f"%c = npu.constant dense<{constant}> : tensor<{shape}xf32>\n"
        f"%y = npu.add %x, %c : (tensor<2x3xf32>, tensor<{shape}xf32>) -> tensor<2x3xf32>"
    )


def test_uniform_constants_are_equal_in_any_shape():
    assert proves("2x3", "2x3", add("1.0", "2x3"), add("1.0", "1x3"))
    assert proves("2x3", "2x3", add("1.0", "2x3"), add("1.0", "1x1"))
    assert not proves("2x3", "2x3", add("1.0", "2x3"), add("2.0", "2x3"))
    assert not proves("2x3", "2x3", add("1.0", "2x3"), add("[[1.0, 1.0, 2.0]]", "1x3"))


def test_a_constant_and_its_transpose_agree_though_both_have_the_same_bytes():
    one = (
        "%c = npu.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]> : tensor<2x3xf32>\n"
        "%r = npu.relu %c : tensor<2x3xf32>\n"
        "%y = npu.add %x, %r : tensor<2x3xf32>"
    )
    other = (
        "%c = npu.constant dense<[[1.0, 1.0], [1.0, 1.0], [1.0, 2.0]]> : tensor<3x2xf32>\n"
        "%r = npu.relu %c : tensor<3x2xf32>\n"
        "%t = npu.transpose %r permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>\n"
        "%y = npu.add %x, %t : tensor<2x3xf32>"
    )
    assert proves("2x3", "2x3", one, other)


def summed(count: int) -> str:
    return (
        f"%c = npu.constant dense<1.0> : tensor<2x{count}xf32>\n"
        f"%s = npu.reduce_sum %c axes = [1] : (tensor<2x{count}xf32>) -> tensor<2xf32>\n"
        "%y = npu.add %x, %s : tensor<2xf32>"
    )


def test_the_number_of_equal_elements_in_a_sum_counts():
    assert proves("2", "2", summed(3), summed(3))
    assert not proves("2", "2", summed(3), summed(4))


def convolved(kernel: str, layout: str, sizes: str = "3x3") -> str:
    return (
        f"%w = npu.constant dense<1.0> : tensor<{kernel}xf32>\n"
        f"%y = npu.conv2d %x, %w pads = [0, 0, {sizes}] data_layout = <{layout}> kernel_layout = <OIHW>\n"
        f"  : (tensor<1x1x5x5xf32>, tensor<{kernel}xf32>) -> tensor<1x1x5x5xf32>"
    )


def test_the_extents_of_a_uniform_kernel_count():
    along_h, along_w = (
        convolved("1x1x3x1", "NCHW", "2, 0"),
        convolved("1x1x1x3", "NCHW", "0, 2"),
    )
    assert proves("1x1x5x5", "1x1x5x5", along_h, along_h)
    assert not proves("1x1x5x5", "1x1x5x5", along_h, along_w)
    # H is at the position that W has in the other program.
    assert not proves("1x1x5x5", "1x1x5x5", along_h, convolved("1x1x3x1", "NCWH", "2, 0"))


def padded(low: str, high: str, then: str = "") -> str:
    return (
        f"%p = npu.pad %x low = [{low}] high = [{high}] : (tensor<1x1xf32>) -> tensor<2x2xf32>\n"
        f"%y = npu.transpose %p permutation = [{then or '0, 1'}] : tensor<2x2xf32>"
    )


def test_padding_of_unit_axes_has_a_position():
    assert proves("1x1", "2x2", padded("1, 0", "0, 1"), padded("0, 1", "1, 0", "1, 0"))
    assert not proves("1x1", "2x2", padded("1, 0", "0, 1"), padded("0, 1", "1, 0"))
    assert not proves("1x1", "2x2", padded("1, 0", "0, 1"), padded("1, 0", "0, 1", "1, 0"))


def repeated(axis: int, permutation: str) -> str:
    return (
        f"%b = npu.broadcast %x axes = [{axis}] : (tensor<3xf32>) -> tensor<3x3x3xf32>\n"
        f"%y = npu.transpose %b permutation = [{permutation}] : tensor<3x3x3xf32>"
    )


def test_axes_along_which_a_value_is_repeated_are_equal():
    assert proves("3", "3x3x3", repeated(0, "0, 1, 2"), repeated(0, "0, 2, 1"))
    assert proves("3", "3x3x3", repeated(0, "0, 1, 2"), repeated(1, "1, 2, 0"))
    assert not proves("3", "3x3x3", repeated(0, "0, 1, 2"), repeated(0, "1, 0, 2"))
    assert not proves("3", "3x3x3", repeated(0, "0, 1, 2"), repeated(1, "0, 1, 2"))


def broadcast(size: str, axis: int, then: str = "%y = npu.exp %b") -> str:
    return f"%b = npu.broadcast %x axes = [{axis}] : (tensor<3xf32>) -> tensor<{size}xf32>\n{then} : tensor<{size}xf32>"


def test_an_axis_along_which_a_value_is_repeated_may_be_split():
    whole = broadcast("3x6", 0, "%e = npu.exp %b") + "\n" + reshapes("3x6", "3x2x3").replace("%x", "%e")
    assert proves("3", "3x2x3", whole, broadcast("3x2x3", 0))
    assert proves("3", "3x2x3", whole, broadcast("3x3x2", 0).replace("%y", "%z") + "\n" + SWAPPED)
    assert not proves("3", "3x2x3", whole, broadcast("3x2x3", 2))
    crossed = broadcast("6x3", 1, "%e = npu.exp %b") + "\n" + reshapes("6x3", "3x2x3").replace("%x", "%e")
    assert proves("3", "3x2x3", crossed, broadcast("3x2x3", 2))
    assert not proves("3", "3x2x3", crossed, whole)


SWAPPED = "%y = npu.transpose %z permutation = [0, 2, 1] : (tensor<3x3x2xf32>) -> tensor<3x2x3xf32>"


def total(size: str, axis: int, axes: str) -> str:
    return (
        f"%b = npu.broadcast %x axes = [{axis}] : (tensor<3xf32>) -> tensor<{size}xf32>\n"
        f"%y = npu.reduce_sum %b axes = [{axes}] : (tensor<{size}xf32>) -> tensor<3xf32>"
    )


def test_the_number_of_repetitions_in_a_sum_counts():
    assert proves("3", "3", total("3x8", 0, "1"), total("2x3x4", 1, "0, 2"))
    assert proves("3", "3", total("2x3x4x5", 1, "0, 2, 3"), total("4x5x3x2", 2, "0, 1, 3"))
    assert not proves("3", "3", total("3x8", 0, "1"), total("2x3x2", 1, "0, 2"))
    assert not proves("3", "3", total("4x3x4x2", 1, "0, 2, 3"), total("2x3x2x4", 1, "0, 2, 3"))
    assert not proves("3", "3", total("4x4x4x2x3", 4, "0, 1, 2, 3"), total("2x2x2x4x3", 4, "0, 1, 2, 3"))
    assert not proves("3", "3", total("3x3", 0, "1"), total("3x3", 0, "0"))


def moved_sum(places: str, sizes: str, moved: str) -> str:
    """The sum of %x, and of %x with its pieces in another order, in these axes."""
    return (
        "%p = npu.reshape %x : (tensor<56x56xf32>) -> tensor<8x7x8x7xf32>\n"
        "%t = npu.transpose %p permutation = [2, 1, 0, 3] : tensor<8x7x8x7xf32>\n"
        "%q = npu.reshape %x : (tensor<56x56xf32>) -> tensor<7x8x7x8xf32>\n"
        f"%u = npu.transpose %q permutation = [{places}] : tensor<7x8x7x8xf32>\n"
        f"%a = npu.reshape %t : (tensor<8x7x8x7xf32>) -> tensor<{sizes}xf32>\n"
        f"%b = npu.reshape %u : (tensor<7x8x7x8xf32>) -> tensor<{sizes}xf32>\n"
        f"{moved}"
    )


def test_ops_on_axes_that_do_not_split_alike():
    whole = moved_sum(
        "2, 1, 0, 3",
        "3136",
        "%s = npu.add %a, %b : tensor<3136xf32>\n" + reshapes("3136", "7x8x56").replace("%x", "%s"),
    )
    parts = moved_sum("2, 1, 0, 3", "7x8x56", "%y = npu.add %a, %b : tensor<7x8x56xf32>")
    swapped = (
        "%v = npu.transpose %a permutation = [1, 0, 2] : (tensor<7x8x56xf32>) -> tensor<8x7x56xf32>\n"
        "%w = npu.transpose %b permutation = [1, 0, 2] : (tensor<7x8x56xf32>) -> tensor<8x7x56xf32>\n"
        "%s = npu.add %v, %w : tensor<8x7x56xf32>\n"
        "%y = npu.transpose %s permutation = [{}] : (tensor<8x7x56xf32>) -> tensor<7x8x56xf32>"
    )
    later = moved_sum("2, 1, 0, 3", "7x8x56", swapped.format("1, 0, 2"))
    other = moved_sum("0, 1, 2, 3", "7x8x56", "%y = npu.add %a, %b : tensor<7x8x56xf32>")
    assert proves("56x56", "7x8x56", whole, parts)
    assert proves("56x56", "7x8x56", whole, later)
    assert proves("56x56", "7x8x56", parts, later)
    assert not proves("56x56", "7x8x56", parts, other)


def test_values_without_elements_are_equal():
    pad = "%y = npu.pad %{} low = [{}, 0] high = [0, 0] : (tensor<{}x4xf32>) -> tensor<2x4xf32>"
    empty = "%e = npu.slice %x starts = [{0}, 0] limits = [{0}, 4] : (tensor<2x4xf32>) -> tensor<0x4xf32>\n"
    first, second = (empty.format(start) + pad.format("e", 2, 0) for start in (0, 1))
    assert proves("2x4", "2x4", first, second)
    one = "%e = npu.slice %x starts = [{0}, 0] limits = [{0}1, 4] : (tensor<2x4xf32>) -> tensor<1x4xf32>\n"
    assert not proves("2x4", "2x4", first, one.replace("{0}1", "1").format(0) + pad.format("e", 1, 1))


def scaled(axis: int, permutation: str) -> str:
    """Repeated integers that have a scale for each position along an axis, and are quantised by the same one."""
    return (
        "%s = npu.constant dense<[0.5, 0.25]> : tensor<2xf32>\n"
        "%z = npu.constant dense<0> : tensor<2xi8>\n"
        "%c = npu.constant dense<1.0> : tensor<f32>\n"
        "%n = npu.constant dense<0> : tensor<i8>\n"
        "%q = npu.quantize %x, %c, %n : (tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<3xi8>\n"
        "%b = npu.broadcast %q axes = [0] : (tensor<3xi8>) -> tensor<3x2x2xi8>\n"
        f"%d = npu.dequantize %b, %s, %z axis = {axis}"
        " : (tensor<3x2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<3x2x2xf32>\n"
        f"%y = npu.transpose %d permutation = [{permutation}] : tensor<3x2x2xf32>"
    )


def test_repeated_integers_with_several_scales_are_not_repeated():
    assert proves("3", "3x2x2", scaled(1, "0, 1, 2"), scaled(2, "0, 2, 1"))
    assert not proves("3", "3x2x2", scaled(1, "0, 1, 2"), scaled(2, "0, 1, 2"))
    assert not proves("3", "3x2x2", scaled(1, "0, 1, 2"), scaled(1, "0, 2, 1"))


@pytest.mark.parametrize(("seed", "size"), [(3387, 120), *((seed, 60) for seed in range(8))])
def test_a_program_is_equal_to_itself(seed: int, size: int):
    """Numbers that are met again, here in the clone, are found in the way in which they were found first."""
    program = random_program(seed, size, coloured=False)
    assert compare(program, program.clone()).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("indices", "size", "is_view"),
    [
        ("[0, 1, 2, 3, 4, 5]", "6", True),
        ("[[0, 1, 2], [3, 4, -1]]", "2x3", True),
        ("[[[0]], [[1]], [[2]], [[3]], [[4]], [[5]]]", "6x1x1", True),
        ("[[0, 2, 1], [3, 4, 5]]", "2x3", False),
        ("[[0, 1, 2], [3, 4, 4]]", "2x3", False),
    ],
)
def test_a_gather_of_all_positions_is_a_view(indices: str, size: str, is_view: bool):
    gather = f"""%i = npu.constant dense<{indices}> : tensor<{size}xi64>
    %y = npu.gather %x, %i axis = 1 : (tensor<4x6x5xf32>, tensor<{size}xi64>) -> tensor<4x{size}x5xf32>"""
    assert proves("4x6x5", f"4x{size}x5", gather, reshapes("4x6x5", "120", f"4x{size}x5")) is is_view


def test_a_gather_that_permutes_pieces_is_a_transpose():
    gather = """%i = npu.constant dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>
    %y = npu.gather %x, %i axis = 0 : (tensor<6xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>"""
    transpose = "%y = npu.transpose %r0 permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"
    assert proves("6", "3x2", gather, reshapes("6", "2x3", "6").splitlines()[0] + "\n" + transpose)
