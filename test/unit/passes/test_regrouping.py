"""Sums of products with constants, taken in the sequence in which the data comes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import Conv3dOp
from npu_opt.dialects.npu.linear import GemmOp
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import Extent, Piece
from npu_opt.passes.common.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.regrouping import regrouped
from npu_opt.passes.optimal.storage import Sequence_, Storage
from npu_opt.passes.transmit.apply import transmit
from support.ir_text import parse
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
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
            np.testing.assert_allclose(left, right, rtol=1e-12)
    return result


def weights(*shape: int) -> str:
    numbers = np.arange(np.prod(shape), dtype=np.float64).reshape(shape) / 7
    return f"npu.constant dense<{numbers.tolist()}> : tensor<{'x'.join(map(str, shape))}xf64>"


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("trans_b", [False, True])
def test_flatten_before_a_constant_matrix(batch: int, trans_b: bool):
    """Only the input is moved: the rows of the matrix are stored in the sequence that NHWC has."""
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


def reads(text: str, kind: type[NpuOp], sequence: Sequence[tuple[int, int, int]]) -> dict[int, Sequence_] | None:
    """How the only op of a kind reads its operands if the first one comes in this sequence of axis, inner, size."""
    module = parse(text)
    transmit(module)
    (op,) = [op for op in module.walk() if isinstance(op, kind)]
    return regrouped(op, 0, pieces(sequence), Storage(module, ()))


def pieces(sequence: Sequence[tuple[int, int, int]]) -> Sequence_:
    return tuple(Piece(axis, Extent(inner), Extent(size)) for axis, inner, size in sequence)


ROWS = """func.func @main(%x: tensor<2x3x4x5xf32>) -> tensor<6x7xf32> {
  %f = npu.reshape %x : (tensor<2x3x4x5xf32>) -> tensor<6x20xf32>
  %w = npu.constant dense<0.5> : tensor<20x7xf32>
  %y = npu.gemm %f, %w : (tensor<6x20xf32>, tensor<20x7xf32>) -> tensor<6x7xf32>
  func.return %y : tensor<6x7xf32>
}"""


def test_only_what_is_summed_up_may_change_places():
    first, second, third, fourth = (0, 1, 2), (1, 1, 3), (2, 1, 4), (3, 1, 5)
    swapped = pieces([first, second, fourth, third])
    matrix = pieces([(0, 1, 5), (0, 5, 4), (1, 1, 7)])
    assert reads(ROWS, GemmOp, [first, second, fourth, third]) == {0: swapped, 1: matrix}
    assert reads(ROWS, GemmOp, [second, first, fourth, third]) is None
    assert reads(ROWS, GemmOp, [first, third, second, fourth]) is None
    assert reads(ROWS, GemmOp, [third, fourth, first, second]) is None
    from_outside = ROWS.replace("f32>) ->", "f32>, %w: tensor<20x7xf32>) ->", 1).replace(
        "%w = npu.constant", "%v = npu.constant"
    )
    assert reads(from_outside, GemmOp, [first, second, fourth, third]) is None


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
    found = reads(text, Conv3dOp, turned)
    assert found == ({0: pieces(turned), 1: pieces([(0, 1, 4), (1, 1, 4), (1, 4, 2)])} if groups == 1 else None)
