"""Tables with one entry per op, filled by the modules of a package.

`OpTable` is for ops of the dialect: the entry of an op is in the module of the package that has the name of the op's
family, which is imported on first access. `NameTable` is for ops of other systems, which are identified by name.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, Generic, TypeAlias, TypeVar, cast

from xdsl.ir import Operation

K = TypeVar("K", bound=Hashable)
E = TypeVar("E")
F = TypeVar("F", bound=Callable[..., Any])

OpClass: TypeAlias = type[Operation]


def family_of(op: OpClass) -> str:
    """The family of an op: the name of the module that defines it."""
    return op.__module__.rpartition(".")[2]


class _Table(Generic[K, E]):
    """Base of both kinds of tables."""

    def __init__(self, package: str):
        self._package = package
        self._entries: dict[K, E] = {}
        self._is_complete = False

    def enter(self, *keys: K) -> Callable[[F], F]:
        """Register a function for these keys, none of which has an entry yet."""

        def enter(function: F) -> F:
            for key in keys:
                if key in self._entries:
                    raise ValueError(f"two entries for {self._name(key)}: {self._entries[key]} and {function}")
                self._entries[key] = cast("E", function)
            return function

        return enter

    def enter_rest(self, keys: Iterable[K]) -> Callable[[F], F]:
        """Register a function for those of these keys that have no entry of their own."""
        return self.enter(*(key for key in dict.fromkeys(keys) if key not in self._entries))

    def __contains__(self, key: K) -> bool:
        return self._find(key) is not None

    def __iter__(self) -> Iterator[K]:
        """Iterate over all keys."""
        self._load_all()
        return iter(self._entries)

    def _find(self, key: K) -> E | None:
        if (found := self._entries.get(key)) is None:
            self._load(key)
            found = self._entries.get(key)
        return found

    def _load(self, key: K) -> None:
        """Import the module with the entry for a key, if there is one."""
        self._load_all()

    def _load_all(self) -> None:
        if self._is_complete:
            return
        for module in iter_modules(import_module(self._package).__path__):
            import_module(f"{self._package}.{module.name}")
        self._is_complete = True

    @staticmethod
    def _name(key: K) -> object:
        return key


class OpTable(_Table[OpClass, E]):
    """A table keyed by ops of the dialect."""

    def __init__(self, package: str, error_for: Callable[[str], Exception]):
        """`error_for` makes the error for the name of an op without entry."""
        super().__init__(package)
        self._error_for = error_for

    def __getitem__(self, op: OpClass) -> E:
        if (found := self._find(op)) is None:
            raise self._error_for(op.name)
        return found

    def _load(self, key: OpClass) -> None:
        module = f"{self._package}.{family_of(key)}"
        if not self._is_complete and find_spec(module) is not None:
            import_module(module)

    @staticmethod
    def _name(key: OpClass) -> str:
        return key.name


class NameTable(_Table[str, E]):
    """A table keyed by names of ops of another system."""

    def get(self, name: str) -> E | None:
        """The entry for a name, or None."""
        return self._find(name)
