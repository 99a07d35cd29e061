"""The plan that realises a choice of modes: each use reads a view of its storage, converted if byte orders differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, OpResult, SSAValue

from ....dialects.carrying.callers import runs_as_often
from ....dialects.npu.attrs import LayoutAttr
from ....dialects.npu.axes import Relayout
from ....dialects.npu.relayout import stored_in, type_in
from ....dialects.npu.shape import AnyTransposeOp, ViewOp
from ....dialects.npu.values import encoding, order_of_value, shape_of, tensor_type
from ....dialects.npu.views import Sizes, views_above
from ....layout import MAX_RANK, Layout, Order, identity, permutation_between, permute, same_storage
from ....layout.common_pieces import common_pieces
from ...common.graph.producers import Use
from ...common.moves.pack_facts import has_several_blocks
from ...common.plans.insertion import Before, InsertionPoint, at_border, at_exit, right_behind
from ...common.plans.plan import Conversion, LayoutPlan, Source
from ...common.storages.storage import ByteOrder, tensor_of_pieces
from ...common.words.reasons import Reason
from ..modes.block_forms import block_type
from ..modes.module_storage import ModuleStorage
from .mode_choice import ModeChoice, ModeUse


def kept_form(storage: ModuleStorage, view: ViewOp, order: Order, byte_order: ByteOrder) -> Relayout | None:
    """The relayout of a view of a value in some order that keeps the byte order in which their root is produced."""
    for relayout in view.relayouts([order], [None]):
        if storage.byte_order(view.result, relayout.results[0]) == byte_order:
            return relayout
    return None


def values_above(value: SSAValue, root: SSAValue) -> Iterator[SSAValue]:
    """A value, and those between it and the root of its storage."""
    yield value
    for view in views_above(value) if value is not root else ():
        yield view.input
        if view.input is root:
            return


RELABEL, VIEW = 1, 16
"""The weights of a view that renames axes, and of one that changes the shape."""


def distance(given: TensorType, wanted: TensorType) -> int:
    """The weight of the view that shows a value of one type as another one; 0 if none is needed."""
    if given == wanted:
        return 0
    return RELABEL if given.get_shape() == wanted.get_shape() else VIEW


class _Viewed(NamedTuple):
    """A value in the planned program, with its type there, and its sizes in the symbols of its storage."""

    source: Source
    type: TensorType
    sizes: Sizes


class PlanDraft:
    """The plan that realises a choice of modes, before the reasons for conversions are known.

    Relabels and reshapes of the program are kept where they still produce what a use reads. Its transposes lose their
    uses to the conversions of the plan.
    """

    def __init__(self, choice: ModeChoice) -> None:
        self.choice = choice
        self._views = [op for op in choice.table.module.walk() if isinstance(op, ViewOp) and op in choice.table.live]
        self._relayouts = choice.forms
        self._conversions: dict[Conversion, Use] = {}
        """The conversions and new views, with the use for which each was made."""
        self._reads: dict[Use, Source] = {}
        self._storage = choice.table.storage
        self._kept: dict[SSAValue, Order | None] = {}
        """Storage roots, and views of the program that keep the byte order of their root, with their orders.

        The order is None if the byte order of a root is no order of its axes.
        """
        self._keep_views()
        self._converted: dict[tuple[SSAValue, ByteOrder], _Viewed] = {}
        self._new_views: dict[tuple[Source, TensorType, Block | None], Conversion] = {}
        self._served: dict[tuple[SSAValue, ByteOrder], list[ModeUse]] = {}
        """The uses of each conversion, in program order."""
        for use in choice.uses:
            if use.is_converted:
                self._served.setdefault((use.root, use.byte_order), []).append(use)
        for use in choice.uses:
            self._connect(use)

    def plan(self, why: Callable[[ModeUse], str], strategy: str = "layout-optimal") -> LayoutPlan:
        """The plan. `why` states the reason for a conversion."""
        choice, table = self.choice, self.choice.table
        reasons = {use.use: Reason(None, why(use)) for use in choice.uses if use.is_converted}
        for conversion, use in self._conversions.items():
            conversion.reason = reasons.get(use)
        dead = [op for op in table.module.walk() if op not in table.live]
        return LayoutPlan(
            table.module,
            strategy,
            self._relayouts,
            [*self._conversions],
            self._reads,
            dead[::-1],
            self._views,
            {value: choice.given_type(value) for value in choice.modes if isinstance(value, SSAValue)},
            table.free_functions,
        )

    @property
    def new_views(self) -> Sequence[Conversion]:
        """The views that the plan inserts."""
        return [each for each in self._conversions if not each.moves]

    def stays_for(self, use: ModeUse) -> SSAValue | None:
        """The result of the transpose of the program that is the conversion of a use, if it stays."""
        source = self._converted[use.root, use.byte_order].source
        return None if isinstance(source, Conversion) else source

    @property
    def converted_types(self) -> Mapping[tuple[SSAValue, ByteOrder], TensorType | None]:
        """The types in which storages are converted; None where a transpose of the program stays."""
        return {
            key: viewed.type if isinstance(viewed.source, Conversion) else None
            for key, viewed in self._converted.items()
        }

    def _keep_views(self) -> None:
        for use in self.choice.uses:
            self._kept[use.root] = self.choice.given(use.root)[0]
        for view in self._views:
            if isinstance(view, AnyTransposeOp):
                self._keep_idle(view)
            elif (relayout := self._kept_form(view)) is not None:
                self._relayouts[view] = relayout
                self._kept[view.result] = relayout.results[0]

    def _keep_idle(self, view: AnyTransposeOp) -> None:
        """Keep a transpose that moves nothing, of a value that is as it was."""
        root, order, sizes = self._storage.root(view.result), order_of_value(view.result), shape_of(view.input)
        if not same_storage(identity(len(sizes)), view.moved(), sizes):
            return
        if root is not self._storage.root(view.input) or self._kept.get(view.input) != order_of_value(view.input):
            return
        if self._storage.byte_order(view.result, order) == self.choice.given(root)[1]:
            self._kept[view.result] = order

    def _kept_form(self, view: ViewOp) -> Relayout | None:
        root = self._storage.root(view.result)
        order = self._kept.get(view.input)
        if order is None or root is not self._storage.root(view.input):
            return None
        return kept_form(self._storage, view, order, self.choice.given(root)[1])

    def _connect(self, use: ModeUse) -> None:
        """Let a use read its storage in the byte order and under the type of its mode."""
        value = use.value
        point: InsertionPoint | None
        if use.is_converted:
            viewed, point = self._conversion(use), None
            if not isinstance(viewed.source, Conversion):
                viewed = self._unchanged(value)
                point = right_behind(value)
        elif (kept := self._kept_as_read(use)) is not None:
            viewed = self._as_kept(kept)
            point = right_behind(kept)
        else:
            viewed = self._as_kept(use.root)
            assert isinstance(value, OpResult)
            point = Before(value.op)
        viewed = self._view(viewed, use.type, use.sizes, point, use, value.name_hint)
        self._reads[use.use] = viewed.source

    def _kept_as_read(self, use: ModeUse) -> SSAValue | None:
        """A view that stays, of which the used value is one: of the type or the shape that is read, if any is."""
        above = dict.fromkeys([use.value, use.root, *values_above(use.value, use.root)])
        kept = [each for each in above if each in self._kept]
        nearest = min(kept, key=lambda each: distance(self._as_kept(each).type, use.type))
        if distance(self._as_kept(nearest).type, use.type) <= RELABEL:
            return None if nearest is use.root is not use.value else nearest
        return use.value if use.value in self._kept else None

    def _as_kept(self, value: SSAValue) -> _Viewed:
        """A value as its producer stores it."""
        order = self._kept[value]
        if order is not None:
            return _Viewed(value, stored_in(value, order), self._sizes(value, order))
        return _Viewed(value, self.choice.given_type(value), self.choice.given_sizes(value))

    def _sizes(self, value: SSAValue, order: Order) -> Sizes:
        return permute(self._storage.view(value).sizes, order)

    def _conversion(self, use: ModeUse) -> _Viewed:
        """The storage in the byte order of a use, converted for the first such use."""
        key = use.root, use.byte_order
        if key not in self._converted:
            self._converted[key] = self._transposed(use)
        return self._converted[key]

    def _transposed(self, use: ModeUse) -> _Viewed:
        """A transpose of the value that is used, or of its root, or of pieces of that."""
        packed = self._packed(use) or self._packed_as_priced(use)
        if packed is not None:
            return packed
        if (present := self._present(use)) is not None:
            return self._unchanged(present)
        value, root, order = use.value, use.root, use.order
        # A view in one block may not dominate users in another.
        is_possible = len(self._blocks(use)) == 1 and self._serves_all(use) and runs_as_often(value, root)
        kept = self._kept.get(value) if is_possible else None
        if kept is None and (whole := self._storage.order(root, use.byte_order)) is not None:
            value, order, kept = root, whole, self._kept[root]
        steps = self.choice.table.problem.steps(self.choice.given(root)[1], use.byte_order)
        if kept is not None and order is not None and len(order) <= MAX_RANK and len(steps) == 1:
            type_, sizes = stored_in(value, order), self._sizes(value, order)
            return self._moved(self._as_kept(value), type_, sizes, use)
        before, after = common_pieces(self.choice.given(root)[1], use.byte_order)
        type_, sizes = tensor_of_pieces(before, tensor_type(root).element_type), tuple(piece.size for piece in before)
        viewed = self._view(self._as_kept(root), type_, sizes, right_behind(root), use, root.name_hint)
        for step in steps if len(steps) > 1 else [tuple(map(before.index, after))]:
            before = permute(before, step)
            type_ = tensor_of_pieces(before, type_.element_type)
            viewed = self._transpose(viewed, step, type_, permute(viewed.sizes, step), use)
        return viewed

    def _present(self, use: ModeUse) -> SSAValue | None:
        """The transpose of the program that is this conversion, if all its uses read through it."""
        given, wanted = self.choice.given(use.root)[1], use.byte_order
        if len(self.choice.table.problem.steps(given, wanted)) != 1:
            return None
        found = {self._last_transpose(each.value, use.root) for each in self._served[use.root, wanted]}
        (op,) = found if len(found) == 1 else (None,)
        if op is None or self._kept.get(op.input) != order_of_value(op.input) or not runs_as_often(op, use.root):
            return None
        return op.result if self._storage.byte_order(op.result, order_of_value(op.result)) == wanted else None

    def _last_transpose(self, value: SSAValue, root: SSAValue) -> AnyTransposeOp | None:
        """The transpose behind which a value is the same data, through views that move nothing."""
        for view in views_above(value):
            if self._storage.root(view.input) is not root:
                break
            if isinstance(view, AnyTransposeOp) and not self._moves_nothing(view):
                return view
        return None

    def _moves_nothing(self, view: AnyTransposeOp) -> bool:
        before, after = (self._storage.byte_order(each, order_of_value(each)) for each in (view.input, view.result))
        return before == after

    def _unchanged(self, value: SSAValue) -> _Viewed:
        """A value of the program that stays, behind a transpose that does."""
        return _Viewed(value, tensor_type(value), self._sizes(value, order_of_value(value)))

    def _packed_as_priced(self, use: ModeUse) -> _Viewed | None:
        """A pack or unpack of the view of a root of which it has its price; None if no price tells them apart."""
        root, prices, given = use.root, self.choice.table.prices, self.choice.given(use.root)[1]
        if prices is None:
            return None
        into, out = prices.pack(root, given, use.byte_order), prices.pack(root, use.byte_order, given)
        found = into or out
        if found is None:
            return None
        value = found.view.value
        whole = stored_in(value, found.whole), self._sizes(value, found.whole)
        pieces = type_in(found.view.type, found.pieces), permute(found.view.cut.sizes, found.pieces)
        before, after = (whole, pieces) if into is not None else (pieces, whole)
        operand = self._view(self._as_kept(root), *before, right_behind(root), use, value.name_hint)
        return self._moved(operand, *after, use)

    def _packed(self, use: ModeUse) -> _Viewed | None:
        """A value moved into blocks, out of them, or to others; None where pieces of its axes are transposed."""
        root, viewed = use.root, self._as_kept(use.root)
        given, wanted = encoding(viewed.type), encoding(use.type)
        if given is None or wanted is None or not (given.tiles or wanted.tiles):
            return None
        if not given.tiles and self._is_priced_as_transpose(use):
            return None
        is_kept = self._kept.get(use.value) is not None and runs_as_often(use.value, root)
        if not given.tiles and is_kept and len(self._blocks(use)) == 1:
            return self._moved(self._as_kept(use.value), use.type, use.sizes, use)
        found = self._in_blocks(use, given, wanted)
        if found is not None and wanted.padded_axes and not given.padded_axes and self._kept.get(root) is None:
            before = block_type(root, self._storage, self.choice.given(root)[1])
            if before is None:
                return None
            viewed = self._view(viewed, *before, right_behind(root), use, root.name_hint)
        return None if found is None else self._moved(viewed, *found, use)

    def _in_blocks(self, use: ModeUse, given: Layout, wanted: Layout) -> tuple[TensorType, Sizes] | None:
        """The type of a root with its own axes, in blocks or whole, as a use wants it; None if it has no such type."""
        root, viewed, whole = use.root, self._as_kept(use.root), self._storage.order(use.root, use.byte_order)
        if given.tiles and whole is not None and (given.padded_axes or not wanted.tiles):
            return stored_in(root, whole), self._sizes(root, whole)
        after = self.choice.order_in_blocks(root, use.byte_order)
        if given.tiles and after is not None and (given.padded_axes or not wanted.padded_axes):
            permutation = permutation_between(given.order_for(len(after)), after)
            return _transposed(viewed.type, permutation, use.type), permute(viewed.sizes, permutation)
        if not (given.padded_axes or wanted.padded_axes or (self._kept.get(root) is not None and not given.tiles)):
            return None
        if use.value is root and wanted.tiles:
            return use.type, use.sizes
        return block_type(root, self._storage, use.byte_order)

    def _moved(self, operand: _Viewed, type_: TensorType, sizes: Sizes, use: ModeUse) -> _Viewed:
        """A pack or unpack, or a transpose if the type has the same pieces of axes and no zeros are written."""
        given, wanted = encoding(operand.type), encoding(type_)
        assert given is not None
        assert wanted is not None
        if wanted.is_packed_from(given):
            border, name = self._border(operand.source, use), use.value.name_hint
            return _Viewed(self._insert(operand, None, type_, sizes, border, use, name, is_pack=True), type_, sizes)
        orders = [layout.order_for(len(sizes)) for layout in (given, wanted)]
        return self._transpose(operand, permutation_between(*orders), type_, sizes, use)

    def _is_priced_as_transpose(self, use: ModeUse) -> bool:
        """True if a move into several blocks has the price of a transpose, where that of a pack may be another one."""
        prices, layout, shape = self.choice.table.prices, encoding(use.type), use.type.get_shape()
        if prices is None or not prices.tells_packs or layout is None or not layout.tiles:
            return False
        facts = prices.facts(use.root, self.choice.given(use.root)[1], use.byte_order)
        return facts is not None and facts.kind is None and has_several_blocks(layout, shape)

    def _transpose(
        self, operand: _Viewed, permutation: Order, type_: TensorType, sizes: Sizes, use: ModeUse
    ) -> _Viewed:
        source = operand.source
        named = source if not isinstance(source, Conversion) and source in self._kept else use.value
        conversion = self._insert(operand, permutation, type_, sizes, self._border(source, use), use, named.name_hint)
        return _Viewed(conversion, type_, sizes)

    def _border(self, source: Source, use: ModeUse) -> InsertionPoint | None:
        """The insertion point of a transpose; None is right behind the conversion that it reads."""
        root, users = use.root, [each.op for each in self._served[use.root, use.byte_order]]
        is_rewritten = isinstance(root, OpResult) and root.op in self._relayouts
        if not isinstance(source, Conversion):
            return at_border(source, users, is_rewritten)
        point = at_exit(source.source, users, is_rewritten)
        return point if isinstance(point, Before) else None

    def _blocks(self, use: ModeUse) -> set[Block | None]:
        """The blocks of the users that share a conversion."""
        return {each.op.parent for each in self._served[use.root, use.byte_order]}

    def _serves_all(self, use: ModeUse) -> bool:
        """True if a conversion of the value that is used can be viewed as each use of the conversion reads it.

        No view splits a product of unknown sizes.
        """
        merged = [Counter(size.symbols) for size in self._storage.view(use.value).sizes if len(size.symbols) > 1]
        return use.order is not None and all(
            any(symbols <= Counter(size.symbols) for size in each.sizes)
            for each in self._served[use.root, use.byte_order]
            for symbols in merged
        )

    def _view(
        self,
        viewed: _Viewed,
        type_: TensorType,
        sizes: Sizes,
        point: InsertionPoint | None,
        use: ModeUse,
        name: str | None,
    ) -> _Viewed:
        """A value under another type. Equal views in one block are shared."""
        if viewed.type == type_:
            return viewed
        key = viewed.source, type_, point.op.parent if isinstance(point, Before) else None
        if key not in self._new_views:
            permutation = _moved_units(viewed, type_, sizes)
            is_pack = permutation is None and _needs_pack(viewed.type, type_)
            if permutation is not None and (moved := _transposed(viewed.type, permutation, type_)) != type_:
                # Its letters are others as well.
                made = self._insert(viewed, permutation, moved, sizes, point, use, name, moves=False)
                viewed, permutation = _Viewed(made, moved, sizes), None
            view = self._insert(viewed, permutation, type_, sizes, point, use, name, is_pack, moves=False)
            self._new_views[key] = view
        return _Viewed(self._new_views[key], type_, sizes)

    def _insert(
        self,
        operand: _Viewed,
        permutation: Order | None,
        type_: TensorType,
        sizes: Sizes,
        point: InsertionPoint | None,
        use: ModeUse,
        name: str | None,
        is_pack: bool = False,
        moves: bool = True,
    ) -> Conversion:
        source = operand.source
        source, behind = (source.source, source) if isinstance(source, Conversion) else (source, None)
        conversion = Conversion(
            source=source,
            behind=behind,
            permutation=permutation,
            type=type_,
            source_sizes=operand.sizes,
            sizes=sizes,
            served=use.op,
            name=name,
            point=point,
            moves=moves and (is_pack or permutation is not None),
            is_pack=is_pack,
        )
        self._conversions[conversion] = use.use
        return conversion


def _needs_pack(given: TensorType, wanted: TensorType) -> bool:
    """True if values of these types are the same bytes in blocks of different sizes, of which some end in padding.

    Other axes may have the blocks under the other type, at the same places of the same shape.
    """
    before, after = encoding(given), encoding(wanted)
    if before is None or after is None or not (before.padded_axes and after.padded_axes):
        return False
    is_relabel = given.get_shape() == wanted.get_shape() and before.padded_places() == after.padded_places()
    return before.tiles != after.tiles and not is_relabel


def _moved_units(viewed: _Viewed, type_: TensorType, sizes: Sizes) -> Order | None:
    """The permutation of dimensions of one element that views padded blocks under a type; None if none is needed.

    The axes may have other letters there, but for those that end in padding.
    """
    before, after = encoding(viewed.type), encoding(type_)
    if before is None or after is None or not before.padded_axes:
        return None
    # All places of more than one element stay in order, and so do the inner ones of blocks.
    pairs = [sorted(each.padded_places(), key=itemgetter(1)) for each in (before, after)]
    if _sizes_in_blocks(before, pairs[0], viewed.type) != _sizes_in_blocks(after, pairs[1], type_):
        return None
    given, wanted = ([place for both in each for place in both] for each in pairs)
    source = dict(zip(wanted, given, strict=True))
    if sorted(size.is_unit for size in viewed.sizes) != sorted(size.is_unit for size in sizes):
        return None
    rest = [place for place in range(len(sizes)) if place not in given]
    units = iter([place for place in rest if viewed.sizes[place].is_unit])
    others = iter([place for place in rest if not viewed.sizes[place].is_unit])
    found = [
        source[place] if place in source else next(units if size.is_unit else others)
        for place, size in enumerate(sizes)
    ]
    return None if found == sorted(found) else tuple(found)


def _sizes_in_blocks(layout: Layout, places: Sequence[tuple[int, int]], type_: TensorType) -> list[tuple[int, ...]]:
    """For each axis that ends in padding its size, and those of its pieces."""
    sizes, shape = layout.padded_places(), type_.get_shape()
    return [(sizes[pair], *(shape[place] for place in pair)) for pair in places]


def _transposed(given: TensorType, permutation: Order, wanted: TensorType) -> TensorType:
    """The type of a transpose in blocks; what is known of its padding is as wanted."""
    before, after = encoding(given), encoding(wanted)
    assert before is not None
    assert after is not None
    layout = before.with_order(permute(before.order_for(len(permutation)), permutation)).with_zeros(after.has_zeros)
    return TensorType(given.element_type, permute(given.get_shape(), permutation), LayoutAttr(layout))
