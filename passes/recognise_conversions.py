"""Recognition of the transposes that hardware with an instruction for layouts runs."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.npu.shape import FixedTransposeOp, Nchw2NhwcOp, Nhwc2NchwOp, TransposeOp
from ..dialects.npu.values import layout_of
from .common.same_meaning import PreservesMeaning

CONVERSIONS: tuple[type[FixedTransposeOp], ...] = (Nchw2NhwcOp, Nhwc2NchwOp)


@dataclass(frozen=True)
class RecogniseConversions(PreservesMeaning, ModulePass):
    """Replace transposes of images between NCHW and NHWC by `npu.nchw2nhwc` and `npu.nhwc2nchw`.

    Hardware that converts layouts has an instruction for these two, whatever it does with other transposes. The pass
    comes behind the layout passes, which choose the transposes that are left; in front of them the two ops would demand
    their layouts. Transposes of values without layouts, of other layouts and of Tensors stay.
    """

    name = "recognise-conversions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in [found for found in op.walk() if isinstance(found, TransposeOp)]:
            layouts = layout_of(each.input), layout_of(each.result)
            kind = next((kind for kind in CONVERSIONS if (kind.FROM, kind.TO) == layouts), None)
            if kind is None or each.permutation.get_values() != kind.PERMUTATION:
                continue
            new = kind.create(operands=[each.input], result_types=[each.result.type], attributes=each.attributes)
            new.location = each.location
            PatternRewriter(each).replace(each, new)
