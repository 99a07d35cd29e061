"""Groups with the fewest bytes between them, against all groups that a small program can have."""

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from npu_opt.passes.cover.best import WIDTH, best_cover, cover
from npu_opt.passes.fusion.groups.hardware_groups import Grouping, hardware_groups
from npu_opt.passes.fusion.groups.traffic import Traffic, traffic_of
from support.campaign import amount
from support.generators.hardware import hardware, matching, nodes_of
from support.generators.small_groups import SHAPES, random_hardware, random_program
from support.ir_text import parse_verified
from support.oracles.every_grouping import SmallProgram
from support.oracles.legal_groups import faults, price_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

PROGRAMS = amount(100, 5000)
LARGER = amount(40, 5000)


def test_cover_is_the_best_of_all_groupings(tmp_path: Path):
    tally = Counter[str]()
    for seed in range(PROGRAMS):
        rng = Random(seed)
        target = random_hardware(rng, tmp_path)
        module = random_program(rng, SHAPES[seed % len(SHAPES)], rng.randint(2, 6))
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        small = SmallProgram(function.body.block, target)
        stages, nodes = matching(target, module), nodes_of(module)
        flow, greedy = traffic_of(nodes, stages), hardware_groups(nodes, stages)
        assert faults(function.body.block, greedy, target) == [], f"seed {seed}\n{module}"
        best = small.best()
        for width in (1, 2, WIDTH):
            found = cover(flow, stages, width)
            case = f"seed {seed}, width {width}\n{module}"
            assert faults(function.body.block, found, target) == [], case
            sums = small.sums([frozenset(op for op in group.ops if op in small.reads) for group in found.groups])
            sums = sums[0] + price_of(found, target), sums[1]
            assert flow.travelling(found) == sums[0], case
            tally["priced"] += flow.price(found) > 0
            assert found.bound is not None
            assert found.bound.least <= best[0] <= sums[0], case
            assert sums[0] == found.bound.least or not found.bound.is_best, case
            if width == WIDTH and not (target.absorbing_stages or target.is_free("npu.transpose")):
                assert sums == best, case
                assert found.bound.least == best[0], case
            tally[f"proved {found.bound.least == sums[0]}"] += width == WIDTH
            tally[f"best {best[0] == sums[0]}"] += width == WIDTH
            # The default finds no better groups than the better ones of both.
            either = best_cover(flow, stages, partial(replace, greedy), width)
            assert sums_of(flow, either) <= min(sums_of(flow, greedy), sums_of(flow, found)), case
    # Transposes that several ops read are not tried in all groups that may absorb them.
    print(dict(tally))
    assert tally["proved True"] >= 0.97 * PROGRAMS


def test_larger_programs_have_legal_groups(tmp_path: Path):
    """With more ops than all groupings can be tried for, and at widths at which most states are dropped."""
    for seed in range(LARGER):
        rng = Random(seed)
        target = random_hardware(rng, tmp_path)
        module = random_program(rng, SHAPES[seed % len(SHAPES)], rng.randint(6, 16))
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        stages, nodes = matching(target, module), nodes_of(module)
        flow = traffic_of(nodes, stages)
        covers = [cover(flow, stages, width) for width in (1, 2, WIDTH)]
        every = [hardware_groups(nodes, stages), *covers]
        case = f"seed {seed}\n{module}"
        assert not [fault for each in every for fault in faults(function.body.block, each, target)], case
        # What one search proves, neither another one nor the default contradicts.
        least = [found.bound.least for found in covers if found.bound is not None]
        proved = [found for found in covers if found.bound is not None and found.bound.is_best]
        assert all(flow.travelling(each) == max(least) for each in proved), case
        assert max(least) <= min(map(flow.travelling, every)), case


