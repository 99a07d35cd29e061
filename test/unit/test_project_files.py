"""Files about the project name what exists: citation, templates of issues, hooks of pre-commit, steps of a release."""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from support.source_tree import ROOT

SCRIPTS = Path(sysconfig.get_path("scripts"))
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))


def read_yaml(file: Path) -> Any:
    yaml: Any = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[dev]'")
    return yaml.safe_load(file.read_text())


def test_the_citation_is_of_this_version():
    about = read_yaml(ROOT / "CITATION.cff")
    assert about["version"] == npu_opt.__version__
    assert {"cff-version", "message", "title", "authors", "license"} <= {*about}


def test_the_licence_is_that_of_the_metadata():
    text = (ROOT / "LICENSE").read_text()
    assert 'license = "Apache-2.0 WITH LLVM-exception"' in (ROOT / "pyproject.toml").read_text()
    assert "Apache License\n" in text
    assert "LLVM Exceptions to the Apache 2.0 License" in text


def hooks() -> list[Any]:
    (repository,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    return repository["hooks"]


def test_hooks_accept_the_source():
    """Hooks of a push are tests, which run anyway."""
    before_commits = [hook for hook in hooks() if "stages" not in hook]
    assert [hook["id"] for hook in before_commits] == ["ruff-check", "ruff-format"]
    for hook in before_commits:
        program, *arguments = shlex.split(hook["entry"])
        checks = ["--check"] if "format" in arguments else []
        done = subprocess.run([SCRIPTS / program, *arguments, *checks, ROOT / "version.py"], cwd=ROOT, check=False)
        assert done.returncode == 0, hook["id"]
    files = [word for hook in hooks() for word in shlex.split(hook["entry"]) if word.endswith(".py")]
    assert files
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.stem)
def test_templates_name_files_and_commands_that_exist(file: Path):
    head, _, text = file.read_text().removeprefix("---\n").partition("---\n")
    assert re.findall(r"^(\w+):", head, re.MULTILINE) == ["name", "about", "labels"]
    assert [page for page in re.findall(r"docs/\w+\.md", text) if not (ROOT / page).exists()] == []
    commands = set(re.findall(r"\bnpu-[a-z]+\b", text))
    assert [command for command in commands if not (SCRIPTS / command).exists()] == []
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text.replace("<!--", "").replace("-->", "")))
    documented = (ROOT / "docs" / "reference" / "commands.md").read_text()
    assert [flag for flag in flags if f"`{flag}" not in documented] == []


def test_a_release_runs_what_exists():
    text = (ROOT / "RELEASING.md").read_text()
    named = set(re.findall(r"(?:\.ci|docs|test)/[\w/]+(?:\.py)?", text)) - {"docs/index"}
    assert {".ci/run", ".ci/wheel", "docs/make_reference.py"} <= named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_ci_names_pages_that_exist():
    named = set(re.findall(r"\w+\.md", (ROOT / ".ci" / "run").read_text()))
    assert named
    assert named <= {page.name for page in (ROOT / "docs").glob("*.md")}
