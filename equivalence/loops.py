"""Ops of linalg and tosa as nests of loops, and the axes that they have whatever the orders of their operands.

An indexing map relates the loops to the axes of one value, so each loop is a role. Loops of which an expression such as
`d1 * 2 + d4` is made have one role together, as the axes of a window do. Destinations that are only written are not
read. An op with `linalg.index`, with effects, or with other expressions is no nest: it is known by its text.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import arith, tosa
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.tensor import CollapseShapeOp, EmptyOp, ExpandShapeOp, ExtractSliceOp, InsertSliceOp, PadOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.ir.affine import AffineBinaryOpKind as Kind
from xdsl.utils.hints import isa

from ..dialects.loops.nest import NestOp
from ..dialects.npu.axes import Marks, Place, Role, RoleMap, numbers_of
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import is_supported, rank_of, shape_of
from ..layout import DYNAMIC, REPEATED, UNIT, Arrangement, Extent, Order, Piece
from .nodes import Nodes
from .notes import meaningful
from .outcome import may_have_effects
from .roles import axes_of
from .values import NumberedValue, element_type, sizes_of, tensor

JOINING = (
    arith.AddfOp,
    arith.AddiOp,
    arith.AndIOp,
    arith.MaximumfOp,
    arith.MaxnumfOp,
    arith.MaxSIOp,
    arith.MaxUIOp,
    arith.MinimumfOp,
    arith.MinnumfOp,
    arith.MinSIOp,
    arith.MinUIOp,
    arith.MulfOp,
    arith.MuliOp,
    arith.OrIOp,
    arith.XOrIOp,
)
"""The ops that join elements in any order, up to rounding."""


MEMOIZED = "linalg.memoized_indexing_maps"
"""The attribute in which MLIR keeps the indexing maps of a named op."""


BY_AXES = (ExtractSliceOp.name, InsertSliceOp.name, PadOp.name)
"""The ops with lists of a number for each axis."""
LISTS, SIZES, STRIDES, SEGMENTS = "static_", "static_sizes", "static_strides", "operandSegmentSizes"
"""Properties of these ops: the first letters of all lists, two of them, and the numbers of operands of each kind."""


class Nest(NamedTuple):
    """An op over a nest of loops."""

    values: Sequence[SSAValue]
    """The values that it takes, destinations last."""
    maps: Sequence[AffineMap]
    """The maps of these, and behind them of results without a destination."""
    joins: Sequence[bool]
    """For each loop, true if it joins elements."""
    results: Sequence[SSAValue]
    body: Block | None
    """The code on the elements; None if the name says it."""
    name: Hashable
    numbers: Sequence[Hashable] = ()
    """For each loop the numbers that the op has for it; None if it does nothing along the axis."""

    @property
    def border(self) -> int:
        """The number of values that are no destinations."""
        return len(self.maps) - len(self.results)

    def read(self) -> list[int]:
        """The places of the values that the op reads; of a destination it may only write the elements."""
        uses = None if self.body is None else [argument.first_use is not None for argument in self.body.args]
        return [place for place in range(len(self.values)) if uses is None or place < self.border or uses[place]]


def nest_of(op: Operation) -> Nest | None:
    """The nest of loops that an op is; None if it is none over tensors, or does more."""
    if not op.results or not all(isa(result.type, TensorType) for result in op.results):
        return None
    name: tuple[Hashable, ...] = (meaningful({key: each for key, each in op.attributes.items() if key != MEMOIZED}),)
    match op:
        case NestOp():
            maps, joins = [each.data for each in op.indexing_maps.data], _joins(op.iterator_types.data)
            if op.op_name.data in BY_AXES:
                order = [min(each.used_dims()) for each in maps[0].results]
                found = _by_axes(op, op.op_name.data, op.kept.data, order, _block(op.body), op.operands)
                return found if _only_computes(found) else None
            name = name if op.body.blocks else (*name, op.op_name.data, tuple(sorted(op.kept.data.items())))
            found = Nest(op.taken(), maps, joins, op.results, _block(op.body), name)
        case PadOp() | InsertSliceOp() | ExtractSliceOp():
            code = _block(op.regions[0]) if op.regions else None
            found = _by_axes(op, op.name, op.properties, range(rank_of(op.results[0])), code, op.operands)
            return found if _only_computes(found) else None
        case linalg.TransposeOp():
            return None
        case LinalgStructuredOperation():
            maps, joins = [each.data for each in op.get_indexing_maps()], _joins(op.get_iterator_types().data)
            found = Nest(op.operands, maps, joins, op.results, _block(op.body), name)
        case linalg.ReduceOp() | linalg.BroadcastOp():
            rank, named = max(map(rank_of, op.operands)), op.dimensions.get_values()
            rest = AffineMap(rank, 0, tuple(AffineDimExpr(axis) for axis in range(rank) if axis not in named))
            maps = [AffineMap.identity(rank) if rank_of(each) == rank else rest for each in op.operands]
            joins = [isinstance(op, linalg.ReduceOp) and axis in named for axis in range(rank)]
            found = Nest(op.operands, maps, joins, op.results, _block(op.regions[0]), name)
        case tosa.ElementwiseOperation() | tosa.ClampOp():
            rank = rank_of(op.results[0])
            maps = [_repeated(each, op.results[0]) for each in (*op.operands, *op.results)]
            name = *name, op.name, tuple(sorted(op.properties.items()))
            found = Nest(op.operands, maps, [False] * rank, op.results, None, name)
        case _:
            return None
    return found if _only_computes(found) else None


def _only_computes(nest: Nest | None) -> bool:
    """True unless the code of an op has effects, or asks for the numbers of loops."""
    code = [] if nest is None or nest.body is None else [*nest.body.walk()]
    return not any(isinstance(each, linalg.IndexOp) or may_have_effects(each) for each in code if each.results)


def _by_axes(
    op: Operation,
    name: str,
    properties: Mapping[str, Attribute],
    order: Sequence[int],
    body: Block | None,
    values: Sequence[SSAValue],
) -> Nest | None:
    """An op with lists of a number for each axis, the axes of which are those of the lists in this order.

    None unless all numbers are known, the values have one rank, and the code does not ask for the place.
    """
    every = [*values, *op.results]
    if any(not isa(each.type, TensorType) or rank_of(each) != len(order) or -1 in shape_of(each) for each in every):
        return None
    if body is not None and any(each.first_use is not None for each in body.args):
        return None
    lists = {key: numbers_of(value) for key, value in sorted(properties.items()) if key.startswith(LISTS)}
    rest = tuple((key, value) for key, value in sorted(properties.items()) if key not in lists and key != SEGMENTS)
    numbers: list[Hashable] = []
    for place, axis in enumerate(order):
        found = tuple((key, numbers[axis]) for key, numbers in lists.items())
        is_idle = all(number == (key == STRIDES) for key, number in found if key != SIZES)
        is_idle = is_idle and len({shape_of(each)[place] for each in every}) == 1
        numbers.append(None if is_idle else found)
    maps = [AffineMap.identity(len(order))] * len(every)
    whole = (meaningful(op.attributes), name, rest)
    return Nest(values, maps, [False] * len(order), op.results, body, whole, numbers)


def constant_of(op: Operation) -> ConstantOp | None:
    """A tensor of written-out numbers as a constant, outside of the program; None for all other ops."""
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr) or op.attributes:
        return None
    return ConstantOp(op.value) if is_supported(op.value.get_element_type()) else None


def permutation_of(op: Operation) -> Order | None:
    """The permutation of a transpose of linalg, if it is one of tensors."""
    if not isinstance(op, linalg.TransposeOp) or not op.results or op.attributes.keys() - {MEMOIZED}:
        return None
    return tuple(op.permutation.get_values())


def reshaped(op: Operation, operands: Sequence[NumberedValue], nodes: Nodes) -> NumberedValue | None:
    """The operand of a collapse or expansion in its new shape; None for unknown sizes, and for all other ops."""
    if not isinstance(op, CollapseShapeOp | ExpandShapeOp) or meaningful(op.attributes):
        return None
    stored, sizes = tensor(operands[0]), shape_of(op.result)
    if any(size <= 0 for size in (*shape_of(op.src), *sizes)):
        return None
    found = nodes.merged.reshaped(stored, list(map(Extent, sizes)))
    return None if found is None else NumberedValue(operands[0].node, found)


def empty(op: Operation, sizes: Sequence[NumberedValue], nodes: Nodes) -> NumberedValue | None:
    """An empty tensor, whose elements are anything; None for all other ops."""
    if not isinstance(op, EmptyOp):
        return None
    unknown = iter(sizes)
    extents = [
        Extent(1, (nodes.number(("value", next(unknown).node)),)) if size == DYNAMIC else Extent(size)
        for size in shape_of(op.tensor)
    ]
    pieces = [() if size.is_unit else (Piece(REPEATED, UNIT, size),) for size in extents]
    return NumberedValue(nodes.number(("anything", element_type(op.tensor.type))), Arrangement(tuple(pieces)))


def _block(region: Region) -> Block | None:
    return region.blocks[0] if region.blocks else None


def _joins(kinds: Sequence[Attribute]) -> list[bool]:
    return [kind != IteratorTypeAttr.parallel() for kind in kinds]


def _repeated(value: SSAValue, result: SSAValue) -> AffineMap:
    """The map of a value of an elementwise op of tosa: axes of one element are repeated, and a parameter has none."""
    sizes, whole = shape_of(value), shape_of(result)
    if len(sizes) != len(whole):
        return AffineMap(len(whole), 0, ())
    pairs = enumerate(zip(sizes, whole, strict=True))
    axes = [AffineConstantExpr(0) if size == 1 != full else AffineDimExpr(axis) for axis, (size, full) in pairs]
    return AffineMap(len(whole), 0, tuple(axes))


class _Loop:
    """A loop, with its places among the operands that are read and among the results."""

    def __init__(self) -> None:
        self.operands: list[Place] = []
        self.results: list[Place] = []

    @property
    def name(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The values that have the loop as an axis, which do not depend on the numbers of loops."""
        return tuple(sorted(place for place, _ in self.operands)), tuple(sorted(place for place, _ in self.results))


