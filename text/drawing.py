"""The graph of a program as nodes, boxes and edges, which `-t mermaid`, `-t dot` and `-t svg` write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FusedLoc, ModuleOp, NameLoc, UnregisteredOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ..dialects.notes.reasons import REWRITTEN
from ..dialects.npu.base import Declared, NpuOp
from ..dialects.npu.source import ForeignOp
from ..dialects.npu.values import encoding
from ..layout import Layout, LayoutClass
from ..passes import PASS_TABLE
from ..passes.common.demands.target_layouts import TargetLayouts
from ..passes.common.graph.op_classes import class_of
from ..passes.common.moves.conversion_ops import ConversionOp
from ..passes.common.words.reasons import Names
from ..passes.placement.joining import join_tensor_regions
from ..passes.placement.regions import Regions
from ..targets import load
from .repeats import Repeat, constant_ops, repeats

MANY_NODES = 60
"""Larger graphs are collapsed by default."""


class Output(NamedTuple):
    """An output of a function: the return op and the index of the operand."""

    op: Operation
    place: int


Item: TypeAlias = Operation | SSAValue | Output
"""The things with a node: an op, a block argument, or an output of a function."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a graph."""

    name: str
    label: str
    """Lines of text."""
    shape: str
    """`op`, `constant`, or `end` for arguments and outputs."""
    style: str | None
    """`cnn`, `tensor`, `known` or `placed`."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box around nodes, and around the boxes of its parts."""

    name: str
    title: str
    content: Sequence[Node | Box]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between two nodes."""

    source: str
    target: str
    label: str = ""
    is_dashed: bool = False
    """True for control flow, and from one repetition of a block to the next one."""


@dataclass(frozen=True, slots=True)
class FunctionGraph:
    """The graph of a function, or of the other ops at the top level."""

    content: Sequence[Node | Box]
    arrows: Sequence[Arrow]
    labels: Sequence[str]
    """The labels of all nodes."""


@dataclass(frozen=True)
class GraphOptions:
    """The options that all formats of graphs have."""

    regions: bool = False
    """Draw a box around each region of `layout-preset`. Only values with a layout are in regions."""
    target: str = "opu"
    """The hardware target of the regions: a name from `npu-opt --list-targets`, or the path of a file."""
    collapse: bool | None = None
    """Leave out constants, and draw repeated blocks once; by default above 60 nodes, and never with regions."""

    def __post_init__(self) -> None:
        if self.regions and self.collapse:
            raise ValueError("options regions and collapse: expected at most one of them to be true")

    def drawing(self, module: ModuleOp) -> list[FunctionGraph]:
        """The graph of a module."""
        if self.regions:
            return drawing(module, joined_regions(module, TargetLayouts(load(self.target))))
        if self.collapse is None:
            parts = drawing(module)
            is_large = sum(len(part.labels) for part in parts) > MANY_NODES
            return drawing(module, collapse=True) if is_large else parts
        return drawing(module, collapse=self.collapse)


def joined_regions(module: ModuleOp, target_layouts: TargetLayouts) -> Sequence[Sequence[Operation | SSAValue]]:
    """The regions of a program, with tensor regions joined to their producers."""
    regions = Regions(module, target_layouts)
    join_tensor_regions(regions, target_layouts)
    return regions.groups()


def drawing(module: ModuleOp, regions: Iterable[Sequence[Item]] = (), collapse: bool = False) -> list[FunctionGraph]:
    """The graphs of the functions of a module, after that of the other top-level ops."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    others = [op for op in module.ops if not isinstance(op, FuncOp)]
    region_of = {item: region for region in regions for item in region}
    names, ids = Names(module), _Ids()
    parts = [_Graph([_BlockContent([], others)], names, ids, collapse).part(region_of)]
    for function in functions:
        blocks = [_BlockContent(block.args, list(block.ops)) for block in function.body.blocks]
        graph = _Graph(blocks, names, ids, collapse)
        is_alone = len(functions) == 1 and not others
        parts.append(graph.part(region_of, None if is_alone else f"@{function.sym_name.data}"))
    return parts


