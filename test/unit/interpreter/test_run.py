"""Whole programs."""

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from npu_opt.dialects.npu import binary, unary
from npu_opt.interpreter import InterpreterError, NpuFunctions, random_inputs, run
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.ir_text import parse
from support.oracles.one_op import equal, numbers
from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32
from xdsl.interpreter import Interpreter, OpCounter
from xdsl.interpreters.func import FuncFunctions
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

CALLS = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = func.call @swap(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c, %d = func.call @swap(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %e = npu.sub %a, %d : tensor<2xf32>
  return %e, %b : tensor<2xf32>, tensor<2xf32>
}
func.func private @swap(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %z = npu.neg %y : tensor<2xf32>
  return %z, %x : tensor<2xf32>, tensor<2xf32>
}
"""


def test_calls():
    x, y = numbers(2), numbers(2, seed=1)
    first, second = run(parse(CALLS), "main", [x, y])
    equal(first, -y - -y)
    equal(second, x)
    negated, same = run(parse(CALLS), "swap", [x, y])
    equal(negated, -y)
    assert same is x


def test_the_same_within_an_interpreter_of_xdsl():
    x, y = numbers(2), numbers(2, seed=1)
    interpreter = Interpreter(parse(CALLS))
    interpreter.register_implementations(NpuFunctions())
    interpreter.register_implementations(FuncFunctions())
    for found, expected in zip(interpreter.call_op("main", (x, y)), run(parse(CALLS), "main", [x, y]), strict=True):
        equal(found, expected)


def test_listeners_see_the_ops():
    counter = OpCounter()
    run(parse(CALLS), "main", [numbers(2), numbers(2)], listeners=[counter])
    assert counter.ops == {"npu.neg": 2, "npu.sub": 1}


def test_arguments_may_be_returned_and_used_twice():
    text = "func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) { return %x, %x : {0}, {0} }"
    first, second = run(parse(text.replace("{0}", "tensor<2xf32>")), "main", [numbers(2)])
    equal(first, second)


TYPE = TensorType(f32, [4])


def function(name: str, fill: Block, arguments: Sequence[TensorType] = (TYPE,)) -> func.FuncOp:
    return func.FuncOp(name, FunctionType.from_lists(arguments, [TYPE]), Region(fill))


def chain(length: int, type_: TensorType = TYPE) -> ModuleOp:
    block = Block(arg_types=[type_])
    builder = Builder(InsertPoint.at_end(block))
    value = block.args[0]
    for _ in range(length):
        value = builder.insert(unary.NegOp.create(operands=[value], result_types=[type_])).result
    builder.insert(func.ReturnOp(value))
    return ModuleOp([func.FuncOp("main", FunctionType.from_lists([type_], [type_]), Region(block))])


def test_deep_programs():
    x = numbers(4)
    equal(run(chain(10_001), "main", [x])[0], -x)


def test_wide_programs():
    """All values live at once, and one value with thousands of users."""
    block = Block(arg_types=[TYPE])
    builder = Builder(InsertPoint.at_end(block))
    values = [
        builder.insert(unary.NegOp.create(operands=[block.args[0]], result_types=[TYPE])).result for _ in range(4096)
    ]
    while len(values) > 1:
        values = [
            builder.insert(binary.AddOp.create(operands=pair, result_types=[TYPE])).result
            for pair in zip(values[::2], values[1::2], strict=True)
        ]
    builder.insert(func.ReturnOp(values[0]))
    equal(run(ModuleOp([function("main", block)]), "main", [np.ones(4, np.float32)])[0], np.full(4, -4096))


def test_long_chains_of_calls():
    functions: list[func.FuncOp] = []
    for index in range(3000):
        block = Block(arg_types=[TYPE])
        builder = Builder(InsertPoint.at_end(block))
        value = block.args[0]
        if index:
            value = builder.insert(func.CallOp(f"f{index - 1}", [value], [TYPE])).results[0]
        builder.insert(func.ReturnOp(value))
        functions.append(function(f"f{index}", block))
    x = numbers(4)
    equal(run(ModuleOp([*functions]), "f2999", [x])[0], x)


def test_values_are_freed_when_nothing_needs_them():
    size = 100_000
    module, x = chain(100, TensorType(f32, [size])), numbers(size)
    tracemalloc.start()
    try:
        run(module, "main", [x])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * x.nbytes


def test_errors_name_the_function_and_the_input():
    module = parse(CALLS)
    x = numbers(2)
    with pytest.raises(InterpreterError, match=r"there is no function @other"):
        run(module, "other", [x])
    with pytest.raises(InterpreterError, match=r"@main: expected 2 inputs, found 1"):
        run(module, "main", [x])
    with pytest.raises(InterpreterError, match=r"@main input 1: expected shape 2, found 3"):
        run(module, "main", [x, numbers(3)])
    with pytest.raises(InterpreterError, match=r"@main input 0: expected numbers of type f32"):
        run(module, "main", [x.astype(float), x])
    one_argument = "func.func @main(%x: {0}) -> {0} {{ return %x : {0} }}"
    with pytest.raises(InterpreterError, match=r"@main input 0: expected a tensor in the signature, found i1"):
        run(parse(one_argument.format("i1")), "main", [x])
    with pytest.raises(InterpreterError, match=r"@main input 0: expected numbers of type i4"):
        run(parse(one_argument.format("tensor<2xi4>")), "main", [np.array([0, 8], np.int8)])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("func.func private @main()", "@main is declared only"),
        ("func.func @main() { cf.br ^a\n ^a: return }", "@main has 2 blocks, and only one can be run"),
        ("func.func @main() { func.call @main() : () -> ()\n return }", "@main calls itself"),
        ("func.func @main() { func.call @f() : () -> ()\n return }", "there is no function @f"),
        ("func.func @main() { %c = arith.constant 1 : i32\n return }", "'arith.constant' cannot be evaluated"),
    ],
)
def test_programs_without_a_meaning(text: str, problem: str):
    with pytest.raises(InterpreterError, match=problem):
        run(parse(text), "main")


def test_incompatible_sizes_at_run_time():
    text = """
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %z = npu.add %x, %y : tensor<?xf32>
      return %z : tensor<?xf32>
    }
    """
    equal(run(parse(text), "main", [numbers(3), numbers(3)])[0], numbers(3) * 2)
    with pytest.raises(InterpreterError, match=r"'npu.add': .*\(2,\) \(3,\)"):
        run(parse(text), "main", [numbers(2), numbers(3)])


def entry(module: ModuleOp) -> func.FuncOp:
    (found,) = module.ops
    assert isinstance(found, func.FuncOp)
    return found


def signature(*types: str) -> func.FuncOp:
    arguments = ", ".join(f"%{index}: tensor<{type_}>" for index, type_ in enumerate(types))
    return entry(parse(f"func.func @main({arguments}) {{ return }}"))


def test_random_inputs_are_those_of_their_seed():
    inputs = random_inputs(signature("3x4xf32", "3x4xf32"), 7)
    equal(inputs[0], random_inputs(signature("3x4xf32", "3x4xf32"), 7)[0])
    assert not np.array_equal(inputs[0], inputs[1])
    assert not np.array_equal(inputs[0], random_inputs(signature("3x4xf32"), 8)[0])


def test_random_indices_of_unknown_ops_are_in_range_of_all_axes():
    module = parse("""func.func @main(%x: tensor<9x?x5xf32>, %i: tensor<99xi64>) -> tensor<99xf32> {
      %c = npu.cast %i : (tensor<99xi64>) -> tensor<99xi32>
      %y = npu.opaque "other.Take"(%x, %c) : (tensor<9x?x5xf32>, tensor<99xi32>) -> tensor<99xf32>
      func.return %y : tensor<99xf32>
    }""")
    _, places = random_inputs(entry(module), 0)
    assert sorted(set(places.tolist())) == [0, 1, 2, 3]


def test_random_inputs_can_be_run():
    types = ["2xi1", "9xi4", "9xui4", "9xi8", "9xi37", "9xui64", "9xf16", "9xbf16", "9xf32", "9xf64", "f32", "0x3xi8"]
    module = signature(*types).parent_op()
    assert isinstance(module, ModuleOp)
    for seed in range(5):
        run(module, "main", random_inputs(entry(module), seed))


def test_random_integers_cover_small_types():
    small, unsigned, large = random_inputs(signature("9999xi4", "9999xui8", "9999xi32"), 0)
    assert set(small) == set(range(-8, 8))
    assert set(unsigned) == set(range(256))
    assert set(large) == set(range(-100, 101))


def test_random_sizes():
    dynamic = signature("?x3xf32", "?x?xf32")
    assert [array.shape for array in random_inputs(dynamic, 0)] == [(4, 3), (4, 4)]
    assert [array.shape for array in random_inputs(dynamic, 0, {(1, 1): 7, (0, 0): 0})] == [(0, 3), (4, 7)]


def test_random_indices_lie_within_their_axis():
    text = """
    func.func @main(%x: tensor<3x5xf32>, %i: tensor<50x1xi64>) -> tensor<3x50xf32> {
      %j = npu.reshape %i : (tensor<50x1xi64>) -> tensor<50xi64>
      %k = npu.cast %j : (tensor<50xi64>) -> tensor<50xi32>
      %y = npu.gather %x, %k axis = 1 : (tensor<3x5xf32>, tensor<50xi32>) -> tensor<3x50xf32>
      return %y : tensor<3x50xf32>
    }
    """
    module = parse(text)
    for seed in range(5):
        run(module, "main", random_inputs(entry(module), seed))


def test_a_program_in_two_layouts():
    plain = """
    func.func @main(%x: tensor<1x3x6x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x3x4xf32> {
      %y = npu.conv2d %x, %w pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
        : (tensor<1x3x6x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x8xf32>
      %z = npu.max_pool %y window = [2, 2] strides = [2, 2] data_layout = <NCHW>
        : (tensor<1x4x6x8xf32>) -> tensor<1x4x3x4xf32>
      %s = npu.softmax %z axis = 1 : tensor<1x4x3x4xf32>
      return %s : tensor<1x4x3x4xf32>
    }
    """
    coloured = """
    func.func @main(%x: tensor<1x3x6x8xf32, #npu.layout<NCHW>>, %w: tensor<4x3x3x3xf32, #npu.layout<OIHW>>)
        -> tensor<1x4x3x4xf32, #npu.layout<NCHW>> {
      %a = npu.nchw2nhwc %x
        : (tensor<1x3x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x6x8x3xf32, #npu.layout<NHWC>>
      %k = npu.transpose %w permutation = [2, 3, 0, 1]
        : (tensor<4x3x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x4x3xf32, #npu.layout<HWOI>>
      %y = npu.conv2d %a, %k pads = [1, 1, 1, 1]
        : (tensor<1x6x8x3xf32, #npu.layout<NHWC>>, tensor<3x3x4x3xf32, #npu.layout<HWOI>>)
        -> tensor<1x6x8x4xf32, #npu.layout<NHWC>>
      %z = npu.max_pool %y window = [2, 2] strides = [2, 2]
        : (tensor<1x6x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x4xf32, #npu.layout<NHWC>>
      %s = npu.softmax %z axis = 3
        : tensor<1x3x4x4xf32, #npu.layout<NHWC>>
      %r = npu.nhwc2nchw %s
        : (tensor<1x3x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x4xf32, #npu.layout<NCHW>>
      return %r : tensor<1x4x3x4xf32, #npu.layout<NCHW>>
    }
    """
    inputs = random_inputs(entry(parse(plain)), 0)
    found, expected = (run(parse(text), "main", inputs)[0] for text in (coloured, plain))
    assert_close(found, expected, FEW_STEPS_NEAR_ZERO)


def test_a_region_without_end():
    """A number of samples that is infinite is an error of the program."""
    text = """func.func @main(%x: tensor<1x2x3x4xf32, #npu.layout<NCHW>>, %r: tensor<1x4xf32>, %b: tensor<1xi64>)
        -> tensor<1x2x2x2xf32, #npu.layout<NCHW>> {
      %y = npu.roi_align %x, %r, %b sizes = [2, 2]
        : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>, tensor<1x4xf32>, tensor<1xi64>)
        -> tensor<1x2x2x2xf32, #npu.layout<NCHW>>
      return %y : tensor<1x2x2x2xf32, #npu.layout<NCHW>>
    }"""
    region = np.array([[0, 0, np.inf, np.inf]], np.float32)
    with pytest.raises(InterpreterError, match=r"'npu\.roi_align': cannot convert float infinity to integer"):
        run(parse(text), "main", [numbers(1, 2, 3, 4), region, np.zeros(1, np.int64)])
