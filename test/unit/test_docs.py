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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site. Every page is in the navigation, and every link and anchor leads somewhere."""
    if (mkdocs := optional_tools.mkdocs()).location is None:
        pytest.skip(mkdocs.note)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [mkdocs.location, "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    return folder


@pytest.mark.xdist_group("site")
def test_the_site_has_the_files_that_pages_name(site: Path):
    assert (site / "source" / "examples" / "own_chip" / "chip.toml.txt").exists()


@pytest.mark.xdist_group("site")
def test_flags_are_on_one_line_in_the_site(site: Path):
    flags = re.findall(r"<code[^>]*>(?=--interface=free</code>)", (site / "results/index.html").read_text())
    assert {*flags} == {'<code class="flag">'}
    assert ".flag { white-space: nowrap; }" in (site / "site/site.css").read_text()


@pytest.mark.xdist_group("site")
def test_no_page_of_the_site_loads_anything_from_a_network(site: Path):
    """The theme would load a program that draws diagrams of mermaid."""
    loads = re.compile(
        r"<(?:script|img|iframe)\b[^>]*\bsrc=\"?(?:https?:|//)|<link\b[^>]*rel=\"?stylesheet[^>]*https?:"
        r"|@import|class=\"?[^\">]*\bmermaid\b"
    )
    assert [page.name for page in site.rglob("*.html") if loads.search(page.read_text())] == []


@pytest.mark.xdist_group("site")
def test_diagrams_are_drawn(site: Path):
    """Each with its nodes and edges, also where a line has several of them."""
    for name in ("architecture", "results/seeds"):
        page = (ROOT / f"docs/{name}.md").read_text()
        charts = re.findall(r"^```mermaid\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        drawn = re.findall(r'<div class="diagram">(.*?)</div>', (site / f"{name}.html").read_text(), re.DOTALL)
        assert len(drawn) == len(charts) > 1
        for chart, svg in zip(charts, drawn, strict=True):
            lines = [line for line in chart.splitlines() if not line.strip().startswith(("classDef", "linkStyle"))]
            edges = [line for line in lines if re.search(r"--|\.-", line)]
            assert svg.count('class="edge') == len(edges) + sum(line.count(" & ") for line in edges)
            assert svg.count('class="cluster') == chart.count("subgraph ")
            for text in re.findall(r'(?<=[(\[ ])"([^"<#]+)', "\n".join(lines)):
                assert f">{text.strip()}<" in svg.replace("> ", ">"), text


@pytest.mark.xdist_group("site")
@pytest.mark.skipif(optional_tools.browser().location is None, reason=optional_tools.browser().note)
def test_the_search_of_the_site_works_from_disk(site: Path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium refuses to run as root with its sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=optional_tools.browser().location, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto((site / "reference" / "ops.html").as_uri())
        page.get_by_role("textbox", name="Search").click()
        page.keyboard.type("prefill")
        page.locator('.md-search-result__link[href*="decode.html"]').first.click()
        page.wait_for_url("**/decode.html*")
        browser.close()


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
