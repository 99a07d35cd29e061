"""Certificates of minima for tests: those of problems in numbers, read back, and with mistakes."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any, TypeAlias, cast

from npu_opt.passes.optimal.certificates.core import Certificate, Labels, certificate_of
from npu_opt.passes.optimal.solve.problem import Problem

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
    cost: float = 0
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
    return cost_in(content, content["plan"]["modes"]) == content["plan"]["cost"] and (
        least_in(content) >= content["proof"]["bound"]
    )


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
