"""The values of a function that resembles a network: few shapes and few layouts, used again and again."""

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from npu_opt.dialects.npu import shape
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of
from npu_opt.layout import (
    Layout,
    LayoutClass,
    Order,
    carry,
    channels_last,
    identity,
    identity_layout,
    permute,
    unpermute,
)
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from .program_source import ProgramSource
from .sample_source import ALL_CLASSES, FLOATS, Elements, Want, class_ranks, typed
from .samplers import made, new_op

Shape = tuple[int, ...]

SHAPES: dict[int, tuple[Shape, ...]] = {
    2: ((4, 6), (6, 4), (1, 24), (8, 8)),
    3: ((1, 8, 24), (1, 8, 24), (2, 4, 6), (1, 4, 1), (3, 3, 3)),
    4: ((1, 8, 4, 6), (1, 8, 4, 6), (1, 8, 4, 6), (2, 4, 4, 4), (1, 4, 1, 6), (2, 1, 3, 5), (1, 1, 1, 1)),
    5: ((1, 2, 3, 4, 2), (1, 4, 1, 3, 2)),
}
"""Logical shapes by rank; a repeated one is chosen more often."""
FEATURE, WEIGHT, TENSOR, NTENSOR = LayoutClass.FEATURE, LayoutClass.WEIGHT, LayoutClass.TENSOR, LayoutClass.NTENSOR
HOW_OFTEN: dict[LayoutClass, int] = {FEATURE: 5, WEIGHT: 2, TENSOR: 4, NTENSOR: 1}
"""The weight of each class if any is valid."""


class Net(ProgramSource):
    """The values of a network under construction."""

    NO_ELEMENTS: ClassVar[float] = 0.01

    def __init__(self, rng: Random, coloured: bool, floats: Attribute):
        super().__init__(rng, coloured, floats, most_arguments=rng.randint(2, 9))
        self._channels_last = self.chance(0.5)
        self._next: SSAValue | None = None

    # Defaults.

    def order(self, rank: int) -> Order:
        """The favourite order of this network, often its counterpart, and sometimes any."""
        if rank not in (3, 4, 5) or self.chance(0.1):
            return super().order(rank)
        return self._usual(FEATURE, rank)

    def _usual(self, cls: LayoutClass, rank: int) -> Order:
        last = self._channels_last if self.chance(0.75) else not self._channels_last
        return (channels_last(cls, rank) if last else identity_layout(cls, rank)).order_for(rank)

    def layout(self, rank: int, classes: Sequence[LayoutClass] = ALL_CLASSES) -> Layout | None:
        if not self.coloured:
            return None
        suited = [cls for cls in classes if rank in class_ranks(cls)]
        (cls,) = self.rng.choices(suited, [HOW_OFTEN[each] for each in suited])
        if not cls.is_cnn:
            return super().layout(rank, (cls,)) if self.chance(0.15) else Layout(cls)
        return Layout(cls, self._usual(cls, rank) if self.chance(0.9) else super().order(rank))

    def type_for(self, want: Want) -> TensorType:
        known = super().type_for(want)
        rank = len(known.get_shape())
        if rank not in SHAPES or self.chance(0.2):
            return known
        encoding = known.encoding
        order = encoding.data.order_for(rank) if isinstance(encoding, LayoutAttr) else self.order(rank)
        return TensorType(known.get_element_type(), permute(self._usual_shape(rank), order), encoding)

    def _usual_shape(self, rank: int) -> Shape:
        sizes = list(self.one(SHAPES[rank]))
        if self.chance(self.NO_ELEMENTS):
            sizes[self.rng.randrange(rank)] = 0
        return tuple(sizes)

    def _found(self, want: Want) -> SSAValue | None:
        chosen, self._next = self._next, None
        return chosen if chosen is not None and self._suits(chosen, want) else super()._found(want)

    # Operands of blocks.

    def value(self, ranks: Sequence[int], classes: Sequence[LayoutClass], elements: Elements = FLOATS) -> SSAValue:
        """An existing value, or a new argument or constant."""
        want = Want(elements, ranks, classes)
        return self._found(want) or self.given(self.type_for(want))

    def image(self, ranks: Sequence[int] = (4, 4, 4, 4, 3, 5)) -> SSAValue:
        """An operand for convolutions."""
        return self.value((self.one(ranks),), (FEATURE,))

    def sequence(self) -> SSAValue:
        """A value without letters."""
        return self.value((2, 3, 3, 3, 4), (TENSOR, NTENSOR))

    def then(self, op: type[NpuOp], value: SSAValue) -> SSAValue:
        """The result of a random op of this class on the value if there can be one, else the value."""
        self._next = value
        new = new_op(op, self)
        self._next = None
        if new is None:
            return value
        self.emit(new)
        return self.values[-1]

    def add(self, op: type[NpuOp], operands: Sequence[SSAValue], type_: TensorType) -> SSAValue:
        """The result of an op without attributes."""
        return self._emitted(made(op, operands, [type_]))

    def transposed(self, value: SSAValue, permutation: Order, layout: Layout | None) -> SSAValue:
        type_ = typed(element_type_of(value), permute(shape_of(value), permutation), layout)
        return self._emitted(made(shape.TransposeOp, [value], [type_], permutation=permutation))

    def relabelled(self, value: SSAValue, layout: Layout) -> SSAValue:
        """A relabel to another layout. A value without a layout stays unchanged."""
        if layout_of(value) in (None, layout):
            return value
        return self.add(shape.RelabelOp, [value], typed(element_type_of(value), shape_of(value), layout))

    def reshaped(self, value: SSAValue, sizes: Shape, classes: Sequence[LayoutClass]) -> SSAValue:
        """The value in another logical shape; its bytes are reshaped where its order does not carry."""
        layout, rank = layout_of(value), len(sizes)
        if layout is None:
            return self.add(shape.ReshapeOp, [value], typed(element_type_of(value), sizes, None))
        order = order_of_value(value)
        suited = [cls for cls in classes if rank in class_ranks(cls)] or [TENSOR]
        cls = self.one(suited)
        prefer = self._usual(cls, rank) if cls.is_cnn else identity(rank)
        carried = carry(order, unpermute(shape_of(value), order), sizes, prefer)
        if carried is None:
            value = self.relabelled(value, Layout(TENSOR))
            carried = carry(identity(len(shape_of(value))), shape_of(value), sizes, prefer) or identity(rank)
        result = typed(element_type_of(value), permute(sizes, carried), Layout(cls, carried))
        return self.add(shape.ReshapeOp, [value], result)
