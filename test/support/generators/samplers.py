"""The table of samplers: for each op of the dialect a function that makes a random valid instance.

A sampler takes its operands from a `SampleSource`, so it serves single ops, whose operands are all arguments, as well
as programs, whose operands are the values computed so far.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from npu_opt.dialects.npu.attrs import i64_array, i64_attr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.dialects.op_table import OpTable
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f64,
)
from xdsl.ir import Attribute, SSAValue

from .sample_source import SampleSource, typed

Sampler: TypeAlias = Callable[[type[NpuOp], SampleSource], NpuOp | None]

SAMPLERS: OpTable[Sampler] = OpTable(f"{__package__}.ops", lambda name: LookupError(f"'{name}' has no sampler"))
"""The sampler of each op, a function of the op's class, since some samplers serve several."""

sampler = SAMPLERS.enter

Property: TypeAlias = Attribute | int | float | str | bool | Sequence[int] | None


def new_op(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    """A random detached op of this class, or None if the sampled operands are not valid for it."""
    return SAMPLERS[op](op, samples)


def made(
    op: type[NpuOp],
    operands: Sequence[SSAValue | Sequence[SSAValue] | None],
    results: Sequence[TensorType | Sequence[TensorType]],
    **properties: Property,
) -> NpuOp:
    """An op with these properties; None and False mean absent."""
    attributes = {name: attribute_of(value) for name, value in properties.items()}
    return op.build(operands=operands, result_types=results, properties=attributes)


def attribute_of(value: Property) -> Attribute | None:
    """A Python value as an attribute of the dialect."""
    match value:
        case None | False:
            return None
        case True:
            return UnitAttr()
        case int():
            return i64_attr(value)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case Attribute():
            return value
        case _:
            return i64_array(*value)


def like(value: SSAValue, shape: Sequence[int] | None = None, element: Attribute | None = None) -> TensorType:
    """The type of a value, with another shape or element type."""
    sizes = tuple(shape_of(value) if shape is None else shape)
    return typed(element_type_of(value) if element is None else element, sizes, layout_of(value))


def constant_data(type_: TensorType, data: bytes) -> DenseIntOrFPElementsAttr:
    """Elements as the value of a constant."""
    return DenseIntOrFPElementsAttr(cast(TensorType[AnyDenseElement], type_), BytesAttr(data))


def replaced(sizes: Sequence[int], changes: Mapping[int, int]) -> tuple[int, ...]:
    """The sizes, with some of them changed."""
    return tuple(changes.get(axis, size) for axis, size in enumerate(sizes))
