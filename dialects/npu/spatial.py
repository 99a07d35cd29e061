"""Ops on the spatial axes of a feature map that NPUs run in hardware: windows as rows, mirror images, quarter turns."""

from typing import ClassVar

from xdsl.irdl import prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, permute
from .attrs import I64, I64Array
from .axes import AxisTable, RoleMap, role_map
from .base import InputOp
from .declared_axes import axes_of
from .feature import FeatureMapOp, WindowedOp, times
from .fusion import FusionKind
from .same_layout import KeepsZeros
from .values import Shape, element_type_of, logical_shape, order_of_value, rank_of

FIRST_SPATIAL = 2
"""The first spatial logical axis; N and C are before it."""


@op_definition
class Img2colOp(WindowedOp, InputOp):
    """The elements of each window position as one row; padding is 0.

    The logical axes of the result are N, the positions (those along W adjacent) and the elements of the window: by
    place along KH, then by place along KW, then by channel. A result with a layout is a Tensor or NTensor in any order.

    ```mlir
    %y = npu.img2col %x window = [3, 3] pads = [1, 1, 1, 1]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x64x144xf32, #npu.layout<NTensor>>
    ```
    """

    name = "npu.img2col"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    AXES: ClassVar[AxisTable] = axes_of("input[N, C~, H~, W~] -> result[N, P, E]")

    window = prop_def(I64Array)
    """The size of the window along H and along W."""

    def roles(self) -> RoleMap:
        """One role for N; all other axes of input and result have roles of their own."""
        layout, result = self.feature_layout("input", self.input), order_of_value(self.result)
        own = {letter: self.axis_marks(layout.position_of(letter)) for letter in "NCHW"}
        rows = {axis: ((("row", axis),), False) for axis in (1, 2)}
        written = [axis or "N" for axis in result]
        return role_map({**own, **rows}, [layout.letters_stored()], [written], self.described())

    def verify_meaning(self) -> None:
        self.check_rank("input", self.input, 4)
        self.check_number("input", self.input)
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_rank("result", self.result, 3)
        self.check_tensor_class("result", self.result)
        window = self.window.get_values()
        self.check_numbers("window", window, 2, 1)
        batch, channels, *sizes = logical_shape(self.input, self.feature_layout("input", self.input))
        high, wide = self.sliding_window(2).positions(sizes, window)
        positions = wide if high == DYNAMIC else times(wide, high)
        rows = (batch, positions, times(channels, window[0] * window[1]))
        self.check_shape("result", self.result, permute(rows, order_of_value(self.result)))


@op_definition
class MirrorOp(FeatureMapOp, KeepsZeros):
    """The feature map, reversed along spatial axes.

    `axes` are physical positions. Targets take an `npu.reverse` along spatial axes, which all front ends make, for one.

    ```mlir
    %y = npu.mirror %x axes = [2]
      : tensor<1x8x10x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.mirror"

    AXES: ClassVar[AxisTable] = axes_of("input[N, C, *S~] -> result[N, C, *S~]; axes: some")

    axes = prop_def(I64Array)

    def result_shape(self, shape: Shape) -> Shape:
        layout, axes = self.feature_layout("input", self.input), self.axes.get_values()
        stored = [layout.axis_at(position) for position in range(rank_of(self.input))]
        if any(stored[axis] < FIRST_SPATIAL for axis in axes):
            spatial = [axis for axis, logical in enumerate(stored) if logical >= FIRST_SPATIAL]
            raise self.wrong("axes", f"spatial axes of {layout}, which are {spatial}", list(axes))
        return shape


@op_definition
class RotateOp(FeatureMapOp, KeepsZeros):
    """Each image, turned counter-clockwise by `turns` quarter turns.

    With one turn, element (h, w) of the result is element (w, W - 1 - h) of an input with W columns.

    ```mlir
    %y = npu.rotate %x turns = 1
      : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>) -> tensor<1x10x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.rotate"

    AXES: ClassVar[AxisTable] = axes_of("input[N, C, H~, W~] -> result[N, C, H~, W~]")

    turns = prop_def(I64)

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4)

    def result_shape(self, shape: Shape) -> Shape:
        turns = self.turns.value.data
        if not 1 <= turns <= 3:
            raise self.wrong("turns", "1, 2 or 3", turns)
        batch, channels, height, width = shape
        return (batch, channels, width, height) if turns % 2 else shape
