"""Views of constants in files: what is done when the file is read is what the views did."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from npu_opt import Program, load
from npu_opt.compat.xdsl import retype
from npu_opt.dialects.npu.shape import AnyTransposeOp, ReshapeOp, ViewOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import tensor_type
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import Environment, run
from npu_opt.layout import DYNAMIC
from npu_opt.tools.driver.comparison.comparison import compare_programs
from numpy.typing import NDArray
from safetensors import numpy as safetensors
from support.ir_text import parse, parse_verified
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.transforms.canonicalize import CanonicalizePass

FACTORS = (2, 2, 3, 5)
VIEWS = 4

Axes = list[tuple[int, ...]]
"""For each axis the factors of its size, from the slowest to the fastest."""


def grouped(random: Random, factors: Sequence[int]) -> Axes:
    """Axes of one factor or two, perhaps with one of none between them."""
    axes: Axes = []
    left = list(factors)
    while left:
        taken = random.randint(1, min(2, len(left)))
        axes.append(tuple(left[:taken]))
        left = left[taken:]
    if random.random() < 0.3:
        axes.insert(random.randrange(len(axes) + 1), ())
    return axes


def permuted(random: Random, axes: Axes) -> tuple[list[int], Axes]:
    moved = random.sample(range(len(axes)), len(axes))
    return moved, [axes[axis] for axis in moved]


def shape_of(axes: Axes) -> tuple[int, ...]:
    return tuple(map(prod, axes))


def written(axes: Axes) -> str:
    return f"tensor<{'x'.join(map(str, shape_of(axes)))}xf32>"


def views(random: Random, axes: Axes, cuts: bool) -> Iterator[tuple[str, Axes]]:
    """Reshapes and transposes, one behind the other, each with the axes of its result.

    Reshapes keep the order of the factors, unless one `cuts` across them.
    """
    for _ in range(random.randint(1, VIEWS)):
        if random.random() < 0.5:
            factors = [factor for axis in axes for factor in axis]
            axes = grouped(random, random.sample(factors, len(factors)) if cuts else factors)
            yield "npu.reshape {}", axes
        else:
            moved, axes = permuted(random, axes)
            yield f"npu.transpose {{}} permutation = {moved}", axes


def program(seed: int, cuts: bool = False) -> tuple[ModuleOp, NDArray[Any]]:
    """A program with views of a constant in a file, and the data of that file."""
    random = Random(seed)
    in_file = grouped(random, random.sample(FACTORS, len(FACTORS)))
    moved, axes = permuted(random, in_file)
    lines = [f'%0 = npu.constant #npu.reference<"w.safetensors", "w", {moved}> : {written(axes)}']
    for number, (view, result) in enumerate(views(random, axes, cuts)):
        lines.append(f"%{number + 1} = {view.format(f'%{number}')} : ({written(axes)}) -> {written(result)}")
        axes = result
    body = "\n".join(lines)
    text = f"func.func @main() -> {written(axes)} {{\n{body}\nfunc.return %{len(lines) - 1} : {written(axes)}\n}}"
    shape = shape_of(in_file)
    return parse(text), np.arange(prod(shape), dtype=np.float32).reshape(shape)


def canonical(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    CanonicalizePass().apply(Context(), result)
    result.verify()
    return result


def write_out(module: ModuleOp, array: NDArray[Any]) -> None:
    """Let the constant be written out instead of kept in a file."""
    (constant,) = (op for op in module.walk() if isinstance(op, ConstantOp))
    (step,) = constant.steps
    numbers = array.transpose(step.permutation).ravel().tolist()
    constant.value = DenseIntOrFPElementsAttr.from_list(TensorType(f32, step.result), numbers)


def leave_open(random: Random, module: ModuleOp) -> int:
    """Let some views leave sizes open, a reshape only one; the answer is how many the result does not tell."""
    left = 0
    for op in module.walk():
        match op:
            case ViewOp():
                type_ = tensor_type(op.result)
                shape = list(type_.get_shape())
                for _ in range(random.randint(0, 1 if isinstance(op, ReshapeOp) else 2)):
                    shape[random.randrange(len(shape))] = DYNAMIC
                retype(op.result, TensorType(type_.element_type, shape))
                left = shape.count(DYNAMIC)
            case ReturnOp():
                function = op.parent_op()
                assert isinstance(function, FuncOp)
                function.update_function_type()
            case _:
                pass
    return left


def has_transposes(module: ModuleOp) -> bool:
    return any(isinstance(op, AnyTransposeOp) for op in module.walk())


def check(module: ModuleOp, array: NDArray[Any], folder: Path) -> ModuleOp:
    """The canonical form of a program that gives the same numbers, and stays what it is."""
    cast("Any", safetensors).save_file({"w": array}, folder / "w.safetensors")
    clean = canonical(module)
    (before,), (after,) = (run(each, "main", [], Environment(folder)) for each in (module, clean))
    assert np.array_equal(before, after), f"{module}\n{clean}"
    assert str(canonical(clean)) == str(clean)
    assert compare(module, clean).verdict is Verdict.PROVED, f"{module}\n{clean}"
    return clean


@pytest.mark.parametrize("cuts", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_views_go_into_what_is_read(seed: int, cuts: bool, tmp_path: Path):
    module, array = program(seed, cuts)
    clean = check(module, array, tmp_path)
    assert not any(isinstance(op, ViewOp) for op in clean.walk()), f"{module}\n{clean}"


@pytest.mark.parametrize("is_in_file", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_sizes_may_be_left_open(seed: int, is_in_file: bool, tmp_path: Path):
    module, array = program(seed, cuts=seed % 2 == 0)
    if not is_in_file:
        write_out(module, array)
    opened = leave_open(Random(seed), module)
    module.verify()
    clean = check(module, array, tmp_path)
    assert not has_transposes(clean), f"{module}\n{clean}"
    views = sum(isinstance(op, ViewOp) for op in clean.walk())
    assert views <= opened, f"{module}\n{clean}"


def test_there_is_something_to_fold():
    there = sum(isinstance(op, AnyTransposeOp) for seed in range(150) for op in program(seed)[0].walk())
    assert there > 150


@pytest.mark.parametrize(
    "constant",
    [
        # Equal elements, and none.
        "dense<1.0> : tensor<6x5xf32>",
        '#npu.reference<"w.safetensors", "w"> : tensor<0x3xf32>',
    ],
)
def test_what_is_the_same_in_every_sequence_is_proved_as_well(constant: str):
    type_ = constant.rpartition("tensor<")[2].removesuffix("xf32>")
    text = f"""
    func.func @main() -> tensor<?x2xf32> {{
      %c = npu.constant {constant}
      %r = npu.reshape %c : (tensor<{type_}xf32>) -> tensor<2x?xf32>
      %t = npu.transpose %r permutation = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
      func.return %t : tensor<?x2xf32>
    }}"""
    module = parse(text)
    clean = canonical(module)
    assert not has_transposes(clean)
    assert compare(module, clean).verdict is Verdict.PROVED


def test_long_chains_go_into_the_constant():
    count = 1_000
    lines = ['%0 = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<3x2xf32>']
    for index in range(0, 2 * count, 2):
        lines.append(f"%{index + 1} = npu.reshape %{index} : (tensor<3x2xf32>) -> tensor<2x3xf32>")
        turned = "permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"
        lines.append(f"%{index + 2} = npu.transpose %{index + 1} {turned}")
    body = "\n".join(lines)
    result = f"func.return %{2 * count} : tensor<3x2xf32>"
    clean = canonical(parse(f"func.func @main() -> tensor<3x2xf32> {{\n{body}\n{result}\n}}"))
    assert sum(isinstance(op, ViewOp) for op in clean.walk()) == 0


def read_in_steps(random: Random) -> tuple[ModuleOp, NDArray[Any]]:
    """A program that reads twelve numbers in steps, the first one perhaps in the shape that they have in the file."""
    shapes = [(3, 4), *random.choices([(4, 3), (2, 6), (6, 2), (12,), (2, 3, 2)], k=random.randint(0, 2)), (6, 2)]
    steps = [(shape, random.sample(range(len(shape)), len(shape))) for shape in shapes]
    read, numbers = "", np.arange(12)
    for shape, moved in steps:
        numbers = numbers.reshape(shape).transpose(moved)
        read += f", {'reshaped ' if read else ''}{moved} of {list(shape)}"
    read = read.rpartition(" of ")[0]
    type_ = f"tensor<{'x'.join(map(str, numbers.shape))}xf32>"
    constant = f'%0 = npu.constant #npu.reference<"w.safetensors", "w"{read}> : {type_}'
    text = f"func.func @main() -> {type_} {{\n{constant}\nfunc.return %0 : {type_}\n}}"
    module = parse_verified(text)
    return module, numbers


def test_proved_is_what_reads_the_same_and_nothing_else():
    random = Random(0)
    programs = [read_in_steps(random) for _ in range(40)]
    verdicts = Counter[tuple[bool, Verdict]]()
    for (module, numbers), (other, others) in combinations(programs, 2):
        verdicts[np.array_equal(numbers, others), compare(module, other).verdict] += 1
    assert {answer[0] for answer in verdicts if answer[1] is Verdict.PROVED} == {True}
    assert {answer[1] for answer in verdicts if answer[0]} == {Verdict.PROVED}
    assert verdicts[True, Verdict.PROVED] > 20
    assert verdicts[False, Verdict.UNDECIDED] + verdicts[False, Verdict.DIFFERENT] > 50


def test_constants_read_in_several_shapes_are_the_same_numbers():
    """Even if they are not read in the order of the file."""
    text = """
    func.func @main() -> (tensor<4x6xf32>, tensor<6x4xf32>) {
      %%w = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<4x6xf32>
      %s
      func.return %%w, %%t : tensor<4x6xf32>, tensor<6x4xf32>
    }"""
    views = """
      %r = npu.reshape %w : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
      %p = npu.transpose %r permutation = [2, 1, 0] : (tensor<2x2x6xf32>) -> tensor<6x2x2xf32>
      %t = npu.reshape %p : (tensor<6x2x2xf32>) -> tensor<6x4xf32>"""
    read = """
      %c = npu.constant #npu.reference<"w.safetensors", "w", reshaped MOVED> : tensor<6x2x2xf32>
      %t = npu.reshape %c : (tensor<6x2x2xf32>) -> tensor<6x4xf32>"""
    module, right, wrong = (
        parse(text % body) for body in (views, read.replace("MOVED", "[2, 1, 0]"), read.replace("MOVED", "[2, 0, 1]"))
    )
    assert compare(module, right).verdict is Verdict.PROVED
    assert compare(module, wrong).verdict is not Verdict.PROVED


def test_one_tensor_does_not_have_two_shapes():
    """A program that says so about its file does not run, so nothing is proved of it."""
    text = """
    func.func @main() -> tensor<24xf32> {
      %w = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<4x6xf32>
      %r = npu.reshape %w : (tensor<4x6xf32>) -> tensor<24xf32>
      func.return %r : tensor<24xf32>
    }"""
    module, other = (parse(each) for each in (text, text.replace("4x6", "6x4")))
    read = parse(text.replace('"w">', '"w", reshaped>').replace("4x6", "6x4"))
    assert compare(module, other).verdict is not Verdict.PROVED
    assert compare(module, read).verdict is Verdict.PROVED


@pytest.mark.parametrize("type_", ["0x4xf32", "f32", "1x1xf32", "3x0x2xf32"])
def test_constants_of_other_names_are_equal_only_without_elements(type_: str):
    rank = type_.count("x")
    text = f"""
    func.func @main() -> tensor<{type_}> {{
      %w = npu.constant #npu.reference<"w.safetensors", "w", {[*range(rank)]}> : tensor<{type_}>
      func.return %w : tensor<{type_}>
    }}"""
    module = parse(text)
    other = parse(text.replace('"w",', '"v",'))
    assert compare(module, canonical(module)).verdict is Verdict.PROVED
    assert (compare(module, other).verdict is Verdict.PROVED) == ("0" in type_)


def test_integers_are_compared_with_the_floats_that_they_stand_for(tmp_path: Path):
    """One program dequantises a constant for two ops, the other one has its integers for one and its floats for one."""
    integers = np.arange(-60, 60, dtype=np.int8)
    floats = (integers.astype(np.float32) - 5) * np.float32(0.3)
    real, byte, parameters = "tensor<120xf32>", "tensor<120xi8>", "tensor<f32>, tensor<i8>"

    def program(name: str, numbers: NDArray[np.float32]) -> Program:
        (tmp_path / f"{name}.safetensors").write_bytes(safetensors.save({"k": integers, "f": numbers}))
        read = f'#npu.reference<"{name}.safetensors", "{{}}">'
        other = "%d" if name == "once" else "%f"
        file = tmp_path / f"{name}.mlir"
        file.write_text(f"""func.func @main(%x: {real}) -> ({real}, {real}) {{
          %c = npu.constant dense<0.3> : tensor<f32>
          %z = npu.constant dense<5> : tensor<i8>
          %k = npu.constant {read.format("k")} : {byte}
          %f = npu.constant {read.format("f")} : {real}
          %d = npu.dequantize %k, %c, %z : ({byte}, {parameters}) -> {real}
          %a = npu.add %x, %d : {real}
          %s = npu.sub %x, {other} : {real}
          func.return %a, %s : {real}, {real}
        }}""")
        return load(file)

    once = program("once", np.zeros(120, np.float32))
    for number, expected in ((0, Verdict.PROVED), (1, Verdict.UNDECIDED)):
        both = program("both", floats + np.float32(number))
        found = compare_programs(once, both, [], always_run=False, in_real_numbers=True)
        assert found.answer.verdict is expected
