"""The orders in which a program reads its constants, found by following their elements through all views."""

from collections.abc import Iterator, Mapping
from math import prod

import numpy as np
from npu_opt.dialects.npu.attrs import ReferenceAttr
from npu_opt.dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, order_of_value, shape_of
from npu_opt.layout import invert, unpermute
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from support.oracles.prices import moved_bytes

Data = tuple[Attribute | tuple[str, str], Attribute]
"""The value or the file and key of a constant, and its type or element type: constants with the same ones are one."""


def orders_of_constants(module: ModuleOp) -> Mapping[Data, tuple[int, set[bytes]]]:
    """For each constant that is read its bytes, and the sequences of its elements that are."""
    found: dict[Data, tuple[int, set[bytes]]] = {}
    for op in _that_compute(module):
        for value in op.operands:
            views = [*_views(value)]
            source = (views[-1].operands[0] if views else value).owner
            if isinstance(source, ConstantOp):
                data, stored = read_numbers(source)
                for view in reversed(views):
                    stored = _viewed(view, stored)
                known = found.setdefault(data, (moved_bytes(value), set()))
                known[1].add(stored.tobytes())
    return found


def read_numbers(constant: ConstantOp) -> tuple[Data, NDArray[np.int64]]:
    """The data of a constant, and the numbers of its elements as it is stored."""
    shape, value = shape_of(constant.result), constant.value
    if not isinstance(value, ReferenceAttr):
        return (value, constant.result.type), np.arange(prod(shape), dtype=np.int64).reshape(shape)
    order = value.data.permutation or tuple(range(len(shape)))
    numbers = np.arange(prod(shape), dtype=np.int64).reshape(unpermute(shape, order)).transpose(order)
    return ((value.data.file, value.data.key), element_type_of(constant.result)), numbers


def further_orders(module: ModuleOp) -> list[int]:
    """For each order of a constant beside the first its bytes."""
    return [size for size, found in orders_of_constants(module).values() for _ in range(len(found) - 1)]


def _that_compute(module: ModuleOp) -> Iterator[Operation]:
    """The ops with effects and those that they depend on, without views and constants."""
    ops = [*module.walk()]
    live = {op for op in ops if not is_side_effect_free(op) or op.regions or not op.results}
    for op in reversed(ops):
        if op in live:
            live |= {value.owner for value in op.operands if isinstance(value.owner, Operation)}
            if not isinstance(op, AnyTransposeOp | RelabelOp | ReshapeOp):
                yield op


def _views(value: SSAValue) -> Iterator[Operation]:
    """The views between a value and what is behind them, the last one first."""
    while isinstance(op := value.owner, AnyTransposeOp | RelabelOp | ReshapeOp):
        yield op
        value = op.input


def _viewed(view: Operation, stored: NDArray[np.int64]) -> NDArray[np.int64]:
    """The elements of a view as it is stored."""
    (given,), (result,) = view.operands, view.results
    if isinstance(view, AnyTransposeOp):
        return stored.transpose(view.moved())
    if isinstance(view, RelabelOp):
        return stored
    logical = stored.transpose(invert(order_of_value(given)))
    made = logical.reshape(unpermute(shape_of(result), order_of_value(result)))
    return made.transpose(order_of_value(result))
