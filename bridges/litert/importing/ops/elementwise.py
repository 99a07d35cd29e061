"""Elementwise ops of floats, integers and truth values."""

from collections.abc import Mapping
from math import prod

from xdsl.dialects.builtin import FloatAttr, StringAttr, f64
from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary
from .....dialects.npu.elementwise import CastOp, SelectOp
from .....dialects.npu.linear import MatmulOp
from .....dialects.npu.quantized_elementwise import QuantAddOp, QuantizedBinaryOp, QuantMulOp
from ....decimals import shortest_f32
from ... import counterparts
from ...counterparts import CLAMPS
from ...element_types import NARROW, LiteElement
from ..node import FileNode
from ..quantities import is_quantised, parameters, quantised_activation
from ..registry import reads
from .movement import require_same_numbers

UNARY = {row.kind: row for row in (*counterparts.UNARY, *counterparts.ACTIVATIONS)}
BINARY = {row.kind: row.op for row in counterparts.BINARY} | {"PRELU": binary.PreluOp}
QUANTISED: Mapping[str, type[QuantizedBinaryOp]] = {"ADD": QuantAddOp, "MUL": QuantMulOp}

CHOOSING = frozenset({"MAXIMUM", "MINIMUM"})


def require_plain(node: FileNode) -> None:
    """Narrow integers are quantised numbers, whose kernels compute other things, unless they choose some of them."""
    if node.kind in CHOOSING:
        require_same_numbers(node, *range(node.count))
        return
    for tensor in (*(node.input(index) for index in range(node.count)), node.result):
        node.require(tensor.element not in NARROW, "quantised numbers")


@reads(*UNARY)
def unary_op(node: FileNode) -> SSAValue:
    require_plain(node)
    row = UNARY[node.kind]
    numbers = {name: FloatAttr(shortest_f32(getattr(node.options, name)), f64) for name in row.attributes}
    return node.add(row.op, [node.value(0)], numbers)


@reads(*BINARY)
def binary_op(node: FileNode) -> SSAValue:
    if node.kind in QUANTISED and is_quantised(node):
        return _of_quantised(node)
    require_plain(node)
    result = node.add(BINARY[node.kind], aligned(node))
    if _is_written_otherwise(node):
        node.marked(result)
    return node.activated(result)


def _is_written_otherwise(node: FileNode) -> bool:
    """True for a row that is added to a product, which could be its bias, and for a power that could be a square.

    Powers of integers have no negative exponents in LiteRT.
    """
    if node.kind == "POW":
        return node.is_constant(1) or not node.result.element.is_float
    if node.kind != "ADD":
        return False
    return any(isinstance(node.value(index).owner, MatmulOp) and node.is_constant(1 - index) for index in (0, 1))


def aligned(node: FileNode) -> list[SSAValue]:
    """The operands with the rank of the result, by unit axes in front."""
    rank = len(node.result.shape)
    return [
        node.value(index) if prod(node.shape(index)) == 1 else with_rank(node, index, rank)
        for index in range(node.count)
    ]


def with_rank(node: FileNode, index: int, rank: int) -> SSAValue:
    """An operand with unit axes in front."""
    x, shape = node.value(index), node.shape(index)
    return node.reshaped(x, (*[1] * max(rank - len(shape), 0), *shape), node.input(index).element)


def _of_quantised(node: FileNode) -> SSAValue:
    ranks = [len(node.shape(index)) for index in (0, 1)]
    for index in (0, 1):
        drops = node.is_constant(index) and prod(node.shape(index)) == 1 and ranks[index] > ranks[1 - index]
        node.require(not drops, "a constant of one element, whose axes some kernels leave out of the result")
    given = [*parameters(node, node.input(0)), *parameters(node, node.input(1)), *parameters(node, node.result)]
    return quantised_activation(node, node.marked(node.add(QUANTISED[node.kind], [*aligned(node), *given])))


@reads(*CLAMPS)
def clamp(node: FileNode) -> SSAValue:
    require_plain(node)
    return node.clipped(node.value(0), *CLAMPS[node.kind])


@reads("SQUARE")
def square(node: FileNode) -> SSAValue:
    require_plain(node)
    return node.marked(node.add(binary.MulOp, [node.value(0), node.value(0)]))


@reads("SQUARED_DIFFERENCE")
def squared_difference(node: FileNode) -> SSAValue:
    require_plain(node)
    difference = node.add(binary.SubOp, aligned(node))
    return node.marked(node.add(binary.MulOp, [difference, difference]))


@reads("ADD_N")
def sum_of_all(node: FileNode) -> SSAValue:
    require_plain(node)
    total, *others = aligned(node)
    for each in others:
        total = node.add(binary.AddOp, [total, each])
    return total


@reads("FLOOR_MOD")
def modulus(node: FileNode) -> SSAValue:
    require_plain(node)
    return node.add(binary.ModOp, aligned(node), {"sign": StringAttr("rhs")})


@reads("GELU")
def gelu(node: FileNode) -> SSAValue:
    require_plain(node)
    approximation = "tanh" if node.options.approximate else "none"
    return node.add(activations.GeluOp, [node.value(0)], {"approximate": StringAttr(approximation)})


@reads("SELECT_V2", "SELECT")
def select(node: FileNode) -> SSAValue:
    """SELECT without V2 repeats its condition along the first axis, so all shapes have to be equal."""
    shapes = {node.shape(index) for index in range(3)}
    node.require(node.kind == "SELECT_V2" or len(shapes) == 1, "a condition that is repeated")
    return node.add(SelectOp, aligned(node))


@reads("CAST")
def cast(node: FileNode) -> SSAValue:
    """Floats become 32 or 64 bits wide integers by truncation, as in the dialect."""
    given, result = node.input(0), node.result
    node.require(given.quantization is None and result.quantization is None, "quantised numbers")
    is_wide = result.element.is_float or result.element in (LiteElement.I32, LiteElement.I64)
    node.require(not given.element.is_float or is_wide, "floats as narrow integers")
    return node.value(0) if given.element == result.element else node.add(CastOp, [node.value(0)])
