"""Programs that are proved equal by their channels, and programs that look alike and are not equal."""

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

KERNEL = np.arange(1, 17, dtype=np.float32).reshape(4, 4, 1, 1)
"""Four outputs from four inputs."""
GROUPED = KERNEL[:, :2]
ORDER = [2, 0, 3, 1]
IMAGE = "tensor<1x4x2x2xf32>"


def constant(name: str, numbers: object, type_: str) -> str:
    return f"{name} = npu.constant dense<{np.asarray(numbers).tolist()}> : tensor<{type_}>\n"


def conv(result: str, data: str, kernel: object, groups: int = 1, bias: str = "", channels: int = 4) -> str:
    """A convolution with a kernel of 1x1."""
    shape = np.asarray(kernel).shape
    type_ = f"{'x'.join(map(str, shape))}xf32"
    name, with_bias = f"{result}k", (f", {bias}", ", tensor<4xf32>") if bias else ("", "")
    return constant(name, kernel, type_) + (
        f"{result} = npu.conv2d {data}, {name}{with_bias[0]} groups = {groups} data_layout = <NCHW>"
        f" kernel_layout = <OIHW> : (tensor<1x{channels}x2x2xf32>, tensor<{type_}>{with_bias[1]})"
        f" -> tensor<1x{shape[0]}x2x2xf32>\n"
    )


def gathered(result: str, data: str, places: object) -> str:
    count = len(np.asarray(places))
    return constant(f"{result}i", places, f"{count}xi64") + (
        f"{result} = npu.gather {data}, {result}i axis = 1 : ({IMAGE}, tensor<{count}xi64>)"
        f" -> tensor<1x{count}x2x2xf32>\n"
    )


def program(body: str, result: str = IMAGE) -> ModuleOp:
    return parse(f"func.func @main(%x: {IMAGE}) -> {result} {{\n{body}func.return %y : {result}\n}}")


def verdict(one: str, other: str, zeros: bool = False) -> Verdict:
    return compare(program(one), program(other), by_formulas=zeros).verdict


def test_a_gather_in_front_of_a_convolution_is_another_order_of_its_kernel():
    moved = gathered("%g", "%x", ORDER) + conv("%y", "%g", KERNEL)
    assert verdict(moved, conv("%y", "%x", KERNEL[:, np.argsort(ORDER)])) is Verdict.PROVED
    assert verdict(moved, conv("%y", "%x", KERNEL[:, ORDER])) is not Verdict.PROVED, "the other way round"
    assert verdict(moved, conv("%y", "%x", KERNEL)) is not Verdict.PROVED


def test_a_gather_behind_a_convolution_is_another_order_of_its_kernel_and_bias():
    bias = constant("%b", [1.0, 2.0, 3.0, 4.0], "4xf32")
    ordered = constant("%b", np.array([1.0, 2.0, 3.0, 4.0])[ORDER], "4xf32")
    moved = bias + conv("%c", "%x", KERNEL, bias="%b") + gathered("%y", "%c", ORDER)
    assert verdict(moved, ordered + conv("%y", "%x", KERNEL[ORDER], bias="%b")) is Verdict.PROVED
    assert verdict(moved, bias + conv("%y", "%x", KERNEL[ORDER], bias="%b")) is not Verdict.PROVED


def test_ops_on_each_channel_may_be_in_front_of_a_gather_or_behind_it():
    factor = constant("%f", np.arange(4.0).reshape(1, 4, 1, 1), "1x4x1x1xf32")
    ordered = constant("%f", np.arange(4.0)[ORDER].reshape(1, 4, 1, 1), "1x4x1x1xf32")
    types = f"({IMAGE}, tensor<1x4x1x1xf32>) -> {IMAGE}\n"
    before = factor + f"%m = npu.mul %x, %f : {types}" + gathered("%g", "%m", ORDER) + conv("%y", "%g", KERNEL)
    behind = ordered + gathered("%g", "%x", ORDER) + f"%m = npu.mul %g, %f : {types}" + conv("%y", "%m", KERNEL)
    wrong = factor + gathered("%g", "%x", ORDER) + f"%m = npu.mul %g, %f : {types}" + conv("%y", "%m", KERNEL)
    assert verdict(before, behind) is Verdict.PROVED
    assert verdict(before, wrong) is not Verdict.PROVED
    swapped = behind.replace("npu.mul %g, %f", "npu.mul %f, %g").replace(
        types, f"(tensor<1x4x1x1xf32>, {IMAGE}) -> {IMAGE}\n"
    )
    assert verdict(before, swapped) is Verdict.PROVED, "factors commute"
    assert verdict(before.replace("mul", "sub"), swapped.replace("mul", "sub")) is not Verdict.PROVED


