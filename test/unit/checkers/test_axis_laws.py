"""`checkers/axis_laws.py` beside the axes that the ops of the dialect declare: two sources say the same."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from npu_opt.checkers.axis_laws import LAW_OF, Law
from npu_opt.checkers.views import StatedValue, StorageDigits
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import Role
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.passes.transmit.apply import transmit
from support.campaign import amount
from support.form_mutants import content_of
from support.generators.samples import sample
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

SAMPLES = amount(6, 60)
CLASSES = {each.name: each for each in NPU.operations if issubclass(each, NpuOp)}
OTHER_NAMES = {"npu.gather", "npu.attention", "npu.rotary"} | {
    kind for kind, law in LAW_OF.items() if law.startswith("letters NCDHW")
}
"""Kinds whose laws name axes otherwise: no name is cut, or the axes of the indices are digits of one."""
KINDS = sorted(kind for kind, law in LAW_OF.items() if kind in CLASSES and law != "fixed" and kind not in OTHER_NAMES)


BELIEVED = "constant conv2d_bpa conv2d_bpw img2col matmul_nbits vendor_any_order vendor_pool".split()
"""The kinds that have no law."""
MOVES = ("nchw2nhwc", "nhwc2nchw", "pack", "relabel", "reshape", "transpose", "unpack")
"""The kinds that are views, unless a reshape has no digits, and those that targets with blocks have."""


def coloured_sample(kind: str, seed: int) -> tuple[ModuleOp, NpuOp]:
    """A program of one op with layouts."""
    module = sample(CLASSES[kind], Random(seed)).module
    transmit(module)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return module, next(op for op in function.body.block.ops if isinstance(op, NpuOp) and op.name == kind)


def laws_of(content: Any, kind: str) -> Iterator[tuple[Law, list[StatedValue]]]:
    """The laws of the ops of a kind in a certificate, with their values."""
    problem, forms = content["problem"], content["forms"]
    storages = [StorageDigits(*each) for each in zip(forms["storages"], problem["storages"], strict=True)]
    for entry, listed in zip(forms["ops"], problem["ops"], strict=True):
        if entry["kind"] == kind:
            uses = ("reads" if place < entry["operands"] else "writes" for place in range(len(entry["values"])))
            each = zip(entry["values"], uses, strict=True)
            values = [StatedValue(value, place, storages, listed[use]) for place, (value, use) in enumerate(each)]
            yield Law(entry, [value.name for value in values], [value.sizes for value in values]), values


def freedom(op: NpuOp, roles: tuple[Role, ...], number: int) -> str:
    """The digits that the dialect lets an axis become."""
    role, parts = roles[number], [2 if each == number else 1 for each in range(len(roles))]
    places = [*role.operands, *((len(op.operands) + result, axis) for result, axis in role.results)]
    if not role.splits or len({place for place, _ in places}) < len(places):
        return "whole"
    return "cut" if op.split_axes(parts) is not None else "together"


def differences(op: NpuOp, law: Law, values: list[StatedValue]) -> Iterator[str]:
    roles = op.roles()
    assert roles is not None
    role_at = {
        (place + border, axis): number
        for number, role in enumerate(roles.roles)
        for border, places in ((0, role.operands), (len(op.operands), role.results))
        for place, axis in places
    }
    at = [
        (place, axis)
        for place, value in enumerate(values)
        for axis, size in enumerate(value.sizes)
        if size != 1 and place not in law.alone and (place, axis) in role_at
    ]
    for place, axis in at:
        found, expected = law.free.get(law.axes[place][axis], "whole"), freedom(op, roles.roles, role_at[place, axis])
        if found != expected:
            yield f"axis {axis} of value {place} is {expected}, and by the law {found}: {op}"
        for other in at:
            is_one = law.axes[place][axis] == law.axes[other[0]][other[1]]
            if is_one != (role_at[place, axis] == role_at[other]):
                yield f"axes {(place, axis)} and {other} are {'one' if is_one else 'two'} by the law: {op}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_law_of_a_kind_is_what_its_op_declares(kind: str):
    compared = 0
    for seed in range(SAMPLES):
        module, op = coloured_sample(kind, seed)
        content = content_of(module.clone(), "plover")
        for law, values in laws_of(content, kind):
            compared += 1
            assert [*differences(op, law, values)] == []
    assert compared > 0


def test_kinds_with_a_law_are_ops_and_most_ops_have_one():
    assert {kind for kind in LAW_OF if kind.startswith("npu.")} <= CLASSES.keys()
    believed = {name.removeprefix("npu.") for name in CLASSES.keys() - LAW_OF.keys()}
    assert believed == {*BELIEVED, *MOVES}
