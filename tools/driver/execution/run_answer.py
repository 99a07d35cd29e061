"""The answer of npu-run, as lines for a reader or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....dialects.npu.values import shape_text


class RunEnd(NamedTuple):
    """An input or an output of a run."""

    kind: str
    name: str
    shape: Sequence[int]
    type: str
    note: str
    """The origin of an input, or the range of an output."""

    def as_json(self) -> dict[str, object]:
        note = "origin" if self.kind == "input" else "range"
        return {"name": self.name, "shape": [*self.shape], "type": self.type, note: self.note}


def summary(program: str, function: str, engine: str, ends: Sequence[RunEnd]) -> Iterator[str]:
    """The lines that are printed for a run."""
    yield f"{program}: @{function}, by {engine}"
    width = max((len(each.name) for each in ends), default=0)
    for each in ends:
        yield f"  {each.kind:6} {each.name:{width}}  {shape_text(each.shape)} of {each.type}: {each.note}"


class RunTimes(NamedTuple):
    """The times of runs, in milliseconds."""

    runs: int
    median: float
    fastest: float
    ready: float
    """The time until the first run."""

    @property
    def text(self) -> str:
        runs = f"{self.runs} run{'s' * (self.runs != 1)}: median {self.median:.3f} ms, fastest {self.fastest:.3f} ms"
        return f"  time   {runs}; ready after {self.ready / 1000:.2f} s"


class Compared(NamedTuple):
    """The results beside those of another program."""

    other: str
    equal: Sequence[bool]
    texts: Sequence[str]
    """The difference of each output."""
    reason: str = ""
    """The reason why outputs cannot be compared."""

    def as_json(self) -> dict[str, object]:
        outputs = [{"equal": equal, "text": text} for equal, text in zip(self.equal, self.texts, strict=True)]
        return {"reason": self.reason or None, "compared": outputs}

    @property
    def verdict(self) -> str:
        return "equal" if all(self.equal) and not self.reason else "different"

    def lines(self) -> Iterator[str]:
        if self.reason:
            yield f"different from {self.other}: {self.reason}"
        for index, (equal, text) in enumerate(zip(self.equal, self.texts, strict=True)):
            yield f"  output {index}: {'equal to' if equal else 'different from'} {self.other}: {text}"
