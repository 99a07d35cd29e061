"""Names of files and of values: a terminal obeys none of their characters, and no message is made of them."""

import os
import shlex
import subprocess
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from npu_opt.compat.terminal import Messages, one_line, printable, with_orders
from support.generators.made_models import convolution

ONNX: Any = import_module("onnx")
SCRIPTS = Path(sysconfig.get_path("scripts"))
RED, TITLE = "\x1b[31m", "\x1b]0;title\x07"
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = npu.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
NAMES = {
    "escape": f"a{RED}{TITLE}.mlir",
    "line": "a\nproved: b.mlir",
    "eight bits": "a\x9b31m.mlir",
    "no text": os.fsdecode(b"a\xff.mlir"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name in NAMES.values():
        Path(name).write_text(PROGRAM)
    Path("in.mlir").write_text(PROGRAM)
    Path("other.mlir").write_text(PROGRAM.replace("relu", "sigmoid"))
    Path("wrong.mlir").write_text("wrong")


def ran(command: list[str], scripts: Path = SCRIPTS) -> str:
    """The text that a command prints, whatever its exit code."""
    arguments = [scripts / command[0], *command[1:]]
    done = subprocess.run(arguments, capture_output=True, timeout=600)
    found = done.stdout.decode(errors="surrogateescape") + done.stderr.decode(errors="surrogateescape")
    assert "Traceback" not in found
    assert "internal error" not in found
    return found


@pytest.mark.xdist_group("warm programs")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "command",
    [
        "npu-check NAME NAME",
        "npu-check NAME other.mlir",
        "npu-check other.mlir NAME --numeric",
        "npu-check NAME missing.mlir",
        "npu-opt NAME --no-such-flag=NAME",
        "npu-opt missing-NAME",
        "npu-opt NAME --stats --remarks --report-times -o out.mlir",
        "npu-opt in.mlir -o missing/NAME",
        "npu-opt NAME --layout-optimal=target=NAME",
        "npu-opt NAME --check-target=NAME",
        "npu-opt in.mlir --layout-optimal=target=opu --plan=NAME",
        "npu-run NAME --engine=numpy",
        "npu-run in.mlir --engine=numpy --compare NAME",
        "npu-run NAME --engine=NAME",
        "npu-run in.mlir --function=NAME",
    ],
)
def test_names_of_files(command: str, name: str, warm_scripts: Path):
    found = ran([part.replace("NAME", NAMES[name]) for part in command.split()], warm_scripts)
    assert found == printable(found)
    assert not any(line.startswith("proved: b") for line in found.splitlines())


def test_names_of_a_model():
    model = convolution()
    model.graph.node[0].name = f"first{RED}"
    model.graph.node[0].output[0] = model.graph.node[1].input[0] = f"value{RED}"
    ONNX.save(model, f"model{RED}.onnx")
    for command in (
        "npu-opt MODEL --layout-optimal=target=opu --remarks=all --why=value --stats --interface=free -o out.mlir",
        "npu-opt MODEL --layout-optimal=target=opu --expect-transposes=0 --report-times -o out.mlir",
        "npu-opt MODEL --fuse-ops-hw=target=opu --why-not-fused -o out.onnx",
        "npu-check MODEL out.mlir --numeric",
    ):
        found = ran(shlex.split(command.replace("MODEL", shlex.quote(f"model{RED}.onnx"))))
        assert found == printable(found)


def test_programs_have_colours_of_their_own():
    descriptor = os.memfd_create("messages")
    stream = Messages(descriptor, "utf-8")
    print(f"{RED}name", file=stream)
    print(f"{RED}colour", file=with_orders(stream))
    os.lseek(descriptor, 0, os.SEEK_SET)
    assert os.read(descriptor, 100).decode() == f"\N{REPLACEMENT CHARACTER}[31mname\n{RED}colour\n"
    os.close(descriptor)


def test_tabs_and_lines_of_texts_stay():
    assert printable("a\tb\nc\rd") == "a\tb\nc\N{REPLACEMENT CHARACTER}d"
    assert one_line("a\tb\nc") == "a\tb\N{REPLACEMENT CHARACTER}c"
