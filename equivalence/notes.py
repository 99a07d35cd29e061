"""The attributes that say nothing about what a program computes. docs/check.md has the same list."""

from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

NOTES = frozenset(
    {
        # How ops were grouped.
        "npu.group",
        "npu.primitive",
        # The names that an ONNX model had. Arguments and results are known by their places.
        "onnx.dims",
        "onnx.graph",
        "onnx.ir_version",
        "onnx.name",
        # Counts for the ops that are kept as ONNX has them, and there only.
        "onnx.opsets",
    }
)

Telling = tuple[tuple[str, Attribute], ...]


def telling(attributes: Mapping[str, Attribute]) -> Telling:
    """The attributes that may mean something, in the order of their names."""
    if not attributes:
        return ()
    return tuple(sorted((name, value) for name, value in attributes.items() if name not in NOTES))


def of_function(function: FuncOp) -> dict[str, Attribute]:
    """The attributes of a function, its arguments and its results that may mean something, by what they are said of."""
    found = {name: value for name, value in telling(function.attributes)}
    visibility = function.sym_visibility
    if visibility is not None and visibility.data not in ("public", "private"):
        found["sym_visibility"] = visibility
    for what, given in (("argument", function.arg_attrs), ("result", function.res_attrs)):
        for index, each in enumerate(given or ArrayAttr[DictionaryAttr](())):
            found.update({f"{name} of {what} {index}": value for name, value in telling(each.data)})
    return found


def difference(left: Mapping[str, Attribute], right: Mapping[str, Attribute]) -> str | None:
    """The first attribute that is not the same in both."""
    for name in (*left, *right):
        if (one := left.get(name)) != (other := right.get(name)):
            both = f"{_text(one)} in the first program and {_text(other)} in the second"
            return f"the attribute {name} is {both}"
    return None


def _text(attribute: Attribute | None) -> str:
    return "missing" if attribute is None else str(attribute)
