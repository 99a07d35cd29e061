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
    dims: Sequence[str] = ()
    """For each input the letters of its dimensions; those of capital letters may be unknown."""


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
    dims = ["BSd", "BSd" if skip.shape[:1] == (batch,) and skip.ndim == 3 else "aSd"[-skip.ndim :], "d", "d", "d"]
    return RuntimeNode(kind, {"epsilon": 1e-3}, inputs, outputs, dims=dims[: len(inputs)])


def mean_square(rng: Random) -> RuntimeNode:
    data = floats(rng, *(rng.randint(1, 4) for _ in range(rng.randint(1, 4))))
    axis = rng.randrange(-data.ndim, data.ndim)
    scale = floats(rng, *data.shape[axis:])
    attributes = {"axis": axis, "epsilon": 1e-3, "stash_type": 1}
    return RuntimeNode(
        "SimplifiedLayerNormalization",
        attributes,
        [data, scale],
        domain="",
        dims=["ABCD"[: data.ndim], "dddd"[: scale.ndim]],
    )


def attention(rng: Random) -> RuntimeNode:
    """Attention of ONNX: with heads as an axis or within the rows, with a cache in it or a longer one."""
    opset = rng.choice((23, 24, 25))
    batch, groups, each, rows, keys, depth, values, past = (rng.randint(1, 3) for _ in range(8))
    heads, is_flat, cache = groups * each, rng.random() < 0.4, rng.choice(("", "", "past", "long"))
    is_square = cache == "past" and opset < 25
    keys = rows if is_square else keys
    shapes = [(batch, heads, rows, depth), (batch, groups, keys, depth), (batch, groups, keys, values)]
    data = [floats(rng, *shape) for shape in shapes]
    attributes: dict[str, Any] = some(rng, {"scale": 0.5, "softcap": 1.5, "is_causal": rng.randrange(2)})
    outputs, dims = ["y"], ["BhSd", "BgTd", "BgTd"]
    if is_flat:
        data = [np.ascontiguousarray(x.swapaxes(1, 2)).reshape(batch, x.shape[2], -1) for x in data]
        attributes |= {"q_num_heads": heads, "kv_num_heads": groups}
        dims = ["BSd", "BTd", "BTd"]
    dims = [each.replace("T", "S") if is_square else each for each in dims]
    inputs: list[Array | None] = [*data, mask(rng, batch, heads, rows, keys + (past if cache == "past" else 0))]
    dims.append("" if inputs[3] is None else f"bhS{'m' if cache == 'past' else 'T'}"[-inputs[3].ndim :])
    if cache == "past":
        inputs += [floats(rng, batch, groups, past, depth), floats(rng, batch, groups, past, values)]
        outputs, dims = [*outputs, "nk", "nv"], [*dims, "BgPd", "BgPd"]
    if cache == "long" and opset > 23:
        inputs += [None, None, np.array([rng.randint(1, keys) for _ in range(batch)])]
        dims += ["", "", "B"]
    if opset > 24:
        attributes |= some(rng, {"left_window_size": rng.randrange(-1, 3), "right_window_size": rng.randrange(-1, 3)})
    if rng.random() < 0.3 and len(inputs) < 7:
        outputs += [*(["", ""] if len(outputs) == 1 else []), "z"]
        is_masked = "is_causal" in attributes or "left_window_size" in attributes or "right_window_size" in attributes
        is_masked |= inputs[3] is not None and inputs[3].dtype == np.bool_
        attributes |= {"qk_matmul_output_mode": rng.choice((0, 1, 3) if is_masked else (0, 1, 2, 3))}
    given = without_end(inputs)
    return RuntimeNode("Attention", attributes, given, outputs, "", opset, dims[: len(given)])


def mask(rng: Random, batch: int, heads: int, rows: int, keys: int) -> Array | None:
    """Numbers to add, or a mask that leaves the first key to every row, or none."""
    shape = [rng.choice((1, batch)), rng.choice((1, heads)), rows, keys]
    kind = rng.choice((None, "add", "and"))
    if kind == "add":
        return floats(rng, *shape[rng.choice((0, 0, 2)) :])
    if kind is None:
        return None
    seen = np.random.default_rng(rng.randrange(1 << 30)).random(shape) < 0.6
    seen[..., :1] = True
    return seen


