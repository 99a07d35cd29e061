"""`-t mermaid`: a program as a flowchart, in the colours of the design papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, NamedTuple, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FusedLoc, ModuleOp, NameLoc, UnregisteredOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.target import Target

from ..dialects.npu.base import Declared, NpuOp
from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.values import encoding
from ..layout import Layout, LayoutClass
from ..passes import PASS_TABLE
from ..passes.common.op_classes import class_of
from ..passes.common.reasons import Names
from ..passes.common.target_layouts import TargetLayouts
from ..passes.placement.joining import join_tensor_regions
from ..passes.placement.regions import Regions
from ..targets import load

HEADER = """\
flowchart TB
  classDef default fill:white,stroke:#BBBFC4,color:black
  classDef cnn fill:palegoldenrod,stroke-width:0px,color:black
  classDef tensor fill:lightgrey,stroke-width:0px,color:black
  classDef known fill:paleturquoise,stroke-width:0px,color:black
  classDef placed fill:peachpuff,stroke-width:0px,color:black
  linkStyle default stroke:#BBBFC4,stroke-width:3px"""

BOX, PILL, CIRCLE = ("(", ")"), ("([", "])"), ("((", "))")
"""The brackets around the labels of ops, of constants, and of arguments and outputs."""

_SPECIAL = re.compile(r"[^\w ./%,@()\[\]-]")


class Output(NamedTuple):
    """An output of a function: the return op and the index of the operand."""

    op: Operation
    place: int


Item: TypeAlias = Operation | SSAValue | Output
"""The things with a node: an op, a block argument, or an output of a function."""


@dataclass(frozen=True)
class MermaidTarget(Target):
    """The functions of a program as a mermaid flowchart."""

    name = "mermaid"

    regions: bool = False
    """Draw a box around each region of `layout-preset`. Only values with a layout are in regions."""
    target: str = "opu"
    """The hardware target of the regions: a name from `npu-opt --list-targets`, or the path of a file."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        regions = joined_regions(module, self.target) if self.regions else ()
        output.writelines(f"{line}\n" for line in flowchart(module, regions))


def joined_regions(module: ModuleOp, target: str) -> Sequence[Sequence[Operation | SSAValue]]:
    """The regions of a program, with tensor regions joined to their producers."""
    target_layouts = TargetLayouts(load(target))
    regions = Regions(module, target_layouts)
    join_tensor_regions(regions, target_layouts)
    return regions.groups()


def flowchart(module: ModuleOp, regions: Iterable[Sequence[Item]] = ()) -> Iterator[str]:
    """The lines of a chart of a module: the functions, and the other top-level ops."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    others = [op for op in module.ops if not isinstance(op, FuncOp)]
    region_of = {item: region for region in regions for item in region}
    names, ids = Names(module), _Ids()
    yield HEADER
    yield from _Chart([_BlockContent([], others)], names, ids).lines(region_of)
    for function in functions:
        graph = _Chart([_BlockContent(block.args, list(block.ops)) for block in function.body.blocks], names, ids)
        is_alone = len(functions) == 1 and not others
        yield from graph.lines(region_of, None if is_alone else f"@{function.sym_name.data}")


