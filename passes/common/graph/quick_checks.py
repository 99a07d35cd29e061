"""Checks of which a pass asks many, answered once for each class."""

from functools import lru_cache


def isinstance_cached(value: object, classes: type | tuple[type, ...]) -> bool:
    """The answer of `isinstance`, several times as quick for abstract classes."""
    return _is_subclass(type(value), classes)


@lru_cache(maxsize=1024)
def _is_subclass(kind: type, classes: type | tuple[type, ...]) -> bool:
    return issubclass(kind, classes)
