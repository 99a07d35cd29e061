"""Opaque ops between transposes: whoever knows what they compute might move the transposes through them."""

from collections import Counter
from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import AnyElementwiseOp
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.source import OpaqueOp
from ..graph.carried import carried_ends
from ..graph.dead_ops import live_ops
from ..graph.producers import Use
from ..words.left_unchanged import names_text
from .transpose_cost import counted_transposes


def between_text(module: ModuleOp) -> str:
    """The words behind a verdict that name the opaque ops between transposes; empty if there are none."""
    names = Counter(op.op_name.data for op in opaque_between_transposes(module))
    return f", with ops between transposes that nothing moves through: {names_text(names)}" if names else ""


def opaque_between_transposes(module: ModuleOp) -> list[OpaqueOp]:
    """The opaque ops with a counted transpose on both sides, directly or through ops that take any order."""
    ops = [op for op in module.walk() if isinstance(op, NpuOp)]
    if not any(isinstance(op, OpaqueOp) for op in ops):
        return []
    carried = {end for ends in carried_ends(module, live_ops(module)) for end in ends}
    moving = {op: None for op in counted_transposes(module)}
    behind, before = set[SSAValue](), set[SSAValue]()
    for op in ops:
        if op in moving or _lets_through(op, op.operands, behind):
            behind.update(op.results)
    for op in reversed(ops):
        if op in moving or _lets_through(op, op.results, before):
            before.update(op.operands)
    found: list[OpaqueOp] = []
    for op in ops:
        read = [Use(op, place) for place, value in enumerate(op.operands) if value in behind]
        made = [result for result in op.results if result in before]
        # What a loop carries may have another order.
        if isinstance(op, OpaqueOp) and read and made and not carried.issuperset((*read, *made)):
            found.append(op)
    return found


def _lets_through(op: Operation, values: Iterable[SSAValue], transposed: set[SSAValue]) -> bool:
    """True if a transpose is on the other side of an op that would let it through."""
    return isinstance(op, ViewOp | AnyElementwiseOp) and not transposed.isdisjoint(values)
