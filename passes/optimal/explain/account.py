"""The cost and the bound of `layout-optimal`, for the callers of the pass."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass

from ....compat.context import holding
from ....targets import CostUnit, Target
from .pin_prices import PinPrice

OF_THOSE_TRIED = "best of the layouts tried (not a proof over all)"
"""The words for a program that reaches its bound where an order that was not tried could help."""


@dataclass(frozen=True)
class Account:
    """The cost that a run of the pass minimises, and its proved lower bound."""

    unit: CostUnit
    bound: int | None
    """None if not all forms of the ops were tried."""
    is_proved: bool
    """True if the pass reached the bound."""
    has_every_order: bool
    """True if no byte order that was not tried could help."""
    target: Target
    """The target whose costs count if the unit is `target`, and whose groups if it is `traffic`."""
    assumed_size: int
    """The assumed size of an unknown dimension."""
    text: str
    """The cost that is left and what is proved, in words."""
    is_printed: bool
    """True if the pass has printed this: what is not proved is never left unsaid."""
    pins: Sequence[PinPrice] = ()
    """The pins of the program, with their prices."""


_ACCOUNTS: ContextVar[list[Account] | None] = ContextVar("accounts", default=None)


def collected_accounts() -> AbstractContextManager[list[Account]]:
    """A list to which each run of the pass inside this context appends its account."""
    return holding(_ACCOUNTS, [])


def add_account(account: Account) -> None:
    """Append to the list of the context, if there is one."""
    found = _ACCOUNTS.get()
    if found is not None:
        found.append(account)
