"""Random ONNX graphs: every op that the importer maps, on tensors of odd ranks, of one element, and of none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper, shape_inference

Array = NDArray[Any]

F32, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
MICROSOFT = "com.microsoft"
UNARY = (
    "Abs", "Neg", "Exp", "Tanh", "Relu", "Sigmoid", "Floor", "Ceil", "Sign", "Erf", "LeakyRelu", "Elu", "HardSigmoid",
    "Softplus", "Softsign", "Identity", "Selu", "Celu", "ThresholdedRelu", "HardSwish", "Round", "Sin", "Reciprocal",
)  # fmt: skip
BINARY = ("Add", "Sub", "Mul", "Max", "Min", "Add", "Mul", "Sum", "Mean")
REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp")
MOST_ELEMENTS = 2000


@dataclass(frozen=True)
class Value:
    """A value of the graph, with its shape for the batch of the first run."""

    name: str
    element: int
    shape: tuple[int, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)


ONCE_ATTRIBUTES: Mapping[str, tuple[int, Sequence[str]]] = {
    "Squeeze": (13, ["axes"]),
    "Unsqueeze": (13, ["axes"]),
    "ReduceSum": (13, ["axes"]),
    "Split": (13, ["split"]),
    "Pad": (11, ["pads", "value"]),
    "Clip": (11, ["min", "max"]),
    "Slice": (10, ["starts", "ends", "axes"]),
}
"""The opset in which inputs behind the first took the place of attributes, and the names of these."""


@dataclass
class Graph:
    """A graph under construction."""

    rng: Random
    opset: int
    is_dynamic: bool
    """True if the first size of the inputs is dynamic."""
    inputs: list[Value] = field(default_factory=list[Value])
    values: list[Value] = field(default_factory=list[Value])
    nodes: list[NodeProto] = field(default_factory=list[NodeProto])
    constants: dict[str, Array] = field(default_factory=dict[str, Array])
    count: int = 0

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def constant(self, array: Array) -> str:
        name = self.name("c")
        self.constants[name] = array
        return name

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def floats(self, *shape: int) -> str:
        size = int(np.prod(shape))
        numbers = [self.rng.uniform(-1, 1) for _ in range(size)]
        return self.constant(np.array(numbers, np.float32).reshape(shape))

    def pick(self, element: int = F32, rank: int | None = None, least: int = 0) -> Value | None:
        """A value of the graph, more often a late one."""
        found = [
            value
            for value in self.values
            if value.element == element and value.rank >= least and rank in (None, value.rank)
        ]
        return self.rng.choice((found, found[-4:])[self.rng.random() < 0.6]) if found else None

    def add(self, kind: str, inputs: Sequence[str], outputs: int = 1, /, **attributes: Any) -> bool:
        """Add a node if ONNX accepts it and its results are not too large."""
        names = [self.name("v") for _ in range(outputs)]
        inputs, attributes = self._in_opset(kind, inputs, attributes)
        given = {key: value for key, value in attributes.items() if value not in (None, [])}
        node = helper.make_node(kind, inputs, names, name=self.name("n"), **given)
        known = {value.name: value for value in self.values}
        types = {
            name: helper.make_tensor_type_proto(known[name].element, known[name].shape)
            if name in known
            else helper.make_tensor_type_proto(
                helper.np_dtype_to_tensor_dtype(self.constants[name].dtype), self.constants[name].shape
            )
            for name in inputs
            if name
        }
        data = {name: numpy_helper.from_array(self.constants[name]) for name in inputs if name in self.constants}
        try:
            schema = onnx.defs.get_schema(kind, self.opset)
            found = shape_inference.infer_node_outputs(
                schema, node, types, data, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8
            )
        except Exception:
            # Any error of ONNX means that it is not a valid node.
            return False
        made = [_value(name, found.get(name)) for name in names]
        if any(
            each is None or np.prod(each.shape) > MOST_ELEMENTS or each.rank > 6 or min(each.shape, default=0) < 0
            for each in made
        ):
            return False
        self.nodes.append(node)
        self.values += [each for each in made if each is not None]
        return True

    def _in_opset(
        self, kind: str, inputs: Sequence[str], attributes: dict[str, Any]
    ) -> tuple[Sequence[str], dict[str, Any]]:
        """The inputs and attributes of a node, of which older opsets have some inputs as attributes."""
        since, names = ONCE_ATTRIBUTES.get(kind, (0, ()))
        if self.opset >= since or not all(each in self.constants for each in inputs[1:]):
            return inputs, attributes
        more = {name: self.constants[each].tolist() for name, each in zip(names, inputs[1:], strict=False)}
        return inputs[:1], {**attributes, **more}


def _value(name: str, type_: TypeProto | None) -> Value | None:
    if type_ is None or not type_.tensor_type.HasField("shape"):
        return None
    dims = type_.tensor_type.shape.dim
    if not all(dim.HasField("dim_value") for dim in dims):
        return None
    return Value(name, type_.tensor_type.elem_type, tuple(dim.dim_value for dim in dims))


Step = Callable[[Graph, Random], object]


def _axis(value: Value, rng: Random) -> int:
    return rng.randrange(-value.rank, value.rank) if value.rank else 0


def _axes(value: Value, rng: Random) -> list[int]:
    axes = rng.sample(range(value.rank), rng.randrange(value.rank + 1))
    return [axis - value.rank if rng.random() < 0.3 else axis for axis in axes]


def unary(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is not None:
        graph.add(rng.choice(UNARY), [value.name])


def binary(graph: Graph, rng: Random) -> None:
    first = graph.pick()
    if first is None:
        return
    others = [value.name for value in graph.values if value.element == F32]
    start = rng.randrange(first.rank + 1)
    others.append(graph.floats(*(size if rng.random() < 0.6 else 1 for size in first.shape[start:])))
    second = rng.choice((rng.choice(others), others[-1], first.name))
    names = [first.name, second] if rng.random() < 0.7 else [second, first.name]
    graph.add(rng.choice(BINARY), names)


def slope(graph: Graph, rng: Random) -> None:
    """The slopes are repeated for the numbers, not vice versa."""
    if (value := graph.pick()) is not None:
        start = rng.randrange(value.rank + 1)
        slopes = graph.floats(*(size if rng.random() < 0.6 and size >= 0 else 1 for size in value.shape[start:]))
        graph.add("PRelu", [value.name, slopes])


def compare(graph: Graph, rng: Random) -> None:
    first, second = graph.pick(), graph.pick()
    if first is None or second is None:
        return
    if graph.add(rng.choice(("Less", "Greater", "GreaterOrEqual", "LessOrEqual")), [first.name, second.name]):
        graph.add("Where", [graph.values[-1].name, first.name, second.name])


def clip(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is not None:
        low = graph.constant(np.array(-0.5, np.float32)) if rng.random() < 0.7 else ""
        graph.add("Clip", [value.name, low, graph.constant(np.array(0.75, np.float32))])


def cast(graph: Graph, rng: Random) -> None:
    value = graph.pick(rng.choice((F32, I64, BOOL)))
    if value is not None:
        graph.add("Cast", [value.name], to=rng.choice((F32, F32, BOOL)))


def transpose(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is not None:
        perm = list(range(value.rank))
        rng.shuffle(perm)
        graph.add("Transpose", [value.name], perm=perm if rng.random() < 0.8 else None)


def reshape(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is None:
        return
    left, sizes = int(np.prod(value.shape)), list[int]()
    while left > 1 and len(sizes) < 4 and rng.random() < 0.8:
        factor = rng.choice([each for each in range(1, left + 1) if left % each == 0])
        sizes.append(factor)
        left //= factor
    sizes.append(left)
    if left and rng.random() < 0.5:
        sizes[rng.randrange(len(sizes))] = -1
    if value.rank and rng.random() < 0.3:
        sizes = [0, -1]
    graph.add("Reshape", [value.name, graph.ints(*sizes)])


def views(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is None:
        return
    match rng.randrange(3):
        case 0:
            graph.add("Flatten", [value.name], axis=rng.randrange(-value.rank, value.rank + 1))
        case 1:
            ones = [axis for axis, size in enumerate(value.shape) if size == 1]
            # Without explicit axes the unit axes have to be known: of an unknown size, ONNX's shape inference and ONNX
            # Runtime think differently.
            if ones or not graph.is_dynamic:
                graph.add("Squeeze", [value.name, graph.ints(*ones)] if ones else [value.name])
        case _:
            graph.add("Unsqueeze", [value.name, graph.ints(rng.randrange(-value.rank - 1, value.rank + 1))])


def expand(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is not None:
        sizes = [rng.choice((2, 3)) if size == 1 else rng.choice((1, size)) for size in value.shape]
        graph.add("Expand", [value.name, graph.ints(*([2] * rng.randrange(2)), *sizes)])


def reduction(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is None:
        return
    # Without elements, ONNX Runtime does not count axes from the end, and a mean is arbitrary.
    can_be_empty = graph.is_dynamic or 0 in value.shape
    kind, keep, axes = rng.choice(REDUCTIONS), rng.randrange(2), _axes(value, rng)
    if can_be_empty:
        kind, axes = (
            rng.choice([each for each in REDUCTIONS if each != "ReduceMean"]),
            [axis % value.rank for axis in axes],
        )
    if kind == "ReduceSum" or graph.opset >= 18:
        more = {"noop_with_empty_axes": 1} if rng.random() < 0.2 and not can_be_empty else {}
        graph.add(kind, [value.name, graph.ints(*axes)] if rng.random() < 0.8 else [value.name], keepdims=keep, **more)
    else:
        graph.add(kind, [value.name], keepdims=keep, axes=axes or None)


def arg(graph: Graph, rng: Random) -> None:
    # Without elements there is no largest one, and ONNX Runtime reports no error.
    if (value := graph.pick(least=1)) is not None and 0 not in value.shape:
        graph.add(rng.choice(("ArgMax", "ArgMin")), [value.name], axis=_axis(value, rng), keepdims=rng.randrange(2))


def running_sum(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is not None:
        axis = graph.constant(np.array(_axis(value, rng), np.int64))
        graph.add("CumSum", [value.name, axis], exclusive=rng.randrange(2), reverse=rng.randrange(2))


def softmax(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is not None:
        graph.add(rng.choice(("Softmax", "LogSoftmax", "Hardmax")), [value.name], axis=_axis(value, rng))


def concat(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is not None:
        same = [each.name for each in graph.values if each.element == F32 and each.rank == value.rank]
        names = [value.name, *(rng.choice((value.name, rng.choice(same))) for _ in range(rng.randrange(3)))]
        graph.add("Concat", names, axis=_axis(value, rng))


def split(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is None or value.shape[axis := _axis(value, rng)] < 0:
        return
    first = rng.randrange(value.shape[axis] + 1)
    graph.add("Split", [value.name, graph.ints(first, value.shape[axis] - first)], 2, axis=axis)


def slice_(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is None:
        return
    axes = _axes(value, rng) or [0]
    starts = [rng.randrange(-4, 5) for _ in axes]
    ends = [rng.choice((rng.randrange(-4, 6), 1 << 40, -(1 << 40))) for _ in axes]
    steps = [rng.choice((1, 1, 2, -1, -2)) for _ in axes]
    graph.add("Slice", [value.name, *(graph.ints(*each) for each in (starts, ends, axes, steps))])


def gather(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is None:
        return
    axis = _axis(value, rng)
    # An unknown size is negative.
    if (size := value.shape[axis]) <= 0:
        return
    shape = [rng.randrange(4) for _ in range(rng.randrange(3))]
    indices = np.array([rng.randrange(-size, size) for _ in range(int(np.prod(shape)))], np.int64).reshape(shape)
    graph.add("Gather", [value.name, graph.constant(indices)], axis=axis)


def pad(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is not None:
        mode = rng.choice(("constant", "constant", "edge", "reflect"))
        numbers = (0, 0, 1, 2, -1) if mode == "constant" else (0, 0, 1)
        pads = graph.ints(*(rng.choice(numbers) for _ in range(2 * value.rank)))
        graph.add("Pad", [value.name, pads], mode=mode)


def tile(graph: Graph, rng: Random) -> None:
    if (value := graph.pick()) is not None:
        graph.add("Tile", [value.name, graph.ints(*(rng.choice((1, 1, 2, 3, 0)) for _ in value.shape))])


def triangle(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=2)) is not None:
        graph.add(
            "Trilu", [value.name, graph.constant(np.array(rng.randrange(-2, 3), np.int64))], upper=rng.randrange(2)
        )


def matmul(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(least=1)) is None:
        return
    other = graph.pick(least=1)
    shape = [value.shape[-1]] + ([rng.choice((1, 3, 4))] if rng.random() < 0.8 else [])
    second = other.name if other and rng.random() < 0.3 else graph.floats(*shape)
    graph.add("MatMul", [value.name, second])


def gemm(graph: Graph, rng: Random) -> None:
    if (value := graph.pick(rank=2)) is None:
        return
    trans_a, trans_b, columns = rng.randrange(2), rng.randrange(2), rng.choice((1, 3, 5))
    rows, inner = (value.shape[1], value.shape[0]) if trans_a else value.shape
    weights = graph.floats(*((columns, inner) if trans_b else (inner, columns)))
    bias = rng.choice(([], [graph.floats(columns)], [graph.floats(rows, 1)], [graph.floats()]))
    factors = {"alpha": rng.choice((1.0, 0.5)), "beta": rng.choice((1.0, 2.0, 0.0))}
    graph.add("Gemm", [value.name, weights, *bias], transA=trans_a, transB=trans_b, **factors)


def _window(value: Value, rng: Random) -> dict[str, Any]:
    spatial = value.rank - 2
    pads = {"pads": [rng.choice((0, 0, 1)) for _ in range(2 * spatial)]}
    how = rng.choice((pads, pads, {"auto_pad": rng.choice(("SAME_UPPER", "SAME_LOWER", "VALID"))}))
    return {**how, "strides": [rng.choice((1, 1, 2)) for _ in range(spatial)]}


def convolution(graph: Graph, rng: Random) -> None:
    value = graph.pick(rank=rng.choice((3, 4, 4, 5)))
    if value is None or not value.shape[1]:
        return
    groups = rng.choice([each for each in range(1, value.shape[1] + 1) if value.shape[1] % each == 0])
    extents = [rng.choice((1, 2, 3)) for _ in value.shape[2:]]
    more = rng.choice((1, 2))
    bias = [graph.floats(groups * more)] if rng.random() < 0.5 else []
    if rng.random() < 0.7:
        kernel = graph.floats(groups * more, value.shape[1] // groups, *extents)
        dilations = [rng.choice((1, 1, 2)) for _ in extents]
        graph.add("Conv", [value.name, kernel, *bias], group=groups, dilations=dilations, **_window(value, rng))
    else:
        kernel = graph.floats(value.shape[1], more, *extents)
        graph.add("ConvTranspose", [value.name, kernel, *bias], group=groups, **_window(value, rng))


def pooling(graph: Graph, rng: Random) -> None:
    value = graph.pick(rank=rng.choice((3, 4, 4, 5)))
    if value is None:
        return
    if rng.random() < 0.3:
        graph.add(rng.choice(("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")), [value.name])
        return
    kind = rng.choice(("MaxPool", "AveragePool", "LpPool"))
    more: dict[str, Any] = {"count_include_pad": rng.randrange(2)} if kind == "AveragePool" else {}
    if kind != "LpPool":
        more["ceil_mode"] = rng.randrange(2)
    window = [rng.choice((1, 2, 3)) for _ in value.shape[2:]]
    graph.add(kind, [value.name], kernel_shape=window, **more, **_window(value, rng))


def normalization(graph: Graph, rng: Random) -> None:
    value = graph.pick(least=2)
    if value is None:
        return
    channels = value.shape[1]
    match rng.randrange(5):
        case 0:
            statistics = [graph.floats(channels) for _ in range(3)]
            variance = graph.constant(np.full(channels, 0.5, np.float32))
            graph.add("BatchNormalization", [value.name, *statistics, variance])
        case 1 if value.rank > 2:
            graph.add("InstanceNormalization", [value.name, graph.floats(channels), graph.floats(channels)])
        case 2:
            axis = _axis(value, rng)
            scale = graph.floats(*value.shape[axis:])
            graph.add("LayerNormalization", [value.name, scale], axis=axis)
        case 3:
            graph.add("LpNormalization", [value.name], axis=_axis(value, rng), p=rng.choice((1, 2)))
        case _ if value.rank == 4:
            graph.add("LRN", [value.name], size=rng.choice((1, 2, 3)))
        case _:
            return


def image(graph: Graph, rng: Random) -> None:
    value = graph.pick(rank=4)
    if value is None:
        return
    match rng.randrange(3):
        case 0:
            graph.add("SpaceToDepth", [value.name], blocksize=2)
        case 1:
            graph.add("DepthToSpace", [value.name], blocksize=2, mode=rng.choice(("DCR", "CRD")))
        case _:
            scales = graph.constant(np.array([1, 1, rng.choice((1, 2, 1.5)), rng.choice((1, 2, 0.5))], np.float32))
            modes = rng.choice(("nearest", "linear")), rng.choice(("asymmetric", "half_pixel", "align_corners"))
            graph.add("Resize", [value.name, "", scales], mode=modes[0], coordinate_transformation_mode=modes[1])


def shapes(graph: Graph, rng: Random) -> None:
    """A reshape that keeps the first size, which is dynamic."""
    if (value := graph.pick(least=2)) is None:
        return
    graph.add("Shape", [value.name])
    graph.add("Gather", [graph.values[-1].name, graph.ints(0)], axis=0)
    first = graph.values.pop().name
    graph.values.pop()
    both = graph.name("v")
    graph.nodes.append(helper.make_node("Concat", [first, graph.ints(-1)], [both], axis=0))
    result = Value(graph.name("v"), F32, (value.shape[0], int(np.prod(value.shape[1:]))))
    if value.shape[0]:
        graph.nodes.append(helper.make_node("Reshape", [value.name, both], [result.name]))
        graph.values.append(result)


def one_hot(graph: Graph, rng: Random) -> None:
    value = graph.pick(I64)
    if value is not None:
        depth, values = graph.ints(3), graph.constant(np.array([0, 2], np.float32))
        graph.add("OneHot", [value.name, depth, values], axis=rng.choice((-1, 0)))


def einsum(graph: Graph, rng: Random) -> None:
    value = graph.pick(rank=rng.choice((2, 3)))
    if value is not None:
        equation = (
            rng.choice(("ij->ji", "ij->j", "ij,ij->i")) if value.rank == 2 else rng.choice(("bij->bji", "...j->..."))
        )
        graph.add("Einsum", [value.name] * (equation.count(",") + 1), equation=equation)


STEPS: Sequence[Step] = (
    unary, unary, binary, binary, slope, compare, clip, cast, transpose, transpose, reshape, reshape, views, expand,
    reduction, arg, running_sum, softmax, concat, split, slice_, gather, pad, tile, triangle, matmul, gemm,
    convolution, convolution, pooling, pooling, normalization, image, shapes, one_hot, einsum,
)  # fmt: skip

BATCH = 2
"""The first size of the inputs in the first run."""


def random_graph(seed: int, most: int = 12) -> tuple[ModelProto, bool]:
    """A model, and True if the first size of its inputs is dynamic."""
    rng = Random(seed)
    graph = Graph(rng, rng.choice((13, 14, 15, 17, 18, 20, 21)), is_dynamic := rng.random() < 0.5)
    for _ in range(rng.choice((1, 1, 2))):
        rank = rng.choice((0, 1, 2, 3, 4, 4, 4, 5))
        sizes = [rng.choice((1, 2, 3, 4, 4, 6, 8) + ((0,) if rng.random() < 0.15 else ())) for _ in range(rank)]
        if is_dynamic and sizes:
            sizes[0] = BATCH
        graph.values.append(Value(graph.name("x"), F32, tuple(sizes)))
    graph.inputs = list(graph.values)
    if rng.random() < 0.3:
        graph.values.append(Value(graph.floats(*graph.inputs[0].shape[1:]), F32, graph.inputs[0].shape[1:]))
    for _ in range(rng.randrange(1, most)):
        rng.choice(STEPS)(graph, rng)
    return model_of(graph, is_dynamic), is_dynamic


def model_of(graph: Graph, is_dynamic: bool) -> ModelProto:
    rng = graph.rng
    read = {name for node in graph.nodes for name in node.input}
    ends = [value for value in graph.values if value.name not in read or rng.random() < 0.15]
    if not rng.random() < 0.15:
        ends = [value for value in ends if value.name[0] == "v"]
    ends = ends or [graph.values[-1]]
    if graph.values[0] in ends:
        # A model that only returns its inputs is read as well.
        ends = list(dict.fromkeys(ends))

    def info(value: Value, is_input: bool) -> onnx.ValueInfoProto:
        shape: list[int | str | None] = list(value.shape)
        if is_dynamic:
            shape = ["N", *value.shape[1:]] if is_input and value.shape else [None] * value.rank
        return helper.make_tensor_value_info(value.name, value.element, list(value.shape) if not is_dynamic else shape)

    made = helper.make_graph(
        graph.nodes,
        "random",
        [info(value, True) for value in graph.inputs],
        [info(value, False) for value in ends],
        [numpy_helper.from_array(array, name) for name, array in graph.constants.items()],
    )
    domains = {"": graph.opset, **({MICROSOFT: 1} if any(node.domain for node in graph.nodes) else {})}
    return helper.make_model(
        made, opset_imports=[helper.make_opsetid(*each) for each in domains.items()], ir_version=10
    )
