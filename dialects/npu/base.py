"""Base classes of the ops, and checks that verifiers share.

A verifier message names the op, the operand, result or attribute, the expected property and the one found:
`'npu.conv2d' kernel: expected 64 input channels, found 32`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import ClassVar, NamedTuple, TypeAlias

from xdsl.dialects.builtin import FloatAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import Commutative
from xdsl.utils.exceptions import VerifyException

from ...layout import MAX_RANK, Layout, Order, identity, prevailing
from ..names import operand_names, result_names
from .attrs import LayoutAttr, OpaqueType, StringType
from .axes import AxisTable, Marks, Orders, PossibleLayouts, Relayout, Role, RoleMap, agree, numbers_of
from .expected_shapes import note_expected
from .fusion import FusionKind
from .type_format import OpTypes
from .values import (
    element_type_of,
    has_one_element,
    is_boolean,
    is_float,
    is_supported,
    layout_of,
    logical_shape,
    order_of_value,
    rank_of,
    shape_of,
    shape_text,
    shapes_agree,
    tensor_type,
)

OwnTiles: TypeAlias = Mapping[str, Mapping[int, int]]
"""The blocks of logical axes of some operands and results, by name; none for a value that stays whole."""


class Declared(NamedTuple):
    """Layouts of operands and results that the op itself determines; None for the others."""

    operands: list[Layout | None]
    results: list[Layout | None]


class WeightedOutputs(NamedTuple):
    """The weights of which an op sums up products, and the outputs, each of which has sums of its own."""

    weights: SSAValue
    of_weights: int
    """The stored axis of the outputs in the weights."""
    axis: int
    """The stored axis of the outputs in the result."""
    takes_bias: bool
    """True if the op may have a third operand that it adds, with one number for each output."""


class NpuOp(IRDLOperation, ABC):
    """An op of the npu dialect."""

    FUSION_KIND: ClassVar[FusionKind]
    AXES: ClassVar[AxisTable] = AxisTable()
    """The attributes that name axes."""
    RESULT_AXES: ClassVar[tuple[str, ...]] = ()
    """The attributes that name an axis of the result for each axis of the operand."""
    TAKES_BLOCKS: ClassVar[bool] = False
    """True if axes of operands and results may be cut into blocks."""
    TAKES_TEXTS: ClassVar[bool] = False
    """True if operands and results may be texts."""

    custom_directives = (OpTypes,)

    def verify_(self) -> None:
        # xDSL would parse such an attribute of the generic form as the property, which would change the program.
        for name in self.attributes:
            if name in self.get_irdl_definition().properties:
                raise self.wrong(name, "a property", "an attribute of this name in the dictionary")
        # The custom form has no syntax for infinities and NaN.
        for name, value in self.properties.items():
            if isinstance(value, FloatAttr) and not isfinite(value.value.data):
                raise self.wrong(name, "a finite number", value.value.data)
        for index, value in enumerate(self.operands):
            if problem := _value_problem(value, self.TAKES_TEXTS):
                raise self.wrong(self.operand_names()[index], *problem)
        for index, value in enumerate(self.results):
            if problem := _value_problem(value, self.TAKES_TEXTS):
                raise self.wrong(self.result_names()[index], *problem)
        has_blocks = self.has_blocks()
        if has_blocks and not self.TAKES_BLOCKS:
            name, layout = next(self.cut_layouts())
            raise self.wrong(name, "a layout without blocks, which an unpack makes", layout)
        self.verify_meaning()
        self.verify_layouts()
        if has_blocks:
            self.verify_blocks()

    def commutes(self) -> bool:
        """True if the result has the same bits when the first two operands are exchanged."""
        return self.has_trait(Commutative)

    def verify_blocks(self) -> None:
        """Check the blocks and the padding of an op that takes blocks."""

    def weighted_outputs(self) -> WeightedOutputs | None:
        """The weights of an op that is linear in them, if one axis of them is that of the outputs."""
        return None

    def has_blocks(self) -> bool:
        """True if the axes of an operand or result are cut into blocks."""
        return any(map(_is_cut, self.operands)) or any(map(_is_cut, self.results))

    def cut_layouts(self) -> Iterator[tuple[str, Layout]]:
        """The operands and results whose axes are cut into blocks, by name."""
        names = *self.operand_names(), *self.result_names()
        for name, value in zip(names, (*self.operands, *self.results), strict=True):
            if (layout := layout_of(value)) is not None and layout.cut is not None:
                yield name, layout

    @abstractmethod
    def verify_meaning(self) -> None:
        """Check attributes, shapes and element types."""

    @abstractmethod
    def verify_layouts(self) -> None:
        """Check that the layouts of operands and results are compatible."""

    def wrong(self, name: str, expected: str, found: object) -> VerifyException:
        """An error about the operand, result or attribute of this name."""
        return VerifyException(f"'{self.name}' {name}: expected {expected}, found {found}")

    def operand_names(self) -> tuple[str, ...]:
        """A unique name for each operand; those of a variadic group are numbered."""
        return operand_names(self).each

    def result_names(self) -> tuple[str, ...]:
        """A unique name for each result; those of a variadic group are numbered."""
        return result_names(self).each

    # Interface for passes and tools. The defaults describe an op that no pass changes.

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        """The properties of the op that conditions of a target ask for, as far as it has them.

        `groups`, `depthwise`, and with one number per spatial axis in the order of the letters D, H, W: `kernel`,
        `stride` and `dilation`; `pads` has those before each axis, then those after. Products of matrices have `rows`
        and `columns`, those of each matrix that they compute.
        """
        return {}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        """The names that `facts` may have."""
        return ()

    @classmethod
    def possible_layouts(cls) -> Mapping[str, PossibleLayouts]:
        """The classes and ranks that operands and results can have, by name in a target; without those of any."""
        return {}

    @property
    def target_name(self) -> str:
        """The name by which a target refers to the op."""
        return self.name

    def operand_fields(self) -> tuple[str, ...]:
        """The name of each operand in a target; the values of a variadic group share one."""
        return operand_names(self).fields

    def result_fields(self) -> tuple[str, ...]:
        """The name of each result in a target."""
        return result_names(self).fields

    def carries(self, place: int) -> bool:
        """True if the data that flows through the op may come by an operand; a kernel is read beside it."""
        return self.operand_fields()[place] == self.operand_fields()[0]

    def product_factors(self) -> Sequence[SSAValue]:
        """The operands of which one may flow through the op while it holds the others, which are complete by then."""
        return ()

    def fusion_kind(self) -> FusionKind:
        """The behaviour of the op when it is fused."""
        return self.FUSION_KIND

    def data_layouts(self) -> list[tuple[str, SSAValue]]:
        """The attributes that state the layout of a value whose axes have letters, each with that value."""
        return []

    def declared(self) -> Declared | None:
        """The layouts that the op determines without knowing those of its values, or None."""
        return None

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        """The layouts of the results that follow from those of the operands; None for the others."""
        return [None] * len(self.results)

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        """The layouts of the operands that follow from those of the results; None for the others."""
        return [None] * len(self.operands)

    def roles(self) -> RoleMap | None:
        """The part that each axis plays, or None if it is not known."""
        return None

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """The properties that change when the axis of role i is split into `parts[i]` parts, in place.

        None if there is no such form of the op. Only roles that may be split are.
        """
        return {} if all(count == 1 for count in parts) else None

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        """The properties that change when runs of `counts[i]` adjacent roles are merged to one axis each.

        None if there is no such form of the op. Only roles that may be split and have equal places and marks are
        merged.
        """
        return {} if all(count == 1 for count in counts) else None

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The forms of the op for operands and results in these orders, best first; maybe none."""
        given = [order_of_value(value) for value in self.operands], [order_of_value(value) for value in self.results]
        if not (agree(operands, given[0]) and agree(results, given[1])):
            return []
        return [Relayout(tuple(given[0]), tuple(given[1]))]

    # Shared checks. Each raises the error or returns nothing.

    def check_shape(self, name: str, value: SSAValue, expected: Sequence[int]) -> None:
        note_expected(value, expected)
        if not shapes_agree(shape_of(value), expected):
            raise self.wrong(name, f"shape {shape_text(expected)}", shape_text(shape_of(value)))

    def check_rank(self, name: str, value: SSAValue, low: int, high: int | None = None) -> None:
        """Check the number of logical axes."""
        rank, layout = rank_of(value), layout_of(value)
        if layout is not None:
            rank = layout.logical_rank(rank)
        if not low <= rank <= (low if high is None else high):
            expected = f"rank {low}" if high is None else f"rank {low} to {high}"
            raise self.wrong(name, expected, shape_text(shape_of(value)))

    def check_element_type(self, name: str, value: SSAValue, expected: Attribute) -> None:
        if element_type_of(value) != expected:
            raise self.wrong(name, f"element type {expected}", element_type_of(value))

    def check_float(self, name: str, value: SSAValue) -> None:
        if not is_float(element_type_of(value)):
            raise self.wrong(name, "a float element type", element_type_of(value))

    def check_number(self, name: str, value: SSAValue) -> None:
        if is_boolean(element_type_of(value)):
            raise self.wrong(name, "a number as element type", element_type_of(value))

    def check_axis(self, name: str, axis: int, rank: int) -> None:
        if not 0 <= axis < rank:
            raise self.wrong(name, f"an axis from 0 to {rank - 1}", axis)

    def check_axes(self, name: str, axes: Sequence[int], rank: int) -> None:
        if len(set(axes)) != len(axes) or not all(0 <= axis < rank for axis in axes):
            raise self.wrong(name, f"different axes from 0 to {rank - 1}", list(axes))

    def check_some_axes(self, name: str, axes: Sequence[int], rank: int) -> None:
        if not axes:
            raise self.wrong(name, "at least one axis", list(axes))
        self.check_axes(name, axes, rank)

    def check_numbers(self, name: str, numbers: Sequence[int], count: int, low: int) -> None:
        if len(numbers) != count or any(number < low for number in numbers):
            raise self.wrong(name, f"{count} number{'s' * (count != 1)} of at least {low}", list(numbers))

    def check_word(self, name: str, word: StringAttr, words: Sequence[str]) -> None:
        if word.data not in words:
            quoted = [f'"{each}"' for each in words]
            raise self.wrong(name, f"{', '.join(quoted[:-1])} or {quoted[-1]}", f'"{word.data}"')

    def check_layout(self, name: str, value: SSAValue, expected: Layout, because: str) -> None:
        layout = layout_of(value)
        if layout is not None and layout.form != expected.form:
            raise self.wrong(name, f"layout {expected} {because}", layout)

    def known_layout(self, name: str, value: SSAValue, attribute: str, declared: LayoutAttr | None) -> Layout:
        """The layout of a value whose axes have letters: from its type, or else from the attribute."""
        layout = layout_of(value)
        if declared is not None and layout is not None and declared.data != layout:
            raise self.wrong(attribute, f"{layout} like the type of {name}", declared.data)
        if layout is not None:
            return layout
        if declared is None:
            raise self.wrong(name, f"a layout, in its type or as {attribute}", shape_text(shape_of(value)))
        if problem := declared.data.mismatch(shape_of(value)):
            raise self.wrong(attribute, f"a layout that fits {name}", problem)
        return declared.data

    def check_tensor_class(self, name: str, value: SSAValue) -> None:
        """Check that the class of a value has no letters."""
        layout = layout_of(value)
        if layout is not None and layout.cls.is_cnn:
            raise self.wrong(name, "a layout of class Tensor or NTensor", layout)


