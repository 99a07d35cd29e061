"""Producers and uses of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....dialects.npu.values import encoding
from ....layout import LayoutClass
from .op_classes import class_of, own_class


class Use(NamedTuple):
    """An operand of an op."""

    op: Operation
    operand: int

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.operand]


Node: TypeAlias = Operation | BlockArgument
"""A member of a region: an op (constants included) or a block argument."""


def node_of(value: SSAValue) -> Node:
    """The producer of a value."""
    if isinstance(value, OpResult):
        return value.op
    assert isinstance(value, BlockArgument)
    return value


def class_of_node(node: Node) -> LayoutClass | None:
    """The class of an argument or op."""
    return class_of(node) if isinstance(node, BlockArgument) else own_class(node)


def is_of_cnn(node: Node) -> bool:
    cls = class_of_node(node)
    return cls is not None and cls.is_cnn


def nodes_within(module: ModuleOp) -> Iterator[Node]:
    """Arguments, and ops with tensor results, in program order."""
    for op in module.walk():
        if any(encoding(result.type) for result in op.results):
            yield op
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


def values_of(ops: Iterable[Operation]) -> Iterator[OpResult | BlockArgument]:
    """The results of ops, and the arguments of the blocks inside."""
    for op in ops:
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


def tensor_operands(op: Operation) -> Iterator[Use]:
    """The operands with a layout."""
    for index, value in enumerate(op.operands):
        if encoding(value.type) is not None:
            yield Use(op, index)
