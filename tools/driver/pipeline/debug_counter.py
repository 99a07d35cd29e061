"""`--debug-counter`: runs in which passes apply only their first changes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern, CanonicalizePass
from xdsl.transforms.dead_code_elimination import region_dce

from ....passes.common.debug_counter import limited_changes, print_count
from ....passes.fusion.fusion_pass import FusionPass
from ....passes.npu_default import NpuDefault
from ....passes.placement.layout_pass import LayoutPass
from ....text.diagnostics import Report, ReportedError
from ..console.suggestions import suggestion

Counters: TypeAlias = Mapping[str, int]
"""The number of changes that each pass applies, by the name of the pass."""

ALL_PASSES = "passes"
"""The counter of the passes of the pipeline themselves."""


def first_passes(passes: Sequence[ModulePass], counters: Counters) -> Sequence[ModulePass]:
    """The passes that run. The names of the counters are checked."""
    known = [ALL_PASSES, *dict.fromkeys(name for each in passes for name in _counters_of(each))]
    for name in counters:
        if name not in known:
            hint = suggestion(name, known, f"choose from {', '.join(known)}")
            raise ReportedError(Report(f"argument --debug-counter: this run has no counter '{name}'{hint}"))
    if ALL_PASSES not in counters:
        return passes
    kept = passes[: counters[ALL_PASSES]]
    print_count(ALL_PASSES, f"{len(kept)} of {len(passes)}", kept[-1].name if kept else "")
    return kept


@contextmanager
def counted(module_pass: ModulePass, counters: Counters) -> Generator[ModulePass]:
    """A context in which a pass applies only its first changes, and the pass to apply."""
    limit = counters.get(module_pass.name)
    with limited_changes(counters):
        if isinstance(module_pass, CanonicalizePass) and limit is not None:
            module_pass = FirstCanonicalizations(limit)
        yield module_pass


def _counters_of(module_pass: ModulePass) -> Iterator[str]:
    steps = module_pass.steps() if isinstance(module_pass, NpuDefault) else (module_pass,)
    yield from (step.name for step in steps if isinstance(step, LayoutPass | FusionPass))
    if isinstance(module_pass, CanonicalizePass):
        yield module_pass.name


@dataclass(frozen=True)
class FirstCanonicalizations(ModulePass):
    """Apply the first patterns that `canonicalize` would apply."""

    limit: int

    name = "canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier([CanonicalizationRewritePattern()], ctx=ctx, folding_enabled=True)
        counting = _CountingPattern(patterns, self.limit)
        PatternRewriteWalker(counting, post_walk_func=region_dce).rewrite_module(op)
        # The next pattern might be the last one.
        total = "at least " * (counting.count == self.limit) + str(counting.count)
        print_count(self.name, f"{counting.count} of {total}", counting.last)


class _CountingPattern(RewritePattern):
    """A pattern that stops to match after so many times."""

    def __init__(self, pattern: RewritePattern, limit: int) -> None:
        self.count = 0
        self.last = ""
        self._pattern = pattern
        self._limit = limit

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if self.count >= self._limit:
            return
        # The op may be erased.
        hint = op.results[0].name_hint if op.results else None
        name = f"%{hint} {op.name.removeprefix('npu.')}" if hint else op.name.removeprefix("npu.")
        self._pattern.match_and_rewrite(op, rewriter)
        if rewriter.has_done_action:
            self.count += 1
            self.last = name
