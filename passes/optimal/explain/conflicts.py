"""The reasons for transposes: a user pinned to one order and a producer pinned to another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....dialects.notes.value_pins import Pin
from ....dialects.npu.base import NpuOp
from ....dialects.npu.in_blocks import why_not_in_blocks
from ....dialects.npu.shape import AnyTransposeOp, StoredAxesOp, ViewOp
from ....dialects.npu.values import encoding, shape_of
from ....dialects.npu.views import views_above
from ....layout import Layout, Order, permutation_between, same_storage
from ....layout.byte_order import writes_zeros
from ...common.demands.demand_reasons import axis_reason, choices_reason, matmul_reason, named_demand, price_reason
from ...common.demands.target_layouts import TargetLayouts
from ...common.graph.op_classes import is_fixed, order_of
from ...common.graph.producers import Use
from ...common.storages.storage import ByteOrder
from ...common.words.pins import signature_reason, use_name
from ...common.words.reasons import Names, Reason, through_text
from ..choice.mode_choice import ModeChoice, ModeUse
from ..modes.modes import Decider
from .cuts import Crossing, Path, parts_of

Place: TypeAlias = tuple[SSAValue, ByteOrder]
"""A storage in a byte order."""


Steps: TypeAlias = dict[Decider, tuple[Decider, Place]]
"""For each op the next one on the way to an end, and the storage between them."""


class Chain(NamedTuple):
    """A pinned node and the path of ops through which it fixes another node's order."""

    end: Decider
    through: list[Decider]
    operand: int | None
    """The operand of the pinned op at which the path begins; None for a result, an argument or no path."""
    blocks: Layout | None = None
    """The layout with blocks that the op has no form for, if it keeps a value out of them."""


class Conflict(NamedTuple):
    """The two pinned ends behind a conversion."""

    wanted: Chain
    given: Chain | None
    """None for a constant, which is stored as demanded."""
    others: int
    """The number of further conflicts that the conversion resolves."""
    is_proof: bool


