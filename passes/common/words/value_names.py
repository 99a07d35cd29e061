"""Values by the names that users know: those that are printed, and those of an ONNX model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.views import places_of
from .reasons import Names

_QUOTED = re.compile(r"(?:argument )?(%[^\s]+(?: \(relabelled\))?)(?: \S+)?")
"""A value or op as reasons quote it: `argument %x`, `%conv conv2d`, `%x (relabelled) relabel`."""


def values_of(module: ModuleOp, names: Names, wanted: str) -> list[SSAValue]:
    """The values of a name, at most one in each function, by the first of these rules that finds some.

    The name is one that the program or a reason prints, with or without `%`; that of a value in an ONNX model; or that
    of a node in it, which stands for its first output.
    """
    quoted = _QUOTED.fullmatch(wanted)
    name = quoted[1] if quoted else wanted
    printed = name if name.startswith("%") else f"%{name}"
    if found := names.named(printed) or _relabelled(module, names, printed):
        return _one_each(found)
    if found := [value for known, value in names_of_model(module) if known == wanted]:
        return _one_each(found)
    # ONNX exporters end names in a number, which MLIR leaves out of the names of values.
    hint = legal_name(name)
    return _one_each(names.named(f"%{hint}") or names.named(f"%{re.sub(r'_[0-9]+$', '', hint)}"))


def legal_name(name: str) -> str:
    """The name that a value of an ONNX model has in the program."""
    text = re.sub(r"[^0-9a-zA-Z_$.-]", "_", name).strip("_.-")
    return f"v{text}" if text[:1].isdigit() else text


def function_of(value: SSAValue) -> str:
    """The name of the function that a value is in."""
    op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    while op is not None and not isinstance(op, FuncOp):
        op = op.parent_op()
    return op.sym_name.data if op is not None else ""


def _one_each(values: Iterable[SSAValue]) -> list[SSAValue]:
    first: dict[str, SSAValue] = {}
    for value in values:
        first.setdefault(function_of(value), value)
    return list(first.values())


def _relabelled(module: ModuleOp, names: Names, printed: str) -> list[SSAValue]:
    """The values that have no name of their own, such as relabels that are inserted where layouts are inferred."""
    if not printed.endswith(")"):
        return []
    return [result for op in module.walk() for result in op.results if names.of(result) == printed]


def names_of_model(module: ModuleOp) -> Iterator[tuple[str, SSAValue]]:
    """The names of nodes, arguments and results in an ONNX or LiteRT model, with their values."""
    for op in module.walk():
        if isinstance(op, FuncOp) and op.body.blocks:
            yield from _of_interface(op)
        elif op.results:
            places = places_of(op.location)
            yield from ((place.desc.data, op.results[0]) for place in places if isinstance(place, NameLoc))


def _of_interface(function: FuncOp) -> Iterator[tuple[str, SSAValue]]:
    """The names of the arguments and results of a function."""
    returned = function.body.blocks[-1].last_op
    arguments = function.body.block.args if len(function.body.blocks) == 1 else ()
    yield from _named(arguments, function.arg_attrs)
    if isinstance(returned, ReturnOp):
        yield from _named(returned.operands, function.res_attrs)


def _named(values: Iterable[SSAValue], attributes: ArrayAttr[DictionaryAttr] | None) -> Iterator[tuple[str, SSAValue]]:
    for value, each in zip(values, attributes or (), strict=False):
        name = each.data.get("onnx.name")
        if isinstance(name, StringAttr):
            yield name.data, value
