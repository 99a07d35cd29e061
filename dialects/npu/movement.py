"""Ops that move elements along axes named by physical positions, for values of any class."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import FloatAttr, IntegerType, StringAttr, TensorType, f64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, LayoutClass
from .attrs import F64, I64, I64Array, i64_array, i64_attr
from .axes import AxisTable, Marks, numbers_of
from .base import InputOp, NpuOp, Picked, SimplifiedOp
from .declared_axes import axes_of
from .feature import times
from .fusion import FusionKind
from .replaced_axes import ReplacedAxesOp
from .same_layout import KeepsZeros, SameLayoutOp
from .source import written_integers
from .spatial import FIRST_SPATIAL, MirrorOp
from .values import (
    Shape,
    dims_agree,
    element_type_of,
    integer_range,
    is_float,
    is_narrow_float,
    layout_of,
    rank_of,
    shape_of,
)

END_OF_AXIS = 2**63 - 1
"""A limit beyond the end of every axis."""


class MovementOp(SameLayoutOp, ABC):
    """An op that moves elements along axes without changing the order of the axes."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE

    traits = traits_def(Pure())


class PartsOp(MovementOp, ABC):
    """An op on a whole and its consecutive parts along an axis."""

    axis = prop_def(I64)

    def treats_alike(self, outer: int, inner: int) -> bool:
        """Parts are whole blocks along the outer piece."""
        return self.axis.value.data != inner

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        axis = self.axis.value.data
        return {"axis": i64_attr(axis + sum(each < axis for each in tiles))}

    def check_parts(self, group: str, parts: Sequence[SSAValue], whole: SSAValue) -> None:
        """Check that the types of the parts equal that of the whole, except for the size along the axis."""
        axis = self.axis.value.data
        self.check_axis("axis", axis, len(shape_of(whole)))
        if not parts:
            raise self.wrong(group, "at least one", "none")
        known = list(shape_of(whole))
        known[axis] = DYNAMIC
        for index, part in enumerate(parts):
            name = f"{group}[{index}]"
            self.check_element_type(name, part, element_type_of(whole))
            self.check_shape(name, part, known)
            # A size that one part has applies to all following parts.
            known = [size if other == DYNAMIC else other for size, other in zip(shape_of(part), known, strict=True)]
            known[axis] = DYNAMIC


