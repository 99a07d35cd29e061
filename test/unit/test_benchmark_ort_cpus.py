"""The benchmark of CPUs compares what ONNX Runtime computes in a process of its own with what it computes here."""

import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from models.catalogue import NETWORKS
from ort_cpus import compared, largest, outputs_on, write_outputs

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")


def test_the_same_cpu_has_the_same_outputs():
    (network,) = (each for each in NETWORKS if each.name == "espcn")
    assert compared(network, {"same": ["env"]}, 2) == {"same": [0.0, 0.0]}


def test_outputs_are_those_of_the_command(tmp_path: Path):
    """A command that writes other outputs in place of ONNX Runtime's."""
    other = [{"a:b": np.array([1.0, 2.0])}, {"a:b": np.array([3.0, 4.0])}]
    write_outputs(tmp_path / "other.npz", other)
    instead = ["sh", "-c", f"cp {shlex.quote(str(tmp_path / 'other.npz'))} {shlex.quote(str(tmp_path / 'model.npz'))}"]
    found = outputs_on(instead, tmp_path / "model.onnx", 2)
    assert [each["a:b"].tolist() for each in found] == [[1.0, 2.0], [3.0, 4.0]]
    assert largest(found[1], {"a:b": np.array([3.0, 5.0])}) == 1 / 5


def test_a_cpu_that_fails_is_no_result(tmp_path: Path):
    with pytest.raises(subprocess.CalledProcessError):
        outputs_on([sys.executable, "-c", "raise SystemExit(1)"], tmp_path / "model.onnx", 1)
