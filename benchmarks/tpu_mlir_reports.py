"""The estimates of Sophgo's compiler tpu-mlir: milliseconds, Permutes, fused attentions and traffic."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vendor_files import run_within

PROFILE = "compiler_profile_0.txt"
"""The file in which the model of the chip in C notes each command of its engines."""
GRAPH = "net.mlir"
"""The file in which the compiler's front end writes its graph."""
THRESHOLDS = "thresholds"
"""The file in which the calibration notes the range of each value."""
TESTED = "tested.npz"
"""The file with the outputs of the graph in floats."""
DYNAMIC = 'top_run_mode = "DYNAMIC"'
"""The mark of a graph whose sizes are no constants to the compiler: the profile has a part of its ops then."""
COMMAND = re.compile(r"(\w+_\d+)\|\w+\|s:\d+\|[^ ]*?\|t:(\d+)")
"""A command of the processor or of the mover of data: the op that it belongs to, and its cycles."""
MOVED = re.compile(r"dr\[\d\] (\w+):(\d+)")
IN_MEMORY = ("S2L", "L2S", "S2S")
"""The ways of data that begin or end in DDR."""
RUNTIME = re.compile(r"runtime: ([\d.]+)ms")
ASSERTIONS = (
    re.compile(r"ASSERT executed at\s*\S*?([^\s/]+:\d+)\s+ASSERT INFO:(.*)"),
    re.compile(r"(.*)\n.*\nUNREACHABLE executed at\s*\S*?([^\s/]+:\d+)"),
    re.compile(r"([^\s/]+:\d+): .*Assertion \"(.*)\" failed"),
)
"""Assertions of the compiler's passes, files of weights and code generation that failed: the place and the reason."""
ERROR = re.compile(r"error: .*")
EXCEPTION = re.compile(r"^\w+(?:Error|Exception): .*", re.MULTILINE)
"""The last line of a traceback."""
LONGEST_REASON = 160


@dataclass(frozen=True)
class Estimate:
    """A file on the chip."""

    milliseconds: float
    permutes: int
    """The ops left that move data only."""
    permuting: float
    """The milliseconds that their commands take, some of them beside those of other ops."""
    attentions: int
    """The ops that the compiler runs as one attention."""
    ddr: int
    """The bytes that are read from and written to DDR."""


def read_profile(text: str) -> Estimate:
    """The estimate in a profile. The engines run at 1 GHz."""
    runtime = RUNTIME.search(text)
    if runtime is None:
        raise ValueError("the profile has no runtime")
    commands = [(op, int(cycles)) for op, cycles in COMMAND.findall(text)]
    moved = sum(int(size) for way, size in MOVED.findall(text) if way in IN_MEMORY)
    return Estimate(
        float(runtime[1]),
        _count(commands, "Permute"),
        sum(cycles for op, cycles in commands if _kind(op) == "Permute") / 1e6,
        _count(commands, "Attention"),
        moved,
    )


def _count(commands: Sequence[tuple[str, int]], kind: str) -> int:
    return len({op for op, _ in commands if _kind(op) == kind})


def _kind(op: str) -> str:
    return op.rpartition("_")[0]


@dataclass(frozen=True)
class Compiler:
    """The compiler in its environment."""

    environment: Path
    chip: str
    seconds: float
    """The time that each of its programs has for a file."""
    is_int8: bool = False
    """Quantise to int8 with a list of samples, not half precision."""
    is_simulated: bool = False
    """Run what is compiled in its simulator on the first sample, and compare each step within its tolerance."""

    @property
    def is_installed(self) -> bool:
        return (self.environment / "bin" / "model_transform.py").is_file()

    def compiled(self, file: Path, folder: Path, samples: Path | None = None) -> Estimate | str:
        """The estimate of a file, or the reason why the compiler refuses it, or why its program is not what it was."""
        # They run others by name.
        programs = self.environment / "bin"
        found_first = f"PATH={programs}{os.pathsep}{os.environ['PATH']}"
        for program, *options in self._steps(file, samples):
            command = ["env", found_first, str(programs / program), *options]
            code, text = run_within(command, folder, self.seconds)
            if code is None:
                return f"{program}: stopped after {self.seconds:.0f} s"
            if code:
                return f"{program}: {reason(text)}"
        profile, graph = folder / PROFILE, folder / GRAPH
        if not profile.exists():
            return f"no {PROFILE}"
        if graph.exists() and DYNAMIC in graph.read_text():
            return f"{PROFILE} lacks ops: sizes are computed at run time"
        return read_profile(profile.read_text())

    def _steps(self, file: Path, samples: Path | None) -> Iterator[Sequence[str]]:
        """The programs and their options."""
        tested = ["--test_input", samples.read_text().split()[0]] if self.is_simulated and samples is not None else []
        made, reference = (["--test_result", TESTED], ["--test_reference", TESTED]) if tested else ([], [])
        yield [
            *("model_transform.py", "--model_name", "net", "--model_def", str(file), "--mlir", GRAPH),
            *(*tested, *made),
        ]
        precision = ["F16"]
        if self.is_int8:
            precision = ["INT8", "--calibration_table", THRESHOLDS]
            # Tuning of the thresholds takes most of the time, and changes numbers alone.
            yield ["run_calibration.py", GRAPH, "--data_list", str(samples), "--tune_num", "0", "-o", THRESHOLDS]
        yield [
            *("model_deploy.py", "--mlir", GRAPH, "--quantize", *precision, "--processor", self.chip),
            *("--model", "net.bmodel", "--debug", "--opt", "1", *tested, *reference),
        ]


def reason(text: str) -> str:
    """The line of the output that says what is wrong: an assertion of a pass, its error, or the last exception."""
    for pattern in ASSERTIONS:
        if (found := pattern.search(text)) is not None:
            return ": ".join(map(str.strip, found.groups()))[:LONGEST_REASON]
    if (found := ERROR.search(text)) is not None:
        return found[0][:LONGEST_REASON]
    lines = EXCEPTION.findall(text) or text.strip().splitlines() or ["failed"]
    return lines[-1].strip()[:LONGEST_REASON]
