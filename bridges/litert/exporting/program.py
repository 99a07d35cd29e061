"""Export of a program as a graph, with all calls inlined."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.notes.node_kinds import KIND
from ....dialects.npu.attrs import Reference
from ....dialects.npu.base import NpuOp
from ....dialects.npu.quantized import QuantizedOp
from ....dialects.npu.shape import AnyTransposeOp
from ....dialects.npu.source import ConstantOp, OpaqueOp, elements_of
from ....dialects.npu.uncut import uncut_if_by_letters
from ....dialects.npu.values import element_type_of, shape_of, shapes_agree
from ....dialects.program.names import by_definition
from ....interpreter import InterpreterError
from ....interpreter.files import file_of
from ....interpreter.safetensors_file import entry
from ....layout import merge_steps, unpermuted
from ...functions import main_function
from ...origins import Origin, constant_origin_of, origin_of
from ...refused_ops import RefusedOps
from ...safetensors import Extract, StoredTensor
from ..errors import NotExportable
from ..kept import PREFIX
from .blocks import to_logical, to_stored
from .data import LiteData, in_memory
from .elements import LiteElement, element_of
from .graph import LiteGraph, LiteTensor
from .opaque import opaque
from .quantized import movable
from .registry import EXPORTERS, MOVERS

Source: TypeAlias = Callable[[Reference], StoredTensor | None]
"""Finds the data of a constant; on None it is read from a safetensors file."""


@dataclass(frozen=True)
class MadeFor:
    """The hardware that a model is made for."""

    name: str = "litert"
    """The name of the target, which the file says."""
    integers_only: bool = False
    """True if it computes with integers only."""


@dataclass
class LiteProgram:
    """A graph, its function and outputs, and the names of its tensors in the imported model and in the program."""

    graph: LiteGraph
    function: func.FuncOp
    outputs: list[LiteTensor] = field(default_factory=list[LiteTensor])
    names: list[tuple[LiteTensor, str]] = field(default_factory=list[tuple[LiteTensor, str]])
    """The names to use, those of the imported model first; they need not be unique."""


def export(
    module: ModuleOp,
    directory: Path,
    source: Source | None,
    function: func.FuncOp | None = None,
    integers_only: bool = False,
) -> LiteProgram:
    """Export a function of a module, or @main; constants in files come from `source` or from this directory."""
    result = LiteProgram(LiteGraph(integers_only), function or main_function(module))
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    _Inliner(functions, result, directory, source).run()
    return result


@dataclass(slots=True)
class _CallFrame:
    """A call being inlined: the remaining ops of the function, and the tensors of its values."""

    function: func.FuncOp
    rest: Iterator[Operation]
    tensors: dict[SSAValue, LiteTensor]
    call: Operation | None
    """The call in the frame below; None for the exported function."""


class _Inliner:
    """Exports functions with an explicit stack, so that call chains may be deep."""

    def __init__(
        self, functions: Mapping[str, func.FuncOp], result: LiteProgram, directory: Path, source: Source | None
    ) -> None:
        self._functions = functions
        self._result, self._graph = result, result.graph
        self._directory, self._source = directory, source
        self._frames: list[_CallFrame] = []
        self._constants: dict[Operation, LiteTensor] = {}
        self._refused = RefusedOps()

    def run(self) -> None:
        function = self._result.function
        inputs: list[LiteTensor] = []
        for argument in _body(function).args:
            try:
                _check_end(argument)
                inputs.append(self._graph.input(element_of(element_type_of(argument)), shape_of(argument)))
            except NotExportable as error:
                self._refused.add_input(error)
                inputs.append(_stand_in(argument))
            inputs[-1].value = argument
        self._enter(function, inputs, None)
        while self._frames:
            frame = self._frames[-1]
            op = next(frame.rest)
            try:
                self._step(frame, op)
            except NotExportable as error:
                self._refused.add(op, error)
                frame.tensors.update((value, _stand_in(value)) for value in op.results)
        self._refused.end()

    def _step(self, frame: _CallFrame, op: Operation) -> None:
        match op:
            case func.ReturnOp():
                if len(self._frames) == 1:
                    for value in op.operands:
                        _check_end(value)
                self._leave(frame, [frame.tensors[value] for value in op.operands])
            case func.CallOp():
                self._enter(self._function(op.callee.string_value()), [frame.tensors[v] for v in op.operands], op)
            case NpuOp():
                origin = origin_of(op)
                results = self._written(frame, op, origin)
                for value, tensor, name in zip(op.results, results, origin.results, strict=True):
                    frame.tensors[value], tensor.value = tensor, tensor.value or value
                    self._note_name(tensor, name or (None if origin.reason else value.name_hint))
            case _:
                raise NotExportable(f"'{op.name}' has no counterpart in LiteRT")

    def _function(self, name: str) -> func.FuncOp:
        if name not in self._functions:
            raise NotExportable(f"there is no function @{name}")
        return self._functions[name]

    def _enter(self, function: func.FuncOp, tensors: Sequence[LiteTensor], call: Operation | None) -> None:
        # Without branches, recursion would not terminate.
        if any(frame.function is function for frame in self._frames):
            raise NotExportable(f"@{function.sym_name.data} calls itself")
        block = _body(function)
        self._frames.append(_CallFrame(function, iter(block.ops), dict(zip(block.args, tensors, strict=True)), call))

    def _leave(self, frame: _CallFrame, results: list[LiteTensor]) -> None:
        self._frames.pop()
        if frame.call is None:
            self._result.outputs = [self._graph.as_output(x) for x in results]
            returned = frame.function.get_return_op()
            assert returned is not None
            for tensor, value in zip(self._result.outputs, returned.operands, strict=True):
                if tensor.node is not None:
                    # What is known of the sizes of a result is a part of the interface.
                    tensor.shape = shape_of(value)
        else:
            self._frames[-1].tensors.update(zip(frame.call.results, results, strict=True))

    def _written(self, frame: _CallFrame, op: NpuOp, origin: Origin) -> list[LiteTensor]:
        """The results of an op."""
        if isinstance(op, ConstantOp):
            if op not in self._constants:
                self._constants[op] = self._graph.constant(self._data(op))
                self._note_name(self._constants[op], constant_origin_of(op))
            return [self._constants[op]]
        for value in op.results:
            _check_tensor(value)
        if all(map(_is_empty, op.results)) and op.results:
            return [self._graph.constant(in_memory(*_kind(value), b"")) for value in op.results]
        given = [frame.tensors[value] for value in op.operands]
        is_kept = isinstance(op, OpaqueOp) and op.op_name.data.startswith(PREFIX)
        if any(map(_is_empty, op.operands)) and not is_kept:
            raise NotExportable(f"'{op.name}' of a tensor without elements has no counterpart in LiteRT")
        before = len(self._graph.nodes)
        if isinstance(op, OpaqueOp):
            tensors = opaque(op, self._graph, given)
        else:
            tensors = self._computed(op, given)
        for node in self._graph.nodes[before:]:
            node.origin, node.stays = origin.node, KIND in op.attributes
            node.part_of = None if isinstance(op, AnyTransposeOp) else op.name
        for tensor, value in zip(tensors, op.results, strict=True):
            _check_result(tensor, value, op)
        return list(tensors)

    def _computed(self, op: NpuOp, given: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
        """The results of an op on tensors; an op on blocks that finds axes by letters computes with logical tensors."""
        exporter, block = EXPORTERS[type(op)], uncut_if_by_letters(op)
        if block is not None and isinstance(op, QuantizedOp):
            raise NotExportable(f"'{op.name}' on blocks has no counterpart in LiteRT")
        if not isinstance(op, QuantizedOp):
            given = [movable(self._graph, x) for x in given]
            given = given if type(op) in MOVERS else [self._graph.raw(x) for x in given]
        if block is not None and isinstance(whole := block.last_op, NpuOp):
            logical = [to_logical(self._graph, x, value) for x, value in zip(given, op.operands, strict=True)]
            found = self._computed(whole, logical)
            return [to_stored(self._graph, x, value) for x, value in zip(found, op.results, strict=True)]
        results = exporter(op, self._graph, *by_definition(op, given))
        return results if isinstance(results, tuple) else (results,)

    def _data(self, op: ConstantOp) -> LiteData:
        """The data of a constant. That in files is read only when the model is written."""
        element = element_of(element_type_of(op.result))
        if isinstance(op.value, DenseIntOrFPElementsAttr):
            elements = elements_of(op.value)
            # All bits of true are ones here, but only the last one in a file.
            written = elements != 0 if element == LiteElement.BOOL else elements
            return in_memory(element, shape_of(op.result), written.tobytes())
        reference = op.value.data
        found = self._source(reference) if self._source is not None else None
        if found is not None:
            data = found.content if isinstance(found.content, Extract) else found.content()
            return _read(LiteData(element, data, (unpermuted(tuple(found.shape)),)), op)
        try:
            path = file_of(self._directory, reference.file)
            stored = entry(path, reference.key)
        except InterpreterError as error:
            raise NotExportable(str(error)) from error
        data = Extract(path, stored.begin, stored.length)
        if stored.length != element.dtype.itemsize * prod(stored.shape):
            raise NotExportable(f"{path}: '{reference.key}' has type {stored.dtype}, expected {element.name}")
        return _read(LiteData(element, data, (unpermuted(tuple(stored.shape)),)), op)

    def _note_name(self, tensor: LiteTensor, name: str | None) -> None:
        if name is not None:
            self._result.names.append((tensor, name))


def _read(data: LiteData, op: ConstantOp) -> LiteData:
    """The data after the read steps of a constant."""
    if data.size != prod(op.steps[0].shape) * data.element.dtype.itemsize:
        raise NotExportable(f"the data of {op.value} has {prod(data.shape)} elements, not {prod(op.steps[0].shape)}")
    return data.read(merge_steps((*data.steps, *op.steps)))


def _body(function: func.FuncOp):
    if len(function.body.blocks) != 1:
        problem = f"has {len(function.body.blocks)} blocks" if function.body.blocks else "is declared only"
        raise NotExportable(f"@{function.sym_name.data} {problem}: a graph of LiteRT is one block")
    return function.body.block


def _check_tensor(value: SSAValue) -> None:
    if not isinstance(value.type, TensorType):
        raise NotExportable(f"LiteRT has no values of type {value.type}")


def _check_end(value: SSAValue) -> None:
    """Check that a value can be an input or output of a model."""
    _check_tensor(value)
    if _is_empty(value):
        raise NotExportable("LiteRT has no inputs and outputs without elements")


def _kind(value: SSAValue) -> tuple[LiteElement, tuple[int, ...]]:
    return element_of(element_type_of(value)), shape_of(value)


def _stand_in(value: SSAValue) -> LiteTensor:
    """A tensor for the users of a result that is refused."""
    try:
        element = element_of(element_type_of(value))
    except NotExportable:
        element = LiteElement.F32
    return LiteTensor(element, shape_of(value))


def _is_empty(value: SSAValue) -> bool:
    """True if a value has no elements, which crashes some kernels."""
    return isinstance(value.type, TensorType) and 0 in shape_of(value)


def _check_result(tensor: LiteTensor, value: SSAValue, op: Operation) -> None:
    """Check that an exporter has made what the program says."""
    wanted = _kind(value)
    element = LiteElement.U8 if tensor.shift else tensor.element
    assert (element, len(tensor.shape)) == (wanted[0], len(wanted[1])), (op.name, tensor, wanted)
    assert shapes_agree(tensor.shape, wanted[1]), (op.name, tensor, wanted)
