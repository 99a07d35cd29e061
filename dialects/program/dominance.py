"""Dominance check as in MLIR's verifier; xDSL has none.

A value dominates the later ops of its block, the blocks that its block dominates, and the regions of all those ops. In
a graph region the order of ops has no meaning. Unreachable blocks are not checked.

A program is walked once, in an order in which definitions precede the uses they dominate. The definition above is
evaluated only for values that the walk has not visited.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException


class DominanceError(VerifyException):
    """An operand whose value does not dominate it."""

    def __init__(self, number: int, value: SSAValue, op: Operation) -> None:
        super().__init__(f"operand #{number} does not dominate this use")
        self.definition = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
        """The op that defines the value, or the parent op of the block whose argument it is."""
        self.note = _note(value, op)


def verify_dominance(module: ModuleOp) -> None:
    """Raise a `DominanceError` for the first use that its value does not dominate."""
    _Check().run(module)


class Dominators:
    """The dominator tree of the reachable blocks of a region, by Cooper, Harvey and Kennedy's algorithm."""

    def __init__(self, region: Region) -> None:
        self.order = _reverse_postorder(region)
        """The reachable blocks in reverse postorder: each follows all blocks that dominate it."""
        self._number = {block: number for number, block in enumerate(self.order)}
        before: list[list[int]] = [[] for _ in self.order]
        for number, block in enumerate(self.order):
            for successor in _successors(block):
                before[self._number[successor]].append(number)
        self._parent = [0] * len(self.order)
        known = {0}
        changed = True
        while changed:
            changed = False
            for number in range(1, len(self.order)):
                first, *rest = (each for each in before[number] if each in known)
                for other in rest:
                    first = self._common(first, other)
                if number not in known or self._parent[number] != first:
                    known.add(number)
                    self._parent[number] = first
                    changed = True

    def parent(self, block: Block) -> Block | None:
        """The immediate dominator of a reachable block."""
        number = self._number[block]
        return self.order[self._parent[number]] if number else None

    def properly_dominates(self, block: Block, other: Block) -> bool:
        """True if every path to another block leads through this one, also if there is no path."""
        if other not in self._number:
            return True
        if block not in self._number:
            return False
        number, wanted = self._number[other], self._number[block]
        while number > wanted:
            number = self._parent[number]
        return number == wanted and block is not other

    def _common(self, one: int, other: int) -> int:
        while one != other:
            if one > other:
                one = self._parent[one]
            else:
                other = self._parent[other]
        return one


