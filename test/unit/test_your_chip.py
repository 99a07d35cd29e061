"""The chip of docs/your_chip.md is the one in examples/, and what the page says of its variants is true."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from npu_opt.tools import opt
from support.source_tree import ROOT

PAGE = (ROOT / "docs" / "your_chip.md").read_text()
CHIP = (ROOT / "examples" / "own_chip" / "chip.toml").read_text()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(command: str, capfd: pytest.CaptureFixture[str]) -> str:
    opt.run(shlex.split(command)[1:])
    return "".join(capfd.readouterr())


def test_the_target_on_the_page_is_the_example():
    parts = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    assert "\n".join(parts) == CHIP[CHIP.index("name =") :]
    lines = [line for line in CHIP.splitlines() if line and not line.startswith("#")]
    assert len(lines) <= 20


def test_a_wrong_name(capfd: pytest.CaptureFixture[str]):
    Path("examples/own_chip/chip.toml").write_text(CHIP.replace("max_pool =", "maxpool ="))
    (said,) = re.findall(r"`(chip.toml:.*error: .*)`", PAGE)
    assert printed("npu-opt --check-target examples/own_chip/chip.toml", capfd) == f"examples/own_chip/{said}\n"


def test_without_absorption(capfd: pytest.CaptureFixture[str]):
    (more,) = map(int, re.findall(r"without `absorbs` (\d+) bytes more", PAGE))
    travel: list[int] = []
    for text in (CHIP, re.sub("load = .*", 'load = { runs = ["concat"] }', CHIP)):
        Path("examples/own_chip/chip.toml").write_text(text)
        folder = "examples/own_chip"
        passes = "--layout-optimal --fuse-ops-hw=dump=groups"
        command = f"npu-opt --target={folder}/chip.toml {folder}/chip_network.mlir {passes}"
        travel += map(int, re.findall(r"bytes that travel: (\d+)", printed(command, capfd)))
    assert travel == [travel[0], travel[0] + more]
