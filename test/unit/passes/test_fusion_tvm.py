"""The groups of fuse-ops are those of TVM's Relax FuseOps, where apache-tvm is installed.

Relax has no nodes for bundles, and gives an edge the kind of its user, so the graphs here are made like that.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.passes.fusion.graph.graph import Edge, FusionNode
from npu_opt.passes.fusion.groups.tvm_groups import partition
from support.generators.graphs import random_graph

REASON = "apache-tvm is not installed: the groups are not compared with TVM's"
relax: Any = pytest.importorskip("tvm.relax", reason=REASON)
te: Any = pytest.importorskip("tvm.te", reason=REASON)
transform: Any = pytest.importorskip("tvm.ir.transform", reason=REASON)

GRAPHS = 2000
KINDS = list(FusionKind)
WEIGHTS = (8, 3, 3, 2, 3, 1)
SHAPE = (16,)


def relax_graph(rng: Random) -> list[FusionNode]:
    nodes = random_graph(rng, rng.randrange(2, 16), rng.choices(KINDS, WEIGHTS, k=40))
    for node in nodes:
        node.edges[:] = [Edge(edge.reader, nodes[edge.reader].kind) for edge in node.edges]
        # TVM requires programs without dead code.
        node.is_used_outside |= not node.edges
    return nodes


def _sum_of(inputs: Sequence[Any]) -> Callable[[Any], Any]:
    return lambda i: sum((each[i] for each in inputs[1:]), inputs[0][i])


def relax_module(nodes: Sequence[FusionNode]) -> Any:
    """A module with a function of one op for each node, and a main function that calls them."""
    operands: list[list[int]] = [[] for _ in nodes]
    for node in nodes:
        for edge in node.edges:
            operands[edge.reader].append(node.index)
    builder = relax.BlockBuilder()
    argument = relax.Var("x", relax.TensorType(SHAPE, "float32"))
    values: list[Any] = []
    with builder.function("main", [argument]):
        with builder.dataflow():
            for node in nodes:
                given = [values[each] for each in operands[node.index]] or [argument]
                inputs = [te.placeholder(SHAPE, name=f"a{place}") for place in range(len(given))]
                result = te.compute(SHAPE, _sum_of(inputs))
                function = te.create_prim_func([*inputs, result])
                function = function.with_attr("op_pattern", int(node.kind)).with_attr("number", node.index)
                symbol = builder.add_func(function, f"op{node.index}")
                call = relax.call_tir(symbol, given, relax.TensorType(SHAPE, "float32"))
                values.append(builder.emit_output(call) if node.is_used_outside else builder.emit(call))
        outputs = [values[node.index] for node in nodes if node.is_used_outside]
        builder.emit_func_output(relax.Tuple(outputs))
    return builder.get()


def relax_groups(nodes: Sequence[FusionNode], max_depth: int) -> set[frozenset[int]]:
    with transform.PassContext(config={"relax.FuseOps.max_depth": max_depth}):
        module = relax.transform.FuseOps(2)(relax_module(nodes))
    groups: set[frozenset[int]] = set()
    for function in module.functions.values():
        if not isinstance(function, relax.Function):
            continue
        numbers: list[int] = []
        for block in function.body.blocks:
            for binding in block.bindings:
                call = binding.value
                if isinstance(call, relax.Call) and getattr(call.op, "name", "") == "relax.call_tir":
                    numbers.append(int(module[call.args[0]].attrs["number"]))
        fused = function.attrs is not None and "Primitive" in function.attrs
        groups |= {frozenset(numbers)} if fused else {frozenset([number]) for number in numbers}
    return groups


def test_the_same_groups_as_tvm():
    rng = Random(7)
    fused = 0
    for _ in range(GRAPHS):
        nodes = relax_graph(rng)
        max_depth = rng.choice((2, 3, 4, 256, 256))
        expected = relax_groups(nodes, max_depth)
        found = {frozenset(each.index for each in members) for members in partition(nodes, 2, max_depth).members()}
        assert found == expected, nodes
        fused += len(nodes) - len(expected)
    assert fused > GRAPHS