def rotary(rng: Random) -> RuntimeNode:
    """RotaryEmbedding of ONNX, with and without positions, of all numbers of a row or some."""
    batch, heads, rows, half = (rng.randint(1, 3) for _ in range(4))
    depth, is_flat, dtype = 2 * half, rng.random() < 0.5, rng.choice((np.float32, np.float32, np.float16))
    angles = rng.randint(1, half) if rng.random() < 0.3 else half
    data = floats(rng, *((batch, rows, heads * depth) if is_flat else (batch, heads, rows, depth)), dtype=dtype)
    attributes: dict[str, Any] = {"num_heads": heads} if is_flat or angles < half else {}
    attributes |= some(rng, {"interleaved": rng.randrange(2)})
    attributes |= {"rotary_embedding_dim": 2 * angles} if angles < half else {}
    if rng.random() < 0.5:
        tables = [floats(rng, batch, rows, angles, dtype=dtype) for _ in range(2)]
        dims = ["BSd" if is_flat else "BhSd", "BSa", "BSa"]
        return RuntimeNode("RotaryEmbedding", attributes, [data, *tables], domain="", opset=23, dims=dims)
    tables = [floats(rng, rows + 2, angles, dtype=dtype) for _ in range(2)]
    positions = np.random.default_rng(rng.randrange(1 << 30)).integers(0, rows + 2, (batch, rows))
    dims = ["BSd" if is_flat else "BhSd", "pa", "pa", "BS"]
    return RuntimeNode("RotaryEmbedding", attributes, [data, *tables, positions], domain="", opset=23, dims=dims)


def early_rotary(rng: Random) -> RuntimeNode:
    """RotaryEmbedding of ONNX Runtime, with a position for each row or for the first ones."""
    batch, heads, rows, half = (rng.randint(1, 3) for _ in range(4))
    is_flat, is_partial = rng.random() < 0.6, rng.random() < 0.3
    depth = 2 * half + (2 if is_partial else 0)
    data = floats(rng, *((batch, rows, heads * depth) if is_flat else (batch, heads, rows, depth)))
    tables = [floats(rng, rows + 3, half) for _ in range(2)]
    each = np.random.default_rng(rng.randrange(1 << 30)).integers(0, rows + 3, (batch, rows))
    positions = rng.choice((each, np.array([2])))
    attributes = some(rng, {"interleaved": rng.randrange(2)})
    attributes |= {"rotary_embedding_dim": 2 * half, "num_heads": heads} if is_partial else {}
    dims = ["BSd" if is_flat else "BhSd", "BS" if positions.ndim == 2 else "a", "pa", "pa"]
    if positions.ndim == 1:
        dims = [each.lower() for each in dims]
    return RuntimeNode("RotaryEmbedding", attributes, [data, positions, *tables], dims=dims)


def heads_of_rows(rng: Random) -> RuntimeNode:
    """MultiHeadAttention of ONNX Runtime, or its Attention, which multiplies by weights first."""
    batch, heads, rows, keys, depth, each = (rng.randint(1, 3) for _ in range(6))
    is_packed = rng.random() < 0.5
    width, values, keys = heads * depth, heads * each, rows if is_packed else keys
    seen = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 2, (batch, keys)).astype(np.int32)
    # Where all keys are hidden, the large number that is added leaves few digits of the others.
    seen[:, :1] = 1
    added = floats(rng, rng.choice((1, batch)), rng.choice((1, heads)), rows, keys)
    optional = [maybe(rng, seen), maybe(rng, added)]
    attributes: dict[str, Any] = {"num_heads": heads, **some(rng, {"scale": 0.5, "mask_filter_value": -50.0})}
    attributes |= some(rng, {"unidirectional": 1}) if is_packed else {}
    both = ["BT" if optional[0] is not None else "", "bhST" if optional[1] is not None else ""]
    if is_packed:
        size = rng.randint(1, 4)
        total = 2 * width + values
        attributes["qkv_hidden_sizes"] = [width, width, values]
        inputs = [floats(rng, batch, rows, size), floats(rng, size, total), floats(rng, total)]
        given = without_end([*inputs, optional[0], None, optional[1]])
        dims = ["BSd", "dw", "w", both[0].replace("T", "S"), "", both[1].replace("T", "S")]
        return RuntimeNode("Attention", attributes, given, dims=dims[: len(given)])
    inputs = [floats(rng, batch, rows, width), floats(rng, batch, keys, width), floats(rng, batch, keys, values)]
    given = without_end([*inputs, maybe(rng, floats(rng, 2 * width + values)), *optional])
    dims = ["BSd", "BTd", "BTd", "w", *both]
    return RuntimeNode("MultiHeadAttention", attributes, given, dims=dims[: len(given)])


