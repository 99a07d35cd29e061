"""Values that a program computes from constants alone, as constants of the imported model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    TensorType,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....bridges.imported import Imported, Weight
from ....bridges.safetensors import StoredTensor
from ....dialects.npu.attrs import Reference, ReferenceAttr
from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import CastOp, ElementwiseOp
from ....dialects.npu.movement import ConcatOp, GatherOp
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.settings.folding import FOLD_LIMIT
from ....interpreter import evaluate
from ....interpreter.elements import numpy_dtype
from ....passes.patterns.folded import is_known

if TYPE_CHECKING:
    from .models import WeightsOptions

Computed: TypeAlias = ElementwiseOp | ConcatOp | GatherOp
"""The ops that passes leave between weights and those that read them."""
SAFETENSORS_NAMES: Mapping[Attribute, str] = {f16: "F16", f32: "F32", f64: "F64"}
"""The element types that are computed."""


@dataclass(frozen=True)
class ComputedWeight:
    """A tensor that was computed from weights."""

    array: NDArray[Any]
    kind: str
    """The element type in safetensors' spelling."""

    @property
    def has_data(self) -> bool:
        return True

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def stored(self) -> StoredTensor:
        return StoredTensor(self.kind, self.shape, self.array.nbytes, self.array.tobytes)


def with_computed_weights(imported: Imported, module: ModuleOp, options: WeightsOptions, name: str) -> Imported:
    """Make constants of the floats that are computed from constants alone, up to the limit of folding.

    Returns the model with the new constants; those without data stay unchanged.
    """
    weights: dict[str, Weight] = {**imported.weights}
    limit = FOLD_LIMIT if options.fold_limit is None else options.fold_limit
    most_inline = limit if options.choice == "inline" else options.inline_limit
    for op in list(_computed(module)):
        numbers = _numbers(op.result, weights) if _size(op.result) <= limit else None
        if numbers is None:
            continue
        numbers = np.ascontiguousarray(numbers)
        if numbers.nbytes <= most_inline:
            constant = _written(op.result, numbers)
        else:
            key = _key(op.result, weights)
            weights[key] = ComputedWeight(numbers, SAFETENSORS_NAMES[element_type_of(op.result)])
            constant = ConstantOp(ReferenceAttr(Reference(options.name(name), key)), op.result.type)
        constant.location = op.location
        Rewriter.insert_op(constant, InsertPoint.before(op))
        op.result.replace_all_uses_with(constant.result)
        _erase_unused(op)
    return replace(imported, weights=weights)


def _computed(module: ModuleOp) -> Iterator[Computed]:
    """The ops on constants whose results are read by others."""
    for op in module.walk():
        if isinstance(op, Computed) and _is_computed(op) and not all(map(_is_computed, _readers(op))):
            if not _widens(op):
                yield op


def _widens(op: Computed) -> bool:
    """True for the cast of a constant that the model has in fewer bytes."""
    narrow, wide = (numpy_dtype(element_type_of(value)).itemsize for value in (op.operands[0], op.result))
    return isinstance(op, CastOp) and isinstance(op.input.owner, ConstantOp) and narrow < wide


def _readers(op: Operation) -> list[Operation]:
    return [use.operation for use in op.results[0].uses]


def _is_computed(op: Operation) -> bool:
    return isinstance(op, Computed) and element_type_of(op.result) in SAFETENSORS_NAMES and is_known(op.result)


def _size(value: SSAValue) -> int:
    return prod(shape_of(value)) * numpy_dtype(element_type_of(value)).itemsize


def _numbers(value: SSAValue, weights: Mapping[str, Weight]) -> NDArray[Any] | None:
    """The numbers of a value that is computed from constants, or None if the data of one is missing."""
    op = cast("NpuOp", value.owner)
    if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
        return _of_reference(op, op.value.data, weights)
    operands = [_numbers(operand, weights) for operand in op.operands]
    known = [each for each in operands if each is not None]
    return evaluate(op, known)[0] if len(known) == len(operands) else None


def _of_reference(op: ConstantOp, reference: Reference, weights: Mapping[str, Weight]) -> NDArray[Any] | None:
    tensor, element = weights.get(reference.key), element_type_of(op.result)
    if tensor is None or not tensor.has_data or tensor.stored().element_type != SAFETENSORS_NAMES.get(element):
        return None
    array = np.frombuffer(b"".join(tensor.stored().chunks()), numpy_dtype(element))
    for step in op.steps:
        array = array.reshape(step.shape).transpose(step.permutation)
    return array


def _written(value: SSAValue, numbers: NDArray[Any]) -> ConstantOp:
    type_ = cast("TensorType[AnyDenseElement]", value.type)
    return ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(numbers.tobytes())))


def _key(value: SSAValue, weights: Mapping[str, Weight]) -> str:
    """A new key, made from that of a tensor that the value is computed from."""
    names = (each.value.data.key for each in _constants(value) if isinstance(each.value, ReferenceAttr))
    first = f"{next(names, 'constant')}.folded"
    key, count = first, 1
    while key in weights:
        key, count = f"{first}.{count}", count + 1
    return key


def _constants(value: SSAValue) -> Iterator[ConstantOp]:
    op = cast("NpuOp", value.owner)
    if isinstance(op, ConstantOp):
        yield op
    for operand in op.operands:
        yield from _constants(operand)


def _erase_unused(op: Operation) -> None:
    """Erase an op, and those that only it reads."""
    left = [op]
    while left:
        each = left.pop()
        if each.parent is None or any(result.uses for result in each.results):
            continue
        operands = [operand.owner for operand in each.operands]
        each.detach()
        each.erase()
        left += [owner for owner in operands if isinstance(owner, Operation)]
