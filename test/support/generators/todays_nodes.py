"""Steps of random ONNX graphs: the ops of decoders, of streams and of numbers in blocks, also of ONNX Runtime."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from onnx import TensorProto

from .onnx_graphs import F32, I64
from .wide_graph import I8, NUMPY, U8, WideGraph


def divisor(rng: Random, number: int) -> int:
    return rng.choice([each for each in range(1, number + 1) if number % each == 0])


def attention(graph: WideGraph, rng: Random) -> None:
    """With heads as an axis or within the rows, with a cache or without."""
    value = graph.pick(F32, rank=rng.choice((3, 4)))
    if value is None or 0 in value.shape:
        return
    more: dict[str, Any] = {"is_causal": rng.randrange(2)}
    more |= {"scale": rng.choice((0.5, 1.0))} if rng.random() < 0.3 else {}
    more |= {"softcap": 2.0} if rng.random() < 0.3 else {}
    keys, width = rng.randrange(1, 4), rng.randrange(1, 4)
    if value.rank == 4:
        batch, heads, rows, depth = value.shape
        shared = divisor(rng, heads)
        given = [graph.floats(batch, shared, keys, depth), graph.floats(batch, shared, keys, width)]
    else:
        batch, rows, whole = value.shape
        heads = divisor(rng, whole)
        depth, shared = whole // heads, divisor(rng, heads)
        given = [graph.floats(batch, keys, shared * depth), graph.floats(batch, keys, shared * width)]
        more |= {"q_num_heads": heads, "kv_num_heads": shared}
    past = rng.randrange(1, 3) if rng.random() < 0.3 and not more["is_causal"] else 0
    mask = ""
    if rng.random() < 0.5:
        sizes = (rows, keys + past) if rng.random() < 0.5 else (1, rng.choice((1, heads)), rows, keys + past)
        mask = graph.floats(*sizes)
        if rng.random() < 0.5:
            seen = graph.constants[mask] > -0.5
            seen[..., 0] = True
            graph.constants[mask] = seen
    cache = [graph.floats(batch, shared, past, each) for each in (depth, width)] if past else []
    graph.add("Attention", [value.name, *given, mask, *cache], 3 if past else 1, **more)


def rotary(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, rank=rng.choice((3, 4)))
    if value is None or 0 in value.shape:
        return
    batch, rows, depth = value.shape[0], value.shape[-2], value.shape[-1]
    more: dict[str, Any] = {"interleaved": rng.randrange(2)}
    if value.rank == 3:
        heads = divisor(rng, depth)
        depth //= heads
        more["num_heads"] = heads
    if depth % 2:
        return
    if rng.random() < 0.5:
        places = graph.constant(np.array([[rng.randrange(rows + 2) for _ in range(rows)]] * batch, np.int64))
        tables = [*(graph.floats(rows + 2, depth // 2) for _ in range(2)), places]
    else:
        tables = [graph.floats(batch, rows, depth // 2) for _ in range(2)]
    graph.add("RotaryEmbedding", [value.name, *tables], **more)


def selections(graph: WideGraph, rng: Random) -> None:
    """Elements that are chosen by their numbers, and those that are added at places."""
    value = graph.pick(F32, least=1)
    if value is None or 0 in value.shape or (graph.is_dynamic and value.rank < 2):
        return
    axis = rng.randrange(int(graph.is_dynamic), value.rank)
    size, reduction = value.shape[axis], rng.choice(("none", "add", "mul", "max", "min"))
    shape = [1 if graph.is_dynamic and each == 0 else extent for each, extent in enumerate(value.shape)]
    match rng.randrange(5):
        case 0:
            rows = rng.sample(range(size), rng.randrange(1, size + 1)) if reduction == "none" else [0, size - 1, -1]
            shape[axis] = len(rows)
            places = np.array(rows).reshape([-1 if each == axis else 1 for each in range(value.rank)])
            indices = graph.constant(np.broadcast_to(places, shape).astype(np.int64))
            inputs = [value.name, indices, graph.floats(*shape)]
            graph.add("ScatterElements", inputs, axis=axis, **({} if reduction == "none" else {"reduction": reduction}))
        case 1 if not graph.is_dynamic:
            places = graph.constant(np.array([[0], [value.shape[0] - 1]][: value.shape[0]], np.int64))
            count = len(graph.constants[places])
            inputs = [value.name, places, graph.floats(count, *value.shape[1:])]
            graph.add("ScatterND", inputs, **({} if reduction == "none" else {"reduction": reduction}))
        case 2 if value.rank > 1:
            depth = rng.randrange(1, value.rank)
            places = np.array([[rng.randrange(each) for each in value.shape[1 : 1 + depth]]] * value.shape[0])
            graph.add("GatherND", [value.name, graph.constant(places.astype(np.int64))], batch_dims=1)
        case 3:
            graph.add(
                "Unique", [value.name], rng.choice((1, 4)), axis=rng.choice((axis, None)), sorted=rng.randrange(2)
            )
        case _:
            lengths = graph.ints(*[rng.randrange(1, size + 1)])
            graph.add("TopK", [value.name, lengths], 2, axis=axis - value.rank, largest=rng.randrange(2), sorted=1)


def states(graph: WideGraph, rng: Random) -> None:
    """With lengths and first states, and with activations of their own."""
    value = graph.pick(F32, rank=3)
    if value is None or 0 in value.shape:
        return
    steps, batch, inputs = value.shape
    kind, gates = rng.choice((("LSTM", 4), ("GRU", 3), ("RNN", 1)))
    direction = rng.choice(("forward", "reverse", "bidirectional"))
    ways, hidden = 1 + (direction == "bidirectional"), 2
    lengths = ""
    if rng.random() < 0.4:
        lengths = graph.constant(np.array([rng.randrange(1, steps + 1) for _ in range(batch)], np.int32))
    firsts = [graph.floats(ways, batch, hidden) for _ in range(1 + (kind == "LSTM"))]
    weights = [graph.floats(ways, gates * hidden, inputs), graph.floats(ways, gates * hidden, hidden)]
    bias = graph.floats(ways, 2 * gates * hidden) if rng.random() < 0.5 else ""
    more: dict[str, Any] = {"linear_before_reset": rng.randrange(2)} if kind == "GRU" else {}
    if rng.random() < 0.3:
        more["activations"] = [rng.choice(("Sigmoid", "Tanh", "Relu")) for _ in range({1: 1, 3: 2, 4: 3}[gates] * ways)]
    given = [value.name, *weights, bias, lengths, *firsts]
    graph.add(kind, given, 2, hidden_size=hidden, direction=direction, **more)


def signals(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, rank=rng.choice((2, 3)))
    if value is None or 0 in value.shape:
        return
    if value.rank == 2:
        graph.add("Unsqueeze", [value.name, graph.ints(2)])
        value = graph.values[-1]
    length = value.shape[1]
    if value.shape[-1:] != (1,) or length < 2:
        return
    if rng.random() < 0.5:
        size = rng.randrange(2, length + 1)
        window = graph.floats(size) if rng.random() < 0.5 else ""
        given = [value.name, graph.scalar(rng.randrange(1, 3), I64), window, graph.scalar(size, I64)]
        graph.add("STFT", given, onesided=rng.randrange(2))
        return
    more = {"axis": 1} if graph.opset < 20 else {}
    graph.add("DFT", [value.name], onesided=rng.randrange(2), inverse=0, **more)


def in_blocks(graph: WideGraph, rng: Random) -> None:
    """Numbers of few bits with a scale for each block of an axis."""
    value = graph.pick(F32, least=1)
    if value is None or 0 in value.shape or graph.is_dynamic:
        return
    axis, size = rng.randrange(value.rank), rng.randrange(1, 4)
    shape = [-(-extent // size) if each == axis else extent for each, extent in enumerate(value.shape)]
    scale = graph.constant(np.full(shape, rng.choice((0.25, 0.5)), np.float32))
    element = rng.choice((TensorProto.INT4, TensorProto.UINT4, I8, U8))
    given = [value.name, scale]
    if element in NUMPY and rng.random() < 0.5:
        given.append(graph.constant(np.full(shape, 3, NUMPY[element])))
        more = {}
    else:
        more = {"output_dtype": element}
    if graph.add("QuantizeLinear", given, axis=axis, block_size=size, **more):
        graph.add("DequantizeLinear", [graph.values[-1].name, *given[1:]], axis=axis, block_size=size)


def of_runtime(graph: WideGraph, rng: Random) -> None:
    """The ops of ONNX Runtime for rows, which its own optimiser writes."""
    value = graph.pick(F32, rank=3)
    if value is None or 0 in value.shape:
        return
    batch, rows, size = value.shape
    match rng.randrange(8):
        case 0:
            kind = rng.choice(("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"))
            skip = graph.floats(*rng.choice(((rows, size), (1, rows, size), value.shape)))
            graph.of_runtime(kind, [value.name, skip, graph.floats(size)], value.shape, epsilon=1e-3)
        case 1:
            kind = rng.choice(("BiasGelu", "FastGelu"))
            graph.of_runtime(kind, [value.name, graph.floats(size)], value.shape)
        case 2:
            turned = rng.randrange(2)
            weights = graph.floats(*((3, size) if turned else (size, 3)))
            more = {"alpha": rng.choice((1.0, 0.5)), "transB": turned}
            graph.of_runtime("FusedMatMul", [value.name, weights], (batch, rows, 3), **more)
        case 3:
            bits, columns, blocks = rng.choice((4, 8)), 3, -(-size // 16)
            weights = np.array([rng.randrange(256) for _ in range(columns * blocks * 2 * bits)], np.uint8)
            given = [graph.constant(weights.reshape(columns, blocks, 2 * bits)), graph.floats(columns * blocks)]
            if rng.random() < 0.5:
                packed = columns * -(-blocks * bits // 8)
                given.append(graph.constant(np.array([rng.randrange(256) for _ in range(packed)], np.uint8)))
            more = {"K": size, "N": columns, "bits": bits, "block_size": 16}
            graph.of_runtime("MatMulNBits", [value.name, *given], (batch, rows, columns), **more)
        case 4:
            heads, keys = divisor(rng, size), rng.randrange(1, 4)
            others = [graph.floats(batch, keys, size) for _ in range(2)]
            graph.of_runtime("MultiHeadAttention", [value.name, *others], value.shape, num_heads=heads)
        case 5:
            heads = divisor(rng, size)
            shared = divisor(rng, heads)
            others = [graph.floats(batch, rows, shared * size // heads) for _ in range(2)]
            lengths = graph.constant(np.full(batch, rows - 1, np.int32))
            given = [value.name, *others, "", "", lengths, graph.constant(np.array(rows, np.int32))]
            more = {"num_heads": heads, "kv_num_heads": shared}
            graph.of_runtime("GroupQueryAttention", given, value.shape, **more)
        case 6:
            weights = graph.numbers(I8, size, 3)
            given = [value.name, weights, graph.constant(np.array(0.25, np.float32)), graph.scalar(1, I8)]
            graph.of_runtime("DynamicQuantizeMatMul", given, (batch, rows, 3))
        case _:
            graph.of_runtime("QuickGelu", [value.name], value.shape, alpha=rng.choice((1.0, 1.702)))


STEPS: Sequence[Callable[[WideGraph, Random], object]] = (
    attention, attention, rotary, selections, selections, states, signals, in_blocks, of_runtime, of_runtime,
)  # fmt: skip
