"""`cost=traffic` against all forms and all groups of small programs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from npu_opt.dialects.notes.calls import note_calls
from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.plans.apply import apply_plan
from npu_opt.passes.common.plans.interface_choice import FIXED_INTERFACE
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.cover.module import covered_cost
from npu_opt.passes.optimal.choice.mode_choice import ModeTable, choose_modes
from npu_opt.passes.optimal.choice.plan import PlanDraft
from npu_opt.passes.optimal.traffic.choice import choose_by_traffic
from npu_opt.passes.optimal.traffic.placed_copy import value_of
from npu_opt.passes.optimal.traffic.problem import TrafficProblem
from npu_opt.targets import MatmulRule, Target
from support.campaign import amount
from support.generators.hardware import hardware
from support.generators.traffic_programs import traffic_program, traffic_target
from support.ir_text import parse_verified
from support.oracles.every_traffic import EveryTraffic
from support.oracles.other_axes import TooMany
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

PROGRAMS = amount(18, 3000)
TURNED = "tensor<1x6x1x4xf32, #npu.layout<NHWC>>"
SMALL, LARGE = "tensor<1x3x4x2xf32, #npu.layout<NHWC>>", "tensor<1x4x4x2xf32, #npu.layout<NHWC>>"


def travelling_after(module: ModuleOp, target: Target, cost: str) -> tuple[int, int, int, bool]:
    """The bytes that travel behind the pass, those that it said, its bound, and true if it changed nothing."""
    copy, layouts = module.clone(), TargetLayouts(target)
    if cost == "traffic":
        choice = choose_by_traffic(copy, layouts, ASSUMED_SIZE, 60, FIXED_INTERFACE)
    else:
        choice = choose_modes(copy, layouts, "bytes", ASSUMED_SIZE, 60)
    is_kept = choice.changes_nothing()
    if not is_kept:
        apply_plan(PlanDraft(choice).plan(lambda use: ""), Names(copy))
    written = covered_cost(copy, target, ASSUMED_SIZE)
    # The pass itself does not look for the groups of the written program.
    assert choice.traffic is None or written.text == choice.cost.text, f"target {target.name}\n{module}"
    assert written.travelling is not None
    return written.travelling, choice.solution.cost, choice.solution.bound, is_kept


def test_an_op_runs_before_the_transpose_of_its_result(tmp_path: Path):
    stages = {"compute": "runs = ['relu before turn']", "turn": "runs = ['transpose']"}
    demands = "\n[demands]\n" + "\n".join(f"{op} = {{ input = 'NHWC' }}" for op in ("exp", "relu"))
    target = hardware(tmp_path, ["compute > turn"], stages, demands)
    module = parse_verified(
        """
        func.func @main(%x: tensor<1x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NCHW>> {
          %0 = npu.exp %x : tensor<1x4x6x1xf32, #npu.layout<NCHW>>
          %1 = npu.relu %0 : tensor<1x4x6x1xf32, #npu.layout<NCHW>>
          func.return %1 : tensor<1x4x6x1xf32, #npu.layout<NCHW>>
        }"""
    )
    # The transpose of %x, exp, and the group of relu with the transpose behind it: each reads and writes 96 bytes.
    assert travelling_after(module, target, "traffic") == (576, 576, 576, False)
    assert EveryTraffic(module, target).least() == 576


def test_nothing_else_moves_less(tmp_path: Path):
    tally = Counter[str]()
    for seed in range(PROGRAMS):
        target = traffic_target(seed, tmp_path)
        module = traffic_program(seed, target.name)
        case = f"seed {seed}, target {target.name}\n{module}"
        found, said, bound, is_kept = travelling_after(module, target, "traffic")
        before = travelling_after(module, target, "bytes")[0]
        assert found == said, case
        assert found <= before, case
        tally["proved"] += found == bound
        tally["less than one after the other"] += found < before
        try:
            least = EveryTraffic(module, target).least()
        except TooMany:
            tally["too many choices"] += 1
            continue
        tally["tried"] += 1
        if is_kept:
            # The program as it came may transpose once for each reader.
            least = min(least, found)
        assert bound <= least <= found, case
        assert found == least or found > bound, case
        tally["minimum"] += found == least
        tally["on stages with prices"] += target.has_priced_stages
    print(dict(tally))
    assert tally["proved"] >= 0.9 * PROGRAMS
    assert tally["tried"] >= 0.5 * PROGRAMS


def test_what_travels_is_that_of_all_calls(tmp_path: Path):
    # In the last one a conversion that no group absorbs has more than one price.
    for seed in (*range(amount(12, 300)), 131):
        target = traffic_target(seed, tmp_path)
        program, others = traffic_program(seed, target.name), traffic_program(seed + 3000, target.name)
        expected, least, functions = 0, 0, list[FuncOp]()
        for number, module in enumerate((program, others)):
            function = next(op for op in module.walk() if isinstance(op, FuncOp))
            found, said, bound, _ = travelling_after(module, target, "traffic")
            calls = number * 4 + 3
            expected += calls * found
            least += calls * bound
            assert found == said
            functions.append(function)
            function.detach()
            function.sym_name = StringAttr(f"f{number}")
            note_calls(function, calls)
        called, said, bound, _ = travelling_after(ModuleOp([*functions]), target, "traffic")
        assert bound <= called == said, f"seed {seed}"
        assert called == expected, f"seed {seed}"
        assert bound >= least, f"seed {seed}"


def test_a_transpose_of_the_program_that_no_group_absorbs_is_known(tmp_path: Path):
    """The transpose stays, and the linear program is to give it its full price as to one that is inserted."""
    stages = {"compute": "runs = ['relu']", "last": "runs = ['exp']"}
    target = hardware(tmp_path, ["compute > last"], stages, "\n[demands]\nexp = { input = 'NHWC' }")
    module = parse_verified(
        """
        func.func @main(%x: tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>> {
          %t = npu.transpose %x permutation = [0, 2, 3, 1]
            : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
          %e = npu.exp %t : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
          func.return %e : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
        }"""
    )
    problem = TrafficProblem(ModeTable.of(module, TargetLayouts(target), "traffic", ASSUMED_SIZE, FIXED_INTERFACE))
    value = value_of(problem.choice(problem.fewest_bytes(60)), {})
    assert (value.transposes.transposes, value.transposes.absorbed) == (1, 0)
    assert [root.name_hint for root, _ in value.outside] == ["x"]


def test_many_chains_whose_groups_a_transpose_would_part(tmp_path: Path):
    """They have too many choices for a search; the linear program knows which transposes part a group."""
    stages = {"first": "runs = ['abs', 'exp']", "last": "runs = ['relu']", "turn": "runs = ['transpose']"}
    target = hardware(tmp_path, ["first > last > turn"], stages)
    given, turned = "tensor<1x2x3x4xf32, #npu.layout<NCHW>>", "tensor<1x3x4x2xf32, #npu.layout<NHWC>>"
    chain = f"""
      %a{{0}} = npu.abs %x : {given}
      %t{{0}} = npu.transpose %a{{0}} permutation = [0, 2, 3, 1] : ({given}) -> {turned}
      %r{{0}} = npu.relu %t{{0}} : {turned}"""

    def program(count: int) -> ModuleOp:
        names, types = ", ".join(f"%r{each}" for each in range(count)), ", ".join([turned] * count)
        ops = "".join(chain.format(each) for each in range(count))
        return parse_verified(f"func.func @main(%x: {given}) -> ({types}) {{{ops}\nfunc.return {names} : {types}\n}}")

    assert travelling_after(program(1), target, "traffic") == (192, 192, 192, False)
    assert EveryTraffic(program(1), target).least() == 192
    assert travelling_after(program(70), target, "traffic") == (70 * 192, 70 * 192, 70 * 192, False)


def test_a_transpose_that_an_op_shares_with_the_caller(tmp_path: Path):
    """In the order of the returned value, the relu is in one group with its transpose, which then reads no value."""
    demands = '\n[demands]\nexp = { input = "NCHW" }'
    stages = {"compute": "runs = ['relu']", "last": "runs = ['exp']"}
    target = hardware(tmp_path, ["compute > last"], stages, demands, free=("reshape", "transpose"))
    given, turned = "tensor<1x2x3x4xf32, #npu.layout<NCHW>>", "tensor<1x3x4x2xf32, #npu.layout<NHWC>>"
    module = parse_verified(
        f"""
        func.func @main(%x: {given}) -> ({given}, {turned}) {{
          %r = npu.relu %x : {given}
          %e = npu.exp %r : {given}
          %t = npu.transpose %x permutation = [0, 2, 3, 1] : ({given}) -> {turned}
          func.return %e, %t : {given}, {turned}
        }}"""
    )
    assert travelling_after(module, target, "traffic") == (288, 288, 288, False)
    assert EveryTraffic(module, target).least() == 288


def test_stages_that_run_transposes_before_others(tmp_path: Path):
    demands = '\n[demands]\nexp = { input = "NCHW" }'
    stages = {"turn": "runs = ['transpose before compute']", "compute": "runs = ['exp']"}
    target = hardware(tmp_path, ["turn > compute"], stages, demands)
    module = parse_verified(
        f"func.func @main(%x: {SMALL}) -> {SMALL} {{\n%a = npu.exp %x : {SMALL}\nfunc.return %a : {SMALL}\n}}"
    )
    # The first transpose is in one group with the exp; the one of the result is in none.
    assert travelling_after(module, target, "traffic")[:3] == (384, 384, 384)
    assert EveryTraffic(module, target).least() == 384


@pytest.mark.parametrize(
    ("demands", "stages", "ops", "least"),
    [
        # The transpose of a unit axis between the two moves nothing, so the product is still in front of the exp.
        (
            'mul = { lhs = "HNCW", rhs = "HNCW" }',
            {"s0": "runs = ['tanh']\nabsorbs = true", "s1": "runs = ['mul before s2']", "s2": "runs = ['exp']"},
            f"%a = npu.mul %x, %x : {SMALL}\n%b = npu.exp %a : {SMALL}\nfunc.return %b : {SMALL}",
            384,
        ),
        # A transpose that the pass places is the op behind the pad: it is larger there, but moves nothing in a group.
        (
            'relu = { input = "NCHW" }',
            {"s0": "runs = ['tanh']", "s1": "runs = ['pad before s2']", "s2": "runs = ['transpose']"},
            f"%a = npu.pad %x low = [0, 1, 0, 0] high = [0, 0, 0, 0] : ({SMALL}) -> {LARGE}\n"
            f"%b = npu.relu %a : {LARGE}\nfunc.return %b : {LARGE}",
            224 + 256 + 256,
        ),
    ],
    ids=["unit axes", "placed transpose"],
)
def test_ops_in_front_of_stages(demands: str, stages: dict[str, str], ops: str, least: int, tmp_path: Path):
    target = hardware(tmp_path, ["s0 > s1 > s2"], stages, f"[demands]\n{demands}")
    result = LARGE if LARGE in ops else SMALL
    module = parse_verified(f"func.func @main(%x: {SMALL}) -> {result} {{\n{ops}\n}}")
    assert travelling_after(module, target, "traffic")[:3] == (least, least, least)
    assert EveryTraffic(module, target).least() == least


@pytest.mark.parametrize(
    ("edges", "stages", "options", "free", "ops", "returned", "least"),
    [
        # The relu and the abs do not depend on each other, but are in one group with a transpose that both read. It
        # reads one value and writes two, the group of the sum reads two, and the last transpose is in no group.
        (
            ["turn > first", "first > last"],
            {"turn": "runs = ['transpose']", "first": "runs = ['abs']", "last": "runs = ['relu', 'add']"},
            '[demands]\nabs = { input = "NCHW" }',
            ["reshape"],
            ["%r = npu.relu %x", "%a = npu.add %r, %x", "%b = npu.abs %x"],
            ["%a", "%b"],
            8,
        ),
        # The exp reads and writes one value, the sum is in one group with the transposes of both operands, and the
        # transpose of the result is in no group.
        (
            ["other > compute"],
            {"other": "runs = ['abs']", "compute": "runs = ['exp', 'add']"},
            '[demands]\nadd = { lhs = "NCHW" }',
            ["reshape", "transpose"],
            ["%e = npu.exp %x", "%a = npu.add %e, %x"],
            ["%a"],
            7,
        ),
        # Both ops of the first two are in one group; those of the last two are not, as %c leaves it.
        (
            ["first > last"],
            {"first": "runs = ['exp']", "last": "runs = ['relu']"},
            "forbids-escaping = true",
            ["reshape"],
            ["%a = npu.exp %x", "%b = npu.relu %a", "%c = npu.exp %y", "%d = npu.relu %c"],
            ["%b", "%c", "%d"],
            6,
        ),
    ],
    ids=["fork below a transpose", "transposes in front of their reader", "values that leave"],
)
def test_groups_of_few_ops(
    edges: Sequence[str],
    stages: dict[str, str],
    options: str,
    free: Sequence[str],
    ops: Sequence[str],
    returned: Sequence[str],
    least: int,
    tmp_path: Path,
):
    target = hardware(tmp_path, edges, stages, options, free)
    types = ", ".join([TURNED] * len(returned))
    body = "\n".join(f"{op} : {TURNED}" for op in ops)
    interface = f"func.return {', '.join(returned)} : {types}"
    module = parse_verified(f"func.func @main(%x: {TURNED}, %y: {TURNED}) -> ({types}) {{\n{body}\n{interface}\n}}")
    assert travelling_after(module, target, "traffic")[:2] == (96 * least, 96 * least)
    assert EveryTraffic(module, target).least() == 96 * least


def test_swapped_operands_run_on_other_stages(tmp_path: Path):
    """The products with the operands as they are, and swapped, need the same transposes: none."""
    stages = {"multiply": "runs = ['matmul with constant']", "compute": "runs = ['relu']"}
    target = replace(hardware(tmp_path, ["multiply > compute"], stages), matmul=(MatmulRule(MatmulFreedom.FREE),))
    square = "tensor<4x4xf32, #npu.layout<Tensor>>"
    module = parse_verified(
        f"""
        func.func @main(%x: {square}, %y: {square}) -> {square} {{
          %w = npu.constant dense<0.5> : {square}
          %m = npu.matmul %w, %x : {square}
          %r = npu.relu %m : {square}
          %p = npu.matmul %r, %y : {square}
          func.return %p : {square}
        }}"""
    )
    # With the constant on the right, the first product and the relu are in one group, which reads 64 bytes and writes
    # 64; the second product reads two values and writes one.
    assert travelling_after(module, target, "traffic")[:3] == (320, 320, 320)
