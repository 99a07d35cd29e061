"""Random decoders as two ONNX models: the prefill of a text, and a step that takes its caches and appends one row."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

CACHES = ("keys", "values")


@dataclass(frozen=True)
class Decoder:
    """The sizes of a decoder, and what its exporter does."""

    seed: int
    layers: int
    cached_heads: int
    group: int
    """The heads that read one of the cached ones."""
    channels: int
    heads_first: bool
    """True if caches are stored with the heads before the tokens."""
    is_rotary: bool
    is_scaled_before: bool
    """True if the keys are scaled, and not the scores."""

    @property
    def width(self) -> int:
        return self.cached_heads * self.group * self.channels

    @property
    def caches(self) -> list[str]:
        return [f"{name}_{layer}" for layer in range(self.layers) for name in CACHES]

    def cache_shape(self, tokens: str | int) -> tuple[str | int, ...]:
        inner = (self.cached_heads, tokens) if self.heads_first else (tokens, self.cached_heads)
        return 1, *inner, self.channels


def random_decoder(seed: int) -> Decoder:
    random = Random(seed)
    return Decoder(
        seed,
        random.randint(1, 2),
        random.choice((1, 2, 3)),
        random.choice((1, 2, 4)),
        random.choice((4, 6)),
        random.random() < 0.6,
        random.random() < 0.5,
        random.random() < 0.3,
    )


def prefill_of(decoder: Decoder) -> ModelProto:
    return _model(decoder, "sequence", None)


def step_of(decoder: Decoder) -> ModelProto:
    return _model(decoder, 1, "past")


def _model(decoder: Decoder, tokens: str | int, past: str | None) -> ModelProto:
    numbers = np.random.default_rng(decoder.seed)
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []
    width, channels = decoder.width, decoder.channels
    given, made = [_value("x", 1, tokens, width)], [_value("y", 1, tokens, width)]

    def node(kind: str, operands: Sequence[str], result: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, [*operands], [result], **attributes))
        return result

    def constant(name: str, value: Any, type_: Any = np.int64) -> str:
        weights.append(numpy_helper.from_array(np.array(value, type_), name))
        return name

    def product(value: str, name: str, rows: int, columns: int) -> str:
        matrix = numbers.standard_normal((rows, columns)) / rows**0.5
        return node("MatMul", [value, constant(f"{name}.weight", matrix, np.float32)], name)

    def rotated(value: str) -> str:
        low, high = f"{value}.low", f"{value}.high"
        nodes.append(helper.make_node("Split", [value, "halves"], [low, high], axis=3))
        turned = node("Concat", [node("Neg", [high], f"{value}.negative"), low], f"{value}.turned", axis=3)
        return node("Add", [value, node("Mul", [turned, "angle"], f"{value}.angle")], f"{value}.rotated")

    constant("halves", [channels // 2] * 2)
    constant("angle", 0.5, np.float32)
    constant("scale", channels**-0.5, np.float32)
    constant("grouped", [0, decoder.cached_heads, -1, channels])
    constant("joined", [0, 0, width])
    x = "x"
    for layer in range(decoder.layers):
        new: dict[str, str] = {}
        for name in ("query", *CACHES):
            heads = decoder.cached_heads * (decoder.group if name == "query" else 1)
            row = product(x, f"{name}_{layer}_new", width, heads * channels)
            parts = node("Reshape", [row, constant(f"{row}.sizes", [0, 0, heads, channels])], f"{row}.parts")
            is_turned = name == "query" or decoder.heads_first
            new[name] = node("Transpose", [parts], f"{row}.heads", perm=[0, 2, 1, 3]) if is_turned else parts
            if decoder.is_rotary and name != "values":
                new[name] = rotated(new[name])
        if decoder.is_scaled_before:
            new["keys"] = node("Mul", [new["keys"], "scale"], f"keys_{layer}_scaled")
        caches: dict[str, str] = {}
        for name in CACHES:
            own = f"{name}_{layer}"
            after = f"{own}_after"
            axis = 2 if decoder.heads_first else 1
            if past is None:
                node("Identity", [new[name]], after)
            else:
                given.append(_value(own, *decoder.cache_shape(past)))
                node("Concat", [own, new[name]], after, axis=axis)
            made.append(_value(after, *decoder.cache_shape(tokens if past is None else "total")))
            caches[name] = after
        perms = {"keys": [0, 1, 3, 2] if decoder.heads_first else [0, 2, 3, 1], "values": [0, 2, 1, 3]}
        keys = node("Transpose", [caches["keys"]], f"keys_{layer}_turned", perm=perms["keys"])
        values = caches["values"]
        if not decoder.heads_first:
            values = node("Transpose", [values], f"values_{layer}_turned", perm=perms["values"])
        # The heads of a group are rows of one product.
        query = node("Reshape", [new["query"], "grouped"], f"query_{layer}_grouped")
        scores = node("MatMul", [query, keys], f"scores_{layer}")
        if not decoder.is_scaled_before:
            scores = node("Mul", [scores, "scale"], f"scores_{layer}_scaled")
        mixed = node("MatMul", [node("Softmax", [scores], f"soft_{layer}", axis=3), values], f"mixed_{layer}")
        heads = constant(f"heads_{layer}", [0, decoder.cached_heads * decoder.group, -1, channels])
        apart = node("Reshape", [mixed, heads], f"mixed_{layer}_heads")
        rows = node("Transpose", [apart], f"mixed_{layer}_rows", perm=[0, 2, 1, 3])
        joined = node("Reshape", [rows, "joined"], f"mixed_{layer}_joined")
        is_last = layer + 1 == decoder.layers
        x = node("Add", [x, product(joined, f"out_{layer}", width, width)], "y" if is_last else f"x_{layer}")
    graph = helper.make_graph(nodes, "decoder", given, made, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _value(name: str, *shape: str | int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
