"""Samplers of conversions between layouts with blocks, and others."""

from npu_opt.dialects.npu import packing
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.layout import permute

from ..cuts import cut_layout, random_tiles, stored_type, with_random_order
from ..sample_source import ANY, SOME_RANK, SampleSource, typed
from ..samplers import made, sampler


@sampler(packing.PackOp, packing.UnpackOp)
def _packing(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    shape, element = samples.shape(samples.one(SOME_RANK)), samples.element(ANY)
    layout = samples.layout(len(shape))
    tiles = random_tiles(samples.rng, shape)
    if layout is None or not tiles:
        return None
    plain = typed(element, permute(shape, layout.order_for(len(shape))), layout)
    # The numbers of an operand are random, and padding that may be anything is not comparable in a result.
    cut = with_random_order(samples.rng, cut_layout(layout.cls, shape, tiles, op is packing.PackOp))
    types = plain, stored_type(element, shape, cut)
    source, result = types if op is packing.PackOp else types[::-1]
    if op is packing.PackOp and cut.padded_axes and samples.rng.random() < 0.4:
        # Zeros are written behind blocks.
        source = stored_type(element, shape, with_random_order(samples.rng, cut.with_zeros(False)))
    return made(op, [samples.given(source)], [result])
