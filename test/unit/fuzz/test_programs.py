"""Random programs are valid, computable, deterministic for a seed, and of the requested length."""

import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.low_precision import MatmulNBitsOp
from npu_opt.dialects.npu.packing import PackingOp
from npu_opt.dialects.npu.source import ForeignOp, OpaqueOp
from npu_opt.dialects.npu.values import layout_of
from support.generators.programs import Foreign, RunTimeBuilder, random_program
from support.generators.sample_source import F64
from support.oracles.running import results
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp

PROGRAMS = [(seed, size) for size in (1, 2, 7, 30, 100) for seed in range(12)]


def program(seed: int, size: int) -> ModuleOp:
    return random_program(seed, size, coloured=seed % 3 != 0, floats=F64)


@pytest.mark.parametrize("size", [1, 2, 7, 30, 100])
def test_programs_are_valid_and_can_be_run(size: int):
    for seed in range(12):
        module = program(seed, size)
        module.verify()
        results(module, seed)
        count = sum(not isinstance(op, ModuleOp | FuncOp | ReturnOp) for op in module.walk())
        assert size <= count <= 2 * size + 20


def test_programs_have_what_networks_have():
    modules = [program(seed, size) for seed, size in PROGRAMS]
    ops = [op for module in modules for op in module.walk()]
    assert sum(isinstance(op, CallOp) for op in ops) > 5
    returns = [op.operands for op in ops if isinstance(op, ReturnOp)]
    assert any(len(set(operands)) < len(operands) for operands in returns), "no value is returned twice"
    assert any(len(list(value.uses)) > 1 for operands in returns for value in operands), "no intermediate is returned"
    assert any(not list(result.uses) for op in ops for result in op.results), "no op is dead"
    layouts = {layout_of(result) for op in ops if op.name.startswith("npu.") for result in op.results}
    assert len({layout.cls for layout in layouts if layout}) == 4
    assert None in layouts


def test_uncoloured_programs_have_no_layout():
    for seed in range(10):
        for op in random_program(seed, 40, coloured=False).walk():
            assert all(layout_of(result) is None for result in op.results if op.name.startswith("npu."))


def test_foreign_ops_only_where_asked_for():
    def foreign(seed: int, which: Foreign) -> list[OpaqueOp]:
        return [op for op in random_program(seed, 60, foreign=which).walk() if isinstance(op, OpaqueOp)]

    assert not any(foreign(seed, "none") for seed in range(5))
    pure = [op for seed in range(5) for op in foreign(seed, "pure")]
    assert pure
    assert all(op.pure is not None for op in pure)
    assert any(op.pure is None for seed in range(5) for op in foreign(seed, "any"))


def test_functions_are_as_many_as_asked_for():
    module = random_program(0, 60, functions=3)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    assert [op.sym_name.data for op in functions] == ["part0", "part1", "part2", "main"]
    assert any(isinstance(op, CallOp) for op in functions[-1].body.block.ops)


def digest() -> str:
    text = "".join(str(random_program(seed, 50, coloured=seed % 2 == 0, foreign="any")) for seed in range(6))
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_seed_is_a_program_whatever_the_hash_seed(hash_seed: str):
    code = "import test_programs; print(test_programs.digest())"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest()


def test_a_long_program_has_all_ops():
    names = Counter(op.name for op in random_program(1, 10_000).walk())
    assert sum(count for name, count in names.items() if name.startswith("npu.")) >= 10_000
    # test_blocks.py has random programs with packs; those with numbers of the run are asked for. Few engines have
    # products with packed numbers.
    left_out = ForeignOp | PackingOp | MatmulNBitsOp
    missing = [op for op in NPU.operations if not issubclass(op, left_out) and op.name not in names]
    assert {*missing} == {*RunTimeBuilder.OPS}


def test_programs_with_numbers_of_the_run():
    names = Counter[str]()
    for seed in range(20):
        module = random_program(seed, 40, coloured=seed % 3 != 0, floats=F64, builder=RunTimeBuilder)
        module.verify()
        results(module, seed)
        names.update(op.name for op in module.walk())
    # Scales are f32.
    names.update(op.name for op in random_program(1, 3000, builder=RunTimeBuilder).walk())
    assert min(names[op.name] for op in RunTimeBuilder.OPS) > 5
