"""The attributes without meaning for the result of a program. docs/reference/compared.md has the same list."""

from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..dialects.notes.calls import CALLS
from ..dialects.notes.interfaces import NOTE
from ..dialects.notes.node_kinds import KIND, ONNX_KIND
from ..dialects.notes.states import STATE
from ..dialects.notes.ties import TIE
from ..dialects.notes.value_pins import PIN

NOTES = frozenset(
    {
        # The number of ops in an opaque op.
        "npu.hidden",
        # Groups of ops.
        "npu.group",
        "npu.primitive",
        # The order of an argument or result: it counts as its interface.
        NOTE,
        # Arguments and results of one order, and how often a function is called.
        TIE,
        CALLS,
        # State that is read and written in place.
        STATE,
        # The layout that a user has chosen for a value.
        PIN,
        # The kind of node as which an op is written into a LiteRT or ONNX model.
        KIND,
        ONNX_KIND,
        # Texts of a LiteRT model.
        "litert.description",
        "litert.graph",
        "litert.metadata",
        "litert.signature",
        "litert.signatures",
        "litert.tensor",
        # Names and texts of an ONNX model. Arguments and results are identified by position.
        "onnx.dims",
        "onnx.doc",
        "onnx.domain",
        "onnx.graph",
        "onnx.graph_doc",
        "onnx.graph_metadata",
        "onnx.ir_version",
        "onnx.metadata",
        "onnx.model_version",
        "onnx.name",
        "onnx.nodes",
        "onnx.producer",
        # Meaningful only for ops that are kept as ONNX ops.
        "onnx.opsets",
        "onnx.type",
    }
)

Meaningful = tuple[tuple[str, Attribute], ...]


def meaningful(attributes: Mapping[str, Attribute]) -> Meaningful:
    """The attributes that may have a meaning, sorted by name."""
    if not attributes:
        return ()
    return tuple(sorted((name, value) for name, value in attributes.items() if name not in NOTES))


def of_function(function: FuncOp) -> dict[str, Attribute]:
    """The attributes of a function, its arguments and its results that may have a meaning, keyed by their owner."""
    found = {name: value for name, value in meaningful(function.attributes)}
    visibility = function.sym_visibility
    if visibility is not None and visibility.data not in ("public", "private"):
        found["sym_visibility"] = visibility
    for what, given in (("argument", function.arg_attrs), ("result", function.res_attrs)):
        for index, each in enumerate(given or ArrayAttr[DictionaryAttr](())):
            found.update({f"{name} of {what} {index}": value for name, value in meaningful(each.data)})
    return found


def difference(left: Mapping[str, Attribute], right: Mapping[str, Attribute]) -> str | None:
    """The first attribute that differs."""
    for name in (*left, *right):
        if (one := left.get(name)) != (other := right.get(name)):
            both = f"{_text(one)} in the first program and {_text(other)} in the second"
            return f"the attribute {name} is {both}"
    return None


def _text(attribute: Attribute | None) -> str:
    return "missing" if attribute is None else str(attribute)
