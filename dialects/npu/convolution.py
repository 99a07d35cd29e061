"""Convolutions, transposed convolutions, and the gradients of convolutions.

All of them share a relation between three tensors, by the names of axes: a feature map (N, C, spatial...), a kernel
(O, I, spatial...) and an outcome (N, O, spatial...). C is I times the number of groups; each spatial size of the
outcome is the number of positions of the kernel's window. A forward convolution computes the outcome, a gradient one of
the other two.
"""

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Layout, LayoutClass
from .attrs import I64, I64Array, LayoutAttr, i64_attr
from .axes import UNMARKED, AxisTable, RoleMap, role_map
from .base import Declared, OwnTiles, WeightedOutputs
from .declared_axes import axes_of, stored_axes
from .expected_shapes import note_expected
from .feature import Window, WindowedOp, times
from .fusion import FusionKind
from .sum_blocks import CHANNELS, OUTPUTS, AxisOf, ChannelBlocks, KernelAxes, Zeros
from .type_format import SIGNATURE
from .values import (
    Shape,
    dims_agree,
    element_type_of,
    has_one_element,
    is_float,
    layout_of,
    logical_shape,
    rank_of,
    shape_of,
    shape_text,
)


class NamedShape(NamedTuple):
    """The name of an operand or result, and its logical shape."""

    name: str
    shape: Shape


