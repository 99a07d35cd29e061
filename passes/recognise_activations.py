"""Recognition of activations that were exported as arithmetic."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import isclose, sqrt
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.activations import GeluOp, MishOp, SigmoidOp, SiluOp, SoftplusOp
from ..dialects.npu.base import NpuOp
from ..dialects.npu.binary import AddOp, DivOp, MulOp
from ..dialects.npu.elementwise import ArithmeticOp
from ..dialects.npu.unary import ErfOp, TanhOp
from ..dialects.npu.values import element_type_of
from .common.plans.replacement import apply_patterns, replace_parts
from .common.same_meaning import PreservesMeaning
from .patterns.norms import number_of

HALF = 0.5
ROUNDING = 1e-7
"""The relative error of a number that was rounded to f32."""


@dataclass(frozen=True)
class RecogniseActivations(PreservesMeaning, ModulePass):
    """Replace activations that were exported as arithmetic by one op.

    x * sigmoid(x) is `npu.silu`, x * tanh(softplus(x)) is `npu.mish`, and x * (1 + erf(x / √2)) / 2 with its factors in
    any order is `npu.gelu`. Hardware with a table of functions computes each of them in one step, and a file has one
    node for it if its format has. Values of f32 only; the steps in between must have no other uses. A product with
    the reciprocal of √2 stays, as it is rounded to another number.
    """

    name = "recognise-activations"

    FINDS_DEFINED_OPS: ClassVar[bool] = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, [JoinProduct()])


class JoinProduct(RewritePattern):
    """Replace a product of a value and a function of it.

    ```mlir
    %s = npu.sigmoid %x : tensor<4x8xf32>
    %y = npu.mul %x, %s : tensor<4x8xf32>
    // becomes
    %y = npu.silu %x : tensor<4x8xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MulOp, rewriter: PatternRewriter) -> None:
        if element_type_of(op.result) != f32:
            return
        found = next(_activations(op), None)
        if found is not None and found.input.type == op.result.type:
            new = found.op.create(
                operands=[found.input], result_types=[op.result.type], properties=dict(found.properties)
            )
            replace_parts(rewriter, op, [new], found.parts)


class Activation(NamedTuple):
    """An activation of a value, and the ops that it replaces besides the last one."""

    op: type[NpuOp]
    input: SSAValue
    parts: tuple[Operation, ...]
    """In program order."""
    properties: Mapping[str, Attribute] = {}


def _activations(op: MulOp) -> Iterator[Activation]:
    for value, other in _either(op):
        function = _only_use(other)
        if isinstance(function, SigmoidOp) and function.input is value:
            yield Activation(SiluOp, value, (function,))
        if isinstance(function, TanhOp):
            inner = _only_use(function.input)
            if isinstance(inner, SoftplusOp) and inner.input is value:
                yield Activation(MishOp, value, (inner, function))
        yield from _halved(op, value, other)


def _halved(op: MulOp, first: SSAValue, second: SSAValue) -> Iterator[Activation]:
    """The products of three factors, of which one is 1 / 2 and one the sum of 1 and an error function."""
    product = _only_use(second)
    if not isinstance(product, MulOp):
        return
    for half, value, wide in permutations((first, product.lhs, product.rhs)):
        found = _error_function(wide, value)
        if number_of(half) == HALF and found is not None:
            yield Activation(GeluOp, value, (*found, product), {"approximate": StringAttr("none")})


def _error_function(value: SSAValue, of: SSAValue) -> tuple[Operation, ...] | None:
    """The ops that compute 1 + erf(x / √2)."""
    total = _only_use(value)
    if not isinstance(total, AddOp):
        return None
    for one, rest in _either(total):
        function = _only_use(rest)
        if number_of(one) != 1 or not isinstance(function, ErfOp):
            continue
        quotient = _only_use(function.input)
        if isinstance(quotient, DivOp) and quotient.lhs is of and _is_root(quotient.rhs):
            return quotient, function, total
    return None


def _is_root(value: SSAValue) -> bool:
    number = number_of(value)
    return number is not None and isclose(number, sqrt(2), rel_tol=ROUNDING)


def _either(op: ArithmeticOp) -> tuple[tuple[SSAValue, SSAValue], ...]:
    """The operands in both orders."""
    return (op.lhs, op.rhs), (op.rhs, op.lhs)


def _only_use(value: SSAValue) -> Operation | None:
    """The op that computes a value with one use."""
    return value.owner if isinstance(value.owner, Operation) and value.has_one_use() else None