def test_ops_along_the_channels_are_not_on_each_of_them():
    softmax = f"npu.softmax %x axis = 1 : {IMAGE}\n"
    moved = f"%s = {softmax}" + gathered("%g", "%s", ORDER) + conv("%y", "%g", KERNEL)
    other = f"%s = {softmax.replace('axis = 1', 'axis = 2')}" + gathered("%g", "%s", ORDER) + conv("%y", "%g", KERNEL)
    assert verdict(moved, other) is not Verdict.PROVED
    reverse = f"%s = npu.reverse %x axes = [1] : {IMAGE}\n"
    moved = reverse + gathered("%g", "%s", ORDER) + conv("%y", "%g", KERNEL)
    assert verdict(moved, gathered("%g", "%x", ORDER) + conv("%y", "%g", KERNEL)) is not Verdict.PROVED


def test_spatial_axes_count():
    turned = f"npu.transpose %x permutation = [0, 1, 3, 2] : {IMAGE}\n"
    moved = f"%t = {turned}" + gathered("%g", "%t", ORDER) + conv("%y", "%g", KERNEL)
    plain = gathered("%g", "%x", ORDER) + conv("%y", "%g", KERNEL)
    assert verdict(moved, plain) is not Verdict.PROVED
    pads = "%p = npu.pad %x low = [0, 0, 1, 0] high = [0, 0, 0, 0] : (tensor<1x4x2x2xf32>) -> tensor<1x4x3x2xf32>\n"
    cut = f"%q = npu.slice %p starts = [0, 0, {{0}}, 0] limits = [1, 4, {{1}}, 2] : (tensor<1x4x3x2xf32>) -> {IMAGE}\n"
    rest = gathered("%g", "%q", ORDER) + conv("%y", "%g", KERNEL)
    assert verdict(pads + cut.format(0, 2) + rest, pads + cut.format(1, 3) + rest) is not Verdict.PROVED


def test_groups_are_weights_of_zero():
    dense = np.zeros((4, 4, 1, 1), np.float32)
    dense[:2, :2], dense[2:, 2:] = GROUPED[:2], GROUPED[2:]
    answer = compare(program(conv("%y", "%x", GROUPED, 2)), program(conv("%y", "%x", dense)), by_formulas=True)
    assert (answer.verdict, answer.zeros_absorb) == (Verdict.PROVED, True), "groups alone"
    grouped = gathered("%g", "%x", ORDER) + conv("%y", "%g", GROUPED, 2)
    wide = conv("%y", "%x", dense[:, np.argsort(ORDER)])
    answer = compare(program(grouped), program(wide), by_formulas=True)
    assert (answer.verdict, answer.zeros_absorb) == (Verdict.PROVED, True)
    assert verdict(grouped, wide) is not Verdict.PROVED, "numbers that are not finite differ"
    dense[0, 3] = 1e-30
    assert verdict(grouped, conv("%y", "%x", dense[:, np.argsort(ORDER)]), zeros=True) is not Verdict.PROVED


def test_factors_behind_convolutions_are_in_weights_of_groups():
    """A norm behind a convolution with groups, and one without whose weights have its factors and zeros."""
    factors, summands = np.array([1.0, 2.0, 3.0, 4.0], np.float32), np.array([5.0, 6.0, 7.0, 8.0], np.float32)
    dense = np.zeros_like(KERNEL)
    dense[:2, :2], dense[2:, 2:] = GROUPED[:2], GROUPED[2:]
    shape, bias = "1x4x1x1xf32", constant("%b", summands, "4xf32")
    types = f"({IMAGE}, tensor<{shape}>) -> {IMAGE}\n"
    grouped = (
        constant("%f", factors.reshape(1, 4, 1, 1), shape)
        + constant("%s", summands.reshape(1, 4, 1, 1), shape)
        + gathered("%g", "%x", ORDER)
        + conv("%c", "%g", GROUPED, 2)
        + f"%m = npu.mul %c, %f : {types}%n = npu.add %m, %s : {types}%y = npu.relu %n : {IMAGE}\n"
    )

    def folded(weights: object) -> str:
        return bias + conv("%c", "%x", weights, bias="%b") + f"%y = npu.relu %c : {IMAGE}\n"

    ordered = dense[:, np.argsort(ORDER)]
    answer = compare(program(grouped), program(folded(ordered * factors.reshape(4, 1, 1, 1))), by_formulas=True)
    assert (answer.verdict, answer.by_formulas, answer.zeros_absorb) == (Verdict.PROVED, True, True)
    assert verdict(grouped, folded(ordered), zeros=True) is not Verdict.PROVED
    assert verdict(grouped, folded(dense * factors.reshape(4, 1, 1, 1)), zeros=True) is not Verdict.PROVED


