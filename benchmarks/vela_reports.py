"""Vela's estimates: milliseconds, transposes, traffic, and ops that it leaves to the CPU."""

import csv
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REFUSED = re.compile(r"^Warning \(supported operators\) operator: (\w+), ofm: '.*'\nReason: (.*)", re.MULTILINE)
# Vela names the shape or type in the reason.
DETAILS = re.compile(r"\. .*|: .*|\s+(IFM|OFM|Permutation|Tensor).*")


@dataclass(frozen=True)
class Estimate:
    """An int8 file on an accelerator."""

    milliseconds: float
    """Of the accelerator; the time of the CPU is not in it."""
    transposing: float
    """The milliseconds of transposes."""
    dram: int
    """The bytes of feature maps and weights that are read from and written to DRAM."""
    on_cpu: dict[str, int] = field(default_factory=dict[str, int])
    """The ops left to the CPU, by their kind and the reason."""
    file: str = ""
    """The digest of the file in floats."""


def estimated(vela: Path, accelerator: str, file: Path, folder: Path) -> Estimate:
    """Compile a file, and read the reports."""
    text, figures = compiled(vela, accelerator, file, folder)
    clock = float(figures["core_clock"])
    layers = list(_lines(folder / f"{file.stem}_per-layer.csv"))
    moving = sum(float(layer["Op Cycles"]) for layer in layers if layer["NNG Operator"].startswith("Transpose"))
    return Estimate(
        1000 * float(figures["inference_time"]),
        1000 * moving / clock,
        int(float(figures["dram_total_bytes"])),
        dict(Counter(_refused(text))),
    )


def estimated_cycles(vela: Path, accelerator: str, file: Path, folder: Path) -> float:
    """The cycles of the accelerator for a file that leaves nothing to the CPU."""
    text, figures = compiled(vela, accelerator, file, folder)
    if refused := [*_refused(text)]:
        raise SystemExit(f"Vela leaves ops to the CPU: {'; '.join(refused)}")
    return float(figures["inference_time"]) * float(figures["core_clock"])


def compiled(vela: Path, accelerator: str, file: Path, folder: Path, *more: str) -> tuple[str, dict[str, str]]:
    """Vela's output for a file, and the figures of its summary."""
    options = ["--show-cpu-operations", "--verbose-performance", *more, "--output-dir", str(folder)]
    command = [str(vela), "--accelerator-config", accelerator, *options, str(file)]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
    (summary,) = folder.glob(f"{file.stem}_summary_*.csv")
    (figures,) = _lines(summary)
    return text, figures


def _lines(file: Path) -> Iterator[dict[str, str]]:
    with file.open() as stream:
        yield from csv.DictReader(stream)


def _refused(text: str) -> Iterator[str]:
    for kind, reason in REFUSED.findall(text):
        yield f"{kind}: {DETAILS.sub('', reason)}"


def quantised(python: Path, source: Path, target: Path, samples: Path) -> str:
    """Quantise a file; the reason why it cannot be is returned."""
    script = Path(__file__).with_name("vela_quantise.py")
    command: Sequence[str] = [str(python), str(script), str(source), str(target), str(samples)]
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return "" if not ran.returncode else (ran.stderr.strip().splitlines() or ["failed"])[-1]
