"""The package as its users get it: sdist, then wheel, then an environment that has never seen the source.

The repository root is the package, which makes a few mistakes easy that an editable install hides: a
sub-package that `packages` forgets, a data file that stays behind, a module that is imported twice.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from support import optional_tools
from support.source_tree import NAMED, NOT_IN_PACKAGE, ROOT, dotted, package_entries, package_files, package_folders

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TOOLS_OF_TESTS = ("filecheck", "lit", "xdsl")

pytestmark = pytest.mark.xdist_group("packaging")  # The build is slow: one worker makes it, once.


def test_packages_are_those_of_the_tree():
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(map(dotted, package_folders()))


def test_every_folder_of_the_package_is_a_package():
    assert [folder for folder in package_folders() if not (folder / "__init__.py").exists()] == []


def test_pyright_reads_every_file_once():
    """The package is read through links under its name, not as folders of the root as well."""
    links = "build/typing/npu_opt"
    parts = [NAMED.get(entry.name, entry.name) for entry in package_entries() if entry.is_dir()]
    beside = NOT_IN_PACKAGE - {"build", "dist"}
    assert sorted(PROJECT["tool"]["pyright"]["include"]) == sorted(
        [*beside, links, *(f"{links}/{part}" for part in parts)]
    )


@pytest.mark.parametrize("name", ["conftest.py", "setup.py"])
def test_nothing_in_the_root_makes_pytest_import_the_package_twice(name: str):
    assert not (ROOT / name).exists()


def test_version_is_written_in_one_place():
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "npu_opt.version.__version__"}


def test_requirements():
    project = PROJECT["project"]
    assert project["requires-python"] == ">=3.11"
    assert "xdsl==0.74.*" in project["dependencies"]
    assert [name.split(">")[0].split("=")[0] for name in project["dependencies"]] == [
        "xdsl",
        "numpy",
        "scipy",
        "rich",
    ]
    assert sorted(project["optional-dependencies"]) == [
        "benchmarks",
        "completion",
        "dev",
        "docs",
        "gui",
        "litert",
        "mlir",
        "onnx",
        "report",
        "torch",
    ]


@dataclass(frozen=True)
class Installed:
    """A wheel built from the sdist, in an environment of its own, and the unpacked sdist."""

    python: Path
    sdist: Path

    @property
    def scripts(self) -> Path:
        return self.python.parent

    def run(self, *command: str | Path, folder: Path | None = None) -> str:
        """Run from a folder or the unpacked sdist; the output of a failing command is the test's message."""
        done = subprocess.run(
            [str(word) for word in command], cwd=folder or self.sdist, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("packaging")
    # A copy, since building writes into the tree, and without what earlier builds left there.
    tree, archives = folder / "tree", folder / "archives"
    unwanted = (".git", ".lit", ".venv*", ".*cache", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*unwanted))
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", archives, tree)

    (wheel,) = archives.glob("*.whl")
    (sdist,) = archives.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        # The first releases of Python 3.11 have no filters, and newer ones warn without one.
        filters: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(folder / "sdist", **filters)
    (unpacked,) = (folder / "sdist").iterdir()
    return Installed(environment_with(wheel, folder / "environment"), unpacked)