def _value_problem(value: SSAValue, takes_texts: bool) -> tuple[str, object] | None:
    """The expected and the found property of a value that no op of the dialect accepts, or None."""
    element = (type_ := tensor_type(value)).element_type
    if not is_supported(element) and not (takes_texts and isinstance(element, StringType | OpaqueType)):
        return "element type i1, i4 to i64, f16, bf16, f32 or f64", element
    if isinstance(type_.encoding, NoneAttr):
        return None
    if not isinstance(type_.encoding, LayoutAttr):
        return "a #npu.layout as encoding", type_.encoding
    if problem := type_.encoding.data.rank_mismatch(len(type_.shape)):
        return "a layout that fits the rank", problem
    if type_.encoding.data.cut is not None and (problem := type_.encoding.data.mismatch(type_.get_shape())):
        return "a layout that fits the shape", problem
    return None


def _is_cut(value: SSAValue) -> bool:
    encoding = tensor_type(value).encoding
    return isinstance(encoding, LayoutAttr) and encoding.data.cut is not None


def _ends_in_zeros(value: SSAValue) -> bool:
    """True if a value has padding, which is known to be zeros."""
    layout = layout_of(value)
    return layout is not None and bool(layout.padded_axes) and layout.has_zeros


def layouts_at(places: Iterable[int], layout: Layout, count: int) -> list[Layout | None]:
    """A list of length `count` with this layout at some places, and None elsewhere."""
    layouts: list[Layout | None] = [None] * count
    for place in places:
        layouts[place] = layout
    return layouts


