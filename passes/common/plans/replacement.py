"""Groups of ops replaced by other ops that compute the same, and the patterns that do so."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker, RewritePattern

from ....dialects.npu.base import NpuOp
from ....dialects.npu.views import fused


def apply_patterns(module: ModuleOp, patterns: Sequence[RewritePattern], is_repeated: bool = True) -> None:
    """Apply patterns to the ops of a module, the first that fits to each; `is_repeated` until none fits any more."""
    applier = GreedyRewritePatternApplier([*patterns])
    PatternRewriteWalker(applier, apply_recursively=is_repeated).rewrite_module(module)


def replace_parts(rewriter: PatternRewriter, op: Operation, new: Sequence[NpuOp], parts: Sequence[Operation]) -> None:
    """Replace an op by new ops, the last of which has its result, and erase the parts that are unused then."""
    location = fused([part.location for part in (*parts, op)])
    for each in new:
        each.location = location
    new[-1].attributes.update(op.attributes)
    rewriter.replace(op, new)
    for each in new[:-1]:
        each.results[0].name_hint = None
    erase_unused(rewriter, parts)


def erase_unused(rewriter: PatternRewriter, parts: Sequence[Operation]) -> None:
    """Erase those of some ops, in their order in the program, whose results have no uses."""
    for part in reversed(parts):
        if not any(result.uses for result in part.results):
            rewriter.erase(part)
