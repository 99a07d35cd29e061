"""Miscompiles: valid programs with a planted compiler mistake.

A miscompile is applied to an op of a program and returns True if it found something to change; if not, the program is
as before. The caller checks that a changed program is still valid and computes something else.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from npu_opt.dialects.npu.attention import AttentionOp, HeadsOp, RotaryOp
from npu_opt.dialects.npu.attrs import LayoutAttr, i64_array, i64_attr
from npu_opt.dialects.npu.axes import numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.binary import DivOp, LessOp, PowOp, PreluOp, SubOp
from npu_opt.dialects.npu.convolution import ForwardConvolutionOp
from npu_opt.dialects.npu.elementwise import BinaryOp, UnaryOp
from npu_opt.dialects.npu.feature import FeatureOp, WindowedOp
from npu_opt.dialects.npu.indexing import REDUCTIONS, GatherElementsOp, ScatterElementsOp, ScatterOp, TopKOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.movement import ConcatOp, GatherOp, PadOp, ReverseOp, SliceOp, SplitOp
from npu_opt.dialects.npu.normalization import BatchNormOp, GroupNormOp, NormalizationOp
from npu_opt.dialects.npu.pooling import AvgPoolOp
from npu_opt.dialects.npu.recurrent import DIRECTIONS, RecurrentOp
from npu_opt.dialects.npu.reduction import AxisReductionOp, CumsumOp, ReduceMaxOp, ReduceMinOp, ReduceSumOp
from npu_opt.dialects.npu.sampling import DeformConvOp, GridSampleOp, RoiAlignOp
from npu_opt.dialects.npu.shape import BroadcastOp, RelabelOp, ReshapeOp, TransposeOp
from npu_opt.dialects.npu.signal import DftOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import element_type_of, is_boolean, layout_of, order_of_value, shape_of, tensor_type
from npu_opt.layout import Layout, LayoutClass, Order, identity, invert, permute, same_storage
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, StringAttr, TensorType, UnitAttr, f64
from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from support.generators.sample_source import typed
from support.generators.samplers import constant_data, made
from support.generators.shuffle import permuted_data

Mutate = Callable[[Operation, Random], bool]


# Helpers.


def equal_axes(shape: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of axes of the same size, whose exchange does not show in the type."""
    return [(a, b) for a, b in combinations(range(len(shape)), 2) if shape[a] == shape[b] > 1]


def exchange(rank: int, pair: tuple[int, int]) -> Order:
    order = list(range(rank))
    order[pair[0]], order[pair[1]] = order[pair[1]], order[pair[0]]
    return tuple(order)


def add_before(op: Operation, new: Operation) -> SSAValue:
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.results[0]


def exchanged_axes(op: Operation, value: SSAValue, rng: Random) -> SSAValue | None:
    """The value with two axes of the same size exchanged, of the same type."""
    pairs = equal_axes(shape_of(value))
    if not pairs:
        return None
    permutation = exchange(len(shape_of(value)), rng.choice(pairs))
    return add_before(op, made(TransposeOp, [value], [tensor_type(value)], permutation=permutation))


def relabelled(op: Operation, value: SSAValue, type_: TensorType) -> SSAValue:
    """The stored bytes of a value under another type of the same shape."""
    if value.type == type_:
        return value
    return add_before(op, made(RelabelOp, [value], [type_]))


def replace_result(op: Operation, value: SSAValue) -> bool:
    op.results[0].replace_all_uses_with(value)
    return True


def set_operand(op: Operation, index: int, value: SSAValue | None) -> bool:
    if value is None:
        return False
    op.operands[index] = value
    return True


def swap_operands(op: Operation, one: int, other: int) -> bool:
    left, right = op.operands[one], op.operands[other]
    if left is right or left.type != right.type:
        return False
    op.operands[one], op.operands[other] = right, left
    return True


# Transposes.


