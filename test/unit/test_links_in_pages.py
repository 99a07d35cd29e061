"""Links between pages lead to a page and a heading, and the questions of a reader are answered near the README."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.console_blocks import pages
from support.source_tree import ROOT

README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MARK = re.compile(r'<a id="([\w-]+)"></a>')
QUESTION = re.compile(r"^\d+\. \*\*(.+?\?)\*\*(.*(?:\n {3}.*)*)", re.MULTILINE)


@cache
def prose(page: Path) -> str:
    """The text without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchor(heading: str) -> str:
    """The anchor that GitHub and mkdocs.yml give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of the headings, and those that a page keeps for links to a heading of another name."""
    return frozenset({*map(anchor, HEADING.findall(prose(page))), *MARK.findall(prose(page))})


def links(page: Path, text: str) -> Iterator[tuple[Path, str]]:
    """The files that a text of the page links to, each with the anchor or an empty text."""
    for target, place in LINK.findall(text):
        yield ((page.parent / target).resolve() if target else page, place)


def broken(page: Path, text: str) -> list[str]:
    return [
        f"{page.relative_to(ROOT)}: {target.relative_to(ROOT)}#{place}"
        for target, place in links(page, text)
        if not target.exists() or (place and place not in anchors(target))
    ]


@cache
def within_two_clicks() -> frozenset[Path]:
    """The files that a link of the README leads to, or one behind it that is not on the page for contributors."""
    near = {target for target, _ in links(README, prose(README))}
    through = [page for page in near if page.suffix == ".md" and page != CONTRIBUTING]
    return frozenset({README, *near, *(target for page in through for target, _ in links(page, prose(page)))})


def questions() -> list[tuple[str, str]]:
    """The questions on the page for contributors, each with its answer."""
    return QUESTION.findall(CONTRIBUTING.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [*pages(), ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_a_heading(page: Path):
    assert broken(page, prose(page)) == []


def test_there_are_ten_questions():
    assert len(dict(questions())) == len(questions()) == 10


@pytest.mark.parametrize(("question", "answer"), questions())
def test_the_question_is_answered_within_two_clicks(question: str, answer: str):
    found = [target for target, _ in links(CONTRIBUTING, answer)]
    assert found, question
    assert broken(CONTRIBUTING, answer) == []
    assert [str(target.relative_to(ROOT)) for target in found if target not in within_two_clicks()] == []


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("`--what-if`: every single change", "--what-if-every-single-change"),
        ("`[costs]` and `[transposes]`: what is minimised", "costs-and-transposes-what-is-minimised"),
        ("TOSA's own pass", "tosas-own-pass"),
        ("The [seeds](seeds.md), twice", "the-seeds-twice"),
    ],
)
def test_anchors_are_those_of_github(heading: str, expected: str):
    assert anchor(heading) == expected


def test_a_broken_link_is_found():
    text = "[a](docs/index.md#install), [b](docs/index.md#nowhere), [c](docs/none.md), [d](https://example.org/#x)"
    assert broken(README, text) == ["README.md: docs/index.md#nowhere", "README.md: docs/none.md#"]
