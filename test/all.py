"""The one test command: `python test/all.py` runs every check, `python test/all.py types lit` only those.

All steps run, also after one has failed. ruff and pyright use one processor only, so they run beside the tests. The
slowest tests are listed. The last line reads `N passed, N failed` and counts the tests of pytest and lit; ruff and
pyright count as one test for each run. The exit status is 1 if anything failed.
On a terminal pytest and lit write as they go; of everything else only what failed is shown.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

from support import optional_tools
from support.source_tree import NAMED, ROOT, files, package_entries

SCRIPTS = Path(sysconfig.get_path("scripts"))
LINK_FOLDER = ROOT / "build" / "typing" / "npu_opt"
SLOWEST = 20
"""The number of tests that are listed with their times."""


@dataclass(frozen=True)
class Outcome:
    """The result of one step."""

    passed: int
    failed: int
    skipped: Counter[str] = field(default_factory=Counter[str])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """The time of each test."""
    output: str = ""
    """The output of a step that failed, unless it was shown before."""
    duration: float = 0


@dataclass(frozen=True)
class Step:
    """One tool: the word that selects it, its command, and whether it writes a JUnit report."""

    word: str
    command: Callable[[Path], Sequence[str | Path]]
    reports_tests: bool = False
    environment: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """Words in front of those that the user has in a variable."""


def ruff_check(_report: Path) -> Sequence[str | Path]:
    return [SCRIPTS / "ruff", "check", "--quiet"]


def ruff_format(_report: Path) -> Sequence[str | Path]:
    return [SCRIPTS / "ruff", "format", "--check", "--quiet"]


def pyright(_report: Path) -> Sequence[str | Path]:
    link_package()
    return [SCRIPTS / "pyright", "--pythonpath", sys.executable]


def pytest(report: Path) -> Sequence[str | Path]:
    # The program, not `python -m pytest`: that puts the root on the module path, and there `layout` and
    # `tools` are importable without their package.
    return [SCRIPTS / "pytest", "--quiet", "--tb=short", "-n", "2", "--dist=loadgroup", f"--junitxml={report}"]


def lit(report: Path) -> Sequence[str | Path]:
    return [SCRIPTS / "lit", "--succinct", "--verbose", f"--xunit-xml-output={report}", ROOT / "test"]


STEPS = (
    Step("lint", ruff_check),
    Step("format", ruff_format),
    # Node looks for garbage in its new objects each time that there are so many megabytes of them.
    Step("types", pyright, environment={"NODE_OPTIONS": "--max-semi-space-size=128 --max-old-space-size=4096"}),
    Step("unit", pytest, reports_tests=True),
    Step("lit", lit, reports_tests=True),
)


def link_package() -> None:
    """A folder named `npu_opt` for pyright, since the root is the package under another name.

    Made of links, one for each entry of the package, so that new files are seen without reinstalling
    (an editable install in strict mode would resolve as well, but only files that existed when it was
    made), and so that no link leads back to a folder above it.
    """
    if LINK_FOLDER.is_symlink():
        LINK_FOLDER.unlink()
    LINK_FOLDER.mkdir(parents=True, exist_ok=True)
    entries = {NAMED.get(entry.name, entry.name): entry.name for entry in package_entries()}
    for entry in LINK_FOLDER.iterdir():
        if entry.name not in entries:
            remove(entry)
    for link in (LINK_FOLDER / name for name in entries):
        if not link.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(Path("..", "..", "..", entries[link.name]))
    for package in ("torch", "executorch"):
        stand_in_for(package)


ANYTHING = """from typing import Any, ClassVar

class _Type(type):
    def __getattr__(cls, name: str) -> Any: ...

