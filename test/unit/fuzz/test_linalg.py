"""Random programs of linalg compute the same after they were placed, as the proof says and as numpy computes."""

from random import Random

import numpy as np
import pytest
from npu_opt.dialects.npu.attrs import i64_array
from npu_opt.dialects.npu.values import shape_of
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.convert_linalg_to_npu import ConvertLinalgToNpu
from npu_opt.passes.convert_npu_to_linalg import ConvertNpuToLinalg
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from numpy.typing import NDArray
from support.campaign import one_by_one, seeds
from support.closeness import Room, assert_close
from support.generators.linalg_programs import random_linalg
from support.ir_text import context
from support.oracles.linalg_numbers import computed
from xdsl.dialects.arith import AddfOp, MulfOp, SubfOp
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp, ReduceOp, TransposeOp
from xdsl.dialects.tensor import InsertSliceOp, PadOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

ROOM = Room("sums of small numbers, in which the orders of elements differ", 1e-4, 1e-4)


OF_LINALG = ("linalg.transpose", "linalg.generic", "linalg.reduce", "linalg.broadcast")
MUTATED = (*OF_LINALG, "tensor.pad", "tensor.insert_slice", "arith.addf", "arith.mulf")
"""The ops that are changed."""


def steps(seed: int) -> list[ModulePass]:
    cost = "bytes" if seed % 3 == 0 else "count"
    place = LayoutPreset() if seed % 5 == 0 else LayoutOptimal(cost=cost)
    return [ConvertLinalgToNpu(generalise=seed % 2 == 0), place, ConvertNpuToLinalg()]


def count(module: Operation) -> int:
    """The transposes that move data."""
    return sum(isinstance(op, TransposeOp) for op in module.walk())


def inputs_of(module: ModuleOp, seed: int) -> list[NDArray[np.float32]]:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    rng = np.random.default_rng(seed)
    return [rng.integers(-2, 3, shape_of(each)).astype(np.float32) for each in function.body.block.args]


def mutate(module: ModuleOp, rng: Random) -> bool:
    """Change one op so that it verifies; false if it cannot be changed so."""
    op = rng.choice([op for op in module.walk() if op.name in MUTATED])
    match op:
        case TransposeOp():
            moved = rng.sample(op.permutation.get_values(), len(op.permutation))
            op.properties["permutation"] = DenseArrayBase.from_list(i64, moved)
        case GenericOp():
            maps = [each.data for each in op.indexing_maps.data]
            place = rng.randrange(len(maps))
            results = rng.sample(maps[place].results, len(maps[place].results))
            maps[place] = AffineMap(maps[place].num_dims, 0, tuple(results))
            op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
        case ReduceOp() | BroadcastOp():
            rank = max(len(shape_of(each)) for each in op.operands)
            named = sorted(rng.sample(range(rank), len(op.dimensions)))
            op.properties["dimensions"] = DenseArrayBase.from_list(i64, named)
        case PadOp():
            op.properties |= {"static_low": op.static_high, "static_high": op.static_low}
        case InsertSliceOp():
            lists = op.static_sizes.get_values(), op.static_strides.get_values(), shape_of(op.result)
            most = [whole - (size - 1) * stride - 1 for size, stride, whole in zip(*lists, strict=True)]
            op.properties["static_offsets"] = i64_array(*(rng.randint(0, end) for end in most))
        case _:
            new = rng.choice([AddfOp, MulfOp, SubfOp])(op.operands[0], op.operands[1])
            Rewriter.replace_op(op, new)
    try:
        module.verify()
    except VerifyException:
        return False
    return True


def test_changed_programs_are_proved_only_if_they_compute_the_same(capsys: pytest.CaptureFixture[str]):
    proved = refused = 0
    for seed in one_by_one(seeds(150, 4000), capsys):
        came = Parser(context(), random_linalg(seed, 4)).parse_module()
        changed, rng = came.clone(), Random(seed)
        if not any(op.name in MUTATED for op in came.walk()) or not mutate(changed, rng):
            continue
        if seed % 2:
            # The change is then to be seen through a nest.
            ConvertLinalgToNpu().apply(context(), came)
            ConvertNpuToLinalg().apply(context(), came)
        is_proved = compare(came, changed).verdict is Verdict.PROVED
        proved, refused = proved + is_proved, refused + (not is_proved)
        if is_proved:
            inputs = inputs_of(came, seed)
            for found, expected in zip(computed(changed, inputs), computed(came, inputs), strict=True):
                assert_close(found.astype(np.float64), expected.astype(np.float64), ROOM, seed)
    assert proved
    assert refused


def test_placed_programs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    before = after = 0
    for seed in one_by_one(seeds(60, 2000), capsys):
        came = Parser(context(), random_linalg(seed, 6)).parse_module()
        placed = came.clone()
        for step in steps(seed):
            previous = placed.clone()
            step.apply(context(), placed)
            verify(placed)
            assert compare(previous, placed).verdict is Verdict.PROVED, f"{seed}: {step.name}"
        assert compare(came, placed).verdict is Verdict.PROVED, seed
        inputs = inputs_of(came, seed)
        for found, expected in zip(computed(placed, inputs), computed(came, inputs), strict=True):
            assert_close(found.astype(np.float64), expected.astype(np.float64), ROOM)
        before, after = before + count(came), after + count(placed)
    assert after < before
