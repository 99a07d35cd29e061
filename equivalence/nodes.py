"""The nodes of values: what ops compute, by their roles and the arrangements of what they read."""

from collections.abc import Hashable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.npu.axes import RoleMap
from ..dialects.npu.base import NpuOp
from ..dialects.npu.elementwise import ElementwiseOp
from ..dialects.npu.kinds import OpKinds
from ..dialects.npu.movement import ConcatOp, PadOp, SliceOp, SplitOp
from ..dialects.npu.shape import BroadcastOp, ReshapeOp, ViewOp
from ..dialects.npu.values import shape_of
from ..dialects.npu.vendor import VendorOp
from ..layout import DYNAMIC, Arrangement, Extent, Piece
from .constants import Constants
from .cores import Core, core_of_pad, core_operands, roles_of_axes, sizes_of_axes, sliced
from .merged import MergedAxes
from .notes import meaningful
from .parts import axes_by_parts, in_one
from .roles import Computation, OpAxes, axes_of, with_units
from .values import (
    NumberedValue,
    element_type,
    known_shape,
    permuted_without_elements,
    sizes_of,
    stored_type,
    tensor,
)

OF_CORE = -1
"""The kind of all elementwise ops on cores, whose roles follow from the operands."""


class Nodes:
    """The table of nodes that two programs share, and the ops that are numbered by their operands alone."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self.merged = MergedAxes(self.number)
        self.constants = Constants(self.number, self.merged)
        self.kinds = OpKinds()
        self._roles: dict[int, RoleMap | None] = {}
        """The roles of ops, by their kind."""
        self._cores: dict[int, Core] = {}
        """The cores of padded values, by their nodes."""
        self._axes: dict[Hashable, OpAxes] = {}
        """The axes of ops, by their kind, and by the arrangements and order of their operands."""

    def number(self, key: Hashable) -> int:
        """The number of a key, the same for equal keys."""
        return self._numbers.setdefault(key, len(self._numbers))

    def is_known(self, key: Hashable) -> bool:
        """True if a key has a number."""
        return key in self._numbers

    def roles_of(self, kind: int, op: NpuOp) -> RoleMap | None:
        """The roles of an op, asked for once for its kind."""
        if kind not in self._roles:
            self._roles[kind] = op.roles()
        return self._roles[kind]

    def of_op(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue:
        """Number an op with roles and one result, whatever it does to real numbers."""
        kind = self.kinds.of(op)
        roles = self.roles_of(kind, op)
        assert roles is not None, "the op has roles"
        return self.by_roles(op, kind, roles, operands)[0]

    def by_roles(self, op: NpuOp, kind: int, roles: RoleMap, operands: Sequence[NumberedValue]) -> list[NumberedValue]:
        """Number an op by its roles, and note the core of a padded value."""
        computation = self.computation(op, kind, roles, operands)
        results = self.computed(computation, op)
        self._note_core(op, roles, computation, operands, results)
        return results

    def is_uniform_result(self, op: ElementwiseOp, operands: Sequence[NumberedValue]) -> bool:
        is_known = DYNAMIC not in shape_of(op.result) and not meaningful(op.attributes)
        return is_known and all(tensor(operand).is_repeated for operand in operands)

    def uniform_result(self, op: ElementwiseOp, operands: Sequence[NumberedValue]) -> NumberedValue:
        """Elements of the result are equal if those of each operand are."""
        nodes = [operand.node for operand in operands]
        if op.commutes():
            nodes.sort()
        properties = tuple(sorted((name, value) for name, value in op.properties.items()))
        node = self.number(("uniform", op.name, properties, tuple(nodes), element_type(op.result.type)))
        return NumberedValue(node, Arrangement.repeated(shape_of(op.result)))

    def viewed(self, op: ViewOp, operand: NumberedValue) -> NumberedValue:
        if tensor(operand).is_repeated and (shape := known_shape(op, tensor(operand))) is not None:
            return NumberedValue(operand.node, Arrangement.repeated(shape))
        if isinstance(op, ReshapeOp):
            return self._reshaped(op, operand)
        viewed = op.view(tensor(operand))
        assert viewed is not None, "only a reshape can have no arrangement"
        return NumberedValue(operand.node, viewed)

    def _reshaped(self, op: ReshapeOp, operand: NumberedValue) -> NumberedValue:
        logical, sizes = op.logical(tensor(operand)), op.logical_extents(tensor(operand))
        known = [size for size in sizes if size is not None and size.factor]
        if len(known) == len(sizes) and all(size.factor for size in logical.shape):
            if (reshaped := self.merged.reshaped(logical, known)) is not None:
                return NumberedValue(operand.node, op.stored_result(reshaped))
        if (permuted := permuted_without_elements(logical, sizes)) is not None:
            return NumberedValue(operand.node, op.stored_result(permuted))
        node = self.number(("reshape", operand.node, logical, sizes))
        axes = [self._symbol(node, axis) if size is None else size for axis, size in enumerate(sizes)]
        return NumberedValue(node, op.stored_result(Arrangement.of(axes)))

    def computation(
        self, op: NpuOp, kind: int, roles: RoleMap, operands: Sequence[NumberedValue]
    ) -> tuple[Computation, OpAxes]:
        """The key of an op with known roles, and its axes."""
        sizes = list(map(sizes_of, op.results))
        if not isinstance(op, BroadcastOp | VendorOp):
            sizes = with_units(roles, list(map(tensor, operands)), sizes)
        operand_order, axes = self._operand_order_and_axes(op, kind, roles, operands, sizes)
        properties = tuple(
            sorted((name, value) for name, value in op.properties.items() if name not in roles.described)
        )
        nodes = tuple(operands[index].node for index in operand_order)
        return Computation(op.name, properties, meaningful(op.attributes), nodes, axes.axes), axes

    def computed(self, computation: tuple[Hashable, OpAxes], op: Operation) -> list[NumberedValue]:
        """Number the results of an op with known roles."""
        key, axes = computation
        # A number for all results: the key is as long as there are operands and results.
        whole = self.number(key)
        return [self._result(whole, index, result, axes) for index, result in enumerate(op.results)]

    def _note_core(
        self,
        op: NpuOp,
        roles: RoleMap,
        computation: tuple[Computation, OpAxes],
        operands: Sequence[NumberedValue],
        results: Sequence[NumberedValue],
    ) -> None:
        """Note the core of a padded value."""
        if isinstance(op, PadOp):
            is_plain = not meaningful(op.attributes)
            core = core_of_pad(op, operands[0].node, *map(tensor, (operands[0], results[0]))) if is_plain else None
        elif self._cores and isinstance(op, ElementwiseOp) and not any(role.marks for role in roles.roles):
            core = self._core_of_elementwise(op, *computation)
        else:
            return
        if core is not None:
            self._cores.setdefault(results[0].node, core)

    def has_core(self, value: NumberedValue) -> bool:
        """True if a value is a padded one."""
        return value.node in self._cores

    def core_in_slice(self, op: SliceOp, operand: NumberedValue) -> NumberedValue | None:
        """The core of a padded value, if that is what a slice leaves."""
        core = self._cores.get(operand.node)
        kept = None if core is None else sliced(op, core, tensor(operand))
        return None if core is None or kept is None else NumberedValue(core.node, kept)

    def _core_of_elementwise(self, op: ElementwiseOp, computation: Computation, axes: OpAxes) -> Core | None:
        """The core of an elementwise op, which is the op on the cores of the operands."""
        cores = [self._cores.get(node) for node in computation.nodes]
        sizes = [axis.size for axis in axes.axes if axis.size is not None]
        stored = core_operands(axes.axes, cores) if any(cores) and len(sizes) == len(axes.axes) else None
        if stored is None or all(each.is_repeated for each in stored):
            return None
        pairs = zip(cores, computation.nodes, stored, strict=True)
        given = [NumberedValue(core.node if core else node, each) for core, node, each in pairs]
        size = sizes_of_axes(stored)
        order, inner = self._operand_order_and_axes(op, OF_CORE, roles_of_axes(stored), given, [size])
        nodes = tuple(given[index].node for index in order)
        whole = self.number(computation._replace(nodes=nodes, axes=inner.axes))
        found = self._result(whole, 0, op.result, inner)
        return Core(found.node, tensor(found), tuple(sizes))

    def by_parts(self, op: ConcatOp | SplitOp, operands: Sequence[NumberedValue]) -> list[NumberedValue] | None:
        """Number a concatenation or split in blocks of the axis; None if its parts have unknown sizes."""
        roles, stored = self.roles_of(self.kinds.of(op), op), [tensor(operand) for operand in operands]
        if roles is None or (found := axes_by_parts(op, roles, stored, self.merged)) is None:
            return None
        axes, parts = found
        key = op.name, meaningful(op.attributes), tuple(operand.node for operand in operands), axes.axes, parts
        results = self.computed((key, axes), op)
        return [NumberedValue(each.node, in_one(tensor(each), op.axis.value.data, self.merged)) for each in results]

    def _operand_order_and_axes(
        self,
        op: NpuOp,
        kind: int,
        roles: RoleMap,
        operands: Sequence[NumberedValue],
        sizes: Sequence[Sequence[Extent | None]],
    ) -> tuple[tuple[int, ...], OpAxes]:
        """The order in which the operands are compared, and the axes; swappable operands are sorted by node.

        Of several ways, as for a constant that equals its own transpose, the one with the least axes.
        """
        orders = [tuple(range(len(operands)))]
        if (roles.swaps or op.commutes()) and operands[0].node >= operands[1].node:
            swapped = (1, 0, *orders[0][2:])
            orders = [swapped] if operands[0].node > operands[1].node else [*orders, swapped]
        ways = [
            (order, self._axes_of(kind, roles, stored, sizes, order))
            for stored in self.constants.ways(operands)
            for order in orders
        ]
        return ways[0] if len(ways) == 1 else min(ways, key=lambda way: [axis.sort_key() for axis in way[1].axes])

    def _axes_of(
        self,
        kind: int,
        roles: RoleMap,
        stored: tuple[Arrangement, ...],
        sizes: Sequence[Sequence[Extent | None]],
        order: tuple[int, ...],
    ) -> OpAxes:
        key = kind, stored, order
        if key not in self._axes:
            self._axes[key] = axes_of(roles, stored, sizes, order, self.merged)
        return self._axes[key]

    def _result(self, whole: int, index: int, result: SSAValue, axes: OpAxes) -> NumberedValue:
        node = self.number((whole, index, element_type(result.type)))
        stored = tuple(
            tuple(
                Piece(slot.axis, slot.inner, self._symbol(node, slot.axis) if slot.size is None else slot.size)
                for slot in slots
            )
            for slots in axes.stored[index]
        )
        return NumberedValue(node, self.merged.simplified(Arrangement.merged(stored)))

    def fresh(self, key: Hashable, type_: Attribute, names: Sequence[Hashable] = ()) -> NumberedValue:
        """A value identified by its key, in row-major order, with the names of its sizes."""
        node = self.number((key, stored_type(type_)))
        if not isinstance(type_, TensorType):
            return NumberedValue(node, None)
        named = {axis: self._named(name) for axis, name in enumerate(names) if name is not None}
        sizes = [
            Extent(size) if size != DYNAMIC else named.get(axis) or self._symbol(node, axis)
            for axis, size in enumerate(type_.get_shape())
        ]
        return NumberedValue(node, Arrangement.of(sizes))

    def or_nothing(self, numbered: NumberedValue, value: SSAValue) -> NumberedValue:
        """The number of a value, which is one for all values without elements."""
        if numbered.stored is None or 0 not in (sizes := shape_of(value)) or DYNAMIC in sizes:
            return numbered
        return NumberedValue(self.number(("nothing", element_type(value.type))), Arrangement.repeated(sizes))

    def _named(self, name: Hashable) -> Extent:
        """The dynamic size of this name."""
        return Extent(1, (self.number(("named size", name)),))

    def _symbol(self, node: int, axis: int) -> Extent:
        """The dynamic size of an axis of a node."""
        return Extent(1, (self.number(("size", node, axis)),))
