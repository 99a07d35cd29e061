"""A function of the `tfl` dialect under construction.

Unused nodes are dropped when the graph is complete, so exporters may compute more than they use.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import NoneType, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.npu.values import shapes_agree
from ....layout import DYNAMIC, Layout, Order, compose, identity, permute
from ....layout.movement import steps_of
from ..data import LiteData, from_array
from ..dialect import (
    DataAttr,
    LiteNode,
    LiteTensor,
    LiteType,
    LiteTypeAttr,
    NodeFacts,
    NodeFactsAttr,
    Quantization,
    Shape,
    SourceOp,
)
from ..element_types import PACKED
from ..errors import NotExportable
from ..kept import PREFIX
from .broadcasting import alike, broadcast_shape, price_of_repetition, product, repetitions
from .elements import LiteElement
from .kernels import DATA, KEEPS_NUMBERS, TAKES_NUMBERS, makes, takes

SHIFT = 128
"""The difference of ui8 from i8."""
MOST_BROADCAST_AXES = 4
"""The rank up to which all kernels of elementwise ops broadcast."""
MOST_PADDED_AXES = 5
MOST_MOVED_AXES = 6
"""The rank up to which the kernel of TRANSPOSE works."""
MOST_PLAIN_AXES = 4
"""The rank up to which it is written as it comes. NPUs take several steps for more axes, even for those of one element;
for hardware that computes with integers only, neighbours that stay together are always one axis."""


@dataclass
class LiteGraph:
    """Ops of the dialect in topological order, with builders for them."""

    block: Block = field(default_factory=Block)
    integers_only: bool = False
    """Compute sums and products of quantised numbers in integers; the file is for an NPU."""
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Facts on the nodes that are added."""
    before: Operation | None = None
    """The op before which nodes are added, if not at the end."""
    made_of: dict[LiteTensor, LiteTensor] = field(default_factory=dict[LiteTensor, LiteTensor])
    """The constants that constants were made of, whose names they have."""
    _last_source: Operation | None = None
    _numbers: dict[tuple[LiteElement, Shape, bytes], LiteTensor] = field(
        default_factory=dict[tuple[LiteElement, Shape, bytes], LiteTensor]
    )
    _transposes: dict[tuple[LiteTensor, Order], LiteTensor] = field(
        default_factory=dict[tuple[LiteTensor, Order], LiteTensor]
    )

    _moved: dict[LiteTensor, tuple[LiteTensor, Order]] = field(
        default_factory=dict[LiteTensor, tuple[LiteTensor, Order]]
    )
    """The operand and permutation of each transposed tensor."""
    logical: dict[tuple[LiteTensor, Layout], LiteTensor] = field(
        default_factory=dict[tuple[LiteTensor, Layout], LiteTensor]
    )
    """The logical tensors that were stored in blocks, by what they became."""

    def input(self, element: LiteElement, shape: Shape) -> LiteTensor:
        return LiteTensor(self.block.insert_arg(LiteTypeAttr(LiteType(element, shape)), len(self.block.args)))

    def add(
        self, node: NodeFacts, inputs: Sequence[LiteTensor | None], types: Sequence[LiteType]
    ) -> tuple[LiteTensor, ...]:
        """Add an op with results of these types."""
        few = next((type_.element for type_ in types if type_.element in PACKED), None)
        if few is not None and not node.kind.startswith(PREFIX):
            raise NotExportable(f"LiteRT has elements of type {few.name} in constants only")
        operands = [self._absent if each is None else each.value for each in inputs]
        made = LiteNode.create(
            operands=operands, result_types=list(map(LiteTypeAttr, types)), properties={"facts": NodeFactsAttr(node)}
        )
        if self.before is None:
            self.block.add_op(made)
        else:
            self.block.insert_op_before(made, self.before)
        return tuple(made.outputs)

    @property
    def nodes(self) -> list[LiteNode]:
        return [op for op in self.block.ops if isinstance(op, LiteNode)]

    @cached_property
    def _absent(self) -> SSAValue:
        return self._insert_source(SourceOp.create(result_types=[NoneType()]))

    def source(self, type_: LiteType, data: LiteData | None = None) -> LiteTensor:
        """A tensor that no op makes: a constant, or a variable."""
        known = {} if data is None else {"data": DataAttr(data)}
        return LiteTensor(self._insert_source(SourceOp.create(result_types=[LiteTypeAttr(type_)], properties=known)))

    def _insert_source(self, made: SourceOp) -> SSAValue:
        """Insert a source in front of all nodes."""
        if self._last_source is not None:
            self.block.insert_op_after(made, self._last_source)
        elif self.block.first_op is not None:
            self.block.insert_op_before(made, self.block.first_op)
        else:
            self.block.add_op(made)
        self._last_source = made
        return made.result

    def name_sources(self) -> None:
        """Give constants the names of those that they were made of, for their own tensors."""
        for made, of in self.made_of.items():
            if (name := of.source_name) is not None and isinstance(made.value.owner, SourceOp):
                made.value.owner.of = StringAttr(name)

    # Constants.

    def constant(self, data: LiteData, of: LiteTensor | None = None, type_: LiteType | None = None) -> LiteTensor:
        """A constant of data, by default of their type, that was made of another one."""
        made = self.source(type_ or LiteType(data.element, data.shape), data)
        if of is not None:
            self.made_of[made] = of
        return made

    def numbers(self, array: Any, element: LiteElement) -> LiteTensor:
        """A constant of numbers that the exporter knows; equal ones are shared."""
        data = from_array(np.asarray(array), element)
        assert isinstance(data.source, bytes)
        key = element, data.shape, data.source
        if key not in self._numbers:
            self._numbers[key] = self.constant(data)
        return self._numbers[key]

    def ints(self, *values: int) -> LiteTensor:
        """A constant vector of i32, such as a shape."""
        return self.numbers(np.array(values, np.int32), LiteElement.I32)

    def sizes(self, shape: Sequence[int]) -> LiteTensor:
        """A constant vector of sizes, in which -1 stands for an unknown one."""
        return self.ints(*(-1 if size == DYNAMIC else size for size in shape))

    def like(self, x: LiteTensor, value: float) -> LiteTensor:
        """A scalar constant of the element type of `x`."""
        return self.numbers(value, x.element)

    def known(self, x: LiteTensor) -> NDArray[Any] | None:
        """The elements of a constant; None for all others."""
        return None if x.data is None else x.data.array()

    # Quantised numbers.

    def quantised(self, x: LiteTensor, numbers: Quantization) -> LiteTensor:
        """Integers of the program that represent these numbers, as kernels take them: in i8."""
        if x.data is not None:
            return self._quantised_constant(x, numbers)
        x = self.stored(x, numbers)
        if x.element != LiteElement.U8:
            return x
        result = self.node("QUANTIZE", [x], x.shape, LiteElement.I8)
        result.change(quantization=self.shifted(numbers), shift=SHIFT)
        return result

    def unsigned(self, x: LiteTensor, numbers: Quantization) -> LiteTensor:
        """Integers of the program that represent these numbers, in ui8."""
        return self.renumbered(x, numbers) if x.data is not None else self.stored(self.as_output(x), numbers)

    def stored(self, x: LiteTensor, numbers: Quantization) -> LiteTensor:
        """Integers of the program that represent these numbers."""
        return self.representing(x, replace(numbers, zero_point=tuple(zero - x.shift for zero in numbers.zero_point)))

    def representing(self, x: LiteTensor, numbers: Quantization) -> LiteTensor:
        """The integers of a tensor that is no constant as these numbers; another tensor if they are others already."""
        # Those with several scales are not moved: their axis may be another one behind an op.
        is_moved = x.node is not None and x.node.kind in TAKES_NUMBERS and len(numbers.scale) == 1
        if x.quantization is None and (x.node is None or is_moved):
            x.change(quantization=numbers)
        return x if x.quantization == numbers else self.renumbered(x, numbers)

    def renumbered(self, x: LiteTensor, numbers: Quantization | None) -> LiteTensor:
        """The integers as other numbers: a constant, or a RESHAPE to the same shape, which copies the bytes."""
        if x.data is not None:
            made = self.constant(x.data, x)
            made.change(quantization=numbers, shift=x.shift)
            return made
        sizes = self.sizes(x.shape) if x.shape.count(DYNAMIC) < 2 else self.shape_of(x)
        made = LiteType(x.element, x.shape, numbers, x.shift)
        return self.add(NodeFacts("RESHAPE", **self.about), [x, sizes], [made])[0]

    def shifted(self, numbers: Quantization) -> Quantization:
        return replace(numbers, zero_point=tuple(zero - SHIFT for zero in numbers.zero_point))

    def _quantised_constant(self, x: LiteTensor, numbers: Quantization) -> LiteTensor:
        assert x.data is not None
        if x.element == LiteElement.U8:
            result = self.constant(from_array(x.data.array().astype(np.int16) - SHIFT, LiteElement.I8), x)
            result.change(quantization=self.shifted(numbers), shift=SHIFT)
            return result
        result = self.constant(x.data, x)
        result.change(quantization=numbers)
        return result

    def raw(self, x: LiteTensor) -> LiteTensor:
        """The integers of the program, for an op that does not take them as quantised."""
        if x.quantization is None:
            return x
        if x.node is None:
            return self.constant(x.data, x) if x.data is not None else x
        wide = self.node(
            "CAST", [x], x.shape, LiteElement.I32, inDataType=int(x.element), outDataType=int(LiteElement.I32)
        )
        if x.shift:
            wide = self.binary("ADD", wide, self.like(wide, x.shift))
        return self.cast(wide, LiteElement.U8 if x.shift else x.element)

    def as_output(self, x: LiteTensor) -> LiteTensor:
        """A result with the element type of the program."""
        if not x.shift:
            return x
        assert x.quantization is not None
        result = self.node("QUANTIZE", [x], x.shape, LiteElement.U8)
        zero_point = tuple(zero + x.shift for zero in x.quantization.zero_point)
        result.change(quantization=replace(x.quantization, zero_point=zero_point))
        return result

    # Nodes.

    def node(
        self,
        kind: str,
        inputs: Sequence[LiteTensor | None],
        shape: Shape,
        element: LiteElement | None = None,
        **options: Any,
    ) -> LiteTensor:
        """Add a node with one result. The default element type is that of the first input."""
        return self.split_node(kind, inputs, [shape], element, **options)[0]

    def split_node(
        self,
        kind: str,
        inputs: Sequence[LiteTensor | None],
        shapes: Sequence[Shape],
        element: LiteElement | None = None,
        **options: Any,
    ) -> tuple[LiteTensor, ...]:
        """Add a node with several results of one element type."""
        data = inputs[DATA.get(kind, 0)]
        assert data is not None
        if element is None:
            element = data.element
        if not makes(kind, element):
            raise NotExportable(f"LiteRT's {kind} makes no elements of type {element.name.lower()}")
        if not takes(kind, data.element, data.quantization is not None):
            return self._in_f32(kind, inputs, shapes, element, options)
        kept = data.type if kind in KEEPS_NUMBERS and data.quantization is not None else LiteType(element, ())
        types = [LiteType(element, shape, kept.quantization, kept.shift) for shape in shapes]
        return self.add(NodeFacts(kind, options, **self.about), inputs, types)

    def _in_f32(
        self,
        kind: str,
        inputs: Sequence[LiteTensor | None],
        shapes: Sequence[Shape],
        element: LiteElement,
        options: dict[str, Any],
    ) -> tuple[LiteTensor, ...]:
        """A node that computes numbers of 16 bits in f32."""
        data = inputs[DATA.get(kind, 0)]
        assert data is not None
        if data.element != LiteElement.F16 or not takes(kind, LiteElement.F32):
            raise NotExportable(f"LiteRT's {kind} takes no elements of type {data.element.name.lower()}")
        wide = [self.cast(x, LiteElement.F32) if x is not None and x.element == LiteElement.F16 else x for x in inputs]
        result = LiteElement.F32 if element == LiteElement.F16 else element
        return tuple(self.cast(x, element) for x in self.split_node(kind, wide, shapes, result, **options))

    def unary(self, kind: str, x: LiteTensor, **options: Any) -> LiteTensor:
        """Add an op that keeps shape and element type."""
        return self.node(kind, [x], x.shape, **options)

    def binary(self, kind: str, lhs: LiteTensor, rhs: LiteTensor, element: LiteElement | None = None) -> LiteTensor:
        """Add an elementwise op of two operands, which are broadcast."""
        return self.elementwise(kind, (lhs, rhs), element)

    def elementwise(self, kind: str, operands: Sequence[LiteTensor], element: LiteElement | None = None) -> LiteTensor:
        """Add an elementwise op; axes that are alike in all operands are merged if there are too many to broadcast."""
        shape = broadcast_shape([x.shape for x in operands])
        if all(x.shape == shape or not x.shape for x in operands) or len(shape) <= MOST_BROADCAST_AXES:
            return self.node(kind, operands, shape, element)
        aligned = [(1,) * (len(shape) - len(x.shape)) + x.shape for x in operands]
        groups = alike(aligned, shape)
        merged = [
            self.reshape(x, tuple(product(sizes[axis] for axis in group) for group in groups))
            for x, sizes in zip(operands, aligned, strict=True)
        ]
        if len(groups) > MOST_BROADCAST_AXES:
            return self.reshape(self.elementwise(kind, self._with_axis_repeated(kind, merged), element), shape)
        result = self.node(kind, merged, broadcast_shape([x.shape for x in merged]), element)
        return self.reshape(result, shape)

    def _with_axis_repeated(self, kind: str, operands: Sequence[LiteTensor]) -> list[LiteTensor]:
        """Operands of which one is repeated along an axis, so that more axes are alike in all."""
        choices = list(repetitions([x.shape for x in operands]))
        if not choices:
            raise NotExportable(f"LiteRT's {kind} does not broadcast {len(operands[0].shape)} axes")
        best = min(choices, key=price_of_repetition)
        return [x if x.shape == shape else self._repeated(x, shape) for x, shape in zip(operands, best, strict=True)]

    def _repeated(self, x: LiteTensor, shape: Shape) -> LiteTensor:
        """A tensor whose axes of one element are repeated. Constants as well, so that a proof finds their data."""
        result = self.node("BROADCAST_TO", [x, self.ints(*shape)], shape)
        result.change(quantization=x.quantization, shift=x.shift)
        return result

    def cast(self, x: LiteTensor, element: LiteElement) -> LiteTensor:
        """Convert to another element type. Constants that fit are converted at once; integers have to."""
        if x.element == element:
            return x
        if x.data is not None and not (x.element.is_float and not element.holds(x.data.array())):
            return self._cast_constant(x.data.array(), element)
        if x.node is not None and x.node.kind == "SHAPE":
            return self.node("SHAPE", x.node.inputs[:1], x.shape, element, outType=int(element))
        return self.node("CAST", [x], x.shape, element, inDataType=int(x.element), outDataType=int(element))

    def _cast_constant(self, numbers: NDArray[Any], element: LiteElement) -> LiteTensor:
        if numbers.dtype.kind in "iu" and element.dtype.kind in "iu":
            wrapped = numbers[numbers != numbers.astype(element.dtype)]
            if wrapped.size:
                raise NotExportable(f"{wrapped[0]} does not fit in {element.name.lower()}")
        return self.numbers(numbers, element)

    def transpose(self, x: LiteTensor, permutation: Order) -> LiteTensor:
        """Permute the axes; neighbouring transposes become one, and a move of unit axes is a reshape."""
        if permutation == identity(len(permutation)):
            return x
        if x.data is not None:
            return self._transposed_constant(x, x.data, permutation)
        if x in self._moved:
            before, by = self._moved[x]
            return self.transpose(before, compose(by, permutation))
        if (x, permutation) not in self._transposes:
            self._transposes[x, permutation] = self.new_transpose(x, permutation)
        return self._transposes[x, permutation]

    def _transposed_constant(self, x: LiteTensor, data: LiteData, permutation: Order) -> LiteTensor:
        result = self.constant(data.transposed(permutation), x)
        if (numbers := x.quantization) is not None:
            axis = permutation.index(numbers.axis) if len(numbers.scale) > 1 else 0
            result.change(quantization=replace(numbers, axis=axis), shift=x.shift)
        return result

    def new_transpose(self, x: LiteTensor, permutation: Order) -> LiteTensor:
        """Permute the axes by an op of its own."""
        shape = permute(x.shape, permutation)
        if x.data is not None:
            return self.transpose(x, permutation)
        moved = [axis for axis in permutation if x.shape[axis] != 1]
        if moved == sorted(moved):
            return self.reshape(x, shape)
        # Several unknown sizes that are merged could not be separated again.
        are_mergeable = shape.count(DYNAMIC) <= 1
        if len(shape) > (MOST_PLAIN_AXES if are_mergeable else MOST_MOVED_AXES) or (
            self.integers_only and are_mergeable and len(_runs(permutation, x.shape)) < len(moved)
        ):
            result = self._transpose_of_fewer_axes(x, permutation, shape)
        else:
            result = self.node("TRANSPOSE", [x, self.ints(*permutation)], shape)
        self._moved[result] = x, permutation
        return result

    def _transpose_of_fewer_axes(self, x: LiteTensor, permutation: Order, shape: Shape) -> LiteTensor:
        """A transpose of the axes that stay together, merged."""
        runs = _runs(permutation, x.shape)
        ordered = sorted(runs)
        sizes = tuple(product(x.shape[axis] for axis in run) for run in ordered)
        order = tuple(map(ordered.index, runs))
        if len(runs) > MOST_MOVED_AXES:
            return self.reshape(self._transpose_in_steps(self.reshape(x, sizes), order), shape)
        moved = self.node("TRANSPOSE", [self.reshape(x, sizes), self.ints(*order)], permute(sizes, order))
        return self.reshape(moved, shape)

    def _transpose_in_steps(self, x: LiteTensor, permutation: Order) -> LiteTensor:
        """A transpose of more axes than a TRANSPOSE moves."""
        for step in steps_of(permutation, MOST_MOVED_AXES):
            x = self._transpose_of_fewer_axes(x, step, permute(x.shape, step))
        return x

    def reshape(self, x: LiteTensor, shape: Shape) -> LiteTensor:
        """Reshape the stored elements. Constants are reshaped at once; one size may be unknown."""
        if x.shape == shape:
            return x
        if x.data is not None:
            return self._reshaped_constant(x, x.data, shape)
        if shape.count(DYNAMIC) > 1:
            return self._reshape_at_run_time(x, shape)
        source = x
        if x.node is not None and x.node.kind == "RESHAPE" and x.node.inputs[0] is not None:
            source = x.node.inputs[0]
            if source.quantization != x.quantization:
                source = x
            # The number of elements leaves one size for the only one that is unknown.
            is_same = source.shape.count(DYNAMIC) == 1 and DYNAMIC not in shape and shapes_agree(source.shape, shape)
            if source.shape == shape or is_same:
                return source
        return self.node("RESHAPE", [source, self.sizes(shape)], shape)

    def _reshaped_constant(self, x: LiteTensor, data: LiteData, shape: Shape) -> LiteTensor:
        if x.quantization is not None and len(x.quantization.scale) > 1:
            raise NotExportable("a reshape of integers with a scale per channel has no counterpart in LiteRT")
        result = self.constant(data.reshaped(shape), x)
        result.change(quantization=x.quantization, shift=x.shift)
        return result

    def _reshape_at_run_time(self, x: LiteTensor, shape: Shape) -> LiteTensor:
        """A reshape with several unknown sizes, each of which has to be that of the operand along the same axis."""
        if shapes_agree(x.shape, shape):
            return x
        front = next(
            (i for i, pair in enumerate(zip(x.shape, shape)) if pair[0] != pair[1]), min(len(x.shape), len(shape))
        )
        back = 0
        while back < min(len(x.shape), len(shape)) - front and x.shape[-1 - back] == shape[-1 - back]:
            back += 1
        inner, outer = x.shape[front : len(x.shape) - back], shape[front : len(shape) - back]
        if outer.count(DYNAMIC) > 1 or product(inner) != product(outer):
            raise NotExportable("a reshape with several unknown sizes")
        sizes = self.shape_of(x)
        parts = [self.part(sizes, 0, front)] if front else []
        middle = shape[front : len(shape) - back]
        if middle:
            parts.append(self.sizes(middle))
        if back:
            parts.append(self.part(sizes, len(x.shape) - back, len(x.shape)))
        return self.node("RESHAPE", [x, self.concat(parts, 0)], shape)

    def part(self, vector: LiteTensor, start: int, end: int) -> LiteTensor:
        """Some of the elements of a vector of i32."""
        return self.node("SLICE", [vector, self.ints(start), self.ints(end - start)], (end - start,))

    def shape_of(self, x: LiteTensor) -> LiteTensor:
        """The sizes of a tensor at run time."""
        return self.node("SHAPE", [x], (len(x.shape),), LiteElement.I32, outType=int(LiteElement.I32))

    def size(self, x: LiteTensor, axis: int, element: LiteElement = LiteElement.I32) -> LiteTensor:
        """The size of an axis as a scalar, at run time if it is unknown."""
        if x.shape[axis] != DYNAMIC:
            return self.numbers(x.shape[axis], element)
        sizes = self.node("SHAPE", [x], (len(x.shape),), element, outType=int(element))
        return self.reshape(self.slice(sizes, [axis], [1]), ())

    def concat(self, parts: Sequence[LiteTensor], axis: int) -> LiteTensor:
        if len(parts) == 1:
            return parts[0]
        sizes = [x.shape[axis] for x in parts]
        total = DYNAMIC if DYNAMIC in sizes else sum(sizes)
        shape = parts[0].shape
        return self.node("CONCATENATION", parts, (*shape[:axis], total, *shape[axis + 1 :]), axis=axis)

    def reduce(self, kind: str, x: LiteTensor, axes: Sequence[int], keep: bool = True) -> LiteTensor:
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(x.shape) if keep or axis not in axes)
        if self.integers_only and _are_rows_of_many_axes(x.shape, axes):
            columns = prod(x.shape[len(x.shape) - len(axes) :])
            x = self.reshape(x, (prod(x.shape) // columns, columns))
            return self.reshape(self.node(kind, [x, self.ints(1)], (x.shape[0], 1), keepDims=True), shape)
        return self.node(kind, [x, self.ints(*sorted(axes))], shape, keepDims=keep)

    def pad(self, x: LiteTensor, low: Sequence[int], high: Sequence[int], value: float | None = None) -> LiteTensor:
        """Pad each axis at both ends, with zeros if there is no value; that of quantised numbers is an integer."""
        if not any((*low, *high)):
            return x
        if len(x.shape) > MOST_PADDED_AXES:
            return self._pad_fewer_axes(x, low, high, value)
        shape = tuple(
            DYNAMIC if size == DYNAMIC else size + before + behind
            for size, before, behind in zip(x.shape, low, high, strict=True)
        )
        return self.padded(x, self.numbers(np.stack([low, high], axis=1), LiteElement.I32), shape, value)

    def padded(self, x: LiteTensor, widths: LiteTensor, shape: Shape, value: float | None = None) -> LiteTensor:
        """PAD by pairs of numbers, or PADV2 with another value than zero."""
        zero = 0 if x.quantization is None else x.quantization.zero_point[0]
        if value is None or (value == zero and not np.signbit(value)):
            padded = self.node("PAD", [x, widths], shape)
        else:
            padded = self.node("PADV2", [x, widths, self._like_quantised(x, value)], shape)
        padded.change(quantization=x.quantization, shift=x.shift)
        return padded

    def _like_quantised(self, x: LiteTensor, value: float) -> LiteTensor:
        """A scalar constant of the element type of `x`, that represents a number as those of `x` do."""
        if x.quantization is None:
            return self.like(x, value)
        result = self.constant(from_array(np.array(value), x.element))
        result.change(quantization=x.quantization)
        return result

    def _pad_fewer_axes(
        self, x: LiteTensor, low: Sequence[int], high: Sequence[int], value: float | None
    ) -> LiteTensor:
        """Pad with neighbouring axes merged that are not padded."""
        groups: list[list[int]] = []
        for axis in range(len(x.shape)):
            is_padded = bool(low[axis] or high[axis])
            if groups and not is_padded and not (low[groups[-1][-1]] or high[groups[-1][-1]]):
                groups[-1].append(axis)
            else:
                groups.append([axis])
        if len(groups) > MOST_PADDED_AXES:
            raise NotExportable(f"LiteRT's PAD does not take {len(groups)} axes")
        merged = self.reshape(x, tuple(product(x.shape[axis] for axis in group) for group in groups))
        padded = self.pad(merged, [low[group[0]] for group in groups], [high[group[0]] for group in groups], value)
        sizes = zip(x.shape, low, high, strict=True)
        return self.reshape(padded, tuple(size if size == DYNAMIC else size + a + b for size, a, b in sizes))

    def slice(self, x: LiteTensor, starts: Sequence[int], sizes: Sequence[int]) -> LiteTensor:
        """A contiguous part; a size may be `DYNAMIC` for all that follows the start."""
        shape = tuple(sizes)
        if shape == x.shape:
            return x
        return self.node("SLICE", [x, self.ints(*starts), self.sizes(sizes)], shape)


def _runs(permutation: Order, shape: Shape) -> list[list[int]]:
    """The axes of more than one element in their new order, with neighbours that stay together in one run."""
    runs: list[list[int]] = []
    for axis in permutation:
        if shape[axis] == 1:
            continue
        if runs and axis == runs[-1][-1] + 1:
            runs[-1].append(axis)
        else:
            runs.append([axis])
    return runs


def _are_rows_of_many_axes(shape: Shape, axes: Sequence[int]) -> bool:
    """True if the last axes are reduced, and NPUs only do that if the others, or these, are one axis."""
    border = len(shape) - len(axes)
    if sorted(axes) != [*range(border, len(shape))] or DYNAMIC in shape:
        return False
    return len(axes) > 1 or len([size for size in shape[:border] if size != 1]) > 1
