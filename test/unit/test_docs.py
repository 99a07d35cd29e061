"""Pages that are generated from the source are as new as the source."""

import subprocess
import sys

from support.source_tree import ROOT


def test_the_reference_of_the_ops_is_not_stale():
    done = subprocess.run([sys.executable, ROOT / "docs" / "make_ops.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