class _Check:
    def __init__(self) -> None:
        self._dominators: dict[Region, Dominators] = {}
        self._visible: set[SSAValue] = set()
        """Values that dominate the current op, and maybe more: an unreachable block is not walked."""

    def run(self, module: ModuleOp) -> None:
        # An explicit stack, because programs may be nested deeply.
        stack: list[Iterator[Region]] = [self._regions_inside(region) for region in module.regions]
        while stack:
            region = next(stack[-1], None)
            if region is None:
                stack.pop()
            else:
                stack.append(self._regions_inside(region))

    def _regions_inside(self, region: Region) -> Iterator[Region]:
        """Check the ops of a region; yields each nested region while the values visible in it are set."""
        if not region.blocks:
            return
        if _is_graph(region):
            yield from self._regions_of_graph(region)
        elif region.first_block is region.last_block:
            yield from self._regions_of_block(region.block)
        else:
            yield from self._regions_of_blocks(region)

    def _regions_of_graph(self, region: Region) -> Iterator[Region]:
        values = [*chain.from_iterable(_values(block) for block in region.blocks)]
        self._visible.update(values)
        for block in region.blocks:
            for op in block.ops:
                self._check_operands(op)
                yield from op.regions
        self._visible.difference_update(values)

    def _regions_of_block(self, block: Block) -> Iterator[Region]:
        self._visible.update(block.args)
        yield from self._regions_of_ops(block)
        self._visible.difference_update(_values(block))

    def _regions_of_ops(self, block: Block) -> Iterator[Region]:
        for op in block.ops:
            self._check_operands(op)
            yield from op.regions
            self._visible.update(op.results)

    def _regions_of_blocks(self, region: Region) -> Iterator[Region]:
        """Walk the dominator tree: values visible in a block are visible in all blocks below it."""
        dominators = self._dominators_of(region)
        below: dict[Block, list[Block]] = {block: [] for block in dominators.order}
        for block in dominators.order[1:]:
            parent = dominators.parent(block)
            assert parent is not None
            below[parent].append(block)
        left: list[tuple[Block, bool]] = [(dominators.order[0], False)]
        while left:
            block, is_done = left.pop()
            if is_done:
                self._visible.difference_update(_values(block))
                continue
            left.append((block, True))
            self._visible.update(block.args)
            yield from self._regions_of_ops(block)
            left += ((each, False) for each in below[block])
        # Operands in unreachable blocks are not checked; those in nested regions are.
        for block in region.blocks:
            if block not in below:
                yield from chain.from_iterable(op.regions for op in block.ops)

    def _check_operands(self, op: Operation) -> None:
        for number, operand in enumerate(op.operands):
            if operand not in self._visible:
                self._check_by_definition(number, operand, op)

    def _check_by_definition(self, number: int, value: SSAValue, op: Operation) -> None:
        if not self._dominates(value, op):
            error = DominanceError(number, value, op)
            op.emit_error(f"Operation does not verify: {error}", error)

    def _dominates(self, value: SSAValue, op: Operation) -> bool:
        """True if a value dominates an op by the definition."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        region = None if block is None else block.parent
        ancestor: Operation | None = op
        while ancestor is not None and ancestor.parent_region() is not region:
            ancestor = ancestor.parent_op()
        if block is None or region is None or ancestor is None or ancestor.parent is None:
            return False
        if _is_graph(region):
            return True
        if ancestor.parent is not block:
            return self._dominators_of(region).properly_dominates(block, ancestor.parent)
        return isinstance(value.owner, Block) or value.owner.is_before_in_block(ancestor)

    def _dominators_of(self, region: Region) -> Dominators:
        if region not in self._dominators:
            self._dominators[region] = Dominators(region)
        return self._dominators[region]


def _is_graph(region: Region) -> bool:
    """True if the order of ops in a region has no meaning; xDSL has no kinds of regions.

    In MLIR this holds for modules, whose regions need no terminator, and is unknown for unregistered ops.
    """
    op = region.parent
    return op is None or isinstance(op, UnregisteredOp) or op.has_trait(NoTerminator)


def _values(block: Block) -> Iterator[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def _successors(block: Block) -> tuple[Block, ...]:
    return () if block.last_op is None else tuple(block.last_op.successors)


def _reverse_postorder(region: Region) -> list[Block]:
    entry = region.first_block
    assert entry is not None
    met, order = {entry}, list[Block]()
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        following = next((each for each in successors if each not in met), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            met.add(following)
            stack.append((following, iter(_successors(following))))
    return order[::-1]


def _note(value: SSAValue, op: Operation) -> str:
    """The note at the definition of a value for a use in `op`, in MLIR's words."""
    if isinstance(value.owner, Operation):
        return f"operand defined here (op {_relation(value.owner.parent, op.parent)})"
    return f"operand defined as a block argument ({_block_name(value.owner)} {_relation(value.owner, op.parent)})"


def _block_name(block: Block) -> str:
    number = 0
    while block.prev_block is not None:
        block, number = block.prev_block, number + 1
    return f"block #{number}"


def _relation(block: Block | None, use: Block | None) -> str:
    region, use_region = (each.parent if each is not None else None for each in (block, use))
    if block is use:
        return "in the same block"
    if region is use_region:
        return "in the same region"
    if region is not None and use_region is not None:
        if region.is_ancestor(use_region):
            return "in a parent region"
        if use_region.is_ancestor(region):
            return "in a child region"
    return "neither in a parent nor in a child region"
