"""Activations, whose axes ops find by their letters, and sliding windows."""

from collections.abc import Sequence

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.feature import Window
from npu_opt.dialects.npu.values import layout_of, shape_of
from npu_opt.layout import Layout, LayoutClass, Order, permute, unpermute
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from .sample_source import CNN_RANKS, Elements, SampleSource, Want, typed
from .samplers import like

FEATURE = (LayoutClass.FEATURE,)

WEIGHT = (LayoutClass.WEIGHT,)


class Activation:
    """An operand whose axes an op finds by their letters: its layout, and its sizes in the order of the letters."""

    def __init__(self, samples: SampleSource, value: SSAValue, order: Order | None = None):
        known = layout_of(value)
        self.value = value
        rank = len(shape_of(value))
        self.layout = known or Layout(LayoutClass.FEATURE, order or samples.order(rank))
        states = known is None or samples.chance(0.2)
        self.declared = LayoutAttr(self.layout) if states else None
        """The layout as an attribute, needed if the type has none."""
        self.logical = unpermute(shape_of(value), self.layout.order_for(rank))

    @property
    def spatial(self) -> tuple[int, ...]:
        return self.logical[2:]

    def typed(self, logical: Sequence[int], element: Attribute | None = None) -> TensorType:
        """A type of the same layout for another logical shape."""
        return like(self.value, permute(tuple(logical), self.layout.order_for(len(logical))), element)


def activation_of_shape(samples: SampleSource, element: Attribute, logical: Sequence[int]) -> Activation:
    """An activation of this logical shape."""
    layout = samples.layout(len(logical), FEATURE)
    order = (layout or Layout(LayoutClass.FEATURE, samples.order(len(logical)))).order_for(len(logical))
    value = samples.given(typed(element, permute(tuple(logical), order), layout))
    return Activation(samples, value, order)


def activation(samples: SampleSource, elements: Elements, ranks: Sequence[int] = CNN_RANKS) -> Activation:
    """A random activation."""
    return Activation(samples, samples.some(Want(elements, ranks, FEATURE)))


def random_window(samples: SampleSource, spatial_rank: int, most_pads: Sequence[int] | None = None) -> Window:
    """Strides, dilations and pads, or none."""

    def numbers(low: int, high: int) -> tuple[int, ...]:
        return tuple(samples.rng.randint(low, high) if samples.chance(0.6) else low for _ in range(spatial_rank))

    limits = most_pads or (2,) * spatial_rank

    def pads() -> tuple[int, ...]:
        return tuple(samples.rng.randint(0, limit) if samples.chance(0.5) else 0 for limit in limits)

    return Window(numbers(1, 3), numbers(1, 2), pads(), pads())


def window_properties(samples: SampleSource, window: Window) -> dict[str, Sequence[int] | None]:
    """The attributes of a window; those with default values may be absent."""
    pads = (*window.pads_begin, *window.pads_end)

    def said(numbers: Sequence[int], neutral: int) -> Sequence[int] | None:
        return None if set(numbers) <= {neutral} and samples.chance(0.7) else numbers

    return {"strides": said(window.strides, 1), "dilations": said(window.dilations, 1), "pads": said(pads, 0)}


def small_extents(samples: SampleSource, sizes: Sequence[int]) -> tuple[int, ...]:
    """The extents of a window that is not much larger than the data."""
    return tuple(samples.rng.randint(1, max(1, min(3, size))) for size in sizes)
