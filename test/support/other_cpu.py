"""The programs of npu-opt on another CPU, if NPU_OPT_CPU has a command that runs a program on one.

    NPU_OPT_CPU="qemu-x86_64 -cpu Nehalem" pytest test/unit/test_docs_commands.py -k check.md

QEMU's user mode emulates the instructions of a CPU, so that BLAS and ONNX Runtime choose its kernels, whose sums have
other last digits.
"""

import os
import shlex
import sys
from pathlib import Path

COMMAND = os.environ.get("NPU_OPT_CPU", "")


def programs(scripts: Path, folder: Path) -> Path:
    """A folder with a program for each of the scripts of npu-opt, which runs it on the other CPU."""
    for script in scripts.glob("npu-*"):
        program = folder / script.name
        program.write_text(f'#!/bin/sh\nexec {COMMAND} {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
        program.chmod(0o755)
    return folder