class ConvolutionOp(WindowedOp, ABC):
    """An op of the convolution family."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OUT_FUSABLE

    groups = prop_def(I64, default_value=i64_attr(1))
    """Number of independent convolutions into which the channels are divided."""
    kernel_layout = opt_prop_def(LayoutAttr)
    """The layout of the kernel, for values without a layout in their type."""

    result = result_def(TensorType)

    traits = traits_def(Pure())

    @property
    def relation(self) -> tuple[str, str, str]:
        """The names of the feature map, the kernel and the outcome of the relation."""
        names = self.AXES.by_letters
        return names["NI"], names["OI"], names["NO"]

    @property
    def kernel_axes(self) -> KernelAxes:
        """The axes of the kernel that are summed, and that the result has."""
        if self.facts().get("depthwise", False):
            return KernelAxes(OUTPUTS, OUTPUTS)
        return KernelAxes(CHANNELS, OUTPUTS) if self.relation[2] == "result" else KernelAxes(OUTPUTS, CHANNELS)

    def feature_map(self, name: str, value: SSAValue) -> tuple[NamedShape, Layout]:
        """The logical shape and the layout of a feature map."""
        self.check_rank(name, value, self.SPATIAL_RANK + 2)
        layout = self.feature_layout(name, value)
        return NamedShape(name, logical_shape(value, layout)), layout

    def kernel_tensor(self, name: str, value: SSAValue) -> NamedShape:
        """The logical shape of the kernel or its gradient."""
        self.check_rank(name, value, self.SPATIAL_RANK + 2)
        layout = self.known_layout(name, value, "kernel_layout", self.kernel_layout)
        if layout.cls is not LayoutClass.WEIGHT:
            at = name if layout_of(value) else "kernel_layout"
            raise self.wrong(at, "a layout of class Weight", layout)
        return NamedShape(name, logical_shape(value, layout))

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        _, inputs, *sizes = logical_shape(getattr(self, self.relation[1]), self._kernel_layout())
        groups = self.groups.value.data
        depthwise = {} if inputs == DYNAMIC else {"depthwise": groups > 1 and inputs == 1}
        return {**super().facts(), "groups": groups, **depthwise, "kernel": tuple(sizes)}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        return (*super().fact_names(), "groups", "depthwise", "kernel")

    def roles(self) -> RoleMap | None:
        """One role for each letter of the relation: N, C, O and the spatial axes; None if pieces of channels differ."""
        shared = self.shared_layout()
        if shared.tiles and not self._have_same_tiles(shared):
            return None
        in_groups = self.groups.value.data != 1
        channels = {axis: ((("letter", axis),), False) if in_groups else UNMARKED for axis in "IOio"}
        spatial = {f"S{n}": ((("letter", f"S{n}"), *self.spatial_marks(n)), False) for n in range(self.SPATIAL_RANK)}
        return role_map(
            {"N": UNMARKED, **channels, **spatial},
            [self._stored_axes_of(*each) for each in zip(self.operand_names(), self.operands, strict=True)],
            [self._stored_axes_of("result", self.result)],
            self.described(),
        )

    def _stored_axes_of(self, name: str, value: SSAValue) -> Sequence[str]:
        declared, layout = self.AXES.values[name], layout_of(value)
        if len(declared) > 1:
            layout = self._kernel_layout() if name == self.relation[1] else layout or self.shared_layout()
        elif has_one_element(value):
            return ()
        return stored_axes(declared, layout or Layout(LayoutClass.TENSOR), rank_of(value))

    def _kernel_layout(self) -> Layout:
        name = self.relation[1]
        return self.known_layout(name, getattr(self, name), "kernel_layout", self.kernel_layout)

    def _have_same_tiles(self, data: Layout) -> bool:
        """True if all channels are in blocks of one size."""
        layouts = [layout_of(value) for value in (*self.operands, *self.results)]
        sizes = {size for each in layouts if each is not None for _, size in each.tiles}
        return sizes == {data.tile_of(CHANNELS)}

    def declared(self) -> Declared | None:
        known, kernel = super().declared(), getattr(self, name := self.relation[1])
        if known is None or (self.kernel_layout is None and layout_of(kernel) is None):
            return known
        layouts, place = (known.results, 0) if name == "result" else (known.operands, self.operand_names().index(name))
        layouts[place] = self._kernel_layout()
        return known

    def check_elements(self, check: Callable[[str, SSAValue], None]) -> None:
        """Check the element types, all of which are equal."""
        for name, value in zip(self.operand_names(), self.operands, strict=True):
            check(name, value)
            self.check_element_type(name, value, element_type_of(self.result))

    def check_channels(self, data: NamedShape, kernel: NamedShape, outcome: NamedShape) -> None:
        """Check the batch and the channels of the relation."""
        groups = self.groups.value.data
        channels, outputs, inputs = data.shape[1], kernel.shape[0], kernel.shape[1]
        if groups < 1:
            raise self.wrong("groups", "at least 1", groups)
        for count, name in ((channels, data.name), (outputs, kernel.name)):
            if count != DYNAMIC and count % groups:
                raise self.wrong("groups", f"a divisor of {count}, the channels of {name}", groups)
        if not dims_agree(times(inputs, groups), channels):
            expected = f"{channels // groups} input channels"
            if groups > 1:
                expected += f" ({channels} channels of {data.name} in {groups} groups)"
            raise self.wrong(kernel.name, expected, inputs)
        if not dims_agree(outputs, outcome.shape[1]):
            raise self.wrong(kernel.name, f"{outcome.shape[1]} output channels like {outcome.name}", outputs)
        if not dims_agree(data.shape[0], outcome.shape[0]):
            raise self.wrong(outcome.name, f"a batch of {data.shape[0]} like {data.name}", outcome.shape[0])

    def check_positions(self, window: Window, data: NamedShape, kernel: NamedShape, outcome: NamedShape) -> None:
        """Check the spatial sizes of the relation."""
        positions = window.positions(data.shape[2:], kernel.shape[2:])
        if not all(map(dims_agree, outcome.shape[2:], positions)):
            expected = f"spatial sizes {shape_text(positions)}"
            raise self.wrong(outcome.name, expected, shape_text(outcome.shape[2:]))

    def check_forward(self, data_value: SSAValue, kernel_value: SSAValue) -> NamedShape:
        """Check the relation with the result as its outcome, and return the outcome."""
        data, layout = self.feature_map("data", data_value)
        kernel = self.kernel_tensor("kernel", kernel_value)
        self.check_rank("result", self.result, self.SPATIAL_RANK + 2)
        if not self.has_whole_data():
            self.check_layout("result", self.result, layout, "like data")
        outcome = NamedShape("result", logical_shape(self.result, layout_of(self.result) or layout))
        self.check_channels(data, kernel, outcome)
        window = self.sliding_window(self.SPATIAL_RANK)
        self.check_positions(window, data, kernel, outcome)
        if not self.has_blocks():
            sizes = data.shape[0], kernel.shape[0], *window.positions(data.shape[2:], kernel.shape[2:])
            note_expected(self.result, layout.stored_shape(sizes))
        return outcome

    def has_whole_data(self) -> bool:
        """True if the result has blocks and the data has none."""
        return False

    def check_bias(self, bias: SSAValue | None, channels: int) -> None:
        """Check the operand that holds one number per channel of the result."""
        if bias is None:
            return
        if (layout := layout_of(bias)) is None or not layout.tiles:
            self.check_shape("bias", bias, (channels,))
        elif logical_shape(bias, layout) != (channels,):
            raise self.wrong("bias", f"logical shape {channels}", shape_text(logical_shape(bias, layout)))


class BlockedConvolutionOp(ConvolutionOp, ABC):
    """A convolution whose channels may be stored in blocks."""

    TAKES_BLOCKS: ClassVar[bool] = True

    data = operand_def(TensorType)
    kernel = operand_def(TensorType)

    def check_layout(self, name: str, value: SSAValue, expected: Layout, because: str) -> None:
        """Blocks of channels may have another size in each value."""
        layout = layout_of(value)
        if layout is None or not layout.has_pieces_of(expected):
            super().check_layout(name, value, expected, because)

    def have_one_layout(self, one: Layout, other: Layout) -> bool:
        return one.has_pieces_of(other)

    def verify_blocks(self) -> None:
        axes, zeros = self.kernel_axes, self.known_zeros()
        vectors = [AxisOf(name, 0) for name in self.operand_names() if self._is_vector(name)]
        kept = [AxisOf("kernel", axes.kept), *vectors, AxisOf("result", CHANNELS)]
        summed = [AxisOf("data", CHANNELS), AxisOf("kernel", axes.summed)]
        if axes.summed == axes.kept:
            # Nothing is summed along the channels; zeros of the kernel are enough if they absorb.
            kept, summed = [*kept, *([] if zeros.absorb else summed[:1])], []
        layouts = {name: self._stated_layout(name) for name in ("data", "kernel", "result", *dict(vectors))}
        outputs, inputs = logical_shape(self.kernel, layouts["kernel"])[:2]
        groups = self.groups.value.data
        if problem := ChannelBlocks(layouts, summed, [kept], (), zeros, groups, axes, (outputs, inputs)).problem():
            raise self.wrong(*problem)

    def known_zeros(self) -> Zeros:
        """The numbers that are known without the data."""
        return Zeros(absorb=not is_float(element_type_of(self.result)))

    def _is_vector(self, name: str) -> bool:
        """True if an operand has one number for each channel of the result."""
        if name in self.relation:
            return False
        return name == "bias" or not has_one_element(self.operands[self.operand_names().index(name)])

    def tiles_of(self, operand: str, tiles: Mapping[int, int], own: OwnTiles) -> Mapping[int, int]:
        if CHANNELS not in tiles:
            return {}
        kept = own.get("result", tiles)[CHANNELS]
        if operand != "kernel":
            return {0: kept} if self._is_vector(operand) else {}
        axes = self.kernel_axes
        return {**({} if own.get("data") == {} else {axes.summed: tiles[CHANNELS]}), axes.kept: kept}

    def outputs_along(self, letter: str) -> WeightedOutputs | None:
        """The outputs along an axis of the kernel; None with blocks, whose axes have pieces."""
        if self.has_blocks():
            return None
        data = self.feature_layout("data", self.data)
        return WeightedOutputs(
            self.kernel, self._kernel_layout().position_of(letter), data.position_of("C"), takes_bias=True
        )

    def has_whole_data(self) -> bool:
        if "data" not in self.MAY_STAY_WHOLE:
            return False
        data, result = layout_of(self.data), layout_of(self.result)
        return data is not None and not data.tiles and result is not None and bool(result.tiles)

    def sharing_operands(self) -> list[int]:
        return [] if self.has_whole_data() else super().sharing_operands()

    def shared_layout(self) -> Layout:
        """The layout of the result, if it has blocks; they may be of another size than those of the data."""
        layout = layout_of(self.result)
        return super().shared_layout() if layout is None or not layout.tiles else layout

    def declared(self) -> Declared | None:
        return None if self.has_whole_data() else super().declared()

    def _stated_layout(self, name: str) -> Layout:
        value: SSAValue = getattr(self, name)
        if (layout := layout_of(value)) is None:
            raise self.wrong(name, "a layout in its type, as other values have blocks", shape_text(shape_of(value)))
        return layout


class ForwardConvolutionOp(BlockedConvolutionOp, ABC):
    """A convolution: each element of the result is the sum of the products of the kernel with a window of the data.

    Channels may be stored in blocks, those of the data and of the kernel's axis that is summed in blocks of one size.
    Data without groups may stay whole: then it has any order, and the kernel has blocks of O alone. The padding of
    channels that are summed is zeros, in the data and in the kernel (in one of them for integers). That of the result
    is as well, for finite numbers, if kernel and bias are padded by zeros.
    """

    AXES: ClassVar[AxisTable] = axes_of("data[N, I, *S~], kernel[O, I, *S~], bias[O] -> result[N, O, *S~]")
    MAY_STAY_WHOLE: ClassVar[frozenset[str]] = frozenset({"data"})

    bias = opt_operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_elements(self.check_number)
        outcome = self.check_forward(self.data, self.kernel)
        self.check_bias(self.bias, outcome.shape[1])

    def weighted_outputs(self) -> WeightedOutputs | None:
        return self.outputs_along("O")

    @property
    def kernel_inputs(self) -> int:
        """The stored axis of the kernel along which it is summed."""
        return self._kernel_layout().position_of("I")

    @property
    def channels(self) -> int:
        """The stored axis of the channels in data and result."""
        return self.feature_layout("data", self.data).position_of("C")

    def is_on_each_channel(self) -> bool:
        """True if each channel of the result is computed from that of the data."""
        groups, size = self.groups.value.data, shape_of(self.data)[self.channels]
        return 1 < groups == size == shape_of(self.result)[self.channels]


@op_definition
class Conv1dOp(ForwardConvolutionOp):
    """The convolution of a 1-D signal, as ONNX Conv: the kernel is not mirrored.

    ```mlir
    %y = npu.conv1d %x, %w data_layout = <NCW> kernel_layout = <OIW>
      : (tensor<1x3x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6xf32>
    ```
    """

    name = "npu.conv1d"

    SPATIAL_RANK: ClassVar[int] = 1


@op_definition
class Conv2dOp(ForwardConvolutionOp):
    """The convolution of an image, as ONNX Conv: the kernel is not mirrored.

    ```mlir
    %y = npu.conv2d %x, %w, %b strides = [2, 2] pads = [1, 1, 1, 1]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>, tensor<32xf32>)
      -> tensor<1x4x4x32xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.conv2d"

    SPATIAL_RANK: ClassVar[int] = 2


@op_definition
class Conv3dOp(ForwardConvolutionOp):
    """The convolution of a volume, as ONNX Conv: the kernel is not mirrored.

    ```mlir
    %y = npu.conv3d %x, %w data_layout = <NCDHW> kernel_layout = <OIDHW>
      : (tensor<1x3x4x8x8xf32>, tensor<6x3x1x3x3xf32>) -> tensor<1x6x4x6x6xf32>
    ```
    """

    name = "npu.conv3d"

    SPATIAL_RANK: ClassVar[int] = 3


class TransposedConvolutionOp(BlockedConvolutionOp, ABC):
    """A transposed convolution: the gradient of a convolution with respect to its data, used as a layer.

    The kernel is that of the forward convolution, so O is the number of channels of the data, and I times `groups` the
    number of channels of the result, as in ONNX ConvTranspose.
    """

    AXES: ClassVar[AxisTable] = axes_of("data[N, O, *S~], kernel[O, I, *S~], bias[I] -> result[N, I, *S~]")
    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ("output_pads",)

    bias = opt_operand_def(TensorType)

    output_pads = opt_prop_def(I64Array)
    """Number of additional result elements at the end of each spatial axis; 0 if absent.

    They are sums like the others: first those that `pads` would remove there, then those outside all windows.
    """

    assembly_format = (
        "operands (`strides` `=` $strides^)? (`dilations` `=` $dilations^)? (`pads` `=` $pads^)?"
        " (`output_pads` `=` $output_pads^)? (`groups` `=` $groups^)? (`data_layout` `=` $data_layout^)?"
        " (`kernel_layout` `=` $kernel_layout^)? " + SIGNATURE
    )

    def verify_meaning(self) -> None:
        self.check_elements(self.check_number)
        data, layout = self.feature_map("data", self.data)
        kernel = self.kernel_tensor("kernel", self.kernel)
        channels = times(kernel.shape[1], self.groups.value.data)
        self.check_channels(NamedShape("result", (data.shape[0], channels)), kernel, data)
        sizes = self._result_sizes(data.shape[2:], kernel.shape[2:])
        self.check_feature("result", self.result, (data.shape[0], channels, *sizes), layout)
        self.check_bias(self.bias, channels)

    def weighted_outputs(self) -> WeightedOutputs | None:
        """Axis I of the kernel, or O if each group has one channel of the data and one of the result."""
        groups, (outer, inner, *_) = self.groups.value.data, logical_shape(self.kernel, self._kernel_layout())
        if groups == 1:
            return self.outputs_along("I")
        return self.outputs_along("O") if (outer, inner) == (groups, 1) else None

    def _result_sizes(self, sizes: Shape, extents: Shape) -> Shape:
        window = self.sliding_window(self.SPATIAL_RANK)
        more = self.output_pads.get_values() if self.output_pads else (0,) * self.SPATIAL_RANK
        self.check_numbers("output_pads", more, self.SPATIAL_RANK, 0)
        result: list[int] = []
        for axis, (size, extent) in enumerate(zip(sizes, extents, strict=True)):
            if DYNAMIC in (size, extent):
                result.append(DYNAMIC)
                continue
            full = (size - 1) * window.strides[axis] + window.dilations[axis] * (extent - 1) + 1
            result.append(max(full - window.pads_begin[axis] - window.pads_end[axis] + more[axis], 0))
        return tuple(result)


@op_definition
class ConvTranspose1dOp(TransposedConvolutionOp):
    """The transposed convolution of a 1-D signal: each element adds its product with the kernel to a result window.

    ```mlir
    %y = npu.conv_transpose1d %x, %w strides = [2] data_layout = <NCW> kernel_layout = <OIW>
      : (tensor<1x4x6xf32>, tensor<4x3x2xf32>) -> tensor<1x3x12xf32>
    ```
    """

    name = "npu.conv_transpose1d"

    SPATIAL_RANK: ClassVar[int] = 1


@op_definition
class ConvTranspose2dOp(TransposedConvolutionOp):
    """The transposed convolution of an image: each element adds its product with the kernel to a result window.

    ```mlir
    %y = npu.conv_transpose2d %x, %w strides = [2, 2] pads = [1, 1, 1, 1] output_pads = [1, 1]
      : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.conv_transpose2d"

    SPATIAL_RANK: ClassVar[int] = 2


