"""Node tests of onnx, each with models that differ in one place: an attribute, the opset, an input, a constant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, defs, helper, numpy_helper

from .attribute_values import mutants_of
from .backend_nodes import all_cases, as_array, bound_model, short_inputs

Arrays = Sequence[NDArray[Any]]
OPSETS = range(7, 27)


@dataclass(frozen=True)
class Family:
    """A model of one node, its inputs, and models that take the same inputs and may compute other numbers."""

    name: str
    model: ModelProto
    inputs: Arrays
    others: Mapping[str, ModelProto]


def families(rng: Random) -> Iterator[Family]:
    """A family for each node test whose inputs are tensors, in random order."""
    cases = [case for case in all_cases() if case.model is not None and len(case.model.graph.node) == 1]
    rng.shuffle(cases)
    for case in cases:
        given = case.data_sets[0][0]
        bound = short_inputs(case, 1)
        inputs = [as_array(each) for index, each in enumerate(given) if index not in bound]
        if not case.model.graph.node[0].domain and all(each is not None for each in inputs):
            model = bound_model(case, bound)
            yield Family(case.name, model, [each for each in inputs if each is not None], dict(_others(model, rng)))


def _others(model: ModelProto, rng: Random) -> Iterator[tuple[str, ModelProto]]:
    (node,) = model.graph.node
    version = max((each.version for each in model.opset_import if not each.domain), default=0)
    if defs.has(node.op_type, version):
        schema = defs.get_schema(node.op_type, version)
        kinds: dict[str, Any] = {name: each.type for name, each in schema.attributes.items()}
        for each in mutants_of("", model, {name: int(kind.value) for name, kind in kinds.items()}, []):
            yield each.name, each.model
    for other in OPSETS:
        if other != version:
            copy = _copy(model)
            del copy.opset_import[:]
            copy.opset_import.append(helper.make_opsetid("", other))
            yield f"opset {other}", copy
    for place in range(len(node.input)):
        copy = _copy(model)
        copy.graph.node[0].input[place] = ""
        yield f"without input {place}", copy
        for other in range(place):
            copy = _copy(model)
            names = copy.graph.node[0].input
            names[place], names[other] = names[other], names[place]
            yield f"inputs {other} and {place} exchanged", copy
    for place, tensor in enumerate(model.graph.initializer):
        for name, changed in _numbers(numpy_helper.to_array(tensor), rng):
            copy = _copy(model)
            copy.graph.initializer[place].CopyFrom(numpy_helper.from_array(changed, tensor.name))
            yield f"{tensor.name} {name}", copy


def _numbers(array: NDArray[Any], rng: Random) -> Iterator[tuple[str, NDArray[Any]]]:
    if array.dtype.kind not in "iuf" or not array.size:
        return
    changed = array.copy()
    place = rng.randrange(array.size)
    changed.flat[place] = not changed.flat[place]
    yield "changed in one place", changed
    yield "reversed", np.ascontiguousarray(array[::-1] if array.ndim else array + 1)
    if array.dtype.kind == "i":
        yield "negative", -array


def _copy(model: ModelProto) -> ModelProto:
    """A copy of a model; its results may have other shapes."""
    copy = ModelProto()
    copy.CopyFrom(model)
    for output in copy.graph.output:
        output.type.tensor_type.ClearField("shape")
    return copy


def special(array: NDArray[Any], seed: int) -> NDArray[Any]:
    """Numbers like those of an array, with signed zeros, infinities and NaN among floats."""
    generator = np.random.default_rng(seed)
    if array.dtype.kind != "f":
        return generator.permutation(array.ravel()).reshape(array.shape)
    found = (array * generator.uniform(-3, 3, array.shape)).astype(array.dtype)
    rare = generator.random(array.shape) < 0.2
    return np.where(
        rare, generator.choice(np.array([0.0, -0.0, np.inf, -np.inf, np.nan], array.dtype), array.shape), found
    )
