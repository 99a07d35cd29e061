"""Models that differ in one place from one that npu-opt has written, with the claims of its trace or wrong ones."""

from collections.abc import Iterator, Mapping
from random import Random

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, helper, numpy_helper

Claims = dict[str, str]
Trace = Mapping[str, Claims]
UNARY = ("Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Exp", "Floor", "Softplus")


def claims_by_name(first: ModelProto, second: ModelProto) -> Trace:
    """The claim that the results of one name in both models are equal."""
    there = {name for node in first.graph.node for name in node.output}
    made = [name for node in second.graph.node for name in node.output]
    return {"first": {}, "second": {name: name for name in made if name and name in there}}


def mutants(model: ModelProto, trace: Trace, seed: int, count: int) -> Iterator[tuple[str, ModelProto, Trace]]:
    """So many models and traces, each with one mutation, by the name of the mutation."""
    rng = Random(seed)
    ways = [swapped, another_operand, number_changed, op_changed, dropped, constant_changed, constant_moved, misread]
    for _ in range(count):
        copy, claims = ModelProto.FromString(model.SerializeToString()), dict(trace["second"])
        way = rng.choice(ways)
        way(copy.graph, claims, rng)
        yield way.__name__, copy, {"first": dict(trace["first"]), "second": claims}


def _node(graph: GraphProto, rng: Random) -> NodeProto:
    return rng.choice(graph.node) if graph.node else graph.node.add()


def swapped(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Swap two operands of a node."""
    nodes = [node for node in graph.node if len({*node.input}) > 1]
    if nodes:
        node = rng.choice(nodes)
        one, other = rng.sample(range(len(node.input)), 2)
        node.input[one], node.input[other] = node.input[other], node.input[one]


def another_operand(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Read another value."""
    node = _node(graph, rng)
    made = [name for each in graph.node for name in each.output] + [each.name for each in graph.input]
    if node.input:
        node.input[rng.randrange(len(node.input))] = rng.choice(made)


def number_changed(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Change a number in an attribute, or the order of several."""
    nodes = [node for node in graph.node if node.attribute]
    if not nodes:
        return
    attribute = rng.choice(rng.choice(nodes).attribute)
    if len(attribute.ints) > 1:
        numbers = rng.sample([*attribute.ints], len(attribute.ints))
        del attribute.ints[:]
        attribute.ints.extend(numbers)
    elif attribute.HasField("i"):
        attribute.i += rng.choice((-1, 1))
    elif attribute.HasField("f"):
        attribute.f += rng.choice((-0.5, 0.25))


def op_changed(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Take another op with one operand."""
    nodes = [node for node in graph.node if node.op_type in UNARY]
    if nodes:
        rng.choice(nodes).op_type = rng.choice(UNARY)


def dropped(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Read the first operand of a node instead of its result."""
    node = _node(graph, rng)
    if node.input and node.output:
        node.CopyFrom(helper.make_node("Identity", node.input[:1], node.output[:1], node.name))


def constant_changed(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Change one element of a constant."""
    if graph.initializer:
        tensor = rng.choice(graph.initializer)
        array = numpy_helper.to_array(tensor).copy()
        if array.size and array.dtype.kind in "fi":
            array.reshape(-1)[rng.randrange(array.size)] += 1
            tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def constant_moved(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Move the elements of a constant."""
    if graph.initializer:
        tensor = rng.choice(graph.initializer)
        array = numpy_helper.to_array(tensor)
        moved = np.ascontiguousarray(np.flip(array) if rng.random() < 0.5 else array.T).reshape(array.shape)
        tensor.CopyFrom(numpy_helper.from_array(moved, tensor.name))


def misread(graph: GraphProto, claims: Claims, rng: Random) -> None:
    """Claim that a value is another one, and read another one as well."""
    if claims:
        claims[rng.choice([*claims])] = rng.choice([*claims.values()])
    if rng.random() < 0.7:
        another_operand(graph, claims, rng)