def roles_of(nest: Nest, tensors: Sequence[int]) -> list[Role] | None:
    """The roles of the axes of these values and of the results; None if an expression is not understood."""
    loops = [_Loop() for _ in nest.joins]
    windows: list[tuple[Place, Mapping[int, int]]] = []
    roles: list[Role] = []
    for index, place in enumerate(tensors):
        for axis, expression in enumerate(nest.maps[place].results):
            match expression:
                case AffineDimExpr(position=loop):
                    loops[loop].operands.append((index, axis))
                case AffineConstantExpr(value=0) if shape_of(nest.values[place])[axis] == 1:
                    roles.append(Role(((index, axis),)))
                case _ if terms := _terms(expression):
                    windows.append(((index, axis), terms))
                case _:
                    return None
    for index, map_ in enumerate(nest.maps[nest.border :]):
        for axis, expression in enumerate(map_.results):
            if not isinstance(expression, AffineDimExpr):
                return None
            loops[expression.position].results.append((index, axis))
    if any(joins == bool(loop.results) for joins, loop in zip(nest.joins, loops, strict=True)):
        return None
    is_ordered = any(nest.joins) and not _joins_in_any_order(nest)
    if windows and is_ordered:
        return None
    together = [set(terms) for _, terms in windows]
    for each in together:
        if any(each & other for other in together if other is not each):
            return None
    for place, terms in windows:
        if (role := _window(place, terms, loops)) is None:
            return None
        roles.append(role)
    in_windows = set[int]().union(*together)
    order = iter(range(len(loops)))
    for number, loop in enumerate(loops):
        if number not in in_windows:
            marks: Marks = (("order", next(order)),) if is_ordered and nest.joins[number] else ()
            if nest.numbers and nest.numbers[number] is not None:
                marks = (("numbers", nest.numbers[number]),)
            if any(count > 1 for places in loop.name for count in Counter(places).values()):
                marks = (*marks, ("twice", 1))
            roles.append(Role(tuple(loop.operands), tuple(loop.results), not marks, marks))
    return roles