class Anything(metaclass=_Type):
    __dataclass_fields__: ClassVar[dict[str, Any]]
    def __init__(self, *arguments: Any, **options: Any) -> None: ...
    def __call__(self, *arguments: Any, **options: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
"""
"""A class with any members, as a stub. A value of type Any would not do: as a type it is unknown."""


def stand_in_for(package: str) -> None:
    """Modules of any contents for pyright where an optional package, such as PyTorch, is not installed."""
    folder = LINK_FOLDER.parent / package
    shutil.rmtree(folder, ignore_errors=True)
    if find_spec(package) is not None:
        return
    texts = [file.read_text() for file in files(".py")]
    modules, classes = {package}, set[tuple[str, str]]()
    for text in texts:
        modules.update(re.findall(rf"(?:from|import) ({package}(?:\.\w+)*)\b", text))
        classes.update(re.findall(rf"\b({package}(?:\.[a-z_]\w*)*)\.([A-Z]\w*)", text))
        for module, names in re.findall(rf"from ({package}(?:\.\w+)*) import (\([\w,\s]+|[\w, ]+)", text):
            classes.update((module, name) for name in re.findall(r"\b[A-Z]\w*", names))
    modules.update(module for module, _ in classes)
    modules.update(module.rsplit(".", count)[0] for module in [*modules] for count in range(module.count(".") + 1))
    for module in modules:
        path = folder.parent.joinpath(*module.split("."))
        path.mkdir(parents=True, exist_ok=True)
        parts = (each.rpartition(".") for each in sorted(modules))
        lines = ["from typing import Any", f"from {package}._anything import Anything"]
        lines += [f"from . import {part} as {part}" for place, _, part in parts if place == module]
        lines += [f"class {each}(Anything): ..." for place, each in sorted(classes) if place == module]
        (path / "__init__.pyi").write_text("\n".join([*lines, "def __getattr__(name: str) -> Any: ...", ""]))
    (folder / "_anything.pyi").write_text(ANYTHING)


def remove(entry: Path) -> None:
    """Remove a link, a file or a folder. A link to a folder leaves the folder."""
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def run(step: Step, reports: Path) -> Outcome:
    """Run a step; a test step on a terminal shows its output itself."""
    start = time.monotonic()
    report = reports / f"{step.word}.xml"
    command = [str(word) for word in step.command(report)]
    if not Path(command[0]).exists():
        return Outcome(0, 1, output=f"{command[0]} is missing; install the extra [dev]")
    shows_output = step.reports_tests and sys.stdout.isatty()
    sys.stdout.flush()
    done = subprocess.run(
        command,
        cwd=ROOT,
        check=False,
        env={**os.environ, **{name: f"{words} {os.environ.get(name, '')}" for name, words in step.environment.items()}},
        stdout=None if shows_output else subprocess.PIPE,
        stderr=None if shows_output else subprocess.STDOUT,
    )
    broken = done.returncode != 0
    if not step.reports_tests:
        outcome = Outcome(int(not broken), int(broken))
    else:
        outcome = read_report(report) if report.exists() else Outcome(0, 0)
    # A step that broke off without a failing test must not pass for green.
    failed = max(outcome.failed, int(broken))
    output = done.stdout.decode(errors="replace") if broken and not shows_output else ""
    return replace(outcome, failed=failed, output=output, duration=time.monotonic() - start)


def tell(step: Step, outcome: Outcome) -> None:
    if outcome.output:
        print(outcome.output)
    print(f"== {step.word}: {outcome.passed} passed, {outcome.failed} failed, {outcome.duration:.1f} s")


def read_report(report: Path) -> Outcome:
    """Count the cases of a JUnit report."""
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    reasons = [case.find("skipped") for case in cases]
    skipped = Counter(reason.get("message", "no reason given") for reason in reasons if reason is not None)
    seconds = {f"{case.get('classname')}::{case.get('name')}": float(case.get("time", 0)) for case in cases}
    return Outcome(len(cases) - len(failed) - skipped.total(), len(failed), skipped, seconds)


def chosen_steps() -> list[Step]:
    words = [step.word for step in STEPS]
    summary, details = (__doc__ or "").split("\n\n", 1)
    parser = argparse.ArgumentParser(description=summary, epilog=details)
    parser.add_argument("step", nargs="*", help=f"any of: {', '.join(words)} (default: all)")
    asked = parser.parse_args().step or words
    if unknown := set(asked) - set(words):
        parser.error(f"unknown step: {', '.join(sorted(unknown))}; choose from {', '.join(words)}")
    return [step for step in STEPS if step.word in asked]


def main() -> int:
    os.environ["PATH"] = os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", os.defpath)])
    # The tests start some hundred processes, each of which would compile the package.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as reports:
        steps = chosen_steps()
        with ThreadPoolExecutor(1) as beside:
            checks = {step: beside.submit(run, step, Path(reports)) for step in steps if not step.reports_tests}
            for step in (step for step in steps if step.reports_tests):
                print(f"== {step.word}")
                outcomes[step.word] = run(step, Path(reports))
                tell(step, outcomes[step.word])
            for step, check in checks.items():
                outcomes[step.word] = check.result()
                tell(step, outcomes[step.word])

    print("== summary")
    print(f"   mlir-opt: {optional_tools.mlir_opt().note}")
    print(f"   MLIR bindings: {optional_tools.mlir_bindings().note}")
    print(f"   browser: {optional_tools.browser().note}")
    for word, outcome in outcomes.items():
        for reason, count in outcome.skipped.items():
            print(f"   {word}: {count} skipped: {reason}")
    seconds = {name: each for outcome in outcomes.values() for name, each in outcome.seconds.items()}
    for name in sorted(seconds, key=seconds.__getitem__, reverse=True)[:SLOWEST]:
        print(f"   {seconds[name]:6.1f} s  {name}")
    if failing := [word for word, outcome in outcomes.items() if outcome.failed]:
        print(f"   failing: {', '.join(failing)}")
    failed = sum(outcome.failed for outcome in outcomes.values())
    print(f"{sum(outcome.passed for outcome in outcomes.values())} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
