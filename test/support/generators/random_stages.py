"""Random data-flows of targets: stages with limits, forks and cycles, and every way to transpose in a group."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.targets.vocabulary import dialect_vocabulary

from support.generators.random_expressions import pair, random_condition, random_price, texts

OPS = tuple(op.name.removeprefix("npu.") for op in NPU.operations if not issubclass(op, ConstantOp | OpaqueOp))
TRANSPOSES = tuple(op.name.removeprefix("npu.") for op in NPU.operations if issubclass(op, AnyTransposeOp))
FREQUENT = ("add", "mul", "sub", "relu", "exp", "tanh", "sigmoid", "conv2d", "gemm", "matmul", "concat", "max_pool")
"""Ops that most programs have: stages run them more often than others."""
KINDS = ("constant", "channel-constant", "channel-values", "scalar", "tensor", "own")
FORMS = ("", "", *(f" with {kind}" for kind in KINDS))
MODES = ("none", "runs", "absorbs", "absorbs", "runs and absorbs", "free")
"""The ways to transpose in a group."""
PRICED = MODES[1:5]
"""The modes that may have a price."""
COSTS = ("bytes", "count", "traffic")


class FlowLines(NamedTuple):
    """The parts of a target file about groups."""

    top: Sequence[str] = ()
    """The lines in front of the first table."""
    tables: Sequence[str] = ()


def random_flow(seed: int, described: Iterable[str]) -> FlowLines:
    """The data-flow of a target, which most have; stages may run described ops as well."""
    rng = Random(f"stages {seed}")
    return _Flow(rng, described).lines() if rng.random() < 0.85 else FlowLines()


class _Flow:
    def __init__(self, rng: Random, described: Iterable[str]) -> None:
        self._rng = rng
        self._frequent = (*FREQUENT, *described)
        self._names = [f"s{place}" for place in range(rng.randint(2, 8))]
        self._mode = rng.choice(MODES)
        others = [op for op in OPS if op not in ("reshape", "transpose")]
        views = ["reshape"] * (rng.random() < 0.8) + ["transpose"] * (self._mode == "free")
        self._free = [*views, *rng.sample(others, rng.choice((0, 0, 2)))]

    def lines(self) -> FlowLines:
        top = [f"free = {texts(self._free)}"]
        if self._rng.random() < 0.3:
            top.append(f'cost = "{self._rng.choice(COSTS)}"')
        return FlowLines(top, [*self._data_flow(), *self._stages()])

    def _data_flow(self) -> Iterator[str]:
        rng, names = self._rng, self._names
        edges = {(names[rng.randrange(place)], names[place]) for place in range(1, len(names))}
        for _ in range(rng.randrange(2 * len(names))):
            first, second = rng.choice(names), rng.choice(names)
            if names.index(first) < names.index(second) or rng.random() < 0.15:
                edges.add((first, second))
        lines = [f"{first} > {second}" for first, second in sorted(edges)]
        rng.shuffle(lines)
        yield "[data-flow]"
        yield f'root = "{names[0]}"'
        yield f"edges = {texts(lines)}"
        if rng.random() < 0.4:
            yield "forbids-escaping = true"

    def _stages(self) -> Iterator[str]:
        rng, often = self._rng, self._rng.choice((0.03, 0.1, 0.3))
        turning = rng.sample(self._names, rng.choice((1, 1, 2)))
        for name in self._names:
            runs = [*self._runs(often)]
            if name in turning and self._mode.startswith("runs"):
                runs += (op for op in TRANSPOSES if op not in self._free)
            yield f"[stages.{name}]"
            yield f"runs = {texts(dict.fromkeys(map(self._rule, runs)))}"
            if rng.random() < 0.4:
                yield f"uses = {rng.randint(1, 3)}"
            if rng.random() < 0.2:
                yield "holds = true"
            # Drawn apart, so that a target has the same stages with and without limits.
            limits = Random(f"{name} {self._names} {runs}")
            if limits.random() < 0.2:
                yield f"most-bytes = {limits.choice((8, 64, 256, 1024))}"
            if name in turning and self._mode.endswith("absorbs"):
                yield f"absorbs = {self._absorbed()}"
            if name in turning and self._mode in PRICED and rng.random() < 0.4:
                yield pair("price", random_price(rng, None))

    def _runs(self, often: float) -> Iterator[str]:
        """Some ops, one at least."""
        able = [op for op in (*self._frequent, *OPS) if op not in (*self._free, *TRANSPOSES)]
        yield self._rng.choice(able)
        for op in able:
            if self._rng.random() < (max(often, 0.25) if op in self._frequent else often):
                yield op

    def _rule(self, op: str) -> str:
        if self._rng.random() < 0.1:
            return f"{op} before {self._rng.choice(self._names)}"
        takes_several = op not in dialect_vocabulary() or dialect_vocabulary()[op].takes_several
        return op + (self._rng.choice(FORMS) if takes_several else "")

    def _absorbed(self) -> str:
        return "true" if self._rng.random() < 0.5 else f'"{random_condition(self._rng, None)}"'
