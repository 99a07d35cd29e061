"""Interfaces of programs that take or return data in different orders."""

from collections.abc import Mapping

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ..dialects.notes.interfaces import interface_of
from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.shape import TransposeOp
from ..dialects.program.symbols import Symbols
from ..layout import Order, identity, invert
from .symbols import public_functions


def differing_interfaces(first: ModuleOp, second: ModuleOp) -> list[str]:
    """The arguments and results that two programs store in different orders, as their notes say, in words."""
    left, right = public_functions(first), public_functions(second)
    pairs = ([[*interface_of(each[name])] for each in (left, right)] for name in left if name in right)
    found: dict[tuple[str, str], list[str]] = {}
    # Functions with other numbers of arguments or results have nothing in common that can be stored otherwise.
    alike = (pair for pair in pairs if len(pair[0]) == len(pair[1]))
    for one, other in (both for pair in alike for both in zip(*pair, strict=True)):
        if one.permutation == other.permutation:
            continue
        for which, value in (("first", one), ("second", other)):
            if value.note is not None and value.permutation is not None:
                found.setdefault((str(value.note.layout), which), []).append(value.name)
    return [f"{', '.join(names)} stored as {layout} in the {which} program" for (layout, which), names in found.items()]


def with_stored_interface(logical: ModuleOp, stored: ModuleOp) -> ModuleOp:
    """A copy of a logical program whose public functions have the interface of the stored program."""
    module = logical.clone()
    there = public_functions(stored)
    renamed: dict[Operation, str] = {}
    for name, function in public_functions(module).items():
        if function.body.blocks and name in there and function.function_type != there[name].function_type:
            inner = function.clone()
            renamed[function] = f"{function.sym_name.data}.logical"
            inner.sym_name = StringAttr(renamed[function])
            inner.sym_visibility = StringAttr("private")
            # Attributes of the function move to the wrapper.
            inner.arg_attrs, inner.res_attrs = None, None
            inner.attributes.clear()
            Rewriter.insert_op(inner, InsertPoint.after(function))
            _store_interface(function, there[name].function_type)
            for value, stored_end in zip(interface_of(function), interface_of(there[name]), strict=True):
                value.take_note(stored_end.note)
    _redirect_calls(module, renamed)
    return module


def _redirect_calls(module: ModuleOp, renamed: Mapping[Operation, str]) -> None:
    """Redirect calls of wrapped functions to the original ones."""
    symbols = Symbols()
    for op in module.walk() if renamed else ():
        callee = symbols.lookup(op, op.callee) if isinstance(op, CallOp) else None
        if isinstance(op, CallOp) and callee is not None and callee in renamed:
            op.callee = SymbolRefAttr(renamed[callee])


def _store_interface(function: FuncOp, types: FunctionType) -> None:
    entry = function.body.blocks[0]
    for argument, type_ in zip(tuple(entry.args), types.inputs, strict=True):
        logical = argument.type
        if (order := _order(logical, type_)) is None:
            continue
        stored = Rewriter.replace_value_with_new_type(argument, type_)
        transpose = _transpose(stored, invert(order), logical)
        Rewriter.insert_op(transpose, InsertPoint.at_start(entry))
        stored.replace_uses_with_if(transpose.result, lambda use, op=transpose: use.operation is not op)
    returns = [op for block in function.body.blocks for op in block.ops if isinstance(op, ReturnOp)]
    for op in returns:
        for index, type_ in enumerate(types.outputs):
            if (order := _order(op.operands[index].type, type_)) is not None:
                transpose = _transpose(op.operands[index], order, type_)
                Rewriter.insert_op(transpose, InsertPoint.before(op))
                op.operands[index] = transpose.result
    function.function_type = types


def _order(logical: Attribute, stored: Attribute) -> Order | None:
    """The order of a tensor in the stored program; None if it is unchanged."""
    if logical == stored or not isa(stored, TensorType):
        return None
    rank = len(stored.get_shape())
    return stored.encoding.data.order_for(rank) if isinstance(stored.encoding, LayoutAttr) else identity(rank)


def _transpose(value: SSAValue, permutation: Order, type_: Attribute) -> TransposeOp:
    return TransposeOp(value, permutation, type_)