def swapped_permutation(op: Operation, rng: Random) -> bool:
    permutation = list(numbers_of(op.properties["permutation"]))
    pairs = equal_axes(shape_of(op.results[0]))
    if not pairs:
        return False
    op.properties["permutation"] = i64_array(*permute(permutation, exchange(len(permutation), rng.choice(pairs))))
    return True


def inverted_permutation(op: Operation, rng: Random) -> bool:
    permutation = tuple(numbers_of(op.properties["permutation"]))
    op.properties["permutation"] = i64_array(*invert(permutation))
    return invert(permutation) != permutation


def relabel_for_transpose(op: Operation, rng: Random) -> bool:
    """A transpose becomes a relabel of the same type."""
    if shape_of(op.operands[0]) != shape_of(op.results[0]) or layout_of(op.results[0]) is None:
        return False
    new = add_before(op, made(RelabelOp, [op.operands[0]], [tensor_type(op.results[0])]))
    return replace_result(op, new)


def dropped_transpose(op: Operation, rng: Random) -> bool:
    value, result = op.operands[0], op.results[0]
    permutation = tuple(numbers_of(op.properties["permutation"]))
    if value.type != result.type or same_storage(identity(len(permutation)), permutation, shape_of(value)):
        return False
    return replace_result(op, value)


def wrong_shared_transpose(op: Operation, rng: Random) -> bool:
    """Use another transpose of the same value, one with other users."""
    others = [
        use.operation
        for use in op.operands[0].uses
        if isinstance(use.operation, TransposeOp)
        and use.operation is not op
        and use.operation.properties != op.properties
        and shape_of(use.operation.result) == shape_of(op.results[0])
        and use.operation.is_before_in_block(op)
    ]
    if others:
        return replace_result(op, relabelled(op, rng.choice(others).results[0], tensor_type(op.results[0])))
    # Without a transpose, one is added.
    value = op.operands[0]
    permutation = tuple(rng.sample(range(len(shape_of(value))), len(shape_of(value))))
    if permute(shape_of(value), permutation) != shape_of(op.results[0]):
        return False
    new = made(TransposeOp, [value], [tensor_type(op.results[0])], permutation=permutation)
    return replace_result(op, add_before(op, new))


def forgotten_output_transpose(op: Operation, rng: Random) -> bool:
    """Return a value in another order of the same shape."""
    index = rng.randrange(len(op.operands))
    owner = op.operands[index].owner
    if isinstance(owner, TransposeOp) and shape_of(owner.input) == shape_of(owner.result):
        return set_operand(op, index, relabelled(op, owner.input, tensor_type(owner.result)))
    return set_operand(op, index, exchanged_axes(op, op.operands[index], rng))


def flatten_of_permuted_data(op: Operation, rng: Random) -> bool:
    """Flatten the data before a matrix product in another stored order."""
    assert isinstance(op, ReshapeOp)
    value, rank = op.input, len(shape_of(op.input))
    if rank < 3 or len(shape_of(op.result)) > 2:
        return False
    permutation = tuple(rng.sample(range(rank), rank))
    layout = layout_of(value)
    order = permute(order_of_value(value), permutation)
    there = typed(element_type_of(value), permute(shape_of(value), permutation), layout and layout.with_order(order))
    moved = add_before(op, made(TransposeOp, [value], [there], permutation=permutation))
    if layout is None:
        return set_operand(op, 0, moved)
    plain = relabelled(op, moved, typed(element_type_of(value), there.get_shape(), Layout(LayoutClass.TENSOR)))
    op.properties.pop("dims", None)
    return set_operand(op, 0, plain)


def operand_with_exchanged_axes(op: Operation, rng: Random) -> bool:
    """Store one operand of two in another order than its type states."""
    index = rng.randrange(2)
    return set_operand(op, index, exchanged_axes(op, op.operands[index], rng))


# Attributes.


