"""Ops that no pass places, although they may move data: those of other systems, and code that opaque ops hold."""

from collections import Counter
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, TensorType, UnrankedTensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from ....dialects.carrying.handed_over import handover
from ....dialects.npu.base import NpuOp
from ....dialects.npu.source import HIDDEN, OpaqueOp
from ....dialects.npu.values import is_whole
from ....dialects.program.symbols import Symbols

MOST_NAMES = 5
"""The kinds of ops that are named."""


def scope_text(unchanged: Sequence[str]) -> str:
    """The words behind figures that do not cover these ops."""
    return ", not counting ops left unchanged" if unchanged else ""


def left_unchanged(module: ModuleOp) -> list[str]:
    """The ops that no pass places: a text for those of other dialects, and one for each kind that holds ops as data."""
    holders: Counter[str] = Counter()
    convolutions: Counter[str] = Counter()
    ops: Counter[str] = Counter()
    for op in module.walk():
        if isinstance(op, OpaqueOp) and isinstance(hidden := op.attributes.get(HIDDEN), DictionaryAttr):
            name = op.op_name.data.removeprefix("onnx.")
            holders[name] += 1
            convolutions[name] += _number(hidden, "convolutions")
            ops[name] += _number(hidden, "ops")
    return [
        *_foreign_text(Counter(foreign_ops(module))),
        *(
            f"{_counted(count, name)} left unchanged: {_inside(convolutions[name], ops[name])}"
            for name, count in holders.items()
        ),
    ]


def foreign_ops(module: ModuleOp) -> Iterator[str]:
    """The names of the ops that read tensors and say nothing of their axes.

    They are those of other dialects, opaque ones that may transpose, and functions that are only declared. Loops and
    branches only hand over what their code computes.
    """
    symbols = Symbols()
    for op in module.walk():
        if isinstance(op, CallOp):
            callee = symbols.lookup(op, op.callee)
            if not (isinstance(callee, FuncOp) and callee.body.blocks) and _reads_tensors(op):
                yield f"@{op.callee.string_value()}"
        elif isinstance(op, OpaqueOp):
            if HIDDEN not in op.attributes and op.results and op.may_transpose and _reads_tensors(op):
                yield op.op_name.data
        elif not isinstance(op, NpuOp | FuncOp | ModuleOp) and not _ends_block(op) and _reads_tensors(op):
            if handover(op, symbols) is None:
                yield _name(op)


def _name(op: Operation) -> str:
    """The name, also of an op of a dialect that is not registered."""
    given = op.attributes.get("op_name__")
    return str(given).strip('"') if given is not None else op.name


def _ends_block(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)


def _reads_tensors(op: Operation) -> bool:
    return any(
        isinstance(operand.type, UnrankedTensorType)
        or (isa(operand.type, TensorType) and (len(operand.type.get_shape()) > 1 or is_whole(operand)))
        for operand in op.operands
    )


def _foreign_text(names: Counter[str]) -> Iterator[str]:
    if names:
        yield f"{_counted(names.total(), 'op')} of other dialects left unchanged: {names_text(names)}"


def names_text(names: Counter[str]) -> str:
    """Names of ops with their numbers."""
    listed = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in names.most_common(MOST_NAMES))
    others = f", and {len(names) - MOST_NAMES} other kinds" if len(names) > MOST_NAMES else ""
    return f"{listed}{others}"


def _number(hidden: DictionaryAttr, key: str) -> int:
    found = hidden.data.get(key)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def _inside(convolutions: int, ops: int) -> str:
    """The ops inside, or the convolutions among them, for which layouts matter most."""
    count = convolutions or ops
    noun = "convolution" if convolutions else "op"
    return f"{_counted(count, noun)} inside {'was' if count == 1 else 'were'} not placed"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
