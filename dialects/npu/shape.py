"""Ops that change the shape, the order or the layout of a tensor but none of its numbers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import prod
from typing import ClassVar

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import (
    DYNAMIC,
    MAX_RANK,
    Arrangement,
    Extent,
    Layout,
    LayoutClass,
    Order,
    carry,
    identity,
    invert,
    is_permutation,
    permutation_between,
    permute,
    product,
    unpermute,
)
from .attrs import I64Array, OperandDim, ReshapeDims, ReshapeDimsAttr, i64_array
from .axes import UNMARKED, Orders, Relayout, RoleMap, agree, role_map
from .base import Declared, InputOp, SimplifiedOp
from .fusion import FusionKind
from .type_format import SIGNATURE, OpTypes
from .values import Shape, dims_agree, element_type_of, layout_of, order_of_value, shape_of, shape_text


class ShapeOp(InputOp, SimplifiedOp, ABC):
    """An op with one operand and one result that has the same elements."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    TAKES_BLOCKS: ClassVar[bool] = True

    def _set(self, value: SSAValue, result: Attribute, properties: Mapping[str, Attribute]) -> None:
        """Initialise a new op. The builder of xDSL looks for groups of operands, which takes three times as long."""
        Operation.__init__(self, operands=(value,), result_types=(result,), properties=properties)

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.verify_shape()

    def verify_shape(self) -> None:
        """Check attributes and shapes."""

    def verify_blocks(self) -> None:
        for name, layout in self.cut_layouts():
            if layout.padded_axes:
                raise self.wrong(name, "a layout without padding, which an unpack drops", layout)

    def verify_layouts(self) -> None:
        operand, result = layout_of(self.input), layout_of(self.result)
        if operand is not None and result is not None:
            self.verify_both(operand, result)

    def verify_both(self, operand: Layout, result: Layout) -> None:
        """Check the layouts of operand and result, if both are known."""

    def reordered(self, operands: Orders, results: Orders) -> tuple[Order, Order, Order, Order] | None:
        """The wanted or else present orders, and the permutations of operand and result from the present ones."""
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        new, new_result = operands[0] or old, results[0] or old_result
        if len(new) != len(old) or len(new_result) != len(old_result):
            return None
        return new, new_result, permutation_between(old, new), permutation_between(old_result, new_result)


class ViewOp(ShapeOp, ABC):
    """An op whose result is a view of the operand's node, in another arrangement."""

    @abstractmethod
    def view(self, stored: Arrangement) -> Arrangement | None:
        """The arrangement of the result for an operand of this arrangement, or None if there is none."""

    def absorbed(self, permutation: Order, operands: Orders, results: Orders) -> list[Relayout]:
        """The relayout of a transpose, whose permutation absorbs any change of order."""
        if (moves := self.reordered(operands, results)) is None:
            return []
        new, new_result, moved, moved_result = moves
        absorbing = tuple(moved.index(permutation[position]) for position in moved_result)
        return [Relayout((new,), (new_result,), {"permutation": i64_array(*absorbing)})]


class StoredAxesOp(ViewOp, ABC):
    """An op whose result has the stored dimensions of the operand."""

    @abstractmethod
    def moved(self) -> Order:
        """The dimension of the operand at each dimension of the result."""

    def view(self, stored: Arrangement) -> Arrangement | None:
        return stored.transposed(self.moved())

    def verify_blocks(self) -> None:
        """Padding stays where it is; it may be forgotten that it is zeros."""
        operand, result = layout_of(self.input), layout_of(self.result)
        before = {} if operand is None else operand.padded_places()
        after = {} if result is None else result.padded_places()
        moved = self.moved()
        if before != {(moved[outer], moved[inner]): size for (outer, inner), size in after.items()}:
            raise self.wrong("result", "the padding of input", "none" if result is None else result)
        if after and result is not None and result.has_zeros and not (operand is None or operand.has_zeros):
            raise self.wrong("result", "padding that may be anything, like input", result)


class AnyTransposeOp(StoredAxesOp, ABC):
    """An op that permutes the stored dimensions."""