def attributes_as_before(op: Operation, rng: Random) -> bool:
    """Store the operand in another order, and keep the attributes that name axes."""
    assert isinstance(op, NpuOp)
    if len(op.results) != 1 or not ({"axis", "axes", "low", "starts", "repeats"} & set(op.properties)):
        return False
    value, result = op.operands[0], op.results[0]
    if len(shape_of(value)) != len(shape_of(result)):
        return False
    pairs = [pair for pair in equal_axes(shape_of(value)) if pair in equal_axes(shape_of(result))]
    if not pairs or any(len(shape_of(other)) == len(shape_of(value)) for other in op.operands[1:]):
        return False
    permutation = exchange(len(shape_of(value)), rng.choice(pairs))
    op.operands[0] = add_before(op, made(TransposeOp, [value], [tensor_type(value)], permutation=permutation))
    back = made(TransposeOp, [result], [tensor_type(result)], permutation=permutation)
    Rewriter.insert_op(back, InsertPoint.after(op))
    result.replace_uses_with_if(back.results[0], lambda use: use.operation is not back)
    return True


def next_axis(op: Operation, rng: Random) -> bool:
    if "axis" not in op.properties:
        return False
    (axis,) = numbers_of(op.properties["axis"])
    op.properties["axis"] = i64_attr((axis + 1) % len(shape_of(op.operands[0])))
    return True


def other_axes(op: Operation, rng: Random) -> bool:
    if "axes" not in op.properties:
        return False
    axes, rank = numbers_of(op.properties["axes"]), len(shape_of(op.operands[0]))
    op.properties["axes"] = i64_array(*rng.sample(range(rank), len(axes)))
    return set(axes) != set(numbers_of(op.properties["axes"]))


def exchanged_broadcast_axes(op: Operation, rng: Random) -> bool:
    if len(numbers_of(op.properties["axes"])) < 2:
        return False
    return set_operand(op, 0, exchanged_axes(op, op.operands[0], rng))


def interleaved_pads(op: Operation, rng: Random) -> bool:
    if "pads" not in op.properties:
        return False
    pads = numbers_of(op.properties["pads"])
    half = len(pads) // 2
    wrong = [pads[axis + side * half] for axis in range(half) for side in (0, 1)]
    if tuple(wrong) == tuple(pads):
        wrong = [*pads[half:], *pads[:half]]
    op.properties["pads"] = i64_array(*wrong)
    return tuple(wrong) != tuple(pads)


def dilations_for_strides(op: Operation, rng: Random) -> bool:
    names = "strides", "dilations"
    left, right = (op.properties.pop(name, None) for name in names)
    for name, value in zip(names, (right, left), strict=True):
        if value is not None:
            op.properties[name] = value
    return left != right


def strides_reversed(op: Operation, rng: Random) -> bool:
    found = False
    for name in ("strides", "dilations", "window"):
        if name in op.properties:
            numbers = numbers_of(op.properties[name])
            op.properties[name] = i64_array(*numbers[::-1])
            found = found or numbers != numbers[::-1]
    return found


def low_for_high(op: Operation, rng: Random) -> bool:
    op.properties["low"], op.properties["high"] = op.properties["high"], op.properties["low"]
    return op.properties["low"] != op.properties["high"]


def other_epsilon(op: Operation, rng: Random) -> bool:
    if "epsilon" not in op.properties:
        return False
    op.properties["epsilon"] = FloatAttr(0.5, f64)
    return True


def other_groups(op: Operation, rng: Random) -> bool:
    (groups,) = numbers_of(op.properties["groups"])
    op.properties["groups"] = i64_attr(rng.choice([each for each in (1, 2, 3, 4, 6) if each != groups]))
    return True


def toggled(name: str) -> Mutate:
    def change(op: Operation, rng: Random) -> bool:
        if op.properties.pop(name, None) is None:
            op.properties[name] = UnitAttr()
        return True

    return change


