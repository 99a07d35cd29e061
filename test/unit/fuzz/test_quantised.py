"""Random ops between dequantisation and quantisation: recognised, proved, and equal up to one step; mutants are not."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.recognise_quantised import RecogniseQuantised
from npu_opt.text.parser import NpuParser
from npu_opt.tools.driver.formats.program import new_context
from support.campaign import amount
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = amount(20, 500)
MUTATIONS = ("scale", "zero point", "bias scale", "rounding", "rounding of halves")
HALVES_UP = """%hs = npu.constant dense<{scale}> : tensor<f32>
      %hh = npu.constant dense<0.5> : tensor<f32>
      %hd = npu.div {last}, %hs : ({type}, tensor<f32>) -> {type}
      %ha = npu.add %hd, %hh : ({type}, tensor<f32>) -> {type}
      %n = npu.floor %ha : {type}"""


def source(seed: int, mutation: str = "") -> str:
    """A convolution with a bias, and what follows it, quantised after each op."""
    rng = Random(seed)
    channels, groups = rng.choice(((4, 1), (4, 4), (6, 2)))
    signed = [rng.choice(("i8", "ui8")) for _ in range(3)]
    points = [rng.randrange(-100, 100) if each == "i8" else rng.randrange(200) for each in signed]
    xs, ys = (np.float32(rng.uniform(0.01, 0.1)) for _ in range(2))
    ws = np.asarray([rng.uniform(0.01, 0.1) for _ in range(channels)], np.float32)
    bs = xs * ws
    if mutation == "scale":
        xs = np.nextafter(xs, np.float32(1))
    if mutation == "zero point":
        points[0] += 1
    if mutation == "bias scale":
        bs = np.nextafter(bs, np.float32(1))
    ys, pad = ys * 40, rng.randrange(2)
    x, w, y = (f"1x{channels}x5x5", f"{channels}x{channels // groups}x3x3", f"1x{channels}x{3 + 2 * pad}x{3 + 2 * pad}")
    clamp = rng.choice(("", "", "%k = npu.relu %c", "%k = npu.clip %c min = -1.5 max = 6.0"))
    last = "%k" if clamp else "%c"
    vectors = [", ".join(f"{number:.9e}" for number in each) for each in (ws, bs)]
    floats = f"%n = npu.add {last}, {last} : tensor<{y}xf32>" if mutation == "rounding" else ""
    if mutation == "rounding of halves":
        # A number in the middle of two integers becomes the larger one.
        floats, ys = HALVES_UP.format(last=last, scale=f"{ys:.9e}", type=f"tensor<{y}xf32>"), np.float32(1)
    return f"""
    func.func @main(%x: tensor<{x}x{signed[0]}>, %w: tensor<{w}x{signed[1]}>, %b: tensor<{channels}xi32>)
        -> tensor<{y}x{signed[2]}> {{
      %xs = npu.constant dense<{xs:.9e}> : tensor<f32>
      %xz = npu.constant dense<{points[0]}> : tensor<{signed[0]}>
      %ws = npu.constant dense<[{vectors[0]}]> : tensor<{channels}xf32>
      %wz = npu.constant dense<{points[1]}> : tensor<{signed[1]}>
      %bs = npu.constant dense<[{vectors[1]}]> : tensor<{channels}xf32>
      %bz = npu.constant dense<0> : tensor<i32>
      %ys = npu.constant dense<{ys:.9e}> : tensor<f32>
      %yz = npu.constant dense<{points[2]}> : tensor<{signed[2]}>
      %xf = npu.dequantize %x, %xs, %xz : (tensor<{x}x{signed[0]}>, tensor<f32>, tensor<{signed[0]}>) -> tensor<{x}xf32>
      %wf = npu.dequantize %w, %ws, %wz axis = 0
        : (tensor<{w}x{signed[1]}>, tensor<{channels}xf32>, tensor<{signed[1]}>) -> tensor<{w}xf32>
      %bf = npu.dequantize %b, %bs, %bz axis = 0
        : (tensor<{channels}xi32>, tensor<{channels}xf32>, tensor<i32>) -> tensor<{channels}xf32>
      %c = npu.conv2d %xf, %wf, %bf pads = [{pad}, {pad}, {pad}, {pad}] groups = {groups} data_layout = <NCHW>
        kernel_layout = <OIHW> : (tensor<{x}xf32>, tensor<{w}xf32>, tensor<{channels}xf32>) -> tensor<{y}xf32>
      {clamp + f" : tensor<{y}xf32>" if clamp else ""}
      {floats}
      %y = npu.quantize {"%n" if floats else last}, %ys, %yz
        : (tensor<{y}xf32>, tensor<f32>, tensor<{signed[2]}>) -> tensor<{y}x{signed[2]}>
      return %y : tensor<{y}x{signed[2]}>
    }}"""


def joined_source(seed: int, mutation: str = "") -> str:
    """A concatenation of values with scales of their own, enlarged or flattened, and quantised."""
    rng = Random(seed)
    elements = [rng.choice(("i8", "ui8")) for _ in range(3)]
    scales = [rng.choice((0.5, 0.25, 0.1)) for _ in range(3)]
    points = [rng.randrange(0, 100) for _ in range(3)]
    if mutation == "scale":
        scales[0] *= 2
    if mutation == "zero point":
        points[2] += 1
    channels = rng.randint(1, 4), rng.randint(1, 4)
    sizes = [f"1x{each}x3x3" for each in (*channels, sum(channels))]
    last = rng.choice(
        (
            ("%c", sizes[2], ""),
            ("%e", f"1x{sum(channels)}x6x6", "npu.upsample %c factors = [2, 2] data_layout = <NCHW>"),
            ("%e", f"1x{9 * sum(channels)}", "npu.reshape %c"),
        )
    )
    floats = f"%e = {last[2]} : (tensor<{sizes[2]}xf32>) -> tensor<{last[1]}xf32>" if last[2] else ""
    lines = [
        f"%s{each} = npu.constant dense<{scales[each]}> : tensor<f32>\n"
        f"%z{each} = npu.constant dense<{points[each]}> : tensor<{elements[each]}>"
        for each in range(3)
    ]
    lines += [
        f"%f{each} = npu.dequantize %x{each}, %s{each}, %z{each} : (tensor<{sizes[each]}x{elements[each]}>, "
        f"tensor<f32>, tensor<{elements[each]}>) -> tensor<{sizes[each]}xf32>"
        for each in range(2)
    ]
    both = ", ".join(f"tensor<{size}xf32>" for size in sizes[:2])
    return f"""
    func.func @main(%x0: tensor<{sizes[0]}x{elements[0]}>, %x1: tensor<{sizes[1]}x{elements[1]}>)
        -> tensor<{last[1]}x{elements[2]}> {{
      {chr(10).join(lines)}
      %c = npu.concat %f0, %f1 axis = 1 : ({both}) -> tensor<{sizes[2]}xf32>
      {floats}
      %y = npu.quantize {last[0]}, %s2, %z2
        : (tensor<{last[1]}xf32>, tensor<f32>, tensor<{elements[2]}>) -> tensor<{last[1]}x{elements[2]}>
      return %y : tensor<{last[1]}x{elements[2]}>
    }}"""


def signal_source(seed: int, mutation: str = "") -> str:
    """A convolution of a signal, quantised."""
    rng = Random(seed)
    groups, window = rng.choice((1, 2, 4)), rng.choice((1, 3))
    stride, dilation, pads = rng.randint(1, 2), rng.randint(1, 2), [rng.randrange(3), rng.randrange(3)]
    size = (9 + sum(pads) - dilation * (window - 1) - 1) // stride + 1
    x, w, y = "2x4x9", f"8x{4 // groups}x{window}", f"2x8x{size}"
    first, second = rng.choice(("i8", "ui8")), rng.choice((0.5, 0.1))
    return f"""
    func.func @main(%x: tensor<{x}x{first}>, %w: tensor<{w}xi8>) -> tensor<{y}xi8> {{
      %s = npu.constant dense<{0.25 if mutation == "scale" else 0.5}> : tensor<f32>
      %z = npu.constant dense<{rng.randrange(9)}> : tensor<{first}>
      %t = npu.constant dense<{second}> : tensor<f32>
      %v = npu.constant dense<3> : tensor<i8>
      %r = npu.constant dense<40.0> : tensor<f32>
      %a = npu.dequantize %x, %s, %z : (tensor<{x}x{first}>, tensor<f32>, tensor<{first}>) -> tensor<{x}xf32>
      %b = npu.dequantize %w, %t, %v : (tensor<{w}xi8>, tensor<f32>, tensor<i8>) -> tensor<{w}xf32>
      %c = npu.conv1d %a, %b strides = [{stride}] dilations = [{dilation}] pads = {pads} groups = {groups}
        data_layout = <NCW> kernel_layout = <OIW> : (tensor<{x}xf32>, tensor<{w}xf32>) -> tensor<{y}xf32>
      %y = npu.quantize %c, %r, %v : (tensor<{y}xf32>, tensor<f32>, tensor<i8>) -> tensor<{y}xi8>
      return %y : tensor<{y}xi8>
    }}"""


def program(seed: int, mutation: str = "", make: Callable[[int, str], str] = source) -> ModuleOp:
    module = NpuParser(new_context(), make(seed, mutation)).parse_module()
    module.verify()
    return module


def recognised(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    RecogniseQuantised().apply(Context(), result)
    result.verify()
    return result


def test_recognised_programs_are_proved_and_equal_up_to_one_step():
    other, elements = 0, 0
    for seed in range(PROGRAMS):
        before = program(seed)
        after = recognised(before)
        assert not any(op.name == "npu.conv2d" for op in after.walk()), source(seed)
        answer = compare(before, after)
        assert answer.verdict is Verdict.PROVED, source(seed)
        assert answer.rounds_once
        inputs = random_inputs(main_of(before), seed)
        (left,), (right,) = (run(each, "main", inputs) for each in (before, after))
        steps = np.abs(left.astype(int) - right.astype(int))
        assert steps.max() <= 1, source(seed)
        other, elements = other + int(steps.sum()), elements + steps.size
    assert other <= elements // 1000, f"{other} of {elements} elements differ"


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_mutants_are_not_proved(mutation: str):
    for seed in range(PROGRAMS // 3):
        assert compare(program(seed), recognised(program(seed, mutation))).verdict is not Verdict.PROVED, source(seed)
        assert compare(program(seed, mutation), recognised(program(seed))).verdict is not Verdict.PROVED, source(seed)


def test_concatenations_are_proved_and_equal():
    recognised_ = 0
    for seed in range(PROGRAMS):
        before = program(seed, make=joined_source)
        after = recognised(before)
        recognised_ += str(after) != str(before)
        assert compare(before, after).verdict is Verdict.PROVED, joined_source(seed)
        inputs = random_inputs(main_of(before), seed)
        (left,), (right,) = (run(each, "main", inputs) for each in (before, after))
        assert np.array_equal(left, right), joined_source(seed)
        for mutation in ("scale", "zero point"):
            other = recognised(program(seed, mutation, joined_source))
            assert compare(before, other).verdict is not Verdict.PROVED, joined_source(seed)
    assert recognised_ > PROGRAMS // 4


def test_convolutions_of_signals_are_proved_and_equal_up_to_one_step():
    for seed in range(PROGRAMS):
        before = program(seed, make=signal_source)
        after = recognised(before)
        assert not any(op.name == "npu.conv1d" for op in after.walk()), signal_source(seed)
        assert compare(before, after).verdict is Verdict.PROVED, signal_source(seed)
        inputs = random_inputs(main_of(before), seed)
        (left,), (right,) = (run(each, "main", inputs) for each in (before, after))
        assert np.abs(left.astype(int) - right.astype(int)).max() <= 1, signal_source(seed)
        other = recognised(program(seed, "scale", signal_source))
        assert compare(before, other).verdict is not Verdict.PROVED, signal_source(seed)