class Conflicts:
    """The reason for each transpose of a choice.

    If a part of the program is a cut, each transpose is on paths between two ends that are pinned to different orders.
    These paths are disjoint and their costs add up to the minimum, which they prove. Elsewhere the reason is the
    nearest pinned op that is connected without a conversion, which explains the transpose but proves nothing.
    """

    def __init__(self, choice: ModeChoice, names: Names, are_minimal: bool = True) -> None:
        """Of choices that are not minimal nothing is proved, and no text says so."""
        self._choice = choice
        self._are_minimal = are_minimal
        self._names = names
        self._ops = list(choice.modes)
        self._roots = list(choice.solved.weights)
        self._user_pins: dict[Decider, Pin] = {self.producer(each.root): each.pin for each in choice.table.pinned.each}
        self._paths: dict[Place, list[tuple[Path, int]]] = {}
        """For each possible conversion the paths through it, with the position on each."""
        for part in parts_of(choice.solved.problem) if choice.table.modes.is_complete and are_minimal else ():
            for path in part.paths or ():
                for place, crossing in enumerate(path.crossings):
                    key = self._roots[crossing.storage], cast("ByteOrder", crossing.byte_order)
                    self._paths.setdefault(key, []).append((path, place))
        self._next: Steps = {}
        """For each op with a choice its predecessor on the way to a pinned node, and the storage between them."""
        self._next_whole: Steps = {}
        """For each op with a choice its predecessor on the way to a pinned node, or an op without a form in blocks."""
        self._touching: dict[Place, list[Decider]] = {}
        self._places: dict[Decider, list[Place]] = {}
        self._operands: dict[tuple[Decider, SSAValue], int] = {}
        """The first operand with which an op reads a storage."""
        self._join_places()
        self._spread(self._next, self._is_pinned)
        if choice.table.modes.have_blocks:
            self._spread(self._next_whole, lambda node: self._is_pinned(node) or self._lacks_blocks(node))

    def _join_places(self) -> None:
        # A constant joins nothing: it is stored in each order that is needed.
        uses = [use for use in self._choice.uses if not self._choice.table.storage.is_constant(use.root)]
        for use in uses:
            decider = self._choice.decider(use.use)
            self._touch(decider, (use.root, use.byte_order))
            self._operands.setdefault((decider, use.root), use.operand)
        for root in dict.fromkeys(use.root for use in uses):
            self._touch(self.producer(root), (root, self._choice.given(root)[1]))

    def _touch(self, node: Decider, place: Place) -> None:
        self._touching.setdefault(place, []).append(node)
        self._places.setdefault(node, []).append(place)

    def _spread(self, found: Steps, is_end: Callable[[Decider], bool]) -> None:
        """Breadth-first search from all ends through unconverted storages, and from what is tied to what."""
        waiting = deque(node for node in self._places if is_end(node))
        reached = set(waiting)
        done: set[Place] = set()
        while waiting:
            node = waiting.popleft()
            for other in self._choice.table.modes.tied_to(node):
                if other in self._places and other not in reached:
                    reached.add(other)
                    found[other] = node, self._places[node][0]
                    waiting.append(other)
            for place in self._places[node]:
                if place in done:
                    continue
                done.add(place)
                for other in self._touching[place]:
                    if other not in reached:
                        reached.add(other)
                        found[other] = node, place
                        waiting.append(other)

    def _is_pinned(self, node: Decider) -> bool:
        """True for nodes with a reason of their own. Other ops with one mode only follow their neighbours."""
        if isinstance(node, BlockArgument) and node not in self._choice.modes:
            return True
        if node in self._user_pins:
            return True
        if not isinstance(node, Operation):
            return self._has_one_mode(node)
        return self._has_one_mode(node) and not can_follow(node, self._choice.table.target_layouts)

    def _has_one_mode(self, node: Decider) -> bool:
        return len(self._choice.table.modes.of.get(node, ())) == 1

    def _lacks_blocks(self, node: Decider) -> bool:
        """True if an op without demands has no form on values in blocks."""
        if not isinstance(node, NpuOp) or is_fixed(node) or self._choice.table.target_layouts.demands(node) is not None:
            return False
        forms = (mode.form for mode in self._choice.table.modes.of.get(node, ()))
        return not node.has_blocks() and not any(form is not None and form.is_in_blocks for form in forms)

    def producer(self, root: SSAValue) -> Decider:
        """The op that decides for the byte order of a storage, or the value itself if it is free."""
        return self._choice.producer(root)

    def chain(self, node: Decider, operand: int | None = None) -> Chain:
        """The pinned node that decides for a node, and the path to it. The operand is that of the node itself."""
        return self._chain(self._next, node, operand)

    def _chain(self, steps: Steps, node: Decider, operand: int | None = None) -> Chain:
        through: list[Decider] = []
        while node in steps:
            through.append(node)
            node, (root, _) = steps[node]
            operand = self._operands.get((node, root))
        return Chain(node, through, operand)

    def _out_of_blocks(self, node: Decider, blocks: Layout | None, operand: int | None = None) -> Chain:
        """The chain of a node on the side of a conversion without blocks, if the other side has some."""
        if blocks is None:
            return self.chain(node, operand)
        return self._as_kept_out(self._chain(self._next_whole, node, operand), blocks)

    def _as_kept_out(self, chain: Chain, blocks: Layout | None) -> Chain:
        """The chain with the blocks that its end has no form for."""
        return chain if blocks is None or not self._lacks_blocks(chain.end) else chain._replace(blocks=blocks)

    def of(self, use: ModeUse) -> Conflict:
        """The conflict behind the conversion of a use, the largest if there are several."""
        paths = self._paths.get((use.root, use.byte_order), [])
        given, read = (_blocks_of(type_) for type_ in (self._choice.given_type(use.root), use.type))
        left, entered = None if read else given, None if given else read
        if paths:
            path, place = max(paths, key=lambda found: found[0].amount)
            wanted, other = self._ends(path, place)
            others = len(paths) - 1
            return Conflict(self._as_kept_out(wanted, left), self._as_kept_out(other, entered), others, is_proof=True)
        wanted = self._out_of_blocks(self._choice.decider(use.use), left, use.operand)
        if self._choice.table.storage.is_constant(use.root):
            return Conflict(wanted, None, 0, is_proof=True)
        return Conflict(wanted, self._out_of_blocks(self.producer(use.root), entered), 0, is_proof=False)

    def text(self, use: ModeUse) -> str:
        """The reason why a use needs a conversion."""
        if writes_zeros(self._choice.given(use.root)[1], use.byte_order):
            reader, producer = self._name(self._choice.decider(use.use)), self._name(self.producer(use.root))
            return f"{reader} reads zeros as padding, but {producer} leaves anything there"
        conflict = self.of(use)
        if conflict.given is None:
            return self.side(conflict.wanted)
        more = f" (and {conflict.others} more conflict{'s' * (conflict.others > 1)})" if conflict.others else ""
        is_said = conflict.is_proof or not self._are_minimal
        end = more if is_said else " (an explanation, not a proof)"
        return f"{self.side(conflict.wanted)}, {self._other_side(conflict.wanted, conflict.given, use)}{end}"

    def _ends(self, path: Path, place: int) -> tuple[Chain, Chain]:
        """The pinned ends of a path: the side of the user and that of the producer."""
        nodes = [self._node(path, position) for position in range(len(path.points))]
        before = self._extended(nodes[0], nodes[place:0:-1], path.crossings[0], path.is_drawn[0])
        behind = self._extended(nodes[-1], nodes[place + 1 : -1], path.crossings[-1], path.is_drawn[1])
        return (behind, before) if path.crossings[place].leads_to_reader else (before, behind)

    def _extended(self, end: Decider, through: list[Decider], crossing: Crossing, is_drawn: bool) -> Chain:
        """The chain to the end of a path, and on to the pinned node that decides for that.

        An op that is drawn to one of its modes by their prices decides for itself.
        """
        operand = self._operands.get((end, self._roots[crossing.storage]))
        if is_drawn:
            return Chain(end, _without_rings(through), operand)
        pinned = self.chain(end, operand)
        return Chain(pinned.end, _without_rings([*through, *pinned.through]), pinned.operand)

    def _node(self, path: Path, position: int) -> Decider:
        op = path.points[position]
        if op is not None:
            return self._ops[op]
        # Only an end can be an argument: that of the neighbouring storage.
        return self.producer(self._roots[path.crossings[0 if position == 0 else -1].storage])

    def side(self, chain: Chain) -> str:
        """One side of a conflict: a pinned node and the path from it."""
        return self._pin(chain) + through_text([*map(self._name, chain.through)])

    def _other_side(self, side: Chain, other: Chain, use: ModeUse) -> str:
        """The other side of a conflict. If both want the same, it says what is between them."""
        names = self._name(side.end), self._name(other.end)
        pins = self._pin(side), self._pin(other)
        if side.end is not other.end and pins[1] == names[1] + pins[0].removeprefix(names[0]):
            path = through_text([*map(self._name, other.through)])
            return f"and so does {names[1]}{path}{self._between(side, other, use)}"
        layout = self._wanted(side)
        if layout is None or layout != self._wanted(other):
            return f"but {self.side(other)}"
        return f"and {self.side(other)}{self._between(side, other, use)}"

    def _wanted(self, chain: Chain) -> Layout | None:
        """The layout that the end of a path wants, if it is known by name."""
        node = chain.end
        if node in self._user_pins:
            return self._user_pins[node].layout
        if not isinstance(node, Operation):
            return encoding(node.value.type if isinstance(node, Use) else node.type)
        demands = self._choice.table.target_layouts.demands(node)
        if demands is not None:
            return named_demand(node, demands, chain.operand)[1]
        if chain.operand is None or signature_reason(node, chain.operand) is None:
            return None
        return encoding(node.operands[chain.operand].type)

    def _between(self, side: Chain, other: Chain, use: ModeUse) -> str:
        """The op of the program that changes orders between two ends that want the same."""
        nodes = [side.end, *side.through, *other.through, other.end]
        values = [use.value, *(value for node in nodes for value in self._read_on(nodes, node))]
        views = [view for value in values for view in views_above(value) if _changes_order(view)]
        own = next((view for view in views if isinstance(view, AnyTransposeOp)), views[0] if views else None)
        if own is None:
            return ": the layout of the data changes between them"
        return f": {self._names.of(own)} of the program is between them"

    def _read_on(self, path: Sequence[Decider], node: Decider) -> list[SSAValue]:
        """The values of other nodes of a path that a node reads."""
        read = [node.value] if isinstance(node, Use) else node.operands if isinstance(node, Operation) else ()
        return [value for value in read if self.producer(self._choice.table.storage.root(value)) in path]

    def _name(self, node: Decider) -> str:
        return use_name(node, self._names) if isinstance(node, Use) else self._names.of(node)

    def _pin(self, chain: Chain) -> str:
        """The reason why the end of a chain is pinned."""
        node, target_layouts = chain.end, self._choice.table.target_layouts
        pin = self._user_pins.get(node)
        if pin is not None and (isinstance(node, SSAValue) or target_layouts.demands(cast("Operation", node)) is None):
            return f"{self._names.of(pin.value)} is pinned to {pin.text}"
        if isinstance(node, Use):
            return f"{self._name(node)} is stored in permutations of {encoding(node.value.type)} only"
        if isinstance(node, SSAValue):
            says = "is stored in permutations of {} only" if node in self._choice.modes else "is {}"
            what = "argument " if isinstance(node, BlockArgument) else ""
            return f"{what}{self._names.of(node)} {says.format(encoding(node.type))}"
        demands = target_layouts.demands(node)
        if demands is not None:
            return choices_reason(target_layouts, node, demands, chain.operand).text(self._names)
        if (signature := signature_reason(node, chain.operand)) is not None:
            return signature
        if node.results and self._choice.table.storage.is_constant(self._choice.table.storage.root(node.results[0])):
            return f"{self._names.of(node)} is stored in each layout that its users need"
        if is_fixed(node):
            return f"{self._names.of(node)} keeps its layout: nothing is known of its axes"
        if chain.blocks is not None and isinstance(node, NpuOp):
            return Reason(node, why_not_in_blocks(node, chain.blocks)).text(self._names)
        if (reason := axis_reason(target_layouts, node)) is not None:
            return reason.text(self._names)
        if not self._is_pinned(node):
            if (reason := price_reason(target_layouts, node)) is not None:
                return reason.text(self._names)
            return f"nothing demands another layout of {self._names.of(node)}"
        if (reason := matmul_reason(target_layouts, node)) is not None:
            return reason.text(self._names)
        return f"{self._names.of(node)} has no form in another layout"


