"""The fewest bytes that can travel, over all forms of the ops of a small program and all groups of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from sys import maxsize

import numpy as np
from npu_opt.dialects.npu.shape import TransposeOp, ViewOp
from npu_opt.dialects.npu.values import order_of_value, shape_of, tensor_type
from npu_opt.layout import unpermute
from npu_opt.passes.fusion.stages.operand_layouts import OperandLayouts
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.targets import Target
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from support.campaign import amount
from support.oracles.every_grouping import SmallProgram
from support.oracles.every_way import EveryWay
from support.oracles.other_axes import TooMany

MOST_CHOICES = amount(200, 40_000)
MOST_STEPS = amount(10, 12)
"""Groups of no more ops and transposes are tried."""

Sizes = tuple[int, ...]
Pattern = frozenset[tuple[SSAValue, Sizes, Sizes, frozenset[tuple[Operation, int]]]]
"""The conversions of storages: the stored sizes, those of one element last, the permutation, and what reads it."""


class Placed(SmallProgram):
    """A small program whose ops run on the stages that `fuse-ops-hw` finds, and whose views are looked through."""

    def __init__(self, module: ModuleOp, target: Target) -> None:
        self._matching = Matching(target, OperandLayouts(module))
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        super().__init__(function.body.block, target)

    def is_view(self, op: Operation) -> bool:
        return self._matching.moves_nothing(op) and not self.is_free(op)

    def stages(self, op: Operation) -> list[str]:
        return [stage.name for stage in self._matching.stages_for(op)]


@dataclass
class EveryTraffic:
    """All placed forms of a program, as its ops with the transposes that each form needs."""

    module: ModuleOp
    target: Target

    def __post_init__(self) -> None:
        self._every = EveryWay(self.module, self.target)
        if self._every.choices() > MOST_CHOICES:
            raise TooMany("too many choices")

    def least(self) -> int:
        """The fewest bytes that can travel."""
        least, tried = maxsize, set[object]()
        for pattern in sorted(set(self._patterns()), key=len):
            alike = pattern if self._has_conditions else frozenset((root, uses) for root, _, _, uses in pattern)
            if alike not in tried:
                tried.add(alike)
                least = self._bytes(pattern, least)
        return least

    @property
    def _has_conditions(self) -> bool:
        """True if stages absorb some permutations only, so that more matters than which data is converted."""
        return any(not isinstance(stage.absorbs, bool) for stage in self.target.stages.values())

    def _patterns(self) -> Iterator[Pattern]:
        ops = list(self._every.ways)
        roots = {(op, place): self._every.root(value) for op in ops for place, value in enumerate(op.operands)}
        for ways in product(*self._every.ways.values()):
            given = {
                result: stored
                for op, way in zip(ops, ways, strict=True)
                for result, stored in zip(op.results, way[1], strict=True)
            }
            found: dict[tuple[SSAValue, bytes | None], list[tuple[Operation, int]]] = {}
            for op, way in zip(ops, ways, strict=True):
                for place, wanted in enumerate(way[0]):
                    root = roots[op, place]
                    if root is None:
                        continue
                    if wanted != (given[root] if root in given else self._every.present(root)):
                        assert isinstance(op, Operation)
                        found.setdefault((root, wanted), []).append((op, place))
            yield frozenset(
                (root, *_move(root, given.get(root) or self._every.present(root), wanted), frozenset(uses))
                for (root, wanted), uses in found.items()
            )

    def _bytes(self, pattern: Pattern, most: int) -> int:
        """The fewest bytes that travel with these conversions, or `most` if they are no fewer."""
        placed = Placed(self._with_transposes(pattern), self.target)
        if len(placed.grouped) > MOST_STEPS:
            raise TooMany("too many groups")
        return placed.fewest_bytes(most)

    def _with_transposes(self, pattern: Pattern) -> ModuleOp:
        """A copy whose ops read transposes where they read converted data.

        The types are those of before, but for the stored sizes of what is converted. There are no ops in between, as a
        stage may run an op only before another.
        """
        copy = self.module.clone()
        ops = dict(zip(self.module.walk(), copy.walk(), strict=True))
        function = copy.body.block.first_op
        assert isinstance(function, FuncOp)
        block = function.body.block
        for op in [each for each in block.ops if isinstance(each, ViewOp)]:
            op.result.replace_all_uses_with(op.input)
        for root, sizes, moved, uses in pattern:
            assert isinstance(root, BlockArgument | OpResult)
            first = min((ops[op] for op, _ in uses), key=list(block.ops).index)
            value = block.args[root.index] if isinstance(root, BlockArgument) else ops[root.op].results[root.index]
            was = tensor_type(root)
            stored = Rewriter.replace_value_with_new_type(value, TensorType(was.element_type, sizes, was.encoding))
            transpose = TransposeOp(stored, moved, was)
            block.insert_op_before(transpose, first)
            for op, place in uses:
                ops[op].operands[place] = transpose.result
        for op in [
            each for each in reversed(list(block.ops)) if each.results and not any(r.uses for r in each.results)
        ]:
            op.detach()
            op.erase()
        return copy


def _move(root: SSAValue, given: bytes | None, wanted: bytes | None) -> tuple[Sizes, Sizes]:
    """The sizes of a storage in its order, those of one element last, and the permutation to another order."""
    logical = unpermute(shape_of(root), order_of_value(root))
    axes = [axis for axis, size in enumerate(logical) if size > 1]
    numbers = np.arange(np.prod(logical)).reshape([logical[axis] for axis in axes])
    orders = {numbers.transpose(order).tobytes(): order for order in permutations(range(len(axes)))}
    if given not in orders or wanted not in orders:
        raise TooMany("an order over pieces of axes")
    before, after = orders[given], orders[wanted]
    ones = range(len(axes), len(logical))
    sizes = [logical[axes[axis]] for axis in before] + [1] * len(ones)
    return tuple(sizes), (*map(before.index, after), *ones)
