"""Pairs of small ONNX models that compute other numbers on some input: no proof may call them equal."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, helper, parser

from .unequal_nodes import Choice, choices

Array = NDArray[Any]
Case: TypeAlias = tuple[Choice, tuple[str, str], str]
"""A body, two words for its blank, and its surroundings."""
SIZES = {"n": 1, "m": 3}
"""The sizes of inputs for unknown ones that are meant to differ; others are unknown versions of known ones."""
SPECIAL = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 1e-38, 2.5, -3.5, 1e-40, 3e38, 0.5, -1], np.float32)
PLACES = ("in the graph", "in a function", "in a branch", "of unknown sizes")
"""The surroundings of a body."""


@dataclass(frozen=True)
class Pair:
    """Two models with the same inputs, some of which may show that they differ."""

    family: str
    name: str
    first: bytes
    second: bytes
    inputs: Sequence[Sequence[Array]]
    ending: str = ".onnx"


def pairs_of_nodes() -> Iterator[Pair]:
    """All pairs, one of each family in turn as long as there are any."""
    by_family: dict[str, list[Case]] = {}
    for choice in choices():
        made = [(choice, words, place) for words in combinations(choice.words, 2) for place in PLACES]
        by_family.setdefault(choice.family, []).extend(made)
    for each in by_family.values():
        Random(0).shuffle(each)
    for turn in zip_longest(*by_family.values()):
        cases: list[Case] = [each for each in turn if each is not None]
        yield from (_pair(*each) for each in cases)


def _pair(choice: Choice, words: tuple[str, str], place: str) -> Pair:
    name = f"{choice.body} with {words[0]!r} and {words[1]!r}, {place}"
    models = [_model(choice, word, place) for word in words]
    return Pair(choice.family, name, *models, inputs=_inputs(choice.inputs))


def _model(choice: Choice, word: str, place: str) -> bytes:
    """A body in its surroundings, with a word in the blank."""
    blank, version = ("", int(word)) if choice.versions else (word, choice.since)
    body, functions = choice.body.replace("$", blank), [each.replace("$", blank) for each in choice.functions]
    imports = f'"": {version}, "local": 1, "com.microsoft": 1'
    if place == "in a function":
        names = ", ".join(name for _, _, name in _ends(choice.inputs))
        functions.append(f"Around ({names}) => (y) {{ {body} }}")
        body = f"y = local.Around ({names})"
    if place == "in a branch":
        end = f"{choice.kind}[]"
        parts = [
            f"{part}_branch = {part}_ () => ({end} {part}_y) {{ {body} {part}_y = Identity (y) }}"
            for part in ("then", "else")
        ]
        body = f"taken = Constant <value = bool {{1}}> () y = If (taken) <{', '.join(parts)}>"
    text = f"<ir_version: 8, opset_import: [{imports}]> net ({choice.inputs}) => ({choice.kind}[] y) {{ {body} }}"
    text += "".join(f' <domain: "local", opset_import: [{imports}]> {each}' for each in functions)
    model = parser.parse_model(text)
    _forget_shapes(model.graph)
    if place == "of unknown sizes":
        for end in model.graph.input:
            for axis, dim in enumerate(end.type.tensor_type.shape.dim):
                dim.dim_param = dim.dim_param or f"{end.name}{axis}"
    return model.SerializeToString()


def _forget_shapes(graph: GraphProto) -> None:
    """Leave the shapes of the results to inference; the text says a rank."""
    for output in graph.output:
        if not output.type.tensor_type.shape.dim:
            output.type.tensor_type.ClearField("shape")
    for attribute in (each for node in graph.node for each in node.attribute if each.HasField("g")):
        _forget_shapes(attribute.g)


def _ends(inputs: str) -> list[tuple[str, list[int], str]]:
    """The element types, shapes and names of inputs."""
    found = re.findall(r"(\w+)\[([\w,]*)\] (\w+)", inputs)
    return [(kind, [SIZES.get(size) or int(size) for size in sizes.split(",")], name) for kind, sizes, name in found]


def _inputs(inputs: str) -> list[list[Array]]:
    """Usual numbers, large and small ones, and special ones in several orders."""
    return [[numbers(way, index, *each[:2]) for index, each in enumerate(_ends(inputs))] for way in range(6)]


def numbers(way: int, index: int, kind: str, shape: Sequence[int]) -> Array:
    """The numbers of an input, in one of six ways."""
    generator = np.random.default_rng((way, index))
    if kind == "int32":
        bounds = ((-9, 10), (-200, 200), (-(2**31), 2**31), (60000, 70000), (0, 5), (-3, 3))[way]
        return generator.integers(*bounds, shape).astype(np.int32)
    scale = (1.0, 10.0, 1e-3, 1e6, 1e-38, 0.03125)[way]
    found = (generator.standard_normal(shape) * scale).astype(np.float32)
    if way == 5:
        return (np.round(found / scale) * scale).astype(np.float32)
    if way in (1, 4):
        chosen = np.resize(np.roll(SPECIAL, way + 3 * index), shape)
        return np.where(generator.random(shape) < 0.8, chosen, found).astype(np.float32)
    return found


def with_defaults(seed: int) -> Pair:
    """An input with a default, and a constant or another default in its place."""
    generator = np.random.default_rng(seed)
    values = generator.standard_normal((2, 4)).astype(np.float32)
    x, w = (helper.make_tensor_value_info(name, 1, [4]) for name in "xw")
    y = helper.make_tensor_value_info("y", 1, [4])
    op = ("Mul", "Add", "Sub", "Max")[seed % 4]
    models: list[bytes] = []
    for value in values if seed % 3 else values[[0, 0]]:
        tensor = helper.make_tensor("w", 1, [4], value)
        has_default = bool(seed % 3) or not models
        graph = helper.make_graph(
            [helper.make_node(op, ["x", "w"], ["y"])], "g", [x, w][: 1 + has_default], [y], [tensor]
        )
        model: ModelProto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        models.append(model.SerializeToString())
    return Pair("defaults", f"seed {seed}", *models, inputs=[[values[0], values[1]], [values[1]]])


def pairs_with_defaults(count: int) -> Iterator[Pair]:
    return map(with_defaults, range(count))
