"""Every op computes the same over pieces of its axes, on data that is split and re-ordered in the same way."""

from collections.abc import Iterator
from math import prod
from random import Random

import numpy as np
import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import RoleMap
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from npu_opt.interpreter import evaluate
from npu_opt.interpreter.elements import Array
from npu_opt.layout import Extent
from npu_opt.passes.optimal.modes.forms import Cutting, Form, over, own_form, positions_of
from npu_opt.passes.optimal.modes.module_storage import ModuleStorage
from support.campaign import amount
from support.generators.numbers import close, magnitude
from support.generators.samples import sample
from support.oracles.vendor_meanings import VENDOR

MOST_AXES = 12
SAMPLES = amount(40, 400)

OPS: list[type[NpuOp]] = [
    op for op in NPU.operations if issubclass(op, NpuOp) and not issubclass(op, OpaqueOp | ConstantOp)
]
WITHOUT = {
    *("npu.nchw2nhwc", "npu.nhwc2nchw", "npu.relabel", "npu.reshape", "npu.transpose"),
    *("npu.conv2d_bpa", "npu.conv2d_bpw", "npu.depth_to_space", "npu.space_to_depth"),
    *("npu.attention", "npu.rotary", "npu.deform_conv"),
    *("npu.range", "npu.non_zero", "npu.unique", "npu.non_max_suppression"),
    *("npu.vendor_any_order", "npu.vendor_pool", "npu.pack", "npu.unpack"),
}
"""Views, which have no forms, ops that can only be split along small batches, and ops whose axes cannot be split."""


def cut_at_random(op: NpuOp, roles: RoleMap, rng: Random) -> dict[int, Cutting]:
    """Axes in two pieces: each an axis of its own if the op can have more axes, else swapped."""
    found: dict[int, Cutting] = {}
    for number, role in enumerate(roles.roles):
        values = (*op.operands, *op.results)
        sizes = {
            shape_of(value)[position]
            for place, value in enumerate(values)
            for position in positions_of(op, role, place)
        } - {1}
        if not role.splits or len(sizes) != 1:
            continue
        size = sizes.pop()
        factors = [each for each in range(2, size) if size % each == 0]
        if not factors:
            continue
        low = rng.choice(factors)
        takes_two = op.split_axes([2 if each == number else 1 for each in range(len(roles.roles))]) is not None
        groups = rng.choice([((0,), (1,)), ((1,), (0,)), ((1, 0),)] if takes_two else [((1, 0),)])
        found[number] = Cutting((Extent(size // low), Extent(low)), groups)
    return found


def cut_array(array: Array, op: NpuOp, roles: RoleMap, place: int, cuttings: dict[int, Cutting]) -> Array:
    """The data of an operand or result, split and re-ordered."""
    at = {position: role for role, each in enumerate(roles.roles) for position in positions_of(op, each, place)}
    shape, order, joined = list[int](), list[int](), list[int]()
    for position, size in enumerate(array.shape):
        cutting = cuttings.get(at.get(position, -1))
        if cutting is None or size == 1:
            order.append(len(shape))
            shape.append(size)
            joined += [size] if cutting is None else [1] * len(cutting.groups)
            continue
        parts = [each.factor for each in cutting.sizes]
        order += [len(shape) + part for group in cutting.groups for part in group]
        shape += parts
        joined += [prod(parts[part] for part in group) for group in cutting.groups]
    return np.ascontiguousarray(array.reshape(shape).transpose(order)).reshape(joined)


def forms(op: NpuOp, storage: ModuleStorage, rng: Random) -> Iterator[tuple[Form, dict[int, Cutting]]]:
    roles = op.roles()
    cuttings = {} if roles is None else cut_at_random(op, roles, rng)
    if cuttings and (form := over(own_form(op, storage), cuttings, MOST_AXES)) is not None:
        yield form, cuttings


@pytest.mark.parametrize("kind", OPS, ids=[op.name for op in OPS])
def test_forms_compute_the_same(kind: type[NpuOp]):
    for seed in range(SAMPLES):
        rng = Random(seed)
        sampled = sample(kind, rng)
        op, inputs = sampled.op, sampled.inputs(seed)
        for form, cuttings in forms(op, ModuleStorage(sampled.module, ()), rng):
            roles = op.roles()
            assert roles is not None
            form.op.verify_()
            results = evaluate(op, inputs, VENDOR)
            arrays = [cut_array(array, op, roles, place, cuttings) for place, array in enumerate(inputs)]
            scale = max(magnitude(inputs) ** 2, magnitude(results))
            for index, found in enumerate(evaluate(form.op, arrays, VENDOR)):
                expected = cut_array(results[index], op, roles, len(inputs) + index, cuttings)
                assert close(found, expected, element_type_of(op.results[index]), scale), f"{op}\n{form.op}"


def test_most_ops_have_forms():
    """Few ops cannot be split anywhere, and they are listed."""
    without: set[str] = set()
    for kind in OPS:
        found = 0
        for seed in range(60):
            rng = Random(seed)
            sampled = sample(kind, rng)
            found += sum(1 for _ in forms(sampled.op, ModuleStorage(sampled.module, ()), rng))
        if not found:
            without.add(kind.name)
    assert without <= WITHOUT