def other_axes_of_heads(op: Operation, rng: Random) -> bool:
    """Exchange two axes of one size in what an op on heads says of a value."""
    assert isinstance(op, HeadsOp)
    values = [(name, getattr(op, name)) for name in op.LETTERED]
    found: list[tuple[str, str]] = []
    for name, value in values:
        axes, sizes = op.axes_of(name), shape_of(value)
        for one, other in combinations(range(4), 2):
            if sizes[one] == sizes[other] > 1:
                letters = [*axes]
                letters[one], letters[other] = axes[other], axes[one]
                found.append((name, "".join(letters)))
    if not found:
        return False
    name, axes = rng.choice(found)
    op.properties[f"{name}_axes"] = StringAttr(axes)
    return True


def other_number(name: str) -> Mutate:
    def change(op: Operation, rng: Random) -> bool:
        op.properties[name] = FloatAttr(0.75, f64)
        return True

    return change


def other_word(name: str, words: Sequence[str]) -> Mutate:
    def change(op: Operation, rng: Random) -> bool:
        others = [each for each in map(StringAttr, words) if each != op.properties.get(name, StringAttr(words[0]))]
        op.properties[name] = rng.choice(others)
        return True

    return change


def shifted_slice(op: Operation, rng: Random) -> bool:
    starts, limits = (list(numbers_of(op.properties[name])) for name in ("starts", "limits"))
    cut = [axis for axis, size in enumerate(shape_of(op.operands[0])) if shape_of(op.results[0])[axis] < size]
    if not cut:
        return False
    axis = rng.choice(cut)
    size = shape_of(op.operands[0])[axis]
    starts[axis] += 1 if starts[axis] not in (-1, size - 1) else -1
    limits[axis] = min(limits[axis] + 1, size) if limits[axis] > 0 else limits[axis]
    op.properties["starts"], op.properties["limits"] = i64_array(*starts), i64_array(*limits)
    return True


# Operands and results.


def exchanged_operands(op: Operation, rng: Random) -> bool:
    return swap_operands(op, 0, 1)


def exchanged_inputs(op: Operation, rng: Random) -> bool:
    count = len(op.operands)
    return count > 1 and swap_operands(op, *rng.sample(range(count), 2))


def wrong_value(op: Operation, rng: Random) -> bool:
    """Replace one operand by another value of the same type."""
    block = op.parent
    if block is None or not op.operands:
        return False
    index = rng.randrange(len(op.operands))
    known = [*block.args, *(each for other in block.ops if other.is_before_in_block(op) for each in other.results)]
    others = [each for each in known if each.type == op.operands[index].type and each is not op.operands[index]]
    return bool(others) and set_operand(op, index, rng.choice(others))


def exchanged_results(op: Operation, rng: Random) -> bool:
    if len(op.results) < 2:
        return False
    one, other = rng.sample(list(op.results), 2)
    if one.type != other.type:
        return False
    uses = list(one.uses), list(other.uses)
    for use in uses[0]:
        use.operation.operands[use.index] = other
    for use in uses[1]:
        use.operation.operands[use.index] = one
    return bool(uses[0] or uses[1])


def mirrored(index: int) -> Mutate:
    """Reverse an operand."""

    def change(op: Operation, rng: Random) -> bool:
        if len(op.operands) <= index:
            return False
        value = op.operands[index]
        axes = [axis for axis, size in enumerate(shape_of(value)) if size > 1]
        if not axes:
            return False
        new = made(ReverseOp, [value], [tensor_type(value)], axes=[rng.choice(axes)])
        return set_operand(op, index, add_before(op, new))

    return change


