"""Ops of other systems whose axes are described, by a target or by the one who wrote the program.

`npu.opaque` is an op of which only the name is known, so its operands and results keep their orders. These ops are
equally unknown, but for one statement about their axes, which nothing can check: `npu-check` believes it, and says so.
`describe-ops` makes them of opaque ops, from the table `[ops]` of a target ([targets.md](targets.md)).
"""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, opt_prop_def, prop_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ...compat.xdsl import op_definition
from ...layout import LayoutClass, Order, compose, invert
from .attrs import I64Array, LayoutAttr
from .axes import AxisTable, Marks, Orders, PossibleLayouts, Relayout, Role, RoleMap
from .declared_axes import axes_of
from .elementwise import AnyElementwiseOp
from .feature import FeatureOp
from .same_layout import SameLayoutOp
from .source import ForeignOp, OpaqueOp
from .values import logical_shape, order_of_value, rank_of, shape_of

END = "(`pure` $pure^)? (`fusion` `=` $fusion^)? attr-dict `:` functional-type(operands, results)"


class VendorOp(ForeignOp, SameLayoutOp, ABC):
    """An op of another system with a statement about its axes."""

    TAKES_BLOCKS: ClassVar[bool] = False
    STATEMENT: ClassVar[str]
    """The statement in words, behind the name of the op."""

    def described(self) -> frozenset[str]:
        return super().described() | {"fusion"}


