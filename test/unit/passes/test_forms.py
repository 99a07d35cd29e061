"""Ops over pieces of their axes, and sums of products in the byte order of the data."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.activations import ReluOp
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import Conv3dOp
from npu_opt.dialects.npu.linear import GemmOp
from npu_opt.dialects.npu.values import order_of_value, shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import Extent, Piece
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.common.storages.storage import ByteOrder
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.modes.forms import Form, own_form, refined
from npu_opt.passes.optimal.modes.module_storage import ModuleStorage
from npu_opt.passes.transmit.apply import transmit
from support.closeness import Room, assert_close
from support.ir_text import parse, split_and_joined
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.transforms.canonicalize import CanonicalizePass

MIRROR = "npu.mirror %x axes = [2] data_layout = <NCHW> : (tensor<{s}xf64>) -> tensor<{s}xf64>"


def placed(module: ModuleOp, **options: Any) -> ModuleOp:
    """Placed for the fewest transposes, and checked by proof and by numbers."""
    result = module.clone()
    LayoutOptimal(cost="count", **options).apply(Context(), result)
    result.verify()
    assert compare(module, result).verdict is Verdict.PROVED
    again = result.clone()
    LayoutOptimal(cost="count", **options).apply(Context(), again)
    assert str(again) == str(result)
    clean = result.clone()
    CanonicalizePass().apply(Context(), clean)
    inputs = random_inputs(main_of(module), 0)
    for other in (result, clean):
        for left, right in zip(run(module, "main", inputs), run(other, "main", inputs), strict=True):
            assert_close(left, right, Room("one order of sums in f64, whose kernels may differ", 1e-12))
    return result


def weights(*shape: int) -> str:
    numbers = np.arange(np.prod(shape), dtype=np.float64).reshape(shape) / 7
    return f"npu.constant dense<{numbers.tolist()}> : tensor<{'x'.join(map(str, shape))}xf64>"


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("trans_b", [False, True])
def test_flatten_before_a_constant_matrix(batch: int, trans_b: bool):
    """Only the input is moved: the rows of the matrix are stored in the order of NHWC."""
    matrix = (5, 24) if trans_b else (24, 5)
    module = parse(f"""func.func @main(%x: tensor<{batch}x2x4x3xf64>) -> tensor<{batch}x5xf64> {{
      %m = {MIRROR.format(s=f"{batch}x2x4x3")}
      %f = npu.reshape %m : (tensor<{batch}x2x4x3xf64>) -> tensor<{batch}x24xf64>
      %w = {weights(*matrix)}
      %y = npu.gemm %f, %w {"trans_b" if trans_b else ""}
        : (tensor<{batch}x24xf64>, tensor<{matrix[0]}x{matrix[1]}xf64>) -> tensor<{batch}x5xf64>
      func.return %y : tensor<{batch}x5xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 1


def test_two_matrices_read_the_same_features():
    """Each constant is stored for itself; data that is read in its own order as well stays what it is."""
    module = parse(f"""func.func @main(%x: tensor<1x2x4x3xf64>) -> (tensor<1x5xf64>, tensor<5x1xf64>) {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %f = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<1x24xf64>
      %c = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<24x1xf64>
      %w = {weights(24, 5)}
      %y = npu.gemm %f, %w : (tensor<1x24xf64>, tensor<24x5xf64>) -> tensor<1x5xf64>
      %z = npu.gemm %w, %c trans_a : (tensor<24x5xf64>, tensor<24x1xf64>) -> tensor<5x1xf64>
      func.return %y, %z : tensor<1x5xf64>, tensor<5x1xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 1


def test_a_matrix_from_outside_cannot_be_stored_otherwise():
    module = parse(f"""func.func @main(%x: tensor<1x2x4x3xf64>, %w: tensor<24x5xf64>) -> tensor<1x5xf64> {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %f = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<1x24xf64>
      %y = npu.gemm %f, %w : (tensor<1x24xf64>, tensor<24x5xf64>) -> tensor<1x5xf64>
      func.return %y : tensor<1x5xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 2


def test_what_is_flattened_with_the_batch_is_not_summed_up():
    """Rows of the result are made of the first half of the channels or the second: their sequence matters."""
    module = parse(f"""func.func @main(%x: tensor<1x4x4x3xf64>) -> tensor<2x5xf64> {{
      %m = {MIRROR.format(s="1x4x4x3")}
      %f = npu.reshape %m : (tensor<1x4x4x3xf64>) -> tensor<2x24xf64>
      %w = {weights(24, 5)}
      %y = npu.gemm %f, %w : (tensor<2x24xf64>, tensor<24x5xf64>) -> tensor<2x5xf64>
      func.return %y : tensor<2x5xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 2


def test_a_reshaped_constant_is_cut_as_the_data_is():
    module = parse(f"""func.func @main(%x: tensor<1x2x4x3xf64>) -> tensor<1x5xf64> {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %f = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<1x24xf64>
      %w = {weights(2, 12, 5)}
      %v = npu.reshape %w : (tensor<2x12x5xf64>) -> tensor<24x5xf64>
      %y = npu.gemm %f, %v : (tensor<1x24xf64>, tensor<24x5xf64>) -> tensor<1x5xf64>
      func.return %y : tensor<1x5xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 1


def test_what_is_read_besides_decides_where_it_costs_less():
    """An op that needs the flattened order itself: one transpose serves it, and the product as well."""
    module = parse(f"""func.func @main(%x: tensor<1x2x4x3xf64>) -> (tensor<1x5xf64>, tensor<1x24xf64>) {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %f = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<1x24xf64>
      %w = {weights(24, 5)}
      %y = npu.gemm %f, %w : (tensor<1x24xf64>, tensor<24x5xf64>) -> tensor<1x5xf64>
      func.return %y, %f : tensor<1x5xf64>, tensor<1x24xf64>
    }}""")
    found = placed(module)
    assert cost_of_program(found).transposes == 2
    assert str(found).count("npu.transpose") == 2


def refined_once(text: str, kind: type[NpuOp], byte_order: Sequence[tuple[int, int, int]]) -> Form | None:
    """The only op of a kind over axes of which a sequence of its first operand is an order."""
    module = parse(text)
    transmit(module)
    (op,) = [op for op in module.walk() if isinstance(op, kind)]
    return next(iter(refined(own_form(op, ModuleStorage(module, ())), 0, pieces(byte_order), 6)), None)


def stored(text: str, kind: type[NpuOp], byte_order: Sequence[tuple[int, int, int]]) -> list[ByteOrder | None] | None:
    """The sequences of the operands and results of an op that keeps its axes, if the first comes in this one."""
    form = refined_once(text, kind, byte_order)
    if form is None:
        return None
    assert form.is_own
    return [form.byte_order(place, order_of_value(value)) for place, value in enumerate(form.values)]


def pieces(byte_order: Sequence[tuple[int, int, int]]) -> ByteOrder:
    return tuple(Piece(axis, Extent(inner), Extent(size)) for axis, inner, size in byte_order)


ROWS = """func.func @main(%x: tensor<2x3x4x5xf32>) -> tensor<6x7xf32> {
  %f = npu.reshape %x : (tensor<2x3x4x5xf32>) -> tensor<6x20xf32>
  %w = npu.constant dense<0.5> : tensor<20x7xf32>
  %y = npu.gemm %f, %w : (tensor<6x20xf32>, tensor<20x7xf32>) -> tensor<6x7xf32>
  func.return %y : tensor<6x7xf32>
}"""


def test_rows_and_columns_change_places_among_themselves():
    first, second, third, fourth = (0, 1, 2), (1, 1, 3), (2, 1, 4), (3, 1, 5)
    whole = pieces([(0, 1, 6), (1, 1, 7)])
    matrix = pieces([(0, 1, 5), (0, 5, 4), (1, 1, 7)])
    swapped = [first, second, fourth, third]
    assert stored(ROWS, GemmOp, swapped) == [pieces(swapped), matrix, whole]
    turned = [second, first, third, fourth]
    kept = pieces([(0, 1, 20), (1, 1, 7)])
    assert stored(ROWS, GemmOp, turned) == [pieces(turned), kept, pieces([(0, 1, 3), (0, 3, 2), (1, 1, 7)])]
    assert stored(ROWS, GemmOp, [first, third, second, fourth]) is None
    # That is an order of its own axes.
    assert stored(ROWS, GemmOp, [third, fourth, first, second]) is None


@pytest.mark.parametrize("groups", [1, 2])
def test_channels_in_groups_keep_their_places(groups: int):
    """The channels of a convolution are summed up, but those of different groups are not the same to its kernel."""
    text = f"""func.func @main(%x: tensor<1x8x2x2x2xf32>) -> tensor<1x4x2x2x2xf32> {{
      %w = npu.constant dense<0.5> : tensor<4x{8 // groups}x1x1x1xf32>
      %y = npu.conv3d %x, %w groups = {groups} data_layout = <NCDHW> kernel_layout = <OIDHW>
        : (tensor<1x8x2x2x2xf32>, tensor<4x{8 // groups}x1x1x1xf32>) -> tensor<1x4x2x2x2xf32>
      func.return %y : tensor<1x4x2x2x2xf32>
    }}"""
    turned = [(1, 1, 4), (1, 4, 2), (2, 1, 2), (3, 1, 2), (4, 1, 2)]
    found = stored(text, Conv3dOp, turned)
    kernel = pieces([(0, 1, 4), (1, 1, 4), (1, 4, 2)])
    result = pieces([(1, 1, 4), (2, 1, 2), (3, 1, 2), (4, 1, 2)])
    assert found == ([pieces(turned), kernel, result] if groups == 1 else None)


def lines(*ops: str, inputs: str = "%x: tensor<1x2x4x3xf64>", outputs: Sequence[str]) -> ModuleOp:
    """A program that works on the lines of an image, which come from an op that wants NHWC."""
    text = "\n".join(ops)
    return parse(f"""func.func @main({inputs}) -> ({", ".join(outputs)}) {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %lines = npu.reshape %m : (tensor<1x2x4x3xf64>) -> tensor<8x3xf64>
      {text}
    }}""")


IMAGE = "tensor<1x2x4x3xf64>"
LINES = "tensor<8x3xf64>"


def test_what_is_returned_as_well_keeps_its_axes_there():
    """The signature pins the lines to their own order, twice: one conversion serves both."""
    module = lines(
        f"%r = npu.relu %lines : {LINES}",
        f"%i = npu.reshape %r : ({LINES}) -> {IMAGE}",
        f"%n = npu.mirror %i axes = [3] data_layout = <NCHW> : {IMAGE}",
        f"func.return %r, %n, %r : {LINES}, {IMAGE}, {LINES}",
        outputs=[LINES, IMAGE, LINES],
    )
    found = placed(module)
    assert cost_of_program(found).transposes == 3
    (relu,) = [op for op in found.walk() if isinstance(op, ReluOp)]
    assert shape_of(relu.result) == (1, 4, 3, 2)


def test_an_op_that_nobody_needs_is_dropped_with_its_views():
    module = lines(
        f"%dead = npu.softmax %lines axis = 1 : {LINES}",
        f"%r = npu.relu %lines : {LINES}",
        "%y = npu.reduce_max %r axes = [0, 1] : (tensor<8x3xf64>) -> tensor<f64>",
        "func.return %y : tensor<f64>",
        outputs=["tensor<f64>"],
    )
    assert cost_of_program(placed(module)).transposes == 1


def test_parts_and_wholes_are_cut_beside_their_axis():
    """Each line is split along its columns and put together again: channels and rows are cut in all of them."""
    module = lines(
        f"%a, %b = npu.split %lines axis = 1 sizes = [1, 2] : ({LINES}) -> (tensor<8x1xf64>, tensor<8x2xf64>)",
        "%c = npu.exp %a : tensor<8x1xf64>",
        f"%d = npu.concat %b, %c axis = 1 : (tensor<8x2xf64>, tensor<8x1xf64>) -> {LINES}",
        f"%i = npu.reshape %d : ({LINES}) -> {IMAGE}",
        f"%n = npu.mirror %i axes = [3] data_layout = <NCHW> : {IMAGE}",
        f"func.return %n : {IMAGE}",
        outputs=[IMAGE],
    )
    assert cost_of_program(placed(module)).transposes == 2


def test_one_element_stays_what_it_is():
    """A number for all elements has no axes to cut, whatever its rank."""
    module = lines(
        f"%p = npu.mul %lines, %s : ({LINES}, tensor<1x1xf64>) -> {LINES}",
        f"%q = npu.add %p, %t : ({LINES}, tensor<f64>) -> {LINES}",
        f"%i = npu.reshape %q : ({LINES}) -> {IMAGE}",
        f"%n = npu.mirror %i axes = [3] data_layout = <NCHW> : {IMAGE}",
        f"func.return %n : {IMAGE}",
        inputs=f"%x: {IMAGE}, %s: tensor<1x1xf64>, %t: tensor<f64>",
        outputs=[IMAGE],
    )
    assert cost_of_program(placed(module)).transposes == 2


def test_views_of_other_blocks_follow():
    """An op over pieces of its axes in one block, and views of what it gives in others."""
    module = lines(
        f"%r = npu.relu %lines : {LINES}",
        "cf.cond_br %c, ^left, ^right",
        "^left:",
        f"%i = npu.reshape %r : ({LINES}) -> {IMAGE}",
        f"%n = npu.mirror %i axes = [3] data_layout = <NCHW> : {IMAGE}",
        f"cf.br ^end(%n : {IMAGE})",
        "^right:",
        f"%j = npu.reshape %r : ({LINES}) -> {IMAGE}",
        f"%o = npu.mirror %j axes = [2] data_layout = <NCHW> : {IMAGE}",
        f"cf.br ^end(%o : {IMAGE})",
        f"^end(%e: {IMAGE}):",
        f"func.return %e : {IMAGE}",
        inputs=f"%x: {IMAGE}, %c: i1",
        outputs=[IMAGE],
    )
    result = module.clone()
    LayoutOptimal(cost="count").apply(Context(), result)
    result.verify()
    (relu,) = [op for op in result.walk() if isinstance(op, ReluOp)]
    assert shape_of(relu.result) == (1, 4, 3, 2)
    # The input, and what each branch hands over.
    assert cost_of_program(result).transposes == 3


def test_a_batch_comes_in_another_sequence():
    """One product for each pixel, column after column; in NHWC they come row after row, and so do their matrices."""
    pixels = "tensor<12x1x2xf64>"
    module = parse(f"""func.func @main(%x: {IMAGE}) -> {IMAGE} {{
      %m = {MIRROR.format(s="1x2x4x3")}
      %t = npu.transpose %m permutation = [0, 3, 2, 1] : ({IMAGE}) -> tensor<1x3x4x2xf64>
      %pixels = npu.reshape %t : (tensor<1x3x4x2xf64>) -> {pixels}
      %w = {weights(12, 2, 2)}
      %p = npu.matmul %pixels, %w : ({pixels}, tensor<12x2x2xf64>) -> {pixels}
      %u = npu.reshape %p : ({pixels}) -> tensor<1x3x4x2xf64>
      %i = npu.transpose %u permutation = [0, 3, 2, 1] : (tensor<1x3x4x2xf64>) -> {IMAGE}
      %n = npu.mirror %i axes = [3] data_layout = <NCHW> : {IMAGE}
      func.return %n : {IMAGE}
    }}""")
    assert cost_of_program(placed(module)).transposes == 2


def test_batch_axes_are_cut_where_the_hardware_moves_them():
    """Heads between columns and rows: the batch has to be cut, which rigid hardware does not do."""
    heads = "tensor<1x2x4x3x5xf64>"
    module = parse(f"""func.func @main(%x: tensor<1x2x4x3x5xf64>, %y: tensor<8x3x1x5xf64>) -> tensor<1x4x3x2x5xf64> {{
      %b = npu.reshape %x : ({heads}) -> tensor<8x3x1x5xf64>
      %p = npu.matmul %b, %y trans_b : (tensor<8x3x1x5xf64>, tensor<8x3x1x5xf64>) -> tensor<8x3x1x1xf64>
      %o = npu.add %b, %p : (tensor<8x3x1x5xf64>, tensor<8x3x1x1xf64>) -> tensor<8x3x1x5xf64>
      %h = npu.reshape %o : (tensor<8x3x1x5xf64>) -> {heads}
      %n = npu.transpose %h permutation = [0, 2, 3, 1, 4] : ({heads}) -> tensor<1x4x3x2x5xf64>
      func.return %n : tensor<1x4x3x2x5xf64>
    }}""")
    assert cost_of_program(placed(module)).transposes == 1


def test_values_of_ops_with_many_results_are_listed_seldom(monkeypatch: pytest.MonkeyPatch):
    """The order of one result is known without a list of all of them, which would be made for each."""
    module = parse(split_and_joined(100))
    listed = list[Form]()

    def counted(form: Form) -> tuple[SSAValue, ...]:
        listed.append(form)
        return (*form.op.operands, *form.op.results)

    monkeypatch.setattr(Form, "values", property(counted))
    LayoutOptimal().apply(Context(), module)
    assert len(listed) < 100
