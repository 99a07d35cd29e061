"""Canonicalization patterns of ops that change the shape, the order or the layout of a tensor, and of some others.

Transposes are composed, and no-op transposes become relabels and reshapes; constants absorb their views; a view of a
view is merged; equal views of one value are shared; a gather of all positions in their order is a view; integers that
are dequantised and quantised again are themselves. No pattern changes the type of a value that another op uses, so the
layouts of all other values stay.

Relabels sink below transposes: `transpose(relabel(transpose x))` becomes one transpose of `x`, followed by a relabel if
the class of the result differs.

The patterns terminate. No pattern adds a transpose that moves data. A pattern that removes none decreases the first of
the following numbers that it changes: gathers; the transposes above each transpose, summed over all; views that are
further below a constant than their types need; the views (relabels, reshapes and broadcasts) above each view, summed
over all; broadcasts; reshapes; ops. Each pattern inspects its op, a few ops above and the equal views of its operand,
so that a sweep takes linear time.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...layout import (
    DYNAMIC,
    UNIT,
    Arrangement,
    Extent,
    Layout,
    LayoutClass,
    Order,
    Piece,
    compose,
    identity,
    named,
    permute,
    same_storage,
)
from ..program.written import size_in_bytes
from ..settings.folding import current_folding
from .attrs import LayoutAttr, ReferenceAttr
from .base import SimplifiedOp
from .copies import verifies
from .movement import GatherOp
from .packing_patterns import AbsorbTransposeBelow
from .quantization import QuantizeOp
from .quantization_patterns import DropQuantizeOfSameNumbers
from .shape import AnyTransposeOp, BroadcastOp, Nchw2NhwcOp, Nhwc2NchwOp, RelabelOp, ReshapeOp, ShapeOp, TransposeOp
from .source import ConstantOp, written_integers
from .values import Shape, layout_of, order_of_value, shape_of, tensor_type
from .views import Sizes, fused, sizes_after, views_without_moving, without_letters

View: TypeAlias = ReshapeOp | AnyTransposeOp | RelabelOp

MOST_VIEWS_BETWEEN = 4
"""The maximum number of relabels and reshapes between two transposes that are composed."""


class ShareEqualViews(RewritePattern):
    """Equal views of a value are replaced by the first one in the block.

    ```mlir
    %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %b = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %y = npu.matmul %a, %b trans_b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
    // becomes
    %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %y = npu.matmul %a, %a trans_b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: View, rewriter: PatternRewriter) -> None:
        if op.input.has_one_use():
            return
        equal_views = [each for use in op.input.uses if _are_equal_views(op, each := use.operation)]
        if len(equal_views) == 1:
            return
        kept = _first_in_block(set(equal_views))
        for equal_view in equal_views:
            if equal_view is not kept:
                rewriter.replace(equal_view, (), kept.results)


class FoldIntoConstant(RewritePattern):
    """A view of a constant is a constant.

    ```mlir
    %w = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %t = npu.transpose %w permutation = [1, 0] : tensor<2x2xf32>
    // becomes
    %t = npu.constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
    ```

    A large constant that would have to be written again is left alone (`--fold-limit`).

    The type of the new constant is static. If the type of the view has dynamic dimensions, views behind the constant
    restore it; views of those are folded into the constant as well.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: View, rewriter: PatternRewriter) -> None:
        chain, type_ = _reshapes_above(op), tensor_type(op.result)
        constant = chain[0].input.owner
        if not isinstance(constant, ConstantOp):
            return
        if (shapes := _known_shapes(shape_of(constant.result), chain)) is None:
            return
        known = type_
        if type_.get_shape() != shapes[-1]:
            known = without_letters(TensorType(type_.element_type, shapes[-1], type_.encoding))
        shape, moved = shapes[-1], identity(len(shapes[-1]))
        if isinstance(op, AnyTransposeOp):
            shape, moved = shapes[-2], op.moved()
        if constant.is_copied(moved) and not current_folding().allows(op, _size_in_bytes(constant)):
            return
        value = constant.value_of_view(shape, moved, known)
        folded = ConstantOp(value, known)
        views = views_without_moving(folded.result, named(shapes[-1]), type_, named(shapes[-1]))
        if views is None or (not isinstance(op, AnyTransposeOp) and len(views) >= len(chain)):
            for new in (*reversed(views or ()), folded):
                new.erase()
            return
        _replace(rewriter, op, [folded, *views], op.input, [constant, *chain[:-1]])
        folded.attributes = {**constant.attributes}


class DropNoOpReshape(RewritePattern):
    """A reshape to the shape of its operand is the operand, or a relabel of it.

    ```mlir
    %y = npu.reshape %x : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
    // becomes
    %y = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        if shape_of(op.input) != shape_of(op.result):
            return
        sizes = named(shape_of(op.input))
        if sizes_after(op, sizes) != sizes:
            return
        if layout_of(op.result) is not None or op.input.type == op.result.type:
            _replace_by_one_view(rewriter, op, op.input, sizes, sizes)


