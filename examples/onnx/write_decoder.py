"""A small decoder as an ONNX model: `python examples/onnx/write_decoder.py decoder.onnx`. It needs the extra [onnx].

The number of texts and that of their words are known when it runs only; its causal mask is computed from the latter.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

WORDS, WIDTH, HEADS = 100, 32, 4
random = np.random.default_rng(0)


def weight(name: str, *shape: int) -> TensorProto:
    return numpy_helper.from_array(random.standard_normal(shape, np.float32) * np.float32(0.1), name)


def numbers(name: str, *values: int) -> TensorProto:
    return numpy_helper.from_array(np.array(values), name)


def node(kind: str, operands: str, result: str, **attributes: Any) -> NodeProto:
    return helper.make_node(kind, operands.split(), [result], result, **attributes)


def heads(name: str, *order: int) -> list[NodeProto]:
    return [
        node("MatMul", f"words {name}.weight", name),
        node("Reshape", f"{name} split", f"{name}.split"),
        node("Transpose", f"{name}.split", f"{name}.heads", perm=order),
    ]


graph = helper.make_graph(
    [
        node("Shape", "ids", "size", start=1),
        node("Squeeze", "size", "count"),
        node("Range", "zero count one", "places"),
        node("Unsqueeze", "places last", "rows"),
        node("Less", "rows places", "hidden"),
        node("Where", "hidden low nothing", "mask"),
        node("Gather", "table ids", "words"),
        *heads("query", 0, 2, 1, 3),
        *heads("key", 0, 2, 3, 1),
        *heads("value", 0, 2, 1, 3),
        node("MatMul", "query.heads key.heads", "products"),
        node("Add", "products mask", "masked"),
        node("Softmax", "masked", "shares", axis=-1),
        node("MatMul", "shares value.heads", "mixed"),
        node("Transpose", "mixed", "mixed.words", perm=[0, 2, 1, 3]),
        node("Reshape", "mixed.words joined", "sums"),
        node("MatMul", "sums head.weight", "scores"),
    ],
    "decoder",
    [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "sequence"])],
    [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", "sequence", WORDS])],
    [
        weight("table", WORDS, WIDTH),
        *(weight(f"{name}.weight", WIDTH, WIDTH) for name in ("query", "key", "value")),
        weight("head.weight", WIDTH, WORDS),
        numbers("split", 0, 0, HEADS, WIDTH // HEADS),
        numbers("joined", 0, 0, WIDTH),
        numbers("last", -1),
        *(numpy_helper.from_array(np.array(value), name) for name, value in (("zero", 0), ("one", 1))),
        *(
            numpy_helper.from_array(np.array(value, np.float32), name)
            for name, value in (("low", -1e4), ("nothing", 0))
        ),
    ],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
Path(sys.argv[1]).write_bytes(model.SerializeToString())
