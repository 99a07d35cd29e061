"""The conflicts behind a minimum: paths that share nothing and add up to it."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from random import Random

import pytest
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.graph.maximum_flow import SINK, SOURCE, FlowGraph
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice, choose_modes
from npu_opt.passes.optimal.explain.conflicts import Conflicts
from npu_opt.passes.optimal.explain.cuts import Path, is_fixed, parts_of
from npu_opt.passes.optimal.solve.linear_program import solve
from npu_opt.passes.optimal.solve.problem import Access, Prices, Problem, StorageTerm, byte_orders_of, conversions_of
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.targets import load
from support.generators.programs import random_program
from support.ir_text import parse
from test_assignment import random_problem
from xdsl.dialects.builtin import ModuleOp


def two_sided_problem(seed: int) -> Problem:
    """Ops that have one or two modes; every family is stored in one of two sequences. Rings may contradict themselves,
    if only a few do."""
    rng = Random(seed)
    turned = rng.choice((0, 0, 0.05))
    modes = [rng.choice((1, 2, 2, 2)) for _ in range(rng.randint(2, 12))]
    fixed = [rng.randrange(2) for _ in modes]
    storages: list[StorageTerm] = []
    for _ in range(rng.randint(1, 14)):

        def access() -> Access:
            op = rng.randrange(len(modes))
            order = [fixed[op]] if modes[op] == 1 else [0, 1] if rng.random() >= turned else [1, 0]
            return Access(op, ["NCHW" if side == 0 else "NHWC" for side in order])

        producer: Access | Hashable = access() if rng.random() < 0.8 else rng.choice(("NCHW", "NHWC"))
        storages.append(
            StorageTerm(rng.choice((0, 1, 2, 3, 5, 2**40)), producer, [access() for _ in range(rng.randint(0, 4))])
        )
    return Problem(modes, storages)


def check_paths(problem: Problem, paths: list[Path], choice: list[int]) -> None:
    crossed: Counter[tuple[int, Hashable]] = Counter()
    for path in paths:
        assert path.amount > 0
        assert len(path.points) == len(path.crossings) + 1
        for place, crossing in enumerate(path.crossings):
            crossed[crossing.storage, crossing.byte_order] += path.amount
            producer = problem.storages[crossing.storage].producer
            from_giver = path.points[place if crossing.leads_to_reader else place + 1]
            assert from_giver == (producer.op if isinstance(producer, Access) else None)
        # Each conflict is resolved at one place, which may be an end that runs in its dearer mode.
        stored_again = [
            crossing
            for crossing in path.crossings
            if crossing.byte_order in conversions_of(problem.storages[crossing.storage], choice)
        ]
        assert len(stored_again) + len(dearer_ends(problem, path, choice)) == 1
        check_ends(problem, path)
    for (number, byte_order), amount in crossed.items():
        storage = problem.storages[number]
        (other,) = set(byte_orders_of(storage)) - {byte_order}
        assert amount <= storage.price(other, byte_order)
        if byte_order in conversions_of(storage, choice):
            assert amount == storage.price(other, byte_order)


def check_ends(problem: Problem, path: Path) -> None:
    """The ends of a path are pinned with respect to the storages beside them."""
    ends = (path.points[0], path.crossings[0]), (path.points[-1], path.crossings[-1])
    for (op, crossing), is_drawn in zip(ends, path.is_drawn, strict=True):
        storage = problem.storages[crossing.storage]
        if is_drawn:
            assert op in problem.prices
        elif op is None:
            assert not isinstance(storage.producer, Access)
        else:
            accesses = [*storage.readers, *([storage.producer] if isinstance(storage.producer, Access) else [])]
            assert any(access.op == op and is_fixed(access) for access in accesses)
    assert None not in path.points[1:-1]


def dearer_ends(problem: Problem, path: Path, choice: list[int]) -> list[int]:
    """The ends that are drawn to a cheaper mode than the chosen one."""
    ends = zip((path.points[0], path.points[-1]), path.is_drawn, strict=True)
    drawn = [op for op, is_drawn in ends if is_drawn and op is not None]
    return [op for op in drawn if problem.prices[op][choice[op]] > min(problem.prices[op])]


def with_prices(problem: Problem, seed: int) -> Problem:
    """The problem with modes that have prices, and conversions that cost more in one direction."""
    rng = Random(seed)

    def directed(there: int, back: int) -> Prices:
        return lambda given, wanted: there if str(given) < str(wanted) else back

    storages = [
        replace(storage, weight=directed(rng.choice((0, 1, 4, 2**40)), rng.choice((0, 2, 3))))
        if rng.random() < 0.7
        else storage
        for storage in problem.storages
    ]
    prices = {
        op: [rng.randint(0, 6) for _ in range(count)] for op, count in enumerate(problem.modes) if rng.random() < 0.5
    }
    return Problem(problem.modes, storages, prices)


@pytest.mark.parametrize("seed", range(100))
def test_paths_and_prices_add_up_to_the_minimum(seed: int):
    problem = with_prices(two_sided_problem(seed), seed)
    solution, parts = solve(problem), parts_of(problem)
    paths = [path for part in parts for path in part.paths or ()]
    total = sum(path.amount for path in paths) + sum(map(min, problem.prices.values()))
    if all(part.paths is not None for part in parts):
        assert total == solution.bound == solution.cost
        check_paths(problem, paths, solution.choice)
    else:
        assert total <= solution.bound


@pytest.mark.parametrize("seed", range(400))
def test_paths_add_up_to_the_minimum(seed: int):
    problem = two_sided_problem(seed)
    solution, parts = solve(problem), parts_of(problem)
    paths = [path for part in parts for path in part.paths or ()]
    total = sum(path.amount for path in paths)
    if all(part.paths is not None for part in parts):
        assert total == solution.bound == solution.cost
        check_paths(problem, paths, solution.choice)
    else:
        assert total <= solution.bound


def test_most_two_sided_problems_are_cuts():
    parts = [part for seed in range(400) for part in parts_of(two_sided_problem(seed))]
    assert sum(part.paths is not None for part in parts) > 0.8 * len(parts)
    assert any(part.paths is None for part in parts)


@pytest.mark.parametrize("seed", range(300))
def test_what_is_no_cut_is_not_taken_for_one(seed: int):
    """Parts with more ways than two: those that are cuts never add up to more than the minimum."""
    problem = random_problem(seed)
    solution, parts = solve(problem), parts_of(problem)
    total = sum(path.amount for part in parts for path in part.paths or ())
    if all(part.paths is not None for part in parts):
        assert total == solution.bound
        check_paths(problem, [path for part in parts for path in part.paths or ()], solution.choice)
    assert total <= solution.bound


def test_three_ways_are_no_two_sides():
    """An op that may also read one family in one order and give another in the other one keeps nothing apart."""
    storages = [
        StorageTerm(1, "NCHW", [Access(0, ["NCHW", "NHWC", "NCHW"])]),
        StorageTerm(1, Access(0, ["NCHW", "NHWC", "NHWC"]), [Access(1, ["NHWC"])]),
    ]
    problem = Problem([3, 1], storages)
    assert solve(problem).cost == 0
    assert [part.paths for part in parts_of(problem)] == [None]


def plan_of(module: ModuleOp, target: str = "opu") -> ModeChoice:
    colour(module)
    return choose_modes(module, TargetLayouts(load(target)), "bytes", 64, 60)


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed: int):
    plan = plan_of(random_program(seed, 40, coloured=False), "plover" if seed % 2 else "opu")
    parts = parts_of(plan.solved.problem)
    paths = [path for part in parts for path in part.paths or ()]
    if plan.is_proved and all(part.paths is not None for part in parts):
        assert sum(path.amount for path in paths) == plan.solution.bound
        check_paths(plan.solved.problem, paths, plan.solution.choice)
    texts = Conflicts(plan, colour(plan.table.module))
    for reading in plan.uses:
        if reading.is_converted:
            # A constant has no order of its own that anything could conflict with.
            are_two = any(joined in texts.text(reading) for joined in (", but ", " between them"))
            assert are_two == (not plan.table.storage.is_constant(reading.root))


def test_what_contradicts_itself_is_an_explanation():
    """`x + transpose(x)`: whatever the order of x, one operand has to be converted."""
    module = parse("""
      func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
        %x = npu.relu %a : tensor<4x4xf32>
        %t = npu.transpose %x permutation = [1, 0] : tensor<4x4xf32>
        %y = npu.add %x, %t : tensor<4x4xf32>
        func.return %y : tensor<4x4xf32>
      }""")
    plan = plan_of(module)
    (part,) = parts_of(plan.solved.problem)
    assert part.paths is None
    (reading,) = [reading for reading in plan.uses if reading.is_converted]
    text = Conflicts(plan, colour(module)).text(reading)
    assert text.endswith("(an explanation, not a proof)")


def test_several_conflicts_meet_in_one_transpose():
    """Two small inputs are joined: storing each again costs as much as storing both when they are one."""
    module = parse("""
      func.func @main(%a: tensor<1x8x4x4xf32>, %b: tensor<1x8x4x4xf32>) -> tensor<1x16x4x4xf32> {
        %x = npu.relu %a : tensor<1x8x4x4xf32>
        %y = npu.relu %b : tensor<1x8x4x4xf32>
        %c = npu.concat %x, %y axis = 1 : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x16x4x4xf32>
        %k = npu.constant dense<1.0> : tensor<16x16x1x1xf32>
        %z = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW>
          : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
        func.return %z : tensor<1x16x4x4xf32>
      }""")
    plan = plan_of(module)
    paths = [path for part in parts_of(plan.solved.problem) for path in part.paths or ()]
    assert sum(path.amount for path in paths) == plan.solution.bound == 2048
    check_paths(plan.solved.problem, paths, plan.solution.choice)


@pytest.mark.parametrize("seed", range(50))
def test_what_flows_is_what_a_cut_leaves(seed: int):
    """The paths keep to all capacities, and no arc that is left would let more through."""
    rng = Random(seed)
    graph, capacities = FlowGraph(), dict[int, tuple[int, int, int]]()
    nodes = [SOURCE, SINK, *(graph.add_node() for _ in range(rng.randint(1, 8)))]
    for _ in range(rng.randint(1, 30)):
        tail, head = rng.sample(nodes, 2)
        capacity = rng.randint(0, 10**15)
        capacities[graph.add_arc(tail, head, capacity)] = tail, head, capacity
    paths = graph.paths()
    used: Counter[int] = Counter()
    for amount, arcs in paths:
        assert [SOURCE, *(capacities[arc][1] for arc in arcs)] == [*(capacities[arc][0] for arc in arcs), SINK]
        used.update(dict.fromkeys(arcs, amount))
    assert all(used[arc] <= capacity for arc, (_, _, capacity) in capacities.items())
    reached, waiting = {SOURCE}, [SOURCE]
    while waiting:
        node = waiting.pop()
        for arc, (tail, head, capacity) in capacities.items():
            for start, end, left in ((tail, head, capacity - used[arc]), (head, tail, used[arc])):
                if start == node and left and end not in reached:
                    reached.add(end)
                    waiting.append(end)
    cut = sum(capacity for tail, head, capacity in capacities.values() if tail in reached and head not in reached)
    assert SINK not in reached
    assert cut == sum(path.amount for path in paths)


@pytest.mark.parametrize("seed", range(50))
def test_the_side_of_the_sink_is_the_smaller_one_of_a_cheapest_cut(seed: int):
    rng = Random(seed)
    graph, arcs = FlowGraph(), list[tuple[int, int, int]]()
    nodes = [SOURCE, SINK, *(graph.add_node() for _ in range(rng.randint(1, 6)))]
    for _ in range(rng.randint(1, 20)):
        tail, head = rng.sample(nodes, 2)
        arcs.append((tail, head, rng.randint(0, 5)))
        graph.add_arc(*arcs[-1])
    found = graph.before_sink()

    def cost(side: set[int]) -> int:
        return sum(capacity for tail, head, capacity in arcs if tail not in side and head in side)

    sides = [{SINK, *(node for node in nodes[2:] if choice >> node & 1)} for choice in range(0, 1 << len(nodes), 4)]
    cheapest = min(map(cost, sides))
    assert cost(found) == cheapest
    assert all(found <= side for side in sides if cost(side) == cheapest)
