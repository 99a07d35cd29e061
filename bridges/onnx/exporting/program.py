"""From a program to a graph: op by op, with the functions that are called in the place of their calls.

Functions could be functions of the model as well. Their constants would have to stand in the model itself then, however
large they are, and a runtime puts them in the place of their calls in any case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, NameLoc, TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.names import by_definition
from ....dialects.npu.base import NpuOp
from ....dialects.npu.source import ConstantOp, OpaqueOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ..errors import NotExportable
from .elements import carrier
from .graph import OnnxGraph, OnnxNode, OnnxTensor, Source
from .ops.source import constant
from .registry import EXPORTERS
from .weights import in_memory

HELPERS = frozenset({"Cast", "Concat", "Expand", "Identity", "Reshape", "Shape", "Transpose", "Unsqueeze"})
"""Kinds of nodes that often stand beside the one that an op is known by."""


@dataclass
class Exported:
    """A graph, and what the outside calls its ends."""

    graph: OnnxGraph
    function: func.FuncOp
    outputs: list[OnnxTensor] = field(default_factory=list[OnnxTensor])
    hints: list[tuple[OnnxTensor, str]] = field(default_factory=list[tuple[OnnxTensor, str]])
    """Names that tensors have in the program; some of them are wanted twice."""


def main_function(module: ModuleOp) -> func.FuncOp:
    """The function that is the graph: @main, or the only one that others can call."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    named = [op for op in functions if op.sym_name.data == "main"]
    public = [op for op in functions if op.sym_visibility is None or op.sym_visibility.data != "private"]
    found = named or public
    if len(found) != 1:
        raise NotExportable(
            f"a graph of ONNX is one function: expected @main, or one public function, found {len(found)}"
        )
    return found[0]


def noted_opset(module: ModuleOp, domain: str = "") -> int | None:
    """The version of a domain in the model that a program comes from."""
    notes = module.attributes.get("onnx.opsets")
    found = notes.data.get(domain) if isinstance(notes, DictionaryAttr) else None
    return found.value.data if isinstance(found, IntegerAttr) else None


def export(module: ModuleOp, opset: int, directory: Path, source: Source | None) -> Exported:
    """The graph of a module; constants kept in files are looked for in `source` and in this directory."""
    result = Exported(OnnxGraph(opset, directory, noted_opset(module), source), main_function(module))
    _Inliner(module, result).run()
    return result


@dataclass(slots=True)
class _CallFrame:
    """A function whose body is being written: what is left of it, and the tensors of its values."""

    function: func.FuncOp
    rest: Iterator[Operation]
    tensors: dict[SSAValue, OnnxTensor]
    call: Operation | None
    """The op of the frame below that stands for the whole body."""


class _Inliner:
    """Writes functions with a stack of its own, so that chains of calls may be long."""

    def __init__(self, module: ModuleOp, result: Exported):
        self._functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._result, self._graph = result, result.graph
        self._frames: list[_CallFrame] = []
        self._constants: dict[Operation, OnnxTensor] = {}

    def run(self) -> None:
        function = self._result.function
        inputs = [self._graph.input(_carrier_of(argument)) for argument in _body(function).args]
        self._enter(function, inputs, None)
        while self._frames:
            frame = self._frames[-1]
            op = next(frame.rest)
            try:
                self._step(frame, op)
            except NotExportable as error:
                op.emit_error(str(error), error)

    def _step(self, frame: _CallFrame, op: Operation) -> None:
        match op:
            case func.ReturnOp():
                self._leave(frame, [frame.tensors[value] for value in op.operands])
            case func.CallOp():
                name = op.callee.string_value()
                if name not in self._functions:
                    raise NotExportable(f"there is no function @{name}")
                self._enter(self._functions[name], [frame.tensors[value] for value in op.operands], op)
            case NpuOp():
                for value, tensor in zip(op.results, self._written(frame, op), strict=True):
                    frame.tensors[value] = tensor
                    if value.name_hint is not None:
                        self._result.hints.append((tensor, value.name_hint))
            case _:
                raise NotExportable(f"'{op.name}' has no counterpart in ONNX")

    def _enter(self, function: func.FuncOp, tensors: Sequence[OnnxTensor], call: Operation | None) -> None:
        # Without branches, a function that is called again from within would never end.
        if any(frame.function is function for frame in self._frames):
            raise NotExportable(f"@{function.sym_name.data} calls itself")
        block = _body(function)
        self._frames.append(_CallFrame(function, iter(block.ops), dict(zip(block.args, tensors, strict=True)), call))

    def _leave(self, frame: _CallFrame, results: list[OnnxTensor]) -> None:
        self._frames.pop()
        if frame.call is None:
            self._result.outputs = results
        else:
            self._frames[-1].tensors.update(zip(frame.call.results, results, strict=True))

    def _written(self, frame: _CallFrame, op: NpuOp) -> list[OnnxTensor]:
        """The results of an op."""
        if isinstance(op, ConstantOp):
            if op not in self._constants:
                self._constants[op] = constant(op, self._graph)
                self._hint(self._constants[op], op)
            return [self._constants[op]]
        if not isinstance(op, OpaqueOp) and all(map(_is_empty, op.results)):
            return [_nothing(result) for result in op.results]
        before = len(self._graph.nodes)
        found = EXPORTERS[type(op)](
            op, self._graph, *by_definition(op, [frame.tensors[value] for value in op.operands])
        )
        tensors = found if isinstance(found, tuple) else (found,)
        results = [self._graph.stored(x, element_type_of(v)) for x, v in zip(tensors, op.results, strict=True)]
        _name_node(self._graph.nodes[before:], _location_name(op))
        return results

    def _hint(self, tensor: OnnxTensor, op: Operation) -> None:
        if name := _location_name(op):
            self._result.hints.append((tensor, name))


def _body(function: func.FuncOp):
    if len(function.body.blocks) != 1:
        problem = f"has {len(function.body.blocks)} blocks" if function.body.blocks else "is declared only"
        raise NotExportable(f"@{function.sym_name.data} {problem}: a graph of ONNX is one block")
    return function.body.block


def _carrier_of(value: SSAValue) -> int:
    if not isinstance(value.type, TensorType):
        raise NotExportable(f"ONNX has no values of type {value.type}")
    return carrier(element_type_of(value))


def _is_empty(value: SSAValue) -> bool:
    """Whether it is known of a value that it has no elements, and all of its sizes."""
    return 0 in shape_of(value) and DYNAMIC not in shape_of(value)


def _nothing(value: SSAValue) -> OnnxTensor:
    """A tensor without elements: there is nothing to compute."""
    number = _carrier_of(value)
    return OnnxTensor(number, weights=in_memory(number, shape_of(value), b""))


def _location_name(op: Operation) -> str | None:
    return op.location.desc.data if isinstance(op.location, NameLoc) else None


def _name_node(nodes: Sequence[OnnxNode], name: str | None) -> None:
    """Give the name of an op to the node that it is known by."""
    if nodes and name is not None:
        known_by = [node for node in nodes if node.kind not in HELPERS] or nodes
        known_by[-1].name = name
