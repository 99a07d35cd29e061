"""Ops that npu has no op for, kept as `npu.opaque` with all that they say. ../foreign.py writes them back."""

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute

from ....dialects.npu.source import OpaqueOp
from ..bindings import Operation
from ..verbatim import FUNCTION, SIZES, legal_key, readable
from .constants import shaped, tensor_type
from .errors import UnsupportedOp
from .isolated import isolated
from .node import ImportedOp, Operand

DIALECTS = ("arith.", "linalg.", "math.", "tensor.", "tosa.")
"""Where ops do nothing but compute their results from their operands, but for those below."""
WITH_EFFECTS = frozenset(
    {"tosa.assert_equal_shape", "tosa.custom", "tosa.variable", "tosa.variable_read", "tosa.variable_write"}
)
WITH_BRANCHES = frozenset({"tosa.cond_if", "tosa.while_loop"})
"""Ops that may do what the ops within them do."""


def is_pure(op: Operation) -> bool:
    return op.name.startswith(DIALECTS) and op.name not in WITH_EFFECTS | WITH_BRANCHES


def opaque(node: ImportedOp) -> OpaqueOp:
    """The op as one of another system."""
    found = [shaped(result.type) for result in node.op.results]
    if None in found:
        raise UnsupportedOp(f"a result of type {node.op.results[found.index(None)].type}")
    operands = [node.function.operand(value) for value in node.op.operands]
    needs_function = len(list(node.op.regions)) > 0 or None in operands
    inputs, attributes = _within_function(node) if needs_function else _alone(node, [x for x in operands if x])
    return OpaqueOp.build(
        operands=[[x.value for x in inputs]],
        result_types=[[tensor_type(*each) for each in found if each]],
        properties={"op_name": StringAttr(node.op.name), "pure": UnitAttr() if is_pure(node.op) else None},
        attributes=attributes,
    )


def _alone(node: ImportedOp, operands: list[Operand]) -> tuple[list[Operand], dict[str, Attribute]]:
    """An op that says all in its attributes. Its sizes, which are no tensors, become one more."""
    attributes = {legal_key(name): readable(node.op.attributes[name]) for name in node.op.attributes}
    if any(x.element is None for x in operands):
        attributes[SIZES] = ArrayAttr(
            UnitAttr() if x.element is not None else DenseArrayBase.from_list(i64, x.ints) for x in operands
        )
    return [x for x in operands if x.element is not None], attributes


def _within_function(node: ImportedOp) -> tuple[list[Operand], dict[str, Attribute]]:
    """An op with regions, or with operands that are no tensors: its text, with all that it needs from outside."""
    text, inputs = isolated(node)
    return inputs, {FUNCTION: StringAttr(text)}
