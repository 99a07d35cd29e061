"""layout-transmit on many programs, on deep and wide ones, and its tables of known ops."""

from collections.abc import Iterator
from typing import Literal

import pytest
from npu_opt.dialects.npu.activations import ReluOp
from npu_opt.dialects.npu.attrs import LayoutAttr, i64_array
from npu_opt.dialects.npu.binary import AddOp
from npu_opt.dialects.npu.pooling import MaxPoolOp
from npu_opt.dialects.npu.shape import RelabelOp
from npu_opt.dialects.npu.values import layout_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import Layout
from npu_opt.passes.common.graph.call_graph import call_graph
from npu_opt.passes.transmit.apply import is_nothing_known, transmit
from npu_opt.passes.transmit.known_layouts import Relation, Relations, Resolve
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

SETTINGS: tuple[Resolve, ...] = ("forward", "next", "previous", "nearest")
SIZES = (10, 25, 50)
Foreign = Literal["none", "pure", "any"]
FOREIGN: tuple[Foreign, ...] = ("none", "pure", "any")
NCHW, NHWC, OIHW, TENSOR, NTENSOR = map(Layout.parse, ("NCHW", "NHWC", "OIHW", "Tensor", "NTensor"))


def values(module: ModuleOp) -> Iterator[SSAValue]:
    """All tensors of a program, without the results of relabels."""
    for op in module.walk():
        found = [
            *op.results,
            *(argument for region in op.regions for block in region.blocks for argument in block.args),
        ]
        yield from (value for value in found if isa(value.type, TensorType) and not isinstance(op, RelabelOp))


