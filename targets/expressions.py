"""Reading the small expressions of a target file, token by token, with the column of each mistake."""

import re
from typing import NamedTuple

MOST_TOKENS = 200
"""A longer text is no condition or price that somebody would write."""
MOST_CHARACTERS = 100
"""The length of the longest word or number."""

_TOKEN = re.compile(
    r"(?P<sizes>\d+(?:x\d+)+)|(?P<number>\d+(?:\.\d+)?)|(?P<word>[^\W\d]\w*(?:\.\w+)?)|(?P<sign>[=!<>]=|[<>()\[\],%+])",
    re.ASCII,
)
_BLANK = re.compile(r"\s*")


class ExpressionError(ValueError):
    """A mistake in an expression."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")


class Token(NamedTuple):
    """A part of an expression; the last one is empty, of kind `end`."""

    kind: str
    text: str
    column: int

    @property
    def found(self) -> str:
        return f"found '{self.text}'" if self.text else "found the end"

    def error(self, message: str) -> ExpressionError:
        return ExpressionError(message, self.column)


class Reader:
    """The tokens of an expression, one after the other."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._place = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._place]

    def take(self) -> Token:
        token = self.next
        self._place += token.kind != "end"
        return token

    def take_if(self, *texts: str) -> Token | None:
        """The next token if it is one of these."""
        return self.take() if self.next.text in texts and self.next.text else None

    def follows(self, *texts: str) -> bool:
        """True if the next tokens are these."""
        found = self._tokens[self._place : self._place + len(texts)]
        return tuple(token.text for token in found) == texts

    def skip(self, *texts: str) -> bool:
        """True if the next tokens were these; they are taken then."""
        if not self.follows(*texts):
            return False
        self._place += len(texts)
        return True

    def expect(self, text: str) -> None:
        if not self.skip(text):
            raise self.next.error(f"expected '{text}', {self.next.found}")

    def expect_end(self, expected: str) -> None:
        if self.next.kind != "end":
            raise self.next.error(f"expected {expected}, {self.next.found}")


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    place = _skipped(text, 0)
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ExpressionError(f"unexpected '{text[place]}'", place + 1)
        if len(tokens) == MOST_TOKENS:
            raise ExpressionError(f"too long: at most {MOST_TOKENS} words", place + 1)
        if len(match[0]) > MOST_CHARACTERS:
            raise ExpressionError(f"too long: at most {MOST_CHARACTERS} characters in a word", place + 1)
        tokens.append(Token(match.lastgroup or "", match[0], place + 1))
        place = _skipped(text, match.end())
    return [*tokens, Token("end", "", len(text) + 1)]


def _skipped(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place