def _terms(expression: AffineExpr) -> dict[int, int] | None:
    """The loops of a sum, each with its factor; None for other expressions."""
    match expression:
        case AffineDimExpr(position=loop):
            return {loop: 1}
        case AffineBinaryOpExpr(kind=Kind.Mul, lhs=AffineDimExpr(position=loop), rhs=AffineConstantExpr(value=factor)):
            return {loop: factor}
        case AffineBinaryOpExpr(kind=Kind.Add, lhs=lhs, rhs=rhs):
            left, right = _terms(lhs), _terms(rhs)
            return None if left is None or right is None or left.keys() & right.keys() else left | right
        case _:
            return None


def _window(place: Place, terms: Mapping[int, int], loops: Sequence[_Loop]) -> Role | None:
    """The role of an axis whose place is a sum of loops; None if the values do not tell these apart."""
    operands = [place, *(each for loop in terms for each in loops[loop].operands)]
    results = [each for loop in terms for each in loops[loop].results]
    names = {loop: loops[loop].name for loop in terms}
    is_clear = all(len({value for value, _ in side}) == len(side) for side in (operands, results))
    if not is_clear or len(set(names.values())) < len(names) or ((), ()) in names.values():
        return None
    factors = tuple(sorted((names[loop], factor) for loop, factor in terms.items()))
    return Role(tuple(operands), tuple(results), False, (("window", (place[0], factors)),))


