"""Models of one node with random attributes, and ops behind it whose results depend on its shape."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper, shape_inference

Array = NDArray[Any]


@dataclass
class Node:
    """A node: its attributes, inputs and constants by name, in the order of its inputs."""

    kind: str
    opset: int
    attributes: dict[str, Any]
    inputs: dict[str, Array]
    constants: dict[str, Array] = field(default_factory=dict[str, Array])


def floats(rng: Random, *shape: int) -> Array:
    return np.random.default_rng(rng.randrange(1 << 30)).standard_normal(shape).astype(np.float32)


def sizes(rng: Random, least: int, most: int, largest: int = 4) -> list[int]:
    return [rng.randrange(1, largest + 1) for _ in range(rng.randint(least, most))]


def some(rng: Random, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if rng.random() < 0.6}


def axis_of(rng: Random, rank: int) -> int:
    return rng.randrange(-rank, rank)


def axes_of(rng: Random, rank: int) -> list[int]:
    return [axis - rank * rng.randrange(2) for axis in rng.sample(range(rank), rng.randint(0, rank))]


def windows(rng: Random, extents: Sequence[int]) -> dict[str, Any]:
    axes = range(len(extents))
    found = {
        "strides": [rng.choice((1, 1, 2, 3)) for _ in axes],
        "dilations": [rng.choice((1, 1, 2, 3)) for _ in axes],
        "kernel_shape": list(extents),
    }
    how: Sequence[dict[str, Any]] = (
        {},
        {"pads": [rng.choice((0, 0, 1, 2, 3)) for _ in range(2 * len(extents))]},
        {"auto_pad": rng.choice(("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))},
    )
    return {**some(rng, found), **rng.choice(how)}


def convolution(rng: Random) -> Node:
    extents, groups = [rng.randint(1, 4) for _ in range(rng.choice((1, 2, 2, 3)))], rng.choice((1, 1, 2, 3))
    inside, outside = rng.choice((1, 2)), groups * rng.choice((1, 2))
    data = floats(rng, 2, groups * inside, *(rng.randrange(3, 11) for _ in extents))
    constants = some(rng, {"b": floats(rng, outside)})
    constants = {"w": floats(rng, outside, inside, *extents), **constants}
    return Node("Conv", rng.choice((9, 11, 22)), {"group": groups, **windows(rng, extents)}, {"x": data}, constants)


def transposed(rng: Random) -> Node:
    extents, groups = [rng.randint(1, 4) for _ in range(rng.choice((1, 2, 2, 3)))], rng.choice((1, 1, 2))
    data = floats(rng, 2, groups, *(rng.randrange(1, 7) for _ in extents))
    attributes, ones = windows(rng, extents), [1] * len(extents)
    strides, dilations = attributes.get("strides", ones), attributes.get("dilations", ones)
    if rng.random() < 0.4:
        attributes["output_padding"] = [rng.randrange(max(pair)) for pair in zip(strides, dilations, strict=True)]
    if rng.random() < 0.4:
        whole = zip(data.shape[2:], strides, extents, dilations, strict=True)
        attributes["output_shape"] = [
            max((size - 1) * stride + (extent - 1) * dilation + rng.randrange(-3, 4), 1)
            for size, stride, extent, dilation in whole
        ]
    constants = {"w": floats(rng, groups, 2, *extents), **some(rng, {"b": floats(rng, 2 * groups)})}
    return Node("ConvTranspose", rng.choice((9, 11, 22)), {"group": groups, **attributes}, {"x": data}, constants)


def response(rng: Random) -> Node:
    attributes = {"size": rng.choice((1, 3, 5, 7)), **some(rng, {"alpha": 0.3, "beta": 0.6, "bias": 1.5})}
    return Node("LRN", rng.choice((9, 13)), attributes, {"x": floats(rng, *sizes(rng, 4, 4, 7))})


def blocks(rng: Random) -> Node:
    size, channels = rng.choice((1, 2, 3)), rng.choice((1, 2))
    if rng.random() < 0.4:
        data = floats(rng, 2, channels, size * 2, size)
        return Node("SpaceToDepth", rng.choice((9, 13)), {"blocksize": size}, {"x": data})
    attributes = {"blocksize": size, **some(rng, {"mode": rng.choice(("DCR", "CRD"))})}
    return Node("DepthToSpace", rng.choice((11, 13)), attributes, {"x": floats(rng, 2, channels * size * size, 2, 3)})


def layer(rng: Random) -> Node:
    data = floats(rng, *sizes(rng, 1, 4))
    axis = axis_of(rng, data.ndim)
    constants = {"s": floats(rng, *data.shape[axis:]), **some(rng, {"b": floats(rng, *data.shape[axis:])})}
    return Node("LayerNormalization", 17, {"axis": axis, "epsilon": 0.1}, {"x": data}, constants)


def softmax(rng: Random) -> Node:
    data = floats(rng, *sizes(rng, 1, 4))
    attributes = some(rng, {"axis": axis_of(rng, data.ndim)})
    return Node(rng.choice(("Softmax", "LogSoftmax")), rng.choice((11, 12, 13)), attributes, {"x": data})


def reduction(rng: Random) -> Node:
    data = floats(rng, *sizes(rng, 1, 4))
    names = ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSumExp", "SumSquare")
    kind, opset, axes = f"Reduce{rng.choice(names)}", rng.choice((11, 13, 18, 20)), axes_of(rng, data.ndim)
    attributes = some(rng, {"keepdims": rng.randrange(2)})
    if opset < (13 if kind == "ReduceSum" else 18):
        return Node(kind, opset, {**attributes, **({"axes": axes} if axes else {})}, {"x": data})
    attributes |= some(rng, {"noop_with_empty_axes": rng.randrange(2)})
    return Node(kind, opset, attributes, {"x": data}, some(rng, {"a": np.array(axes, np.int64)}))


def largest(rng: Random) -> Node:
    data = np.round(floats(rng, *sizes(rng, 1, 4)))
    attributes = some(rng, {"axis": axis_of(rng, data.ndim), "keepdims": rng.randrange(2)})
    opset = rng.choice((11, 12, 13))
    if opset > 11:
        attributes |= some(rng, {"select_last_index": rng.randrange(2)})
    return Node(rng.choice(("ArgMax", "ArgMin")), opset, attributes, {"x": data})


def running_sum(rng: Random) -> Node:
    data = floats(rng, *sizes(rng, 1, 4))
    attributes = {"exclusive": rng.randrange(2), "reverse": rng.randrange(2)}
    return Node("CumSum", rng.choice((11, 14)), attributes, {"x": data}, {"a": np.array(axis_of(rng, data.ndim))})


def padding(rng: Random) -> Node:
    data, opset = floats(rng, *sizes(rng, 1, 4)), rng.choice((11, 13, 18, 19))
    mode = rng.choice(("constant", "edge", "reflect", *(("wrap",) if opset == 19 else ())))
    axes = axes_of(rng, data.ndim) if opset >= 18 else []
    extents = [data.shape[axis] for axis in axes or range(data.ndim)]
    low = [rng.randrange(rng.choice((-2, 0)), 4) for _ in extents]
    # Some element is left: a Flatten of nothing has no Reshape with inferred sizes.
    high = [max(rng.randrange(-2, 4), 1 - size - pad) for size, pad in zip(extents, low, strict=True)]
    constants = {
        "p": np.array(low + high),
        "v": np.array(1.5, np.float32),
        **({"axes": np.array(axes)} if axes else {}),
    }
    return Node("Pad", opset, {"mode": mode}, {"x": data}, constants)


def product(rng: Random) -> Node:
    rows, inner, columns = sizes(rng, 3, 3)
    first, second = rng.randrange(2), rng.randrange(2)
    arrays = {
        "x": floats(rng, *((inner, rows) if first else (rows, inner))),
        "w": floats(rng, *((columns, inner) if second else (inner, columns))),
        "c": floats(rng, *rng.choice(((), (1,), (columns,), (1, columns), (rows, 1), (rows, columns)))),
    }
    scales = some(rng, {"alpha": rng.choice((0.5, 0.0, -1.0)), "beta": rng.choice((0.5, 0.0, -1.0))})
    return Node("Gemm", rng.choice((9, 11, 13)), {"transA": first, "transB": second, **scales}, arrays)


def slope(rng: Random) -> Node:
    shape = sizes(rng, 1, 4)
    other = [rng.choice((1, size)) for size in shape][rng.randrange(len(shape)) :]
    return Node("PRelu", rng.choice((9, 16)), {}, {"x": floats(rng, *shape), "s": floats(rng, *other)})


def resize(rng: Random) -> Node:
    """Only the sizes of the result are of interest: the elements have a test of their own."""
    data = floats(rng, *sizes(rng, 2, 4, 8))
    axes = axes_of(rng, data.ndim) or [0]
    attributes: dict[str, Any] = {
        "axes": axes,
        "keep_aspect_ratio_policy": rng.choice(("stretch", "not_larger", "not_smaller")),
    }
    results = np.array([rng.randrange(1, 12) for _ in axes])
    attributes["mode"] = "linear"
    return Node("Resize", rng.choice((18, 19)), attributes, {"x": data}, {"z": results})


KINDS: Sequence[Callable[[Random], Node]] = (
    convolution, transposed, transposed, response, blocks, layer, softmax, reduction, largest, running_sum, padding,
    product, slope, resize,
)  # fmt: skip


def random_node(seed: int) -> tuple[ModelProto, dict[str, Array]]:
    """A model of one node and the numbers of its inputs; its last outputs are the shape and the flat result."""
    rng = Random(seed)
    node = rng.choice(KINDS)(rng)
    names = ["x", "", "", "z"] if node.kind == "Resize" else [*node.inputs, *node.constants]
    unknown = rng.choice((0.0, 0.0, 0.5, 1.0))
    info, element = helper.make_tensor_value_info, helper.np_dtype_to_tensor_dtype
    graph = helper.make_graph(
        [
            helper.make_node(node.kind, names, ["y"], **node.attributes),
            helper.make_node("Shape", ["y"], ["shape"]),
            helper.make_node("Flatten", ["y"], ["flat"]),
        ],
        "g",
        [
            info(name, element(array.dtype), [None if rng.random() < unknown else size for size in array.shape])
            for name, array in node.inputs.items()
        ],
        [],
        [numpy_helper.from_array(array, name) for name, array in node.constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", node.opset)], ir_version=8)
    return with_outputs(model), node.inputs


def with_outputs(model: ModelProto) -> ModelProto:
    """The model with the shape and the flat result of its first node as outputs of unknown shape."""
    model.graph.output.append(helper.make_tensor_value_info("shape", TensorProto.INT64, None))
    types = {value.name: value.type for value in shape_inference.infer_shapes(model).graph.value_info}
    element = types["flat"].tensor_type.elem_type if "flat" in types else TensorProto.FLOAT
    model.graph.output.append(helper.make_tensor_value_info("flat", element, None))
    return model
