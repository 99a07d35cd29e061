"""Sizes that a user fixes in a program, whose ops say what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, BlockArgument
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ....bridges.fixed_sizes import Dim, FixedSizes, WrongSizes
from ....bridges.functions import main_function
from ....compat.xdsl import retype
from ....dialects.npu.refined_sizes import refine_results
from ....dialects.npu.values import order_of_value, shape_of
from ....layout import DYNAMIC
from ....text.diagnostics import Report, ReportedError

DIMS = "onnx.dims"


def fix_sizes(module: ModuleOp, fixed: FixedSizes, name: str) -> None:
    """Fix sizes of the arguments of @main, and all that follow from them; raises `ReportedError`."""
    try:
        function = main_function(module)
        if any(isinstance(op, CallOp) for op in function.walk()) and fixed:
            raise WrongSizes("--size and --shape fix the sizes of one function, and this one calls another")
        _fix(function, fixed)
    except (WrongSizes, VerifyException, DiagnosticException) as error:
        raise ReportedError(Report(str(error), name)) from error


def _fix(function: FuncOp, fixed: FixedSizes) -> None:
    notes = [each.data for each in function.arg_attrs or ()] or [{} for _ in function.args]
    names = [_name(argument, each.get("onnx.name")) for argument, each in zip(function.args, notes, strict=True)]
    dims = [_dims(argument, each.get(DIMS)) for argument, each in zip(function.args, notes, strict=True)]
    settled = fixed.settled(dict(zip(names, dims, strict=True)))
    for argument, name, given in zip(function.args, names, dims, strict=True):
        sizes = settled.shape_of(name, given) or given
        typed = cast("TensorType[Attribute]", argument.type)
        shape = [size if isinstance(size, int) else DYNAMIC for size in sizes]
        retype(argument, TensorType(typed.element_type, shape, typed.encoding))
    for op in function.body.block.ops:
        refine_results(op)
    returned = function.get_return_op()
    assert returned is not None
    results = [value.type for value in returned.operands]
    function.properties["function_type"] = FunctionType.from_lists([each.type for each in function.args], results)
    function.arg_attrs = _with_known_dims(function.arg_attrs, [each.type for each in function.args])
    function.res_attrs = _with_known_dims(function.res_attrs, results)


def _name(argument: BlockArgument, noted: Attribute | None) -> str:
    return noted.data if isinstance(noted, StringAttr) else argument.name_hint or str(argument.index)


def _dims(argument: BlockArgument, noted: Attribute | None) -> Sequence[Dim]:
    """The sizes as they are stored, with their names if the order is that of the names."""
    if not isinstance(argument.type, TensorType):
        return []
    sizes: list[Dim] = [None if size == DYNAMIC else size for size in shape_of(argument)]
    names = cast("ArrayAttr[Attribute]", noted).data if isinstance(noted, ArrayAttr) else ()
    if len(names) == len(sizes) and [*order_of_value(argument)] == [*range(len(sizes))]:
        named = [each.data if isinstance(each, StringAttr) else "" for each in names]
        return [name or None if size is None else size for name, size in zip(named, sizes, strict=True)]
    return sizes


def _with_known_dims(
    notes: ArrayAttr[DictionaryAttr] | None, types: Sequence[Attribute]
) -> ArrayAttr[DictionaryAttr] | None:
    """The notes of arguments or results, without names of sizes that are known."""
    if notes is None:
        return None
    return ArrayAttr(
        _without_names(each, type_) if DIMS in each.data else each for each, type_ in zip(notes, types, strict=True)
    )


def _without_names(notes: DictionaryAttr, type_: Attribute) -> DictionaryAttr:
    rest = {key: value for key, value in notes.data.items() if key != DIMS}
    noted = notes.data[DIMS]
    if not isinstance(type_, TensorType) or not isinstance(noted, ArrayAttr):
        return notes
    names, sizes = cast("ArrayAttr[Attribute]", noted).data, type_.get_shape()
    if DYNAMIC not in sizes:
        return DictionaryAttr(rest)
    dims = [name if size == DYNAMIC else IntegerAttr(size, i64) for name, size in zip(names, sizes, strict=True)]
    return DictionaryAttr({**rest, DIMS: ArrayAttr(dims)})