@op_definition
class ReshapeOp(ViewOp):
    """The elements in logical row-major order, in another logical shape.

    The reshape moves nothing, so it verifies only if the order of the operand carries to the order of the result: NHWC
    with H and W merged carries to N, HW, C, but a flatten of NHWC would read other elements than a flatten of the same
    data in NCHW. A reshape of the stored bytes with another meaning is a `npu.relabel` followed by a reshape.

    `dims` is the origin of each dimension of the result, by physical position: `@in2` is the size of the operand's
    dimension 2. It is needed if more than one of them is dynamic.

    ```mlir
    %y = npu.reshape %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
    %h = npu.reshape %s dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
    ```
    """

    name = "npu.reshape"

    dims = opt_prop_def(ReshapeDimsAttr)

    custom_directives = (ReshapeDims, OpTypes)
    assembly_format = "$input (`dims` `=` custom<ReshapeDims>($dims)^)? " + SIGNATURE

    def __init__(self, value: SSAValue, result: Attribute, dims: ReshapeDimsAttr | None = None):
        self._set(value, result, {} if dims is None else {"dims": dims})

    def verify_shape(self) -> None:
        operand, result = shape_of(self.input), shape_of(self.result)
        if self.dims is not None:
            self._verify_dims(operand, result)
        self._verify_count(operand, result)
        linked = {axis for axis, _ in self._links()}
        unknown = [axis for axis, size in enumerate(result) if size == DYNAMIC and axis not in linked]
        if len(unknown) > 1:
            raise self.wrong("dims", "at most one result dimension of unknown origin", unknown)

    def _verify_dims(self, operand: Shape, result: Shape) -> None:
        dims = self.dims.data if self.dims else ()
        if len(dims) != len(result):
            raise self.wrong("dims", f"{len(result)} entries, one for each dimension of the result", len(dims))
        for axis, (dim, size) in enumerate(zip(dims, result, strict=True)):
            if isinstance(dim, OperandDim):
                if dim.position >= len(operand):
                    raise self.wrong("dims", f"a dimension of input, which has {len(operand)}", f"@in{dim.position}")
                dim = operand[dim.position]
            if dim != size:
                raise self.wrong("dims", f"{shape_text((size,))} in place {axis} like the result", shape_text((dim,)))

    def _verify_count(self, operand: Shape, result: Shape) -> None:
        """Check the number of elements, as far as the dimensions that are not linked determine it."""
        links = [(axis, position) for axis, position in self._links() if operand[position] == DYNAMIC]
        axes, positions = {axis for axis, _ in links}, {position for _, position in links}
        expected = [size for position, size in enumerate(operand) if position not in positions]
        found = [size for axis, size in enumerate(result) if axis not in axes]
        if len(positions) < len(axes) or DYNAMIC in (*expected, *found) or prod(expected) == prod(found):
            return
        linked = " and ".join(f"@in{position}" for position in sorted(positions))
        besides = f" besides {linked}" if linked else ""
        raise self.wrong(
            "result", f"{prod(expected)} elements like input{besides}", f"{prod(found)} in {shape_text(result)}"
        )

    def _links(self) -> list[tuple[int, int]]:
        """The physical dimensions of the result that equal one of the operand, with that one."""
        dims = self.dims.data if self.dims else ()
        return [(axis, dim.position) for axis, dim in enumerate(dims) if isinstance(dim, OperandDim)]

    def verify_blocks(self) -> None:
        """A reshape that only moves pieces of one element keeps the padding."""
        operand, result = layout_of(self.input), layout_of(self.result)
        if operand is not None and result is not None and self._keeps_pieces(operand, result):
            if not operand.has_zeros and result.has_zeros:
                raise self.wrong("result", "padding that may be anything, like input", result)
            return
        super().verify_blocks()

    def _keeps_pieces(self, operand: Layout, result: Layout) -> bool:
        before, after, _ = self._logical_shapes()
        return operand.tiles == result.tiles and operand.padded == result.padded and before == after

    def _logical_shapes(self) -> tuple[Shape, Shape, dict[int, int]]:
        """The logical shapes of operand and result, and the axes of the result that equal one of the operand."""
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        same = {old_result[axis]: old[position] for axis, position in self._links()}
        return unpermute(shape_of(self.input), old), unpermute(shape_of(self.result), old_result), same

    def logical(self, stored: Arrangement) -> Arrangement:
        """The arrangement of the operand's logical axes, independent of its order."""
        return stored.transposed(invert(order_of_value(self.input)))

    def stored_result(self, logical: Arrangement) -> Arrangement:
        """The arrangement of the result in its order, from that of its logical axes."""
        return logical.transposed(order_of_value(self.result))

    def logical_extents(self, stored: Arrangement) -> tuple[Extent | None, ...]:
        """The sizes of the result's logical axes; None if known at run time only."""
        links = dict(self._links())
        sizes = [
            Extent(size) if size != DYNAMIC else stored.shape[links[axis]] if axis in links else None
            for axis, size in enumerate(shape_of(self.result))
        ]
        if sizes.count(None) == 1:
            rest = product(size for size in sizes if size is not None)
            if rest.factor:
                sizes[sizes.index(None)] = product(stored.shape).divided_by(rest)
        return unpermute(sizes, order_of_value(self.result))

    def view(self, stored: Arrangement) -> Arrangement | None:
        known = [size for size in self.logical_extents(stored) if size is not None and size.factor]
        if len(known) != len(shape_of(self.result)) or not all(size.factor for size in stored.shape):
            return None
        reshaped = self.logical(stored).reshaped(known)
        return None if reshaped is None else self.stored_result(reshaped)

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        source, result, same = self._logical_shapes()
        new, new_result = operands[0], results[0]
        if new is None:
            back = {axis: linked for linked, axis in same.items()}
            new = old if new_result is None else carry(new_result, result, source, old, back)
        if new is None or len(new) != len(old):
            return []
        carried = carry(new, source, result, old_result if new_result is None else new_result, same)
        if carried is None or not agree(results, [carried]):
            return []
        if any(order != kept and len(order) > MAX_RANK for order, kept in ((new, old), (carried, old_result))):
            return []
        properties: dict[str, Attribute] = {}
        if self.dims is not None:
            moved = permutation_between(old, new)
            dims = permute(self.dims.data, permutation_between(old_result, carried))
            properties["dims"] = ReshapeDimsAttr(
                tuple(OperandDim(moved.index(dim.position)) if isinstance(dim, OperandDim) else dim for dim in dims)
            )
        return [Relayout((new,), (carried,), properties)]

    def verify_layouts(self) -> None:
        """Check both orders; a value without a layout has the identity order."""
        operand = layout_of(self.input) or Layout(LayoutClass.TENSOR)
        order, (source, result, same) = order_of_value(self.result), self._logical_shapes()
        carried = carry(order_of_value(self.input), source, result, order, same)
        if carried is None:
            expected = "an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first)"
            raise self.wrong("input", expected, f"{operand} for {shape_text(shape_of(self.input))}")
        if carried != order:
            shape = permute(result, carried)
            expected = f"order {list(carried)} ({shape_text(shape)}), to which {operand} carries"
            raise self.wrong("result", expected, f"{list(order)} ({shape_text(shape_of(self.result))})")


