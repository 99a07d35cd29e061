"""What benchmarks/quality.py finds out about a network."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Left:
    """What a strategy leaves of a network."""

    transposes: int
    bytes: int
    seconds: float
    is_proved: bool
    """Whether the program is proved to compute what the network computes; what ONNX Runtime does is not looked at."""
    rules: dict[str, int] = field(default_factory=dict[str, int])
    """How many transposes each rule of the strategy is behind."""


@dataclass(frozen=True)
class Bound:
    """What no program of the same ops falls short of."""

    bytes: int = 0
    transposes: int = 0
    is_reached: bool = True
    """Whether programs are known that need no more than that."""


@dataclass
class Row:
    """A network and what each strategy leaves of it."""

    model: str
    ops: int
    left: dict[str, Left] = field(default_factory=dict[str, Left])
    bound: Bound = Bound()
    norms: Left | None = None
    """The fewest bytes when normalisations that were taken apart have been recognised."""
    free: Row | None = None
    """The same where the target reads the operands of matmuls in any order."""
