"""Programs whose padding that may be anything is overwritten, so that compiled code cannot rely on what it wrote."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.elementwise import SelectOp
from npu_opt.dialects.npu.padding import is_padding
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.interpreter.elements import garbage, numpy_dtype
from xdsl.dialects.builtin import BFloat16Type, BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, TensorType, i1
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter


def make_padding_dirty(module: ModuleOp) -> int:
    """Write NaN, or the largest integer, into all padding that ops may fill with anything; returns how often."""
    found = [*_with_any_padding(module)]
    for value in found:
        _make_dirty(value)
    return len(found)


def _with_any_padding(module: ModuleOp) -> Iterator[OpResult]:
    """The results of all ops whose padding is not known to be zeros."""
    for value in (result for op in module.walk() for result in op.results if isinstance(result.type, TensorType)):
        layout = layout_of(value)
        if layout is not None and not layout.has_zeros:
            yield value


def _make_dirty(value: OpResult) -> None:
    layout, shape = layout_of(value), shape_of(value)
    assert layout is not None
    mask, element = is_padding(layout, shape), element_type_of(value)
    written = np.full(shape, 0x7FC0, np.uint16) if isinstance(element, BFloat16Type) else _garbage(shape, element)
    condition = _constant(mask, TensorType(i1, shape, LayoutAttr(layout)))
    numbers = _constant(written, TensorType(element, shape, LayoutAttr(layout)))
    dirty = SelectOp.create(operands=[condition.result, numbers.result, value], result_types=[value.type])
    value.replace_uses_with_if(dirty.result, lambda use: use.operation is not dirty)
    _insert_behind(value, [condition, numbers, dirty])


def _garbage(shape: Sequence[int], element: Attribute) -> np.ndarray[Any, Any]:
    dtype = numpy_dtype(element)
    return np.full(shape, garbage(dtype), dtype)


def _constant(numbers: np.ndarray[Any, Any], type_: TensorType[Any]) -> ConstantOp:
    return ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(numbers.tobytes())))


def _insert_behind(value: SSAValue, ops: list[Operation]) -> None:
    assert isinstance(value.owner, Operation)
    Rewriter.insert_op(ops, InsertPoint.after(value.owner))
