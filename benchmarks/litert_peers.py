"""Another converter from ONNX to LiteRT, run on the models of benchmarks/litert.py one after the other.

    python benchmarks/litert_peers.py --models DIR --to DIR [--seconds 300] -- onnx2tf -n -osd -i {model} -o {folder}

`{model}` is the ONNX file and `{folder}` an empty one, in which the converter writes files; the one whose name ends in
`_float32.tflite`, or the only one, becomes MODEL.tflite. conversions.json notes processor time and peak memory.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Timer

NOTES = "conversions.json"


@dataclass(frozen=True)
class Conversion:
    """The run of a converter."""

    seconds: float = 0
    """Of processor time."""
    memory: int = 0
    """The peak, in bytes."""
    failed: str = ""
    text: str = ""
    """All that it printed to stderr."""


def converted(command: Sequence[str], longest: float | None = None) -> Conversion:
    """Run a converter."""
    with tempfile.TemporaryFile("w+") as text:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=text, start_new_session=True)
        timer = Timer(longest or 1e6, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        text.seek(0)
        printed = text.read()
    failed = "" if not child.returncode else _last_line(printed) or f"exit code {child.returncode}"
    # ru_maxrss counts in KiB on Linux.
    return Conversion(usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, failed, printed)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def read_conversions(folder: Path) -> dict[str, Conversion]:
    """The notes in the folder of a peer, by model."""
    file = folder / NOTES
    if not file.exists():
        return {}
    return {name: Conversion(**entry) for name, entry in json.loads(file.read_text()).items()}


def convert(model: Path, output: Path, command: Sequence[str], longest: float) -> Conversion:
    with tempfile.TemporaryDirectory() as folder:
        filled = [part.replace("{model}", str(model)).replace("{folder}", folder) for part in command]
        found = converted(filled, longest)
        files = sorted(Path(folder).rglob("*.tflite"))
        best = next((file for file in files if file.name.endswith("_float32.tflite")), files[0] if files else None)
        if best is None:
            return Conversion(found.seconds, found.memory, found.failed or "no file")
        shutil.move(best, output)
    return Conversion(found.seconds, found.memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, required=True, metavar="DIR", help="the folder of the ONNX files")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="the folder for the files")
    parser.add_argument("--seconds", type=float, default=300, help="the longest time for a model")
    parser.add_argument("command", nargs="+", help="the converter")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    notes = read_conversions(arguments.to)
    for model in sorted(arguments.models.glob("*.onnx")):
        output = arguments.to / f"{model.stem}.tflite"
        notes[model.stem] = convert(model, output, arguments.command, arguments.seconds)
        print(model.stem, notes[model.stem].failed or "written", flush=True)
        text = json.dumps({name: asdict(each) for name, each in notes.items()}, indent=1)
        (arguments.to / NOTES).write_text(text + "\n")


if __name__ == "__main__":
    main()
