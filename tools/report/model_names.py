"""The names that ops and values have in the model that a program comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, DictionaryAttr, FusedLoc, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ...passes.common.words.reasons import Names

_QUOTED = re.compile(r"%[\w$.-]*[\w$]")
"""The name of a value as reasons quote it."""
_TEXT = re.compile("'([^']*)'")
SCOPES = "pkg.torch.onnx.name_scopes"
"""The metadata of a node with its scopes: `['', 'layers.0', 'layers.0.q', 'linear']`."""


def names_in_location(op: Operation) -> Iterator[str]:
    """The names in the location of an op, outer ones first."""
    waiting: list[Attribute] = [op.location]
    while waiting:
        match waiting.pop():
            case NameLoc(desc=text, location=inner):
                yield text.data
                waiting.append(inner)
            case CallSiteLoc(callee=callee, caller=caller):
                waiting += [caller, callee]
            case FusedLoc(locations=parts):
                waiting += reversed(list(cast("ArrayAttr[Attribute]", parts)))
            case _:
                pass


def model_name(op: Operation) -> str:
    """The name of the node of the model that an op comes from."""
    return next((name for name in names_in_location(op) if ": " not in name), "")


def model_scopes(module: ModuleOp) -> dict[str, str]:
    """The scopes of the nodes of a model by their names, such as `layers.0/q` for the `layers.0.q` of PyTorch."""
    found: dict[str, str] = {}
    nodes = module.attributes.get("onnx.nodes")
    for node in cast("Iterable[DictionaryAttr]", nodes if isinstance(nodes, ArrayAttr) else ()):
        notes = node.data
        pairs = cast("Iterable[Iterable[StringAttr]]", notes.get("metadata", ()))
        scopes = {key.data: value.data for key, value in pairs}.get(SCOPES, "")
        # The first one is the whole model, and the last one the node.
        outer, parts = "", list[str]()
        for scope in _TEXT.findall(scopes)[1:-1]:
            parts.append(scope.removeprefix(f"{outer}."))
            outer = scope
        found[cast("StringAttr", notes["name"]).data] = "/".join(filter(None, parts))
    return found


def name_in_model(notes: DictionaryAttr) -> str:
    """The name in the model of an argument or result with these notes."""
    name = notes.data.get("onnx.name")
    return name.data if isinstance(name, StringAttr) else ""


def model_names(module: ModuleOp, names: Names) -> dict[str, str]:
    """The names of values as printed, with those of the nodes and inputs of the model."""
    found: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, FuncOp) and op.body.blocks and op.arg_attrs is not None:
            given = [*map(name_in_model, op.arg_attrs)]
            found |= {names.of(value): name for value, name in zip(op.args, given, strict=True) if name}
        elif name := model_name(op) if op.results else "":
            found |= {names.of(result): name for result in op.results}
    return found


def with_model_names(text: str, known: Mapping[str, str]) -> str:
    """A text that quotes values by the names that they have in the model."""
    return _QUOTED.sub(lambda match: known.get(match[0], match[0]), text)