@op_definition
class BroadcastOp(ShapeOp):
    """The operand, repeated along new result dimensions and along those in which it has one element.

    `axes` are the physical positions in the result of the operand's dimensions. Their logical order does not change.

    ```mlir
    %y = npu.broadcast %x axes = [1, 3] : (tensor<8x1xf32>) -> tensor<2x8x5x4xf32>
    ```
    """

    name = "npu.broadcast"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.BROADCAST
    RESULT_AXES: ClassVar[tuple[str, ...]] = ("axes",)

    axes = prop_def(I64Array)

    def verify_shape(self) -> None:
        operand, result, axes = shape_of(self.input), shape_of(self.result), self.axes.get_values()
        if len(axes) != len(operand):
            raise self.wrong("axes", f"{len(operand)} entries, one for each dimension of input", list(axes))
        self.check_axes("axes", axes, len(result))
        for axis, size in zip(axes, operand, strict=True):
            if size != 1 and not dims_agree(size, result[axis]):
                expected = f"a size that repeats to {shape_text((result[axis],))} along result axis {axis}"
                raise self.wrong("input", expected, shape_text((size,)))
        if layout_of(self.input) is None and layout_of(self.result) is None and list(axes) != sorted(axes):
            raise self.wrong("axes", "increasing numbers", list(axes))

    def repeats(self) -> bool:
        """True if an element may occur repeatedly in the result."""
        shapes = shape_of(self.input), shape_of(self.result)
        # A dynamic size may be a repeated one; without elements the sizes do not show it.
        return DYNAMIC in (*shapes[0], *shapes[1]) or not prod(shapes[0]) or prod(shapes[0]) != prod(shapes[1])

    def placed(self, stored: Arrangement) -> Arrangement | None:
        """The arrangement of the result; None if it is not certain where elements are repeated."""
        given, sizes = shape_of(self.input), shape_of(self.result)
        if DYNAMIC in (*given, *sizes):
            return None
        places = dict(zip(self.axes.get_values(), range(len(given)), strict=True))
        repeated = Arrangement.repeated(sizes)
        kept = {axis: stored.axes[place] for axis, place in places.items() if given[place] == sizes[axis]}
        return Arrangement(tuple(kept.get(axis, pieces) for axis, pieces in enumerate(repeated.axes)))

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        same_axes = len(shape_of(self.input)) == len(shape_of(self.result))
        return [operands[0] if same_axes else None]

    def roles(self) -> RoleMap:
        """One role for each axis of the result, some of which are axes of the operand."""
        stored = range(len(shape_of(self.result)))
        return role_map(dict.fromkeys(stored, UNMARKED), [self.axes.get_values()], [stored], frozenset({"axes"}))

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        starts = (0, *accumulate(parts))
        places = [place for axis in self.axes.get_values() for place in range(starts[axis], starts[axis + 1])]
        return {"axes": i64_array(*places)}

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        if (moves := self.reordered(operands, results)) is None:
            return []
        new, new_result, moved, moved_result = moves
        axes = permute(tuple(self.axes.get_values()), moved)
        return [Relayout((new,), (new_result,), {"axes": i64_array(*map(moved_result.index, axes))})]

    def in_line(self, operands: Orders, results: Orders) -> tuple[Orders, Orders]:
        """The orders asked for, and where only one is, an order of the other value in which the axes increase."""
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        named = {axis: old_result[place] for axis, place in zip(old, self.axes.get_values(), strict=True)}
        (new,), (new_result,) = operands, results
        if new is not None and new_result is None and len(new) == len(old):
            moved = iter(new)
            new_result = tuple(named[next(moved)] if axis in named.values() else axis for axis in old_result)
        elif new is None and new_result is not None and len(new_result) == len(old_result):
            new = tuple(sorted(old, key=lambda axis: new_result.index(named[axis])))
        return [new], [new_result]

    def verify_both(self, operand: Layout, result: Layout) -> None:
        source_order = operand.order_for(len(shape_of(self.input)))
        result_order = result.order_for(len(shape_of(self.result)))
        target = {
            logical: result_order[axis] for logical, axis in zip(source_order, self.axes.get_values(), strict=True)
        }
        axes = [target[logical] for logical in sorted(target)]
        if axes != sorted(axes):
            raise self.wrong("axes", "the logical axes of input to keep their order in the result", axes)


