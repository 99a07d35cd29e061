"""The ops of a program as records of text, with the edges between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FusedLoc, ModuleOp, NameLoc
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ...dialects.npu.shape import AnyTransposeOp
from ...dialects.npu.values import encoding
from ...passes.common.reasons import Names
from ...passes.common.target_layouts import TargetLayouts
from ...text.drawing import is_inserted, kind_of
from ...text.locations import file_place
from ...text.printer import BriefPrinter
from ...text.repeats import constant_ops
from ..observers.seen_transposes import SeenTranspose, seen_transposes

MOST_CHARACTERS = 800
"""The maximum length of the text of an op."""


@dataclass
class OpRecord:
    """An op, an argument or a result of a function, as text."""

    kind: str
    """The name of the op, or `input` or `output`."""
    name: str
    """The name of its first result."""
    model_name: str
    """The name of the node in the model, such as `/blocks.1/attn/MatMul`; empty if there is none."""
    text: str
    """The op in the syntax of the program."""
    type: str
    """The sizes and the layout of its first result."""
    style: str
    """`cnn`, `tensor` or `plain`; `placed` and `moved` for transposes that were inserted, or were there."""
    place: str = ""
    """`file:line:col`."""
    notes: Sequence[str] = ()
    """Reasons and demands."""
    bytes: int = 0
    """The bytes that a transpose moves at run time."""
    move: str = ""
    """The layouts before and after a transpose that moves data, and the sizes."""
    callee: str = ""
    """The function that it calls."""


@dataclass(frozen=True)
class EdgeRecord:
    """A use of a value."""

    source: int
    target: int
    layout: str


@dataclass
class FunctionRecord:
    """The ops of a function in program order, without constants, and the edges between them."""

    name: str
    ops: list[OpRecord] = field(default_factory=list[OpRecord])
    edges: list[EdgeRecord] = field(default_factory=list[EdgeRecord])


def records(module: ModuleOp, target: TargetLayouts | None) -> list[FunctionRecord]:
    """The functions of a program, public ones first. Demands are those of the target."""
    reader = _Reader(module, target)
    functions = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    functions.sort(key=lambda function: function.sym_visibility is not None)
    return [reader.function(function) for function in functions]


class _Reader:
    def __init__(self, module: ModuleOp, target: TargetLayouts | None) -> None:
        self._names = Names(module)
        self._target = target
        self._transposes = {seen.op: seen for seen in seen_transposes(module)}

    def function(self, function: FuncOp) -> FunctionRecord:
        found = FunctionRecord(function.sym_name.data)
        blocks = list(function.body.blocks)
        # A transpose of a computed constant may be counted; the figures at the head include it.
        counted = {op for op, seen in self._transposes.items() if seen.not_counted is None}
        hidden = constant_ops(op for block in blocks for op in block.ops) - counted
        index_of: dict[Operation | SSAValue, int] = {}
        for block in blocks:
            for value, record in self._arguments(block):
                index_of[value] = len(found.ops)
                found.ops.append(record)
            for op in block.ops:
                if op not in hidden and not isinstance(op, ReturnOp):
                    index_of[op] = len(found.ops)
                    found.ops.append(self._op(op))
            for op in (op for op in block.ops if isinstance(op, ReturnOp)):
                for place, value in enumerate(op.operands):
                    found.edges += _edges(value, len(found.ops), index_of)
                    found.ops.append(self._output(op, place))
        for op, index in [(op, index) for op, index in index_of.items() if isinstance(op, Operation)]:
            readers = op.walk() if op.regions else (op,)
            found.edges += (
                edge for reader in readers for value in reader.operands for edge in _edges(value, index, index_of)
            )
        return found

    def _arguments(self, block: Block) -> Iterator[tuple[SSAValue, OpRecord]]:
        for value in block.args:
            name = self._names.of(value)
            yield value, OpRecord("input", name, "", f"{name} : {value.type}", _type(value), _style(value))

    def _output(self, op: ReturnOp, place: int) -> OpRecord:
        value = op.operands[place]
        name = f"output {place}" if len(op.operands) > 1 else "output"
        return OpRecord("output", name, "", f"return {self._names.of(value)}", _type(value), _style(value))

    def _op(self, op: Operation) -> OpRecord:
        value = next(iter(op.results), None)
        record = OpRecord(
            kind_of(op),
            "" if value is None else self._names.of(value),
            model_name(op),
            self._text(op),
            "" if value is None else _type(value),
            "plain" if value is None else _style(value),
            file_place(op.location) or "",
            tuple(self._notes(op)),
            callee=op.callee.root_reference.data if isinstance(op, CallOp) else "",
        )
        if isinstance(op, AnyTransposeOp):
            _describe(record, self._transposes[op])
        return record

    def _text(self, op: Operation) -> str:
        buffer = StringIO()
        printer = _NamingPrinter(self._names, buffer)
        printer.print_op(op)
        text = buffer.getvalue()
        return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} ..."

    def _notes(self, op: Operation) -> Iterator[str]:
        # The name of a node in the model has no colon.
        yield from (name for name in _names_of(op) if ": " in name)
        demands = None if self._target is None else self._target.demands(op)
        if self._target is not None and demands is not None and any((*demands.operands, *demands.results)):
            yield self._target.choices_reason(op, demands).text(self._names)


class _NamingPrinter(BriefPrinter):
    """Prints values by the names that they have in the whole program."""

    def __init__(self, names: Names, stream: StringIO) -> None:
        super().__init__(stream=stream)
        self._names_of_program = names

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._names_of_program.of(value)
        self.print_string(name)
        return name


def _edges(value: SSAValue, reader: int, index_of: dict[Operation | SSAValue, int]) -> Iterator[EdgeRecord]:
    producer = value.op if isinstance(value, OpResult) else value
    source = index_of.get(producer)
    if source is not None and source != reader:
        layout = encoding(value.type)
        yield EdgeRecord(source, reader, "" if layout is None else str(layout))


def _type(value: SSAValue) -> str:
    """The type without the words around it: `1x64x64x32xf32 NHWC`."""
    layout = encoding(value.type)
    text = str(value.type).removeprefix("tensor<").removesuffix(">")
    return text if layout is None else f"{text.split(',', 1)[0]} {layout}"


def _style(value: SSAValue) -> str:
    layout = encoding(value.type)
    return "plain" if layout is None else "cnn" if layout.cls.is_cnn else "tensor"


def _describe(record: OpRecord, seen: SeenTranspose) -> None:
    if seen.not_counted is not None:
        record.notes = (*record.notes, f"not counted: {seen.not_counted.value}")
        return
    record.style = "placed" if is_inserted(seen.location) else "moved"
    record.bytes, record.move = seen.cost.bytes, f"{seen.move} of {seen.shape}"


def _names_of(op: Operation) -> Iterator[str]:
    """The names in the location of an op, outer ones first."""
    waiting: list[Attribute] = [op.location]
    while waiting:
        match waiting.pop():
            case NameLoc(desc=text, location=inner):
                yield text.data
                waiting.append(inner)
            case CallSiteLoc(callee=callee, caller=caller):
                waiting += [caller, callee]
            case FusedLoc(locations=parts):
                waiting += reversed(list(cast("ArrayAttr[Attribute]", parts)))
            case _:
                pass


def model_name(op: Operation) -> str:
    """The name of the node of the model that an op comes from."""
    return next((name for name in _names_of(op) if ": " not in name), "")
