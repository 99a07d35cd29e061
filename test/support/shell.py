"""Commands of pages and messages, as a shell runs them."""

import os
import subprocess
import sysconfig


def in_shell(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with the programs of this environment."""
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
