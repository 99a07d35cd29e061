"""The graph of a model as a function."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod
from re import sub
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from ....compat.xdsl import without_module_dumps
from ....dialects.npu.attrs import Reference, ReferenceAttr
from ....dialects.npu.source import ConstantOp, elements_of, written_integers, written_numbers
from ....dialects.npu.values import element_type_of, shape_of, shapes_agree
from ....interpreter import InterpreterError, evaluate
from ....layout import DYNAMIC
from ..exporting.elements import LiteElement
from .errors import LiteRtError, NotReadable
from .file import ABSENT, FileOperator, FileQuantization, FileTensor, LiteFile, check_scales
from .node import FileNode, RunGraph
from .opaque import Opaques, stored_op
from .registry import READERS
from .shapes import computed_shapes
from .types import LiteWeight, dense, tensor_type

NO_LOCATION = NoneAttr()
INTEGERS: Mapping[Attribute, type[np.generic]] = {i1: np.bool_, i32: np.int32, i64: np.int64}
MOST_SIZES = 64
"""The number of integers up to which they may be sizes."""


class SharedByFunctions(Protocol):
    """The parts that the functions of a model share."""

    weights: dict[str, LiteWeight]
    corrected: list[str]

    def run(self, node: FileNode, graphs: Mapping[str, int]) -> Mapping[str, RunGraph]: ...


class FunctionImport:
    """The block with the ops built so far, and the values of the tensors."""

    def __init__(self, file: LiteFile, model: SharedByFunctions, weights_file: str, inline_limit: int | None):
        self._file, self._model = file, model
        self._weights_file = weights_file
        self._inline_limit = inline_limit
        self._block = Block()
        self._values: dict[int, SSAValue] = {}
        self._constants: dict[Operation | Block, int] = {}
        """The tensors of the constants that are built."""
        self._sizes: dict[SSAValue, NDArray[Any]] = {}
        """Small integers that ops compute of known ones."""
        self._location = ""
        self._opaques = Opaques(len(file.data))

    def run(self) -> FuncOp:
        """The function @main."""
        for place in self._file.inputs:
            self._add_argument(place)
        with without_module_dumps():
            for operator in self._file.operators:
                self._convert(operator)
        returned = [self.value(place) for place in self._file.outputs]
        self._block.add_op(ReturnOp(*returned))
        self._drop_unused()
        types = FunctionType.from_lists(self._block.arg_types, [value.type for value in returned])
        return FuncOp(
            "main",
            types,
            Region(self._block),
            arg_attrs=ArrayAttr(self._notes(self._file.inputs, "inputs")),
            res_attrs=ArrayAttr(self._notes(self._file.outputs, "outputs")),
        )

    def _notes(self, places: Sequence[int], key: str) -> list[DictionaryAttr]:
        """The names of arguments or results: those of the signature, and those of the tensors if they differ."""
        tensors = [self._file.tensors[place].name for place in places]
        found: list[DictionaryAttr] = []
        for name, tensor in zip(self._file.names.get(key, tensors), tensors, strict=True):
            notes: dict[str, Attribute] = {"onnx.name": StringAttr(name)} if name else {}
            if tensor != name and tensor:
                notes["litert.tensor"] = StringAttr(tensor)
            found.append(DictionaryAttr(notes))
        return found

    def _add_argument(self, place: int) -> None:
        if place == ABSENT:
            raise LiteRtError("an input of the graph is absent")
        if place in self._values:
            raise LiteRtError(f"'{self._file.tensors[place].name}' is an input twice")
        tensor = self._file.tensors[place]
        argument = self._block.insert_arg(tensor_type(tensor.element, tensor.shape), len(self._block.args))
        argument.name_hint = legal_hint(tensor.name)
        self._values[place] = argument

    # Values.

    def value(self, place: int) -> SSAValue:
        """The value of a tensor; constants are built at their first use."""
        if place in self._values:
            return self._values[place]
        if place == ABSENT:
            raise LiteRtError("an output of the graph is absent")
        tensor = self._file.tensors[place]
        if tensor.content is None and (0 not in tensor.shape or not tensor.is_plain):
            kind = (
                "a variable" if tensor.is_variable else "neither an input, nor constant, nor the result of an op before"
            )
            raise LiteRtError(f"'{tensor.name}' is {kind}")
        self._values[place] = self._constant(tensor)
        self._constants[self._values[place].owner] = place
        return self._values[place]

    def is_state(self, place: int) -> bool:
        """True for a variable that has no value before the op that has it."""
        tensor = self._file.tensors[place]
        return tensor.is_variable and tensor.content is None and place not in self._values

    def known(self, place: int) -> NDArray[Any] | None:
        """The numbers of a tensor that an op has computed, if they are constant."""
        value = self._values.get(place)
        if value is None:
            return None
        numbers, tensor = written_numbers(value), self._file.tensors[place]
        if numbers is None:
            return self._sizes.get(value)
        if tensor.element == LiteElement.BOOL:
            return None
        return elements_of(numbers).reshape(-1).view(tensor.element.dtype).reshape(tensor.shape)

    def _compute_sizes(self, mark: Operation | None) -> None:
        """Compute the integers of all ops since `mark` that depend on known ones only, such as sizes."""
        op = self._block.first_op if mark is None else mark.next_op
        while op is not None:
            operands = [self._integers(operand) for operand in op.operands]
            if all(map(_is_small, op.results)) and not isinstance(op, ConstantOp):
                known = [operand for operand in operands if operand is not None]
                with suppress(InterpreterError):
                    if len(known) == len(operands):
                        self._sizes.update(zip(op.results, evaluate(op, known), strict=True))
            op = op.next_op

    def _integers(self, value: SSAValue) -> NDArray[Any] | None:
        written = written_integers(value) if _is_small(value) else None
        if written is None:
            return self._sizes.get(value)
        return np.array(written, INTEGERS[element_type_of(value)]).reshape(shape_of(value))

    def _constant(self, tensor: FileTensor) -> SSAValue:
        if not tensor.is_plain and tensor.content is not None:
            # What only LiteRT reads are bytes here.
            content = replace(tensor, element=LiteElement.U8, shape=(tensor.content.length,), sparsity=b"")
            return self._inserted(stored_op(tensor, self._constant(content)), tensor)
        numbers, content = self._file.numbers(tensor), tensor.content
        if content is None or numbers is None:
            op = ConstantOp(dense(np.empty(tensor.shape), tensor.element))
        elif self._inline_limit is None or content.length <= self._inline_limit:
            op = ConstantOp(dense(numbers, tensor.element))
        else:
            key = self._new_key(tensor.name or "constant")
            self._model.weights[key] = LiteWeight(tensor.element, tensor.shape, content)
            op = ConstantOp(
                ReferenceAttr(Reference(self._weights_file, key)), tensor_type(tensor.element, tensor.shape)
            )
        return self._inserted(op, tensor)

    def _inserted(self, op: Operation, tensor: FileTensor) -> SSAValue:
        """The result of an op for a constant."""
        op.location = NameLoc(StringAttr(tensor.name), NO_LOCATION)
        self._block.add_op(op)
        op.results[0].name_hint = legal_hint(tensor.name)
        return op.results[0]

    def _new_key(self, name: str) -> str:
        while name in self._model.weights:
            name += "_"
        return name

    def add_constant(self, numbers: NDArray[np.generic], element: LiteElement) -> SSAValue:
        op = ConstantOp(dense(numbers, element))
        self.insert(op)
        return op.result

    def run_graphs(self, node: FileNode, graphs: Mapping[str, int]) -> Mapping[str, RunGraph]:
        return self._model.run(node, graphs)

    def insert(self, op: Operation) -> None:
        op.location = NameLoc(StringAttr(self._location), NO_LOCATION)
        self._block.add_op(op)

    # Ops.

    def _convert(self, operator: FileOperator) -> None:
        names = [self._file.tensors[place].name for place in operator.outputs if place != ABSENT]
        self._location = names[0] if names else operator.kind
        for place in operator.outputs:
            if place != ABSENT and place in self._values:
                raise LiteRtError(f"'{self._file.tensors[place].name}' is computed, but has a value already")
        mark = self._block.last_op
        node = FileNode(self._file, operator, self)
        self._correct_shapes(node)
        try:
            results = self._read(node, mark)
        except VerifyException:
            node.require_possible(not _is_static(node))
            self._roll_back(mark)
            results = self._opaques.add(node)
        except (NotReadable, ArithmeticError, ValueError, IndexError):
            # An op may have any numbers, which readers take for sizes, factors and places.
            self._roll_back(mark)
            results = self._opaques.add(node)
        for place, value in zip((p for p in operator.outputs if p != ABSENT), results, strict=True):
            self._values[place] = value
            self._note_name(value, self._file.tensors[place].name)
        self._compute_sizes(mark)

    def _correct_shapes(self, node: FileNode) -> None:
        """Give the results of an op the shapes that they have at run time."""
        shapes = computed_shapes(node)
        if shapes is None or len(shapes) != len(node.operator.outputs):
            return
        for place, shape in zip(node.operator.outputs, shapes, strict=True):
            tensor = self._file.tensors[place]
            if place != ABSENT and shape != tensor.shape:
                found = _quantization(tensor, shape)
                self._file.tensors[place] = replace(tensor, shape=shape, quantization=found)
                if not shapes_agree(shape, tensor.shape):
                    self._model.corrected.append(tensor.name)

    def _read(self, node: FileNode, mark: Operation | None) -> Sequence[SSAValue]:
        """The results of an op of the dialect, all of which are checked."""
        places = [place for place in (*node.operator.inputs, *node.operator.outputs) if place != ABSENT]
        if not all(self._file.tensors[place].is_plain for place in places):
            raise NotReadable("elements that the dialect does not have")
        if (reader := READERS.get(node.kind)) is None:
            raise NotReadable("no reader")
        found = reader(node)
        results = (found,) if isinstance(found, SSAValue) else tuple(found)
        wanted = [tensor_type(tensor.element, tensor.shape) for tensor in node.results]
        if [value.type for value in results] != wanted:
            raise NotReadable("results of other types than in the file")
        op = self._block.first_op if mark is None else mark.next_op
        while op is not None:
            op.verify()
            op = op.next_op
        return results

    def _roll_back(self, mark: Operation | None) -> None:
        """Erase the ops added since `mark`."""
        while (op := self._block.last_op) is not None and op is not mark:
            self._erase(op)

    def _erase(self, op: Operation) -> None:
        if op in self._constants:
            del self._values[self._constants.pop(op)]
        if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
            self._model.weights.pop(op.value.data.key, None)
        op.detach()
        op.erase()

    def _note_name(self, value: SSAValue, name: str) -> None:
        """Note the name of a tensor at the op that computes it."""
        if value.name_hint is None:
            value.name_hint = legal_hint(name)
        op = value.owner
        if not isinstance(op, Operation) or not isinstance(op.location, NameLoc) or isinstance(op, ConstantOp):
            return
        if value.name_hint == name and len(op.results) == 1:
            return
        names = [result.name_hint or "" for result in op.results]
        parts: list[LocationAttr] = [NameLoc(StringAttr(each), NO_LOCATION) for each in names]
        parts[op.results.index(value)] = NameLoc(StringAttr(name), NO_LOCATION)
        found = parts[0] if len(parts) == 1 else FusedLoc(tuple(parts), NO_LOCATION)
        op.location = NameLoc(op.location.desc, found)

    def _drop_unused(self) -> None:
        """Drop ops whose results nobody reads, such as pads that a convolution has taken over."""
        for op in reversed(list(self._block.ops)):
            is_used = any(result.first_use is not None for result in op.results)
            if not is_used and op.results and is_side_effect_free(op) and op not in self._opaques.ops:
                self._erase(op)


def _quantization(tensor: FileTensor, shape: Sequence[int]) -> FileQuantization | None:
    """The scales of a tensor of another shape, which may not have the axis that is stated beside a single scale."""
    if (found := tensor.quantization) is None:
        return None
    check_scales(tensor.name, len(found.scale), found.axis, shape)
    return found if found.axis < len(shape) else replace(found, axis=0)


def _is_small(value: SSAValue) -> bool:
    """True if a value may be a list of sizes or places."""
    shape = shape_of(value)
    return element_type_of(value) in INTEGERS and DYNAMIC not in shape and prod(shape) <= MOST_SIZES


def _is_static(node: FileNode) -> bool:
    """True if all sizes of an op that computes floats are known."""
    places = (*node.operator.inputs, *node.operator.outputs)
    tensors = [node.file.tensors[place] for place in places if place != ABSENT]
    return all(DYNAMIC not in tensor.shape for tensor in tensors) and node.result.element.is_float


def legal_hint(name: str) -> str | None:
    """The closest valid SSA name."""
    text = sub(r"[^0-9a-zA-Z_$.-]", "_", name).strip("_.-") or None
    return f"v{text}" if text and text[0].isdigit() else text
