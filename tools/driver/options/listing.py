"""`--list-passes` and `--list-targets`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpecConvertible

from ....passes import PASS_TABLE
from .option_values import option_name, type_text

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


def target_list() -> Iterator[str]:
    """The built-in hardware targets."""
    # Imported late: only passes with a target need the loader.
    from .... import targets

    for name in sorted(targets.available()):
        target = targets.load(name)
        yield f"{target.name} - {target.description}"


def target_names() -> list[str]:
    """The names of the built-in hardware targets."""
    # Imported late: only passes with a target need the loader.
    from .... import targets

    return sorted(targets.available())


def own_pass_list(passes: PassFactories) -> Iterator[str]:
    """The npu passes, each with its options, and the number of others."""
    yield "npu passes:"
    for name in sorted(passes.keys() & PASS_TABLE.keys()):
        yield from _pass_lines(name, passes[name]())
    yield f"{len(passes.keys() - PASS_TABLE.keys())} passes of xDSL are listed as well by: npu-opt --list-passes=all"


def pass_list(passes: PassFactories) -> Iterator[str]:
    """The npu passes, then those of other packages, each with its options."""
    *own, _ = own_pass_list(passes)
    yield from own
    yield "xDSL passes:"
    for name in sorted(passes.keys() - PASS_TABLE.keys()):
        yield from _pass_lines(name, passes[name]())


def pass_options(type_: type[ArgSpecConvertible]) -> Iterator[str]:
    """`name: type = default` for each option of a pass or an output format."""
    types = get_type_hints(type_)
    for field in fields(type_):
        if field.name != "name" and field.init:
            yield option_text(field, types[field.name])


def option_text(field: Field[Any], type_: Any) -> str:
    """`name: type = default`; an empty default is left out."""
    text = f"{option_name(field.name)}: {type_text(type_)}"
    if field.default in (MISSING, ""):
        return text
    default = field.default
    return f"{text} = {default if isinstance(default, str) else str(default).lower()}"


def _pass_lines(name: str, pass_type: type[ModulePass]) -> Iterator[str]:
    summary = _summary(pass_type)
    yield f"  {name} - {summary}" if summary else f"  {name}"
    for option in pass_options(pass_type):
        yield f"      {option}"


def _summary(pass_type: type[ModulePass]) -> str:
    """The first paragraph of the docstring in one line."""
    return " ".join(docstring(pass_type).split("\n\n")[0].split())


def docstring(pass_type: type[ModulePass]) -> str:
    """The docstring of a pass, unless it is the generated one of a dataclass."""
    doc = inspect.cleandoc(pass_type.__doc__ or "")
    return "" if doc.startswith(f"{pass_type.__name__}(") else doc