@op_definition
class TransposeOp(AnyTransposeOp):
    """A permutation of the stored dimensions: dimension p of the result is dimension `permutation[p]` of the operand.

    The meaning for the logical axes follows from the two types: from NCHW to NHWC, [0, 2, 3, 1] changes the storage
    only; from NCHW to NCHW, [0, 1, 3, 2] swaps H and W.

    ```mlir
    %y = npu.transpose %x permutation = [0, 2, 3, 1]
      : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.transpose"

    permutation = prop_def(I64Array)

    def __init__(self, value: SSAValue, permutation: Sequence[int], result: Attribute):
        """The type of the result is given, because the meaning of the transpose depends on it."""
        self._set(value, result, {"permutation": i64_array(*permutation)})

    def verify_shape(self) -> None:
        operand, permutation = shape_of(self.input), self.permutation.get_values()
        if len(permutation) != len(operand) or not is_permutation(permutation):
            raise self.wrong("permutation", f"a permutation of {len(operand)} axes", list(permutation))
        self.check_shape("result", self.result, permute(operand, tuple(permutation)))

    def moved(self) -> Order:
        return tuple(self.permutation.get_values())

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        return [_letters_follow(operands[0], self.moved())]

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        return [_letters_follow(results[0], invert(self.moved()))]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        return self.absorbed(self.moved(), operands, results)

    def verify_both(self, operand: Layout, result: Layout) -> None:
        if operand.cls is not result.cls:
            raise self.wrong("result", f"a layout of class {operand.cls.value} like input", result)


@op_definition
class RelabelOp(StoredAxesOp):
    """A relabel: its stored bytes and physical shape are those of the operand, under another layout, and nothing moves.

    ```mlir
    %y = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
    ```
    """

    name = "npu.relabel"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE

    def __init__(self, value: SSAValue, result: Attribute):
        self._set(value, result, {})

    def verify_shape(self) -> None:
        if shape_of(self.result) != shape_of(self.input):
            expected = f"shape {shape_text(shape_of(self.input))} like input"
            raise self.wrong("result", expected, shape_text(shape_of(self.result)))
        if layout_of(self.result) is None:
            raise self.wrong("result", "a layout in its type", shape_text(shape_of(self.result)))

    def moved(self) -> Order:
        return identity(len(shape_of(self.input)))

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The bytes stay, so the result's order changes with the operand's."""
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        new = operands[0]
        if new is None:
            new = old if results[0] is None else permute(old, permutation_between(old_result, results[0]))
        if len(new) != len(old):
            return []
        moved = permute(old_result, permutation_between(old, new))
        return [Relayout((new,), (moved,))] if agree(results, [moved]) else []


