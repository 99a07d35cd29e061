"""Check that two ONNX models compute the same: a program to read, which shares no code with what wrote the second one.

    python check_equal.py FIRST.onnx SECOND.onnx TRACE.json[.gz] [NAME=SIZE ...]
Theorem. If it prints `accepted`, both models have the same outputs for the same inputs, by name, in all elements. Ops
are the functions that ONNX's text defines; sums, means and products are those of numbers, in any order.
Proof. Every value is a constant, or *shows* elements of one value, its *root*, at certain positions. Ops that only move
elements are run on positions. Other values are their own roots, unless a claim of the trace says that one, a result of
node q, shows another one, a result of node p. A claim is checked when its value is read, and holds if
  same  q and p have one op, equal attributes and equal operands: constants of the same bytes, or the same positions of
        the same root. Any function has the same results then.
  axes  `law` names the axes of the operands and results of their op, and a renumbering of the axes of p makes its
        operands those of q. Then the result of q is that of p, renumbered. Axes that occur in the same operands and
        results are renumbered together. Axes N are *free*: each position of the result depends on the same one of the
        operands. Those of +N may be in any order, if it is one order in operands and results; those of .N stay.
Numpy and onnx are trusted: its defaults, its shapes, and its reference, which moves positions and computes constants.
"""

# pyright: reportUnknownMemberType=false
import gzip
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import defs, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.shape_inference import infer_node_outputs

Array: TypeAlias = NDArray[Any]
BASE = np.arange(1 << 26, dtype=np.int32)
MOVES = {*"Expand Flatten Gather GatherND Identity Reshape Slice Split Squeeze Transpose Unsqueeze".split()}
ELEMENTWISE = """Abs Add And Cast Ceil Clip Cos Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid
    HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round
    Selu Sigmoid Sign Sin Softplus Softsign Sqrt Sub Sum Tan Tanh Where Xor""".split()
COMPUTED = {*ELEMENTWISE, "Concat", "Constant", "ConstantOfShape", "Range", "ReduceProd", "Shape", "Size"}
USUAL = {"dilations": {1}, "pads": {0}, "strides": {1}}  # What is meant by attributes that are missing.
RANDOM = ("Bernoulli", "Dropout", "Multinomial", "Random")
NAMED = {"axes", "axis", "keepdims", "noop_with_empty_axes"}  # The attributes that `law` reads.


@dataclass(eq=False)
class OnnxValue:
    """A value of a model: a constant, or the positions that it shows of its root, if its sizes are known."""

    name: str
    type: onnx.TypeProto
    node: "OnnxStep | None" = None
    array: Array | None = None
    is_computed: bool = False

    def __post_init__(self) -> None:
        dims, self.root = self.type.tensor_type.shape.dim, self
        self.is_known = self.type.tensor_type.HasField("shape") and all(each.HasField("dim_value") for each in dims)
        self.shape = tuple(each.dim_value for each in dims)
        size = math.prod(self.shape) if self.is_known and self.array is None else 0
        self.at: Array = (BASE[:size] if size <= BASE.size else np.arange(size)).reshape(self.shape if size else (0,))


@dataclass
class OnnxStep:
    op: str
    version: tuple[str, int]
    attributes: Mapping[str, Any]
    inputs: list[OnnxValue | None]
    outputs: list[OnnxValue] = field(default_factory=list[OnnxValue])

    def listed(self, operand: int) -> list[Any]:
        value = self.inputs[operand] if operand < len(self.inputs) else None
        if value and value.array is None:
            raise ValueError(f"operand {operand} of {self.op} is no constant")
        return [] if value is None or value.array is None else value.array.reshape(-1).tolist()

    def law(self) -> tuple[list[Any], list[list[str]]]:
        """The names of the axes of operands and results; None for operands that are in the names."""
        ranks, at = [len(each.shape) if each else 0 for each in self.inputs], self.attributes
        rank, last, count, axis = ranks[0], max(ranks), len(ranks), at.get("axis", 0) % max(ranks[0], 1)
        n, s, c = ([f"{name}{place}" for place in range(last)] for name in ("N", "+S", "NC"))
        a, b, c, mean, keeps = n[:axis], n[axis + 1 : rank], c[: ranks[-1]], s[axis:rank], ["1"] * at.get("keepdims", 0)
        if self.op in ELEMENTWISE and (count == 1 or self.version[1] > 6):
            return [n[last - each :] for each in ranks], [n]
        if self.op.startswith("Reduce"):
            some = at.get("axes", self.listed(1)) or range(rank * (1 - at.get("noop_with_empty_axes", 0)))
            names = [s[place] if place in {each % rank for each in some} else n[place] for place in range(rank)]
            return [names, None][:count], [[each for name in names for each in (keeps if name in s else [name])]]
        lhs, rhs = n[last - ranks[0] : -2], n[last - ranks[-1] : -2]
        laws: dict[str, tuple[list[Any], list[list[str]]]] = {
            "Concat": ([[*a, f".D{place}", *b] for place in range(count)], [[*a, ".R", *b]]),
            "Gather": ([[*a, ".D", *b], c], [[*a, *c, *b]]),
            "GatherElements": ([[*a, ".D", *b], [*a, "C", *b]], [[*a, "C", *b]]),
            "LayerNormalization": ([[*a, *mean], mean, mean], [[*a, *mean]]),
            "MatMul": ([[*lhs, "M", "+K"], [*rhs, "+K", "N"]], [[*n[:-2], "M", "N"]]),
            "Softmax": ([[*a, "+S", *b]], [[*a, "+S", *b]]),
        }
        kind = self.op.replace("RMS", "Layer")
        if kind not in laws or self.version[1] < 13 * (kind == "Softmax"):
            raise ValueError(f"the axes of {self.op} are not known")
        return laws[kind][0][:count], laws[kind][1]


