"""The ops of ONNX in each opset, from the definitions in the package onnx.

Exporters ask for the opset that has an op; each node is checked against the definition of its op when it is added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
from onnx import AttributeProto, TensorProto, defs, helper

from ..errors import NotExportable
from ..importing.checking import NEWEST_OPSET

OLDEST_KEPT = 7
"""The oldest opset in which a model leaves if it came in it."""
AXES_NEGATIVE = 11
"""The opset from which on axes may be counted from the last one."""
WRITTEN_SINCE: Mapping[str, int] = {
    "GroupNormalization": 21,
    **dict.fromkeys(("Hardmax", "LogSoftmax", "Resize", "Softmax"), 13),
}
"""Ops that are written in the meaning that they have since this opset only."""

Inputs: TypeAlias = Sequence[int | None]
"""The element types of the inputs of a node; None is an absent input."""


class NeedsOpset(NotExportable):
    """A node that the chosen opset cannot say, but a newer one can."""

    def __init__(self, kind: str, opset: "Opset", needed: int):
        what = f"this form of {kind}" if _definition(kind, opset.number) else kind
        said = f"the target takes opset {opset.number} at most"
        chosen = said if opset.is_of_target else f"opset={opset.number} was chosen"
        super().__init__(f"{what} needs opset {needed}, but {chosen}")
        self.kind, self.needed = kind, needed


@dataclass(frozen=True)
class Opset:
    """The opset of a model."""

    number: int
    is_fixed: bool = False
    """True if the user or the target chose it. Ops that it lacks are then expanded, if possible."""
    is_of_target: bool = False
    """True if the target takes no newer one, and the user chose none."""
    lacks: frozenset[str] = frozenset()
    """The ops that the target's engine does not have in any opset."""

    def has(self, kind: str, *elements: int) -> bool:
        """True if the opset has an op for inputs of these types; raises `NeedsOpset` if a newer one may be taken."""
        if kind in self.lacks:
            return False
        needed = lowest_opset(kind, self.number, elements, None, frozenset[str]())
        if needed not in (None, self.number) and not self.is_fixed:
            raise NeedsOpset(kind, self, needed)
        return needed == self.number

    def has_attribute(self, kind: str, name: str) -> bool:
        """True if an op has this attribute."""
        definition = _definition(kind, self.number)
        return definition is not None and name in definition.attributes

    def written(self, kind: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes of an op without those that the opset lacks because it always means this value."""
        definition = _definition(kind, self.number) if attributes else None
        if definition is None:
            return dict(attributes)
        return {
            name: value
            for name, value in attributes.items()
            if name in definition.attributes or not _is_implied(name, value)
        }

    def types(self, kind: str, place: int) -> frozenset[int] | None:
        """The element types of an input of an op, or None if the opset does not have the op."""
        definition = _definition(kind, self.number)
        return None if definition is None else definition.input_types(place)

    def check(self, kind: str, inputs: Inputs, output: int, attributes: Mapping[str, Any]) -> None:
        """Check that the opset can say a node."""
        needed = lowest_opset(kind, self.number, tuple(inputs), output, frozenset(attributes))
        if needed is None:
            raise NotExportable(f"ONNX has no {kind} of these element types")
        if needed < AXES_NEGATIVE and _has_negative_axes(attributes):
            needed = AXES_NEGATIVE
        if needed != self.number:
            raise NeedsOpset(kind, self, needed)


def _has_negative_axes(attributes: Mapping[str, Any]) -> bool:
    found = (attributes[name] for name in ("axis", "axes") if name in attributes)
    numbers = (helper.get_attribute_value(each) if isinstance(each, AttributeProto) else each for each in found)
    return any((np.asarray(axes) < 0).any() for axes in numbers)


def _is_implied(name: str, value: Any) -> bool:
    """True for the value that an attribute has in opsets without it."""
    return (name == "allowzero" and not value) or (name == "dilations" and set(value) == {1})


@dataclass(frozen=True)
class _Definition:
    """The definition of an op."""

    attributes: frozenset[str]
    fewest_inputs: int
    most_inputs: int
    inputs: tuple[frozenset[int], ...]
    output: frozenset[int]

    def input_types(self, place: int) -> frozenset[int]:
        """The types of an input; the last definition is that of all further ones."""
        return self.inputs[min(place, len(self.inputs) - 1)]

    def accepts(self, inputs: Inputs, output: int | None, attributes: frozenset[str]) -> bool:
        """True for a node with inputs and an output of these types and with these attributes.

        Without an output the inputs are the first ones.
        """
        if len(inputs) > self.most_inputs or not attributes <= self.attributes:
            return False
        if output is not None and len(inputs) < self.fewest_inputs:
            return False
        # Values that are no tensors, and those of unknown rank, have no element type.
        return (not output or output in self.output) and all(
            not element or element in self.input_types(place) for place, element in enumerate(inputs)
        )


@lru_cache(maxsize=4096)
def lowest_opset(
    kind: str, opset: int, inputs: tuple[int | None, ...], output: int | None, attributes: frozenset[str]
) -> int | None:
    """The lowest opset from `opset` on that can say a node, or None."""
    for number in range(opset, max(opset, NEWEST_OPSET) + 1):
        definition = _definition(kind, number)
        if definition is not None and definition.accepts(inputs, output, attributes):
            return number
    return None


@cache
def _definition(kind: str, opset: int) -> _Definition | None:
    """The definition of an op with its present meaning, or None if the opset has none."""
    if opset < WRITTEN_SINCE.get(kind, 0) or not defs.has(kind, opset):
        return None
    schema = defs.get_schema(kind, opset)
    inputs = tuple(_elements(each.types) for each in schema.inputs)
    output = _elements(schema.outputs[0].types)
    return _Definition(frozenset(schema.attributes), schema.min_input, schema.max_input, inputs, output)


@cache
def _numbers() -> Mapping[str, int]:
    return {f"tensor({name.lower()})": number for name, number in TensorProto.DataType.items()}


def _elements(types: set[str]) -> frozenset[int]:
    return frozenset(_numbers()[name] for name in types if name in _numbers())
