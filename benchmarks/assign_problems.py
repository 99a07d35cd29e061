"""Problems of `npu-opt --assign` of any size: online softmax in chunks, networks, and kernels with many encodings."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

Problem: TypeAlias = dict[str, Any]
Tuples: TypeAlias = Sequence[tuple[Sequence[str], Sequence[str]]]

ROWS, KEYS, HEAD, STICK = 256, 512, 128, 64


class _Draft:
    """A problem, as it grows."""

    def __init__(self, **rest: Any) -> None:
        self.problem: Problem = {"format": "npu-opt assign 1", "tensors": [], "ops": [], **rest}

    def tensor(self, name: str, weight: int, **rest: Any) -> str:
        self.problem["tensors"].append({"name": name, "weight": weight, **rest})
        return name

    def op(self, name: str, operands: Sequence[str], result: str, tuples: Tuples) -> str:
        """An op with one result of its own name."""
        modes = [{"operands": [*read], "results": [*written]} for read, written in tuples]
        self.problem["ops"].append({"name": name, "operands": [*operands], "results": [result], "tuples": modes})
        return result


def _same(layouts: Sequence[str], operands: int) -> Tuples:
    return [([layout] * operands, [layout]) for layout in layouts]


def online_softmax(chunks: int) -> Problem:
    """Attention over chunks of keys and values: a running maximum, sum and result, in sticks of 64 elements.

    Every chunk reads the queries. A stick is along the queries, the keys or the head.
    """
    scores, column, rows = ROWS * KEYS // STICK, ROWS // STICK, ROWS * HEAD // STICK
    draft = _Draft(conversion=1)
    draft.tensor("q", rows, layouts=["head", "queries"])
    largest = total = mixed = ""
    along = ("queries", "keys")
    for chunk in range(chunks):

        def made(name: str, operands: Sequence[str], weight: int, tuples: Tuples, chunk: int = chunk) -> str:
            return draft.op(f"{name} {chunk}", operands, draft.tensor(f"{name} {chunk}", weight), tuples)

        # The keys of every other chunk are given in another layout.
        keys = draft.tensor(f"k {chunk}", KEYS * HEAD // STICK, given="keys" if chunk % 2 else "head")
        values = draft.tensor(f"v {chunk}", KEYS * HEAD // STICK, given="head")
        of_scores: Tuples = [(["head", "keys"], ["keys"]), (["queries", "head"], ["queries"])]
        of_state: Tuples = [(["head", "keys"], ["head"]), (["queries", "queries"], ["queries"])]
        score = made("scores", ["q", keys], scores, of_scores)
        new = made("max", [score], column, _same(along, 1))
        if chunk:
            new = made("larger", [largest, new], column, _same(along, 2))
        weights = made("exp", [score, new], scores, _same(along, 2))
        part = made("sum", [weights], column, _same(along, 1))
        part_mixed = made("mix", [weights, values], rows, [(["keys", "head"], ["head"])])
        if chunk:
            factor = made("factor", [largest, new], column, _same(along, 2))
            total = made(
                "total", [made("scaled", [total, factor], column, _same(along, 2)), part], column, _same(along, 2)
            )
            scaled = made("scaled mix", [mixed, factor], rows, of_state)
            mixed = made("mixed", [scaled, part_mixed], rows, _same(("head", "queries"), 2))
        else:
            total, mixed = part, part_mixed
        largest = new
    draft.tensor("out", rows, required="head")
    draft.op("divide", [mixed, total], "out", [(["head", "keys"], ["head"]), (["queries", "queries"], ["queries"])])
    return draft.problem


def network(tensors: int, layouts: int, seed: int = 0) -> Problem:
    """A chain of ops with residuals: most run in any one layout, some demand a few pairs of layouts."""
    rng = Random(seed)
    names = [f"L{number}" for number in range(layouts)]
    draft = _Draft(conversion=1)
    for number in range(tensors):
        name = draft.tensor(f"t{number}", rng.randint(1, 1000))
        operands = [f"t{number - 1}"] if number else []
        if number > 4 and rng.random() < 0.3:
            operands.append(f"t{number - rng.randint(2, 4)}")
        if rng.random() < 0.7:
            draft.op(name, operands, name, _same(names, len(operands)))
        else:
            few = rng.sample(names, max(2, layouts // 4))
            draft.op(name, operands, name, [([each] * len(operands), [rng.choice(names)]) for each in few])
    return draft.problem


def kernel(tensors: int, layouts: int, seed: int = 0) -> Problem:
    """Ops of one kernel with many encodings: loads, products and stores demand a few, the rest run in any.

    Encodings of one family differ in registers, which shuffles convert; between families data takes the way through
    shared memory. Some conversions do not exist.
    """
    rng = Random(seed)
    names = [f"E{number}" for number in range(layouts)]
    families = [number % 8 for number in range(layouts)]

    def price(given: int, wanted: int) -> int | None:
        if given == wanted:
            return 0
        if families[given] == families[wanted]:
            return 2 + (given * 7 + wanted * 3) % 5
        return None if (given + 2 * wanted) % 29 == 0 else 96

    table = {"layouts": names, "prices": [[price(one, other) for other in range(layouts)] for one in range(layouts)]}
    draft = _Draft(tables={"per byte": table}, conversion="per byte")
    for number in range(tensors):
        name = draft.tensor(f"t{number}", rng.choice((64, 128, 256)))
        operands = [f"t{number - 1}"] if number else []
        if number > 8 and rng.random() < 0.2:
            operands.append(f"t{number - rng.randint(2, 8)}")
        if number and rng.random() < 0.85:
            draft.op(name, operands, name, _same(names, len(operands)))
        else:
            few = rng.sample(names, 4)
            draft.op(name, operands, name, [([each] * len(operands), [rng.choice(few)]) for each in few])
    return draft.problem
