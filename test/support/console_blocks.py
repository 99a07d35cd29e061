"""The console blocks of the pages: commands, and the output that a page shows below each.

In a block with lines that begin with `$ ` these are commands, and the lines between are what they print; a line `...`
is any number of lines, and `...` in a line any text, such as digits that another processor computes otherwise. In any
other block each line is a command. A command without output on the page may print anything. A comment on the line
before a block says that it is not run, or only in the long run, and why.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from .source_tree import ROOT

PROMPT = "$ "
BLOCK = re.compile(
    r"^(?: *<!-- (?P<mark>not run|long run): (?P<reason>[^\n]+) -->\n)?(?P<indent> *)```console\n(?P<lines>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Command:
    """A command, and the output that the page shows, if any."""

    text: str
    output: str | None

    @property
    def fails(self) -> bool:
        """True if the page shows an error, unless another command prints the exit code."""
        output = self.output or ""
        return " error: " in output and "exit code" not in output

    def prints(self, text: str) -> bool:
        """True if the text is the output on the page."""
        if self.output is None:
            return True
        return re.fullmatch("".join(map(_pattern, self.output.splitlines())), text) is not None


def _pattern(line: str) -> str:
    return "(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n"


@dataclass(frozen=True)
class Block:
    """A block, with the line of its first command."""

    line: int
    mark: str
    reason: str
    commands: tuple[Command, ...]


def pages() -> list[Path]:
    """The pages that may have commands."""
    folders = (ROOT / "docs", ROOT / "examples")
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *chain(*(sorted(each.rglob("*.md")) for each in folders))]


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text()
    return [_block(match, text[: match.start("lines")].count("\n") + 1) for match in BLOCK.finditer(text)]


def _block(match: re.Match[str], line: int) -> Block:
    indent = match["indent"]
    lines = [text.removeprefix(indent) for text in match["lines"].splitlines()]
    return Block(line, match["mark"] or "", match["reason"] or "", tuple(_commands(lines)))


def _commands(lines: list[str]) -> Iterator[Command]:
    if not any(line.startswith(PROMPT) for line in lines):
        yield from (Command(line, None) for line in "\n".join(lines).replace("\\\n", "").splitlines())
        return
    text = "".join(f"{line}\n" for line in lines).replace("\\\n", "")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Command(command, output or None)
