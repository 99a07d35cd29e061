"""Planted mistakes in the axis tables and in relayout: the property test of relayouts rejects every one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, cast

import pytest
from npu_opt.dialects.npu import NPU, base, convolution, feature, linear, movement, replaced_axes, same_layout, shape
from npu_opt.dialects.npu.axes import AxisTable, Counts, Relayout
from npu_opt.layout import Order, invert, order_from_keys
from support.generators.relayouts import Relayouts, WrongRelayout
from support.generators.samples import sample
from xdsl.ir import Attribute

Plant = Callable[[pytest.MonkeyPatch], None]
BY_NAME = {op.name: op for op in NPU.operations if issubclass(op, base.NpuOp)}
SEEDS = 30


def forgets(counts: Counts) -> Plant:
    """Attributes that name axes in this way are not rewritten."""
    rewritten = AxisTable.rewritten

    def wrong(self: AxisTable, op: Any, old: Order, new: Order) -> dict[str, Attribute]:
        found = rewritten(self, op, old, new)
        return {name: value for name, value in found.items() if self.attributes[name].counts is not counts}

    return lambda patch: patch.setattr(AxisTable, "rewritten", wrong)


def inverted_rewriting(patch: pytest.MonkeyPatch) -> None:
    rewritten = AxisTable.rewritten

    def wrong(self: AxisTable, op: Any, old: Order, new: Order) -> dict[str, Attribute]:
        return rewritten(self, op, new, old)

    patch.setattr(AxisTable, "rewritten", wrong)


def changed(owner: type, method: str, change: Callable[[Any, Relayout], Relayout]) -> Plant:
    """Each relayout that a method returns is changed."""
    answer = getattr(owner, method)

    def wrong(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = answer(self, *args, **kwargs)
        if isinstance(found, list):
            return [change(self, each) for each in cast("list[Relayout]", found)]
        return found and change(self, found)

    return lambda patch: patch.setattr(owner, method, wrong)


def without(name: str) -> Callable[[Any, Relayout], Relayout]:
    """A property is not rewritten."""

    def change(op: Any, relayout: Relayout) -> Relayout:
        return replace(relayout, properties={k: v for k, v in relayout.properties.items() if k != name})

    return change


def flags_as_before(op: linear.LinearOp, relayout: Relayout) -> Relayout:
    if relayout.operand_permutation is None:
        return relayout
    kept = {name: op.properties[name] for name in ("trans_a", "trans_b") if name in op.properties}
    return replace(relayout, properties=kept, removed=frozenset({"trans_a", "trans_b"} - set(kept)))


def storage_as_before(op: linear.LinearOp, relayout: Relayout) -> Relayout:
    if relayout.operand_permutation is not None:
        return relayout
    return replace(relayout, operands=(base.order_of_value(op.lhs), *relayout.operands[1:]))


def not_swapped(op: Any, relayout: Relayout) -> Relayout:
    return replace(relayout, operand_permutation=None)


def results_inverted(op: Any, relayout: Relayout) -> Relayout:
    return replace(relayout, results=tuple(map(invert, relayout.results)))


def inverted_order_of(patch: pytest.MonkeyPatch) -> None:
    def wrong(keys: Sequence[int]) -> Order:
        return invert(order_from_keys(keys))

    patch.setattr(replaced_axes, "order_from_keys", wrong)


def result_as_before(op: Any, relayout: Relayout) -> Relayout:
    return replace(relayout, results=(base.order_of_value(op.result),))


def no_layout_properties(owner: type) -> Plant:
    def none(self: Any, operands: Sequence[Order], results: Sequence[Order]) -> dict[str, Attribute]:
        return {}

    return lambda patch: patch.setattr(owner, "layout_properties", none)


MISTAKES: Mapping[str, tuple[Plant, tuple[str, ...]]] = {
    "an axis is not rewritten": (
        forgets(Counts.ONE),
        ("npu.softmax", "npu.concat", "npu.arg_max", "npu.batch_norm", "npu.dynamic_split"),
    ),
    "a list of axes is not rewritten": (forgets(Counts.SEVERAL), ("npu.reduce_sum", "npu.layer_norm", "npu.reverse")),
    "axes that numbers are listed for are not rewritten": (
        forgets(Counts.LISTED),
        ("npu.shape_of", "npu.dynamic_slice", "npu.dynamic_pad", "npu.dynamic_tile"),
    ),
    "a number for each axis is not permuted": (forgets(Counts.EACH), ("npu.pad", "npu.slice", "npu.tile")),
    "axes are rewritten the other way round": (inverted_rewriting, ("npu.pad", "npu.cumsum", "npu.reduce_max")),
    "the result's order is inverted": (
        changed(same_layout.SameLayoutOp, "relayouts", results_inverted),
        ("npu.relu", "npu.conv2d", "npu.add", "npu.max_pool"),
    ),
    "the order of a reduction's result is inverted": (inverted_order_of, ("npu.reduce_sum", "npu.arg_min")),
    "operands change places without their flags": (
        changed(linear.LinearOp, "_changed", flags_as_before),
        ("npu.matmul", "npu.gemm"),
    ),
    "a flag is flipped without the storage": (
        changed(linear.LinearOp, "_changed", storage_as_before),
        ("npu.matmul", "npu.quant_matmul"),
    ),
    "flags change without the operands": (changed(linear.LinearOp, "_changed", not_swapped), ("npu.matmul",)),
    "a permutation does not absorb the change": (
        changed(shape.ViewOp, "absorbed", without("permutation")),
        ("npu.transpose",),
    ),
    "the axes of a broadcast are not moved": (
        changed(shape.BroadcastOp, "relayouts", without("axes")),
        ("npu.broadcast",),
    ),
    "the dims of a reshape are not moved": (changed(shape.ReshapeOp, "relayouts", without("dims")), ("npu.reshape",)),
    "a reshape keeps the order it had": (changed(shape.ReshapeOp, "relayouts", result_as_before), ("npu.reshape",)),
    "data_layout is not rewritten": (no_layout_properties(feature.FeatureOp), ("npu.avg_pool", "npu.conv2d")),
    "kernel_layout is not rewritten": (no_layout_properties(convolution.ConvolutionOp), ("npu.conv2d", "npu.conv1d")),
    "the axis of a gather is not moved": (changed(movement.GatherOp, "relayouts", without("axis")), ("npu.gather",)),
}


def rejected_at(name: str) -> int | None:
    """The first seed whose sample of an op rejects the planted mistake."""
    for seed in range(SEEDS):
        rng = Random(seed)
        try:
            Relayouts(sample(BY_NAME[name], rng), seed).try_all(rng, 6)
        except WrongRelayout:
            return seed
    return None


@cache
def is_right(name: str) -> bool:
    """True if no sample of an op is rejected without a mistake; several mistakes are planted into one op."""
    return rejected_at(name) is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_rejected(mistake: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    plant, names = MISTAKES[mistake]
    assert [name for name in names if not is_right(name)] == [], "something is wrong before it is planted"
    plant(monkeypatch)
    rejected = {name: rejected_at(name) for name in names}
    with capsys.disabled():
        seeds = ", ".join(f"{name} by sample {seed}" for name, seed in rejected.items())
        print(f"\n{mistake:50} rejected: {seeds}", end="")
    assert None not in rejected.values()