class Axes:
    """The axes of the operands and of one result of a node, in groups of those that occur in the same ones."""

    def __init__(self, node: OnnxStep, place: int) -> None:
        (operands, results), sizes, where = node.law(), dict[str, int](), defaultdict[str, str](str)
        self.result, self.named = node.outputs[place], list[tuple[OnnxValue, Sequence[str], Array]]()
        pairs = zip([*node.inputs, self.result], [*operands, results[place]], strict=True)
        for value, names in [(value, names) for value, names in pairs if value and names is not None]:
            if len(names) != len(value.shape) or 0 in value.shape or not value.is_known:
                raise ValueError(f"'{value.name}' has another rank, or no elements")
            array = value.at if value.array is None else value.array
            for axis, (name, size) in enumerate(zip(names, value.shape, strict=True)):
                one, bytes_of = array.take([0], axis), array.tobytes() if size > 1 else b""
                if size > 1 and sizes.setdefault(name, size) != size:
                    raise ValueError(f"'{value.name}' has other sizes")
                if value is not self.result and np.broadcast_to(one, array.shape).tobytes() == bytes_of:
                    array = one  # Equal elements are as good as one.
                where[name] += f" {len(self.named)}" * (array.shape[axis] > 1)
            self.named.append((value, names, array))
        if any(name[0] not in "+." and self.result.shape[results[place].index(name)] != sizes[name] for name in sizes):
            raise ValueError("a position of the result depends on some of the operands only")
        self.groups = defaultdict[str, list[str]](list)
        for name in sorted(sizes):
            self.groups[(name if name[0] == "." else "+" * (name[0] == "+")) + where[name]].append(name)
        self.sizes = {key: math.prod(sizes[name] for name in self.groups[key]) for key in sorted(self.groups)}

    def grouped(self, names: Sequence[str], array: Array) -> Array:
        """An operand or result with one axis for each group."""
        known = [name if size > 1 else "" for name, size in zip(names, array.shape, strict=True)]
        order = [[known.index(name) for name in self.groups[key] if name in known] for key in self.sizes]
        axes = [axis for group in order for axis in group]
        return array.transpose([*axes, *({*range(array.ndim)} - {*axes})]).reshape(
            [math.prod(array.shape[axis] for axis in group) for group in order]
        )


def renumbered(p: Axes, q: Axes) -> Array:
    """The positions of the result of q in that of p; raises `ValueError` if q is no renumbering of p."""
    both = list(zip(p.named, q.named, strict=True))
    roots = [[each.root if each.array is None else None for each, _, _ in axes.named[:-1]] for axes in (p, q)]
    if p.sizes != q.sizes or roots[0] != roots[1]:
        raise ValueError("the operands have other axes, or are not shown to be equal")
    pairs = [(x, p.grouped(names, shown), q.grouped(others, there)) for (x, names, shown), (_, others, there) in both]
    new: dict[int, Array] = {at: np.arange(size) for at, (key, size) in enumerate(p.sizes.items()) if key[:1] == "."}
    for x, old, wanted in sorted(pairs[:-1], key=lambda each: each[0].array is not None):
        for group in {each for each, size in enumerate(old.shape) if size > 1} - new.keys():
            if x.array is None:  # Positions of the root say where they were.
                places = np.zeros(x.root.at.size, int)
                places[old.reshape(-1)] = np.arange(old.size)
                line = wanted[tuple(slice(None) if at == group else 0 for at in range(old.ndim))]
                new[group] = np.unravel_index(places[line], old.shape)[group]
            else:  # Slices of a constant are found by their bytes.
                index = [new.get(at, range(size)) if size > 1 else [0] for at, size in enumerate(old.shape)]
                rows, bytes_of = np.moveaxis(old[np.ix_(*index)], group, 0), defaultdict[bytes, list[int]](list)
                for number in range(len(rows))[::-1]:
                    bytes_of[rows[number].tobytes()].append(number)
                new[group] = np.array([bytes_of[row.tobytes()].pop() for row in np.moveaxis(wanted, group, 0)])
    if any(len({*new.setdefault(at, np.arange(size)).tolist()}) != size for at, size in enumerate(p.sizes.values())):
        raise ValueError("the operands show other positions")
    moved = [x[np.ix_(*(new[at] if size > 1 else [0] for at, size in enumerate(x.shape)))] for _, x, _ in pairs]
    are_same = [(x.dtype, x.tobytes()) == (y.dtype, y.tobytes()) for x, (_, _, y) in zip(moved, pairs, strict=True)]
    if not all(are_same[:-1]):
        raise ValueError("the operands show other positions, or are other constants")
    return moved[-1].reshape(-1)[np.argsort(pairs[-1][-1], axis=None)].reshape(q.result.shape)