class _Ids:
    """Names of nodes and boxes, numbered per kind, so that a new op renames only nodes of its own kind."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def fresh(self, kind: str) -> str:
        word = re.sub(r"\W", "_", kind, flags=re.ASCII)
        self._counts[word] += 1
        # Mermaid keywords do not end with a number.
        return f"{word}_{self._counts[word]}"


class _BlockContent(NamedTuple):
    """The arguments and the ops of a block."""

    arguments: Sequence[SSAValue]
    ops: Sequence[Operation]


class _Chart:
    """The nodes of some blocks, and the edges between them."""

    def __init__(self, parts: Sequence[_BlockContent], names: Names, ids: _Ids) -> None:
        self._parts = parts
        self._names = names
        self._ids = ids
        self._known: dict[Operation, Declared | None] = {
            op: op.declared() for part in parts for op in part.ops if isinstance(op, NpuOp)
        }
        self._node_ids: dict[Item, str] = {}
        self._nodes: dict[Item, str] = {}
        for part in parts:
            for value in part.arguments:
                self._add(value, "input", CIRCLE, names.of(value), _class_of([value]))
            for op in part.ops:
                self._add_op(op)

    def lines(self, region_of: Mapping[Item, Sequence[Item]], title: str | None = None) -> Iterator[str]:
        """The lines of nodes and edges, in a box if there is a title; regions are boxes within."""
        nodes = self._node_lines(region_of)
        yield from nodes if title is None else self._box("function", title, nodes)
        # An edge inside a box would move the nodes at its ends into that box.
        yield from self._arrows()

    # Nodes.

    def _add_op(self, op: Operation) -> None:
        if isinstance(op, ReturnOp):
            for index, value in enumerate(op.operands):
                label = "output" if len(op.operands) == 1 else f"output {index}"
                self._add(Output(op, index), "output", CIRCLE, label, _class_of([value]))
            return
        kind = kind_of(op)
        words = [f"{kind} {op.callee}" if isinstance(op, CallOp) else kind]
        if len(op.results) == 1:
            words.append(self._names.of(op.results[0]))
        if op.has_trait(ConstantLike, value_if_unregistered=False):
            self._add(op, kind, PILL, words[-1], self._style(op))
        else:
            self._add(op, kind, BOX, "\n".join(words), self._style(op))

    def _style(self, op: Operation) -> str | None:
        if is_placed(op.location):
            return "placed"
        return _class_of(op.results or op.operands) or ("known" if self._known.get(op) else None)

    def _add(self, item: Item, kind: str, brackets: tuple[str, str], label: str, style: str | None) -> None:
        node = self._node_ids[item] = self._ids.fresh(kind)
        self._nodes[item] = f"  {node}{brackets[0]}{quoted(label)}{brackets[1]}{f':::{style}' if style else ''}"

    def _node_lines(self, region_of: Mapping[Item, Sequence[Item]]) -> Iterator[str]:
        """The nodes in program order; a region of several nodes is at the position of its first one."""
        written = set[Item]()
        for item, node in self._nodes.items():
            if item in written:
                continue
            members = [each for each in region_of.get(item, ()) if each in self._nodes]
            if len(members) > 1:
                written.update(members)
                yield from self._box("region", _title(members), [self._nodes[each] for each in members])
            else:
                yield node

    def _box(self, kind: str, title: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"  subgraph {self._ids.fresh(kind)} [{quoted(title)}]"
        yield from (f"  {line}" for line in lines)
        yield "  end"

    # Edges.

    def _arrows(self) -> Iterator[str]:
        for op in (op for part in self._parts for op in part.ops):
            if isinstance(op, ReturnOp):
                for index in range(len(op.operands)):
                    yield from self._arrow(op, index, Output(op, index))
                continue
            for reader in op.walk() if op.regions else (op,):
                for index in range(len(reader.operands)):
                    yield from self._arrow(reader, index, op)
            for block in op.successors:
                yield from self._branch(op, block)

    def _arrow(self, reader: Operation, index: int, to: Item) -> Iterator[str]:
        """The edge of an operand, if its producer has a node. Operands of nested ops go to the outer op."""
        value = reader.operands[index]
        source = self._node_ids.get(value.op if isinstance(value, OpResult) else value)
        if source is None:
            return
        layout = self._layout(reader, index)
        words = [] if layout is None else [str(layout).replace(",", "", 1)]
        if isinstance(value, OpResult) and len(value.op.results) > 1:
            words.insert(0, self._names.of(value))
        line = f"-- {quoted(' '.join(words))} -->" if words else "-->"
        yield f"  {source} {line} {self._node_ids[to]}"

    def _layout(self, reader: Operation, index: int) -> Layout | None:
        """The layout of an operand: the encoding of its type, or else the one declared by the user or the producer."""
        value = reader.operands[index]
        layout = encoding(value.type)
        if layout is None and (known := self._known.get(reader)) is not None:
            layout = known.operands[index]
        if layout is None and isinstance(value, OpResult) and (known := self._known.get(value.op)) is not None:
            layout = known.results[value.index]
        return layout

    def _branch(self, op: Operation, block: Block) -> Iterator[str]:
        """The edge to the first node of a successor block."""
        heads = [*block.args, *(op for op in block.ops if op in self._nodes)]
        if heads:
            yield f"  {self._node_ids[op]} -.-> {self._node_ids[heads[0]]}"


def kind_of(op: Operation) -> str:
    """The name of an op, without the dialect for ops of npu."""
    if isinstance(op, UnregisteredOp | OpaqueOp):
        return op.op_name.data
    return op.name.removeprefix("npu.")


def _title(members: Sequence[Item]) -> str:
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


def is_placed(location: Attribute) -> bool:
    """True if a location states that a pass of this package inserted or rewrote the op."""
    waiting = [location]
    while waiting:
        match waiting.pop():
            case NameLoc(desc=text, location=inner):
                if (word := re.match(r"[\w-]+", text.data)) and word[0] in PASS_TABLE:
                    return True
                waiting.append(inner)
            case CallSiteLoc(callee=callee, caller=caller):
                waiting += [callee, caller]
            case FusedLoc(locations=parts):
                waiting += cast("ArrayAttr[Attribute]", parts)
            case _:
                pass
    return False


def quoted(text: str) -> str:
    """Text as a mermaid string; special characters of mermaid, HTML or Markdown are escaped by number."""
    return f'"{_SPECIAL.sub(_number, text)}"'


def _number(special: re.Match[str]) -> str:
    return "<br/>" if special[0] == "\n" else f"#{ord(special[0])};"