def weighed(order: list[int], squeezed: object, excited: object, kernel: object, data: str = "%g") -> str:
    """Squeeze and excite by one number in between, of channels in an order."""
    one = "tensor<1x1x1x1xf32>"
    wide, few = "tensor<1x4x1x1xf32>", "tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>"
    types = "data_layout = <NCHW> kernel_layout = <OIHW>"
    return (
        gathered("%g", "%x", order)
        + constant("%k", squeezed, "1x4x1x1xf32")
        + constant("%l", excited, "4x1x1x1xf32")
        + f"%p = npu.global_avg_pool {data} data_layout = <NCHW> : ({IMAGE}) -> {wide}\n"
        + f"%q = npu.conv2d %p, %k {types} : ({few}) -> {one}\n%r = npu.relu %q : {one}\n"
        + f"%s = npu.conv2d %r, %l {types} : ({one}, tensor<4x1x1x1xf32>) -> {wide}\n"
        + f"%m = npu.mul %g, %s : ({IMAGE}, {wide}) -> {IMAGE}\n"
        + conv("%y", "%m", kernel)
    )


def test_a_product_of_two_values_has_the_channels_of_both():
    squeezed, excited = KERNEL[:1], KERNEL[:, 1:2]
    back = np.argsort(ORDER)
    moved = weighed(ORDER, squeezed, excited, KERNEL)
    plain = squeezed[:, back], excited[back], KERNEL[:, back]
    assert verdict(moved, weighed([0, 1, 2, 3], *plain)) is Verdict.PROVED
    for place, wrong in enumerate((squeezed, excited, KERNEL)):
        one, other, last = (*plain[:place], wrong, *plain[place + 1 :])
        assert verdict(moved, weighed([0, 1, 2, 3], one, other, last)) is not Verdict.PROVED, place
    assert verdict(moved, weighed([0, 1, 2, 3], *plain, data="%x")) is Verdict.PROVED
    assert verdict(moved, weighed(ORDER, squeezed, excited, KERNEL, data="%x")) is not Verdict.PROVED


def test_zeros_count_where_the_data_is_not_multiplied():
    """A convolution of no channels still has its bias."""
    some = constant("%b", [0.0, 0.0, 0.0, 1.0], "4xf32") + gathered("%g", "%x", ORDER)
    nothing = some + conv("%y", "%g", np.zeros_like(KERNEL), bias="%b")
    assert verdict(
        nothing, some.replace("1.0", "2.0") + conv("%y", "%g", np.zeros_like(KERNEL), bias="%b"), zeros=True
    ) is (Verdict.UNDECIDED)


@pytest.mark.parametrize(("count", "is_equal"), [(2, True), (3, False)])
def test_a_channel_that_is_taken_twice_has_two_weights(count: int, is_equal: bool):
    """The weights of a channel and its copy may be exchanged."""
    places = [0, 1, 1, 2]
    kernel, exchanged = KERNEL.copy(), KERNEL.copy()
    exchanged[:, [1, count]] = kernel[:, [count, 1]]
    one, other = (gathered("%g", "%x", places) + conv("%y", "%g", each) for each in (kernel, exchanged))
    assert (verdict(one, other) is Verdict.PROVED) == is_equal


def test_joined_channels_in_another_order():
    types = f"({IMAGE}, {IMAGE}) -> tensor<1x8x2x2xf32>\n"
    relu = f"%r = npu.relu %x : {IMAGE}\n"
    wide = np.arange(1, 33, dtype=np.float32).reshape(4, 8, 1, 1)
    one = relu + f"%c = npu.concat %x, %r axis = 1 : {types}" + conv("%y", "%c", wide, channels=8)
    other = relu + f"%c = npu.concat %r, %x axis = 1 : {types}"
    turned = np.concatenate([wide[:, 4:], wide[:, :4]], axis=1)
    assert verdict(one, other + conv("%y", "%c", turned, channels=8)) is Verdict.PROVED
    assert verdict(one, other + conv("%y", "%c", wide, channels=8)) is not Verdict.PROVED