class Model:
    """An ONNX model: its values by name. Those of a second one show values of the first one."""

    def __init__(self, path: str, sizes: dict[str, int], claims: dict[str, str], first: "Model | None" = None) -> None:
        proto, self.values, self.claims, self.source = onnx.load(path), dict[str, OnnxValue](), claims, first or self
        self.proto, self.believed = proto, first.believed if first else Counter[str]()
        self.opsets = {each.domain.replace("ai.onnx", ""): each.version for each in proto.opset_import}
        graph, notes = proto.graph, [each.key for each in proto.metadata_props]
        if proto.functions or graph.sparse_initializer or any("npu_opt.interface" in each for each in notes):
            raise ValueError(f"{path} has functions, sparse constants, or an interface that is stored otherwise")
        self.ends = [f"{each.name}: {each.type}" for each in graph.input]
        self.ends += [f"{each.name}: {each.type.tensor_type.elem_type}" for each in graph.output]
        for each in graph.input:
            for axis, dim in enumerate(each.type.tensor_type.shape.dim):
                if not dim.HasField("dim_value"):
                    name = dim.dim_param or f"{each.name}:{axis}"
                    dim.dim_value = sizes.setdefault(name, 23 + 6 * len(sizes))
            self.add(OnnxValue(each.name, each.type))
            self.values[each.name].root = self.source.values[each.name]
        for each in graph.initializer:
            array, type_ = numpy_helper.to_array(each), helper.make_tensor_type_proto(each.data_type, each.dims)
            if each.name in self.values:  # What the input is if the caller does not give it.
                self.ends.append(f"{each.name} = {array.dtype} {array.tobytes().hex()}")
            else:
                self.add(OnnxValue(each.name, type_, None, array))
        for each in graph.node:
            self.read(each)

    def add(self, value: OnnxValue) -> None:
        if value.name in self.values:
            raise ValueError(f"two values are named '{value.name}'")
        self.values[value.name], claim = value, self.claims.get(value.name, value.name)
        try:
            if value.name in self.claims and value.root is value and value.array is None:
                value.root = self.source.values[claim].root
                value.at = self.related(value.root, value)
        except (LookupError, ValueError) as error:
            raise ValueError(f"'{value.name}' is not shown to be '{claim}': {error}") from error

    def equal(self, x: OnnxValue | None, y: OnnxValue | None) -> bool:
        if x is None or y is None or x.array is None or y.array is None:
            return x is y or (x is not None and y is not None and x.root is y.root and np.array_equal(x.at, y.at))
        self.believed["engines compute floats of constants as onnx does"] += x.is_computed or y.is_computed
        return (x.array.dtype, x.shape, x.array.tobytes()) == (y.array.dtype, y.shape, y.array.tobytes())

    def related(self, root: OnnxValue, value: OnnxValue) -> Array:
        """The positions that a result shows of a result of another node; raises `ValueError` if it does not show it."""
        p, q = root.node, value.node
        if p is None or q is None or root is value or p.outputs.index(root) != q.outputs.index(value):
            raise ValueError("it is no such result of another node")
        kinds = [(node.op, node.version, len(node.outputs), [each is None for each in node.inputs]) for node in (p, q)]
        has_graphs = any(isinstance(each, onnx.GraphProto) for each in p.attributes.values())
        if kinds[0] != kinds[1] or has_graphs or p.op.startswith(RANDOM):
            raise ValueError(f"{q.op} is not {p.op}, or is random, or reads values in a graph of its own")
        stated = [[(n, v) for n, v in node.attributes.items() if n not in USUAL or {*v} != USUAL[n]] for node in (p, q)]
        one, other = ({name: repr(each) for name, each in pairs} for pairs in stated)
        if one == other and all(map(self.equal, p.inputs, q.inputs)):
            self.believed[f"{p.op} of {p.version[0]} is a function"] += p.version[0] != ""
            return root.at
        if any(one.get(name) != other.get(name) for name in {*one, *other} - NAMED):
            raise ValueError(f"the attributes of {p.op} differ")
        return renumbered(Axes(p, p.outputs.index(root)), Axes(q, q.outputs.index(value)))

    def read(self, proto: onnx.NodeProto) -> None:
        """Add the results of a node: positions, constants, or values of their own."""
        domain, given = proto.domain.replace("ai.onnx", ""), {name: self.values[name] for name in proto.input if name}
        types, attributes, version = dict[str, onnx.TypeProto](), dict[str, Any](), self.opsets.get(domain, 0)
        arrays = {name: each.array for name, each in given.items() if each.array is not None}
        if defs.has(proto.op_type, domain):
            schema = defs.get_schema(proto.op_type, version, domain)
            defaults = {name: each.default_value for name, each in schema.attributes.items()}
            attributes = {name: helper.get_attribute_value(each) for name, each in defaults.items() if each.type}
            version, known = schema.since_version, {name: each.type for name, each in given.items()}
            data = {name: numpy_helper.from_array(each) for name, each in arrays.items() if each.size < 1000}
            with suppress(Exception):  # Else the results are of unknown size.
                types = infer_node_outputs(schema, proto, known, data, opset_imports=[*self.proto.opset_import])
        attributes |= {each.name: helper.get_attribute_value(each) for each in proto.attribute}
        node = OnnxStep(proto.op_type, (domain, version), attributes, [given.get(name) for name in proto.input])
        while node.inputs and node.inputs[-1] is None:
            node.inputs.pop()
        node.outputs += [OnnxValue(name, types.get(name, onnx.TypeProto()), node) for name in proto.output]
        if domain == "" and all(each is None or each.is_known for each in (*node.inputs, node.outputs[0])):
            with suppress(Exception):  # What onnx cannot run stays a result of its node.
                self.run(proto, node, arrays)
        for value in [each for each in node.outputs if each.name]:
            self.add(value)

    def run(self, proto: onnx.NodeProto, node: OnnxStep, arrays: dict[str, Array]) -> None:
        """Move positions, or compute a constant."""
        op, result, found, inputs = node.op, node.outputs[0], list[Array](), [each for each in node.inputs if each]
        data, is_small = (*inputs, result)[0], op in COMPUTED and result.at.size <= 1 << 16
        shows = data.array is None and data is not result and [*proto.input].count(data.name) == 1
        given = arrays | ({data.name: data.at} if shows and op in {*MOVES, "Shape"} else {})
        if shows and op in ("Dropout", "Expand", "Pad"):
            is_same = data.shape == result.shape and node.version[1] > {"Pad": 10}.get(op, 6)
            if op == "Expand" or (is_same and not any(node.listed(1 if op == "Pad" else 2))):
                found = [np.broadcast_to(data.at, result.shape)]
        elif len(given) == len({*proto.input} - {""}) and (op in MOVES or is_small):
            found = map(np.asarray, ReferenceEvaluator(proto, opsets=self.opsets).run(None, given))
        for value, array in zip(node.outputs, found, strict=False):
            if shows and op != "Shape":
                value.root, value.at = data.root, array
            else:
                is_rounded = op in ELEMENTWISE and array.dtype.kind not in "biu"
                value.array, value.is_computed = array, is_rounded or any(each.is_computed for each in inputs)


def check(first: str, second: str, trace: Mapping[str, dict[str, str]], sizes: dict[str, int]) -> Counter[str]:
    """Return what is believed if two models are equal by a trace; raises `ValueError` if a step does not hold."""
    one = Model(first, sizes, trace["first"])
    two = Model(second, sizes, trace["second"], one)
    if sorted(one.ends) != sorted(two.ends):
        raise ValueError("the models have other inputs, outputs, or defaults of inputs")
    for name in [each.name for each in two.proto.graph.output]:
        if not two.equal(one.values[name], two.values[name]):
            raise ValueError(f"output '{name}' is not shown to be equal")
    one.believed[f"other sizes than {sizes} have the same proof"] += bool(sizes)
    return +one.believed


if __name__ == "__main__":
    file, other_file, trace_file, *given = sys.argv[1:]
    claims = json.load((gzip.open if trace_file.endswith(".gz") else open)(trace_file))
    try:
        known = check(file, other_file, claims, {name: int(size) for name, size in (each.split("=") for each in given)})
    except (LookupError, ValueError) as error:
        sys.exit(f"rejected: {error}")
    print(f"accepted; believed: {', '.join(f'{each} ({count} times)' for each, count in known.items()) or 'nothing'}")
