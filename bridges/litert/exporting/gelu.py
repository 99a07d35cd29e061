"""GELU, written as arithmetic around an error function, for which LiteRT has no op of its own."""

from collections.abc import Iterator, Sequence
from math import isclose, sqrt

from ..dialect import LiteNode, LiteTensor, take_result
from .graph import LiteGraph

ERF = "ERF"
"""The kind of a node that stands for the error function until the graph is finished."""
P = 0.3275911
FACTORS = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""The approximation 7.1.26 of Abramowitz and Stegun, whose error is at most 1.5e-7."""


def without_erf(graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Write GELU for products of x, 1 + erf(x / √2) and one half, and a polynomial for other uses of erf."""
    erfs = [node for node in nodes if node.kind == ERF]
    for node in nodes if erfs else ():
        if (data := _gelu_of(node)) is not None:
            # The nodes of the formula are unused then.
            node.change(kind="GELU", options={"approximate": False})
            node.operands = [data.value]
    for node in erfs:
        _expand(graph, node)


def _gelu_of(node: LiteNode) -> LiteTensor | None:
    """The operand of a GELU whose last product is this node."""
    if node.kind != "MUL" or node.activation is not None:
        return None
    factors = list(_factors(node))
    halves = [each for each in factors if _number(each) == 0.5]
    sums = [each for each in factors if _erf_below(each) is not None]
    if len(factors) != 3 or len(halves) != 1 or len(sums) != 1:
        return None
    (data,) = (each for each in factors if each not in (halves[0], sums[0]))
    return data if _erf_below(sums[0]) == data and data.shape == node.outputs[0].shape else None


def _factors(node: LiteNode) -> Iterator[LiteTensor]:
    """The factors of a product, through products that nothing else reads."""
    for tensor in node.inputs:
        assert tensor is not None
        inner = tensor.node
        if inner is not None and inner.kind == "MUL" and tensor.value.has_one_use() and _has_part(inner):
            yield from (each for each in inner.inputs if each is not None)
        else:
            yield tensor


def _has_part(node: LiteNode) -> bool:
    """True if a product has a factor of a GELU beside its operand."""
    return any(each is not None and (_number(each) == 0.5 or _erf_below(each) is not None) for each in node.inputs)


def _erf_below(tensor: LiteTensor) -> LiteTensor | None:
    """x, for 1 + erf(x / √2)."""
    total = tensor.node
    if total is None or total.kind != "ADD" or total.activation is not None:
        return None
    erf = next((each for each in total.inputs if each is not None and each.node and each.node.kind == ERF), None)
    if erf is None or erf.node is None or all(each is None or _number(each) != 1 for each in total.inputs):
        return None
    scaled = erf.node.inputs[0]
    if scaled is None or scaled.node is None or scaled.node.kind not in ("DIV", "MUL"):
        return None
    lhs, rhs = scaled.node.inputs
    assert lhs is not None
    assert rhs is not None
    for data, factor in ((lhs, rhs), (rhs, lhs)):
        wanted = sqrt(2) if scaled.node.kind == "DIV" else sqrt(0.5)
        number = _number(factor)
        if number is not None and isclose(number, wanted, rel_tol=1e-3) and (data == lhs or scaled.node.kind == "MUL"):
            return data
    return None


def _number(tensor: LiteTensor) -> float | None:
    """The number of a constant of one element."""
    if tensor.data is None or tensor.data.array().size != 1:
        return None
    return float(tensor.data.array().reshape(()))


def _expand(graph: LiteGraph, node: LiteNode) -> None:
    """Write the approximation in place of an error function."""
    (x,) = node.inputs
    assert x is not None
    graph.before = node
    graph.about = {"origin": node.said.origin, "is_scope": node.said.is_scope}
    size = graph.unary("ABS", x)
    slope = graph.binary("ADD", graph.binary("MUL", size, graph.like(x, P)), graph.like(x, 1))
    t = graph.binary("DIV", graph.like(x, 1), slope)
    total = graph.binary("MUL", t, graph.like(x, FACTORS[0]))
    for factor in FACTORS[1:]:
        total = graph.binary("MUL", graph.binary("ADD", total, graph.like(x, factor)), t)
    tail = graph.binary("MUL", total, graph.unary("EXP", graph.unary("NEG", graph.binary("MUL", x, x))))
    last = graph.binary("MUL", graph.unary("SIGN", x), graph.binary("SUB", graph.like(x, 1), tail)).node
    assert last is not None
    take_result(last, node)