def sized_program(rng: Random, length: int) -> ModuleOp:
    """Ops on values of 4 and of 8 bytes an element, which casts make of each other."""
    types = {"%x": "f32", "%y": "f64"}
    lines: list[str] = []
    for place in range(length):
        name, first = f"%v{place}", rng.choice([*types][-3:])
        second = rng.choice([each for each, type_ in types.items() if type_ == types[first]])
        made = {"f32": "f64", "f64": "f32"}[types[first]] if rng.random() < 0.4 else types[first]
        own, result = f"tensor<2x3x{types[first]}>", f"tensor<2x3x{made}>"
        if made != types[first]:
            lines.append(f"{name} = npu.cast {first} : ({own}) -> {result}")
        elif rng.random() < 0.5:
            lines.append(f"{name} = npu.add {first}, {second} : {own}")
        else:
            lines.append(f"{name} = npu.relu {first} : {own}")
        types[name] = made
    returned = [*types][-2:]
    ends = ", ".join(f"tensor<2x3x{types[each]}>" for each in returned)
    head = f"func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) -> ({ends}) {{"
    return parse_verified("\n".join([head, *lines, f"func.return {', '.join(returned)} : {ends}", "}"]))


def test_stages_take_values_up_to_a_size(tmp_path: Path):
    tally = Counter[str]()
    for seed in range(PROGRAMS):
        rng = Random(seed)
        limits = [rng.choice(("", "", "\nmost-bytes = 24", "\nmost-bytes = 47", "\nmost-bytes = 48")) for _ in range(3)]
        runs = (["relu", "add"], ["cast", "add"], ["cast", "relu"])
        stages = {
            f"s{place}": f"runs = {rng.sample(each, rng.randint(1, 2))}{limit}"
            + "\nholds = true" * (rng.random() < 0.5)
            for place, (each, limit) in enumerate(zip(runs, limits, strict=True))
        }
        edges = rng.choice((["s0 > s1 > s2"], ["s0 > s0 | s1", "s1 > s0 | s2", "s2 > s0"], ["s0 > s2 > s1 > s0"]))
        target = hardware(tmp_path, edges, stages)
        module = sized_program(rng, rng.randint(2, 6))
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        small = SmallProgram(function.body.block, target)
        placed, nodes = matching(target, module), nodes_of(module)
        flow, greedy = traffic_of(nodes, placed), hardware_groups(nodes, placed)
        found, best, case = cover(flow, placed), small.best(), f"seed {seed}\n{module}"
        assert [fault for each in (greedy, found) for fault in faults(function.body.block, each, target)] == [], case
        assert (flow.travelling(found), len(found.groups)) == best, case
        assert found.bound is not None
        assert found.bound.least == best[0], case
        free = [stage.replace("most-bytes", "#") for stage in stages.values()]
        unlimited = matching(hardware(tmp_path, edges, dict(zip(stages, free, strict=True))), module)
        tally[f"limited {flow.travelling(cover(flow, unlimited)) < best[0]}"] += 1
    assert tally["limited True"] > PROGRAMS // 10, tally
    assert tally["limited False"] > PROGRAMS // 10, tally


def sums_of(flow: Traffic, grouping: Grouping) -> tuple[int, int]:
    return flow.travelling(grouping), len(grouping.groups)


def test_an_absorbed_transpose_has_the_price_of_the_way_to_its_first_reader(tmp_path: Path):
    stages = {
        "early": "absorbs = true\nprice = '2 x bytes'",
        "act": "runs = ['relu']",
        "late": "absorbs = true\nprice = '1 x bytes'",
        "join": "runs = ['add with tensor']",
    }
    target = hardware(tmp_path, ["early > act > late > join"], stages)
    module = parse_verified(
        """
        func.func @main(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
          %t = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
          %r = npu.relu %t : tensor<6x4xf32>
          %s = npu.add %r, %t : tensor<6x4xf32>
          func.return %s : tensor<6x4xf32>
        }"""
    )
    placed, nodes = matching(target, module), nodes_of(module)
    found = hardware_groups(nodes, placed)
    assert [[member.op.name for member in group.members] for group in found.groups] == [["npu.relu", "npu.add"]]
    # One value is read and one written, and the transpose is on the early stage.
    assert traffic_of(nodes, placed).travelling(found) == 96 + 96 + 2 * 96
