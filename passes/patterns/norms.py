"""Matching of normalisations that are written in simpler ops."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

from ...dialects.npu.binary import AddOp, DivOp, MulOp, PowOp, SubOp
from ...dialects.npu.normalization import InstanceNormOp, LayerNormOp, RmsNormOp
from ...dialects.npu.reduction import ReduceMeanOp
from ...dialects.npu.shape import ReshapeOp
from ...dialects.npu.source import ConstantOp, written_numbers
from ...dialects.npu.unary import ReciprocalOp, RsqrtOp, SqrtOp
from ...dialects.npu.values import has_one_element, shape_of
from ...dialects.npu.views import views_above
from ...layout import UNIT, Arrangement, Extent, Piece, named, product


class WrittenNorm(NamedTuple):
    """A normalisation without parameters, written as arithmetic."""

    op: type[LayerNormOp | RmsNormOp]
    input: SSAValue
    axes: tuple[int, ...]
    epsilon: float
    parts: tuple[Operation, ...]
    """The ops of the formula besides the last one."""


def written_norm(op: Operation) -> WrittenNorm | None:
    """The normalisation of which an op is the last step, if the intermediate values have no other uses."""
    for distance, root in _quotients(op):
        found = _deviation(distance, root)
        if found is None or distance.type != op.results[0].type:
            continue
        axes, epsilon, parts = found
        centring = _centring(distance, axes)
        if centring is not None and all(use.operation in (op, *parts) for use in distance.uses):
            return WrittenNorm(LayerNormOp, centring[1].lhs, axes, epsilon, (*centring, *parts))
        return WrittenNorm(RmsNormOp, distance, axes, epsilon, parts)
    return None


def _quotients(op: Operation) -> Iterator[tuple[SSAValue, tuple[Operation, ...]]]:
    """The dividend of an op, and the ops that compute the square root it divides by."""
    if isinstance(op, DivOp) and isinstance(root := op.rhs.owner, SqrtOp):
        yield op.lhs, (root,)
    if isinstance(op, MulOp):
        for distance, factor in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if isinstance(inverse := factor.owner, RsqrtOp):
                yield distance, (inverse,)
            elif isinstance(inverse, ReciprocalOp) and isinstance(root := inverse.input.owner, SqrtOp):
                yield distance, (root, inverse)


def _deviation(
    distance: SSAValue, root: tuple[Operation, ...]
) -> tuple[tuple[int, ...], float, tuple[Operation, ...]] | None:
    """The axes, the epsilon and the ops, if the radicand is the mean of a distance's squares plus an epsilon."""
    shifted = root[0].operands[0].owner
    if not isinstance(shifted, AddOp):
        return None
    for variance, offset in ((shifted.lhs, shifted.rhs), (shifted.rhs, shifted.lhs)):
        epsilon, mean = number_of(offset), variance.owner
        if epsilon is None or epsilon < 0 or not isinstance(mean, ReduceMeanOp) or mean.keep is None:
            continue
        square = mean.input.owner
        parts = (square, mean, shifted, *root)
        if _is_square(square, distance) and all(isinstance(part, Operation) and _is_read_once(part) for part in parts):
            return tuple(sorted(mean.replaced())), epsilon, tuple(part for part in parts if isinstance(part, Operation))
    return None


def _is_square(op: object, value: SSAValue) -> bool:
    if isinstance(op, MulOp):
        return op.lhs is value and op.rhs is value
    return isinstance(op, PowOp) and op.lhs is value and number_of(op.rhs) == 2


def _centring(distance: SSAValue, axes: Sequence[int]) -> tuple[ReduceMeanOp, SubOp] | None:
    """The ops that subtract from a value its mean along the axes, if they compute the distance."""
    subtraction = distance.owner
    if not isinstance(subtraction, SubOp) or not isinstance(mean := subtraction.rhs.owner, ReduceMeanOp):
        return None
    is_mean = mean.input is subtraction.lhs and mean.keep is not None and sorted(mean.replaced()) == [*axes]
    # A value that is repeated along the mean is not the one that is normalised.
    is_whole = subtraction.lhs.type == distance.type
    return (mean, subtraction) if is_mean and is_whole and _is_read_once(mean) else None


def _is_read_once(op: Operation) -> bool:
    return len(op.results) == 1 and op.results[0].has_one_use()


# Normalisations of reshaped data.

