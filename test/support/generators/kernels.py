"""Kernels of convolutions, and parameters of one number or one per channel."""

from collections.abc import Sequence

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.layout import Layout, LayoutClass, permute
from xdsl.ir import Attribute, SSAValue

from .features import WEIGHT, Activation, random_window, small_extents, window_properties
from .supply import Range, Supply, typed


class Kernel:
    """A kernel or its gradient: a layout of class Weight, and a type for a logical shape."""

    def __init__(self, supply: Supply, element: Attribute, logical: Sequence[int]):
        rank = len(logical)
        layout = supply.layout(rank, WEIGHT)
        self.layout = layout or Layout(LayoutClass.WEIGHT, supply.order(rank))
        self.declared = LayoutAttr(self.layout) if layout is None or supply.chance(0.2) else None
        self.type = typed(element, permute(tuple(logical), self.layout.order_for(rank)), layout)


def channel_counts(supply: Supply, channels: int) -> tuple[int, int, int]:
    """Groups, channels of the other side, and channels of this side per group."""
    divisors = [groups for groups in (1, 2, 3, channels) if groups and channels % groups == 0]
    groups = supply.one(divisors) if supply.chance(0.5) else 1
    return groups, groups * supply.rng.randint(1, 3), channels // groups


def vector(supply: Supply, element: Attribute, size: int, values: Range | None = None) -> SSAValue:
    """One number per channel."""
    return supply.given(typed(element, (size,), supply.tensor_layout(1)), values)


def single(supply: Supply, element: Attribute, values: Range | None = None) -> SSAValue:
    """One number."""
    shape = supply.one(((), (), (1,)))
    return supply.given(typed(element, shape, supply.tensor_layout(len(shape))), values)


def maybe(supply: Supply, element: Attribute, size: int, values: Range | None = None) -> SSAValue | None:
    """One number per channel, or nothing."""
    return vector(supply, element, size, values) if supply.chance(0.5) else None


class Forward:
    """What forward convolutions share: random attributes, the kernel and the logical shape of the result."""

    def __init__(self, supply: Supply, data: Activation, kernel_element: Attribute):
        self.groups, outputs, inputs = channel_counts(supply, data.logical[1])
        extents = small_extents(supply, data.spatial)
        self.window = random_window(supply, len(data.spatial))
        self.kernel = Kernel(supply, kernel_element, (outputs, inputs, *extents))
        positions = self.window.positions(data.spatial, extents)
        self.result = (data.logical[0], outputs, *positions)
        self.properties = {
            **window_properties(supply, self.window),
            "groups": None if self.groups == 1 and supply.chance(0.8) else self.groups,
            "data_layout": data.declared,
            "kernel_layout": self.kernel.declared,
        }