@op_definition
class ConcatOp(PartsOp, KeepsZeros):
    """The inputs, concatenated along the axis.

    ```mlir
    %y = npu.concat %a, %b axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x4xf32, #npu.layout<NHWC>>)
      -> tensor<1x8x8x20xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.concat"

    AXES: ClassVar[AxisTable] = axes_of("inputs[*A] -> result[*A]; axis: one")

    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)

    def picked(self, result: int) -> Picked | None:
        axis = self.axis.value.data
        size = shape_of(self.result)[axis]
        return None if size == DYNAMIC else Picked(axis, self.inputs, range(size))

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        sizes = [shape_of(part)[self.axis.value.data] for part in self.inputs[1:]]
        return {} if DYNAMIC in sizes else {"appended": sum(sizes)}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        return ("appended",)

    def verify_meaning(self) -> None:
        self.check_parts("inputs", self.inputs, self.result)
        axis, whole = self.axis.value.data, shape_of(self.result)
        sizes = [shape_of(part)[axis] for part in self.inputs]
        total = DYNAMIC if DYNAMIC in sizes else sum(sizes)
        self.check_shape("result", self.result, (*whole[:axis], total, *whole[axis + 1 :]))


@op_definition
class SplitOp(PartsOp, KeepsZeros):
    """The input, split along the axis into results of these sizes.

    ```mlir
    %a, %b = npu.split %x axis = 3 sizes = [16, 4]
      : (tensor<1x8x8x20xf32, #npu.layout<NHWC>>)
      -> (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x4xf32, #npu.layout<NHWC>>)
    ```
    """

    name = "npu.split"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> outputs[*A]; axis: one")

    input = operand_def(TensorType)
    sizes = prop_def(I64Array)
    """The size of each result along the axis."""
    outputs = var_result_def(TensorType)

    def picked(self, result: int) -> Picked | None:
        sizes = self.sizes.get_values()
        start = sum(sizes[:result])
        return Picked(self.axis.value.data, [self.input], range(start, start + sizes[result]))

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        found, tile = super().axes_in_blocks(tiles), tiles.get(self.axis.value.data, 1)
        if found is None or any(size % tile for size in self.sizes.get_values()):
            return None
        return {**found, "sizes": i64_array(*(size // tile for size in self.sizes.get_values()))}

    def axes_uncut(self, tiles: Mapping[int, int]) -> dict[str, Attribute]:
        found = super().axes_uncut(tiles)
        tile = tiles.get(numbers_of(found["axis"])[0], 1)
        return {**found, "sizes": i64_array(*(size * tile for size in self.sizes.get_values()))}

    def verify_meaning(self) -> None:
        self.check_parts("outputs", self.outputs, self.input)
        axis, sizes, whole = self.axis.value.data, self.sizes.get_values(), shape_of(self.input)
        self.check_numbers("sizes", sizes, len(self.outputs), 0)
        if not dims_agree(whole[axis], sum(sizes)):
            raise self.wrong("sizes", f"a sum of {whole[axis]} like axis {axis} of input", list(sizes))
        for index, (output, size) in enumerate(zip(self.outputs, sizes, strict=True)):
            self.check_shape(f"outputs[{index}]", output, (*whole[:axis], size, *whole[axis + 1 :]))


class RearrangementOp(MovementOp, InputOp, ABC):
    """An op with one operand, and a result with elements of the same type."""

    @abstractmethod
    def result_shape(self, shape: Shape) -> Shape:
        """Check the attributes, and return the shape of the result for an input of this shape."""

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, self.result_shape(shape_of(self.input)))


def check_fill(op: NpuOp, mode: str, value: float) -> None:
    """Check that the value that a pad adds can be an element of its first operand."""
    element_type = element_type_of(op.operands[0])
    if mode != "constant" and value != 0:
        raise op.wrong("value", f'none in mode "{mode}"', value)
    if is_float(element_type) or is_narrow_float(element_type):
        return
    least, largest = integer_range(cast("IntegerType", element_type))
    if not (value.is_integer() and least <= value <= largest):
        raise op.wrong("value", f"a whole number from {least} to {largest} for {element_type}", value)


@op_definition
class PadOp(RearrangementOp):
    """The input, padded along each axis with `low` elements before and `high` elements after it.

    In mode `constant` they are `value`, which is a whole number for integers, and 0 or 1 for truth values. In mode
    `edge` they are the nearest element of the input. In mode `reflect` the input is mirrored at its first and last
    element, which are not repeated; in mode `symmetric` they are.

    ```mlir
    %y = npu.pad %x low = [0, 1, 1, 0] high = [0, 1, 2, 0] mode = "edge"
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x10x11x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.pad"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; low: each 0; high: each 0")
    MODES: ClassVar[tuple[str, ...]] = ("constant", "edge", "reflect", "symmetric")

    low = prop_def(I64Array)
    """The number of elements added before each axis."""
    high = prop_def(I64Array)
    """The number of elements added after each axis."""
    mode = prop_def(StringAttr, default_value=StringAttr("constant"))
    """The values of the added elements."""
    value = prop_def(F64, default_value=FloatAttr(0.0, f64))
    """The added element in mode `constant`."""

    def result_shape(self, shape: Shape) -> Shape:
        low, high = self.low.get_values(), self.high.get_values()
        self.check_word("mode", self.mode, self.MODES)
        check_fill(self, self.mode.data, self.value.value.data)
        for name, widths in (("low", low), ("high", high)):
            self.check_numbers(name, widths, len(shape), 0)
            self.check_source(name, widths, shape)
        return tuple(
            DYNAMIC if size == DYNAMIC else before + size + behind
            for before, size, behind in zip(low, shape, high, strict=True)
        )

    def check_source(self, name: str, widths: Sequence[int], shape: Shape) -> None:
        """Check that each axis has the elements that are repeated."""
        if self.mode.data == "constant":
            return
        for axis, (width, size) in enumerate(zip(widths, shape, strict=True)):
            if size == DYNAMIC or width == 0:
                continue
            if size == 0:
                raise self.wrong("input", f"an element along axis {axis}", "none")
            most = {"reflect": size - 1, "symmetric": size}.get(self.mode.data, width)
            if width > most:
                raise self.wrong(name, f"at most {most} for the {size} elements of axis {axis}", width)


@op_definition
class SliceOp(RearrangementOp, KeepsZeros):
    """The elements at every `steps`-th position of each axis, from `starts` on and before `limits`.

    Negative positions count from the end of the axis. Positions are clamped to the axis, so a limit of
    9223372036854775807 is the end of every axis.

    ```mlir
    %y = npu.slice %x starts = [0, 1, -4, 0] limits = [1, 8, 100, 16] steps = [1, 2, 1, 1]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.slice"

    AXES: ClassVar[AxisTable] = axes_of(
        f"input[*A] -> result[*A]; starts: each 0; limits: each {END_OF_AXIS}; steps: each 1"
    )

    starts = prop_def(I64Array)
    limits = prop_def(I64Array)
    steps = opt_prop_def(I64Array)
    """1 along each axis if absent."""

    def picked(self, result: int) -> Picked | None:
        sizes, steps = shape_of(self.input), self.steps.get_values() if self.steps else (1,) * len(self.starts)
        cut = [axis for axis in range(len(sizes)) if self.axis_marks(axis)[0]]
        if len(cut) != 1 or sizes[cut[0]] == DYNAMIC:
            return None
        (axis,) = cut
        taken = range(sizes[axis])[self.starts.get_values()[axis] : self.limits.get_values()[axis] : steps[axis]]
        return Picked(axis, [self.input], taken)

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        """An axis that is taken as a whole has no marks, for any equivalent limit."""
        size = shape_of(self.input)[axis]
        return ((), True) if DYNAMIC != size == shape_of(self.result)[axis] else super().axis_marks(axis)

    def result_shape(self, shape: Shape) -> Shape:
        starts, limits = self.starts.get_values(), self.limits.get_values()
        steps = self.steps.get_values() if self.steps else (1,) * len(shape)
        for name, positions in (("starts", starts), ("limits", limits)):
            if len(positions) != len(shape):
                raise self.wrong(name, f"{len(shape)} positions, one for each axis", list(positions))
        self.check_numbers("steps", steps, len(shape), 1)
        return tuple(
            DYNAMIC if size == DYNAMIC else len(range(size)[start:limit:step])
            for size, start, limit, step in zip(shape, starts, limits, steps, strict=True)
        )


