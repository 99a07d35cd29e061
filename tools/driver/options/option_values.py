"""Checks of the options of passes and output formats, with errors in words."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, ParameterListType, ParameterType

from ..console.suggestions import suggestion


class OptionError(ValueError):
    """A wrong option, described without the name of its pass."""


def with_checked_options(spec: ArgSpec, type_: type[ArgSpecConvertible]) -> ArgSpec:
    """The options with values of the right types; raises `OptionError`."""
    fields = [field for field in dataclasses.fields(type_) if field.name != "name" and field.init]
    types = get_type_hints(type_)
    known = {field.name: types[field.name] for field in fields}
    checked: dict[str, ParameterListType] = {}
    for key, given in spec.parameters.items():
        name = key.replace("-", "_")
        if name not in known:
            raise OptionError(f"no option '{key}'{suggestion(key, map(option_name, known))}")
        if name in checked:
            raise OptionError(f"option {option_name(name)} is given twice")
        checked[name] = _checked(option_name(name), given, known[name])
    required = type_.required_fields() & known.keys()
    if missing := [option_name(field.name) for field in fields if field.name in required - checked.keys()]:
        raise OptionError(f"option {missing[0]} is required")
    return ArgSpec(spec.name, checked)


def with_spaces(text: str, type_: type[ArgSpecConvertible]) -> str:
    """Options with a space for each comma or semicolon that is followed by an option of the same pass or format."""
    fields = [field for field in dataclasses.fields(type_) if field.name != "name" and field.init]
    types = get_type_hints(type_)
    flags = [option_name(field.name) for field in fields if bool in _alternatives(types[field.name])]
    valued, alone = ("|".join([*map(re.escape, names), r"(?!)"]) for names in (_names(fields), flags))
    separator = re.compile(rf"[,;]\s*(?=(?:{valued})=|(?:{alone})(?:[\s,;]|$))")
    quoted = re.split(r'("[^"]*")', text)
    return "".join(part if place % 2 else separator.sub(" ", part) for place, part in enumerate(quoted))


def _names(fields: Iterable[dataclasses.Field[Any]]) -> list[str]:
    """The names of options, which may have dashes or underscores."""
    return [name for field in fields for name in {field.name, option_name(field.name)}]


def option_name(field: str) -> str:
    """The name of an option on the command line."""
    return field.replace("_", "-")


def type_text(type_: Any) -> str:
    """The type of an option, for lists of options."""
    if get_origin(type_) is Literal:
        return "|".join(filter(None, get_args(type_)))
    kinds = _alternatives(type_)
    if len(kinds) > 1:
        return "|".join(type_text(kind) for kind in kinds)
    if get_origin(type_) is tuple:
        return f"{type_text(get_args(type_)[0])},..."
    return "none" if type_ is NoneType else getattr(type_, "__name__", str(type_))


def _checked(name: str, given: ParameterListType, type_: Any) -> ParameterListType:
    kinds = _alternatives(type_)
    # `all-regions` is short for `all-regions=true`.
    if not given and NoneType not in kinds and bool in kinds:
        return (True,)
    for kind in kinds:
        if (found := _converted(given, kind)) is not None:
            return found
    found_text = f"'{','.join(map(_text, given))}'" if given else "nothing"
    choices = [str(choice) for kind in kinds if get_origin(kind) is Literal for choice in get_args(kind)]
    hint = suggestion(_text(given[0]), choices) if len(given) == 1 else ""
    expected = _or(text for kind in kinds if kind is not NoneType for text in _expected(kind))
    raise OptionError(f"option {name}: expected {expected}, found {found_text}{hint}")


def _alternatives(type_: Any) -> Sequence[Any]:
    return get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)


def _converted(given: ParameterListType, kind: Any) -> ParameterListType | None:
    """The values as this type, or None if they are of another one."""
    if kind is NoneType:
        return None if given else given
    if get_origin(kind) is tuple:
        element = get_args(kind)[0]
        parts = [_converted((value,), element) for value in given]
        return None if None in parts else tuple(value for part in parts if part for value in part)
    if len(given) != 1:
        return None
    (value,) = given
    if get_origin(kind) is Literal:
        return next(((choice,) for choice in get_args(kind) if _text(choice) == _text(value)), None)
    if kind is str:
        return (_text(value),)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return (float(value),)
    # In Python a bool is an int.
    return given if type(value) is kind else None


def _expected(kind: Any) -> Iterable[str]:
    if get_origin(kind) is Literal:
        return [str(choice) for choice in get_args(kind) if choice != ""]
    if get_origin(kind) is tuple:
        return ["values separated by commas"]
    return {bool: ["true", "false"], int: ["an integer"], float: ["a number"], str: ["a text"]}.get(kind, [str(kind)])


def _or(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _text(value: ParameterType) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