class MergeReshapes(RewritePattern):
    """A reshape of a reshape is one reshape.

    ```mlir
    %a = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    %b = npu.reshape %a : (tensor<6x4xf32>) -> tensor<24xf32>
    // becomes
    %b = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<24xf32>
    ```

    It is inserted at the first one if that has no other use, which restores a reshape that a pass has split in two,
    leaving the first half in place.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        inner = op.input.owner
        if not isinstance(inner, ReshapeOp):
            return
        source = named(shape_of(inner.input))
        between = sizes_after(inner, source)
        sizes = None if between is None else sizes_after(op, between)
        if sizes is not None:
            _replace_by_one_view(rewriter, op, inner.input, source, sizes, inner)


class DropNoOpBroadcast(RewritePattern):
    """A broadcast that repeats nothing is its operand, or a view of it.

    ```mlir
    %y = npu.broadcast %x axes = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    // becomes
    %y = npu.reshape %x : (tensor<8xf32>) -> tensor<1x8xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BroadcastOp, rewriter: PatternRewriter) -> None:
        if op.repeats():
            return
        operand, result = shape_of(op.input), shape_of(op.result)
        places = [axis for axis, size in zip(op.axes.get_values(), operand, strict=True) if size != 1]
        if places == sorted(places):
            _replace_by_one_view(rewriter, op, op.input, named(operand), named(result))


class DropNoOpTranspose(RewritePattern):
    """A transpose that moves no bytes is its operand or a view of it.

    ```mlir
    %y = npu.transpose %x permutation = [0, 2, 3, 1]
      : (tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>>
    // becomes
    %y = npu.reshape %x : (tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>>
    ```

    If the dimensions of more than one element get other letters, that reshape is placed between relabels. A tensor
    without elements has no bytes to move.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AnyTransposeOp, rewriter: PatternRewriter) -> None:
        moved = op.moved()
        if not _moves(moved, op.input):
            sizes = named(shape_of(op.input))
            views = views_without_moving(op.input, sizes, tensor_type(op.result), permute(sizes, moved))
            if views is not None:
                _replace(rewriter, op, views, op.input)


class ComposeTransposes(RewritePattern):
    """A transpose of a transpose is one transpose, from the type of the first operand to that of the last result.

    ```mlir
    %a = npu.transpose %x permutation = [0, 3, 1, 2]
      : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
    %b = npu.transpose %a permutation = [0, 1, 3, 2]
      : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
    // becomes
    %b = npu.transpose %x permutation = [0, 3, 2, 1]
      : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
    ```

    Relabels may be between the two, and also reshapes if together the chain permutes whole dimensions and a transpose
    is saved: the values between have no other uses, or the composed transpose is a no-op.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AnyTransposeOp, rewriter: PatternRewriter) -> None:
        chain = _chain_above(op)
        root = chain[0].input
        if not isinstance(chain[0], AnyTransposeOp) or chain[0] is op:
            return
        source, type_ = named(shape_of(root)), tensor_type(op.result)
        known = _composed(chain, source)
        if known is None:
            return
        moved, wanted = known
        if not _moves(moved, root):
            views = views_without_moving(root, source, type_, wanted)
            if views is not None:
                _replace(rewriter, op, views, root, chain)
            return
        is_read_between = not all(view.result.has_one_use() for view in chain[:-1])
        if is_read_between and any(isinstance(view, ReshapeOp) for view in chain):
            return
        transpose = _transpose(root, moved, type_ if permute(source, moved) == wanted else None)
        views = views_without_moving(transpose.result, permute(source, moved), type_, wanted)
        if views is None or not verifies(transpose):
            for new in (*reversed(views or ()), transpose):
                new.erase()
            return
        _replace(rewriter, op, [transpose, *views], root, chain)


class DropNoOpRelabel(RewritePattern):
    """A relabel to the layout of its operand is the operand.

    ```mlir
    %y = npu.relabel %x : tensor<4x6xf32, #npu.layout<Tensor>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RelabelOp, rewriter: PatternRewriter) -> None:
        if op.input.type == op.result.type:
            _replace(rewriter, op, (), op.input)


class MergeRelabels(RewritePattern):
    """A relabel of a relabel is one relabel.

    ```mlir
    %a = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
    %b = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
    // becomes
    %b = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RelabelOp, rewriter: PatternRewriter) -> None:
        inner = op.input.owner
        if isinstance(inner, RelabelOp):
            sizes = named(shape_of(op.input))
            _replace_by_one_view(rewriter, op, inner.input, sizes, sizes, inner)


class DropNoOpGather(RewritePattern):
    """A gather of all positions of an axis in their order is its operand, or a view of it.

    ```mlir
    %i = npu.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
    %y = npu.gather %x, %i axis = 1 : (tensor<3x4xf32>, tensor<2x2xi64>) -> tensor<3x2x2xf32>
    // becomes
    %y = npu.reshape %x : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GatherOp, rewriter: PatternRewriter) -> None:
        axis, shape, picked = op.axis.value.data, shape_of(op.input), shape_of(op.indices)
        size = shape[axis]
        if prod(picked) != size or (places := written_integers(op.indices)) is None:
            return
        # Negative ones count from the end.
        if any(place not in (index, index - size) for index, place in enumerate(places)):
            return
        sizes = named(shape)
        wanted = (*sizes[:axis], *map(Extent, picked), *sizes[axis + 1 :])
        views = views_without_moving(op.input, sizes, tensor_type(op.result), wanted)
        if views is not None:
            _replace(rewriter, op, views, op.input)


_OF_TRANSPOSES = (
    ShareEqualViews(),
    FoldIntoConstant(),
    DropNoOpTranspose(),
    ComposeTransposes(),
    AbsorbTransposeBelow(),
)

_PATTERNS: Mapping[type[SimplifiedOp], tuple[RewritePattern, ...]] = {
    GatherOp: (DropNoOpGather(),),
    QuantizeOp: (DropQuantizeOfSameNumbers(),),
    ReshapeOp: (ShareEqualViews(), DropNoOpReshape(), FoldIntoConstant(), MergeReshapes()),
    BroadcastOp: (DropNoOpBroadcast(),),
    TransposeOp: _OF_TRANSPOSES,
    RelabelOp: (ShareEqualViews(), DropNoOpRelabel(), FoldIntoConstant(), MergeRelabels()),
    Nchw2NhwcOp: _OF_TRANSPOSES,
    Nhwc2NchwOp: _OF_TRANSPOSES,
}


def patterns_of(op: type[SimplifiedOp]) -> tuple[RewritePattern, ...]:
    """The patterns of an op, in the order in which they are tried."""
    return _PATTERNS[op]


# Replacement.


def _replace(
    rewriter: PatternRewriter,
    op: ShapeOp | GatherOp,
    new: Sequence[ShapeOp | ConstantOp],
    value: SSAValue,
    above: Sequence[Operation] = (),
) -> None:
    """Replace an op by new ops, or by a value if there are none; `above` are further ops that they make redundant."""
    if new:
        location = fused([each.location for each in (*above, op)])
        for each in new:
            each.location = location
        new[-1].attributes.update(op.attributes)
        value = new[-1].result
    rewriter.replace(op, new, [value])
    for each in new[:-1]:
        each.result.name_hint = None


def _replace_by_one_view(
    rewriter: PatternRewriter, op: ShapeOp, value: SSAValue, sizes: Sizes, wanted: Sizes, above: View | None = None
) -> None:
    """Replace an op by one view of a value or by the value itself; does nothing if one view is not enough.

    The view is inserted at `above`, which it makes redundant, if there is one.
    """
    views = views_without_moving(value, sizes, tensor_type(op.result), wanted)
    if views is None:
        return
    if len(views) <= 1:
        if above is not None and above.parent is op.parent and above.result.has_one_use():
            op.detach()
            rewriter.insert(op, InsertPoint.after(above))
        _replace(rewriter, op, views, value, () if above is None else (above,))
        return
    for view in reversed(views):
        view.erase()


# Equal views.


def _are_equal_views(op: View, other: Operation) -> bool:
    """True if `other` is an op in the same block with the same result, given that it has the same operand."""
    if other is op:
        return True
    if other.parent is not op.parent or not isinstance(other, View) or other.result.type != op.result.type:
        return False
    if isinstance(op, AnyTransposeOp) and isinstance(other, AnyTransposeOp):
        same = op.moved() == other.moved()
    else:
        same = type(op) is type(other) and op.properties == other.properties
    return same and op.attributes == other.attributes


def _first_in_block(ops: AbstractSet[Operation]) -> Operation:
    """The first of some ops of one block, in time linear in their distance."""
    first = next(iter(ops))
    missing = set(ops) - {first}
    before: Operation | None = first
    after: Operation | None = first
    while missing:
        before = None if before is None else before.prev_op
        after = None if after is None else after.next_op
        if before is not None and before in missing:
            first = before
            missing.remove(before)
        if after is not None:
            missing.discard(after)
    return first


# Transposes.


def _moves(permutation: Order, value: SSAValue) -> bool:
    """True if a permutation of the stored dimensions moves bytes."""
    return not same_storage(identity(len(permutation)), permutation, shape_of(value))


def _chain_above(op: AnyTransposeOp) -> list[View]:
    """The views from the next transpose above down to this one; without one in reach, the reshapes and relabels."""
    chain: list[View] = [op]
    while len(chain) <= MOST_VIEWS_BETWEEN + 1:
        match chain[-1].input.owner:
            case RelabelOp() | ReshapeOp() as view:
                chain.append(view)
            case AnyTransposeOp() as transpose:
                return [transpose, *reversed(chain)]
            case _:
                break
    return chain[::-1]


def _reshapes_above(op: View) -> list[View]:
    """The chain of reshapes and relabels above a view, ending with the view itself.

    Merged chains below a constant have at most one reshape for each dynamic dimension, and a relabel.
    """
    chain: list[View] = [op]
    most = len(shape_of(op.input)) + 2
    while len(chain) <= most and isinstance(above := chain[-1].input.owner, ReshapeOp | RelabelOp):
        chain.append(above)
    return chain[::-1]


def _size_in_bytes(constant: ConstantOp) -> int:
    return 0 if isinstance(constant.value, ReferenceAttr) else size_in_bytes(constant.value)


def _known_shapes(shape: Shape, chain: Sequence[View]) -> list[Shape] | None:
    """The shape of a constant and those of its views; None if a type contradicts them."""
    shapes = [shape]
    for view in chain:
        sizes = sizes_after(view, named(shapes[-1]))
        if sizes is None or prod(after := tuple(size.factor for size in sizes)) != prod(shape):
            return None
        if any(size not in (DYNAMIC, known) for size, known in zip(shape_of(view.result), after, strict=True)):
            return None
        shapes.append(after)
    return shapes


def _composed(chain: Sequence[View], source: Sizes) -> tuple[Order, Sizes] | None:
    """The permutation of whole dimensions that a chain performs, and the sizes of its result; None if it splits one."""
    if not any(isinstance(view, ReshapeOp) for view in chain):
        moved = identity(len(source))
        for view in chain:
            moved = compose(moved, view.moved()) if isinstance(view, AnyTransposeOp) else moved
        return moved, permute(source, moved)
    stored: Arrangement | None = Arrangement.of(source)
    for view in chain:
        stored = view.view(stored)
        if stored is None:
            return None
    pieces = stored.byte_order
    if any(piece != Piece(piece.axis, UNIT, source[piece.axis]) for piece in pieces):
        return None
    axes = iter(piece.axis for piece in pieces)
    return tuple(axis if size.is_unit else next(axes) for axis, size in enumerate(source)), stored.shape


def _transpose(root: SSAValue, permutation: Order, wanted: TensorType | None) -> TransposeOp:
    """The transpose of a value, with the wanted type if possible, else with the operand's class."""
    type_, layout = tensor_type(root), layout_of(root)
    result = TensorType(type_.element_type, permute(type_.get_shape(), permutation))
    if layout is not None:
        has_names = layout.cls.is_cnn or layout.tiles
        moved = layout.with_order(permute(order_of_value(root), permutation)) if has_names else Layout(layout.cls)
        result = TensorType(type_.element_type, result.get_shape(), LayoutAttr(moved))
    if wanted is not None and (layout is None or _may_be(wanted, layout.cls)):
        result = wanted
    return TransposeOp(root, permutation, result)


def _may_be(type_: TensorType, cls: LayoutClass) -> bool:
    """True if a type has a layout of this class, or none."""
    return not isinstance(type_.encoding, LayoutAttr) or type_.encoding.data.cls is cls