@op_definition
class ReverseOp(RearrangementOp, KeepsZeros):
    """The input, reversed along the axes.

    Along spatial axes of a feature map it does what `npu.mirror` does, so a target treats it as that op.

    ```mlir
    %y = npu.reverse %x axes = [1] : tensor<2x3xf32>
    ```
    """

    name = "npu.reverse"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axes: some, splits")

    axes = prop_def(I64Array)

    @property
    def target_name(self) -> str:
        return MirrorOp.name if self._mirrors() else self.name

    def _mirrors(self) -> bool:
        layout = layout_of(self.input)
        if layout is None or layout.cls is not LayoutClass.FEATURE:
            return False
        return all(layout.axis_at(axis) >= FIRST_SPATIAL for axis in self.axes.get_values())

    def result_shape(self, shape: Shape) -> Shape:
        return shape


@op_definition
class TileOp(RearrangementOp, KeepsZeros):
    """The input, repeated `repeats` times along each axis.

    ```mlir
    %y = npu.tile %x repeats = [2, 3] : (tensor<2x3xf32>) -> tensor<4x9xf32>
    ```
    """

    name = "npu.tile"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; repeats: each 1")

    repeats = prop_def(I64Array)

    def result_shape(self, shape: Shape) -> Shape:
        repeats = self.repeats.get_values()
        self.check_numbers("repeats", repeats, len(shape), 1)
        return tuple(map(times, shape, repeats))


@op_definition
class GatherOp(ReplacedAxesOp, SimplifiedOp):
    """The slices of the input that the indices select along the axis, as in `numpy.take`.

    The axes of the indices replace the axis in the result. Negative indices count from its end; an index beyond either
    end is an error. If the indices are a vector, the result has the layout of the input. Otherwise its axes are new
    ones: its layout is of class Tensor or NTensor, and its logical axes are those of the input, with those of the
    indices instead of the axis.

    ```mlir
    %y = npu.gather %x, %i axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<4xi64>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
    %z = npu.gather %x, %one axis = 1
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<i32>) -> tensor<1x8x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
    ```
    """

    name = "npu.gather"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    AXES: ClassVar[AxisTable] = axes_of("input[*A], indices[*J] -> result[*R]; axis: one")

    indices = operand_def(TensorType)
    axis = prop_def(I64)

    def verify_meaning(self) -> None:
        shape, indices, axis = shape_of(self.input), shape_of(self.indices), self.axis.value.data
        self.check_integer("indices", self.indices)
        self.check_element_type("result", self.result, element_type_of(self.input))
        if shape[axis] == 0 and all(size > 0 for size in indices):
            raise self.wrong("input", f"an element along axis {axis}", "none")
        self.check_shape("result", self.result, (*shape[:axis], *indices, *shape[axis + 1 :]))

    def picked(self, result: int) -> Picked | None:
        axis, size = self.axis.value.data, shape_of(self.input)[self.axis.value.data]
        places = written_integers(self.indices) if self.keeps_layout() and size != DYNAMIC else None
        return None if places is None else Picked(axis, [self.input], [place % size for place in places])

    def keeps_layout(self) -> bool:
        """True if the indices are a vector."""
        return rank_of(self.indices) == 1