def stored(type_: Attribute) -> tuple[Attribute, tuple[int, ...]]:
    assert isa(type_, TensorType)
    return type_.get_element_type(), type_.get_shape()


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_are_coloured_and_compute_the_same(seed: int):
    resolve, is_coloured = SETTINGS[seed // 2 % 4], seed % 2 == 0
    module = random_program(seed, SIZES[seed % 3], is_coloured, FOREIGN[seed // 8 % 3])
    before = module.clone()
    transmit(module, resolve=resolve)
    module.verify()
    assert compare(before, module).verdict is Verdict.PROVED
    for old, new in zip(values(before), values(module), strict=True):
        assert stored(new.type) == stored(old.type)
        assert layout_of(new) is not None
        assert layout_of(old) in (None, layout_of(new))
    once = str(module)
    transmit(module, resolve=resolve)
    assert str(module) == once


IMAGE = TensorType(f32, [1, 8, 4, 6])


def function_of(block: Block, results: list[SSAValue]) -> ModuleOp:
    block.add_op(ReturnOp(*results))
    types = [argument.type for argument in block.args], [result.type for result in results]
    return ModuleOp([FuncOp("main", types, Region(block))])


def pool(value: SSAValue, layout: Layout) -> MaxPoolOp:
    properties: dict[str, Attribute] = {"window": i64_array(1, 1), "data_layout": LayoutAttr(layout)}
    return MaxPoolOp.create(operands=[value], result_types=[IMAGE], properties=properties)


def test_a_deep_chain():
    block = Block(arg_types=[IMAGE])
    value: SSAValue = block.args[0]
    for _ in range(10_000):
        op = ReluOp.create(operands=[value], result_types=[IMAGE])
        block.add_op(op)
        value = op.result
    last = pool(value, NHWC)
    block.add_op(last)
    module = function_of(block, [last.result])
    transmit(module)
    assert {layout_of(value) for value in values(module)} == {NHWC}


def test_a_value_with_many_users():
    block = Block(arg_types=[IMAGE])
    shared = ReluOp.create(operands=[block.args[0]], result_types=[IMAGE])
    block.add_op(shared)
    for index in range(5_000):
        block.add_op(pool(shared.result, NCHW if index % 5 else NHWC))
    module = function_of(block, [shared.result])
    transmit(module)
    module.verify()
    relabels = [op for op in module.walk() if isinstance(op, RelabelOp)]
    assert layout_of(shared.results[0]) == NCHW
    assert len(relabels) == 1_000
    assert {(layout_of(op.input), layout_of(op.result)) for op in relabels} == {(NCHW, NHWC)}


def test_an_op_with_many_functions_to_call():
    lines = [f"func.func private @f{index}(%x: tensor<2xf32>) -> tensor<2xf32> {{" for index in range(300)]
    callers = [f"  %y = func.call @f{index + 1}(%x) : (tensor<2xf32>) -> tensor<2xf32>" for index in range(299)]
    bodies = [*callers, "  %y = npu.relu %x : tensor<2xf32>"]
    text = "\n".join(
        f"{line}\n{body}\n  return %y : tensor<2xf32>\n}}" for line, body in zip(lines, bodies, strict=True)
    )
    module = parse(text)
    graph = call_graph(module)
    assert [function.sym_name.data for function in graph.callees_first] == [f"f{index}" for index in range(299, -1, -1)]
    assert not graph.recursive
    transmit(module)
    module.verify()


CALLS = {"a": "b", "b": "cd", "c": "a", "d": "d", "e": "ad", "f": ""}


@pytest.mark.parametrize("names", ["abcdef", "fedcba", "cabfed"])
def test_callees_are_known_in_any_program_order(names: str):
    functions = [
        f"func.func private @{name}() {{\n" + "".join(f"  func.call @{each}() : () -> ()\n" for each in CALLS[name])
        for name in names
    ]
    graph = call_graph(parse("\n".join(f"{function}  return\n}}" for function in functions)))
    assert {function.sym_name.data for function in graph.recursive} == set("abcd")
    places = {function.sym_name.data: place for place, function in enumerate(graph.callees_first)}
    assert sorted(places) == sorted(CALLS)
    assert places["d"] < min(places[name] for name in "abc")
    assert places["e"] > max(places[name] for name in "abcd")


RELATIONS = """
func.func @main(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %b: tensor<8xf32>, %m: tensor<1x8x6x5xf32>) {
  %early = npu.abs %x : tensor<1x8x4x6xf32>
  %bias = npu.abs %b : tensor<8xf32>
  %kernel = npu.abs %w : tensor<8x8x1x1xf32>
  %conv = npu.conv2d %early, %kernel, %bias data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32>
  %relu = npu.relu %conv : tensor<1x8x4x6xf32>
  %reshape = npu.reshape %relu : tensor<1x8x4x6xf32>
  %gemm = npu.gemm %reshape, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  %end = npu.exp %gemm : tensor<1x8x4x5xf32>
  return
}
"""


def relations(resolve: Resolve) -> tuple[Relations, dict[str, Operation]]:
    module = parse(RELATIONS)
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    ops = {op.results[0].name_hint or "": op for op in function.body.block.ops if op.results}
    return Relations(function.body.block, resolve), ops


def named(table: dict[Operation, Relation]) -> dict[str | None, Relation]:
    return {op.results[0].name_hint: relation for op, relation in table.items()}


def test_the_table_of_known_ops_is_filled_in_two_sweeps():
    """relationMap of the seed layout-transmit: preKnownLayoutOp and nextKnownLayoutOp of each op."""
    tables, _ = relations("nearest")
    assert named(tables.previous) == {
        "relu": Relation(1, NCHW),
        "reshape": Relation(2, NCHW),
        "gemm": Relation(3, NCHW),
        "end": Relation(1, NTENSOR),
    }
    assert named(tables.next) == {
        "early": Relation(1, NCHW),
        "kernel": Relation(1, OIHW),
        "conv": Relation(3, NTENSOR),
        "relu": Relation(2, NTENSOR),
        "reshape": Relation(1, NTENSOR),
    }


def test_the_table_is_filled_on_demand():
    tables, ops = relations("forward")
    assert (tables.previous, tables.next) == ({}, {})
    assert tables.operand_layouts(ops["reshape"]) == [None]


@pytest.mark.parametrize(("resolve", "layout"), [("next", NTENSOR), ("previous", NCHW), ("nearest", NTENSOR)])
def test_the_table_determines_the_input_of_an_op(resolve: Resolve, layout: Layout):
    tables, ops = relations(resolve)
    assert tables.operand_layouts(ops["reshape"]) == [layout]


@pytest.mark.parametrize("resolve", ["next", "previous", "nearest"])
def test_the_other_direction_counts_if_one_is_empty(resolve: Resolve):
    tables, ops = relations(resolve)
    assert tables.operand_layouts(ops["early"]) == [NCHW]
    assert tables.operand_layouts(ops["end"]) == [NTENSOR]


def test_the_nearest_of_several_neighbours_counts():
    text = """
    func.func @main(%x: tensor<1x8x4x6xf32>) {
      %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
      %far = npu.relu %p : tensor<1x8x4x6xf32>
      %q = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x8x4x6xf32>
      %sum = npu.add %far, %q : tensor<1x8x4x6xf32>
      %a = npu.exp %sum : tensor<1x8x4x6xf32>
      %r = npu.max_pool %a window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
      %s = npu.max_pool %sum window = [1, 1] data_layout = <CNHW> : tensor<1x8x4x6xf32>
      return
    }
    """
    (function,) = (op for op in parse(text).walk() if isinstance(op, FuncOp))
    tables = Relations(function.body.block, "nearest")
    assert named(tables.previous)["sum"] == Relation(1, NHWC)
    assert named(tables.next)["sum"] == Relation(1, Layout.parse("CNHW"))


def test_a_layout_that_does_not_fit_the_rank_counts_as_tensor():
    text = """
    func.func @main(%x: tensor<192xf32>) {
      %a = npu.reshape %x : (tensor<192xf32>) -> tensor<1x8x4x6xf32>
      %p = npu.max_pool %a window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
      return
    }
    """
    (function,) = (op for op in parse(text).walk() if isinstance(op, FuncOp))
    reshape = next(iter(function.body.block.ops))
    assert Relations(function.body.block, "next").operand_layouts(reshape) == [TENSOR]


def test_relabels_have_the_location_of_their_user():
    block = Block(arg_types=[IMAGE])
    first, second = pool(block.args[0], NHWC), pool(block.args[0], NCHW)
    second.location = FileLineColLoc(StringAttr("net.onnx"), IntAttr(7), IntAttr(1))
    block.add_ops([first, second])
    module = function_of(block, [first.result, second.result])
    transmit(module)
    (relabel,) = (op for op in module.walk() if isinstance(op, RelabelOp))
    assert relabel.location == second.location != first.location
    assert relabel.next_op is second


def test_value_used_twice_by_an_op_has_one_relabel():
    block = Block(arg_types=[IMAGE])
    first = pool(block.args[0], NHWC)
    twice = AddOp.create(operands=[block.args[0], block.args[0]], result_types=[IMAGE])
    second = pool(twice.result, NCHW)
    block.add_ops([first, twice, second])
    module = function_of(block, [first.result, second.result])
    transmit(module)
    (relabel,) = (op for op in module.walk() if isinstance(op, RelabelOp))
    assert list(twice.operands) == [relabel.result, relabel.result]


KNOWN = {
    "nothing": ("%r = npu.relu %x : tensor<1x2x3x4xf32>", "tensor<1x2x3x4xf32>", True),
    "an op": (
        "%r = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x2x3x4xf32>",
        "tensor<1x2x3x4xf32>",
        False,
    ),
    "a type": (
        "%r = npu.relu %x : (tensor<1x2x3x4xf32, #npu.layout<Tensor>>) -> tensor<1x2x3x4xf32>",
        "tensor<1x2x3x4xf32, #npu.layout<Tensor>>",
        False,
    ),
    "no argument that is an image": (
        "%r = npu.reshape %x : (tensor<24xf32>) -> tensor<1x2x3x4xf32>",
        "tensor<24xf32>",
        False,
    ),
    "what cannot be a feature": ("%r = npu.relu %x : tensor<3x4xf32>", "tensor<3x4xf32>", False),
}


def test_a_program_that_reads_a_text_has_no_images():
    """Its caches of rank 4 would be taken for images."""
    text = """func.func @main(%text: tensor<1x1xi64>, %keys: tensor<1x2x8x32xf32>, %floats: tensor<1x2xf32>) {
      %r = npu.relu %keys : tensor<1x2x8x32xf32>
      return
    }"""
    assert not is_nothing_known(parse(text))
    assert is_nothing_known(parse(text.replace("xi64", "xi8")))


@pytest.mark.parametrize("name", KNOWN)
def test_is_nothing_known(name: str):
    line, type_, expected = KNOWN[name]
    assert is_nothing_known(parse(f"func.func @main(%x: {type_}) {{\n{line}\nreturn\n}}")) is expected