def _joins_in_any_order(nest: Nest) -> bool:
    """True if each destination is joined with something that no destination is a part of."""
    if nest.body is None or nest.body.last_op is None:
        return False
    destinations = nest.body.args[nest.border :]
    for argument, joined in zip(destinations, nest.body.last_op.operands, strict=True):
        uses = [*argument.uses]
        if len(uses) != 1 or uses[0].operation is not joined.owner or not isinstance(joined.owner, JOINING):
            return False
        if len([*joined.uses]) != 1:
            return False
    return True


def known_sizes(op: Operation, nest: Nest, destinations: Sequence[NumberedValue]) -> list[list[Extent | None]]:
    """The sizes of the results: an unknown one is that of an operand that is read, or else of the destination."""
    read = {each for place in nest.read() for each in nest.maps[place].results}
    sizes: list[list[Extent | None]] = []
    for index, result in enumerate(nest.results):
        size, shape = sizes_of(result), shape_of(result)
        axes = op.axes_in_destination(index) if isinstance(op, NestOp) and destinations else range(len(shape))
        for axis, loop in enumerate(nest.maps[nest.border + index].results):
            if size[axis] is None and loop not in read and destinations:
                size[axis] = tensor(destinations[index]).shape[axes[axis]]
        sizes.append(size)
    return sizes


def numbered(
    op: Operation, nest: Nest, values: Sequence[NumberedValue], body: Hashable, nodes: Nodes
) -> Sequence[NumberedValue] | None:
    """Number an op by its loops and what it takes; None if its loops are not understood."""
    read = nest.read()
    tensors = [place for place in read if nest.maps[place].results]
    if (roles := roles_of(nest, tensors)) is None:
        return None
    stored = [tensor(values[place]) for place in tensors]
    sizes = known_sizes(op, nest, values[nest.border :])
    axes = axes_of(RoleMap(tuple(roles)), stored, sizes, range(len(tensors)), nodes.merged)
    taken = tuple((place, values[place].node) for place in read)
    types = tuple(element_type(result.type) for result in nest.results)
    return nodes.computed((("loops", nest.name, body, taken, types, axes.axes), axes), op)
