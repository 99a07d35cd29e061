"""Check that two ONNX models compute the same: a program to read, which shares no code with what wrote the second one.

    python check_equal.py FIRST.onnx SECOND.onnx TRACE.json[.gz] [NAME=SIZE ...]
Theorem. If it prints `accepted`, both models have the same outputs for the same inputs, by name, in all elements, with
what it names: interfaces in another order of their axes, which a note in the model states, inputs that have their
default, and the ranks of inputs. Ops are the functions that ONNX's text defines; sums, means and products are those of
numbers, in any order, and a / b is a (1 / b).
Proof. Every value is a constant, or *shows* elements of one value, its *root*: `at` has the number of its first, and
what each position of each axis adds to it. Ops that only move elements change `at`. Other values are their own roots,
unless one, a result of node q, is proved to show one before it, a result of node p. The trace claims which one; without
a claim, all are tried whose nodes have the same op and read the same roots. One of four rules must hold:
  same  q and p have one op, equal attributes and equal operands: constants of the same bytes, or the same positions of
        the same root. Any function has the same results then. Graphs in nodes are compared as models are.
  axes  `law` names the axes of the operands and results of their op, and a renumbering of the axes of p makes its
        operands those of q. Then the result of q is that of p, renumbered. Axes N are *free*: each position of the
        result depends on the same one of the operands. Those of + may be in any order, if it is one order in operands
        and results; those of . stay. Axes that are cut in two ways are compared in digits, as numbers are.
  channels  each position of the result of q along axis 1 is computed as one of that of p.
  body  ONNX says which ops compute an op, or `body_of` does: its results are theirs.
Numpy and onnx are trusted: its defaults, shapes, bodies of ops and functions, and its reference, which computes
constants. onnx_steps.py has the moves and the laws, renumbering.py, channels.py and onnx_bodies.py these rules.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import copy
import gzip
import json
import sys
from collections import ChainMap, Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import onnx
from onnx import defs, helper, numpy_helper, parser

if TYPE_CHECKING or __package__:
    from .channels import BY_CHANNEL, by_channels
    from .onnx_bodies import body_of, steps_of
    from .onnx_constants import COMPUTED_LAST, as_onnx, meaning, run
    from .onnx_interfaces import both_inputs, entered, order_in
    from .onnx_ops import NAMED
    from .onnx_sizes import take_open, with_sizes
    from .onnx_steps import OnnxStep, OnnxValue
    from .positions import Lines
    from .renumbering import renumbered
else:
    from channels import BY_CHANNEL, by_channels
    from onnx_bodies import body_of, steps_of
    from onnx_constants import COMPUTED_LAST, as_onnx, meaning, run
    from onnx_interfaces import both_inputs, entered, order_in
    from onnx_ops import NAMED
    from onnx_sizes import take_open, with_sizes
    from onnx_steps import OnnxStep, OnnxValue
    from positions import Lines
    from renumbering import renumbered

NOTE = "npu_opt.interface."


class Model:
    """An ONNX model, or a graph in one of its nodes: values by name. Those of a second one show values of the first."""

    def __init__(
        self,
        path: str,
        sizes: dict[str, int],
        claims: dict[str, str],
        first: "Model | None" = None,
        inputs: Sequence[onnx.ValueInfoProto] | None = None,
    ) -> None:
        proto, self.claims, self.source, self.lost = onnx.load(path), claims, first or self, ""
        self.is_inside = False
        self.values, self.made = ChainMap[str, OnnxValue](), defaultdict[Any, list[OnnxValue]](list)
        self.functions = {(each.domain, each.name, each.overload): each for each in proto.functions}
        self.believed, self.sizes, self.inputs = first.believed if first else Counter[str](), sizes, list[OnnxValue]()
        self.opsets, graph = [*proto.opset_import], proto.graph
        if graph.sparse_initializer:
            raise ValueError(f"{path} has sparse constants")
        self.notes = {each.key: each.value for each in proto.metadata_props if each.key.startswith(NOTE)}
        self.enter(graph.input if inputs is None else inputs, graph)
        # Equal values have equal types, which models need not state of outputs.
        self.ends += [*(each.name for each in self.inputs), "->", *sorted(each.name for each in graph.output)]
        if self.ends != self.source.ends:
            raise ValueError("the models have other inputs, outputs, or defaults of inputs")
        self.read_graph(graph)

    def enter(self, inputs: Sequence[onnx.ValueInfoProto], graph: onnx.GraphProto) -> None:
        """Take some of the inputs of a graph."""
        self.inputs, self.ends = entered(inputs, graph, self.order, self.sizes, self.source.inputs)

    def order(self, name: str, rank: int) -> list[int]:
        """The axis of the model that came at each axis of an input or output."""
        return order_in(self.notes.get(NOTE + name, "Tensor (was Tensor)"), rank)

    def read_graph(self, graph: onnx.GraphProto) -> None:
        for number, value in enumerate(self.inputs):
            self.add(value)
            value.root = value if self.source is self else self.source.inputs[number]
        for each in graph.initializer:
            if each.name not in self.values.maps[0]:
                type_ = helper.make_tensor_type_proto(each.data_type, each.dims)
                self.add(OnnxValue(each.name, type_, None, numpy_helper.to_array(each)))
        todo, left = [*graph.node], -1
        while len(todo) != left:  # In most models, each node is behind those that it reads.
            left, todo = len(todo), [each for each in todo if not self.is_read(each)]
        if todo:
            raise ValueError(f"no node computes all of {[*todo[0].input]}")
        self.outputs = [self.values[each.name] for each in graph.output]

    def is_read(self, proto: onnx.NodeProto) -> bool:
        """Read a node, if its operands are there."""
        is_ready = all(name in self.values for name in proto.input if name)
        if is_ready:
            self.read(proto, self.opsets)
        return is_ready

    def inside(self, graph: onnx.GraphProto, source: "Model | None") -> "Model":
        """The values of a graph in a node."""
        model = copy.copy(self)
        model.values, model.source = self.values.new_child(), source or model
        model.made = defaultdict(list, {key: [*each] for key, each in self.made.items()})
        model.notes, model.inputs, model.is_inside = {}, [], True
        model.enter(graph.input, graph)
        model.read_graph(graph)
        return model

    def add(self, value: OnnxValue) -> None:
        if value.name in self.values.maps[0]:
            raise ValueError(f"two values are named '{value.name}'")
        self.values[value.name] = value

    def key(self, value: OnnxValue) -> Any:
        """The key that two results must share to be compared."""
        assert (node := value.node)  # noqa: RUF018  # It is one for all results.
        roots = [None if each is None or each.array is not None else each.root for each in node.inputs]
        roots = [frozenset(Counter(roots).items())] if node.commutes else roots
        return node.op, node.version, node.outputs.index(value), *roots

    def related(self, shown: OnnxValue, value: OnnxValue) -> Lines:
        """The positions that a result shows of the root of another one; raises `ValueError` if it does not show it."""
        p, q = shown.node, value.node
        if p is None or q is None or shown is value or p.outputs.index(shown) != q.outputs.index(value):
            raise ValueError("it is no such result of another node")
        kinds = [(node.op, node.version, node.given) for node in (p, q)]
        if kinds[0] != kinds[1]:
            raise ValueError(f"{q.op} is not {p.op}")
        is_twin = self.source is not self and not self.is_inside and p.twin in (None, q) and q.twin in (None, p)
        if p.is_random and not is_twin:
            raise ValueError(f"each {p.op} draws random numbers of its own")
        one, other, reason = p.stated, q.stated, ""
        if not self.have_equal_graphs(p, q) or any(one.get(name) != other.get(name) for name in {*one, *other} - NAMED):
            raise ValueError(f"the attributes of {p.op} differ")
        for each in [p, p.swapped()][: 1 + p.commutes]:
            is_product = each.is_swapped and p.op == "MatMul"
            if one == other and not is_product and all(map(self.equal, each.inputs, q.inputs)):
                self.believed[f"{p.op} of {p.version[0]} is a function"] += not defs.has(p.op, p.version[0])
                if p.is_random:
                    self.believed["each random node draws numbers of its own"] += 1
                    p.twin, q.twin = q, p
                return shown.at
            if p.is_random:
                raise ValueError(f"the operands of {p.op} differ")
            try:
                return renumbered(each, q, p.outputs.index(shown))
            except (LookupError, ValueError) as error:
                reason = reason or str(error)
        raise ValueError(reason)

    def have_equal_graphs(self, p: OnnxStep, q: OnnxStep) -> bool:
        """True if the graphs inside of two nodes compute the same of the same inputs."""
        for name, graph in p.graphs.items():
            there = p.model.inside(graph, None)
            here = q.model.inside(q.graphs[name], there)
            are_alike = (there.ends, len(there.outputs)) == (here.ends, len(here.outputs))
            if not are_alike or not all(map(self.equal, there.outputs, here.outputs)):
                return False
        return p.graphs.keys() == q.graphs.keys()

    def equal(self, x: OnnxValue | None, y: OnnxValue | None) -> bool:
        if x is None or y is None:
            return x is y
        is_rounded = x.array is not y.array is not None is not x.array and (x.is_computed or y.is_computed)
        self.believed["engines compute floats of constants as onnx does"] += is_rounded
        return x.equals(y)

    def find(self, value: OnnxValue) -> str:
        """Let a value show one of the source, if it is proved to; the reason if it is not."""
        reason, key, claim = "it is not found", self.key(value), self.claims.get(value.name)
        # In one model, what constants alone compute is not worth the search.
        known = self.source.made[key] if self.source is not self or any(key[3:]) else []
        claimed = [] if claim is None else [self.source.values[claim]]
        tried = [(each, self.related) for each in [*claimed, *sorted(known, key=lambda each: each.name != value.name)]]
        others = [] if self.source is self else self.source.made[key[0]]
        for each, rule in [*tried, *((each, by_channels) for each in others)]:
            try:
                at = rule(each, value)
                if at is each.at and not value.is_sized:
                    value.type = each.type
                    value.__post_init__()
                value.at, value.root, value.array, value.is_computed = at, each.root, each.array, each.is_computed
                return ""
            except (LookupError, ValueError) as error:
                is_meant = rule is not by_channels and (each in claimed or not claimed)
                reason = str(error) if is_meant else reason
        return reason

    def read(self, proto: onnx.NodeProto, opsets: Sequence[onnx.OperatorSetIdProto]) -> None:
        """Add the results of a node: positions, constants, or values of their own."""
        proto, opsets = as_onnx(proto, opsets)
        given = {name: self.values[name] for name in proto.input if name}
        version, attributes, types = meaning(proto, opsets, given)
        node = OnnxStep(proto.op_type, version, attributes, [given.get(name) for name in proto.input], self)
        node.outputs += [OnnxValue(name, types.get(name, onnx.TypeProto()), node) for name in proto.output]
        if self.source is self:
            take_open(node, self.sizes)
        if version[0] == "":
            with suppress(Exception):  # What onnx cannot run stays a result of its node.
                run(proto, node, opsets)
        reasons, body = dict[str, str](), self.functions.get((proto.domain, proto.op_type, proto.overload))
        for value in [each for each in node.outputs if each.name]:
            self.add(value)
            if body:  # A function of the model; those of both may differ.
                reasons[value.name] = "its function is not understood"
            elif value.root is value and value.array is None:
                reasons[value.name] = self.find(value)
                if value.root is value:
                    self.made[self.key(value)].append(value)
                    self.made[node.op] += [value] * (node.op in BY_CHANNEL)
        if any(reasons.values()) and node.op in COMPUTED_LAST:
            with suppress(Exception):  # A constant has no axes in another order.
                run(proto, node, opsets, is_found=False)
        with suppress(LookupError, ValueError, parser.ParseError):  # What is not understood is not written out.
            if any(reasons.values()) and (body := body or body_of(node, proto)):
                self.write_out(proto, node, body)
        for value in [self.values[name] for name in reasons if self.values[name].array is None]:
            claim, reason = self.claims.get(value.name), reasons[value.name]
            if claim is not None and value.root is not self.source.values[claim].root:
                raise ValueError(f"'{value.name}' is not shown to be '{claim}': {reason or 'it is another value'}")
            if value.root is value:
                self.lost = self.lost or f"; the first value without an equal one is '{value.name}': {reason}"

    def write_out(self, proto: onnx.NodeProto, node: OnnxStep, body: onnx.FunctionProto) -> None:
        """Read the ops that compute an op; its results are theirs."""
        for step in steps_of(body, proto):
            self.read(step, body.opset_import)
        for value, name in zip(node.outputs, body.output, strict=False):
            made = self.values[f"{proto.output[0]}/{name}"]
            if value.is_known and value.shape != made.shape:
                raise ValueError("the ops of a body have a result of another shape")
            vars(value).update(vars(made) | {"name": value.name, "node": value.node})


def check(
    first: str, second: str, trace: Mapping[str, dict[str, str]], sizes: Mapping[str, int]
) -> tuple[list[str], Counter[str]]:
    """Return the notes on interfaces, and what is believed, if two models are equal; else raises `ValueError`."""
    return with_sizes(partial(check_at, first, second, trace), sizes)


def check_at(
    first: str, second: str, trace: Mapping[str, dict[str, str]], sizes: dict[str, int]
) -> tuple[list[str], Counter[str]]:
    graphs = [onnx.load(each, load_external_data=False).graph for each in (first, second)]
    inputs, noted = both_inputs(graphs)
    one = Model(first, sizes, trace["first"], None, inputs[0])
    two = Model(second, sizes, trace["second"], one, inputs[1])
    differ = [name for name in one.notes.keys() | two.notes if one.notes.get(name) != two.notes.get(name)]
    for value in two.outputs:
        x, y = one.values[value.name], value
        if NOTE + value.name in differ:
            x, y = (each.as_came(model.order(each.name, len(each.shape))) for model, each in ((one, x), (two, y)))
        if not two.equal(x, y):
            raise ValueError(f"output '{value.name}' is not shown to be equal{two.lost}")
    one.believed[f"other sizes than {dict(sizes)} have the same proof"] += bool(sizes)
    texts = {name: two.notes.get(name) or f"{one.notes[name]} in {first}" for name in sorted(differ)}
    said = [f"{name.removeprefix(NOTE)} stored as {text}" for name, text in texts.items()]
    return said + noted, +one.believed


if __name__ == "__main__":
    file, other_file, trace_file, *given = sys.argv[1:]
    claims = json.load((gzip.open if trace_file.endswith(".gz") else open)(trace_file))
    chosen = {name: int(size) for name, size in (each.split("=") for each in given)}
    try:
        stored, known = check(file, other_file, claims, chosen)
    except (LookupError, ValueError) as error:
        sys.exit(f"rejected: {error}")
    print("accepted", *(f", with {each}" for each in stored), "; believed: ", sep="", end="")
    print(", ".join(f"{each} ({times} times)" for each, times in known.items()) or "nothing")