def exchanged_letters(op: Operation, rng: Random) -> bool:
    """Relabel the data so that the letters of two axes of the same size are exchanged."""
    assert isinstance(op, FeatureOp)
    index = op.operand_names().index(op.AXES.feature_map)
    value, result = op.operands[index], op.results[0]
    layout = layout_of(value)
    pairs = equal_axes(shape_of(value))
    if layout is None or not pairs or len(op.operands) > 2 or layout_of(result) != layout:
        return False
    pair = rng.choice(pairs)
    if shape_of(result)[pair[0]] != shape_of(result)[pair[1]]:
        return False
    other = layout.with_order(permute(layout.order_for(len(shape_of(value))), exchange(len(shape_of(value)), pair)))
    op.properties.pop("data_layout", None)
    op.operands[index] = relabelled(op, value, typed(element_type_of(value), shape_of(value), other))
    new_result = Rewriter.replace_value_with_new_type(
        result, TensorType(element_type_of(result), shape_of(result), LayoutAttr(other))
    )
    back = made(RelabelOp, [new_result], [typed(element_type_of(result), shape_of(new_result), layout)])
    Rewriter.insert_op(back, InsertPoint.after(op))
    new_result.replace_uses_with_if(back.results[0], lambda use: use.operation is not back)
    return True


def dropped_op(op: Operation, rng: Random) -> bool:
    return op.operands[0].type == op.results[0].type and replace_result(op, op.operands[0])


def other_op(*classes: type[NpuOp]) -> Mutate:
    """Replace the op by another one with the same types."""

    def change(op: Operation, rng: Random) -> bool:
        new = rng.choice([each for each in classes if not isinstance(op, each)]).create(
            operands=op.operands, result_types=[op.results[0].type], properties=dict(op.properties)
        )
        return replace_result(op, add_before(op, new))

    return change


def permuted_constant(op: Operation, rng: Random) -> bool:
    assert isinstance(op, ConstantOp)
    pairs = equal_axes(shape_of(op.result))
    if not pairs or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return False
    permutation = exchange(len(shape_of(op.result)), rng.choice(pairs))
    op.properties["value"] = constant_data(tensor_type(op.result), permuted_data(op, permutation))
    return True


def changed_constant(op: Operation, rng: Random) -> bool:
    """Flip one bit of one element."""
    assert isinstance(op, ConstantOp)
    if not isinstance(op.value, DenseIntOrFPElementsAttr) or is_boolean(element_type_of(op.result)):
        return False
    data = bytearray(op.value.data.data)
    if not data:
        return False
    data[rng.randrange(len(data))] ^= 0x20
    op.properties["value"] = constant_data(tensor_type(op.result), bytes(data))
    return True


# Effects.


def impure(op: Operation) -> bool:
    return isinstance(op, OpaqueOp) and op.pure is None


def next_effect(op: Operation) -> Operation | None:
    found = op.next_op
    while found is not None and not impure(found):
        found = found.next_op
    return found


def merged_effects(op: Operation, rng: Random) -> bool:
    """Merge two equal ops that are not pure. Either direction is the same to compare, so the mutant has two."""
    if not impure(op):
        return False
    Rewriter.insert_op(op.clone(), InsertPoint.after(op))
    return True


def dropped_effect(op: Operation, rng: Random) -> bool:
    if not impure(op) or any(result.first_use is not None for result in op.results):
        return False
    Rewriter.erase_op(op)
    return True


def swapped_effects(op: Operation, rng: Random) -> bool:
    other = next_effect(op)
    if not impure(op) or other is None or any(operand.owner is op for operand in other.operands):
        return False
    if any(isinstance(operand.owner, Operation) and op.is_before_in_block(operand.owner) for operand in other.operands):
        return False
    other.detach()
    Rewriter.insert_op(other, InsertPoint.before(op))
    return True