NormOfViews: TypeAlias = InstanceNormOp | LayerNormOp


class RegroupedNorm(NamedTuple):
    """A normalisation between two reshapes, in terms of the operand of the first."""

    axes: tuple[int, ...]
    """The axes that are normalised wholly."""
    channels: int | None
    """The axis along which scale and bias vary, or which is normalised in groups."""
    groups: int | None
    """The number of groups into which it is split, if any."""


def norm_without_reshapes(norm: NormOfViews, above: ReshapeOp, below: ReshapeOp) -> RegroupedNorm | None:
    """The equivalent normalisation of the reshape's operand, if the reshape below restores that operand's type.

    The axes of the norm are traced back to those of the operand. Each must be normalised wholly or not at all, except
    for one, which may be split once: its inner part is normalised, its outer part counts the groups. Scale and bias
    must be uniform, or vary along that axis (along its groups) only.
    """
    value = above.input
    if value.type != below.result.type:
        return None
    whole = Arrangement.of(named(shape_of(value)))
    seen = above.view(whole)
    if seen is None or below.view(seen) != whole:
        return None
    if _is_plain(norm):
        along = ()
    elif isinstance(norm, InstanceNormOp):
        along = seen.axes[norm.axis.value.data]
    else:
        return None
    normalised = norm.axes.get_values()
    inside = [piece for axis in normalised for piece in seen.axes[axis]]
    outside = [piece for axis, pieces in enumerate(seen.axes) if axis not in normalised for piece in pieces]
    axes = tuple(axis for axis, size in enumerate(whole.shape) if _is_whole(axis, size, inside))
    split = {piece.axis for piece in inside} & {piece.axis for piece in outside}
    if not split:
        return _in_one_piece(axes, along, whole.shape)
    channels = min(split)
    lesser = [piece for piece in inside if piece.axis == channels]
    greater = [piece for piece in outside if piece.axis == channels]
    if len(split) > 1 or len(lesser) > 1 or len(greater) > 1 or lesser[0].inner != UNIT:
        return None
    # A dynamic number of channels or groups cannot be an attribute.
    is_known = not lesser[0].size.symbols and not greater[0].size.symbols
    return RegroupedNorm(axes, channels, greater[0].size.factor) if is_known and along in ((), tuple(greater)) else None


def _in_one_piece(axes: tuple[int, ...], along: Sequence[Piece], sizes: Sequence[Extent]) -> RegroupedNorm | None:
    if not axes:
        return None
    if not along:
        return RegroupedNorm(axes, None, None)
    channels = along[0].axis
    return RegroupedNorm(axes, channels, None) if len(along) == 1 and along[0].size == sizes[channels] else None


def _is_whole(axis: int, size: Extent, pieces: Sequence[Piece]) -> bool:
    """True if the pieces make up an axis of more than one element."""
    return not size.is_unit and product(piece.size for piece in pieces if piece.axis == axis) == size


def _is_plain(norm: NormOfViews) -> bool:
    """True if scale and bias are uniform."""
    return all(each is None or has_one_element(each) or number_of(each) is not None for each in (norm.scale, norm.bias))


# Parameters.


def number_of(value: SSAValue) -> float | None:
    """The value of a constant whose elements are all equal."""
    numbers = written_numbers(source_of(value))
    if numbers is None or 0 in shape_of(value) or not numbers.is_splat():
        return None
    number = numbers.get_values()[0]
    return float(number) if isinstance(number, int | float) else None


def source_of(value: SSAValue) -> SSAValue:
    """The root of a value's storage."""
    for view in views_above(value):
        value = view.input
    return value


def parameter(op: AddOp | MulOp, norm: SSAValue) -> SSAValue | None:
    """The constant that is added to a norm or multiplied with it, if it broadcasts to the shape of the norm."""
    other = op.rhs if op.lhs is norm else op.lhs
    if op.result.type != norm.type or not isinstance(source_of(other).owner, ConstantOp):
        return None
    if has_one_element(other):
        return other
    # A dynamic size of the norm might be 1; then the norm would be repeated.
    sizes = zip(shape_of(other), shape_of(norm), strict=True)
    return other if all(size in (1, whole) for size, whole in sizes) else None


def is_along(value: SSAValue, axis: int) -> bool:
    """True if a value of several elements varies along one axis only."""
    return not has_one_element(value) and all(size == 1 for other, size in enumerate(shape_of(value)) if other != axis)
