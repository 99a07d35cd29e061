"""Base class of the ops."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import isfinite
from typing import ClassVar, NamedTuple, TypeAlias

from xdsl.dialects.builtin import FloatAttr, NoneAttr, TensorType
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OpDef, operand_def, result_def, traits_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Commutative, Pure

from ...layout import Layout, Order
from ..program.names import operand_names, result_names
from .attrs import LayoutAttr, OpaqueType, StringType
from .axes import AxisTable, Counts, MatmulFreedom, Orders, PossibleLayouts, Relayout, RoleMap, agree, numbers_of
from .checks import CheckedOp
from .fusion import FusionKind
from .type_format import OpTypes, format_of
from .values import (
    is_supported,
    layout_of,
    order_of_value,
    rank_of,
    tensor_type,
)


class Declared(NamedTuple):
    """Layouts of operands and results that the op itself determines; None for the others."""

    operands: list[Layout | None]
    results: list[Layout | None]


class SourceData(NamedTuple):
    """The data of a source, which others may have as well."""

    key: Hashable
    """An identity that other data does not have."""
    axes: Order
    """For each dimension of the result that of the data; none where no other source has it."""


OwnTiles: TypeAlias = Mapping[str, Mapping[int, int]]
"""The blocks of logical axes of some operands and results, by name; none for a value that stays whole."""


class WeightedOutputs(NamedTuple):
    """The weights of which an op sums up products, and the outputs, each of which has sums of its own."""

    weights: SSAValue
    of_weights: int
    """The stored axis of the outputs in the weights."""
    axis: int
    """The stored axis of the outputs in the result."""
    takes_bias: bool
    """True if the op may have a third operand that it adds, with one number for each output."""


class Picked(NamedTuple):
    """The positions along an axis that a value takes of others, which have all other axes in common."""

    axis: int
    inputs: Sequence[SSAValue]
    places: Sequence[int]
    """The positions, which are counted through all inputs, one behind the other."""


class NpuOp(CheckedOp, ABC):
    """An op of the npu dialect."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OPAQUE
    AXES: ClassVar[AxisTable] = AxisTable()
    """The axes of operands and results, and the attributes that name axes."""
    RESULT_AXES: ClassVar[tuple[str, ...]] = ()
    """The attributes that name an axis of the result for each axis of the operand."""
    LETTERED: ClassVar[Mapping[str, str]] = {}
    """The operands and results whose axes a target names by letters, with these in the order of the op without
    attributes; a target may demand any order."""
    IS_PRODUCT: ClassVar[bool] = False
    """True if the op is a product of matrices, whose forms a target may restrict."""
    SHARES_LAYOUT: ClassVar[bool] = False
    """True if operands and results share one layout, but for those that have layouts of their own."""
    MAY_STAY_WHOLE: ClassVar[frozenset[str]] = frozenset()
    """Operands that may have no blocks where the other shared values have some; their layout is then independent."""
    TAKES_BLOCKS: ClassVar[bool] = False
    """True if axes of operands and results may be cut into blocks."""
    ASKS_FOR_ZEROS: ClassVar[frozenset[str]] = frozenset()
    """The operands of which the verifier asks whether they are constants of zeros, if there is padding."""
    COMPUTES_EACH: ClassVar[bool] = False
    """True if each position along the axis that an attribute names is computed alone, with the numbers of vectors."""
    TAKES_TEXTS: ClassVar[bool] = False
    """True if operands and results may be texts."""

    custom_directives = (OpTypes,)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in (*cls.AXES.values, *cls.AXES.attributes):
            if ABC not in cls.__bases__ and not hasattr(cls, name):
                raise TypeError(f"{cls.__name__}: AXES declares {name}, which is no operand, result or property")

    @classmethod
    def format_of(cls, definition: OpDef, fields: Sequence[str]) -> str:
        return format_of(definition, fields)

    def verify_(self) -> None:
        # xDSL would parse such an attribute of the generic format as the property, which would change the program.
        for name in self.attributes:
            if name in self.get_irdl_definition().properties:
                raise self.wrong(name, "a property", "an attribute of this name in the dictionary")
        # The custom format has no syntax for infinities and NaN.
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
        self._verify_named_axes()
        self.verify_meaning()
        self.verify_layouts()
        if has_blocks:
            self.verify_blocks()

    def _verify_named_axes(self) -> None:
        """Check the attributes that name axes of the first operand."""
        for name, kind, numbers in self.AXES.present(self):
            if kind.counts is Counts.EACH or not self.operands:
                continue
            rank = rank_of(self.operands[0])
            if kind.counts is Counts.ONE:
                self.check_axis(name, numbers[0], rank)
            elif not numbers and not kind.may_be_none:
                raise self.wrong(name, "at least one axis", [])
            else:
                self.check_axes(name, numbers, rank)

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
        return any(map(is_cut, self.operands)) or any(map(is_cut, self.results))

    def cut_layouts(self) -> Iterator[tuple[str, Layout]]:
        """The operands and results whose axes are cut into blocks, by name."""
        names = *self.operand_names(), *self.result_names()
        for name, value in zip(names, (*self.operands, *self.results), strict=True):
            if (layout := layout_of(value)) is not None and layout.tiles:
                yield name, layout

    @abstractmethod
    def verify_meaning(self) -> None:
        """Check attributes, shapes and element types."""

    @abstractmethod
    def verify_layouts(self) -> None:
        """Check that the layouts of operands and results are compatible."""

    def operand_names(self) -> tuple[str, ...]:
        """A unique name for each operand; those of a variadic group are numbered."""
        return operand_names(self).each

    def result_names(self) -> tuple[str, ...]:
        """A unique name for each result; those of a variadic group are numbered."""
        return result_names(self).each

    # Interface for passes and tools. The defaults describe an op that no pass changes.

    def picked(self, result: int) -> Picked | None:
        """The positions of the operands that a result has, if it has nothing else."""
        return None

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        """The properties of the op that conditions of a target ask for, as far as it has them.

        `groups`, `depthwise`, and with one number per spatial axis in the order of the letters D, H, W: `kernel`,
        `stride` and `dilation`; `pads` has those before each axis, then those after. Products of matrices have `rows`
        and `columns`, those of each matrix that they compute, and a concatenation has `appended`, the positions behind
        those of its first operand.
        """
        return {}

    def facts_of_form(self, is_swapped: bool) -> Mapping[str, bool | int | tuple[int, ...]]:
        """The facts of the form with these operands, or with the first two swapped."""
        return self.facts()

    @classmethod
    def axis_names(cls) -> tuple[str, ...]:
        """The names in a target of axes of the first operand whose positions the form of an op says."""
        return cls.AXES.named()

    def named_axes(self, name: str, relayout: Relayout | None = None) -> Sequence[int] | None:
        """The positions of the axes with this name, in a form or in the op as it is; None if it has none."""
        value = self.properties.get(name)
        if relayout is not None:
            value = relayout.properties.get(name, value)
        return None if value is None else numbers_of(value)

    def letters(self, name: str) -> str:
        """The letter of each logical axis of an operand or result, if a target names them by letters; else empty."""
        return ""

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

    def read_transposed(self, properties: Mapping[str, Attribute], operands: Sequence[SSAValue]) -> list[str]:
        """The names of the operands that a form with these properties and operands reads transposed."""
        return []

    @property
    def is_source(self) -> bool:
        """True if the op reads no value, and can make its result in any order for each use."""
        return False

    def source_data(self) -> SourceData:
        """The data that the op makes, if it is a source."""
        return SourceData(self, ())

    def fusion_kind(self) -> FusionKind:
        """The behaviour of the op when it is fused."""
        return self.FUSION_KIND

    def data_layouts(self) -> list[tuple[str, SSAValue]]:
        """The attributes that state the layout of a value whose axes have letters, each with that value."""
        return []

    def sharing_operands(self) -> list[int]:
        """The indices of the operands that share one layout with others."""
        return []

    def sharing_results(self) -> list[int]:
        """The indices of the results that share one layout with others."""
        return []

    def shared(self) -> list[SSAValue]:
        """The operands and results that share one layout."""
        return []

    def tiles_of(self, operand: str, tiles: Mapping[int, int], own: OwnTiles) -> Mapping[int, int]:
        """The blocks of an operand with a layout of its own, by axis, if the shared values have these blocks, but for
        those that have their `own` ones by name: none where they stay whole."""
        return {}

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        """The attributes that name axes, in identity order, after axes are cut; None if they cannot name the pieces."""
        return {}

    def axes_uncut(self, tiles: Mapping[int, int]) -> dict[str, Attribute]:
        """The attributes that name pieces of axes, in identity order, after their pieces are one axis each."""
        return {}

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

    def relayouts_within(self, operands: Orders, results: Orders, freedom: MatmulFreedom) -> list[Relayout]:
        """The relayouts that hardware can run which gives products of matrices this freedom."""
        return self.relayouts(operands, results)

    def in_line(self, operands: Orders, results: Orders) -> tuple[Orders, Orders]:
        """The orders asked for, and those of other values in which the axes that attributes name increase."""
        return operands, results