@op_definition
class VendorElementwiseOp(VendorOp, AnyElementwiseOp):
    """An op of another system that computes each element from those at the same position.

    ```mlir
    %y = npu.vendor_elementwise "vendor.swish"(%x, %beta) pure
      : (tensor<1x8x8x16xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.vendor_elementwise"

    AXES: ClassVar[AxisTable] = axes_of("inputs[*A?] -> result[*A]")
    STATEMENT: ClassVar[str] = "is elementwise"

    inputs = var_operand_def(TensorType)

    assembly_format = "$op_name `(` $inputs `)` " + END

    def verify_elements(self) -> None:
        """Any element types can be combined."""


def restated(op: OpaqueOp, kind: type[ForeignOp], properties: Mapping[str, Attribute | None]) -> ForeignOp:
    """An opaque op as one of another kind, outside of the program; raises `VerifyException`."""
    new = kind.create(
        operands=op.operands,
        result_types=op.result_types,
        properties={name: value for name, value in properties.items() if value is not None},
        attributes=op.attributes,
        location=op.location,
    )
    try:
        new.verify()
    except VerifyException:
        # Otherwise it would remain a user of its operands.
        new.erase()
        raise
    return new


def as_elementwise(op: OpaqueOp) -> ForeignOp:
    """An opaque op as one that says that it is elementwise, or itself if its shapes contradict that."""
    if len(op.results) != 1:
        return op
    try:
        stated = restated(op, VendorElementwiseOp, {"op_name": op.op_name, "pure": op.pure, "fusion": op.fusion})
    except VerifyException:
        return op
    op.erase()
    return stated


class VendorDataOp(VendorOp, ABC):
    """An op of another system whose first operand is data; others are parameters, which keep their orders.

    The results have the order of the data.
    """

    AXES: ClassVar[AxisTable] = axes_of("data[*A] -> outputs[*A]")

    data = operand_def(TensorType)
    parameters = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)

    def carries(self, place: int) -> bool:
        return place in self.sharing_operands()

    def sharing_operands(self) -> list[int]:
        return [0]

    def roles(self) -> RoleMap:
        """Besides those of the data, a role for each axis of a parameter."""
        shared, sharing = self.known_roles(), self.sharing_operands()
        own = (
            Role(((operand, axis),), splits=False, marks=(("parameter", (operand, axis)),))
            for operand, value in enumerate(self.operands)
            for axis in range(rank_of(value))
            if operand not in sharing
        )
        return RoleMap((*shared.roles, *own), shared.described)

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        asked, sharing = list(operands), self.sharing_operands()
        for index, value in enumerate(self.operands):
            if index in sharing:
                continue
            if operands[index] not in (None, order_of_value(value)):
                return []
            asked[index] = order_of_value(value)
        return super().relayouts(asked, results)

    def verify_meaning(self) -> None:
        if not self.results:
            raise self.wrong("outputs", "at least one result", "none")


@op_definition
class VendorAnyOrderOp(VendorDataOp):
    """An op of another system whose data may have its axes in any order, and whose results then have them so.

    Transposing the data transposes the results. All of them have one shape. `data` lists the operands that are data, if
    the first one is not the only one: they are stored in one order.

    ```mlir
    %y = npu.vendor_any_order "vendor.clip_to_percentile"(%x, %p) pure
      : (tensor<1x8x8x16xf32>, tensor<2xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.vendor_any_order"

    STATEMENT: ClassVar[str] = "takes data in any order"

    data_operands = opt_prop_def(I64Array)
    """The positions of the operands that are data, the first of which is 0."""

    assembly_format = "$op_name `(` $data (`,` $parameters^)? `)` (`data` `=` $data_operands^)? " + END

    def sharing_operands(self) -> list[int]:
        return [0] if self.data_operands is None else list(self.data_operands.get_values())

    def described(self) -> frozenset[str]:
        return super().described() | {"data_operands"}

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        """Axes can be exchanged, but neither split nor merged: the number of axes may matter."""
        return (("rank", rank_of(self.data)),), False

    def verify_meaning(self) -> None:
        super().verify_meaning()
        places, count = self.sharing_operands(), len(self.operands)
        if places[:1] != [0] or places != sorted(set(places)) or places[-1] >= count:
            raise self.wrong("data_operands", f"rising positions of operands from 0 to {count - 1}, with 0", places)
        for index in places:
            self.check_shape(self.operand_names()[index], self.operands[index], shape_of(self.data))
        for name, value in zip(self.result_names(), self.results, strict=True):
            self.check_shape(name, value, shape_of(self.data))


@op_definition
class VendorPoolOp(VendorDataOp, FeatureOp):
    """An op of another system on the spatial axes of a feature map, which it finds wherever they are stored.

    The results have the axes N and C of the data, and any spatial sizes. The attributes count axes as in `written_in`,
    the layout that the op had when it was described. It stays when the data gets another order, so that a run-time
    library finds both: the order of the data in its type, and the axes that the attributes mean.

    ```mlir
    %y = npu.vendor_pool "vendor.blur_pool"(%x) written_in = <NCHW> pure {kernel = array<i64: 3, 3>}
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.vendor_pool"

    STATEMENT: ClassVar[str] = "finds the spatial axes of its data in any order"
    AXES: ClassVar[AxisTable] = axes_of("data[N~, C~, *S~] -> outputs[N~, C~, *S~]")

    written_in = prop_def(LayoutAttr)
    """The layout whose axes the attributes count."""

    assembly_format = (
        "$op_name `(` $data (`,` $parameters^)? `)` `written_in` `=` $written_in"
        " (`data_layout` `=` $data_layout^)? " + END
    )

    @classmethod
    def possible_layouts(cls) -> Mapping[str, PossibleLayouts]:
        # A target names the values by their positions.
        return {}

    def order_of_writing(self) -> Order:
        """The permutation that takes data as it is stored to the order that the attributes mean."""
        rank = rank_of(self.data)
        stored = self.feature_layout("data", self.data).order_for(rank)
        return compose(invert(stored), self.written_in.data.order_for(rank))

    def verify_meaning(self) -> None:
        super().verify_meaning()
        layout, written = self.feature_layout("data", self.data), self.written_in.data
        if written.cls is not LayoutClass.FEATURE or written.rank != layout.rank:
            raise self.wrong("written_in", f"a layout of class Feature of rank {layout.rank}", written)
        batch, channels, *sizes = logical_shape(self.data, layout)
        for name, value in zip(self.result_names(), self.results, strict=True):
            self.check_rank(name, value, 2 + len(sizes))
            self.check_feature(name, value, (batch, channels, *logical_shape(value, layout)[2:]), layout)


RESERVED = frozenset(
    name
    for op in (OpaqueOp, VendorElementwiseOp, VendorAnyOrderOp, VendorPoolOp)
    for name in op.get_irdl_definition().properties
)
"""The names that no attribute of an op of another system can have."""
