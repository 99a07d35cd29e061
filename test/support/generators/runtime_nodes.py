"""Models of one node with random attributes: ops of decoders, of ONNX and of ONNX Runtime."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper

Array = NDArray[Any]

MICROSOFT = "com.microsoft"


@dataclass
class RuntimeNode:
    """A node, and the numbers of its inputs; None is one that is left out."""

    kind: str
    attributes: dict[str, Any]
    inputs: Sequence[Array | None]
    outputs: Sequence[str] = ("y",)
    """The names of its outputs; `""` is one that is left out."""
    domain: str = MICROSOFT
    opset: int = 21


def floats(rng: Random, *shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(rng.randrange(1 << 30)).standard_normal(shape).astype(dtype)


def maybe(rng: Random, given: Array) -> Array | None:
    return rng.choice((given, None))


def normalised_sum(rng: Random) -> RuntimeNode:
    batch, rows, size = (rng.randint(1, 4) for _ in range(3))
    dtype = rng.choice((np.float32, np.float32, np.float16))
    data = floats(rng, batch, rows, size, dtype=dtype)
    skip = floats(rng, *rng.choice(((batch, rows, size), (1, rows, size), (rows, size))), dtype=dtype)
    vectors = [floats(rng, size, dtype=dtype) for _ in range(3)]
    parameters = [maybe(rng, each) for each in vectors[1:]]
    kind = rng.choice(("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"))
    inputs = [data, skip, vectors[0], *(parameters if kind == "SkipLayerNormalization" else parameters[:1])]
    outputs = rng.choice((["y"], ["y", "", "", "t"]))
    return RuntimeNode(kind, {"epsilon": 1e-3}, inputs, outputs)


def mean_square(rng: Random) -> RuntimeNode:
    data = floats(rng, *(rng.randint(1, 4) for _ in range(rng.randint(1, 4))))
    axis = rng.randrange(-data.ndim, data.ndim)
    scale = floats(rng, *data.shape[axis:])
    attributes = {"axis": axis, "epsilon": 1e-3, "stash_type": 1}
    return RuntimeNode("SimplifiedLayerNormalization", attributes, [data, scale], domain="")


KINDS: Sequence[Callable[[Random], RuntimeNode]] = (normalised_sum, mean_square)


def random_runtime_node(seed: int) -> tuple[ModelProto, dict[str, Array]]:
    """A model of one node and the numbers of its inputs."""
    rng = Random(seed)
    return model_of(rng, rng.choice(KINDS)(rng))


def model_of(rng: Random, node: RuntimeNode) -> tuple[ModelProto, dict[str, Array]]:
    """A model of a node, some of whose sizes may be unknown."""
    unknown, names = rng.choice((0.0, 0.0, 0.5, 1.0)), [f"x{index}" for index, _ in enumerate(node.inputs)]
    arrays = {name: each for name, each in zip(names, node.inputs, strict=True) if each is not None}
    element = helper.np_dtype_to_tensor_dtype
    inputs = [
        helper.make_tensor_value_info(
            name, element(each.dtype), [None if rng.random() < unknown else size for size in each.shape]
        )
        for name, each in arrays.items()
    ]
    given = [name if name in arrays else "" for name in names]
    made = helper.make_node(node.kind, given, node.outputs, domain=node.domain, **node.attributes)
    floating = TensorProto.FLOAT if node.inputs[0] is None else element(node.inputs[0].dtype)
    results = [helper.make_tensor_value_info(name, floating, None) for name in node.outputs if name]
    opsets = [helper.make_opsetid("", node.opset), helper.make_opsetid(MICROSOFT, 1)]
    graph = helper.make_graph([made], "g", inputs, results)
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), arrays