def _letters_follow(layout: Layout | None, permutation: Order) -> Layout | None:
    """The layout after a transpose whose letters move with their axes; axes without letters are renumbered."""
    if layout is None or not layout.cls.is_cnn:
        return layout
    return layout.with_order(permute(layout.order_for(len(permutation)), permutation))


class FixedTransposeOp(AnyTransposeOp, ABC):
    """A transpose of an image for which the hardware has an instruction."""

    FROM: ClassVar[Layout]
    TO: ClassVar[Layout]
    PERMUTATION: ClassVar[Order]

    def verify_shape(self) -> None:
        self.check_rank("input", self.input, 4)
        self.check_shape("result", self.result, permute(shape_of(self.input), self.PERMUTATION))

    def moved(self) -> Order:
        return self.PERMUTATION

    def declared(self) -> Declared | None:
        return Declared([self.FROM], [self.TO])

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        return [self.TO]

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        return [self.FROM]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """For other orders than its own it becomes an ordinary transpose."""
        asked = [*operands, *results]
        if agree(asked, (order_of_value(self.input), order_of_value(self.result))):
            return super().relayouts(operands, results)
        return [replace(each, becomes=TransposeOp) for each in self.absorbed(self.PERMUTATION, operands, results)]

    def verify_layouts(self) -> None:
        self.check_layout("input", self.input, self.FROM, "as in the name of the op")
        self.check_layout("result", self.result, self.TO, "as in the name of the op")


NCHW = Layout(LayoutClass.FEATURE, (0, 1, 2, 3))
NHWC = Layout(LayoutClass.FEATURE, (0, 2, 3, 1))


@op_definition
class Nchw2NhwcOp(FixedTransposeOp):
    """An image in NCHW, transposed to NHWC.

    ```mlir
    %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.nchw2nhwc"

    FROM: ClassVar[Layout] = NCHW
    TO: ClassVar[Layout] = NHWC
    PERMUTATION: ClassVar[Order] = (0, 2, 3, 1)


@op_definition
class Nhwc2NchwOp(FixedTransposeOp):
    """An image in NHWC, transposed to NCHW.

    ```mlir
    %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
    ```
    """

    name = "npu.nhwc2nchw"

    FROM: ClassVar[Layout] = NHWC
    TO: ClassVar[Layout] = NCHW
    PERMUTATION: ClassVar[Order] = (0, 3, 1, 2)
