"""Makers of ops that find the axes of an activation by their letters, convolutions excepted."""

from collections.abc import Sequence

from npu_opt.dialects.npu import pooling, resampling, spatial
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp, element_type_of, layout_of, shape_of
from npu_opt.dialects.npu.feature import Window
from npu_opt.layout import Layout, LayoutClass, Order, permute, unpermute
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f64
from xdsl.ir import Attribute, SSAValue

from .makers import like, made, maker
from .supply import CNN_RANKS, FLOATS, I1, NUMBERS, TENSOR_CLASSES, Elements, Supply, Want, fits, typed

FEATURE = (LayoutClass.FEATURE,)
WEIGHT = (LayoutClass.WEIGHT,)


class Activation:
    """An operand whose axes an op finds by their letters: its layout, and its sizes in the order of the letters."""

    def __init__(self, supply: Supply, value: SSAValue, order: Order | None = None):
        known = layout_of(value)
        self.value = value
        rank = len(shape_of(value))
        self.layout = known or Layout(LayoutClass.FEATURE, order or supply.order(rank))
        states = known is None or supply.chance(0.2)
        self.declared = LayoutAttr(self.layout) if states else None
        """The layout as an attribute, which is needed where the type does not say it."""
        self.logical = unpermute(shape_of(value), self.layout.order_for(rank))

    @property
    def spatial(self) -> tuple[int, ...]:
        return self.logical[2:]

    def typed(self, logical: Sequence[int], element: Attribute | None = None) -> TensorType:
        """A type of the same layout for another logical shape."""
        return like(self.value, permute(tuple(logical), self.layout.order_for(len(logical))), element)


def activation_of_shape(supply: Supply, element: Attribute, logical: Sequence[int]) -> Activation:
    """An activation of this logical shape."""
    layout = supply.layout(len(logical), FEATURE)
    order = (layout or Layout(LayoutClass.FEATURE, supply.order(len(logical)))).order_for(len(logical))
    value = supply.given(typed(element, permute(tuple(logical), order), layout))
    return Activation(supply, value, order)


def activation(supply: Supply, elements: Elements, ranks: Sequence[int] = CNN_RANKS) -> Activation:
    """A random activation."""
    return Activation(supply, supply.some(Want(elements, ranks, FEATURE)))


def random_window(supply: Supply, spatial_rank: int, most_pads: Sequence[int] | None = None) -> Window:
    """Strides, dilations and pads; half of the time there are none."""

    def numbers(low: int, high: int) -> tuple[int, ...]:
        return tuple(supply.rng.randint(low, high) if supply.chance(0.6) else low for _ in range(spatial_rank))

    limits = most_pads or (2,) * spatial_rank

    def pads() -> tuple[int, ...]:
        return tuple(supply.rng.randint(0, limit) if supply.chance(0.5) else 0 for limit in limits)

    return Window(numbers(1, 3), numbers(1, 2), pads(), pads())


def window_properties(supply: Supply, window: Window) -> dict[str, Sequence[int] | None]:
    """The attributes of a window; what says nothing may be absent."""
    pads = (*window.pads_begin, *window.pads_end)

    def said(numbers: Sequence[int], neutral: int) -> Sequence[int] | None:
        return None if set(numbers) <= {neutral} and supply.chance(0.7) else numbers

    return {"strides": said(window.strides, 1), "dilations": said(window.dilations, 1), "pads": said(pads, 0)}


def small_extents(supply: Supply, sizes: Sequence[int]) -> tuple[int, ...]:
    """The extents of a window that is not much larger than the data."""
    return tuple(supply.rng.randint(1, max(1, min(3, size))) for size in sizes)


@maker(pooling.MaxPoolOp, pooling.AvgPoolOp)
def _pool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    extents = small_extents(supply, x.spatial)
    window = random_window(supply, len(x.spatial))
    ceil = supply.chance(0.3)
    positions = window.positions(x.spatial, extents, ceil)
    if not fits((*x.logical[:2], *positions)):
        return None
    counts = {"count_padding": True} if op is pooling.AvgPoolOp and supply.chance(0.5) else {}
    return made(
        op,
        [x.value],
        [x.typed((*x.logical[:2], *positions))],
        window=extents,
        ceil=ceil,
        data_layout=x.declared,
        **counts,
        **window_properties(supply, window),
    )


