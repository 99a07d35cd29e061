"""Canonicalization patterns of packs and unpacks.

Each pattern removes a pack, an unpack or a transpose, and adds at most one transpose in place of two conversions.
"""

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...layout import Order, permutation_between, permute
from ..program.written import size_in_bytes
from ..settings.folding import current_folding
from .copies import verifies
from .packing import PackingOp, packing
from .shape import AnyTransposeOp, RelabelOp, ShapeOp, TransposeOp
from .source import ConstantOp, written_numbers
from .values import layout_of, order_of_value, tensor_type
from .views import fused


class DropInversePacking(RewritePattern):
    """An unpack of a pack is its operand, or a transpose of it, and so is a pack of an unpack.

    ```mlir
    %p = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
    %y = npu.unpack %p
      : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
    // becomes
    %y = npu.transpose %x permutation = [0, 3, 1, 2]
      : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
    ```

    Zeros of the operand may be forgotten. Where padding of the operand may be anything, a pack only writes zeros.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackingOp, rewriter: PatternRewriter) -> None:
        inner = op.input.owner
        if not isinstance(inner, PackingOp) or type(inner) is type(op):
            return
        (before, _), (_, after) = inner.layouts(), op.layouts()
        if inner.input.type == op.result.type:
            rewriter.replace(op, (), [inner.input])
            return
        if before.cls is not after.cls or before.tiles != after.tiles:
            return
        source, result = tensor_type(inner.input), tensor_type(op.result)
        moved = permutation_between(order_of_value(inner.input), order_of_value(op.result))
        if permute(source.get_shape(), moved) != result.get_shape():
            return
        new: ShapeOp | PackingOp
        if after.has_zeros and not before.has_zeros:
            new = packing(inner.input, result)
        elif moved != tuple(range(len(moved))):
            new = TransposeOp(inner.input, moved, result)
        else:
            new = RelabelOp(inner.input, result)
        _replace_if_verified(rewriter, op, new, [inner])


class AbsorbTransposeAbove(RewritePattern):
    """A pack or unpack changes the order of axes and pieces as well as the transpose of its operand.

    ```mlir
    %t = npu.transpose %x permutation = [0, 3, 1, 2]
      : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
    %p = npu.pack %t : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
    // becomes
    %p = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackingOp, rewriter: PatternRewriter) -> None:
        above = op.input.owner
        if isinstance(above, AnyTransposeOp) and changes_order_only(above):
            new = type(op).build(operands=[above.input], result_types=[op.result.type])
            _replace_if_verified(rewriter, op, new, [above])


class AbsorbTransposeBelow(RewritePattern):
    """A transpose of a pack or unpack that nothing else uses is one in another order.

    ```mlir
    %u = npu.unpack %x
      : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
    %t = npu.transpose %u permutation = [0, 2, 3, 1]
      : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
    // becomes
    %t = npu.unpack %x
      : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AnyTransposeOp, rewriter: PatternRewriter) -> None:
        above = op.input.owner
        if isinstance(above, PackingOp) and above.result.has_one_use() and changes_order_only(op):
            new = type(above).build(operands=[above.input], result_types=[op.result.type])
            _replace_if_verified(rewriter, op, new, [above])


class FoldPackingIntoConstant(RewritePattern):
    """A pack or unpack of a constant that is written out is a constant.

    ```mlir
    %c = npu.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32, #npu.layout<Tensor>>
    %p = npu.pack %c : (tensor<3xf32, #npu.layout<Tensor>>)
      -> tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
    // becomes
    %p = npu.constant dense<[[1.0, 2.0], [3.0, 0.0]]>
      : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackingOp, rewriter: PatternRewriter) -> None:
        constant, numbers, type_ = op.input.owner, written_numbers(op.input), tensor_type(op.result)
        if not isinstance(constant, ConstantOp) or numbers is None or not type_.has_static_shape():
            return
        if not current_folding().allows(op, size_in_bytes(numbers)):
            return
        # Imported late: most runs read no numbers.
        from .packed_numbers import stored_as

        folded = ConstantOp(stored_as(numbers, type_))
        folded.attributes = {**constant.attributes}
        _replace(rewriter, op, folded, [constant])


def changes_order_only(op: AnyTransposeOp) -> bool:
    """True if a transpose changes how its operand is stored, and no logical axis."""
    before, after = layout_of(op.input), layout_of(op.result)
    if before is None or after is None or before.cls is not after.cls:
        return False
    order: Order = order_of_value(op.input)
    return before.tiles == after.tiles and permute(order, op.moved()) == order_of_value(op.result)


def _replace_if_verified(
    rewriter: PatternRewriter, op: ShapeOp | PackingOp, new: ShapeOp | PackingOp, above: Sequence[Operation]
) -> None:
    if verifies(new):
        _replace(rewriter, op, new, above)
    else:
        new.erase()


def _replace(
    rewriter: PatternRewriter,
    op: ShapeOp | PackingOp,
    new: ShapeOp | PackingOp | ConstantOp,
    above: Sequence[Operation],
) -> None:
    """Replace an op by a new one; `above` are further ops that it makes redundant."""
    new.location = fused([each.location for each in (*above, op)])
    new.attributes.update(op.attributes)
    rewriter.replace(op, [new], [new.result])


PATTERNS: tuple[RewritePattern, ...] = (DropInversePacking(), AbsorbTransposeAbove(), FoldPackingIntoConstant())
