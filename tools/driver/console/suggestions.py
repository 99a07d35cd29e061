"""Suggestions for mistyped words."""

from __future__ import annotations

from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """` (did you mean 'that'?)` for the nearest known word, or another hint, or nothing."""
    # Imported late: only errors need it.
    from difflib import get_close_matches

    words = [each for each in known if each]
    longer = [each for each in words if word and each.startswith(word)]
    close = longer if len(longer) == 1 else get_close_matches(word, words, n=1)
    hint = f"did you mean '{close[0]}'?" if close else otherwise
    return f" ({hint})" if hint else ""
