"""Recognition of windows that were exported as moves of single elements."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.notes.node_kinds import KIND, ONNX_KIND
from ..dialects.npu.elementwise import SelectOp
from ..dialects.npu.movement import ConcatOp, GatherOp
from ..dialects.npu.shape import ReshapeOp
from ..dialects.npu.source import OpaqueOp
from .common.plans.replacement import replace_parts
from .common.same_meaning import PreservesMeaning
from .patterns.replaced import Replaced
from .patterns.unpooled import chosen_by_mask, put_back, spread_by_pads
from .patterns.window_rows import gathered_windows, sliced_windows


@dataclass(frozen=True)
class RecogniseWindows(PreservesMeaning, ModulePass):
    """Replace windows of images that were exported as slices, gathers, pads or selects by one op.

    - Slices for each element of a window, concatenated along the last axis, and rows and then columns gathered by
      constant matrices, as PyTorch exports `unfold`, are an `npu.img2col`, whose pads are the zeros around the image.
    - Zeros behind each row and column, which a reshape, a pad and a reshape put there, are an `npu.unpool`.
    - Elements that are repeated where a mask is true, else zeros, are an `npu.mask_unpool`; so is a `MaxUnpool` of ONNX
      to the places of a `MaxPool` whose windows are beside each other.

    Hardware that has these ops moves each element once. Values with layouts stay, so the pass comes before layouts are
    inferred; so do images of unknown sizes, and what has other users in between. A convolution whose kernel is ones and
    zeros stays: an infinite number makes NaN of those beside it.
    """

    name = "recognise-windows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in list(op.walk()):
            # Parts of windows that were replaced are gone.
            if each.parent is not None and (found := _found(each)) is not None:
                replace_parts(PatternRewriter(each), each, found.new, found.parts)
                found.new[-1].attributes.clear()


def _found(op: Operation) -> Replaced | None:
    if not isinstance(op, OpaqueOp) and op.attributes.keys() - {KIND, ONNX_KIND}:
        return None
    match op:
        case ConcatOp():
            return sliced_windows(op)
        case GatherOp():
            return gathered_windows(op)
        case ReshapeOp():
            return spread_by_pads(op)
        case SelectOp():
            return chosen_by_mask(op)
        case OpaqueOp():
            return put_back(op)
        case _:
            return None
