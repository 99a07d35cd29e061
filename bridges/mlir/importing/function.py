"""Import of one function."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.ir import Operation as XdslOperation
from xdsl.utils.exceptions import VerifyException

from ....dialects.npu.attrs import OpaqueType
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, shape_of
from ....interpreter.elements import Array
from ..bindings import Operation, Value, ir
from .constants import dense, shaped, tensor_type
from .errors import ReadError, UnsupportedOp
from .node import ImportedOp, Operand
from .opaque import is_pure, opaque
from .places import Source, SourceNames
from .registry import READERS, Read


class FunctionReader:
    """Imports the ops of one function into a block."""

    def __init__(self, source: Source, names: SourceNames):
        self.source = source
        self.block = Block()
        self._names = names
        self._operands: dict[Value, Operand] = {}
        self._constants: list[ConstantOp] = []

    def read(self, block: Any) -> Block:
        """Import the single block of a function."""
        for argument in block.arguments:
            made = self.block.insert_arg(self.type_of(argument), len(self.block.args))
            self._names.name_argument(argument, made)
            self._enter(argument, made)
        for view in block.operations:
            self._read_op(view.operation)
        for op in self._constants:
            if op.result.first_use is None:
                op.detach()
                op.erase()
        return self.block

    def operand(self, value: Value) -> Operand | None:
        """The operand for a value, or None if it is not a tensor."""
        return self._operands.get(value)

    def type_of(self, value: Value) -> Attribute:
        """The type of a value, which must be a tensor."""
        if (found := shaped(value.type)) is None:
            at = value if isinstance(value.owner, ir.Block) else value.owner
            raise self.error(f"the npu dialect has no values of type {value.type}", at)
        return tensor_type(*found)

    def error(self, message: str, at: Operation | Value) -> ReadError:
        return ReadError(message, self.source.place(at.location))

    def add_constant(self, numbers: Array, element: Attribute, origin: Operation | None) -> SSAValue:
        """Build a constant; `origin` is the op in the module, if it has one."""
        op = ConstantOp(dense(numbers, element))
        if origin is not None:
            op.location = self._names.location(origin)
            self._names.name_results(origin, op.results)
        self._constants.append(op)
        self.block.add_op(op)
        return op.result

    def _enter(self, value: Value, ssa: SSAValue) -> None:
        self._operands[value] = Operand(self, shape_of(ssa), element_type_of(ssa), computed=ssa)

    def _read_op(self, op: Operation) -> None:
        match op.name:
            case "func.return":
                self._add(ReturnOp(*self._values(op)), op)
            case "func.call":
                callee = str(op.attributes["callee"]).removeprefix("@").strip('"')
                call = CallOp(callee, self._values(op), [self.type_of(result) for result in op.results])
                self._add(call, op)
                self._enter_results(op, call.results)
            case _:
                self._read_other(op)

    def _values(self, op: Operation) -> list[SSAValue]:
        """The SSA values of operands that must be tensors."""
        operands = [self.operand(value) for value in op.operands]
        for value, operand in zip(op.operands, operands, strict=True):
            if operand is None or operand.element is None:
                raise self.error(f"the npu dialect has no values of type {value.type}", op)
        return [operand.value for operand in operands if operand is not None]

    def _read_other(self, op: Operation) -> None:
        node = ImportedOp(self, op)
        try:
            results = self._results(node)
        except (UnsupportedOp, VerifyException):
            if self._computes_no_tensor(op):
                return
            results = self._opaque(op)
        else:
            for made in node.made:
                self._add(made, op)
        self._enter_results(op, results)

    def _results(self, node: ImportedOp) -> Sequence[Read]:
        """The results of an op from its reader; raises `UnsupportedOp` if there is none."""
        if (reader := READERS.get(node.op.name)) is None:
            raise UnsupportedOp("no equivalent op")
        operands = [self.operand(value) for value in node.op.operands]
        if None in operands:
            raise UnsupportedOp("an operand is not a tensor")
        found = [shaped(value.type) for value in (*node.op.operands, *node.op.results)]
        if any(each is not None and isinstance(each[1], OpaqueType) for each in found):
            raise UnsupportedOp("a rank is not known")
        read = reader(node, *operands)
        results = [read] if isinstance(read, SSAValue | Operand) else list(read)
        for made in node.made:
            made.verify_()
        for value, result in zip(node.op.results, results, strict=True):
            if isinstance(result, SSAValue) and shaped(value.type) != (shape_of(result), element_type_of(result)):
                raise UnsupportedOp("the result has another type")
        return results

    def _computes_no_tensor(self, op: Operation) -> bool:
        """True if an op is pure and has no tensor result, such as an index computation."""
        return len(op.results) > 0 and is_pure(op) and all(shaped(result.type) is None for result in op.results)

    def _opaque(self, op: Operation) -> Sequence[SSAValue]:
        try:
            made = opaque(ImportedOp(self, op))
        except UnsupportedOp as error:
            raise self.error(f"'{op.name}' is not supported: {error}", op) from error
        self._add(made, op)
        return made.results

    def _add(self, made: XdslOperation, op: Operation) -> None:
        made.location = self._names.location(op)
        self.block.add_op(made)

    def _enter_results(self, op: Operation, results: Sequence[Read]) -> None:
        for value, result in zip(op.results, results, strict=True):
            if isinstance(result, Operand):
                self._operands[value] = result
            else:
                self._enter(value, result)
        self._names.name_results(op, [result for result in results if isinstance(result, SSAValue)])
