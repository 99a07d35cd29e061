"""GELU, written as arithmetic around an error function, for which LiteRT has no op of its own."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isclose, sqrt

from .graph import LiteGraph, LiteNode, LiteTensor

ERF = "ERF"
"""The kind of a node that stands for the error function until the graph is finished."""
P = 0.3275911
FACTORS = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""The approximation 7.1.26 of Abramowitz and Stegun, whose error is at most 1.5e-7."""


def without_erf(graph: LiteGraph, nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> list[LiteNode]:
    """The nodes with GELU for products of x, 1 + erf(x / √2) and one half, and a polynomial for other uses of erf."""
    if not any(node.kind == ERF for node in nodes):
        return list(nodes)
    uses = Counter(tensor for node in nodes for tensor in node.inputs if tensor is not None)
    uses.update(outputs)
    found: list[LiteNode] = []
    for node in nodes:
        data = _gelu_of(node, uses)
        if data is not None:
            # The nodes of the formula are dropped with all that is unused.
            node.kind, node.inputs, node.options = "GELU", [data], {"approximate": False}
    for node in nodes:
        found += _expanded(node) if node.kind == ERF else [node]
    return found


def _gelu_of(node: LiteNode, uses: Counter[LiteTensor]) -> LiteTensor | None:
    """The operand of a GELU whose last product is this node."""
    if node.kind != "MUL" or node.activation is not None:
        return None
    factors = list(_factors(node, uses))
    halves = [each for each in factors if _number(each) == 0.5]
    sums = [each for each in factors if _erf_below(each) is not None]
    if len(factors) != 3 or len(halves) != 1 or len(sums) != 1:
        return None
    (data,) = (each for each in factors if each is not halves[0] and each is not sums[0])
    return data if _erf_below(sums[0]) is data and data.shape == node.outputs[0].shape else None


def _factors(node: LiteNode, uses: Counter[LiteTensor]) -> Iterator[LiteTensor]:
    """The factors of a product, through products that nothing else reads."""
    for tensor in node.inputs:
        assert tensor is not None
        inner = tensor.node
        if inner is not None and inner.kind == "MUL" and uses[tensor] == 1 and _has_part(inner):
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
        if number is not None and isclose(number, wanted, rel_tol=1e-3) and (data is lhs or scaled.node.kind == "MUL"):
            return data
    return None


def _number(tensor: LiteTensor) -> float | None:
    """The number of a constant of one element."""
    if tensor.data is None or tensor.data.array().size != 1:
        return None
    return float(tensor.data.array().reshape(()))


def _expanded(node: LiteNode) -> list[LiteNode]:
    """The nodes of the approximation."""
    (x,) = node.inputs
    assert x is not None
    part = LiteGraph()
    size = part.unary("ABS", x)
    slope = part.binary("ADD", part.binary("MUL", size, part.like(x, P)), part.like(x, 1))
    t = part.binary("DIV", part.like(x, 1), slope)
    total = part.binary("MUL", t, part.like(x, FACTORS[0]))
    for factor in FACTORS[1:]:
        total = part.binary("MUL", part.binary("ADD", total, part.like(x, factor)), t)
    tail = part.binary("MUL", total, part.unary("EXP", part.unary("NEG", part.binary("MUL", x, x))))
    part.binary("MUL", part.unary("SIGN", x), part.binary("SUB", part.like(x, 1), tail))
    for each in part.nodes:
        each.origin = node.origin
    last = part.nodes[-1]
    last.outputs = node.outputs
    last.outputs[0].node = last
    return part.nodes