class SimplifiedOp(NpuOp, HasCanonicalizationPatternsInterface, ABC):
    """An op with canonicalization patterns."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        # Imported late: the patterns import the ops, and most programs are parsed without being rewritten.
        from .canonicalization import patterns_of

        return patterns_of(cls)


class InputOp(NpuOp, ABC):
    """An op without effects that computes a result from an input, and maybe from parameters."""

    input = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure())


def _value_problem(value: SSAValue, takes_texts: bool) -> tuple[str, object] | None:
    """The expected and the found property of a value that no op of the dialect accepts, or None."""
    element = (type_ := tensor_type(value)).element_type
    if not is_supported(element) and not (takes_texts and isinstance(element, StringType | OpaqueType)):
        return "element type i1 to i64, f4 to f64 or bf16", element
    if isinstance(type_.encoding, NoneAttr):
        return None
    if not isinstance(type_.encoding, LayoutAttr):
        return "a #npu.layout as encoding", type_.encoding
    if problem := type_.encoding.data.rank_mismatch(len(type_.shape)):
        return "a layout that fits the rank", problem
    if type_.encoding.data.tiles and (problem := type_.encoding.data.mismatch(type_.get_shape())):
        return "a layout that fits the shape", problem
    return None


def is_cut(value: SSAValue) -> bool:
    """True if the axes of a value are cut into blocks."""
    encoding = tensor_type(value).encoding
    return isinstance(encoding, LayoutAttr) and bool(encoding.data.tiles)
