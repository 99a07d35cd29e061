"""Export of a program of the npu dialect as an MLIR module.

A layout becomes the order of the axes of a tensor. Encodings and relabels are dropped. Functions and calls are kept,
so that fused groups stay visible.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from xdsl.dialects import func as xdsl_func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import ElementwiseOp
from ....dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp
from ....dialects.npu.source import ConstantOp, ForeignOp
from ....dialects.npu.uncut import uncut_if_by_letters
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.program.names import by_definition
from ....dialects.program.symbols import is_private
from ....interpreter import InterpreterError
from ....interpreter.elements import Array
from ....interpreter.ops import source
from ...refused_ops import RefusedOps
from ..bindings import Module, Type, func, ir, tensor
from ..errors import NotLowerable, UnknownSizes, raise_at
from ..verbatim import copy_attributes, copy_each_attributes
from .arithmetic import converted
from .arrange import reshape
from .blocks import to_logical, to_stored
from .elements import Element, element_of
from .foreign import foreign
from .registry import LOWERINGS
from .tensors import Shape, Tensor, check_sizes, computed, empty, known, stand_in, tensor_type

WITH_UNKNOWN_SIZES = (ElementwiseOp, ReshapeOp, RelabelOp, TransposeOp)
"""The ops that TOSA has for tensors of unknown sizes as well."""
Numbers: TypeAlias = Callable[[ConstantOp], Array]
"""Returns the data of a constant, in the interpreter's representation."""


def numbers_in(directory: Path) -> Numbers:
    """The data of constants that are written out or in files of a directory."""
    return lambda op: source.constant(op, directory)


def lowered(program: ModuleOp, numbers: Numbers | None = None, is_compiled: bool = True) -> Module:
    """Export a program as an MLIR module, and verify it. All sizes of one that is compiled are known.

    The caller must have entered `mlir_context`.
    """
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        for op in program.ops:
            if not isinstance(op, xdsl_func.FuncOp):
                raise_at(op, f"'{op.name}' has no counterpart in MLIR")
            _FunctionExporter(op, numbers or numbers_in(Path()), is_compiled).write()
    copy_attributes(module.operation, program.attributes)
    module.operation.verify()
    return module


@contextmanager
def mlir_context() -> Generator[None]:
    """Enter a context and a location of the bindings."""
    with ir.Context(), ir.Location.unknown():
        yield


@dataclass(frozen=True, slots=True)
class Signature:
    """Shapes and element types of the inputs and outputs of a function."""

    inputs: Sequence[tuple[Shape, Element]]
    outputs: Sequence[tuple[Shape, Element]]


def signature(function: xdsl_func.FuncOp) -> Signature:
    """The signature of a function."""
    types = function.function_type
    return Signature([*map(_described, types.inputs)], [*map(_described, types.outputs)])


def _described(type: Attribute) -> tuple[Shape, Element]:
    tensor = cast("TensorType[Attribute]", type)
    return tuple(tensor.get_shape()), element_of(tensor.element_type)