def _blocks_of(type_: Attribute) -> Layout | None:
    """The layout of a type, if it has blocks."""
    layout = encoding(type_)
    return None if layout is None or not layout.tiles else layout


def _changes_order(view: ViewOp) -> bool:
    """True if a view is more than the same value in another layout."""
    orders = order_of(view.input), order_of(view.result)
    if not isinstance(view, StoredAxesOp) or orders[0] is None or orders[1] is None:
        return True
    return not same_storage(permutation_between(orders[0], orders[1]), view.moved(), shape_of(view.input))


def _without_rings(nodes: list[Decider]) -> list[Decider]:
    """A path without the parts that lead back to a node that it has passed."""
    places: dict[Decider, int] = {}
    left: list[Decider] = []
    for node in nodes:
        if node in places:
            for passed in left[places[node] + 1 :]:
                del places[passed]
            del left[places[node] + 1 :]
            continue
        places[node] = len(left)
        left.append(node)
    return left


def can_follow(op: Operation, target_layouts: TargetLayouts) -> bool:
    """True if an op without a demand has a relayout with two neighbouring axes of its result exchanged."""
    if not isinstance(op, NpuOp) or is_fixed(op) or not op.results or target_layouts.demands(op) is not None:
        return False
    if axis_reason(target_layouts, op) is not None:
        return False
    order = order_of(op.results[0])
    if order is None:
        return False
    shape, operands, others = shape_of(op.results[0]), [None] * len(op.operands), [None] * (len(op.results) - 1)
    return any(
        target_layouts.relayout(op, operands, [_exchanged(order, place), *others]) is not None
        for place in range(len(order) - 1)
        if 1 not in shape[place : place + 2]
    )


def _exchanged(order: Order, place: int) -> Order:
    """The order with the axes at a place and behind it exchanged."""
    return (*order[:place], order[place + 1], order[place], *order[place + 2 :])
