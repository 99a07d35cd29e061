"""Results of benchmarks/quality.py for a network."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Left:
    """The result of a strategy for a network."""

    transposes: int
    bytes: int
    seconds: float
    is_proved: bool
    """True if the program is proved to compute the same as the network; results of ONNX Runtime are not proved."""
    rules: dict[str, int] = field(default_factory=dict[str, int])
    """The number of transposes that each rule of the strategy causes."""


@dataclass(frozen=True)
class Bound:
    """A lower bound for all programs of the same ops."""

    bytes: int = 0
    transposes: int = 0
    is_reached: bool = True
    """True if a program is known that attains it."""


@dataclass
class Row:
    """The results of all strategies for a network."""

    model: str
    ops: int
    left: dict[str, Left] = field(default_factory=dict[str, Left])
    bound: Bound = Bound()
    norms: Left | None = None
    """The fewest bytes with recognised normalisations."""
    free: Row | None = None
    """The fewest bytes for a target with operands of matmuls in any order."""
