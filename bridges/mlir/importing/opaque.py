"""Ops without an npu equivalent, kept as `npu.opaque`. exporting/foreign.py converts them back."""

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute

from ....dialects.npu.source import HIDDEN, ForeignOp, OpaqueOp
from ....dialects.npu.vendor import as_elementwise
from ..bindings import Operation
from ..copies import nested
from ..verbatim import FUNCTION, SIZES, legal_key, to_xdsl
from .constants import shaped, tensor_type
from .errors import UnsupportedOp
from .isolated import isolated
from .node import ImportedOp, Operand
from .registry import READERS

DIALECTS = ("arith.", "linalg.", "math.", "tensor.", "tosa.")
"""Dialects whose ops are pure, except those below."""
DEFINED = ("arith.", "math.", "tosa.")
"""Dialects among them whose ops without a reader move no axes, except the ops with effects."""
WITH_EFFECTS = frozenset(
    {"tosa.assert_equal_shape", "tosa.custom", "tosa.variable", "tosa.variable_read", "tosa.variable_write"}
)
ELEMENTWISE = frozenset(
    {
        "tosa.apply_scale",
        "tosa.arithmetic_right_shift",
        "tosa.cast",
        "tosa.clamp",
        "tosa.clz",
        "tosa.logical_left_shift",
        "tosa.logical_right_shift",
        "tosa.maximum",
        "tosa.minimum",
        "tosa.mul",
        "tosa.negate",
        "tosa.rescale",
    }
)
"""Ops without a reader, or written as it does not read them, that compute each element from those at its position."""
WITH_BRANCHES = frozenset({"tosa.cond_if", "tosa.while_loop"})
"""Ops with the effects of their nested ops."""


def is_pure(op: Operation) -> bool:
    return op.name.startswith(DIALECTS) and op.name not in WITH_EFFECTS | WITH_BRANCHES


def opaque(node: ImportedOp) -> ForeignOp:
    """Build an `npu.opaque` for an op, or an op that says that it is elementwise."""
    found = [shaped(result.type) for result in node.op.results]
    if None in found:
        raise UnsupportedOp(f"a result of type {node.op.results[found.index(None)].type}")
    operands = [node.function.operand(value) for value in node.op.operands]
    needs_function = len(list(node.op.regions)) > 0 or None in operands
    inputs, attributes = _within_function(node) if needs_function else _alone(node, [x for x in operands if x])
    made = OpaqueOp.build(
        operands=[[x.value for x in inputs]],
        result_types=[[tensor_type(*each) for each in found if each]],
        properties={"op_name": StringAttr(node.op.name), "pure": UnitAttr() if is_pure(node.op) else None},
        attributes=attributes,
    )
    return made if needs_function or node.op.name not in ELEMENTWISE else as_elementwise(made)


def _alone(node: ImportedOp, operands: list[Operand]) -> tuple[list[Operand], dict[str, Attribute]]:
    """An op without regions. Its `tosa.const_shape` operands become an attribute."""
    attributes = {legal_key(name): to_xdsl(node.op.attributes[name]) for name in node.op.attributes}
    if any(x.element is None for x in operands):
        attributes[SIZES] = ArrayAttr(
            UnitAttr() if x.element is not None else DenseArrayBase.from_list(i64, x.ints) for x in operands
        )
    return [x for x in operands if x.element is not None], attributes


def _within_function(node: ImportedOp) -> tuple[list[Operand], dict[str, Attribute]]:
    """An op with regions or other non-tensor operands: the text of a function that contains it."""
    text, inputs = isolated(node)
    return inputs, {FUNCTION: StringAttr(text), **_hidden_ops(node.op)}


def _hidden_ops(op: Operation) -> dict[str, Attribute]:
    """The number of ops in the regions of an op that may have layouts, and of convolutions among them."""
    inside = [each.name for each in nested(op) if each.name != op.name and not each.name.endswith(".yield")]
    known = [name for name in inside if name in READERS or name in WITH_EFFECTS or not name.startswith(DEFINED)]
    counts = {"convolutions": sum("conv" in name for name in known), "ops": len(known)}
    return {HIDDEN: DictionaryAttr({name: IntegerAttr(count, i64) for name, count in counts.items()})} if known else {}