@maker(pooling.GlobalMaxPoolOp, pooling.GlobalAvgPoolOp)
def _global_pool(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = activation(supply, NUMBERS)
    return made(op, [x.value], [x.typed((*x.logical[:2], *(1 for _ in x.spatial)))], data_layout=x.declared)


def _enlarged(x: Activation, factors: Sequence[int]) -> TensorType | None:
    sizes = (*x.logical[:2], *(size * factor for size, factor in zip(x.spatial, factors, strict=True)))
    return x.typed(sizes) if fits(sizes) else None


@maker(resampling.UpsampleOp)
def _upsample(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    factors = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, factors)
    return None if result is None else made(op, [x.value], [result], factors=factors, data_layout=x.declared)


@maker(resampling.UnpoolOp)
def _unpool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    window = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    return None if result is None else made(op, [x.value], [result], window=window, data_layout=x.declared)


@maker(resampling.MaskUnpoolOp)
def _mask_unpool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    window = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    if result is None:
        return None
    mask = supply.given(typed(I1, result.get_shape(), layout_of(x.value)))
    return made(op, [x.value, mask], [result], window=window, data_layout=x.declared)


@maker(resampling.BilinearOp)
def _bilinear(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, FLOATS, (4,))
    if 0 in x.spatial:
        return None
    coordinates = supply.one((None, *resampling.BilinearOp.COORDINATES))
    if supply.chance(0.5):
        sizes = [supply.rng.randint(1, 8) for _ in x.spatial]
        logical = (*x.logical[:2], *sizes)
        if not fits(logical):
            return None
        result = x.typed(logical)
        return made(op, [x.value], [result], sizes=sizes, coordinates=coordinates, data_layout=x.declared)
    factors = [supply.one((1.0, 1.5, 2.0, 0.75)) for _ in x.spatial]
    logical = (*x.logical[:2], *(int(size * factor) for size, factor in zip(x.spatial, factors, strict=True)))
    if not fits(logical):
        return None
    made_op = made(op, [x.value], [x.typed(logical)], data_layout=x.declared)
    made_op.properties["factors"] = DenseArrayBase.from_list(f64, factors)
    if coordinates is not None:
        made_op.properties["coordinates"] = StringAttr(coordinates)
    return made_op


def _blocked(supply: Supply, elements: Elements, factors: Sequence[int]) -> Activation:
    """An activation of which some sizes are multiples of these factors: C, H and W."""
    sizes = (factor * supply.rng.randint(1, 3) for factor in factors)
    return activation_of_shape(supply, supply.element(elements), (supply.one((1, 2)), *sizes))


@maker(resampling.DepthToSpaceOp)
def _depth_to_space(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    block = supply.rng.randint(1, 3)
    x = _blocked(supply, NUMBERS, (block * block, 1, 1))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels // (block * block), height * block, width * block))
    mode = supply.one((None, "crd"))
    return made(op, [x.value], [result], block=block, mode=mode, data_layout=x.declared)


@maker(resampling.SpaceToDepthOp)
def _space_to_depth(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    block = supply.rng.randint(1, 3)
    x = _blocked(supply, NUMBERS, (1, block, block))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels * block * block, height // block, width // block))
    return made(op, [x.value], [result], block=block, data_layout=x.declared)


@maker(spatial.Img2colOp)
def _img2col(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS, (4,))
    extents = small_extents(supply, x.spatial)
    window = random_window(supply, 2)
    high, wide = window.positions(x.spatial, extents)
    rows = (x.logical[0], high * wide, x.logical[1] * extents[0] * extents[1])
    if not fits(rows):
        return None
    layout = supply.layout(3, TENSOR_CLASSES)
    shape = rows if layout is None else permute(rows, layout.order_for(3))
    result = typed(element_type_of(x.value), shape, layout)
    properties = window_properties(supply, window)
    return made(op, [x.value], [result], window=extents, data_layout=x.declared, **properties)


@maker(spatial.MirrorOp)
def _mirror(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = activation(supply, NUMBERS)
    order = x.layout.order_for(len(x.logical))
    axes = supply.subset([axis for axis, logical in enumerate(order) if logical >= 2], least=1)
    return made(op, [x.value], [like(x.value)], axes=axes, data_layout=x.declared)


@maker(spatial.RotateOp)
def _rotate(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = activation(supply, NUMBERS, (4,))
    turns = supply.rng.randint(1, 3)
    batch, channels, height, width = x.logical
    sizes = (width, height) if turns % 2 else (height, width)
    return made(op, [x.value], [x.typed((batch, channels, *sizes))], turns=turns, data_layout=x.declared)
