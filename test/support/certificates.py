"""Certificates of minima for tests: those of problems in numbers, read back, and with mistakes."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias, cast

from npu_opt.passes.optimal.certificates.core import Certificate, Labels, certificate_of
from npu_opt.passes.optimal.certificates.tree import written_in
from npu_opt.passes.optimal.solve.linear_program import DIGITS
from npu_opt.passes.optimal.solve.problem import (
    Problem,
    conversions_of,
    cost_of_choice,
    each_of,
    given_byte_order,
)
from npu_opt.passes.optimal.solve.proof_nodes import GroupCosts, JointPrice, PaidTerm, ProofNode

from .generators.assignments import choices

Json: TypeAlias = Any
Place: TypeAlias = tuple[Any, Any]
"""A list or mapping of JSON, and an index or a key of it."""


def labels_of(problem: Problem) -> Labels:
    storages = [f"s{number}" for number in range(len(problem.storages))]
    return Labels(storages, [(f"o{op}", "test.op") for op in range(len(problem.modes))])


def certified(problem: Problem, choice: Sequence[int], time_limit: float = 60.0) -> Certificate:
    """The certificate of a choice."""
    return certificate_of(problem, choice, labels_of(problem), time_limit)


def data_of(content: Json) -> bytes:
    return json.dumps(content).encode()


def cost_in(content: Json, modes: Sequence[int]) -> float:
    """The cost of a choice by what a certificate says of its problem; infinite if something has no price."""
    problem = content["problem"]
    cost: float = problem.get("sure", 0)
    for pool in problem.get("joint", ()):
        paid = (price for price, of in pool["prices"] if all(modes[op] in each for op, each in of))
        cost += max(paid, default=0)
    written: dict[int, set[int]] = {}
    read: dict[int, set[int]] = {}
    for op, mode in zip(problem["ops"], modes, strict=True):
        cost += op["prices"][mode] if "prices" in op else 0
        for uses, found in ((op["reads"], read), (op["writes"], written)):
            for storage, layouts in uses:
                found.setdefault(storage, set()).update(_each_of(layouts[mode]))
    for number, storage in enumerate(problem["storages"]):
        given = {storage["given"]} if "given" in storage else written[number]
        for wanted in read.get(number, set()) - given:
            cost += min(_price(problem, storage["conversion"], each, wanted) for each in given)
    return cost


def _each_of(used: Json) -> list[int]:
    """The layouts that a mode uses: one or several."""
    return cast("list[int]", used) if isinstance(used, list) else [used]


def _price(problem: Json, conversion: Json, given: int, wanted: int) -> float:
    if isinstance(conversion, int):
        return conversion
    table = problem["tables"][conversion["table"]]
    if given not in table["from"] or wanted not in table["to"]:
        return float("inf")
    price = table["prices"][table["from"].index(given)][table["to"].index(wanted)]
    return float("inf") if price is None else price


def least_in(content: Json) -> float:
    """The least cost of all choices."""
    counts = [_modes_of(op) for op in content["problem"]["ops"]]
    return min(cost_in(content, choice) for choice in choices(Problem(counts, [])))


def _modes_of(op: Json) -> int:
    uses = [*op["reads"], *op["writes"]]
    return len(uses[0][1]) if uses else len(op["prices"])


def is_true(content: Json) -> bool:
    """True if the plan of a certificate costs what it says, and no choice costs less than its bound."""
    plan = content["plan"]
    is_plan = cost_in(content, plan["modes"]) + plan.get("more", 0) == plan["cost"]
    return is_plan and least_in(content) >= content["proof"]["bound"]


def mutant_of(content: Json, rng: Random) -> Json:
    """A certificate in which one to three things differ: numbers, layouts, modes, terms, leaves, storages, ops."""
    mutant = deepcopy(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        holder, key = rng.choice([*_places(mutant)])
        _mutate(holder, key, rng)
    return mutant


def _places(value: Json) -> Iterator[Place]:
    if not isinstance(value, dict | list):
        return
    holder = cast("Json", value)
    for key in [*(holder if isinstance(value, dict) else range(len(holder)))]:
        yield holder, key
        yield from _places(holder[key])


def _mutate(holder: Json, key: Json, rng: Random) -> None:
    value, kind = holder[key], rng.random()
    if isinstance(value, int) and kind < 0.8:
        holder[key] = rng.choice([value + 1, value - 1, value * 2, 0, value + 1024, value - 1024, value // 2])
    elif isinstance(value, list) and value and kind < 0.7:
        _mutate_list(cast("list[Json]", value), rng)
    elif isinstance(holder, dict) and kind < 0.85:
        del holder[key]
    else:
        others: list[Json] = [None, True, 0, 1.0, -1, "x", [], {}, [0], 10**30]
        holder[key] = rng.choice(others)


def _mutate_list(values: list[Json], rng: Random) -> None:
    place = rng.randrange(len(values))
    match rng.randrange(4):
        case 0:
            del values[place]
        case 1:
            values.append(deepcopy(values[place]))
        case 2:
            values[place], values[-1] = values[-1], values[place]
        case _:
            values.clear()


def certified_with_groups(problem: Problem, choice: Sequence[int], rng: Random) -> Certificate:
    """The certificate of a choice with random costs of groups, proved by the tree of all choices."""
    listed = {op: [0] * modes for op, modes in enumerate(problem.modes)}
    problem = replace(problem, prices=listed | {**problem.prices})
    return certificate_of(problem, choice, labels_of(problem), groups=_groups(problem, choice, rng))


def _groups(problem: Problem, choice: Sequence[int], rng: Random) -> GroupCosts:
    pools = [[*_joint_prices(problem, rng)] for _ in range(rng.randint(1, 3))]
    costs = GroupCosts(rng.choice((0, 5, 12)), 0, pools)
    of_each = {each: cost_of_choice(problem, each) + costs.of_choice(each) for each in choices(problem)}
    more = rng.choice((0, 0, 0, 4))
    root = _of_all_choices(problem, pools, min(of_each.values()), ())
    return costs._replace(cost=of_each[tuple(choice)] + more, root=root)


def _joint_prices(problem: Problem, rng: Random) -> Iterator[JointPrice]:
    """Different prices for some modes of some ops, at last maybe one that every choice pays."""
    for amount in rng.sample((1, 3, 8, 768), rng.randint(0, 3)):
        ops = sorted(rng.sample(range(len(problem.modes)), rng.randint(1, min(3, len(problem.modes)))))
        some = [(op, rng.sample(range(problem.modes[op]), rng.randint(1, problem.modes[op]))) for op in ops]
        yield JointPrice(amount, tuple([(op, frozenset(modes)) for op, modes in some]))
    if rng.random() < 0.2:
        yield JointPrice(2, ())


def _of_all_choices(
    problem: Problem, pools: Sequence[Sequence[JointPrice]], bound: int, modes: Sequence[int]
) -> ProofNode:
    """A tree that splits each op into its modes; a leaf asks for all that its choice pays."""
    op = len(modes)
    if op < len(problem.modes):
        each = [(*modes, mode) for mode in range(problem.modes[op])]
        children = [_of_all_choices(problem, pools, bound, every) for every in each]
        return ProofNode((), (), bound, (), op, [[mode] for mode in range(problem.modes[op])], children)
    joint: list[tuple[int, int]] = []
    for number, pool in enumerate(pools):
        paid = [(price.amount, place) for place, price in enumerate(pool) if price.is_paid(modes)]
        joint += [(number, max(paid)[1])] if paid else []
    return ProofNode([*_terms(problem, modes)], (), bound, joint=joint)


def _terms(problem: Problem, choice: Sequence[int]) -> Iterator[PaidTerm]:
    for number, storage in enumerate(problem.storages):
        given = each_of(given_byte_order(storage, choice))
        for wanted in conversions_of(storage, choice):
            price = min(storage.price(each, wanted) for each in given)
            cheaper = [each for each in written_in(storage) if storage.price(each, wanted) < price]
            read = (each_of(reader.byte_orders[choice[reader.op]]) for reader in storage.readers)
            reader = next(place for place, each in enumerate(read) if wanted in each)
            if price:
                yield PaidTerm(number, reader, (wanted,), cheaper, price * DIGITS)
