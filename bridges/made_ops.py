"""The ops that a node of a model became, as a text: equal texts are equal computations.

The importer notes the text, and the exporter finds it again where no pass has changed the ops: the node leaves as it
came. Constants count as they are where an op reads them, however they are reshaped before.
"""

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ..dialects.npu.attrs import LayoutAttr, ReferenceAttr
from ..dialects.npu.base import NpuOp
from ..dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp
from ..dialects.npu.source import ConstantOp, ForeignOp
from ..dialects.npu.values import element_type_of, layout_of, shape_of
from ..layout import identity, same_storage
from .origins import node_of

MOST_OPS = 128
"""A node that became more ops leaves as these."""
MOST_NUMBERS = 64
"""The most elements of a short constant."""


@dataclass(frozen=True, slots=True)
class MadeOps:
    """The ops of a node."""

    text: str
    leaves: tuple[SSAValue, ...]
    """The values that the ops read, each once, in the order of the text."""
    ops: frozenset[Operation]


def made_ops(last: Operation, parts: frozenset[str], shares_views: bool = False) -> MadeOps | None:
    """The ops of some nodes that this op has results of; None if they are stored in other orders or are too many.

    A plan makes one view for several nodes: with `shares_views` reshapes of others are among the ops.
    """
    if not isinstance(last, NpuOp) or isinstance(last, ForeignOp | ConstantOp) or node_of(last) not in parts:
        return None
    numbers: dict[Operation, int] = {last: 0}
    leaves: dict[SSAValue, int] = {}
    lines: list[str] = []
    waiting: deque[Operation] = deque([last])
    while waiting:
        op = waiting.popleft()
        if any((layout := layout_of(value)) is not None and layout.tiles for value in (*op.operands, *op.results)):
            return None
        read: list[str] = []
        for value in map(_behind_relabels, op.operands):
            source = _constant_behind(value, parts)
            if source is None and isinstance(value, OpResult) and _is_among(owner := value.owner, parts, shares_views):
                if owner not in numbers:
                    if len(numbers) == MOST_OPS:
                        return None
                    numbers[owner] = len(numbers)
                    waiting.append(owner)
                read.append(f"#{numbers[owner]}.{value.index}")
                continue
            number = leaves.setdefault(value if source is None else source.result, len(leaves))
            read.append(f"{number}:{type_text(value)}{'' if source is None else _number(source, parts)}")
        lines.append(f"{_named(op)}({','.join(read)}):{','.join(map(type_text, op.results))}")
    return MadeOps(";".join(lines), tuple(leaves), frozenset(numbers))


def _is_among(op: Operation, parts: frozenset[str], shares_views: bool) -> bool:
    return is_part(op, parts) or (shares_views and isinstance(op, ReshapeOp))


def _behind_relabels(value: SSAValue) -> SSAValue:
    """The value that relabels show, which are nothing in a file."""
    while isinstance(value.owner, RelabelOp):
        value = value.owner.input
    return value


def _constant_behind(value: SSAValue, parts: frozenset[str]) -> ConstantOp | None:
    """The constant that a value is, perhaps behind reshapes of the same nodes."""
    owner = value.owner
    while isinstance(owner, ReshapeOp) and node_of(owner) in parts:
        owner = owner.input.owner
    return owner if isinstance(owner, ConstantOp) else None


def is_part(op: Operation, parts: frozenset[str]) -> bool:
    """True for an op of these nodes that computes something."""
    return isinstance(op, NpuOp) and not isinstance(op, ConstantOp) and node_of(op) in parts


def is_in_text(value: SSAValue, parts: frozenset[str]) -> bool:
    """True for numbers that the text has: a short constant, or one that the conversion has made itself."""
    op = value.owner
    return isinstance(op, ConstantOp) and _number(op, parts) != "c"


def _number(op: ConstantOp, parts: frozenset[str]) -> str:
    """The numbers of a constant that is short or of these nodes, or its place in the file of weights and its steps."""
    value, is_own = op.value, node_of(op) in parts
    if isinstance(value, ReferenceAttr):
        return f"c{_text(value)}." if is_own else "c"
    if prod(shape_of(op.result)) > MOST_NUMBERS and not is_own:
        return "c"
    return f"c{value.data.data.hex()}."


def type_text(value: SSAValue) -> str:
    """The stored shape and the element type of a value."""
    return f"{'x'.join(map(str, shape_of(value)))}x{_text(element_type_of(value))}"


def _named(op: Operation) -> str:
    """The op with its properties; a transpose that moves nothing is a reshape."""
    if isinstance(op, TransposeOp):
        sizes, order = shape_of(op.input), tuple(op.permutation.get_values())
        if same_storage(identity(len(sizes)), order, sizes):
            return ReshapeOp.name
    return f"{op.name}{_stated(op)}"


def _stated(op: Operation) -> str:
    """The properties of an op, and the layouts by which it finds axes, which may be in types as well."""
    stated = {name: value for name, value in op.properties.items() if not isinstance(value, LayoutAttr)}
    texts = [f"{name}={_text(value)}" for name, value in sorted(stated.items())]
    for name, value in op.data_layouts() if isinstance(op, NpuOp) else ():
        given = op.properties.get(name)
        texts.append(f"{name}={given.data if isinstance(given, LayoutAttr) else layout_of(value)}")
    return f"<{','.join(texts)}>" if texts else ""


@lru_cache(maxsize=4096)
def _text(attribute: Attribute) -> str:
    return str(attribute)
