"""The ops of a program as records of text, with the edges between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ...dialects.npu.shape import ViewOp
from ...dialects.npu.values import encoding
from ...layout import LayoutClass
from ...passes.common.demands.demand_reasons import choices_reason
from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.moves.conversion_ops import ConversionOp
from ...passes.common.words.reasons import Names
from ...passes.fusion.functions.fused_functions import GROUP
from ...text.drawing import is_inserted, kind_of
from ...text.locations import file_place
from ...text.printer import BriefPrinter
from ...text.repeats import constant_ops
from ..observers.seen_transposes import SeenTranspose, seen_transposes
from .groups import RegionNames, SeenGroups, regions_of
from .in_place import InPlace
from .model_names import model_name, model_names, model_scopes, name_in_model, names_in_location, with_model_names

ENDS = ("input", "output")
"""The kinds of records for the arguments and results of a function."""
MOST_CHARACTERS = 800
"""The maximum length of the text of an op."""
_LETTERLESS = re.compile(r"^(N?Tensor) to \1 ")
"""The layouts of a transpose that say nothing beside its permutation."""


@dataclass
class OpRecord:
    """An op, an argument or a result of a function, as text."""

    kind: str
    """The name of the op, or `input` or `output`."""
    name: str
    """The name of its first result."""
    model_name: str
    """The name of the node in the model, such as `/blocks.1/attn/MatMul`, or of the input or output; empty if none."""
    text: str
    """The op in the syntax of the program."""
    type: str
    """The sizes and the layout of its first result."""
    style: str
    """`cnn`, `tensor` or `plain`; `placed` and `moved` for transposes that were inserted, or were there."""
    place: str = ""
    """`file:line:col`."""
    notes: Sequence[str] = ()
    """Reasons."""
    demand: str = ""
    """The demands of the target."""
    cls: str = ""
    """The class of its first result."""
    bytes: int = 0
    """The bytes that a transpose moves at run time."""
    is_estimate: bool = False
    """True if they rest on an assumed size."""
    move: str = ""
    """The layouts before and after a transpose that moves data, or its permutation."""
    shape: str = ""
    """The sizes that it moves."""
    cost: float = 0.0
    """The cost of a transpose on a target that has costs, in its unit."""
    removal: Sequence[str] = ()
    """The changes that would remove a transpose, each with what it saves."""
    callee: str = ""
    """The function that it calls."""
    group: str = ""
    """The group that it is fused into."""
    stage: str = ""
    """The stage of the target that runs it."""
    region: str = ""
    apart: Sequence[str] = ()
    """The reasons why it is not fused with its neighbours."""
    time: float = 0.0
    """The measured time."""
    scope: str = ""
    """The scopes of the model around the node, where its name has none."""
    is_view: bool = False
    """True if it moves nothing: a relabel, a reshape, or a transpose of unit axes."""


@dataclass(frozen=True)
class EdgeRecord:
    """A use of a value."""

    source: int
    target: int
    layout: str
    """Empty for a tensor in its own order."""


@dataclass
class FunctionRecord:
    """The ops of a function in program order, without constants, and the edges between them."""

    name: str
    ops: list[OpRecord] = field(default_factory=list[OpRecord])
    edges: list[EdgeRecord] = field(default_factory=list[EdgeRecord])
    index_of: dict[Operation | SSAValue, int] = field(default_factory=dict["Operation | SSAValue", int])
    """The ops and arguments by their records."""


def records(
    module: ModuleOp, target: TargetLayouts | None, seen: SeenGroups | None = None, *, in_place: bool = True
) -> list[FunctionRecord]:
    """The functions of a program, public ones first, with fused ones in place of their calls or not.

    Demands and regions are those of the target.
    """
    reader = _Reader(module, target, seen or SeenGroups(), InPlace(module) if in_place else InPlace.nothing())
    functions = list(reader.in_place.others(module))
    functions.sort(key=lambda function: function.sym_visibility is not None)
    return [reader.function(function) for function in functions]


class _Reader:
    def __init__(self, module: ModuleOp, target: TargetLayouts | None, seen: SeenGroups, in_place: InPlace) -> None:
        self._names = Names(module)
        self._target = target
        self._seen = seen
        self._regions: RegionNames = {}
        if seen.region_of is not None:
            self._regions = seen.region_of
        elif target is not None:
            self._regions = regions_of(module, target)
        priced = target.target if target is not None and target.target.costs is not None else None
        self._transposes = {each.op: each for each in seen_transposes(module, priced)}
        self._printer = _NamingPrinter(self._names)
        self._model_names = model_names(module, self._names)
        self._scopes = model_scopes(module)
        self.in_place = in_place

    def function(self, function: FuncOp) -> FunctionRecord:
        found = FunctionRecord(function.sym_name.data)
        blocks = list(function.body.blocks)
        ops = [op for block in blocks for op in block.ops]
        bodies = [callee.body.block.ops for op in ops if (callee := self.in_place.callee(op)) is not None]
        # A transpose of a computed constant may be counted; the figures at the head include it.
        counted = {op for op, seen in self._transposes.items() if seen.not_counted is None}
        hidden = constant_ops(op for body in (ops, *bodies) for op in body) - counted
        for block in blocks:
            for value, record in self._arguments(block):
                self._put(found, value, record)
            for op, group in self._ops(block):
                if op not in hidden and not isinstance(op, ReturnOp):
                    self._put(found, op, self._op(op, group))
            for op in (op for op in block.ops if isinstance(op, ReturnOp)):
                for place, value in enumerate(op.operands):
                    edges = [*self._edges(value, len(found.ops), found)]
                    found.edges += edges
                    found.ops.append(output := self._output(op, place))
                    for edge in edges:
                        _name_inserted(found.ops[edge.source], output.model_name)
        for op, index in [(op, index) for op, index in found.index_of.items() if isinstance(op, Operation)]:
            readers = op.walk() if op.regions else (op,)
            found.edges += (
                edge for reader in readers for value in reader.operands for edge in self._edges(value, index, found)
            )
        return found

    def _put(self, found: FunctionRecord, item: Operation | SSAValue, record: OpRecord) -> None:
        record.region = self._regions.get(item, "")
        found.index_of[item] = len(found.ops)
        found.ops.append(record)

    def _ops(self, block: Block) -> Iterator[tuple[Operation, str]]:
        """The ops of a block, with those of fused functions in place of their calls, and the names of their groups."""
        for op in block.ops:
            callee = self.in_place.callee(op)
            if callee is None:
                yield op, _numbered_group(op)
            else:
                yield from ((inner, f"@{callee.sym_name.data}") for inner in callee.body.block.ops)

    def _edges(self, value: SSAValue, reader: int, found: FunctionRecord) -> Iterator[EdgeRecord]:
        origin = self.in_place.origin(value)
        source = found.index_of.get(origin.op if isinstance(origin, OpResult) else origin)
        if source is not None and source != reader:
            layout = encoding(value.type)
            # The class of a tensor alone says nothing of its order.
            says_order = layout is not None and str(layout) not in (LayoutClass.TENSOR.value, LayoutClass.NTENSOR.value)
            yield EdgeRecord(source, reader, str(layout) if says_order else "")

    def _arguments(self, block: Block) -> Iterator[tuple[SSAValue, OpRecord]]:
        for value in block.args:
            name = self._names.of(value)
            text = f"{name} : {value.type}"
            yield value, OpRecord("input", name, self._model_names.get(name, ""), text, _type(value), _style(value))

    def _output(self, op: ReturnOp, place: int) -> OpRecord:
        value = op.operands[place]
        name = f"output {place}" if len(op.operands) > 1 else "output"
        function = op.parent_op()
        notes = function.res_attrs if isinstance(function, FuncOp) else None
        given = "" if notes is None else name_in_model(notes.data[place])
        return OpRecord("output", name, given, f"return {self._names.of(value)}", _type(value), _style(value))

    def _op(self, op: Operation, group: str) -> OpRecord:
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
            with_model_names(self._demand(op), self._model_names),
            "" if value is None else _class(value),
            callee=op.callee.root_reference.data if isinstance(op, CallOp) else "",
            group=self._seen.group_of.get(op, group),
            stage=self._seen.stage_of.get(op, ""),
            apart=tuple(with_model_names(each, self._model_names) for each in self._seen.apart.get(op, ())),
            scope=self._scopes.get(model_name(op), ""),
            is_view=isinstance(op, ViewOp),
        )
        names = self._seen.model_names
        if isinstance(op, ConversionOp):
            record.removal = [
                with_model_names(each, names) for note in record.notes for each in self._seen.removal.get(note, ())
            ]
            _describe(record, self._transposes[op])
        record.notes = [with_model_names(note, names) for note in record.notes]
        return record

    def _notes(self, op: Operation) -> Iterator[str]:
        """The reasons in the location, where the name of a node in the model has no colon; or that it stays for."""
        yield from (name for name in names_in_location(op) if ": " in name)
        if op in self._seen.staying:
            yield self._seen.staying[op]

    def _text(self, op: Operation) -> str:
        text = self._printer.text_of_op(op)
        return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} ..."

    def _demand(self, op: Operation) -> str:
        demands = None if self._target is None else self._target.demands(op)
        if self._target is None or demands is None or not any((*demands.operands, *demands.results)):
            return ""
        return choices_reason(self._target, op, demands).text(self._names)


class _NamingPrinter(BriefPrinter):
    """Prints values by the names that they have in the whole program."""

    def __init__(self, names: Names) -> None:
        self._buffer = StringIO()
        super().__init__(stream=self._buffer)
        self._names_of_program = names
        self._texts: dict[Attribute, str] = {}
        """Types in text; most of them are those of many values."""

    def text_of_op(self, op: Operation) -> str:
        self._buffer.seek(0)
        self._buffer.truncate()
        self.print_op(op)
        return self._buffer.getvalue()

    def print_attribute(self, attribute: Attribute) -> None:
        if attribute.name != TensorType.name:
            super().print_attribute(attribute)
            return
        if attribute not in self._texts:
            self._texts[attribute] = str(attribute)
        self.print_string(self._texts[attribute])

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._names_of_program.of(value)
        self.print_string(name)
        return name


def _type(value: SSAValue) -> str:
    """The type without the words around it: `1x64x64x32xf32 NHWC`."""
    layout = encoding(value.type)
    text = str(value.type).removeprefix("tensor<").removesuffix(">")
    return text if layout is None else f"{text.split(',', 1)[0]} {layout}"


def _class(value: SSAValue) -> str:
    layout = encoding(value.type)
    return "" if layout is None else layout.cls.value


def _numbered_group(op: Operation) -> str:
    number = op.attributes.get(GROUP)
    return f"group {number.value.data}" if isinstance(number, IntegerAttr) else ""


def _style(value: SSAValue) -> str:
    layout = encoding(value.type)
    return "plain" if layout is None else "cnn" if layout.cls.is_cnn else "tensor"


def _name_inserted(record: OpRecord, name: str) -> None:
    """Give a transpose that was inserted in front of an output its name in the model."""
    if record.style == "placed" and not record.model_name:
        record.model_name = name


def _describe(record: OpRecord, seen: SeenTranspose) -> None:
    record.is_view = seen.not_counted is not None
    if seen.not_counted is not None:
        record.notes = (*record.notes, f"not counted: {seen.not_counted.value}")
        return
    record.style = "placed" if is_inserted(seen.location) else "moved"
    record.bytes, record.is_estimate = seen.cost.bytes, seen.cost.is_assumed
    record.move, record.shape = _LETTERLESS.sub("", seen.move), seen.shape
    record.cost = seen.cost.units if seen.cost.unit else 0.0