@op_definition
class ConvTranspose3dOp(TransposedConvolutionOp):
    """The transposed convolution of a volume: each element adds its product with the kernel to a result window.

    ```mlir
    %y = npu.conv_transpose3d %x, %w strides = [2, 2, 2] data_layout = <NCDHW> kernel_layout = <OIDHW>
      : (tensor<1x4x2x3x3xf32>, tensor<4x3x2x2x2xf32>) -> tensor<1x3x4x6x6xf32>
    ```
    """

    name = "npu.conv_transpose3d"

    SPATIAL_RANK: ClassVar[int] = 3


@op_definition
class Conv2dBpaOp(ConvolutionOp):
    """The gradient of a 2-D convolution with respect to its feature map, given that of its result.

    The spatial sizes of the result are those of its type, because the other shapes do not determine them.

    ```mlir
    %dx = npu.conv2d_bpa %dy, %w pads = [1, 1, 1, 1]
      : (tensor<1x8x8x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.conv2d_bpa"

    SPATIAL_RANK: ClassVar[int] = 2
    AXES: ClassVar[AxisTable] = axes_of("grad[N, O, *S~], kernel[O, I, *S~] -> result[N, I, *S~]")

    grad = operand_def(TensorType)
    kernel = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_elements(self.check_float)
        grad, layout = self.feature_map("grad", self.grad)
        kernel = self.kernel_tensor("kernel", self.kernel)
        self.check_rank("result", self.result, 4)
        self.check_layout("result", self.result, layout, "like grad")
        data = NamedShape("result", logical_shape(self.result, layout))
        if DYNAMIC in data.shape[2:]:
            raise self.wrong("result", "static spatial sizes", shape_text(data.shape[2:]))
        self.check_channels(data, kernel, grad)
        self.check_positions(self.sliding_window(2), data, kernel, grad)


@op_definition
class Conv2dBpwOp(ConvolutionOp):
    """The gradient of a 2-D convolution with respect to its kernel, given its data and the gradient of its result.

    The result is of class Weight; its spatial sizes are those of its type.

    ```mlir
    %dw = npu.conv2d_bpw %x, %dy pads = [1, 1, 1, 1]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x32xf32, #npu.layout<NHWC>>)
      -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
    ```
    """

    name = "npu.conv2d_bpw"

    SPATIAL_RANK: ClassVar[int] = 2
    AXES: ClassVar[AxisTable] = axes_of("data[N, I, *S~], grad[N, O, *S~] -> result[O, I, *S~]")

    data = operand_def(TensorType)
    grad = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_elements(self.check_float)
        data, layout = self.feature_map("data", self.data)
        self.check_rank("grad", self.grad, 4)
        self.check_layout("grad", self.grad, layout, "like data")
        grad = NamedShape("grad", logical_shape(self.grad, layout))
        kernel = self.kernel_tensor("result", self.result)
        if DYNAMIC in kernel.shape[2:]:
            raise self.wrong("result", "static spatial sizes", shape_text(kernel.shape[2:]))
        self.check_channels(data, kernel, grad)
        self.check_positions(self.sliding_window(2), data, kernel, grad)
