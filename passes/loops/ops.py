"""The ops of linalg and tosa that nests of loops were or have become, and transposes as those of linalg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, IntegerAttr, TensorType, i32
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import TransposeOp as LinalgTransposeOp
from xdsl.dialects.tensor import (
    CollapseShapeOp,
    DimOp,
    EmptyOp,
    ExpandShapeOp,
    ExtractSliceOp,
    InsertSliceOp,
    PadOp,
    Tensor,
)
from xdsl.dialects.tosa import TOSA
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loops.nest import GENERIC, NestOp
from ...dialects.npu.attrs import i64_array, i64_attr
from ...dialects.npu.axes import numbers_of
from ...dialects.npu.values import Shape, shape_of, tensor_type
from ...layout import DYNAMIC, Order, invert, permute
from .nests import DIMENSIONS, dimensions_of

OPS: Mapping[str, type[Operation]] = {op.name: op for dialect in (Linalg, Tensor, TOSA) for op in dialect.operations}
BY_AXES = (ExtractSliceOp.name, InsertSliceOp.name, PadOp.name)
"""The ops with lists of a number for each axis."""
OF_GENERIC = ("doc", "library_call")
"""The properties that a generic op has beside its loops."""


class Destinations:
    """The empty tensors of a block that ops write their results into, each of which is made once."""

    def __init__(self) -> None:
        self._empty: dict[Attribute, SSAValue] = {}

    def note(self, op: EmptyOp) -> None:
        """Note an empty tensor that is there."""
        if not op.dynamic_sizes:
            self._empty.setdefault(op.tensor.type, op.tensor)

    def of(self, result: SSAValue, sized: SSAValue, axes: Sequence[int], before: Operation) -> SSAValue:
        """An empty tensor of the type of a result, whose sizes are those of these axes of another value."""
        if result.type not in self._empty:
            sizes = [
                _size(sized, axis, before) for axis, size in zip(axes, shape_of(result), strict=True) if size == DYNAMIC
            ]
            made = EmptyOp(sizes, result.type)
            _insert(made, before)
            if sizes:
                return made.tensor
            self.note(made)
        return self._empty[result.type]


def _size(value: SSAValue, axis: int, before: Operation) -> SSAValue:
    """The size of an axis, as the program computes it where it makes the value, or by a new op."""
    if isinstance(value.owner, EmptyOp):
        return value.owner.dynamic_sizes[shape_of(value)[:axis].count(DYNAMIC)]
    index = ConstantOp(IntegerAttr.from_index_int_value(axis))
    size = DimOp(value, index)
    _insert(index, before)
    _insert(size, before)
    return size.result


def _insert(new: Operation, before: Operation) -> None:
    new.location = before.location
    Rewriter.insert_op(new, InsertPoint.before(before))


def as_op(nest: NestOp, destinations: Destinations) -> Operation:
    """The op that a nest was or has become, which takes its body. New destinations are made before the nest."""
    taken, name, properties = [*nest.taken()], nest.op_name.data, dict(nest.kept.data)
    first = len(nest.indexing_maps.data) - len(nest.results)
    for index, result in enumerate(nest.results) if len(taken) > first else ():
        if taken[first + index].type != result.type:
            axes = nest.axes_in_destination(index)
            taken[first + index] = destinations.of(result, taken[first + index], axes, nest)
    if name == GENERIC:
        properties = {name: value for name, value in properties.items() if name in OF_GENERIC}
        segments = DenseArrayBase.from_list(i32, [first, len(nest.results)])
        properties |= _loops(nest)
        properties["operandSegmentSizes"] = segments
    elif name in BY_AXES:
        order = tuple(map(min, (each.used_dims() for each in nest.indexing_maps.data[0].data.results)))
        for key in [key for key in properties if key.startswith("static_")]:
            properties[key] = i64_array(*permute(numbers_of(properties[key]), order))
    elif DIMENSIONS in properties:
        properties[DIMENSIONS] = i64_array(*dimensions_of(nest))
    return OPS[name].create(
        operands=taken,
        result_types=nest.result_types,
        properties=properties,
        attributes=nest.attributes,
        regions=[nest.detach_region(nest.body)] if nest.body.blocks else [],
    )


def _loops(nest: NestOp) -> dict[str, Attribute]:
    """The loops of a generic op. Where its maps have changed, they follow the order of a result or operand with all."""
    maps, kinds, count = nest.indexing_maps, nest.iterator_types, len(nest.iterator_types.data)
    whole = (each for each in reversed(nest.maps()) if len(each.results) == count and each.is_projected_permutation())
    if nest.kept.data.get("indexing_maps") != maps and (found := next(whole, None)) is not None:
        order = [expression.position for expression in found.results if isinstance(expression, AffineDimExpr)]
        sums = [loop for loop in order if kinds.data[loop] != IteratorTypeAttr.parallel()]
        if sums == sorted(sums):
            renumbered = AffineMap(count, 0, tuple(map(AffineDimExpr, invert(tuple(order)))))
            maps = ArrayAttr(AffineMapAttr(each.data.compose(renumbered)) for each in maps.data)
            kinds = ArrayAttr(permute(kinds.data, tuple(order)))
    return {"indexing_maps": maps, "iterator_types": kinds}


def as_transpose(op: Operation, permutation: Order, destinations: Destinations) -> Operation:
    """The transpose of linalg of the operand of an op."""
    source, result = op.operands[0], op.results[0]
    destination = destinations.of(result, source, permutation, op)
    return LinalgTransposeOp(source, destination, i64_array(*permutation), result.type)


def as_reshape(op: Operation) -> Operation | None:
    """The op of tensor that reads the operand of an op in the shape of its result; None for unknown sizes.

    If both shapes are split, the operand is collapsed to what they have in common, before the op, and then expanded.
    """
    source, result = op.operands[0], tensor_type(op.results[0])
    if (common := _common_axes(shape_of(source), result.get_shape())) is None:
        return None
    sizes, *groups = common
    of_source, of_result = (ArrayAttr(ArrayAttr(map(i64_attr, group)) for group in side) for side in groups)
    middle = TensorType(result.element_type, sizes)
    if middle.get_shape() != shape_of(source):
        collapse = CollapseShapeOp(operands=[source], result_types=[middle], properties={"reassociation": of_source})
        if middle == result:
            return collapse
        _insert(collapse, op)
        source = collapse.result
    return ExpandShapeOp(source, (), of_result, result.get_shape(), result)


Groups: TypeAlias = Sequence[Sequence[int]]
"""The axes of a shape that are one in another shape."""


def _common_axes(source: Shape, result: Shape) -> tuple[Shape, Groups, Groups] | None:
    """The axes that two shapes of the same elements have in common, and the groups of axes that they are in each."""
    if any(size <= 0 for size in (*source, *result)):
        return None
    sizes, ends = list[int](), [(0, 0)]
    while ends[-1][0] < len(source) and ends[-1][1] < len(result):
        (left, right), sizes_here = ends[-1], [1, 1]
        while left == ends[-1][0] or right == ends[-1][1] or sizes_here[0] != sizes_here[1]:
            if right > ends[-1][1] and (left == ends[-1][0] or sizes_here[0] < sizes_here[1]):
                sizes_here[0] *= source[left]
                left += 1
            else:
                sizes_here[1] *= result[right]
                right += 1
        sizes.append(sizes_here[0])
        ends.append((left, right))
    # Axes of one element behind the last group belong to it.
    ends[-1] = (len(source), len(result)) if sizes else ends[-1]
    groups = [[range(*each) for each in pairwise(side)] for side in zip(*ends, strict=True)]
    return tuple(sizes), groups[0], groups[1]
