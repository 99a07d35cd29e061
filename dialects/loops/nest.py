"""Ops of other dialects over a nest of loops, whose indexing maps say in which order they read their operands."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DictionaryAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure

from ...compat.xdsl import op_definition
from ...layout import MAX_RANK, Layout, LayoutClass, Order, identity, permutation_between, permute
from ..npu.attrs import I64Array
from ..npu.axes import Orders, Relayout, agree
from ..npu.base import Declared, NpuOp
from ..npu.values import layout_of, order_of_value, rank_of
from .named import siblings

TENSOR = Layout(LayoutClass.TENSOR)
GENERIC = "linalg.generic"

ANY, ALIKE, NAMED = "any order", "one order", "by name"
ORDERS = (ANY, ALIKE, NAMED)


@irdl_op_definition
class HoldOp(IRDLOperation):
    """The values that an op of another dialect takes beside those whose elements it reads.

    ```mlir
    loops.hold %init : tensor<4x8xf32>
    ```
    """

    name = "loops.hold"

    held = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "($held^ `:` type($held))? attr-dict"


@op_definition
class NestOp(NpuOp):
    """An op of another dialect that computes in a nest of loops.

    The indexing maps are those of all values that the op takes, and behind them those of results without a destination.
    The operands are the values at the positions in `reads`, which may be stored in any order that the op can express;
    the others are held: scalars, and destinations that are only written. `kept` has the properties of the op.

    ```mlir
    %y = loops.nest "linalg.exp"(%x) {
      loops.hold %init : tensor<4x8xf32>
    } {
      ^bb0(%a: f32, %b: f32):
        %c = math.exp %a : f32
        linalg.yield %c : f32
    } {reads = array<i64: 0>, ...} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
    """

    name = "loops.nest"

    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    op_name = prop_def(StringAttr)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr)
    reads = prop_def(I64Array)
    """The positions of the operands among the values that the op takes."""
    orders = prop_def(StringAttr)
    """The orders that the op can express: any, one for all operands and results, or those of its named siblings."""
    generalises = opt_prop_def(UnitAttr)
    """Says that an op without a name in other orders becomes a generic one."""
    kept = prop_def(DictionaryAttr)
    held = region_def("single_block")
    body = region_def()

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$op_name `(` $inputs `)` $held $body attr-dict `:` functional-type(operands, results)"

    def verify_meaning(self) -> None:
        self.check_word("orders", self.orders, ORDERS)
        reads, maps = self.reads.get_values(), self.indexing_maps.data
        if len(reads) != len(self.operands):
            raise self.wrong("reads", f"{len(self.operands)} positions, one for each operand", list(reads))
        self.check_axes("reads", reads, len(maps))
        if len(maps) < len(self.results):
            raise self.wrong("indexing_maps", f"at least {len(self.results)} maps", len(maps))
        if self.orders.data == NAMED and siblings(self.op_name.data) and len(self.operands) != len(maps):
            raise self.wrong("reads", f"all positions, of which {self.op_name.data} has {len(maps)}", list(reads))
        for name, value, map_ in zip(self.names(), self.values(), self.maps(), strict=True):
            if map_.num_dims != len(self.iterator_types.data) or len(map_.results) != rank_of(value):
                expected = f"{len(self.iterator_types.data)} loops and {rank_of(value)} results"
                raise self.wrong("indexing_maps", f"{expected} for {name}", map_)

    def verify_layouts(self) -> None:
        """The maps are those of the stored axes, so there is nothing to check."""

    @property
    def target_name(self) -> str:
        return self.op_name.data

    @property
    def is_source(self) -> bool:
        return not self.operands

    def operand_fields(self) -> tuple[str, ...]:
        return tuple(f"operand{index}" for index in range(len(self.operands)))

    def result_fields(self) -> tuple[str, ...]:
        return tuple(f"result{index}" for index in range(len(self.results)))

    def values(self) -> tuple[SSAValue, ...]:
        """The operands and results."""
        return (*self.operands, *self.results)

    def names(self) -> tuple[str, ...]:
        return (*self.operand_names(), *self.result_names())

    def places(self) -> list[int]:
        """The positions of the maps of operands and results."""
        count = len(self.indexing_maps.data)
        return [*self.reads.get_values(), *range(count - len(self.results), count)]

    def maps(self) -> list[AffineMap]:
        """The indexing maps of operands and results."""
        return [self.indexing_maps.data[place].data for place in self.places()]

    def taken(self) -> tuple[SSAValue, ...]:
        """All values that the op takes, in their order."""
        last = self.held.block.last_op
        held = iter(() if last is None else last.operands)
        read = dict(zip(self.reads.get_values(), self.operands, strict=True))
        count = len(self.operands) + (0 if last is None else len(last.operands))
        return tuple(read[place] if place in read else next(held) for place in range(count))

    def axes_in_destination(self, result: int) -> list[int]:
        """For each axis of a result its place in the destination, which has the order in which the op came."""
        place = len(self.indexing_maps.data) - len(self.results) + result
        now = self.indexing_maps.data[place].data.results
        # The results of a named op have its loops in their order.
        before = tuple(sorted(now, key=lambda expression: [*expression.used_dims()]))
        match self.kept.data.get("indexing_maps"):
            case ArrayAttr(data=maps) if isinstance(stated := maps[place], AffineMapAttr):
                before = stated.data.results
            case _:
                pass
        return list(map(before.index, now))

    def declared(self) -> Declared:
        given = [[layout_of(value) or TENSOR for value in side] for side in (self.operands, self.results)]
        return Declared([*given[0]], [*given[1]])

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        asked = [*operands, *results]
        present = [order_of_value(value) for value in self.values()]
        if any(order is not None and len(order) != len(old) for order, old in zip(asked, present, strict=True)):
            return []
        wanted = [order and permutation_between(old, order) for order, old in zip(asked, present, strict=True)]
        found = dict.fromkeys((name, tuple(moved)) for name, moved in self._forms(wanted) if agree(wanted, moved))
        return [self._relayout(name, present, moved) for name, moved in found if all(map(_may_move, moved))]

    def _forms(self, wanted: Orders) -> Iterator[tuple[str, Sequence[Order]]]:
        """The names of the op in other orders, with the permutations of its operands and results."""
        name, same = self.op_name.data, [identity(rank_of(value)) for value in self.values()]
        yield name, same
        if self.orders.data == ALIKE:
            yield from ((name, [moved] * len(same)) for moved in wanted if moved is not None)
        elif self.orders.data == ANY:
            yield from ((name, moved) for moved in self._of_generic(wanted))
        else:
            # The destination of a named op is read, and stored like the result.
            yield from ((other, [*moved, moved[-1]]) for other, moved in siblings(name).items() if other != name)
            if self.generalises is not None:
                yield from ((GENERIC, moved) for moved in self._of_generic(wanted))

    def _of_generic(self, wanted: Orders) -> Iterator[Sequence[Order]]:
        """The permutations of operands and results with which a generic op reads all along one order of its loops.

        An op of which no operand and no result has all loops reads elements again and again, and in any order.
        """
        yield self._in_line(wanted)
        if not any(len(each.used_dims()) == each.num_dims for each in self.maps()):
            asked = {place: moved for place, moved in zip(self.places(), wanted, strict=True) if moved is not None}
            yield [
                asked.get(place, identity(len(each.results)))
                for place, each in zip(self.places(), self.maps(), strict=True)
            ]

    def _in_line(self, wanted: Orders) -> list[Order]:
        """The permutations of operands and results with which the op reads all of them along one order of its loops."""
        loops = [list(map(_loop, range(len(each.results)), each.results)) for each in self.maps()]
        order: list[Hashable] = []
        for each, moved in zip(loops, wanted, strict=True):
            if moved is not None:
                _merge(order, permute(each, moved))
        for each in reversed(loops):
            _merge(order, each)
        return [tuple(sorted(range(len(each)), key=lambda place: order.index(each[place]))) for each in loops]

    def _relayout(self, name: str, present: Sequence[Order], moved: Sequence[Order]) -> Relayout:
        count, maps = len(self.operands), list(self.indexing_maps.data)
        new = [permute(old, each) for old, each in zip(present, moved, strict=True)]
        for place, map_, each in zip(self.places(), self.maps(), moved, strict=True):
            maps[place] = AffineMapAttr(AffineMap(map_.num_dims, 0, permute(map_.results, each)))
        orders = self.orders if name == self.op_name.data else StringAttr(ANY if name == GENERIC else NAMED)
        properties = {"indexing_maps": ArrayAttr(maps), "op_name": StringAttr(name), "orders": orders}
        return Relayout(tuple(new[:count]), tuple(new[count:]), properties)


def _may_move(moved: Order) -> bool:
    return len(moved) <= MAX_RANK or moved == identity(len(moved))


def _loop(place: int, expression: AffineExpr) -> Hashable:
    """The loop that an axis follows, the first one of several; its place if there is none."""
    return min(expression.used_dims(), default=("place", place))


def _merge(order: list[Hashable], loops: Sequence[Hashable]) -> None:
    """Put loops into an order, each that is new behind the one before it, or in front of the next one that is there."""
    for place, loop in enumerate(loops):
        if loop not in order:
            behind = next((order.index(each) for each in loops[place:] if each in order), len(order))
            order.insert(order.index(loops[place - 1]) + 1 if place else behind, loop)
