"""The numbers of a constant in the order of its pieces."""

import numpy as np
import pytest
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.equivalence.constants import Constants
from npu_opt.equivalence.nodes import Nodes
from npu_opt.layout import Arrangement, Extent, Piece
from support.ir_text import parse

FOUR = """
func.func @main() -> tensor<4xi8> {
  %x = npu.constant dense<[3, 5, 7, 9]> : tensor<4xi8>
  func.return %x : tensor<4xi8>
}
"""


def constants_of(text: str) -> tuple[Constants, int]:
    constants = Nodes().constants
    op = next(op for op in parse(text).walk() if isinstance(op, ConstantOp))
    node, _ = constants.value(op)
    return constants, node


def piece(inner: int, size: int, axis: int = 0) -> Piece:
    return Piece(axis, Extent(inner), Extent(size))


@pytest.mark.parametrize(
    ("pieces", "numbers"),
    [
        ([piece(1, 4)], [3, 5, 7, 9]),
        ([piece(2, 2), piece(1, 2)], [3, 5, 7, 9]),
        ([piece(1, 2), piece(2, 2)], [3, 7, 5, 9]),
        # A digit that occurs twice leaves numbers out, and one that does not occur, too.
        ([piece(1, 2), piece(1, 2)], None),
        ([piece(2, 2), piece(2, 2)], None),
        ([piece(1, 2)], None),
        ([piece(1, 4, axis=-1)], None),
    ],
)
def test_each_digit_occurs_once(pieces: list[Piece], numbers: list[int] | None):
    constants, node = constants_of(FOUR)
    shape = tuple(each.size.factor for each in pieces)
    found = constants.in_order(node, Arrangement(tuple((each,) for each in pieces)), shape)
    assert (None if found is None else np.asarray(found).reshape(-1).tolist()) == numbers
