"""Export of a program as a graph, with all calls inlined."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from math import prod
from pathlib import Path
from typing import NamedTuple, TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

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
from ...moved_data import MovedData, StorageSizes
from ...orders import noted_orders
from ...origins import Origin, constant_origin_of, origin_of
from ...refused_ops import RefusedOps
from ...safetensors import Extract, StoredTensor
from ..data import LiteData, in_memory
from ..dialect import LiteNode, LiteTensor, LiteType, LiteTypeAttr, SourceOp
from ..errors import NotExportable
from ..kept import GRAPH, ORDERS, PREFIX
from .blocks import to_logical, to_stored
from .elements import LiteElement, element_of
from .finish import finish
from .graph import LiteGraph
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


def lowered(
    module: ModuleOp,
    directory: Path,
    source: Source | None,
    function: func.FuncOp | None = None,
    integers_only: bool = False,
    rewrites: Collection[str] | None = None,
) -> ModuleOp:
    """A function of a module, or @main, in ops of a file. Constants in files come from `source` or this directory.

    With it come the functions that were graphs of a file. All `rewrites` run by default, and none on functions that are
    in such ops.
    """
    function = function or main_function(module)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    graphs = [function, *(each for each in functions.values() if each is not function and GRAPH in each.attributes)]
    types = function.function_type
    if any(isinstance(each, LiteTypeAttr) for each in (*types.inputs, *types.outputs)):
        for each in graphs:
            _finish_again(each, rewrites or ())
        return module
    made: list[func.FuncOp] = []
    for each in graphs:
        graph = LiteGraph(integers_only=integers_only)
        _Inliner(functions, graph, directory, source).run(each)
        finish(graph.block, rewrites)
        made.append(_with_body(each, graph.block, each is not function))
    orders = noted_orders(function)
    return ModuleOp([*made], {**module.attributes, **({ORDERS: StringAttr(dumps(orders))} if orders else {})})


def _finish_again(function: func.FuncOp, rewrites: Collection[str]) -> None:
    """Run rewrites on a function in ops of a file."""
    for op in _body(function).ops:
        if not isinstance(op, LiteNode | SourceOp | func.ReturnOp):
            op.emit_error(text := f"'{op.name}' among ops of a file has no counterpart", NotExportable(text))
    finish(function.body.block, rewrites)
    function.update_function_type()


def _with_body(function: func.FuncOp, block: Block, may_be_private: bool) -> func.FuncOp:
    """A function of the same name and notes with other code."""
    made = func.FuncOp(
        function.sym_name.data,
        ([], []),
        Region(block),
        visibility=function.sym_visibility if may_be_private else None,
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
    )
    made.update_function_type()
    made.attributes.update({name: value for name, value in function.attributes.items() if name.startswith(PREFIX)})
    return made


class _CallFrame(NamedTuple):
    """A call being inlined."""

    function: func.FuncOp
    rest: Iterator[Operation]
    call: Operation | None
    """The call in the frame below; None for the exported function."""


class _Inliner:
    """Exports functions with an explicit stack, so that call chains may be deep."""

    def __init__(
        self, functions: Mapping[str, func.FuncOp], graph: LiteGraph, directory: Path, source: Source | None
    ) -> None:
        self._functions = functions
        self._graph = graph
        self._names: dict[LiteTensor, str] = {}
        """Names in the imported model, or in the program; they need not be unique."""
        self._values: dict[LiteTensor, SSAValue] = {}
        """The first value of the program that a tensor is."""
        self._directory, self._source = directory, source
        self._frames: list[_CallFrame] = []
        self._tensors: dict[SSAValue, LiteTensor] = {}
        self._constants: dict[Operation, LiteTensor] = {}
        self._refused = RefusedOps()

    def run(self, function: func.FuncOp) -> None:
        inputs: list[LiteTensor] = []
        for argument in _body(function).args:
            try:
                if GRAPH not in function.attributes:
                    _check_end(argument)
                inputs.append(self._graph.input(element_of(element_type_of(argument)), shape_of(argument)))
            except NotExportable as error:
                self._refused.add_input(error)
                inputs.append(self._stand_in(argument))
            self._values[inputs[-1]] = argument
        self._enter(function, inputs, None)
        while self._frames:
            frame = self._frames[-1]
            op = next(frame.rest)
            try:
                self._step(frame, op)
            except NotExportable as error:
                self._refused.add(op, error)
                self._tensors.update((value, self._stand_in(value)) for value in op.results)
        self._refused.end()
        self._note_nodes()

    def _note_nodes(self) -> None:
        """Say at nodes and tensors what only the program knows: names, and the bytes that transposes move."""
        for tensor, name in self._names.items():
            tensor.change(name=name)
        self._graph.name_sources()
        scopes, stored = {*self._names.values()}, StorageSizes()
        for node in self._graph.nodes:
            if node.said.origin in scopes:
                node.change(is_scope=True)
            source = node.inputs[0] if node.is_transpose else None
            if source is not None and (value := self._value(source)) is not None:
                width = source.element.dtype.itemsize
                moves = MovedData().with_transpose(stored.of(value), width, None, stored.likely(value))
                node.change(moved=moves.bytes, is_estimated=moves.is_estimated)

    def _value(self, x: LiteTensor) -> SSAValue | None:
        """The value of the program whose data a tensor has, also through ops that only move it."""
        while x not in self._values and x.node is not None and x.node.kind in ("RESHAPE", "TRANSPOSE"):
            (source, *_) = x.node.inputs
            if source is None:
                return None
            x = source
        return self._values.get(x)

    def _step(self, frame: _CallFrame, op: Operation) -> None:
        match op:
            case func.ReturnOp():
                if len(self._frames) == 1 and GRAPH not in frame.function.attributes:
                    for value in op.operands:
                        _check_end(value)
                self._leave(frame, [self._tensors[value] for value in op.operands])
            case func.CallOp():
                self._enter(self._function(op.callee.string_value()), [self._tensors[v] for v in op.operands], op)
            case NpuOp():
                origin = origin_of(op)
                results = self._written(op, origin)
                for value, tensor, name in zip(op.results, results, origin.results, strict=True):
                    self._tensors[value] = tensor
                    self._values.setdefault(tensor, value)
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
        self._frames.append(_CallFrame(function, iter(block.ops), call))
        self._tensors.update(zip(block.args, tensors, strict=True))

    def _leave(self, frame: _CallFrame, results: list[LiteTensor]) -> None:
        self._frames.pop()
        if frame.call is None:
            self._graph.about = {}
            outputs = [self._graph.as_output(x) for x in results]
            self._graph.block.add_op(func.ReturnOp(*(x.value for x in outputs)))
            returned = frame.function.get_return_op()
            assert returned is not None
            for tensor, value in zip(outputs, returned.operands, strict=True):
                if tensor.node is not None:
                    # What is known of the sizes of a result is a part of the interface.
                    tensor.change(shape=shape_of(value))
        else:
            self._tensors.update(zip(frame.call.results, results, strict=True))

    def _written(self, op: NpuOp, origin: Origin) -> list[LiteTensor]:
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
        given = [self._tensors[value] for value in op.operands]
        is_kept = isinstance(op, OpaqueOp) and op.op_name.data.startswith(PREFIX)
        if any(map(_is_empty, op.operands)) and not is_kept:
            raise NotExportable(f"'{op.name}' of a tensor without elements has no counterpart in LiteRT")
        part_of = None if isinstance(op, AnyTransposeOp) else op.name
        self._graph.about = {"origin": origin.node, "part_of": part_of, "stays": KIND in op.attributes}
        if isinstance(op, OpaqueOp):
            tensors = opaque(op, self._graph, given)
        else:
            tensors = self._computed(op, given)
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

    def _stand_in(self, value: SSAValue) -> LiteTensor:
        """A tensor for the users of a result that is refused."""
        try:
            element = element_of(element_type_of(value))
        except NotExportable:
            element = LiteElement.F32
        return self._graph.source(LiteType(element, shape_of(value)))

    def _note_name(self, tensor: LiteTensor, name: str | None) -> None:
        if name is not None:
            self._names.setdefault(tensor, name)


def _read(data: LiteData, op: ConstantOp) -> LiteData:
    """The data after the read steps of a constant."""
    if prod(data.shape) != prod(op.steps[0].shape):
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


def _is_empty(value: SSAValue) -> bool:
    """True if a value has no elements, which crashes some kernels."""
    return isinstance(value.type, TensorType) and 0 in shape_of(value)


def _check_result(tensor: LiteTensor, value: SSAValue, op: Operation) -> None:
    """Check that an exporter has made what the program says."""
    wanted = _kind(value)
    element = LiteElement.U8 if tensor.shift else tensor.element
    assert (element, len(tensor.shape)) == (wanted[0], len(wanted[1])), (op.name, tensor, wanted)
    assert shapes_agree(tensor.shape, wanted[1]), (op.name, tensor, wanted)
