"""Values by the names that users know: those that are printed, and those of an ONNX model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.npu.views import places_of
from ...passes.common.reasons import Names

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
    if found := list(_of_model(module, wanted)):
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


def _of_model(module: ModuleOp, name: str) -> Iterator[SSAValue]:
    for op in module.walk():
        if isinstance(op, FuncOp) and op.body.blocks:
            yield from _interface(op, name)
        elif op.results and any(
            isinstance(place, NameLoc) and place.desc.data == name for place in places_of(op.location)
        ):
            yield op.results[0]


def _interface(function: FuncOp, name: str) -> Iterator[SSAValue]:
    """The arguments and results of a function that an ONNX model gives this name."""
    returned = function.body.blocks[-1].last_op
    ends = zip(
        function.body.block.args if len(function.body.blocks) == 1 else (), function.arg_attrs or (), strict=False
    )
    yield from (value for value, attributes in ends if _onnx_name(attributes) == name)
    if isinstance(returned, ReturnOp):
        ends = zip(returned.operands, function.res_attrs or (), strict=False)
        yield from (value for value, attributes in ends if _onnx_name(attributes) == name)


def _onnx_name(attributes: Attribute) -> str | None:
    name = attributes.data.get("onnx.name") if isinstance(attributes, DictionaryAttr) else None
    return name.data if isinstance(name, StringAttr) else None
