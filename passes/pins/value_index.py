"""The names under which a plan finds the values of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...targets.toml_table import hint
from ..common.words.reasons import Names
from ..common.words.value_names import function_of, names_of_model
from .structure import structural_names


class UnknownValue(Exception):
    """A name that no value has, or several; the message is for the user."""


class ValueIndex:
    """All values of a program by their names: as printed, as in the model, and by structure."""

    def __init__(self, module: ModuleOp) -> None:
        self._functions = {function_of(result) for op in module.walk() for result in op.results}
        self._printed = Names(module).by_value()
        self._of_model: dict[SSAValue, str] = {}
        for name, value in names_of_model(module):
            # Reasons of passes are no names.
            if ": " not in name:
                self._of_model.setdefault(value, name)
        self._structure = structural_names(module)
        self._tables = [_by_name(self._printed), _by_name(self._of_model), _by_name(self._structure)]

    def name(self, value: SSAValue) -> str:
        """The most stable name of a value: in the model, as printed if it has a name of its own, by structure."""
        names = [self._of_model.get(value), self._printed[value] if value.name_hint else None]
        prefix = f"@{function_of(value)}:" if len(self._functions) > 1 else ""
        for name in filter(None, names):
            if self._named(prefix + name) == [value]:
                return prefix + name
        return self._structure[value]

    def structure(self, value: SSAValue) -> str:
        """The name of a value by structure."""
        return self._structure[value]

    def printed(self, value: SSAValue) -> str:
        """The name of a value as the program prints it."""
        return self._printed[value]

    def has_name(self, value: SSAValue, name: str) -> bool:
        """True if this is one of the names of a value."""
        return value in self._named(name)

    def find(self, name: str, structure: str | None = None) -> SSAValue:
        """The value of a name; raises `UnknownValue`.

        If the value of that name has another structure than it had, it is the one value with that structure.
        """
        named = self._named(name)
        if structure is not None and not any(self._structure[value] == structure for value in named):
            named = self._tables[-1].get(structure) or named
        if len(named) == 1:
            return named[0]
        if not named:
            raise UnknownValue(f"the program has no value '{name}'{self._hint(name)}")
        several = " or ".join(sorted(f"@{function_of(value)}:{name}" for value in named))
        raise UnknownValue(f"several functions have a '{name}': give {several}")

    def _named(self, name: str) -> list[SSAValue]:
        """The values of a name, by the first table that has it."""
        function, colon, local = name.partition(":") if name.startswith("@") else ("", "", name)
        for table, text in ((self._tables[0], f"%{local}"), *((table, local) for table in self._tables)):
            found = [value for value in table.get(text, ()) if not colon or f"@{function_of(value)}" == function]
            if found:
                return _first_of_each_function(found)
        return []

    def _hint(self, name: str) -> str:
        known = [each for table in self._tables[:-1] for each in table]
        return hint(name if name.startswith("%") else f"%{name}", known) or hint(name, known)


def _by_name(names: Mapping[SSAValue, str]) -> Mapping[str, Sequence[SSAValue]]:
    found: dict[str, list[SSAValue]] = {}
    for value, name in names.items():
        found.setdefault(name, []).append(value)
    return found


def _first_of_each_function(values: Sequence[SSAValue]) -> list[SSAValue]:
    first: dict[str, SSAValue] = {}
    for value in values:
        first.setdefault(function_of(value), value)
    return list(first.values())
