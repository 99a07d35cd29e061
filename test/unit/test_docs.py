"""Pages that are generated from the source are as new as the source, and the site has no broken link."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from npu_opt.equivalence.notes import NOTES
from npu_opt.passes.layout_optimal import LayoutOptimal
from support import optional_tools
from support.source_tree import ROOT

GENERATORS = ("make_figures.py", "make_pictures.py", "make_reference.py")
MOST_PAGES = 20
MOST_WORDS = 35_000
"""Of the pages that people read: those in docs/ itself. Those for looking up and the results are in folders."""


@pytest.mark.parametrize("script", GENERATORS)
def test_what_is_generated_is_not_stale(script: str):
    done = subprocess.run([sys.executable, ROOT / "docs" / script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


HISTORY = (
    r"no longer",
    r"any ?more",
    r"used to (be|have|take)",
    r"formerly|recently|nowadays",
    r"until now",
    r"(earlier|older) (version|release)s? of npu-opt",
    r"older (runs?|rows?)",
    r"last (measurement|runs)",
    r"measured again",
    r"miss(es|ed)? (its|the|this|an) aims?",
    r"the aim is",
    r"than (it was|before)",
    r"(is|are|been|were) corrected",
)
"""Phrases that tell how something was, how often it was measured, or which aim was missed."""


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.stem
)
def test_no_page_has_history(page: Path):
    """CHANGELOG.md has it."""
    phrases = re.compile(rf"\b({'|'.join(HISTORY)})\b", re.IGNORECASE)
    prose = " ".join(re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL).split())
    assert [prose[max(found.start() - 40, 0) : found.end() + 40] for found in phrases.finditer(prose)] == []


def test_the_page_on_placement_names_every_cost():
    page = (ROOT / "docs" / "placement.md").read_text().partition("## `--layout-optimal`")[2].partition("\n## ")[0]
    choices = get_args(get_type_hints(LayoutOptimal)["cost"])
    assert "prices" in choices
    assert {f"cost={choice}" for choice in choices} <= {*re.findall(r"`(cost=\w+)`", page)}


def test_pages_are_few_and_short():
    words = {page.name: len(page.read_text().split()) for page in (ROOT / "docs").glob("*.md")}
    assert len(words) <= MOST_PAGES, sorted(words)
    assert sum(words.values()) <= MOST_WORDS, words


def test_the_page_on_what_is_compared_names_every_attribute_that_is_not():
    ignored = (ROOT / "docs" / "reference" / "compared.md").read_text().partition("## Ignored")[2].partition("\n## ")[0]
    assert NOTES - {*re.findall(r"`([\w.]+)`", ignored)} == set()


def test_the_site_is_built_without_a_warning(tmp_path: Path):
    """Every page is in the navigation, and every link and anchor leads somewhere."""
    if (mkdocs := optional_tools.mkdocs()).location is None:
        pytest.skip(mkdocs.note)
    done = subprocess.run(
        [mkdocs.location, "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "source" / "examples" / "own_chip" / "chip.toml.txt").exists()


def test_every_table_between_markers_is_written_by_a_benchmark_that_names_its_page():
    """A marker is a string of that benchmark, or of a module of its folder that it imports."""
    folder = ROOT / "benchmarks"
    texts = {script.stem: script.read_text() for script in folder.glob("*.py")}
    whole = {
        name: "".join((text, *(texts.get(each, "") for each in re.findall(r"^from (\w+) import", text, re.MULTILINE))))
        for name, text in texts.items()
    }
    for page in sorted((ROOT / "docs").rglob("*.md")):
        named = [name for name, text in texts.items() if f"--page {page.relative_to(ROOT)}" in text]
        for marker in re.findall(r"^<!-- end of (.*) -->$", page.read_text(), re.MULTILINE):
            begin = f'"{marker.split()[0]} {{'
            assert any(f'"{marker}"' in whole[name] or begin in whole[name] for name in named), (page.name, marker)
