"""xDSL's lexer with one regular expression for the most frequent tokens."""

from __future__ import annotations

import re
from typing import cast

from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRToken, MLIRTokenKind

from ..compat.xdsl import LinearStringLexer

# Quantifiers are possessive (`++`, `*+`) to avoid backtracking over blanks. The one around the branches is not: Python
# 3.11.2 would go on within a comment that ends the text.
_TOKEN = re.compile(
    r"""
    (?:[ \t\r\n]++|//[^\n]*+\n)*
    (?:
      ([:,()}\[\]<>=?*]|->|\{(?!-\#))
    | (%(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))
    | ([a-zA-Z_][a-zA-Z0-9_$.]*)
    | ([1-9][0-9]*+(?!\.))
    | (\#(?:[0-9]+|[a-zA-Z$._][a-zA-Z0-9$._-]*))
    )
    """,
    re.VERBOSE,
)
"""Matches a subset of tokens, each exactly as xDSL's lexer does."""

_KINDS = (
    None,
    None,  # Punctuation: see KIND_BY_PUNCTUATION_SPELLING.
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.HASH_IDENT,
)
"""Kinds by group of `_TOKEN`."""


class _TextToken(Token[MLIRTokenKind, str]):
    """A token that stores its text in a slot instead of computing it in a property."""

    __slots__ = ("text",)

    def __init__(self, kind: MLIRTokenKind, span: Span[str], text: str) -> None:
        self.kind = kind
        self.span = span
        self.text = text  # pyright: ignore[reportAttributeAccessIssue, reportIncompatibleMethodOverride]  # See the docstring.


class NpuLexer(LinearStringLexer):
    """Lexes names, integers and punctuation with one match; other tokens are left to xDSL."""

    def lex(self) -> MLIRToken:
        content = self.input.content
        match = _TOKEN.match(content, self.pos)
        if match is None:
            return super().lex()
        group = cast(int, match.lastindex)
        text = match[group]
        self.pos = end = match.end()
        kind = _KINDS[group] or KIND_BY_PUNCTUATION_SPELLING[text]
        return _TextToken(kind, Span(end - len(text), end, self.input), text)
