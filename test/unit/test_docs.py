"""Pages that are generated from the source are as new as the source, and the site has no broken link."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools.opt import run
from support import optional_tools
from support.source_tree import ROOT

GENERATORS = ("make_figures.py", "make_pictures.py", "make_reference.py")


@pytest.mark.parametrize("script", GENERATORS)
def test_what_is_generated_is_not_stale(script: str):
    done = subprocess.run([sys.executable, ROOT / "docs" / script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_picture_of_the_readme_is_drawn_by_npu_opt(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(ROOT)
    text = Path("README.md").read_text()
    (picture,) = re.findall(
        r"```mermaid\n(.*?)```\n`npu-opt (.*?)` has drawn this", text.replace("```\n\n", "```\n"), re.S
    )
    assert run(picture[1].split()) == 0
    assert capfd.readouterr().out == picture[0]


def test_the_page_on_placement_names_every_cost():
    page = (ROOT / "docs" / "placement.md").read_text().partition("## `--layout-optimal`")[2].partition("\n## ")[0]
    choices = get_args(get_type_hints(LayoutOptimal)["cost"])
    assert "prices" in choices
    assert {f"cost={choice}" for choice in choices} <= {*re.findall(r"`(cost=\w+)`", page)}


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
def test_no_page_of_the_site_loads_anything_from_a_network(site: Path):
    """Diagrams are the exception: the theme loads the program that draws them."""
    loads = re.compile(r"<(?:script|img|iframe)\b[^>]*\bsrc=\"?https?:|<link\b[^>]*rel=\"?stylesheet[^>]*https?:")
    assert [page.name for page in site.rglob("*.html") if loads.search(page.read_text())] == []


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


def row(page: str, table: str, first: str) -> list[str]:
    """The first word of each cell of a row in the table behind this mark."""
    text = (ROOT / "docs" / page).read_text().partition(f"<!-- {table} -->")[2]
    found = re.search(rf"^\| {re.escape(first)} \|(.*)\|$", text, re.MULTILINE)
    assert found is not None
    return [(cell.split() or [""])[0] for cell in found[1].split("|")]


def test_the_comparison_has_the_figures_of_the_tables():
    text = " ".join((ROOT / "docs" / "comparison.md").read_text().split())
    came, ours, runtime, onnxsim, onnxslim, *_ = row("results/quality.md", "onnx files", "**together**")
    quickest, slowest = (float(row("results/quality.md", "onnx files", name)[-1]) for name in ("cswin_t", "biformer_t"))
    names = ("**geometric mean / onnx2tf**", "segformer_b0")
    mean, segformer = (float(row("results/litert.md", "litert run times", name)[4]) for name in names)
    assert f"{runtime} Transposes behind it, {ours} behind npu-opt and {came} as they came" in text
    assert f"of {came} Transposes onnxsim leaves {onnxsim}, onnxslim {onnxslim}" in text
    assert f"up to {quickest:.2f} times as fast (cswin_t) and down to {slowest:.2f} (biformer_t" in text
    assert f"take {mean:.2f} of the run time of onnx2tf's in the geometric mean" in text
    assert f"{segformer:.2f} on segformer_b0" in text
    assert f"takes {segformer:.2f} of the time of the file" in (ROOT / "docs" / "why.md").read_text()
