"""The benchmark of proofs of LiteRT files proves one, and its table says what is wrong."""

from pathlib import Path

import pytest
from litert_proofs import QUICK, Proof, proof, reason_of, report
from models.catalogue import NETWORKS


def test_a_network_is_proved(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    (network,) = (network for network in NETWORKS if network.name in QUICK)
    found = proof(network, tmp_path)
    assert (found.verdict, found.under, found.placed, found.transposes) == ("proved", "arithmetic", 0, 0)
    assert found.largest < 1e-5
    assert found.own < 1e-5


def test_the_table_says_what_is_wrong():
    rows = [Proof("one", failed="no counterpart"), Proof("two", "", 2, 3, 0.5, 0.25, "undecided", "", 7)]
    assert report(rows).splitlines()[2:] == [
        "| one | no counterpart |  |  |  |  |",
        "| two | undecided | 2 / 3 | 5e-01 | 2e-01 | 7 |",
    ]
    assert reason_of("a note\nmodel.onnx:x: error: no counterpart\nnote: more\n") == "no counterpart"
