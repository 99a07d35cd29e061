"""The ops of linalg and tosa that nests of loops were or have become, and transposes as those of linalg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i32
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.ops import TransposeOp as LinalgTransposeOp
from xdsl.dialects.tensor import DimOp, EmptyOp
from xdsl.dialects.tosa import TOSA
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loops.nest import GENERIC, NestOp
from ...dialects.npu.attrs import i64_array
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC, Order
from .nests import DIMENSIONS, dimensions_of

OPS: Mapping[str, type[Operation]] = {op.name: op for dialect in (Linalg, TOSA) for op in dialect.operations}
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
        properties |= {"indexing_maps": nest.indexing_maps, "iterator_types": nest.iterator_types}
        properties["operandSegmentSizes"] = segments
    elif DIMENSIONS in properties:
        properties[DIMENSIONS] = i64_array(*dimensions_of(nest))
    return OPS[name].create(
        operands=taken,
        result_types=nest.result_types,
        properties=properties,
        attributes=nest.attributes,
        regions=[nest.detach_region(nest.body)] if nest.body.blocks else [],
    )


def as_transpose(op: Operation, permutation: Order, destinations: Destinations) -> Operation:
    """The transpose of linalg of the operand of an op."""
    source, result = op.operands[0], op.results[0]
    destination = destinations.of(result, source, permutation, op)
    return LinalgTransposeOp(source, destination, i64_array(*permutation), result.type)
