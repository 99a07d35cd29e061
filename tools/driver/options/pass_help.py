"""`--help PASS`: the docstring of a pass, and its options."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator
from textwrap import indent
from typing import Any, get_type_hints

from xdsl.passes import ModulePass

from .listing import docstring, option_text


def pass_help(name: str, pass_type: type[ModulePass]) -> Iterator[str]:
    """The lines about a pass."""
    fields = [field for field in dataclasses.fields(pass_type) if field.name != "name" and field.init]
    yield f'usage: npu-opt --{name}="OPTIONS" [input_file]' if fields else f"usage: npu-opt --{name} [input_file]"
    if doc := docstring(pass_type):
        yield ""
        yield doc
    if not fields:
        return
    types, docs = get_type_hints(pass_type), field_docs(pass_type)
    yield ""
    yield "options:"
    for field in fields:
        yield f"  {option_text(field, types[field.name])}"
        if field.name in docs:
            yield indent(docs[field.name], "      ")


def field_docs(cls: type[Any]) -> dict[str, str]:
    """The docstrings under the fields of a class and its superclasses."""
    found: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        try:
            source = inspect.getsource(owner)
        except (OSError, TypeError):
            continue
        (definition,) = ast.parse(inspect.cleandoc(source) if source[0].isspace() else source).body
        if isinstance(definition, ast.ClassDef):
            found.update(_documented(definition))
    return found


def _documented(definition: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                yield name, inspect.cleandoc(doc)
            case _:
                pass
