"""Pages that are generated from the source are as new as the source, and quoted output is what the tools print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support.source_tree import ROOT


@pytest.mark.parametrize("script", ["make_ops.py", "make_target_schema.py"])
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


@pytest.mark.parametrize("page", ["README.md", "docs/placement.md"])
def test_the_reasons_on_the_pages_are_those_of_npu_opt(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(ROOT)
    quoted = re.search(r"\$ npu-opt (--layout-preset --why=.*?) -o placed.mlir\n(.*?)```", Path(page).read_text(), re.S)
    assert quoted is not None
    assert run([*quoted[1].split(), "-o", str(tmp_path / "placed.mlir")]) == 0
    assert capfd.readouterr().err == quoted[2]
