"""The benchmark of Vela reads its reports, and shows what is lost."""

from pathlib import Path

import pytest
import vela
from vela_page import Row, read_rows, report, speed
from vela_reports import Estimate, estimated

VELA = """\
#!/bin/sh
for last; do :; done
cat > reports/net_summary_System.csv << END
core_clock,inference_time,dram_total_bytes
1000000000.0,0.0025,2097152.0
END
cat > reports/net_per-layer.csv << END
NNG Operator,Op Cycles
Conv2D,500000
Transpose,200000.0
Transpose,50000.0
END
cat << END
Warning (supported operators) operator: MEAN, ofm: 'mean'
Reason: Unsupported depth-reduction.  IFM: 1, 640, 8, 8
Warning (supported operators) operator: SQRT, ofm: 'std'
Reason: Unsupported opType
Warning (supported operators) operator: MEAN, ofm: 'other'
Reason: Unsupported depth-reduction.  IFM: 1, 4, 16, 240
END
"""


def test_an_estimate_is_read_from_the_reports(tmp_path: Path):
    vela, reports = tmp_path / "vela", tmp_path / "reports"
    vela.write_text(VELA.replace("reports/", f"{reports}/"))
    vela.chmod(0o755)
    reports.mkdir()
    found = estimated(vela, "ethos-u85-1024", tmp_path / "net.tflite", reports)
    on_cpu = {"MEAN: Unsupported depth-reduction": 2, "SQRT: Unsupported opType": 1}
    assert found == Estimate(2.5, 0.25, 1 << 21, on_cpu)


def test_equal_files_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    compiled: list[str] = []

    def of_file(file: Path, name: str, *_: object) -> Estimate:
        compiled.append(name)
        return Estimate(1.0, 0, 0, file=name)

    monkeypatch.setattr(vela, "digest", Path.read_text)
    monkeypatch.setattr(vela, "of_file", of_file)
    files = {lane: tmp_path / lane for lane in ("peer", "naive", "by bytes", "by cost")}
    for lane, text in (("peer", "known"), ("naive", "new"), ("by cost", "new")):
        files[lane].write_text(text)
    known = Estimate(2.0, 0, 0, file="known")
    found = vela.of_files(files, {"known": known}, "chip", tmp_path, vela.Tools(tmp_path, tmp_path))
    new = Estimate(1.0, 0, 0, file="new")
    assert found == {"peer": known, "naive": new, "by bytes": "no file", "by cost": new}
    assert compiled == ["new"]


def test_a_loss_is_shown(tmp_path: Path):
    lanes = {"peer": Estimate(1.5, 0, 0), "by bytes": "no file", "by cost": Estimate(2.0, 1.0, 1 << 20, {"SQRT": 3})}
    row = Row("net", {"chip": lanes})
    assert speed(row, "chip") == 0.75
    tables = report([row])
    assert "| net | 1.50 (0.00; 0 MiB) | failed | 2.00 (1.00; 1 MiB, CPU 3) | 0.75 |" in tables["vela chip"]
    assert "| chip | SQRT | 3 | 1 |" in tables["vela cpu"]
    only_other = Row("net", {"other chip": lanes})
    assert "net" not in report([row, only_other])["vela chip"].replace("| net | 1.50", "")
    assert read_rows(tmp_path / "none.json") == {}
