"""Every shipped program is read alike by npu-opt, by plain xdsl-opt and by a Python program."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support.source_tree import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = Path(sysconfig.get_path("scripts"))


def output(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", sorted(file.name for file in EXAMPLES.glob("*.mlir")))
def test_three_readers_print_the_same(name: str):
    program = EXAMPLES / name
    ours = output(SCRIPTS / "npu-opt", "--canonicalize", program)
    assert "npu." in ours
    assert output(SCRIPTS / "xdsl-opt", "-p", "canonicalize", program) == ours
    assert output(sys.executable, EXAMPLES / "embed.py", program) == ours