def environment_with(wheel: Path, folder: Path) -> Path:
    """A fresh environment with the wheel; it borrows everything else, so nothing is downloaded.

    A path in a `.pth` file makes the modules there importable without running the `.pth` files beside
    them, so an editable npu-opt of the borrowed environment stays out of sight.
    """
    call(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    call(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (site_packages / "borrowed.pth").write_text("\n".join(borrowed))
    for tool in TOOLS_OF_TESTS:
        for entry in metadata.distribution(tool).entry_points.select(group="console_scripts"):
            script = python.parent / entry.name
            script.write_text(f"#!{python}\nimport {entry.module} as tool\nraise SystemExit(tool.{entry.attr}())")
            script.chmod(0o755)
    return python


def call(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def place_of(file: Path) -> Path:
    """The place of a module beside other packages."""
    whole = Path(*dotted(file).split("."))
    return whole / "__init__.py" if file.name == "__init__.py" else whole.with_suffix(".py")


def test_wheel_holds_every_module(installed: Installed):
    (home,) = installed.python.parent.parent.glob("lib/python*/site-packages/npu_opt")
    assert [file for file in package_files() if not (home.parent / place_of(file)).exists()] == []


def test_every_module_of_the_wheel_can_be_imported(installed: Installed):
    for tool in (optional_tools.onnx(), optional_tools.mlir_bindings(), optional_tools.torch()):
        if tool.location is None:
            pytest.skip(tool.note)
    modules = sorted(map(dotted, package_files()))
    if find_spec("executorch") is None:
        modules.remove("npu_opt.api.executorch_pass")  # No extra installs ExecuTorch.
    imports = "import importlib, sys\nfor name in sys.argv[1:]: print(importlib.import_module(name).__file__)"
    files = installed.run(installed.python, "-W", "error", "-c", imports, *modules).splitlines()
    home = installed.python.parent.parent
    assert [file for file in files if not Path(file).is_relative_to(home)] == []
    assert len(files) == len(modules)


def package_data() -> Sequence[str]:
    targets = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("targets/*.toml"))
    return ["py.typed", *targets]


def test_wheel_holds_the_data_files(installed: Installed):
    (home,) = installed.python.parent.parent.glob("lib/python*/site-packages/npu_opt")
    assert [name for name in package_data() if not (home / name).exists()] == []


def test_wheel_leaves_the_tests_behind(installed: Installed):
    (home,) = installed.python.parent.parent.glob("lib/python*/site-packages/npu_opt")
    assert {entry.name for entry in home.iterdir()} & (NOT_IN_PACKAGE | {"pyproject.toml"}) == set()


def test_version_of_the_wheel(installed: Installed):
    code = "from importlib.metadata import version; print(version('npu-opt'))"
    assert installed.run(installed.python, "-c", code).strip() == npu_opt.__version__


def test_console_script_says_its_version(installed: Installed):
    assert npu_opt.__version__ in installed.run(installed.scripts / "npu-opt", "--version")


def test_the_installation_places_a_model_on_every_target(
    installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for tool in (optional_tools.onnx(), optional_tools.litert()):
        if tool.location is None:
            pytest.skip(tool.note)
    call(sys.executable, ROOT / "examples" / "onnx" / "write_model.py", tmp_path / "model.onnx")
    # The report finds Graphviz, a program without an entry point, as it finds one of the system.
    monkeypatch.setenv("PATH", os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]))
    script = ROOT / "test" / "support" / "try_installation.py"
    said = installed.run(installed.python, "-W", "error", script, "model.onnx", folder=tmp_path)
    names = sorted(file.stem for file in (ROOT / "targets").glob("*.toml"))
    assert said.splitlines()[-1] == " ".join(["targets:", *names])


def test_xdsl_sees_the_dialect_and_the_passes(installed: Installed):
    code = (
        "from xdsl.universe import Universe; from npu_opt.passes import get_all_passes; "
        "seen = Universe.get_multiverse(); print(seen.all_dialects['npu']().name); "
        "assert set(get_all_passes()) <= set(seen.all_passes)"
    )
    assert installed.run(installed.python, "-c", code).strip() == "npu"


def test_sdist_holds_every_test(installed: Installed):
    written = {str(file.relative_to(ROOT)) for file in (ROOT / "test").rglob("*") if file.is_file()}
    packed = {str(file.relative_to(installed.sdist)) for file in (installed.sdist / "test").rglob("*")}
    assert {name for name in written if not name.endswith(".pyc")} <= packed


def test_lit_passes_from_the_unpacked_sdist(installed: Installed):
    # One file of each folder: that all are packed is shown above, and that all pass is lit's own step.
    lit_files = [file for pattern in ("*.mlir", "*.test") for file in installed.sdist.glob(f"test/**/{pattern}")]
    first_of_folder = {file.parent: file for file in sorted(lit_files, reverse=True) if "Inputs" not in file.parts}
    assert first_of_folder
    installed.run(installed.scripts / "lit", "--succinct", "--verbose", *first_of_folder.values())
