"""The nests of loops that ops of linalg and tosa are."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import ElementwiseOperation, LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.tensor import CollapseShapeOp, ExpandShapeOp, ExtractSliceOp, InsertSliceOp, PadOp
from xdsl.dialects.tosa import ClampOp
from xdsl.dialects.tosa import ElementwiseOperation as TosaElementwiseOperation
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, is_side_effect_free
from xdsl.utils.hints import isa

from ...dialects.loops.nest import ALIKE, ANY, NAMED, HoldOp, NestOp
from ...dialects.npu.attrs import LayoutAttr, i64_array
from ...dialects.npu.base import NpuOp
from ...dialects.npu.shape import ReshapeOp, TransposeOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import is_supported, may_have_layout, rank_of, shape_of
from ...layout import DYNAMIC

VIEWS = (ArithConstantOp, CollapseShapeOp, ExpandShapeOp, linalg.TransposeOp)
"""The ops that have a counterpart in npu, which has none of their attributes."""
DIMENSIONS = "dimensions"
"""The property of reductions and broadcasts that names the axes which only one side has."""


MEMOIZED = "linalg.memoized_indexing_maps"
"""The attribute in which MLIR keeps the indexing maps of a named op."""


class Loops(NamedTuple):
    """The loops of an op: the maps of its operands and of results without a destination, and the kinds of the loops."""

    maps: Sequence[AffineMap]
    kinds: Sequence[IteratorTypeAttr]
    orders: str
    """The orders that the op can express."""


def as_npu(op: Operation, generalises: bool) -> NpuOp | None:
    """The op that takes the place of an op of another dialect, which loses its body; None if it stays."""
    if not op.results or not all(map(_is_known, (*op.operands, *op.results))) or not all(map(_is_plain, op.regions)):
        return None
    if isinstance(op, VIEWS) and op.attributes.keys() - {MEMOIZED}:
        return None
    if isinstance(op, ArithConstantOp):
        return ConstantOp(op.value) if isinstance(op.value, DenseIntOrFPElementsAttr) else None
    if isinstance(op, CollapseShapeOp | ExpandShapeOp):
        sizes = *shape_of(op.operands[0]), *shape_of(op.results[0])
        return ReshapeOp(op.operands[0], op.results[0].type) if all(size > 0 for size in sizes) else None
    if isinstance(op, linalg.TransposeOp):
        return TransposeOp(op.operands[0], op.permutation.get_values(), op.results[0].type)
    if (loops := loops_of(op)) is None or any(each.num_symbols for each in loops.maps):
        return None
    held = [place for place, value in enumerate(op.operands) if _is_held(op, place, value, loops)]
    reads = [place for place in range(len(op.operands)) if place not in held]
    properties = {
        "op_name": StringAttr(op.name),
        "indexing_maps": ArrayAttr(map(AffineMapAttr, loops.maps)),
        "iterator_types": ArrayAttr(loops.kinds),
        "reads": i64_array(*reads),
        "orders": StringAttr(loops.orders),
        "kept": DictionaryAttr(op.properties),
        **({"generalises": UnitAttr()} if generalises and op.regions else {}),
    }
    hold = HoldOp.build(operands=[[op.operands[place] for place in held]])
    return NestOp.create(
        operands=[op.operands[place] for place in reads],
        result_types=op.result_types,
        properties=properties,
        attributes={name: value for name, value in op.attributes.items() if name != MEMOIZED},
        regions=[Region(Block([hold])), *(map(op.detach_region, [*op.regions]) if op.regions else [Region()])],
    )


def loops_of(op: Operation) -> Loops | None:
    """The loops of an op of linalg or tosa, if it is one over tensors."""
    match op:
        case linalg.GenericOp() | linalg.FillOp():
            return Loops(*_structure(op), ANY)
        case ElementwiseOperation():
            return Loops(*_structure(op), ALIKE)
        case LinalgStructuredOperation():
            return Loops(*_structure(op), NAMED)
        case linalg.ReduceOp() | linalg.BroadcastOp():
            ranks = rank_of(op.operands[0]), rank_of(op.operands[1])
            left = [axis for axis in range(max(ranks)) if axis not in op.dimensions.get_values()]
            maps = [AffineMap.identity(rank) if rank == max(ranks) else _map(max(ranks), left) for rank in ranks]
            is_sum = isinstance(op, linalg.ReduceOp)
            kinds = [_kind(is_sum and axis not in left) for axis in range(max(ranks))]
            return Loops(maps, kinds, ANY)
        case PadOp() | InsertSliceOp() | ExtractSliceOp() if _is_by_axes(op):
            rank = rank_of(op.results[0])
            return Loops([AffineMap.identity(rank)] * (len(op.operands) + 1), [_kind(False)] * rank, ALIKE)
        case TosaElementwiseOperation() | ClampOp():
            rank = rank_of(op.results[0])
            maps = [*map(_repeated, op.operands, [op.results[0]] * len(op.operands)), AffineMap.identity(rank)]
            return Loops(maps, [_kind(False)] * rank, ALIKE)
        case _:
            return None


def _is_by_axes(op: Operation) -> bool:
    """True for an op on values of one rank with a list of numbers for the axes, all of which are known."""
    values = *op.operands, *op.results
    if any(not isa(value.type, TensorType) or DYNAMIC in shape_of(value) for value in values):
        return False
    is_alike = len({rank_of(value) for value in values}) == 1
    return is_alike and not any(each.first_use for region in op.regions for each in region.block.args)


def dimensions_of(nest: NestOp) -> list[int]:
    """The axes that a reduction or broadcast has on one side only, by their places on the other side."""
    first, last = (each.data.results for each in nest.indexing_maps.data)
    whole, part = (first, last) if len(first) > len(last) else (last, first)
    return [place for place, loop in enumerate(whole) if loop not in part]


def _structure(op: LinalgStructuredOperation) -> tuple[list[AffineMap], Sequence[IteratorTypeAttr]]:
    return [each.data for each in op.get_indexing_maps()], op.get_iterator_types().data


def _map(loops: int, axes: Sequence[int]) -> AffineMap:
    return AffineMap(loops, 0, tuple(map(AffineDimExpr, axes)))


def _kind(is_sum: bool) -> IteratorTypeAttr:
    return IteratorTypeAttr.reduction() if is_sum else IteratorTypeAttr.parallel()


def _repeated(operand: SSAValue, result: SSAValue) -> AffineMap:
    """The map of an operand of which axes of one element are repeated; without axes if it is a parameter."""
    sizes, whole = shape_of(operand), shape_of(result)
    if len(sizes) != len(whole):
        return _map(len(whole), ())
    axes: Iterator[AffineExpr] = (
        AffineConstantExpr(0) if size == 1 != full else AffineDimExpr(axis)
        for axis, (size, full) in enumerate(zip(sizes, whole, strict=True))
    )
    return AffineMap(len(whole), 0, tuple(axes))


def _is_known(value: SSAValue) -> bool:
    """True for scalars, and for tensors that the layout passes can store in other orders."""
    if not isa(value.type, TensorType):
        return not hasattr(value.type, "get_shape")
    encoding = value.type.encoding
    is_cut = isinstance(encoding, LayoutAttr) and bool(encoding.data.tiles)
    return may_have_layout(value.type) and not is_cut and is_supported(value.type.element_type)


def _is_plain(region: Region) -> bool:
    """True for code that only computes, and whose meaning does not depend on the op around it."""
    return all(is_side_effect_free(op) or op.has_trait(IsTerminator) for op in region.walk()) and not any(
        isinstance(op, linalg.IndexOp) for op in region.walk()
    )


def _is_held(op: Operation, place: int, value: SSAValue, loops: Loops) -> bool:
    """True for a scalar, and for a destination of which no element is read."""
    if not isa(value.type, TensorType) or not loops.maps[place].results:
        return True
    is_destination = place >= len(loops.maps) - len(op.results)
    return is_destination and op.regions[0].block.args[place].first_use is None


def replace(op: Operation, new: Operation) -> None:
    """Put an op in the place of another one."""
    new.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)
