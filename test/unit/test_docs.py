"""Pages that are generated from the source are as new as the source, and the site has no broken link."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support import optional_tools
from support.source_tree import ROOT

GENERATORS = ("make_figures.py", "make_ops.py", "make_pictures.py", "make_reference.py", "make_target_schema.py")


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
    assert (tmp_path / "source" / "examples" / "chip.toml.txt").exists()
