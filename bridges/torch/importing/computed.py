"""Constants that a conversion computes from those of the program, such as parameters with parts in another order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ....dialects.npu.attrs import ReferenceAttr
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, shape_of
from ...building import UnsupportedNode
from ...imported import Weight
from ...safetensors import StoredTensor
from ..numbers import bytes_of, dense_of_bytes

Arrays: TypeAlias = Sequence[NDArray[Any]]
Rearranged: TypeAlias = Callable[[Arrays], NDArray[Any]]
"""A function of arrays that have the bytes of an element along one more axis, the last one."""


@dataclass(frozen=True)
class RearrangedWeight:
    """A tensor whose elements are those of others, which are read when it is."""

    kind: str
    """The element type in safetensors' spelling."""
    shape: tuple[int, ...]
    sources: Sequence[ConstantOp | Weight]
    shapes: Sequence[tuple[int, ...]]
    rearranged: Rearranged

    @property
    def has_data(self) -> bool:
        return all(isinstance(each, ConstantOp) or each.has_data for each in self.sources)

    def data(self) -> bytes:
        read = (bytes_of(x) if isinstance(x, ConstantOp) else b"".join(x.stored().chunks()) for x in self.sources)
        arrays = [
            np.frombuffer(data, np.uint8).reshape(*shape, -1) for data, shape in zip(read, self.shapes, strict=True)
        ]
        return np.ascontiguousarray(self.rearranged(arrays)).tobytes()

    def stored(self) -> StoredTensor:
        first = next(each for each in self.sources if not isinstance(each, ConstantOp))
        size = first.stored().length // max(prod(first.shape), 1)
        return StoredTensor(self.kind, self.shape, prod(self.shape) * size, self.data)


class ComputedWeights:
    """The tensors that a program refers to, to which computed ones are added."""

    def __init__(self, weights: dict[str, Weight] | None) -> None:
        self._weights = weights
        self._keys: dict[Hashable, str] = {}

    def constant(
        self, sources: Sequence[SSAValue], name: str, shape: tuple[int, ...], rearranged: Rearranged
    ) -> ConstantOp:
        """A constant of the elements of others; computations of one name from the same constants are the same."""
        ops = [each.owner for each in sources]
        constants = [each for each in ops if isinstance(each, ConstantOp)]
        if len(constants) < len(ops):
            raise UnsupportedNode("parameters that are computed")
        element = element_type_of(sources[0])
        given = [self._source(each) for each in constants]
        made = RearrangedWeight("", shape, given, [shape_of(each) for each in sources], rearranged)
        first = next((each.value for each in constants if isinstance(each.value, ReferenceAttr)), None)
        if first is None:
            return ConstantOp(dense_of_bytes(made.data(), element, shape))
        assert self._weights is not None
        same = name, *(each.value for each in constants)
        if same not in self._keys:
            key = f"{first.data.key}.{name}"
            while key in self._weights:
                key += "_"
            self._keys[same] = key
            kind = self._weights[first.data.key].stored().element_type
            self._weights[key] = replace(made, kind=kind)
        return ConstantOp(ReferenceAttr(replace(first.data, key=self._keys[same])), TensorType(element, shape))

    def _source(self, op: ConstantOp) -> ConstantOp | Weight:
        if not isinstance(op.value, ReferenceAttr):
            return op
        found = (self._weights or {}).get(op.value.data.key)
        if found is None or found.shape != shape_of(op.result):
            raise UnsupportedNode("parameters without numbers")
        return found


def rows_in_order(arrays: Arrays, order: Sequence[int]) -> list[NDArray[Any]]:
    """Arrays whose first axis has as many equal parts, in another order."""
    parts = (each.reshape(len(order), -1, *each.shape[1:])[[*order]] for each in arrays)
    return [part.reshape(each.shape) for part, each in zip(parts, arrays, strict=True)]


def stacked(order: Sequence[int], joined: int) -> Rearranged:
    """Arrays with their parts in another order; so many at a time are joined, and all are stacked."""
    return partial(_stacked, order=order, joined=joined)


def _stacked(arrays: Arrays, order: Sequence[int], joined: int) -> NDArray[Any]:
    turned = rows_in_order(arrays, order)
    return np.stack([np.concatenate(turned[first : first + joined]) for first in range(0, len(turned), joined)])