def _orders(values: Iterable[SSAValue], asked: Orders, sharing: Sequence[int], shared: Order) -> tuple[Order, ...]:
    """The order of each operand or result: the shared one, or else the one asked for, or else the present one.

    A value of one element has the shared order unless another one is asked for.
    """
    orders: list[Order] = []
    shares = frozenset(sharing)
    for index, (value, order) in enumerate(zip(values, asked, strict=True)):
        if index in shares:
            order = shared
        elif order is None:
            follows = len(shared) == rank_of(value) and has_one_element(value)
            order = shared if follows else order_of_value(value)
        orders.append(order)
    return tuple(orders)


class SameLayoutOp(NpuOp, ABC):
    """An op whose operands and results share one layout.

    The layout of an operand of one element does not matter.
    """

    INDEPENDENT: ClassVar[frozenset[str]] = frozenset()
    """Operands and results with independent layouts, such as a vector with one number per channel."""
    REPEATS: ClassVar[bool] = False
    """True if an operand may have one element along an axis, which is repeated."""
    TAKES_BLOCKS: ClassVar[bool] = True
    TAKES_PADDING: ClassVar[bool] = True
    """True if axes that the attributes do not name may end in padding."""
    MAY_STAY_WHOLE: ClassVar[frozenset[str]] = frozenset()
    """Operands that may have no blocks where the other shared values have some; their layout is then independent."""
    KEEPS_ZEROS: ClassVar[bool] = False
    """True if an element is zero where those of all operands are zeros."""
    ASKS_FOR_ZEROS: ClassVar[frozenset[str]] = frozenset()
    """The operands of which the verifier asks whether they are constants of zeros, if there is padding."""

    def keeps_zeros(self) -> bool:
        """True if this op, with its attributes, computes zeros from zeros."""
        return self.KEEPS_ZEROS

    def verify_blocks(self) -> None:
        """Check that each position along a padded axis is computed alone, and that zeros are."""
        padded: dict[int, int] = {}
        for name, layout in self.cut_layouts():
            self.check_padding(name, layout)
            padded.update(layout.padded_axes)
        if padded:
            self._check_same_padding(padded)
            self._check_zeros()

    def relates(self, position: int) -> bool:
        """True if the op relates elements at different places along a stored axis to each other."""
        return bool(self.axis_marks(position)[0])

    def treats_alike(self, outer: int, inner: int) -> bool:
        """True if these pieces of an axis could be one axis for the op, which repeats both or none of them."""
        marks, splits = self.axis_marks(outer)
        if not splits or self.axis_marks(inner) != (marks, splits):
            return False
        if not self.REPEATS:
            return True
        full = [shape_of(value) for value in self.shared() if not has_one_element(value)]
        return len({(shape[outer], shape[inner]) for shape in full} - {(1, 1)}) <= 1

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        """The attributes that name axes, in identity order, after axes are cut; None if they cannot name the pieces."""
        rank = rank_of(self.results[0])
        return self.AXES.split_axes(self, [1 + (axis in tiles) for axis in range(rank)])

    def axes_uncut(self, tiles: Mapping[int, int]) -> dict[str, Attribute]:
        """The attributes that name pieces of axes, in identity order, after their pieces are one axis each."""
        rank = rank_of(self.results[0])
        return self.AXES.merge_axes(self, [1 + (axis in tiles) for axis in range(rank)])

    def tiles_of(self, operand: str, tiles: Mapping[int, int], own: OwnTiles) -> Mapping[int, int]:
        """The blocks of an operand with a layout of its own, by axis, if the shared values have these blocks, but for
        those that have their `own` ones by name: none where they stay whole."""
        return {}

    def check_padding(self, name: str, layout: Layout) -> None:
        """Check that the op computes each position along a padded axis alone."""
        if not layout.padded_axes:
            return
        if name in self.INDEPENDENT or not self.TAKES_PADDING:
            raise self.wrong(name, "a layout without padding, which an unpack drops", layout)
        for position in range(layout.rank or 0):
            if layout.axis_at(position) in layout.padded_axes and self.relates(position):
                raise self.wrong(name, f"no padding along dimension {position}, over which the op computes", layout)

    def _check_same_padding(self, padded: Mapping[int, int]) -> None:
        """Check that the axes end in the same place in all values, but for those in which they have one element."""
        for name, value in self._shared_by_name():
            layout, shape = layout_of(value), logical_shape(value)
            if layout is None:
                raise self.wrong(
                    name, "a layout in its type, as other values have padding", shape_text(shape_of(value))
                )
            wrong = {axis: size for axis, size in padded.items() if layout.padded_axes.get(axis) != size}
            for axis, size in wrong.items():
                if shape[axis] != 1 or axis in layout.padded_axes:
                    raise self.wrong(name, f"{size} elements along axis {axis} like other values", layout)

    def _check_zeros(self) -> None:
        """Check that padding of the results is zeros only if it is computed from zeros."""
        are_zeros = self.keeps_zeros() and all(map(_ends_in_zeros, self.operands))
        for name, value in zip(self.result_names(), self.results, strict=True):
            if not are_zeros and _ends_in_zeros(value):
                raise self.wrong(name, "padding that may be anything", layout_of(value))

    def sharing_operands(self) -> list[int]:
        """The indices of the operands that share the layout."""
        sharing = [index for index, operand in enumerate(self.operands) if not has_one_element(operand)]
        return self._dependent(sharing, self.operand_names()) if self.INDEPENDENT else sharing

    def sharing_results(self) -> list[int]:
        """The indices of the results that share the layout."""
        sharing = [*range(len(self.results))]
        return self._dependent(sharing, self.result_names()) if self.INDEPENDENT else sharing

    def _dependent(self, indices: Iterable[int], names: Sequence[str]) -> list[int]:
        """The indices of the values that are not `INDEPENDENT`."""
        return [index for index in indices if names[index] not in self.INDEPENDENT]

    def shared(self) -> list[SSAValue]:
        """The operands and results that share the layout."""
        operands = [self.operands[index] for index in self.sharing_operands()]
        return [*operands, *(self.results[index] for index in self.sharing_results())]

    def verify_layouts(self) -> None:
        if len({layout_of(value) for value in (*self.operands, *self.results)} - {None}) <= 1:
            return
        layouts = [(name, layout) for name, value in self._shared_by_name() if (layout := layout_of(value)) is not None]
        for name, layout in layouts[1:]:
            if not self.have_one_layout(layout, layouts[0][1]):
                raise self.wrong(name, f"layout {layouts[0][1].form} like {layouts[0][0]}", layout)

    def have_one_layout(self, one: Layout, other: Layout) -> bool:
        """True if values in these layouts share one."""
        return one.form == other.form

    def _shared_by_name(self) -> list[tuple[str, SSAValue]]:
        """The operands and results that share the layout, by name."""
        names = [self.operand_names()[index] for index in self.sharing_operands()]
        names += [self.result_names()[index] for index in self.sharing_results()]
        return [*zip(names, self.shared(), strict=True)]

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        """The prevailing layout of the operands, independent of their order."""
        shared = prevailing(operands[index] for index in self.sharing_operands())
        if shared is None:
            return [None] * len(self.results)
        return layouts_at(self.sharing_results(), shared, len(self.results))

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        known = [layout for index in self.sharing_results() if (layout := results[index]) is not None]
        if not known:
            return [None] * len(self.operands)
        return layouts_at(self.sharing_operands(), known[0], len(self.operands))

    # Axes.

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        """The marks of an axis, and True if it may be split."""
        return self.AXES.marks(self, axis)

    def roles(self) -> RoleMap | None:
        return self.shared_roles()

    def shared_roles(self) -> RoleMap:
        """One role for each shared axis; a vector along `axis` belongs to the role of that axis."""
        operands, results = self.sharing_operands(), self.sharing_results()
        vectors = [index for index, name in enumerate(self.operand_names()) if name in self.AXES.vectors]
        roles: list[Role] = []
        for axis in range(rank_of(self.results[results[0]])):
            marks, splits = self.axis_marks(axis)
            places = [(index, axis) for index in operands]
            if ("axis", 1) in marks:
                places += [(index, 0) for index in vectors if not has_one_element(self.operands[index])]
            roles.append(Role(tuple(places), tuple((index, axis) for index in results), splits, marks))
        return RoleMap(tuple(roles), self.described())

    def described(self) -> frozenset[str]:
        """The properties that the roles describe completely."""
        return frozenset(self.AXES.attributes)

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.split_axes(self, parts)

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.merge_axes(self, counts)

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        places, result_places = self.sharing_operands(), self.sharing_results()
        values, result_values = [*self.operands], self.results
        shared = [values[place] for place in places] + [result_values[place] for place in result_places]
        asked = {operands[place] for place in places} | {results[place] for place in result_places}
        asked.discard(None)
        rank = rank_of(shared[0])
        old = next((order_of_value(value) for value in shared if layout_of(value)), identity(rank))
        new = asked.pop() if asked else old
        if asked or new is None or len(new) != rank or (new != old and rank > MAX_RANK):
            return []
        orders = _orders(values, operands, places, new), _orders(result_values, results, result_places, new)
        properties = {**self.AXES.rewritten(self, old, new), **self.layout_properties(*orders)}
        return [Relayout(*orders, properties)]

    def layout_properties(self, operands: Sequence[Order], results: Sequence[Order]) -> dict[str, Attribute]:
        """The properties that state layouts, with the values for operands and results in these orders."""
        return {}


