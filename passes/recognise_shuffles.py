"""Recognition of channel shuffles that were exported as reshapes and transposes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.npu.attrs import LayoutAttr, i64_attr
from ..dialects.npu.base import NpuOp
from ..dialects.npu.convolution import ForwardConvolutionOp
from ..dialects.npu.movement import GatherOp
from ..dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp, ViewOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import layout_of, shape_of, tensor_type
from ..dialects.npu.views import fused, without_letters
from ..layout import Layout, LayoutClass, Order, invert, permute
from .common.same_meaning import PreservesMeaning
from .common.storages.origins import Origins
from .patterns.absorbed import plan_of
from .patterns.absorbing import absorb
from .patterns.channels import ChannelRegions
from .patterns.shuffles import Shuffle, readers, shuffle_above, writer


@dataclass(frozen=True)
class RecogniseShuffles(PreservesMeaning, ModulePass):
    """Replace channel shuffles that were exported as reshapes and transposes by one gather, or by none.

    A chain of reshapes, transposes and relabels that permutes the elements along one stored axis, and whose steps
    nothing else reads, moves each element at least once. It becomes

    - nothing, if a convolution without groups makes the value, or if such convolutions alone read the result, directly
      or through unary ops: the channels of their constant kernels are stored in another order instead;
    - else one `npu.gather` along the axis with constant indices, which moves each element once.

    So the program never moves more bytes. Behind a layout pass only those shuffles are left that no transpose between
    layouts can take along; in front of it the pass could separate the two. Convolutions with groups do not take
    channels of other groups, and keep their shuffles. `--stats` counts the gathers and the bytes that they move.

    With `absorb=true`, shuffles, gathers, slices, splits and concatenations that meet along one axis are written anew
    together: convolutions with constant weights make their channels in the order in which they are read, and those that
    read them have weights in that order. Ops that compute each channel alone (norms, depthwise convolutions, pools,
    elementwise ops) take the order along; of several values, all but one have to be made by later convolutions or come
    from that one. A value that anything else reads keeps its order. This is done only where it moves fewer elements.

    With `groups=true` as well, a convolution with up to 8 groups may become one without, with weights of zero for the
    channels of other groups. With `zeros=true` it may do so, and read up to twice the channels that it needs as well.
    Both hold for finite numbers.
    """

    name = "recognise-shuffles"

    absorb: bool = False
    """Choose the order of the channels that convolutions with constant weights take and make."""
    groups: bool = False
    """With absorb, convolutions with few groups may read the channels of all, with weights of zero."""
    zeros: bool = False
    """With absorb, convolutions may read any channels that they do not need, with weights of zero."""

    @property
    def leaves_weights(self) -> bool:
        return self.absorb

    @property
    def is_compared_as_arithmetic(self) -> bool:
        return self.absorb and (self.groups or self.zeros)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.absorb:
            self._absorb(op)
        origins = Origins()
        for view in reversed([each for each in op.walk() if isinstance(each, ViewOp)]):
            # Views of a shuffle that was replaced are gone.
            if view.parent is not None and (shuffle := shuffle_above(view, origins)) is not None:
                if _given_to_convolutions(shuffle, origins):
                    _forward(shuffle, shuffle.source)
                else:
                    _forward(shuffle, _gathered(shuffle))
                origins = Origins()

    def _absorb(self, module: ModuleOp) -> None:
        """Change the regions of all blocks that move fewer elements with other orders of channels."""
        origins = Origins()
        for block in [block for op in module.walk() for region in op.regions for block in region.blocks]:
            regions = ChannelRegions(block, origins, self.groups or self.zeros)
            plans = [(region, plan_of(region, regions, self.zeros)) for region in regions.all()]
            for region, plan in plans:
                if plan is not None:
                    absorb(plan, region, regions)


def _given_to_convolutions(shuffle: Shuffle, origins: Origins) -> bool:
    """Store constants of convolutions so that they take or make the elements in their old order, if there are such."""
    if (reading := readers(shuffle, origins)) is not None:
        for convolution in reading:
            _reorder(convolution, "kernel", "I", shuffle, is_back=True)
        return True
    if (writing := writer(shuffle, origins)) is not None:
        _reorder(writing, "kernel", "O", shuffle, is_back=False)
        if writing.bias is not None:
            _reorder(writing, "bias", None, shuffle, is_back=False)
        return True
    return False


def _forward(shuffle: Shuffle, value: SSAValue) -> None:
    """Let the users of a shuffle read another value, and erase its views."""
    if value.name_hint is None or value is not shuffle.source:
        value.name_hint = shuffle.result.name_hint
    shuffle.result.replace_all_uses_with(value)
    for view in reversed(shuffle.views):
        view.detach()
        view.erase()


def _gathered(shuffle: Shuffle) -> SSAValue:
    """The result of a gather along the axis."""
    indices = np.array(shuffle.indices(), np.int64)
    encoding = None if layout_of(shuffle.source) is None else LayoutAttr(Layout(LayoutClass.TENSOR))
    type_ = TensorType(i64, [len(indices)]) if encoding is None else TensorType(i64, [len(indices)], encoding)
    constant = ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(indices.tobytes())))
    gather = GatherOp.create(
        operands=[shuffle.source, constant.result],
        result_types=[shuffle.result.type],
        properties={"axis": i64_attr(shuffle.axis)},
    )
    gather.location = constant.location = fused([view.location for view in shuffle.views])
    Rewriter.insert_op([constant, gather], InsertPoint.before(shuffle.views[-1]))
    return gather.result


def _reorder(op: ForwardConvolutionOp, name: str, letter: str | None, shuffle: Shuffle, *, is_back: bool) -> None:
    """Store a constant of a convolution with one axis shuffled, forwards or back; a vector has one axis only."""
    index = op.operand_names().index(name)
    value, axis = op.operands[index], 0
    if letter is not None:
        axis = op.known_layout(name, value, "kernel_layout", op.kernel_layout).position_of(letter)
    sizes, permutation = shuffle.sizes, shuffle.permutation
    if is_back:
        sizes, permutation = permute(sizes, permutation), invert(permutation)
    views = _views(value, axis, sizes, permutation)
    for view in views:
        view.location = op.location
    Rewriter.insert_op(views, InsertPoint.before(op))
    op.operands[index] = views[-1].results[0]


def _views(value: SSAValue, axis: int, sizes: Sequence[int], permutation: Order) -> list[NpuOp]:
    """Views of a constant in which the pieces of one stored axis are permuted."""
    type_, shape = tensor_type(value), shape_of(value)
    plain = without_letters(type_)
    split = (*shape[:axis], *sizes, *shape[axis + 1 :])
    moved = (*range(axis), *(axis + each for each in permutation), *range(axis + len(sizes), len(split)))
    views: list[NpuOp] = []
    if plain != type_:
        views.append(RelabelOp(value, plain))
        value = views[-1].results[0]
    wide = TensorType(type_.element_type, split, plain.encoding)
    views.append(ReshapeOp(value, wide))
    turned = TensorType(type_.element_type, permute(split, moved), plain.encoding)
    views.append(TransposeOp(views[-1].results[0], moved, turned))
    views.append(ReshapeOp(views[-1].results[0], plain))
    if plain != type_:
        views.append(RelabelOp(views[-1].results[0], type_))
    return views
