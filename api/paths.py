"""Paths as arguments of the Python functions."""

import os
from typing import TypeAlias, cast

StrPath: TypeAlias = str | os.PathLike[str]


def path_text(path: object) -> str | None:
    """A path as text, or None for other things."""
    if isinstance(path, str):
        return path
    return os.fspath(cast("os.PathLike[str]", path)) if isinstance(path, os.PathLike) else None