class _Ids:
    """Names of nodes and boxes, numbered per kind, so that a new op renames only nodes of its own kind."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def fresh(self, kind: str) -> str:
        word = re.sub(r"\W", "_", kind, flags=re.ASCII)
        self._counts[word] += 1
        # Keywords of mermaid and dot do not end with a number.
        return f"{word}_{self._counts[word]}"


class _BlockContent(NamedTuple):
    """The arguments and the ops of a block."""

    arguments: Sequence[SSAValue]
    ops: Sequence[Operation]


class _Graph:
    """The nodes of some blocks, and the edges between them."""

    def __init__(self, blocks: Sequence[_BlockContent], names: Names, ids: _Ids, collapse: bool) -> None:
        self._names = names
        self._ids = ids
        self._left_out = (
            constant_ops(op for block in blocks for op in block.ops) if collapse else frozenset[Operation]()
        )
        self._ops = [op for block in blocks for op in block.ops if op not in self._left_out]
        self._known: dict[Operation, Declared | None] = {op: op.declared() for op in self._ops if isinstance(op, NpuOp)}
        self._repeats = self._find_repeats(blocks) if collapse else []
        self._place = {op: (repeat, index) for repeat in self._repeats for index, op in enumerate(repeat.ops)}
        """The repeat of an op, and its index in it."""
        self._nodes: dict[Item, Node] = {}
        for block in blocks:
            for value in block.arguments:
                self._add(value, "input", "end", names.of(value), _class_of([value]))
            for op in block.ops:
                if op not in self._left_out and self._drawn(op) is op:
                    self._add_op(op)

    def part(self, region_of: Mapping[Item, Sequence[Item]], title: str | None = None) -> FunctionGraph:
        """The nodes, in a box if there is a title, and the edges; regions and repeats are boxes within."""
        content: Sequence[Node | Box] = list(self._boxed(region_of))
        if title is not None:
            content = [self._box("function", title, content)]
        labels = [node.label for node in self._nodes.values()]
        # An edge inside a box would move the nodes at its ends into that box.
        arrows = list(dict.fromkeys(self._edges()) if self._repeats else self._edges())
        return FunctionGraph(content, arrows, labels)

    # Nodes.

    def _add_op(self, op: Operation) -> None:
        if isinstance(op, ReturnOp):
            for index, value in enumerate(op.operands):
                label = "output" if len(op.operands) == 1 else f"output {index}"
                self._add(Output(op, index), "output", "end", label, _class_of([value]))
            return
        kind = kind_of(op)
        words = [f"{kind} {op.callee}" if isinstance(op, CallOp) else kind]
        if len(op.results) == 1:
            words.append(self._names.of(op.results[0]))
        if op.has_trait(ConstantLike, value_if_unregistered=False):
            self._add(op, kind, "constant", words[-1], self._style(op))
        else:
            self._add(op, kind, "op", "\n".join(words), self._style(op))

    def _style(self, op: Operation) -> str | None:
        if isinstance(op, ConversionOp) and is_inserted(op.location):
            return "placed"
        return _class_of(op.results or op.operands) or ("known" if self._known.get(op) else None)

    def _add(self, item: Item, kind: str, shape: str, label: str, style: str | None) -> None:
        self._nodes[item] = Node(self._ids.fresh(kind), label, shape, style)

    def _boxed(self, region_of: Mapping[Item, Sequence[Item]]) -> Iterator[Node | Box]:
        """The nodes in program order; a box of several nodes is at the position of its first one."""
        written = set[Item]()
        for item, node in self._nodes.items():
            if item in written:
                continue
            members = [each for each in region_of.get(item, ()) if each in self._nodes]
            repeat, _ = self._place.get(cast(Operation, item), (None, 0))
            if len(members) > 1:
                written.update(members)
                yield self._box("region", title_of(members), [self._nodes[each] for each in members])
            elif repeat is not None:
                written.update(repeat.first)
                yield self._box("repeat", f"x{repeat.count}", [self._nodes[op] for op in repeat.first])
            else:
                yield node

    def _box(self, kind: str, title: str, content: Sequence[Node | Box]) -> Box:
        return Box(self._ids.fresh(kind), title, content)

    # Repeated blocks.

    def _find_repeats(self, blocks: Sequence[_BlockContent]) -> list[Repeat]:
        found: list[Repeat] = []
        for block in blocks:
            ops = [op for op in block.ops if op not in self._left_out and not isinstance(op, ReturnOp)]
            found += repeats(ops, self._look)
        return found

    def _look(self, op: Operation) -> object:
        """Ops of one repeat look the same: their node, and the types at its edges."""
        types = tuple(value.type for value in (*op.operands, *op.results))
        return kind_of(op), self._style(op), types, frozenset(op.properties.items())

    def _drawn(self, item: Item) -> Item:
        """The item that stands for one in a repeat."""
        repeat, index = self._place.get(cast(Operation, item), (None, 0))
        return item if repeat is None else repeat.first[index % len(repeat.first)]

    def _joins_turns(self, source: Item, target: Item) -> bool | None:
        """True from one turn of a repeat to another one, False within a later turn, None for all other edges."""
        (first, start), (second, end) = (self._place.get(cast(Operation, item), (None, 0)) for item in (source, target))
        if first is None or first is not second:
            return None
        turns = start // len(first.first), end // len(first.first)
        return None if turns == (0, 0) else turns[0] != turns[1]

    # Edges.

    def _edges(self) -> Iterator[Arrow]:
        for op in self._ops:
            if isinstance(op, ReturnOp):
                for index in range(len(op.operands)):
                    yield from self._edge(op, index, Output(op, index))
                continue
            for reader in op.walk() if op.regions else (op,):
                for index in range(len(reader.operands)):
                    yield from self._edge(reader, index, op)
            for block in op.successors:
                yield from self._branch(op, block)

    def _edge(self, reader: Operation, index: int, to: Item) -> Iterator[Arrow]:
        """The edge of an operand, if its producer has a node. Operands of nested ops go to the outer op."""
        value = reader.operands[index]
        producer: Item = value.op if isinstance(value, OpResult) else value
        source, target = self._nodes.get(self._drawn(producer)), self._nodes.get(self._drawn(to))
        joins_turns = self._joins_turns(producer, to)
        if source is None or target is None or joins_turns is False:
            return
        layout = self._layout(reader, index)
        words = [] if layout is None else [str(layout).replace(",", "", 1)]
        if isinstance(value, OpResult) and len(value.op.results) > 1:
            words.insert(0, self._names.of(value))
        yield Arrow(source.name, target.name, " ".join(words), is_dashed=joins_turns is True)

    def _layout(self, reader: Operation, index: int) -> Layout | None:
        """The layout of an operand: the encoding of its type, or else the one declared by the user or the producer."""
        value = reader.operands[index]
        layout = encoding(value.type)
        if layout is None and (known := self._known.get(reader)) is not None:
            layout = known.operands[index]
        if layout is None and isinstance(value, OpResult) and (known := self._known.get(value.op)) is not None:
            layout = known.results[value.index]
        return layout

    def _branch(self, op: Operation, block: Block) -> Iterator[Arrow]:
        """The edge to the first node of a successor block."""
        heads = [*block.args, *(op for op in block.ops if op in self._nodes)]
        if heads and op in self._nodes:
            yield Arrow(self._nodes[op].name, self._nodes[heads[0]].name, is_dashed=True)


def kind_of(op: Operation) -> str:
    """The name of an op, without the dialect for ops of npu."""
    if isinstance(op, UnregisteredOp | ForeignOp):
        return op.op_name.data
    return op.name.removeprefix("npu.")


def title_of(members: Sequence[Item]) -> str:
    """The title of a region: the class of its values, or the CNN class if tensors were joined to it."""
    classes = [cls for member in members if (cls := class_of(_value_of(member))) is not None]
    cls = next((cls for cls in classes if cls.is_cnn), LayoutClass.TENSOR)
    return f"{cls.value} region"


def _value_of(item: Item) -> SSAValue:
    match item:
        case Operation():
            return item.results[0]
        case Output():
            return item.op.operands[item.place]
        case _:
            return item


def _class_of(values: Sequence[SSAValue]) -> str | None:
    """The style of the first value, or None if it has no layout."""
    layout = encoding(values[0].type) if values else None
    return None if layout is None else "cnn" if layout.cls.is_cnn else "tensor"


def is_inserted(location: Attribute) -> bool:
    """True if a location states that a pass of this package inserted the op; it may also have rewritten it."""
    waiting = [location]
    while waiting:
        match waiting.pop():
            case NameLoc(desc=text, location=inner):
                name, _, reason = text.data.partition(":")
                if name in PASS_TABLE and reason.strip() != REWRITTEN:
                    return True
                waiting.append(inner)
            case CallSiteLoc(callee=callee, caller=caller):
                waiting += [callee, caller]
            case FusedLoc(locations=parts):
                waiting += cast("ArrayAttr[Attribute]", parts)
            case _:
                pass
    return False
