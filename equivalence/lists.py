"""Vectors of few numbers by their elements: sizes, constants, and elements of other vectors.

An op with such a vector has a number, or several, for some of its axes. It is compared by the element that each axis
has, so that it does not matter in which order the vector lists them.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ..dialects.npu.axes import Role, RoleMap
from ..dialects.npu.dynamic import ListedOp, ShapeOfOp
from ..dialects.npu.movement import GatherOp, SliceOp
from ..dialects.npu.values import element_type_of
from ..layout import Arrangement, Extent
from .constants import Constants, integers_in
from .merged import MergedAxes
from .positions import places_of
from .roles import Computation, OpAxes, axes_of
from .values import NumberedValue, sizes_of, tensor

Elements: TypeAlias = tuple[int, ...]
"""The number of each element; equal ones are equal in every run."""
MOST_ELEMENTS = 64


class Lists:
    """The vectors numbered so far."""

    def __init__(self, number: Callable[[Hashable], int], constants: Constants, merged: MergedAxes) -> None:
        self._number = number
        self._constants = constants
        self._merged = merged
        self._elements: dict[int, Elements] = {}
        """The elements of a node."""
        self._nodes: dict[tuple[Attribute, Elements], int] = {}
        """The node with these elements."""

    def sizes(self, op: ShapeOfOp, operand: NumberedValue) -> NumberedValue:
        """The vector of the sizes that an op returns."""
        sizes = [tensor(operand).shape[axis] for axis in op.axes.get_values()]
        return self._vector(tuple(map(self._size, sizes)), element_type_of(op.result))

    def gathered(self, op: GatherOp, data: NumberedValue, indices: NumberedValue) -> NumberedValue | None:
        """The vector of the elements of another one that constant indices select; None if it is none of few numbers."""
        known = self._known(op.indices, indices)
        elements = None if known is None else self._elements_of(op.input, data)
        if known is None or elements is None:
            return None
        places = [place for place in known if isinstance(place, int) and -len(elements) <= place < len(elements)]
        if len(places) < len(known):
            return None
        return self._vector(tuple(elements[place] for place in places), element_type_of(op.result))

    def sliced(self, op: SliceOp, data: NumberedValue) -> NumberedValue | None:
        """The vector of the elements that a slice takes of another one; None if that is no vector of known elements."""
        if data.node not in self._elements or (elements := self._elements_of(op.input, data)) is None:
            return None
        start, limit, step = (each.get_values()[0] if each else 1 for each in (op.starts, op.limits, op.steps))
        taken = elements[start:limit:step]
        return self._vector(taken, element_type_of(op.result)) if taken else None

    def computation(self, op: ListedOp, operands: Sequence[NumberedValue]) -> tuple[Computation, OpAxes] | None:
        """The key of an op by the elements that its axes have, and its axes; None if these are not known."""
        found = [self._elements_of(op.operands[index], operands[index]) for index in op.lists()]
        elements = [each for each in found if each is not None]
        if len(elements) < len(found):
            return None
        count = len(op.axes.get_values())

        def with_elements(role: Role) -> Role:
            marks = dict(role.marks)
            if isinstance(place := marks.get("axes"), int):
                marks["axes"] = tuple(number for each in elements for number in each[place::count])
            return replace(role, marks=tuple(marks.items()))

        known = op.known_roles()
        # The elements of the lists count, not their axes.
        roles = RoleMap(tuple(with_elements(role) for role in known.roles if role.results), known.described)
        sizes = list(map(sizes_of, op.results))
        axes = axes_of(roles, [tensor(operands[0])], sizes, (0,), self._merged)
        properties = tuple(sorted((key, value) for key, value in op.properties.items() if key not in roles.described))
        single = [each for index, each in enumerate(operands) if index and index not in op.lists()]
        nodes = (operands[0].node, *(self._number(("one element", each)) for each in single))
        return Computation(op.name, properties, (), nodes, axes.axes), axes

    def _size(self, size: Extent) -> int:
        return self._number(("size", size) if size.symbols else ("constant element", size.factor))

    def _vector(self, elements: Elements, element: Attribute) -> NumberedValue:
        """The vector with these elements: the one that has them already, or a new one."""
        node = self._nodes.get((element, elements))
        if node is None:
            node = self._number(("vector", element, elements))
            self._enter(node, elements, element)
        return NumberedValue(node, Arrangement.of([Extent(len(elements))]))

    def _enter(self, node: int, elements: Elements, element: Attribute) -> None:
        self._elements[node] = elements
        self._nodes.setdefault((element, elements), node)

    def _known(self, value: SSAValue, numbered: NumberedValue) -> Sequence[Hashable] | None:
        """The numbers of a constant vector of few: integers, or the bytes of others."""
        count, element = _count(numbered), element_type_of(value)
        if count is None or numbered.stored is None:
            return None
        rows = self._constants.numbers(numbered.node, numbered.stored)
        if rows is None or len(rows) not in (1, count):
            return None
        found: list[Hashable] = [(element, row.tobytes()) for row in rows]
        if isa(element, IntegerType):
            found = [int(each) for each in integers_in(rows, element)]
        return found if len(found) == count else found * count

    def _elements_of(self, value: SSAValue, numbered: NumberedValue) -> Elements | None:
        """The elements of a vector of few numbers."""
        if (known := self._known(value, numbered)) is not None:
            return tuple(self._number(("constant element", each)) for each in known)
        count = _count(numbered)
        if count is None or numbered.stored is None:
            return None
        node, (pieces,) = numbered.node, numbered.stored.axes
        is_of_vector = {piece.axis for piece in pieces} == {0} and not any(piece.size.symbols for piece in pieces)
        places: list[int] = places_of(pieces).tolist() if is_of_vector else []
        if sorted(places) != list(range(count)):
            return None
        if node not in self._elements:
            self._enter(
                node, tuple(self._number(("element", node, place)) for place in range(count)), element_type_of(value)
            )
        return tuple(self._elements[node][place] for place in places)


def _count(numbered: NumberedValue) -> int | None:
    """The number of elements of a vector of few; else None."""
    if numbered.stored is None or len(numbered.stored.axes) != 1:
        return None
    size = numbered.stored.shape[0]
    return None if size.symbols or not 0 < size.factor <= MOST_ELEMENTS else size.factor
