"""The rules of a target for files, and the places where a model breaks them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, defs, helper

from ...dialects.settings.file_rules import FileRules
from .counterparts import UNARY_KINDS
from .errors import OnnxError
from .importing.load import opset_of, with_shapes
from .importing.order import DEFAULT_DOMAINS, all_nodes, label, subgraphs
from .importing.slim import read_slim

PRODUCTS: Mapping[str, int] = {"Gemm": 1, "MatMul": 1, "MatMulInteger": 1, "QLinearMatMul": 3}
"""The products of matrices with the number of the right operand; the left one is the first."""


@dataclass
class Breaches:
    """The places where a model breaks rules."""

    found: list[str] = field(default_factory=list[str])
    unknown: list[str] = field(default_factory=list[str])
    """The places of which that is not known, because ranks are not."""


def breaches_of_file(path: Path, rules: FileRules) -> Breaches:
    """The breaches in a model file, whose long tensors are not read. Raises `OnnxError`."""
    try:
        model = ModelProto.FromString(read_slim(path))
    except OSError as error:
        raise OnnxError(str(error)) from error
    return breaches(with_shapes(model), rules)


def ir_version_of(opset: int) -> int:
    """The IR version with which an opset came: packages that know no newer opset read no newer one."""
    return helper.find_min_ir_version_for([helper.make_opsetid("", min(opset, defs.onnx_opset_version()))])


def breaches(model: ModelProto, rules: FileRules) -> Breaches:
    """The breaches in a model whose values have types, as far as they can be inferred."""
    result = Breaches()
    opset = opset_of(model)
    if rules.opset is not None and opset > rules.opset:
        result.found.append(f"the opset is {opset}, and the target allows {rules.opset} at most")
    if rules.opset is not None and model.ir_version > (newest := ir_version_of(rules.opset)):
        result.found.append(f"the IR version is {model.ir_version}, and that of the target's opset is {newest}")
    graphs = [_Graph(model.graph, {}, frozenset(), rules, result)]
    while graphs:
        graphs.extend(graphs.pop().check())
    for function in model.functions:
        for node in all_nodes(function.node):
            _check_kind(node, None, rules, result)
    return result


class _Graph:
    def __init__(
        self,
        graph: GraphProto,
        outer: Mapping[str, int],
        constants: frozenset[str],
        rules: FileRules,
        result: Breaches,
    ) -> None:
        self._graph, self._rules, self._result = graph, rules, result
        infos = (*graph.input, *graph.value_info, *graph.output)
        own = {each.name: rank for each in infos if (rank := _rank_of(each)) is not None}
        self._ranks = {**outer, **own, **{each.name: len(each.dims) for each in graph.initializer}}
        made = (node.output[0] for node in graph.node if node.op_type == "Constant")
        self._constants = constants.union((each.name for each in graph.initializer), made)
        self._unary = {node.output[0]: node for node in graph.node if _is_unary(node)}

    def check(self) -> "Iterator[_Graph]":
        """Note the breaches in the graph; the subgraphs are still to check."""
        named = {each.name: "input" for each in self._graph.input}
        for name, kind in (named | {each.name: "constant" for each in self._graph.initializer}).items():
            self._check_rank(name, kind)
        for node in self._graph.node:
            for name in filter(None, node.output):
                self._check_rank(name, label(node))
            if node.domain in DEFAULT_DOMAINS:
                self._check_node(node)
            for inner in subgraphs(node):
                yield _Graph(inner, self._ranks, self._constants, self._rules, self._result)

    def _check_rank(self, name: str, place: str) -> None:
        """Check the rank of a value."""
        limit = self._rules.max_rank
        if limit is None:
            return
        where = f"{place}: '{name}'" if f"'{name}'" not in place else place
        rank = self._ranks.get(name)
        if rank is None:
            self._result.unknown.append(f"{where} has an unknown rank")
        elif rank > limit:
            self._result.found.append(f"{where} has rank {rank}, and the target allows {limit} at most")

    def _check_node(self, node: NodeProto) -> None:
        rank = self._ranks.get(node.input[0]) if node.input else None
        _check_kind(node, rank, self._rules, self._result)
        if self._rules.unary_rank is not None and node.op_type == "Transpose":
            self._check_unary(node, self._rules.unary_rank)
        if node.op_type in PRODUCTS:
            self._check_product(node, node.input[0], node.input[PRODUCTS[node.op_type]])

    def _check_unary(self, transpose: NodeProto, limit: int) -> None:
        """Check the rank of a unary op in front of a Transpose, behind an input and other such ops."""
        made = self._unary.get(transpose.input[0])
        if made is None:
            return
        name = transpose.input[0]
        while name in self._unary:
            name = self._unary[name].input[0]
        if name in self._constants or all(each.name != name for each in self._graph.input):
            return
        rank = self._ranks.get(name)
        if rank is None:
            self._result.unknown.append(f"{label(made)}: the operand has an unknown rank")
        elif rank > limit:
            self._result.found.append(
                f"{label(made)} has rank {rank} between an input and a Transpose, and the target allows {limit} at most"
            )

    def _check_product(self, node: NodeProto, left: str, right: str) -> None:
        if self._rules.no_constant_lhs and left in self._constants and not self._constants.issuperset(node.input):
            self._result.found.append(f"{label(node)}: the left operand '{left}' is constant")
        ranks = [self._ranks.get(name) for name in (left, right)]
        limit = self._rules.product_rank
        if limit is not None and ranks[1] == 2:
            if ranks[0] is None:
                self._result.unknown.append(f"{label(node)}: the left operand has an unknown rank")
            elif ranks[0] > limit:
                self._result.found.append(
                    f"{label(node)}: the left operand has rank {ranks[0]}, and the target allows {limit} at most"
                )
        if not self._rules.equal_ranks or ranks[1] == 2:
            return
        if None in ranks:
            self._result.unknown.append(f"{label(node)}: an operand has an unknown rank")
        elif ranks[0] != ranks[1]:
            self._result.found.append(f"{label(node)}: the operands have ranks {ranks[0]} and {ranks[1]}")


def _is_unary(node: NodeProto) -> bool:
    return node.op_type in UNARY_KINDS and node.domain in DEFAULT_DOMAINS


def _check_kind(node: NodeProto, rank: int | None, rules: FileRules, result: Breaches) -> None:
    """Check the op of a node, and the rank of a Transpose, which its permutation tells, or else its operand."""
    if node.domain in DEFAULT_DOMAINS and node.op_type in rules.lacks:
        result.found.append(f"{label(node)}: the target lacks this op")
    limit = rules.transposed
    if limit is None or node.op_type != "Transpose" or node.domain not in DEFAULT_DOMAINS:
        return
    rank = next((len(each.ints) for each in node.attribute if each.name == "perm"), rank)
    if rank is None:
        result.unknown.append(f"{label(node)}: the operand has an unknown rank")
    elif rank > limit:
        result.found.append(f"{label(node)} is of rank {rank}, and the target allows {limit} at most")


def _rank_of(info: ValueInfoProto) -> int | None:
    kind = info.type.tensor_type
    return len(kind.shape.dim) if kind.HasField("shape") else None
