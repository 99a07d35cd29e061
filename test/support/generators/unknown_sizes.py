"""Programs with dynamic sizes, derived from programs with static ones."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from npu_opt.dialects.npu.attrs import OperandDim, ReshapeDimsAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import ReshapeOp, ViewOp
from npu_opt.dialects.npu.values import shape_of, tensor_type
from npu_opt.layout import DYNAMIC, UNIT, Arrangement, Extent, Piece
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

Axis: TypeAlias = tuple[SSAValue, int]
"""A physical axis of a value."""
Pieces: TypeAlias = tuple[Piece, ...]

MOST_AXES = 4
"""The largest number of argument axes that become dynamic."""


@dataclass(frozen=True)
class UnknownSizes:
    """A program with dynamic dimensions, and their sizes in the original program."""

    module: ModuleOp
    sizes: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By argument of @main and physical axis."""


def with_unknown_sizes(module: ModuleOp, seed: int) -> UnknownSizes:
    """The program, a function @main alone, with some axes of its arguments and all dependent axes made dynamic."""
    rng = Random(seed)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    following = _Following(function)
    axes = [(value, axis) for value in function.body.block.args for axis in _long_axes(value)]
    # In most models the leading axis is unknown.
    axes.sort(key=lambda each: rng.random() + (each[1] > 0))
    known = UnknownSizes(module.clone())
    unknown: set[Axis] = set()
    for value, axis in axes[: rng.randint(1, MOST_AXES)]:
        larger = unknown | following.of((value, axis))
        other = _without_sizes(module, larger)
        try:
            other.verify()
        except VerifyException:
            # Some ops need a static size.
            continue
        unknown = larger
        known = UnknownSizes(other, {**known.sizes, (value.index, axis): shape_of(value)[axis]})
    return known


def _long_axes(value: BlockArgument) -> Iterator[int]:
    if isa(value.type, TensorType):
        yield from (axis for axis, size in enumerate(value.type.get_shape()) if size > 1)


class _Following:
    """The axes of a function whose sizes depend on the size of another one."""

    def __init__(self, function: FuncOp):
        self.ops = [op for op in function.body.block.ops if isinstance(op, NpuOp)]
        self.views = {op: _pieces(op) for op in self.ops if isinstance(op, ViewOp)}
        self.roles = {op: op.roles() for op in self.ops if not isinstance(op, ViewOp)}

    def of(self, start: Axis) -> set[Axis]:
        """An axis of an argument, and the axes that depend on it."""
        reached = {start}
        for op in self.ops:
            following = self._in_view(op, reached) if isinstance(op, ViewOp) else self._in_roles(op, reached)
            reached.update(following)
        return reached

    def _in_view(self, op: ViewOp, reached: AbstractSet[Axis]) -> list[Axis]:
        views = enumerate(self.views[op])
        return [(op.result, axis) for axis, pieces in views if any((op.input, each.axis) in reached for each in pieces)]

    def _in_roles(self, op: NpuOp, reached: AbstractSet[Axis]) -> list[Axis]:
        following: list[Axis] = []
        roles = self.roles[op]
        for role in roles.roles if roles else ():
            sources = [(op.operands[index], axis) for index, axis in role.operands]
            sizes = {_size(source) for source in sources if source in reached}
            results = [(op.results[index], axis) for index, axis in role.results]
            following += [result for result in results if _size(result) in sizes]
        return following


def _size(axis: Axis) -> int:
    return shape_of(axis[0])[axis[1]]


def _pieces(op: ViewOp) -> tuple[Pieces, ...]:
    """For each axis of the result its source axis, if known."""
    view = op.view(Arrangement.of([Extent(size) for size in shape_of(op.input)]))
    return tuple(() for _ in shape_of(op.result)) if view is None else view.axes


def _without_sizes(module: ModuleOp, unknown: AbstractSet[Axis]) -> ModuleOp:
    """The program without the sizes of these axes."""
    result = module.clone()
    for old, new in zip(module.walk(), result.walk(), strict=True):
        for index, value in enumerate(old.results):
            _retype(new.results[index], value, unknown)
        if isinstance(old, FuncOp) and isinstance(new, FuncOp):
            for index, value in enumerate(old.body.block.args):
                _retype(new.body.block.args[index], value, unknown)
        if isinstance(old, ReshapeOp) and isinstance(new, ReshapeOp):
            _link(old, new)
    for function in result.ops:
        assert isinstance(function, FuncOp)
        function.update_function_type()
    return result


def _retype(value: SSAValue, old: SSAValue, unknown: AbstractSet[Axis]) -> None:
    if isa(old.type, TensorType):
        sizes = [DYNAMIC if (old, axis) in unknown else size for axis, size in enumerate(old.type.get_shape())]
        type_ = tensor_type(old)
        Rewriter.replace_value_with_new_type(value, TensorType(type_.element_type, sizes, type_.encoding))


def _link(old: ReshapeOp, new: ReshapeOp) -> None:
    """Name the source of the dynamic dimensions of a reshape, if they are dimensions of its operand."""
    sizes = shape_of(new.result)
    if DYNAMIC not in sizes and (old.dims is None or DYNAMIC not in shape_of(new.input)):
        return
    origins = [_whole(pieces, shape_of(old.input)) for pieces in _pieces(old)]
    new.dims = ReshapeDimsAttr(
        tuple(
            OperandDim(origin) if size == DYNAMIC and origin is not None else size
            for size, origin in zip(sizes, origins, strict=True)
        )
    )


def _whole(pieces: Pieces, operand: Sequence[int]) -> int | None:
    """The operand axis that becomes an axis of the result."""
    match pieces:
        case (Piece(axis=axis, inner=inner, size=size),) if inner == UNIT and size == Extent(operand[axis]):
            return axis
        case _:
            return None
