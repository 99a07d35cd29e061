"""Pages, messages and help texts are in words that everybody knows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.source_tree import ROOT, files, package_files

PHRASES = (
    r"(by|with|without|have|has|whose|no|of the|axis) (their |its )?letters",
    r"letters in any order",
    r"written[- ]out (constants?|numbers?)",
    r"writes? [\w ]+ out in the program",
    r"rare order",
    r"kept in (two|several) orders",
    r"in one order (with|alone)",
    r"in whatever order",
    r"counts? as nothing",
    r"is no order of",
    r"pip install -e '\.\[\{",
)
"""Phrases that only this project would use, as regular expressions; docs/glossary.md has the words instead."""
RETIRED = re.compile("|".join(PHRASES), re.IGNORECASE)
WITHOUT_MESSAGES = {"checkers", "dialects", "interpreter", "layout"}
"""The parts of the package whose texts are about single ops; docs/reference/ops.md has those of the ops."""


def pages() -> list[Path]:
    places = {"docs", "examples", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
    return [file for file in files(".md") if file.relative_to(ROOT).parts[0] in places]


def messages(file: Path) -> Iterator[tuple[int, str]]:
    """The texts in a file of the package, but for docstrings: those of passes are on a page."""
    tree = ast.parse(file.read_text())
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value


def phrases(text: str) -> list[str]:
    return [match[0] for match in RETIRED.finditer(" ".join(text.split()))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_have_no_private_phrase(page: Path):
    assert phrases(page.read_text()) == []


def test_messages_have_no_private_phrase():
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase}"
        for file in package_files()
        if file.relative_to(ROOT).parts[0] not in WITHOUT_MESSAGES
        for line, text in messages(file)
        for phrase in phrases(text)
    ]
    assert found == []
