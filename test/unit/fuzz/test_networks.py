"""Programs that resemble networks are valid and computable, and contain the difficulties of layout passes."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
from npu_opt.dialects.npu.binary import AddOp
from npu_opt.dialects.npu.convolution import ConvolutionOp
from npu_opt.dialects.npu.movement import ConcatOp
from npu_opt.dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import layout_of, shape_of
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import DYNAMIC
from support.generators.networks import random_network
from support.generators.sample_source import F64
from support.generators.typed_arguments import with_typed_arguments
from support.generators.unknown_sizes import UnknownSizes, with_unknown_sizes
from support.oracles.running import main_of, results
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

SEEDS = range(80)
SIZES = (3, 8, 20, 40)


@cache
def network(seed: int) -> ModuleOp:
    return random_network(seed, SIZES[seed % 4], coloured=seed % 3 != 0, floats=F64)


@cache
def partly_unknown(seed: int) -> tuple[ModuleOp, UnknownSizes]:
    module = random_network(seed, SIZES[seed % 4], coloured=seed % 2 == 0, floats=F64, functions=0)
    return module, with_unknown_sizes(module, seed)


def operations() -> Iterator[Operation]:
    for seed in SEEDS:
        yield from network(seed).walk()


def is_argument(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument)


def test_networks_are_valid_and_can_be_run():
    for seed in SEEDS:
        network(seed).verify()
        results(network(seed), seed)


def test_a_seed_is_a_network():
    assert str(random_network(7, 30)) == str(random_network(7, 30)) != str(random_network(8, 30))


def test_networks_have_the_difficulties_of_layout_passes():
    count: Counter[str] = Counter()
    for op in operations():
        count["transposes"] += isinstance(op, AnyTransposeOp)
        count["relabels"] += isinstance(op, RelabelOp)
        count["concatenations"] += isinstance(op, ConcatOp)
        count["unread"] += bool(op.results) and all(result.first_use is None for result in op.results)
        count["read often"] += any(len([*result.uses]) > 3 for result in op.results)
        if isinstance(op, ReshapeOp):
            known = layout_of(op.input), layout_of(op.result)
            classes = [layout.cls.is_cnn for layout in known if layout]
            count["reshapes away from images"] += classes == [True, False]
            count["reshapes to images"] += classes == [False, True]
        if isinstance(op, ConvolutionOp):
            kernel = op.operands[1]
            count["kernels as arguments"] += is_argument(kernel)
            count["kernels as constants"] += isinstance(kernel.owner, ConstantOp)
            count["computed kernels"] += not is_argument(kernel) and not isinstance(kernel.owner, ConstantOp)
            count[f"convolutions of rank {len(shape_of(kernel))}"] += 1
            count[f"convolutions in {layout_of(op.operands[0])}"] += 1
        if isinstance(op, AddOp):
            count["sums of two values"] += shape_of(op.operands[0]) == shape_of(op.operands[1])
        count["without elements"] += any(0 in shape_of(each) for each in op.results if op.name.startswith("npu."))
    least = {name: count[name] for name in count if not name.startswith("convolutions in")}
    least |= {name: count[f"convolutions in {name}"] for name in ("NCHW", "NHWC", "None")}
    assert min(least.values()) >= 5, least


def test_unknown_sizes_change_no_number():
    for seed in SEEDS:
        module, unknown = partly_unknown(seed)
        unknown.module.verify()
        expected = results(module, seed)
        inputs = random_inputs(main_of(unknown.module), seed, unknown.sizes)
        for left, right in zip(expected, run(unknown.module, "main", inputs), strict=True):
            np.testing.assert_array_equal(left, right)


def test_unknown_sizes_reach_many_values():
    programs = [partly_unknown(seed)[1] for seed in SEEDS]
    unknown = [
        op
        for each in programs
        for op in each.module.walk()
        if op.name.startswith("npu.") and any(DYNAMIC in shape_of(result) for result in op.results)
    ]
    assert sum(bool(each.sizes) for each in programs) > 50
    assert sum(len(each.sizes) > 1 for each in programs) > 25
    reshapes = [op for op in unknown if isinstance(op, ReshapeOp)]
    assert any(op.dims is not None and "@in" in str(op) for op in reshapes)
    assert len({op.name for op in unknown}) > 30


def test_arguments_have_layouts_in_programs_without():
    layouts: Counter[str] = Counter()
    for seed in range(0, 60, 3):
        module = with_typed_arguments(network(seed), seed)
        module.verify()
        for value in main_of(module).body.block.args:
            layouts[str(layout_of(value))] += 1
        assert all(layout_of(result) is None for op in main_of(module).body.block.ops for result in op.results)
    assert set(layouts) >= {"None", "NCHW", "NHWC", "Tensor"}