class VectorsAlongAxis(SameLayoutOp, ABC):
    """An op with operands that hold one number per position along `axis`, such as a scale per channel."""

    def check_vector(self, name: str, value: SSAValue, size: int) -> None:
        layout, whole = layout_of(value), layout_of(self.operands[0])
        if layout is None or layout.cut is None:
            self.check_shape(name, value, (size,))
        elif whole is None or whole.cut is None or whole.rank is None:
            raise self.wrong(name, "a layout without blocks, like the data", layout)
        elif self.vector_tiles(whole) != dict(layout.cut.tiles) or layout.logical_shape(shape_of(value)) != (
            whole.logical_shape(shape_of(self.operands[0]))[self._logical_axis(whole)],
        ):
            raise self.wrong(name, f"blocks like those of dimension {self.vector_axis} of {whole}", layout)

    @property
    def vector_axis(self) -> int:
        """The stored axis along which the vectors are."""
        return numbers_of(self.properties["axis"])[0]

    def _logical_axis(self, layout: Layout) -> int:
        return (
            layout.order_for(layout.rank or 0)[self.vector_axis]
            if layout.cut is None
            else layout.axis_at(self.vector_axis)
        )

    def vector_tiles(self, layout: Layout) -> dict[int, int]:
        """The blocks of a vector for data in this layout."""
        tile = layout.tile_of(self._logical_axis(layout))
        return {} if tile is None else {0: tile}

    def vector_places(self) -> list[int]:
        """The stored axes along which the vectors are: the outer and the inner piece if they are in blocks."""
        layout = layout_of(self.operands[0])
        if layout is None or layout.cut is None or not self.has_vectors_in_blocks():
            return [self.vector_axis]
        return layout.pieces_by_axis()[layout.axis_at(self.vector_axis)]

    def has_vectors_in_blocks(self) -> bool:
        """True if all vectors are in blocks, so that their axis and the data's are cut alike."""
        vectors = [
            value
            for name, value in zip(self.operand_names(), self.operands, strict=True)
            if name in self.AXES.vectors and not has_one_element(value)
        ]
        return all(map(_is_cut, vectors))