def updated_cache(rng: Random) -> RuntimeNode:
    """TensorScatter, in caches of any type that are filled from a place of their own."""
    shape = [rng.randint(1, 3) for _ in range(rng.randint(2, 4))]
    axis, is_circular = rng.randrange(1, len(shape)), rng.random() < 0.5
    count, length = shape[axis], shape[axis] + rng.randint(0, 3)
    cache = floats(rng, *shape[:axis], length, *shape[axis + 1 :])
    limit = length if is_circular else length - count + 1
    starts = np.array([rng.randrange(limit) for _ in range(shape[0])])
    attributes = {"axis": axis - rng.choice((0, len(shape))), **({"mode": "circular"} if is_circular else {})}
    letters = ["b", *"CDE"[: len(shape) - 1]]
    letters[axis] = "t"
    after = "".join(letters)
    given = without_end([cache, floats(rng, *shape), maybe(rng, starts)])
    dims = [after, after.replace("t", "u"), "b"][: len(given)]
    return RuntimeNode("TensorScatter", attributes, given, domain="", opset=24, dims=dims)


def fused_convolution(rng: Random) -> RuntimeNode:
    """FusedConv of ONNX Runtime, with another summand or none."""
    batch, groups, inside, outside, extent = (rng.randint(1, 2) for _ in range(5))
    height, width, stride = rng.randint(extent, 5), rng.randint(extent, 5), rng.randint(1, 2)
    data = floats(rng, batch, groups * inside, height, width)
    kernel = floats(rng, groups * outside, inside, extent, extent)
    positions = [(size - extent) // stride + 1 for size in (height, width)]
    other = floats(rng, batch, groups * outside, *positions)
    kinds = {
        "Relu": (),
        "Tanh": (),
        "Sigmoid": (),
        "LeakyRelu": (0.25,),
        "Clip": (-0.5, 0.5),
        "HardSigmoid": (0.2, 0.5),
    }
    kind, numbers = rng.choice([*kinds.items()])
    attributes = {"group": groups, "strides": [stride, stride], "kernel_shape": [extent, extent], "activation": kind}
    attributes |= {"activation_params": numbers} if numbers else {}
    given = without_end([data, kernel, maybe(rng, floats(rng, groups * outside)), maybe(rng, other)])
    return RuntimeNode("FusedConv", attributes, given, dims=["Bchw", "ocxy", "o", "Bopq"][: len(given)])


def some(rng: Random, values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if rng.random() < 0.5}


def without_end(inputs: Sequence[Array | None]) -> Sequence[Array | None]:
    """The inputs without those at the end that are left out."""
    return inputs[: max(place for place, each in enumerate(inputs, 1) if each is not None)]


KINDS: Sequence[Callable[[Random], RuntimeNode]] = (
    normalised_sum, mean_square, attention, attention, rotary, early_rotary, heads_of_rows, heads_of_rows,
    updated_cache, fused_convolution,
)  # fmt: skip


def random_block(seed: int) -> tuple[ModelProto, dict[str, Array]]:
    """A model whose rows are split into heads, turned or not, attended to, and joined."""
    rng = Random(seed)
    batch, groups, each, rows, keys, half, width = (rng.randint(1, 3) for _ in range(7))
    heads, depth, is_turned = groups * each, 2 * half, rng.random() < 0.6
    keys = rows if is_turned else keys
    arrays = {
        "q": floats(rng, batch, rows, heads * depth),
        "k": floats(rng, batch, keys, groups * depth),
        "v": floats(rng, batch, keys, groups * width),
    }
    nodes = [
        node
        for name, count, size in (("q", heads, depth), ("k", groups, depth), ("v", groups, width))
        for node in (
            helper.make_node("Constant", [], [f"{name}s"], value_ints=[0, 0, count, size]),
            helper.make_node("Reshape", [name, f"{name}s"], [f"{name}r"]),
            helper.make_node("Transpose", [f"{name}r"], [f"{name}t"], perm=[0, 2, 1, 3]),
        )
    ]
    if is_turned:
        arrays |= {name: floats(rng, rows, half) for name in ("cos", "sin")}
        arrays["p"] = np.tile(np.arange(rows), (batch, 1))
        nodes += [
            helper.make_node("RotaryEmbedding", [f"{name}t", "cos", "sin", "p"], [f"{name}u"]) for name in ("q", "k")
        ]
    added = mask(rng, batch, heads, rows, keys)
    arrays |= {} if added is None else {"m": added}
    names = ["qu", "ku", "vt"] if is_turned else ["qt", "kt", "vt"]
    flags = some(rng, {"is_causal": 1, "scale": 0.5, "softcap": 2.0})
    nodes += [
        helper.make_node("Attention", [*names, *(["m"] if "m" in arrays else [])], ["a"], **flags),
        helper.make_node("Transpose", ["a"], ["b"], perm=[0, 2, 1, 3]),
        helper.make_node("Constant", [], ["s"], value_ints=[0, 0, heads * width]),
        helper.make_node("Reshape", ["b", "s"], ["y"]),
    ]
    element = helper.np_dtype_to_tensor_dtype
    inputs = [helper.make_tensor_value_info(name, element(each.dtype), each.shape) for name, each in arrays.items()]
    if rng.random() < 0.5:
        for value in inputs[:3]:
            value.type.tensor_type.shape.dim[0].dim_param = "B"
        if "p" in arrays:
            inputs[5].type.tensor_type.shape.dim[0].dim_param = "B"
    results = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", inputs, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), arrays


def random_runtime_node(seed: int) -> tuple[ModelProto, dict[str, Array]]:
    """A model of one node and the numbers of its inputs."""
    rng = Random(seed)
    return model_of(rng, rng.choice(KINDS)(rng))


def model_of(rng: Random, node: RuntimeNode) -> tuple[ModelProto, dict[str, Array]]:
    """A model of a node, some of whose sizes may be unknown."""
    unknown, names = rng.choice((0.0, 0.0, 0.5, 1.0)), [f"x{index}" for index, _ in enumerate(node.inputs)]
    named = {letter for letter in sorted({*"".join(node.dims)}) if letter.isupper() and rng.random() < unknown}
    arrays = {name: each for name, each in zip(names, node.inputs, strict=True) if each is not None}
    element = helper.np_dtype_to_tensor_dtype
    inputs = [
        helper.make_tensor_value_info(
            name,
            element(each.dtype),
            [dim if dim in named else size for dim, size in zip(dims, each.shape, strict=True)],
        )
        for name, dims in zip(names, node.dims, strict=True)
        if (each := arrays.get(name)) is not None
    ]
    given = [name if name in arrays else "" for name in names]
    made = helper.make_node(node.kind, given, node.outputs, domain=node.domain, **node.attributes)
    floating = TensorProto.FLOAT if node.inputs[0] is None else element(node.inputs[0].dtype)
    results = [helper.make_tensor_value_info(name, floating, None) for name in node.outputs if name]
    opsets = [helper.make_opsetid("", node.opset), helper.make_opsetid(MICROSOFT, 1)]
    graph = helper.make_graph([made], "g", inputs, results)
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), arrays
