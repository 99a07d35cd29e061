"""Recognition of quarter turns of images that were exported as a transpose and a reverse."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.npu.attrs import LayoutAttr, i64_attr
from ..dialects.npu.movement import ReverseOp
from ..dialects.npu.shape import TransposeOp
from ..dialects.npu.spatial import RotateOp
from ..dialects.npu.values import layout_of
from ..dialects.npu.views import fused
from ..layout import Layout
from .common.same_meaning import PreservesMeaning

IMAGES: dict[tuple[int, ...], Layout] = {(0, 1, 3, 2): Layout.parse("NCHW"), (0, 2, 1, 3): Layout.parse("NHWC")}
"""The transposes that exchange the rows and columns of images, with the layout of these."""


@dataclass(frozen=True)
class RecogniseTurns(PreservesMeaning, ModulePass):
    """Replace a transpose and a reverse that turn images by one rotation.

    The transpose exchanges the rows and columns of images, and the reverse is along one of the two. An `npu.rotate`
    moves each element once, and hardware that rotates needs no transpose for it. The values are taken for images in
    NCHW or NHWC, whichever axes are exchanged, so the pass comes before layouts are inferred; values with layouts stay.
    The first of the two ops must have no other users. A reverse along both axes, half a turn, needs no pass: targets
    see a mirror.
    """

    name = "recognise-turns"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for second in [each for each in op.walk() if isinstance(each, TransposeOp | ReverseOp)]:
            first = second.input.owner
            if not isinstance(first, TransposeOp | ReverseOp) or not first.result.has_one_use():
                continue
            if (turns := _turns(first, second)) is not None:
                _replace(first, second, turns)


def _turns(first: TransposeOp | ReverseOp, second: TransposeOp | ReverseOp) -> int | None:
    """The quarter turns counter-clockwise of a transpose and a reverse; None for any other two ops."""
    if isinstance(first, TransposeOp) and isinstance(second, ReverseOp):
        transpose, reverse, is_reversed_first = first, second, False
    elif isinstance(first, ReverseOp) and isinstance(second, TransposeOp):
        transpose, reverse, is_reversed_first = second, first, True
    else:
        return None
    layout = IMAGES.get(transpose.permutation.get_values())
    axes = reverse.axes.get_values()
    if layout is None or len(axes) != 1 or layout_of(first.input) is not None:
        return None
    place = {layout.position_of("H"): 0, layout.position_of("W"): 1}.get(axes[0])
    if place is None:
        return None
    # Reversing the rows of the turned image is reversing the columns of the one before.
    return 1 if place == int(is_reversed_first) else 3


def _replace(first: TransposeOp | ReverseOp, second: TransposeOp | ReverseOp, turns: int) -> None:
    transpose = first if isinstance(first, TransposeOp) else second
    assert isinstance(transpose, TransposeOp)
    layout = IMAGES[transpose.permutation.get_values()]
    rotate = RotateOp.create(
        operands=[first.input],
        result_types=[second.result.type],
        properties={"turns": i64_attr(turns), "data_layout": LayoutAttr(layout)},
    )
    rotate.location = fused([first.location, second.location])
    rotate.result.name_hint = second.result.name_hint
    Rewriter.insert_op(rotate, InsertPoint.before(second))
    second.result.replace_all_uses_with(rotate.result)
    for op in (second, first):
        op.detach()
        op.erase()