class _FunctionExporter:
    """Exports one function."""

    def __init__(self, function: xdsl_func.FuncOp, numbers: Numbers, is_compiled: bool):
        self._function, self._numbers, self._is_compiled = function, numbers, is_compiled
        self._tensors: dict[SSAValue, Tensor] = {}

    def write(self) -> None:
        function = self._function
        try:
            inputs = [*map(self._type, function.function_type.inputs)]
            outputs = [*map(self._type, function.function_type.outputs)]
        except NotLowerable as error:
            raise_at(function, str(error))
        visibility = "private" if is_private(function) or not function.body.blocks else None
        op = func.FuncOp(function.sym_name.data, (inputs, outputs), visibility=visibility)
        copy_attributes(op.operation, function.attributes)
        copy_each_attributes(op.operation, "arg_attrs", function.arg_attrs)
        copy_each_attributes(op.operation, "res_attrs", function.res_attrs)
        if not function.body.blocks:
            return
        if len(function.body.blocks) != 1:
            raise_at(function, f"{len(function.body.blocks)} blocks: branches are not supported")
        body = function.body.block
        block = op.add_entry_block()
        for value, argument in zip(body.args, block.arguments, strict=True):
            self._tensors[value] = computed(argument, shape_of(value), element_of(element_type_of(value)))
        with ir.InsertionPoint(block):
            self._write_body(body)

    def _write_body(self, body: Block) -> None:
        refused, about_sizes = RefusedOps(), ""
        for op in body.ops:
            try:
                with _location(op):
                    self._write_op(op)
            except (NotLowerable, InterpreterError) as error:
                text = str(error)
                if isinstance(error, UnknownSizes):
                    # All are counted under the first one.
                    text = about_sizes = about_sizes or text
                refused.add(op, NotLowerable(text))
                self._stand_in(op, refused)
        refused.end()

    def _stand_in(self, op: Operation, refused: RefusedOps) -> None:
        """Go on with tensors in the place of the results of an op that is refused."""
        try:
            for value in op.results:
                self._tensors[value] = stand_in(shape_of(value), element_of(element_type_of(value)))
        except (NotLowerable, ir.MLIRError, ValueError):
            # Their types are refused as well.
            refused.end()

    def _write_op(self, op: Operation) -> None:
        operands = [self._tensors[value] for value in op.operands]
        match op:
            case xdsl_func.ReturnOp():
                func.ReturnOp([x.value for x in operands])
                return
            case xdsl_func.CallOp():
                types = [self._type(value.type) for value in op.results]
                call = func.CallOp(types, op.callee.string_value(), [x.value for x in operands])
                results = [
                    computed(made, shape_of(value), element_of(element_type_of(value)))
                    for made, value in zip(call.results, op.results, strict=True)
                ]
            case NpuOp():
                results = self._lowered(op, operands)
            case _:
                raise NotLowerable(f"'{op.name}' has no counterpart in MLIR")
        self._tensors.update(zip(op.results, results, strict=True))

    def _lowered(self, op: NpuOp, operands: list[Tensor]) -> list[Tensor]:
        for value in op.results:
            self._type(value.type)
        # An op that MLIR lacks is refused for that.
        made = foreign(op, operands) if isinstance(op, ForeignOp) else None
        if not isinstance(op, WITH_UNKNOWN_SIZES):
            for value in (*op.operands, *op.results):
                check_sizes(shape_of(value))
        elements = [element_of(element_type_of(value)) for value in op.results]
        shapes = [shape_of(value) for value in op.results]
        if isinstance(op, ConstantOp):
            return [known(self._numbers(op), elements[0])]
        if made is not None:
            return made
        if all(0 in shape for shape in shapes):
            return [empty(shape, element) for shape, element in zip(shapes, elements, strict=True)]
        if isinstance(op, ElementwiseOp):
            operands = [x if x.rank == len(shapes[0]) else reshape(x, []) for x in operands]
        tensors = [converted(x, element) for x, element in zip(_computed(op, operands), elements, strict=True)]
        return [_cast(x, shape) for x, shape in zip(tensors, shapes, strict=True)]

    def _type(self, type: Attribute) -> Type:
        if not isinstance(type, TensorType):
            raise NotLowerable(f"a value of type {type} has no counterpart in MLIR")
        shape, element = _described(cast(Attribute, type))
        if self._is_compiled:
            check_sizes(shape)
        return tensor_type(shape, element)


def _computed(op: NpuOp, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    """The results of an op on tensors; ops on blocks compute with logical tensors."""
    block = uncut_if_by_letters(op)
    if block is not None and isinstance(whole := block.last_op, NpuOp):
        logical = [to_logical(x, value) for x, value in zip(operands, op.operands, strict=True)]
        return [to_stored(x, value) for x, value in zip(_computed(whole, logical), op.results, strict=True)]
    found = LOWERINGS[type(op)](op, *by_definition(op, operands))
    return found if isinstance(found, tuple) else (found,)


def _location(op: Operation) -> Any:
    """The name of an op's result as a location, for MLIR's messages and debuggers."""
    name = op.results[0].name_hint if op.results else None
    return ir.Location.unknown() if name is None else ir.Location.name(name)


def _cast(x: Tensor, shape: Shape) -> Tensor:
    """A tensor with the sizes that the program knows, which may be fewer or more."""
    if x.shape == shape or x.known is not None:
        return x
    return computed(tensor.CastOp(tensor_type(shape, x.element), x.value).result, shape, x.element)
