"""Samplers of attention, and of what turns queries and keys."""

from collections.abc import Mapping, Sequence

from npu_opt.dialects.npu import attention
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from xdsl.ir import Attribute, SSAValue

from ..sample_source import F16, F32, F64, I1, I64, SMALL, TENSOR_CLASSES, Range, SampleSource, Want, fits, typed
from ..samplers import made, sampler

ELEMENTS = (F32, F32, F32, F16, F64)


@sampler(attention.AttentionOp)
def _attention(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    query = samples.some(Want(ELEMENTS, (4,), TENSOR_CLASSES, SMALL))
    axes, element, layout = _axes(samples, op), element_type_of(query), layout_of(query)
    batch, heads, rows, depth = sizes = _heads_first(axes["query"], shape_of(query))
    if 0 in sizes or element not in ELEMENTS:
        # ONNX Runtime divides by the number of heads, and has no largest of nothing.
        return None
    shared = samples.one([each for each in range(1, heads + 1) if heads % each == 0])
    keys, width = samples.rng.randint(1, 4), samples.rng.randint(1, 3)
    sides = (("key", depth), ("value", width))
    shapes = [_stored(axes[name], (batch, shared, keys, each)) for name, each in sides]
    if not all(map(fits, (*shapes, (batch, heads, rows, keys)))):
        return None
    given = [samples.given(typed(element, shape, layout), SMALL) for shape in shapes]
    result = typed(element, _stored(axes["result"], (batch, heads, rows, width)), layout)
    mask = _mask(samples, (batch, heads, rows, keys), element)
    numbers = {"scale": samples.one((0.5, 1.0, 0.125)), "softcap": samples.one((None, None, 2.0))}
    flags = {"causal": samples.chance(0.4), **_attributes(axes)}
    return made(op, [query, *given, mask], [result], **numbers, **flags)


def _axes(samples: SampleSource, op: type[NpuOp]) -> dict[str, str]:
    """The axes of each value with heads: all in one of the orders of ONNX, or each in its own."""
    alike = samples.one(("BHNC", "BNHC", ""))
    return {name: alike or "".join(samples.rng.sample("BHNC", 4)) for name in op.LETTERED}


def _attributes(axes: Mapping[str, str]) -> dict[str, str | None]:
    return {f"{name}_axes": None if each == "BHNC" else each for name, each in axes.items()}


def _heads_first(axes: str, sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(sizes[axes.index(letter)] for letter in "BHNC")


def _stored(axes: str, sizes: Sequence[int]) -> tuple[int, ...]:
    """The shape of a value with these axes, of the sizes of B, H, N and C."""
    return tuple(sizes["BHNC".index(letter)] for letter in axes)


def _mask(samples: SampleSource, shape: Sequence[int], element: Attribute) -> SSAValue | None:
    if samples.chance(0.4):
        return None
    sizes = [1 if axis < 3 and samples.chance(0.5) else size for axis, size in enumerate(shape)]
    return samples.given(typed(samples.one((element, I1)), tuple(sizes), samples.tensor_layout(4)))


@sampler(attention.RotaryOp)
def _rotary(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ELEMENTS, (4,), TENSOR_CLASSES))
    axes, element = _axes(samples, op), element_type_of(x)
    batch, _, rows, depth = sizes = _heads_first(axes["input"], shape_of(x))
    if 0 in sizes or depth % 2 or element not in ELEMENTS:
        return None
    angles, has_positions = samples.rng.randint(1, depth // 2), samples.chance(0.6)
    count = rows + samples.rng.randint(0, 3)
    shape = (count, angles) if has_positions else (batch, rows, angles)
    layout = samples.tensor_layout(len(shape))
    cos, sin = (samples.given(typed(element, shape, layout), SMALL) for _ in range(2))
    places = typed(I64, (batch, rows), samples.tensor_layout(2))
    positions = samples.given(places, Range(0, count - 1), True) if has_positions else None
    flags = {"interleaved": samples.chance(0.4), **_attributes(axes)}
    result = typed(element, _stored(axes["result"], sizes), layout_of(x))
    return made(op, [x, cos, sin, positions], [result], **flags)
