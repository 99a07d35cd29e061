"""The shapes that the checks of an op expect of its results."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar

from xdsl.ir import SSAValue

from ...compat.context import holding

Expected = dict[SSAValue, tuple[int, ...]]
_EXPECTED: ContextVar[Expected | None] = ContextVar("expected shapes", default=None)


def note_expected(value: SSAValue, shape: Sequence[int]) -> None:
    """Note the shape that a check expects of a value, if someone asks for it."""
    if (found := _EXPECTED.get()) is not None:
        found[value] = tuple(shape)


def expected_shapes() -> AbstractContextManager[Expected]:
    """Inside this, checks note the shapes that they expect."""
    return holding(_EXPECTED, {})
