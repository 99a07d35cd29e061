"""Kernels of convolutions, and parameters of one number or one per channel."""

from collections.abc import Sequence

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.layout import Layout, LayoutClass, permute
from xdsl.ir import Attribute, SSAValue

from .features import WEIGHT, Activation, random_window, small_extents, window_properties
from .sample_source import Range, SampleSource, typed


class Kernel:
    """A kernel or its gradient: a layout of class Weight, and a type for a logical shape."""

    def __init__(self, samples: SampleSource, element: Attribute, logical: Sequence[int]):
        rank = len(logical)
        layout = samples.layout(rank, WEIGHT)
        self.layout = layout or Layout(LayoutClass.WEIGHT, samples.order(rank))
        self.declared = LayoutAttr(self.layout) if layout is None or samples.chance(0.2) else None
        self.type = typed(element, permute(tuple(logical), self.layout.order_for(rank)), layout)


def channel_counts(samples: SampleSource, channels: int) -> tuple[int, int, int]:
    """Groups, channels of the other side, and channels of this side per group."""
    divisors = [groups for groups in (1, 2, 3, channels) if groups and channels % groups == 0]
    groups = samples.one(divisors) if samples.chance(0.5) else 1
    return groups, groups * samples.rng.randint(1, 3), channels // groups


def vector(samples: SampleSource, element: Attribute, size: int, values: Range | None = None) -> SSAValue:
    """One number per channel."""
    return samples.given(typed(element, (size,), samples.tensor_layout(1)), values)


def single(samples: SampleSource, element: Attribute, values: Range | None = None) -> SSAValue:
    """One number."""
    shape = samples.one(((), (), (1,)))
    return samples.given(typed(element, shape, samples.tensor_layout(len(shape))), values)


def maybe(samples: SampleSource, element: Attribute, size: int, values: Range | None = None) -> SSAValue | None:
    """One number per channel, or nothing."""
    return vector(samples, element, size, values) if samples.chance(0.5) else None


class Forward:
    """Base of forward convolutions: random attributes, the kernel and the logical shape of the result."""

    def __init__(self, samples: SampleSource, data: Activation, kernel_element: Attribute):
        self.groups, outputs, inputs = channel_counts(samples, data.logical[1])
        extents = small_extents(samples, data.spatial)
        self.window = random_window(samples, len(data.spatial))
        self.kernel = Kernel(samples, kernel_element, (outputs, inputs, *extents))
        positions = self.window.positions(data.spatial, extents)
        self.result = (data.logical[0], outputs, *positions)
        self.properties = {
            **window_properties(samples, self.window),
            "groups": None if self.groups == 1 and samples.chance(0.8) else self.groups,
            "data_layout": data.declared,
            "kernel_layout": self.kernel.declared,
        }
