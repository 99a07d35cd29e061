"""Import of the text of an MLIR module: `read_module`."""

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Region

from ..bindings import Operation, Type, ir
from ..verbatim import to_xdsl
from .constants import shaped, tensor_type
from .errors import ReadError
from .function import FunctionReader
from .places import Source, SourceNames

_OF_FUNCTION = frozenset({"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"})


def read_module(text: str, file: str, first_line: int = 0) -> ModuleOp:
    """Import a text, which is a file or its part from a line on. Raises `ReadError`."""
    source = Source(text, file, first_line)
    with ir.Context(), ir.Location.unknown():
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError as error:
            raise _parse_error(error, source) from error
        return _read(module.operation, source)


def _parse_error(error: Any, source: Source) -> ReadError:
    """The error of MLIR's parser or verifier."""
    if not error.error_diagnostics:
        return ReadError(str(error))
    first = error.error_diagnostics[0]
    return ReadError(str(first.message), source.place(first.location))


def _read(module: Operation, source: Source) -> ModuleOp:
    names = SourceNames(source)
    functions: list[FuncOp] = []
    for view in module.regions[0].blocks[0].operations:
        op = view.operation
        if op.name != "func.func":
            raise ReadError(
                f"'{op.name}' is not supported: expected only functions in a module", source.place(op.location)
            )
        functions.append(_function(op, source, names))
    return ModuleOp(functions, {name: to_xdsl(module.attributes[name]) for name in module.attributes})


def _function(op: Operation, source: Source, names: SourceNames) -> FuncOp:
    blocks = list(op.regions[0].blocks)
    if len(blocks) > 1:
        raise ReadError(f"{len(blocks)} blocks: branches are not supported", source.place(op.location))
    reader = FunctionReader(source, names)
    region = Region(reader.read(blocks[0])) if blocks else Region()
    type = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
    made = FuncOp(
        ir.StringAttr(op.attributes["sym_name"]).value,
        ([_type(each, op, source) for each in type.inputs], [_type(each, op, source) for each in type.results]),
        region,
        StringAttr(ir.StringAttr(op.attributes["sym_visibility"]).value) if "sym_visibility" in op.attributes else None,
        arg_attrs=_each("arg_attrs", op),
        res_attrs=_each("res_attrs", op),
    )
    made.attributes.update({name: to_xdsl(op.attributes[name]) for name in op.attributes if name not in _OF_FUNCTION})
    made.location = names.location(op)
    return made


def _type(type: Type, op: Operation, source: Source) -> Attribute:
    if (found := shaped(type)) is None:
        raise ReadError(f"the npu dialect has no values of type {type}", source.place(op.location))
    return tensor_type(*found)


def _each(name: str, op: Operation) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of each argument or result."""
    if name not in op.attributes:
        return None
    found = [ir.DictAttr(each) for each in ir.ArrayAttr(op.attributes[name])]
    return ArrayAttr(DictionaryAttr({one.name: to_xdsl(one.attr) for one in each}) for each in found)
