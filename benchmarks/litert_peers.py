"""Another converter from ONNX to LiteRT, run on the models of benchmarks/litert.py one after the other.

    python benchmarks/litert_peers.py --models DIR --to DIR [--seconds 300] -- onnx2tf -n -osd -i {model} -o {folder}
    python benchmarks/litert_peers.py --models DIR --to DIR --own-weights
        -- PYTHON benchmarks/litert_from_torch.py {model} {folder}

`{model}` is the ONNX file and `{folder}` an empty one, in which the converter writes files; the one whose name ends in
`_float32.tflite`, or the only one, becomes MODEL.tflite. conversions.json notes processor time and peak memory. A model
that it has is not converted again.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Timer

NOTES = "conversions.json"
STARTER = Path(__file__).with_name("measured_child.py")


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
    own_weights: bool = False
    """True if the file has other weights than the model."""


def converted(command: Sequence[str], longest: float | None = None) -> Conversion:
    """Run a converter."""
    with tempfile.TemporaryFile("w+") as text:
        starter = [sys.executable, "-S", str(STARTER), *command]
        child = subprocess.Popen(starter, stdout=subprocess.PIPE, stderr=text, start_new_session=True)
        timer = Timer(longest or 1e6, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        found, _ = child.communicate()
        timer.cancel()
        text.seek(0)
        printed = text.read()
    if child.returncode == -signal.SIGKILL:
        return Conversion(failed=f"more than {longest or 0:g} seconds", text=printed)
    if child.returncode:
        return Conversion(failed=_last_line(printed), text=printed)
    code, seconds, memory = json.loads(found)
    failed = "" if not code else _last_line(printed) or f"exit code {code}"
    return Conversion(seconds, memory, failed, printed)


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
    output.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as models:
        # onnx2tf simplifies its input in place, if it finds onnxsim.
        copy = shutil.copy(model, models)
        filled = [part.replace("{model}", str(copy)).replace("{folder}", folder) for part in command]
        found = converted(filled, longest)
        files = sorted(Path(folder).rglob("*.tflite"))
        best = next((file for file in files if file.name.endswith("_float32.tflite")), files[0] if files else None)
        # One that was stopped may have written a part of a file.
        if best is None or not found.memory:
            return Conversion(found.seconds, found.memory, found.failed or "no file")
        shutil.move(best, output)
    return Conversion(found.seconds, found.memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, required=True, metavar="DIR", help="the folder of the ONNX files")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="the folder for the files")
    parser.add_argument("--seconds", type=float, default=300, help="the longest time for a model")
    parser.add_argument("--own-weights", action="store_true", help="files have other weights than the models")
    parser.add_argument("command", nargs="+", help="the converter")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    notes = read_conversions(arguments.to)
    for model in sorted(each for each in arguments.models.glob("*.onnx") if each.stem not in notes):
        output = arguments.to / f"{model.stem}.tflite"
        found = convert(model, output, arguments.command, arguments.seconds)
        notes[model.stem] = replace(found, own_weights=arguments.own_weights)
        print(model.stem, notes[model.stem].failed or "written", flush=True)
        text = json.dumps({name: asdict(each) for name, each in notes.items()}, indent=1)
        (arguments.to / NOTES).write_text(text + "\n")


if __name__ == "__main__":
    main()
