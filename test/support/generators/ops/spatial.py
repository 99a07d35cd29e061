"""Makers of ops that turn the spatial axes of an activation, or lay windows out as rows."""

from npu_opt.dialects.npu import spatial
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.layout import permute

from ..features import activation, random_window, small_extents, window_properties
from ..makers import like, made, maker
from ..supply import NUMBERS, TENSOR_CLASSES, Supply, fits, typed


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
