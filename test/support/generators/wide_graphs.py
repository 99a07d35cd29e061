"""Random ONNX graphs of more than 150 kinds of ops: all opsets, element types, bodies, quantised ops, unknown sizes.

`onnx_graphs` has the steps of the ops that become ops of the dialect, and `todays_nodes` those of decoders and streams;
here are those of all other ops, which stay unchanged or are expanded.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, helper

from . import onnx_graphs, todays_nodes
from .onnx_graphs import BATCH, BOOL, F32, I64, Step, Value, model_of
from .wide_graph import ELEMENTS, F16, F64, I8, I32, NUMPY, U8, WideGraph

OPSETS = (*range(8, 26), 23, 24, 25)
UNARY = (
    "Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp",
    "Floor", "Gelu", "HardSigmoid", "HardSwish", "Hardmax", "Identity", "IsInf", "IsNaN", "LeakyRelu", "Log",
    "LogSoftmax", "Mish", "Neg", "Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh",
    "Softmax", "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Dropout",
    "MeanVarianceNormalization", "Det", "Size", "Shape", "EyeLike", "Not", "BitwiseNot", "NonZero",
)  # fmt: skip
BINARY = (
    "Add", "Sub", "Mul", "Div", "Pow", "Mod", "PRelu", "And", "Or", "Xor", "Equal", "Less", "Greater",
    "LessOrEqual", "GreaterOrEqual", "Max", "Min", "Mean", "Sum", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
    "BitShift", "MatMul", "CastLike",
)  # fmt: skip
REDUCTIONS = tuple(
    f"Reduce{kind}" for kind in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
)


def unary(graph: WideGraph, rng: Random) -> None:
    if (value := graph.any_value()) is not None:
        kind = rng.choice(UNARY)
        more: dict[str, Any] = {}
        if kind in ("Softmax", "LogSoftmax", "Hardmax") and value.rank:
            more["axis"] = rng.randrange(-value.rank, value.rank)
        elif kind == "MeanVarianceNormalization" and value.rank:
            more["axes"] = sorted(rng.sample(range(value.rank), rng.randrange(1, value.rank + 1)))
        elif kind in ("Celu", "Elu", "ThresholdedRelu", "LeakyRelu", "Swish") and rng.random() < 0.7:
            more["alpha"] = rng.choice((0.5, 1.0, 0.1))
        elif kind == "Gelu":
            more["approximate"] = rng.choice(("none", "tanh"))
        elif kind == "Shrink":
            more |= {"lambd": rng.choice((0.5, 0.25)), "bias": rng.choice((0.0, 0.1))}
        elif kind == "Shape" and graph.opset >= 15 and value.rank:
            more |= {"start": rng.randrange(-value.rank, value.rank), "end": rng.randrange(-value.rank, value.rank + 1)}
        elif kind == "EyeLike":
            more |= {"k": rng.randrange(-1, 2)}
        elif kind == "IsInf":
            more |= {"detect_negative": rng.randrange(2)}
        graph.add(kind, [value.name], **more)


def binary(graph: WideGraph, rng: Random) -> None:
    first = graph.any_value()
    if first is None:
        return
    others = [value.name for value in graph.values if value.element == first.element]
    start = rng.randrange(first.rank + 1)
    others.append(graph.numbers(first.element, *(size if rng.random() < 0.6 else 1 for size in first.shape[start:])))
    names = [first.name, rng.choice((rng.choice(others), others[-1], first.name))]
    kind = rng.choice(BINARY)
    more: dict[str, Any] = {}
    if kind == "BitShift":
        more["direction"] = rng.choice(("LEFT", "RIGHT"))
    elif kind == "Mod" and (first.element in (F32, F16, F64) or rng.random() < 0.5):
        more["fmod"] = 1
    if kind in ("Mod", "Div") and first.element not in (F32, F16, F64):
        # No number is divided by zero, which is an error of the processor.
        names[1] = graph.constant(np.array(rng.choice((1, 2, 3)), NUMPY[first.element]))
    graph.add(kind, names if rng.random() < 0.8 or "fmod" in more or kind == "Div" else names[::-1], **more)


def cast(graph: WideGraph, rng: Random) -> None:
    if (value := graph.any_value()) is not None and value.element not in (F32, F16, F64):
        graph.add("Cast", [value.name], to=rng.choice(ELEMENTS))
    elif value is not None:
        # Floats are bounded first: one that does not fit has no defined integer.
        graph.add("Tanh", [value.name])
        graph.add("Cast", [graph.values[-1].name], to=rng.choice((F32, F16, F64, I32, I64, I8, BOOL)))


def back_to_floats(graph: WideGraph, rng: Random) -> None:
    found = [value for value in graph.values if value.element != F32]
    if found:
        graph.add("Cast", [rng.choice(found).name], to=F32)


def reduction(graph: WideGraph, rng: Random) -> None:
    value = graph.any_value(least=1)
    if value is None or 0 in value.shape:
        return
    kind, keep = rng.choice(REDUCTIONS), rng.randrange(2)
    axes = [
        axis - rng.choice((0, value.rank)) for axis in rng.sample(range(value.rank), rng.randrange(1, value.rank + 1))
    ]
    if kind == "ReduceSum" or graph.opset >= 18:
        graph.add(kind, [value.name, graph.ints(*axes)], keepdims=keep)
    else:
        graph.add(kind, [value.name], keepdims=keep, axes=axes)


def gathers(graph: WideGraph, rng: Random) -> None:
    value = graph.any_value(least=1)
    if value is None or min(value.shape) < 1 or (graph.is_dynamic and value.shape[0] == BATCH and value.rank < 2):
        return
    axis = rng.randrange(int(graph.is_dynamic), value.rank) if value.rank > graph.is_dynamic else 0
    size = 1 if graph.is_dynamic and axis == 0 else value.shape[axis]
    shape = [1 if graph.is_dynamic and each == 0 else extent for each, extent in enumerate(value.shape)]
    indices = graph.constant(
        np.array([rng.randrange(-size, size) for _ in range(int(np.prod(shape)))], np.int64).reshape(shape)
    )
    updates = graph.numbers(value.element, *shape)
    match rng.randrange(6):
        case 0:
            graph.add("GatherElements", [value.name, indices], axis=axis)
        case 1:
            unique = np.broadcast_to(
                np.arange(shape[axis]).reshape([-1 if each == axis else 1 for each in range(value.rank)]), shape
            )
            graph.add("ScatterElements", [value.name, graph.constant(unique.astype(np.int64)), updates], axis=axis)
        case 2:
            graph.add(
                "GatherND", [value.name, graph.constant(np.zeros((2, rng.randrange(1, value.rank + 1)), np.int64))]
            )
        case 3:
            graph.add(
                "ScatterND",
                [value.name, graph.constant(np.zeros((1, value.rank), np.int64)), graph.numbers(value.element, 1)],
            )
        case 4:
            k = graph.ints(rng.randrange(1, size + 1))
            graph.add("TopK", [value.name, k], 2, axis=axis, largest=rng.randrange(2))
        case _:
            keep = graph.constant(np.array([rng.random() < 0.7 for _ in range(size)], np.bool_))
            graph.add("Compress", [value.name, keep], axis=axis)


def sources(graph: WideGraph, rng: Random) -> None:
    """Ops that make values of sizes, numbers or nothing."""
    match rng.randrange(6):
        case 0:
            fill = helper.make_tensor("", rng.choice((F32, I32)), [1], [rng.choice((0, 1, 2))])
            graph.add("ConstantOfShape", [graph.ints(2, rng.randrange(1, 4))], value=fill)
        case 1:
            bounds = [graph.scalar(each, F32) for each in (0, rng.randrange(2, 6), rng.choice((1, 0.5, 2)))]
            graph.add("Range", bounds)
        case 2:
            kind = rng.choice(("HannWindow", "HammingWindow", "BlackmanWindow"))
            graph.add(kind, [graph.scalar(rng.randrange(2, 6), I64)], periodic=rng.randrange(2))
        case 3:
            graph.add("Constant", [], value_floats=[rng.uniform(-1, 1) for _ in range(rng.randrange(1, 5))])
        case 4:
            theta = graph.numbers(F32, 1, 2, 3)
            graph.add("AffineGrid", [theta, graph.ints(1, 2, 3, 4)], align_corners=rng.randrange(2))
        case _:
            graph.add(
                "MelWeightMatrix",
                [
                    graph.scalar(each, element)
                    for each, element in ((4, I64), (16, I64), (8000, I64), (0.0, F32), (4000.0, F32))
                ],
            )


def quantised(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, least=1)
    if value is None:
        return
    element = rng.choice((I8, U8))
    scale, zero = graph.scalar(rng.choice((0.05, 0.1, 0.25)), F32), graph.scalar(rng.choice((0, 3, 100)), element)
    match rng.randrange(4):
        case 0:
            if graph.add("QuantizeLinear", [value.name, scale, zero]):
                graph.add("DequantizeLinear", [graph.values[-1].name, scale, zero])
        case 1:
            if graph.add("DynamicQuantizeLinear", [value.name], 3):
                x, s, z = (each.name for each in graph.values[-3:])
                graph.add("DequantizeLinear", [x, s, z])
        case 2 if value.shape[-1] and value.rank > 1:
            # Small integers: pairs of products do not saturate in 16 bits.
            if graph.add("QuantizeLinear", [value.name, graph.scalar(0.5, F32), graph.scalar(0, element)]):
                left = graph.values[-1].name
                weights = graph.numbers(I8, value.shape[-1], 3)
                if rng.random() < 0.5:
                    graph.add(
                        "MatMulInteger", [left, weights, graph.scalar(0, element), graph.scalar(rng.choice((0, 1)), I8)]
                    )
                else:
                    more = [
                        graph.scalar(0.5, F32),
                        graph.scalar(0, element),
                        weights,
                        graph.scalar(0.5, F32),
                        graph.scalar(0, I8),
                    ]
                    graph.add(
                        "QLinearMatMul",
                        [left, *more, graph.scalar(0.5, F32), graph.scalar(rng.choice((0, 2)), element)],
                    )
        case _ if value.rank == 4 and 0 not in value.shape:
            if graph.add("QuantizeLinear", [value.name, graph.scalar(0.5, F32), graph.scalar(0, U8)]):
                left = graph.values[-1].name
                weights = graph.numbers(rng.choice((I8, U8)), 2, value.shape[1], 1, rng.choice((1, 2)))
                zero = graph.constant(np.array(0, graph.constants[weights].dtype))
                if rng.random() < 0.3:
                    graph.add("ConvInteger", [left, weights, graph.scalar(0, U8), zero])
                else:
                    more = [graph.scalar(0.5, F32), graph.scalar(0, U8), weights, graph.scalar(0.5, F32), zero]
                    graph.add("QLinearConv", [left, *more, graph.scalar(0.5, F32), graph.scalar(3, U8)])
        case _:
            return


def images(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, rank=4)
    if value is None or 0 in value.shape:
        return
    batch, channels, *_ = value.shape
    match rng.randrange(9):
        case 0:
            grid = graph.numbers(F32, batch, 2, 3, 2)
            new = graph.opset >= 20
            modes = ("linear", "nearest", "cubic") if new else ("bilinear", "nearest", "bicubic")
            more = {"mode": rng.choice(modes), "padding_mode": rng.choice(("zeros", "border", "reflection"))}
            graph.add("GridSample", [value.name, grid], align_corners=rng.randrange(2), **more)
        case 1:
            rois = graph.constant(np.array([[0, 0, 2, 2], [0.5, 0.5, 3, 1.5]], np.float32))
            more = {"mode": rng.choice(("avg", "max"))}
            if graph.opset >= 16:
                more["coordinate_transformation_mode"] = rng.choice(("half_pixel", "output_half_pixel"))
            graph.add(
                "RoiAlign",
                [value.name, rois, graph.ints(0, batch - 1)],
                output_height=2,
                output_width=2,
                sampling_ratio=2,
                **more,
            )
        case 2:
            mode = rng.choice(("nearest", "linear", "cubic"))
            sizes = graph.ints(batch, channels, *(rng.randrange(1, 7) for _ in range(2)))
            more = {
                "coordinate_transformation_mode": rng.choice(
                    ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel")
                )
            }
            if mode == "nearest":
                more["nearest_mode"] = rng.choice(("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"))
            if graph.opset >= 18:
                more |= {"antialias": rng.randrange(2) if mode != "nearest" else 0}
            graph.add("Resize", [value.name, "", "", sizes], mode=mode, **more)
        case 3:
            graph.add("CenterCropPad", [value.name, graph.ints(*(rng.randrange(1, 6) for _ in range(2)))], axes=[2, 3])
        case 4 if value.shape[1] % 4 == 0:
            columns = value.shape[1]
            graph.add("Reshape", [value.name, graph.ints(batch, columns, -1)])
            blocks = graph.values[-1].shape[-1]
            graph.add("Col2Im", [graph.values[-1].name, graph.ints(2, blocks + 1), graph.ints(2, 2)])
        case 5:
            groups = rng.choice([each for each in range(1, channels + 1) if channels % each == 0])
            count = channels if graph.opset >= 21 else groups
            graph.add("GroupNormalization", [value.name, graph.floats(count), graph.floats(count)], num_groups=groups)
        case 6:
            offsets = graph.numbers(F32, batch, 2, *value.shape[2:])
            graph.add("DeformConv", [value.name, graph.floats(2, channels, 1, 1), offsets], kernel_shape=[1, 1])
        case 7:
            graph.add(
                "MaxRoiPool", [value.name, graph.constant(np.array([[0, 0, 0, 2, 2]], np.float32))], pooled_shape=[2, 2]
            )
        case _:
            if graph.add("MaxPool", [value.name], 2, kernel_shape=[2, 2], strides=[2, 2]):
                pooled, places = (each.name for each in graph.values[-2:])
                graph.add("MaxUnpool", [pooled, places], kernel_shape=[2, 2], strides=[2, 2])


def recurrent(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, rank=3)
    if value is None or 0 in value.shape:
        return
    kind, gates = rng.choice((("LSTM", 4), ("GRU", 3), ("RNN", 1)))
    direction = rng.choice(("forward", "reverse", "bidirectional"))
    ways, hidden = 1 + (direction == "bidirectional"), 2
    weights = [graph.floats(ways, gates * hidden, value.shape[2]), graph.floats(ways, gates * hidden, hidden)]
    bias = [graph.floats(ways, 2 * gates * hidden)] if rng.random() < 0.5 else []
    more = {"linear_before_reset": rng.randrange(2)} if kind == "GRU" else {}
    graph.add(kind, [value.name, *weights, *bias], rng.choice((1, 2)), hidden_size=hidden, direction=direction, **more)


def transformers(graph: WideGraph, rng: Random) -> None:
    value = graph.pick(F32, least=2)
    if value is None or 0 in value.shape:
        return
    match rng.randrange(6):
        case 0:
            axis = rng.randrange(value.rank)
            graph.add("RMSNormalization", [value.name, graph.floats(*value.shape[axis:])], axis=axis)
        case 1 if value.rank == 4:
            added = [graph.floats(value.shape[2], value.shape[2])] if rng.random() < 0.5 else []
            cap = {"softcap": 2.0} if rng.random() < 0.5 else {}
            graph.add("Attention", [*[value.name] * 3, *added], is_causal=rng.randrange(2), **cap)
        case 2 if value.rank == 4 and value.shape[3] % 2 == 0:
            half = value.shape[0], value.shape[2], value.shape[3] // 2
            graph.add(
                "RotaryEmbedding", [value.name, graph.floats(*half), graph.floats(*half)], interleaved=rng.randrange(2)
            )
        case 4:
            graph.add("TensorScatter", [value.name, graph.floats(value.shape[0], 1, *value.shape[2:])], axis=1)
        case 3 if value.rank == 3:
            graph.add("Einsum", [value.name, graph.floats(value.shape[2], 3)], equation="bij,jk->bik")
        case _:
            axis = rng.randrange(value.rank)
            graph.add(
                "LayerNormalization", [value.name, graph.floats(*value.shape[axis:])], rng.choice((1, 1, 3)), axis=axis
            )


def sequences(graph: WideGraph, rng: Random) -> None:
    """Ops along one axis."""
    value = graph.any_value(least=2)
    if value is None or 0 in value.shape:
        return
    match rng.randrange(5):
        case 0:
            lengths = graph.ints(*(rng.randrange(1, value.shape[0] + 1) for _ in range(value.shape[1])))
            graph.add("ReverseSequence", [value.name, lengths], time_axis=0, batch_axis=1)
        case 1:
            graph.add(
                "CumSum",
                [value.name, graph.scalar(rng.randrange(-value.rank, value.rank), I64)],
                reverse=rng.randrange(2),
            )
        case 2 if not graph.is_dynamic:
            target = graph.ints(*(rng.randrange(value.shape[1]) for _ in range(value.shape[0])))
            kind = rng.choice(("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"))
            if value.rank == 2:
                graph.add(kind, [value.name, target], reduction=rng.choice(("none", "mean", "sum")))
        case 3:
            graph.add("Trilu", [value.name], upper=rng.randrange(2))
        case _:
            signal = graph.pick(F32, rank=3)
            if signal is not None and signal.shape[-1] in (1, 2):
                more = {"axis": 1} if graph.opset < 20 else {}
                graph.add("DFT", [signal.name], onesided=0, **more)


def bodies(graph: WideGraph, rng: Random) -> None:
    """Subgraphs that read values around them."""
    value = graph.pick(F32, least=1)
    if value is None:
        return
    name = graph.name("b")
    shape = [None] * value.rank

    def made(kind: str, result: str, *inputs: str, **attributes: Any) -> NodeProto:
        return helper.make_node(kind, inputs, [result], **attributes)

    def body(
        nodes: Sequence[NodeProto], inputs: Sequence[Any], outputs: Sequence[tuple[str, int, Any]]
    ) -> onnx.GraphProto:
        ends = [helper.make_tensor_value_info(*each) for each in outputs]
        return helper.make_graph(nodes, name, list(inputs), ends)

    perm = list(range(value.rank))
    rng.shuffle(perm)
    back = [perm.index(axis) for axis in range(value.rank)]
    moved = [
        made("Transpose", f"{name}t", value.name, perm=perm),
        made(rng.choice(("Tanh", "Neg", "Abs")), f"{name}u", f"{name}t"),
    ]
    moved.append(made("Transpose", f"{name}v", f"{name}u", perm=back))
    info = helper.make_tensor_value_info
    match rng.randrange(3):
        case 0:
            graph.add("ReduceMax", [value.name], keepdims=0)
            if graph.values[-1].element != F32 or graph.values[-1].rank:
                return
            if not graph.add("Less", [graph.values[-1].name, graph.scalar(rng.choice((-5.0, 0.5, 5.0)), F32)]):
                return
            branches: dict[str, Any] = {
                "then_branch": body(moved, [], [(f"{name}v", F32, shape)]),
                "else_branch": body([made("Relu", f"{name}w", value.name)], [], [(f"{name}w", F32, shape)]),
            }
            append(
                graph, helper.make_node("If", [graph.values[-1].name], [out := graph.name("v")], **branches), out, value
            )
        case 1:
            ends = [info(f"{name}i", I64, []), info(f"{name}c", BOOL, []), info(f"{name}s", F32, shape)]
            nodes = [*moved, made("Add", f"{name}n", f"{name}s", f"{name}v"), made("Identity", f"{name}d", f"{name}c")]
            loop = body(nodes, ends, [(f"{name}d", BOOL, []), (f"{name}n", F32, shape)])
            count, start = graph.scalar(rng.choice((0, 1, 3)), I64), graph.scalar(True, BOOL)
            append(
                graph,
                helper.make_node("Loop", [count, start, value.name], [out := graph.name("v")], body=loop),
                out,
                value,
            )
        case _:
            if value.rank == 0 or (graph.is_dynamic and value.shape[0] != BATCH):
                return
            inner = [None] * (value.rank - 1)
            nodes = [made("Mul", f"{name}m", f"{name}e", f"{name}e")]
            scan = body(nodes, [info(f"{name}e", F32, inner)], [(f"{name}m", F32, inner)])
            node = helper.make_node("Scan", [value.name], [out := graph.name("v")], body=scan, num_scan_inputs=1)
            append(graph, node, out, value)


def append(graph: WideGraph, node: NodeProto, result: str, like: Value) -> None:
    graph.nodes.append(node)
    graph.values.append(Value(result, like.element, like.shape))


WIDE: Sequence[Callable[[WideGraph, Random], object]] = (
    unary, unary, unary, unary, binary, binary, binary, cast, back_to_floats, back_to_floats, reduction, gathers,
    gathers, sources, quantised, quantised, images, images, images, recurrent, transformers, transformers,
    sequences, bodies, *todays_nodes.STEPS,
)  # fmt: skip
STEPS: Sequence[Step] = (*onnx_graphs.STEPS, *WIDE)  # pyright: ignore[reportAssignmentType]  # Graphs here are wide.


def random_wide_graph(seed: int, most: int = 14) -> tuple[ModelProto, bool]:
    """A model, and True if the first size of its inputs is dynamic."""
    rng = Random(seed)
    graph = WideGraph(rng, rng.choice(OPSETS), is_dynamic := rng.random() < 0.4)
    for _ in range(rng.choice((1, 2, 2))):
        rank = rng.choice((0, 1, 2, 3, 3, 4, 4, 4, 5, 6))
        sizes = [rng.choice((1, 2, 3, 4, 4, 6, 8) + ((0,) if rng.random() < 0.1 else ())) for _ in range(rank)]
        if rank > 4:
            sizes = [min(size, 3) for size in sizes]
        if is_dynamic and sizes:
            sizes[0] = BATCH
        graph.values.append(Value(graph.name("x"), F32, tuple(sizes)))
    graph.inputs = list(graph.values)
    for _ in range(rng.randrange(2, most)):
        rng.choice(STEPS)(graph, rng)
    return model_of(graph, is_dynamic), is_dynamic


def kinds_of(model: ModelProto) -> Mapping[str, int]:
    kinds: dict[str, int] = {}
    waiting = list(model.graph.node)
    while waiting:
        node = waiting.pop()
        kinds[node.op_type] = kinds.get(node.op_type, 0) + 1
        waiting += [each for attribute in node.attribute if attribute.HasField("g") for each in attribute.g.node]
    return kinds