KINDS: dict[str, tuple[tuple[type[Operation], ...], Mutate]] = {
    "swapped permutation": ((TransposeOp,), swapped_permutation),
    "inverted permutation": ((TransposeOp,), inverted_permutation),
    "relabel instead of transpose": ((TransposeOp,), relabel_for_transpose),
    "transpose dropped": ((TransposeOp,), dropped_transpose),
    "shared transpose in the wrong order": ((TransposeOp,), wrong_shared_transpose),
    "output transpose forgotten": ((ReturnOp,), forgotten_output_transpose),
    "un-permuted flatten": ((ReshapeOp,), flatten_of_permuted_data),
    "operand in another order": ((BinaryOp,), operand_with_exchanged_axes),
    "axis attributes not rewritten": ((NpuOp,), attributes_as_before),
    "axis off by one": ((NpuOp,), next_axis),
    "other axes reduced": ((AxisReductionOp, NormalizationOp, ReverseOp), other_axes),
    "broadcast axes exchanged": ((BroadcastOp,), exchanged_broadcast_axes),
    "pads in the wrong order": ((WindowedOp,), interleaved_pads),
    "dilations for strides": ((WindowedOp,), dilations_for_strides),
    "strides or window reversed": ((WindowedOp,), strides_reversed),
    "low and high of a pad exchanged": ((PadOp,), low_for_high),
    "epsilon changed": ((NormalizationOp,), other_epsilon),
    "groups changed": ((GroupNormOp,), other_groups),
    "padding counted or not": ((AvgPoolOp,), toggled("count_padding")),
    "flag of a product flipped": ((LinearOp,), toggled("trans_b")),
    "running sum turned round": ((CumsumOp,), toggled("reverse")),
    "wrong slice": ((SliceOp,), shifted_slice),
    "operands exchanged": ((SubOp, DivOp, PowOp, LessOp, PreluOp), exchanged_operands),
    "operands of a product exchanged": ((LinearOp,), exchanged_operands),
    "scale and bias exchanged": ((NormalizationOp,), exchanged_inputs),
    "concat operands exchanged": ((ConcatOp,), exchanged_inputs),
    "wrong value passed to a call": ((CallOp,), wrong_value),
    "split results exchanged": ((SplitOp,), exchanged_results),
    "returned values exchanged": ((ReturnOp,), exchanged_inputs),
    "kernel mirrored": ((ForwardConvolutionOp,), mirrored(1)),
    "bias or scale mirrored": ((ForwardConvolutionOp, BatchNormOp), mirrored(2)),
    "indices mirrored": ((GatherOp,), mirrored(1)),
    "letters exchanged": ((FeatureOp,), exchanged_letters),
    "other axes of heads": ((HeadsOp,), other_axes_of_heads),
    "later keys seen or hidden": ((AttentionOp,), toggled("causal")),
    "scale of attention changed": ((AttentionOp,), other_number("scale")),
    "cap of attention changed": ((AttentionOp,), other_number("softcap")),
    "mask mirrored": ((AttentionOp,), mirrored(3)),
    "other pairs turned": ((RotaryOp,), toggled("interleaved")),
    "smallest for largest": ((TopKOp,), toggled("smallest")),
    "elements gathered along another order": ((GatherElementsOp,), mirrored(1)),
    "scattered in another way": ((ScatterElementsOp, ScatterOp), other_word("reduction", REDUCTIONS)),
    "steps from the other end": ((RecurrentOp,), other_word("direction", DIRECTIONS[:2])),
    "gates exchanged": ((RecurrentOp,), mirrored(1)),
    "other padding of a grid": ((GridSampleOp,), other_word("padding", GridSampleOp.PADDINGS)),
    "corners or centers": ((GridSampleOp,), toggled("align_corners")),
    "offsets mirrored": ((DeformConvOp,), mirrored(1)),
    "boxes mirrored": ((RoiAlignOp,), mirrored(1)),
    "inverse transform": ((DftOp,), toggled("inverse")),
    "op dropped": ((UnaryOp, NormalizationOp), dropped_op),
    "other reduction": ((ReduceSumOp, ReduceMaxOp, ReduceMinOp), other_op(ReduceSumOp, ReduceMaxOp, ReduceMinOp)),
    "constant permuted": ((ConstantOp,), permuted_constant),
    "constant changed": ((ConstantOp,), changed_constant),
    "impure ops merged": ((OpaqueOp,), merged_effects),
    "effect dropped": ((OpaqueOp,), dropped_effect),
    "effects exchanged": ((OpaqueOp,), swapped_effects),
}
"""The ops that each kind of miscompile changes, and the change."""
