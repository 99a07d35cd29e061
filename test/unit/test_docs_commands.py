"""Every command on the pages runs, and prints what its page says."""

import os
import re
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support import optional_tools, other_cpu
from support.campaign import LONG
from support.console_blocks import Block, Command, blocks_of, pages
from support.source_tree import ROOT

pytestmark = pytest.mark.xdist_group("warm programs")

SCRIPTS = Path(sysconfig.get_path("scripts"))
PAGES = {str(page.relative_to(ROOT)): blocks_of(page) for page in pages()}
WITH_COMMANDS = [page for page, blocks in PAGES.items() if any(not block.mark for block in blocks)]
IN_LONG_RUN = [page for page, blocks in PAGES.items() if any(block.mark == "long run" for block in blocks)]
NOT_RUN = {page: count for page, blocks in PAGES.items() if (count := sum(block.mark == "not run" for block in blocks))}
TOOLS: Mapping[str, Callable[[], optional_tools.Tool]] = {
    "README.md": optional_tools.litert,
    "docs/chips.md": optional_tools.litert,
    "docs/index.md": optional_tools.litert,
    "docs/litert.md": optional_tools.litert,
    "docs/onnx.md": optional_tools.litert,
    "docs/pytorch.md": optional_tools.torch,
    "docs/pipelines.md": optional_tools.mlir_bindings,
    "examples/litert/README.md": optional_tools.litert,
    "examples/pytorch/README.md": optional_tools.torch,
}
"""An extra that a page needs beside [onnx]."""
INSTALLATION = re.compile(r"python3 -m venv \.venv && \. \.venv/bin/activate|pip install -q -e '?\.(?:\[(.*)\])?'?")


@pytest.fixture(scope="module")
def programs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs of npu-opt."""
    if other_cpu.COMMAND:
        return other_cpu.programs(SCRIPTS, tmp_path_factory.mktemp("programs"))
    return request.getfixturevalue("warm_scripts")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory, programs: Path) -> Path:
    """A folder with the models of the quick start and the target of docs/reference/targets.md."""
    folder = linked(tmp_path_factory.mktemp("models"))
    targets = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "reference" / "targets.md").read_text(), re.DOTALL)
    (folder / "chips").mkdir()
    (folder / "chips" / "mychip.toml").write_text(targets[0])
    for command in models_of_the_quick_start():
        assert run(command, folder, programs).returncode == 0
    return folder


@pytest.fixture
def clone(tmp_path: Path, models: Path) -> Path:
    """A folder like a clone, with these files."""
    shutil.copytree(models, tmp_path, symlinks=True, dirs_exist_ok=True)
    return tmp_path


def linked(folder: Path) -> Path:
    for name in ("benchmarks", "checkers", "docs", "examples", "targets"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def models_of_the_quick_start() -> list[Command]:
    (block,) = (block for block in PAGES["docs/index.md"] if block.commands[0].text.startswith("cp "))
    return list(block.commands)


def run(command: Command, folder: Path, programs: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(programs), str(SCRIPTS), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env={**os.environ, "PATH": path, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def skip_without_extras(page: str) -> None:
    for tool in (optional_tools.onnx(), TOOLS.get(page, optional_tools.onnx)()):
        if tool.location is None:
            pytest.skip(tool.note)


def check(page: str, block: Block, folder: Path, programs: Path) -> None:
    for command in block.commands:
        if INSTALLATION.fullmatch(command.text):
            continue
        done = run(command, folder, programs)
        place = f"{page}:{block.line}: {command.text}\n{done.stdout}"
        assert command.prints(done.stdout), place
        assert bool(done.returncode) == command.fails, place


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_print_what_the_page_says(page: str, clone: Path, programs: Path):
    skip_without_extras(page)
    for block in PAGES[page]:
        if not block.mark:
            check(page, block, clone, programs)


@pytest.mark.skipif(not LONG, reason="NPU_OPT_FUZZ=long runs the slow commands")
@pytest.mark.parametrize("page", IN_LONG_RUN)
def test_slow_commands_print_what_the_page_says(page: str, clone: Path, programs: Path):
    skip_without_extras(page)
    for block in PAGES[page]:
        if block.mark != "not run":
            check(page, block, clone, programs)


@pytest.mark.parametrize(
    "page", ["assign.md", "ci.md", "pipelines.md", "pytorch.md", "reference/dialect.md", "reference/targets.md"]
)
def test_python_on_the_pages_runs(page: str, clone: Path, monkeypatch: pytest.MonkeyPatch):
    """docs/python.md is run by test_api.py."""
    skip_without_extras(f"docs/{page}")
    monkeypatch.chdir(clone)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    exec(compile("\n".join(blocks), page, "exec"), {})


def test_the_target_of_the_tutorial_is_the_example():
    (block,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "why.md").read_text(), re.DOTALL)
    assert (ROOT / "examples" / "own_chip" / "flex.toml").read_text().endswith(f"\n\n{block}")


def test_few_commands_are_not_run():
    """Commands that need another tool, or hours, or are run by other tests."""
    assert NOT_RUN == {
        "README.md": 1,
        "CONTRIBUTING.md": 1,
        "docs/results/litert.md": 3,
        "docs/why.md": 1,
    }


def test_no_block_is_missed():
    found = {str(page.relative_to(ROOT)): page.read_text().count("```console") for page in pages()}
    assert {page: len(blocks) for page, blocks in PAGES.items()} == found


def test_extras_on_the_pages_exist():
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    commands = (command for blocks in PAGES.values() for block in blocks for command in block.commands)
    installed = [found[1] for command in commands if (found := INSTALLATION.fullmatch(command.text))]
    assert installed
    assert {extra for extras in installed if extras for extra in extras.split(",")} <= set(known)


def test_every_block_says_its_language():
    languages = {
        page: re.findall(r"^ *```(\w*).*\n(?:.*\n)*?^ *```$", page.read_text(), re.MULTILINE) for page in pages()
    }
    assert [str(page.relative_to(ROOT)) for page, found in languages.items() if "" in found] == []
