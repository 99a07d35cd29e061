"""Names of values by the structure of the program around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from ...dialects.npu.attrs import LayoutAttr
from ...dialects.npu.source import ConstantOp
from ..common.graph.producers import values_of

DIGITS = 8
"""The length of the hash in a name."""


def structural_names(module: ModuleOp) -> dict[SSAValue, str]:
    """A name for each value such as `conv2d-5c1e0d2f`: the op that produces it, and a hash of all ops around it.

    The hash depends on the ops, attributes and shapes on the paths from arguments and to results. It does not depend on
    the names of values, the order of independent ops, layouts, and numbers in constants. Values that have the same
    structure are numbered in program order.
    """
    hashes = _Hashes(module)
    taken: dict[str, int] = {}
    found: dict[SSAValue, str] = {}
    for value in values_of(hashes.ops):
        name = f"{_kind(value)}-{hashes.of(value)[:DIGITS]}"
        count = taken[name] = taken.get(name, 0) + 1
        found[value] = name if count == 1 else f"{name}#{count}"
    return found


class _Hashes:
    """The hashes of the values of a module."""

    def __init__(self, module: ModuleOp) -> None:
        self.ops = list(module.walk())
        self._above: dict[SSAValue, str] = {}
        """For each value a hash of the ops that it is computed by."""
        self._own: dict[Operation, str] = {}
        """For each op a hash of itself and of what it reads."""
        self._below: dict[Operation, str] = {}
        """For each op a hash of the ops that read its results, and of theirs."""
        for op in self.ops:
            self._add(op)
        for op in reversed(self.ops):
            self._below[op] = _hash(self._read_by(result) for result in op.results)

    def of(self, value: SSAValue) -> str:
        return _hash((self._above[value], self._read_by(value)))

    def _add(self, op: Operation) -> None:
        operands = (self._above.get(operand, "") for operand in op.operands)
        self._own[op] = own = _hash((*_description(op), *operands))
        for result in op.results:
            self._above[result] = _hash((own, str(result.index), _shape(result.type)))
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    self._above[argument] = _hash((op.name, str(argument.index), _shape(argument.type)))

    def _read_by(self, value: SSAValue) -> str:
        """A hash of all ops below a value, independent of their order."""
        uses = ((use.index, use.operation) for use in value.uses)
        return _hash(sorted(_hash((str(index), self._own[op], self._below.get(op, ""))) for index, op in uses))


def _hash(parts: Iterator[str] | Sequence[str]) -> str:
    # Imported late: most runs read and write no plan.
    from hashlib import sha256

    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


def _description(op: Operation) -> Iterator[str]:
    """The op without its operands, its layouts and its numbers."""
    yield op.name
    yield from (inner.name for region in op.regions for inner in region.walk())
    if isinstance(op, ConstantOp):
        return
    for name, attribute in sorted(op.properties.items()):
        if not isinstance(attribute, LayoutAttr | DenseIntOrFPElementsAttr):
            yield f"{name}={attribute}"


def _shape(type_: Attribute) -> str:
    """A type without its layout."""
    return f"{type_.get_shape()}{type_.element_type}" if isa(type_, TensorType) else str(type_)


def _kind(value: SSAValue) -> str:
    return value.op.name.removeprefix("npu.") if isinstance(value, OpResult) else "argument"
