"""`checkers/check_minimum.py`: it accepts the certificates of random problems, and nothing that is wrong."""

import ast
import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from math import prod
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.passes.optimal.certificates.core import Certificate, certificate_of
from npu_opt.passes.optimal.solve.linear_program import DIGITS, solve
from npu_opt.passes.optimal.solve.problem import Access, Problem, StorageTerm, cost_of_choice
from npu_opt.passes.optimal.solve.proof_nodes import GroupCosts, JointPrice, PaidTerm, ProofNode
from support.campaign import amount, counted
from support.certificates import certified, certified_with_groups, data_of, is_true, labels_of, least_in, mutant_of
from support.generators.assignments import choices, random_assignment
from support.source_tree import ROOT

CHECKER = ROOT / "checkers" / "check_minimum.py"
MOST_LINES = 300
PROBLEMS = amount(150, 5000)
MUTATED = amount(40, 400)
MUTANTS = amount(50, 100)
"""The mutants of each certificate."""


def problems(seed: int, tally: Counter[str]):
    problem = random_assignment(seed)
    cost, choice = min((cost_of_choice(problem, choice), choice) for choice in choices(problem))
    certificate = certified(problem, choice)
    code, verdict = verdict_of(certificate.data(is_compressed=bool(seed % 2)))
    tally["nodes"] += (nodes := sum(len(part["nodes"]) for part in certificate.content["proof"]["parts"]))
    tally["parts"] += (parts := len(certificate.content["proof"]["parts"]))
    tally["branched"] += nodes > parts
    if code or certificate.cost != cost or certificate.bound != cost or not is_true(certificate.content):
        yield f"seed {seed}: {verdict}, the minimum is {cost}"


def test_the_minima_of_random_problems_are_accepted(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(PROBLEMS), 50, capsys)
    assert tally["branched"] > PROBLEMS / 20


def behind_a_free_op(problem: Problem) -> Problem:
    """The problem with one more op in front, whose storage costs nothing."""

    def moved(access: Any) -> Any:
        return access._replace(op=access.op + 1) if isinstance(access, Access) else access

    free = StorageTerm(0, Access(0, ["a", "b"]), [Access(1, ["a"] * problem.modes[0])])
    storages = [
        StorageTerm(each.weight, moved(each.producer), [*map(moved, each.readers)]) for each in problem.storages
    ]
    prices = {op + 1: of_op for op, of_op in problem.prices.items()}
    return Problem([2, *problem.modes], [free, *storages], prices, problem.has_prices)


@pytest.mark.parametrize("seed", [5, 17, 33, 101])
def test_an_op_that_costs_nothing_is_left_out(seed: int):
    """The linear program takes halves of modes, and the proof has branches."""
    problem = behind_a_free_op(random_assignment(seed))
    cost, choice = min((cost_of_choice(problem, choice), choice) for choice in choices(problem))
    certificate = certified(problem, choice)
    assert any(len(part["nodes"]) > 1 for part in certificate.content["proof"]["parts"])
    assert verdict_of(certificate.data(is_compressed=False))[1].startswith(f"accepted: minimum {cost} (ops: ")


def accepted_mistakes(certificate: Certificate, seed: int, rng: Random, tally: Counter[str]) -> Iterator[str]:
    """The mutants of a certificate that the checker does not refuse, though they are not true."""
    content = json.loads(certificate.data(is_compressed=False))
    for number in range(MUTANTS):
        mutant = mutant_of(content, rng)
        code, verdict = verdict_of(data_of(mutant))
        tally[verdict.split(":")[0]] += 1
        if code != 1 and not is_true(mutant):
            yield f"seed {seed}, mutant {number}: {verdict}\n{json.dumps(mutant)}"


def mutants(seed: int, tally: Counter[str]) -> Iterator[str]:
    problem, rng = random_assignment(seed), Random(seed)
    yield from accepted_mistakes(certified(problem, solve(problem).choice), seed, rng, tally)


def test_no_mistake_is_accepted(capsys: pytest.CaptureFixture[str]):
    """A changed problem may have the same proof: what is accepted is true of the problem that the file states."""
    tally = counted(mutants, range(MUTATED), 20, capsys)
    assert tally["refused"] > MUTATED * MUTANTS / 2
    assert tally["accepted"] > 0


def problems_with_groups(seed: int, tally: Counter[str]):
    problem, rng = random_assignment(seed), Random(seed)
    certificate = certified_with_groups(problem, rng.choice([*choices(problem)]), rng)
    code, verdict = verdict_of(certificate.data(is_compressed=False))
    tally[verdict.split(":")[0]] += 1
    tally["joint"] += "joint" in certificate.content["problem"]
    least = least_in(certificate.content)
    if code != (2 if certificate.bound < certificate.cost else 0) or certificate.bound != least:
        yield f"seed {seed}: {verdict}, and the least is {least}"


def test_the_costs_of_groups_are_proved(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems_with_groups, range(PROBLEMS), 50, capsys)
    assert tally["joint"] > PROBLEMS / 2
    assert min(tally["accepted"], tally["undecided"]) > PROBLEMS / 20


def mutants_with_groups(seed: int, tally: Counter[str]) -> Iterator[str]:
    problem, rng = random_assignment(seed), Random(seed)
    if prod(problem.modes) > 48:
        return  # The tree has a leaf for each choice.
    tally["certificates"] += 1
    certificate = certified_with_groups(problem, rng.choice([*choices(problem)]), rng)
    yield from accepted_mistakes(certificate, seed, rng, tally)


def test_no_mistake_about_groups_is_accepted(capsys: pytest.CaptureFixture[str]):
    tally = counted(mutants_with_groups, range(MUTATED), 20, capsys)
    assert tally["certificates"] > MUTATED / 4
    assert tally["refused"] > tally["certificates"] * MUTANTS / 2


def test_a_dearer_choice_is_left_undecided():
    problem = Problem([2], [StorageTerm(5, "a", [Access(0, ["a", "b"])])])
    code, verdict = verdict_of(certified(problem, [1]).data(is_compressed=False))
    assert code == 2
    assert verdict.startswith("undecided: the plan costs 5, and no choice less than 0 (ops: 1, storages: 1, ")


RING = Problem(
    [2, 2, 2],
    [
        StorageTerm(4, Access(0, ["a", "b"]), [Access(1, ["a", "b"])]),
        StorageTerm(4, Access(1, ["a", "b"]), [Access(2, ["a", "b"])]),
        StorageTerm(4, Access(2, ["a", "b"]), [Access(0, ["b", "a"])]),
        StorageTerm(lambda given, wanted: 2 if given < wanted else 3, "a", [Access(0, ["b", "c"])]),  # pyright: ignore
    ],
    {1: [0, 2]},
    has_prices=True,
)
"""An odd ring: one of three conversions is needed, of which the linear program takes halves."""


def with_value(content: Any, path: str, value: Any) -> Any:
    """A copy with another value at a place such as `proof.parts.0.storages`."""
    changed: Any = deepcopy(content)
    *holders, last = [int(each) if each.isdigit() else each for each in path.split(".")]
    place = changed
    for each in holders:
        place = place[each]
    if last == len(place):
        place.append(value)
    else:
        place[last] = value
    return changed


Change: TypeAlias = tuple[str, object, str]
"""The place of a change, as `proof.parts.0.storages`, the new value, and the words that refuse it."""
TOP = "proof.parts.0.nodes.0"
LEAF = "proof.parts.0.nodes.1"
RANGE = "expected a whole number in range, found"
CHANGES: list[Change] = [
    ("format", "npu-opt certificate 2", "unknown format"),
    ("problem.format", "npu-opt problem 2", "problem: unknown format"),
    ("problem.storages.0.conversion", -1, f"storage 0 (s0), price: {RANGE} -1"),
    ("problem.storages.0.conversion", 4.0, f"storage 0 (s0), price: {RANGE} 4.0"),
    ("problem.storages.0.conversion", True, f"storage 0 (s0), price: {RANGE} True"),
    ("problem.storages.3.conversion.table", 1, f"storage 3 (s3), table: {RANGE} 1"),
    ("problem.storages.3.conversion.table", -1, f"storage 3 (s3), table: {RANGE} -1"),
    ("problem.storages.3.given", 3, f"input storage 3 (s3): {RANGE} 3"),
    ("problem.storages.3.given", None, f"input storage 3 (s3): {RANGE} None"),
    ("problem.storages.3.given", [0], f"input storage 3 (s3): {RANGE} [0]"),
    ("problem.storages.0.given", 0, "storage 0 (s0): a second writer, input storage 0 (s0)"),
    ("problem.ops.0.writes", [], "storage 0 (s0): expected a writer, or a given layout"),
    ("problem.ops.1.writes.0.0", 2, "storage 2 (s2): a second writer, op 2 (o2)"),
    (
        "problem.tables.0.from",
        [0, 0],
        "this is no certificate: ValueError: zip() argument 2 is shorter than argument 1",
    ),
    ("problem.tables.0.to", [1, 1], "table: a layout is in it twice"),
    ("problem.tables.0.to", [1, 3], f"table: {RANGE} 3"),
    ("problem.tables.0.to", [0, 1], "table: a layout is converted to itself at a price"),
    ("problem.tables.0.prices.0.1", -2, f"price of a table: {RANGE} -2"),
    ("problem.ops.1.reads.0.0", -4, f"op 1 (o1): {RANGE} -4"),
    ("problem.ops.1.reads.0.1.0", -1, f"op 1 (o1): {RANGE} -1"),
    ("problem.ops.1.reads.0.1", [0, 1, 0], "op 1 (o1): expected layouts for each mode"),
    ("problem.ops.1.reads.0.1", [0, []], "op 1 (o1): expected layouts for each mode"),
    ("problem.ops.1.prices", [], "op 1 (o1): expected layouts for each mode"),
    ("problem.ops.1.prices.1", -2, f"op 1 (o1), price: {RANGE} -2"),
    ("plan.modes.0", 2, f"plan, a mode: {RANGE} 2"),
    ("plan.modes.0", -2, f"plan, a mode: {RANGE} -2"),
    ("plan.modes", [0, 0], "this is no certificate: ValueError: zip() argument 2 is shorter than argument 1"),
    ("plan.modes.1", 1, "plan: it costs 16, not 6"),
    ("plan.cost", 5, "plan: it costs 6, not 5"),
    ("plan.cost", 6.0, f"cost: {RANGE} 6.0"),
    ("proof.denominator", 0, f"denominator: {RANGE} 0"),
    ("proof.denominator", -1024, f"denominator: {RANGE} -1024"),
    ("proof.denominator", 1023, "part 0, node 2: storage 0 (s0), layout 0 to 1: terms exceed the price"),
    ("proof.bound", 7, "the proof gives the bound 6, not 7"),
    ("proof.bound", -1, f"bound: {RANGE} -1"),
    ("proof.parts.0.storages", [0, 1, 2, 3, 3.0], f"part 0: {RANGE} 3.0"),
    ("proof.parts.0.storages", [0, 1, 2, 4], f"part 0: {RANGE} 4"),
    ("proof.parts.0.storages", [0, 1, 2], "part 0: op 0 (o0) has storages in other parts, too"),
    ("proof.parts", [], "parts: expected each storage in one part"),
    (f"{TOP}.cover", [[1], []], "part 0, node 0: a mode of op 0 (o0) is in no child"),
    (f"{TOP}.cover.0", [2], f"part 0, node 0, modes of op 0 (o0): {RANGE} 2"),
    (f"{TOP}.cover.0", [-1], f"part 0, node 0, modes of op 0 (o0): {RANGE} -1"),
    (f"{TOP}.op", 4, f"part 0, node 0, op: {RANGE} 4"),
    (f"{TOP}.op", -4, f"part 0, node 0, op: {RANGE} -4"),
    (f"{TOP}.children.1", 3, f"part 0, node 0: {RANGE} 3"),
    (f"{TOP}.children.1", -2, f"part 0, node 0: {RANGE} -2"),
    (f"{TOP}.children.1", 0, f"part 0, node 0: {RANGE} 0"),
    (f"{LEAF}.terms.0.0", 4, f"part 0, node 1: {RANGE} 4"),
    (f"{LEAF}.terms.0.0", -4, f"part 0, node 1: {RANGE} -4"),
    (f"{LEAF}.terms.0.1", 1, f"part 0, node 1: a term of storage 0 (s0): {RANGE} 1"),
    (f"{LEAF}.terms.0.1", -1, f"part 0, node 1: a term of storage 0 (s0): {RANGE} -1"),
    (f"{LEAF}.terms.0.2", [3], f"part 0, node 1: a term of storage 0 (s0): {RANGE} 3"),
    (f"{LEAF}.terms.0.4", -1, f"part 0, node 1: a term of storage 0 (s0): {RANGE} -1"),
    (f"{LEAF}.terms.0.4", 4097, "part 0, node 1: storage 0 (s0), layout 1 to 0: terms exceed the price"),
    (f"{LEAF}.terms.0.3", [], "part 0, node 1: storage 0 (s0), layout 0 to 0: terms exceed the price"),
    (f"{LEAF}.terms.0.3", [0, 1], "the proof gives the bound 2, not 6"),
    (f"{LEAF}.terms", [], "the proof gives the bound 0, not 6"),
    (
        f"{LEAF}.terms",
        [[0, 0, [0], [0], 2048], [0, 0, [0], [], 1024]],
        "part 0, node 1: storage 0 (s0), layout 0 to 0: terms exceed the price",
    ),
]
TWO_RINGS = Problem(
    [2] * 6,
    [
        StorageTerm(4, Access(first, ["a", "b"]), [Access(second, ["b", "a"] if second in (0, 3) else ["a", "b"])])
        for first, second in ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))
    ],
)
OTHER_CHANGES: list[Change] = [
    (f"{LEAF}.terms.0.0", 3, "part 0, node 1: a term of storage 3 (s3), which is in another part"),
    (f"{TOP}.op", 3, "part 0, node 0: an op of another part"),
    ("proof.parts.0.storages", [0, 1, 2, 3, 4, 5], "parts: expected each storage in one part"),
]


PRICED_MODES = Problem([1, 2], [StorageTerm(4, "a", [Access(0, ["b"])])], {1: [0, 0]})
"""A conversion, and an op without storages, whose modes have a joint price each."""
MODE = "problem.joint.0.prices.0"
OF_MODES = "proof.parts.0.nodes.1.joint.0"
ONLY_JOINT = {"storages": [], "nodes": [{"joint": [[0, 2]]}]}
GROUP_CHANGES: list[Change] = [
    ("problem.sure", -1, f"sure: {RANGE} -1"),
    ("problem.sure", 1, "plan: it costs 9, not 10"),
    (f"{MODE}.0", -3, f"joint price: {RANGE} -3"),
    (f"{MODE}.1.0.0", 3, f"joint price: {RANGE} 3"),
    (f"{MODE}.1.0.0", -1, f"joint price: {RANGE} -1"),
    (f"{MODE}.1.0.1", [2], f"joint price: {RANGE} 2"),
    (f"{MODE}.1.0.1", [-2], f"joint price: {RANGE} -2"),
    ("plan.more", -1, f"more: {RANGE} -1"),
    ("plan.more", 2, "plan: it costs 11, not 10"),
    (f"{OF_MODES}.0", -1, f"part 0, node 1, pool: {RANGE} -1"),
    (f"{OF_MODES}.0", 1, f"part 0, node 1, pool: {RANGE} 1"),
    (f"{OF_MODES}.1", 1, "part 0, node 1: not every open choice pays joint price 1 of pool 0"),
    ("proof.parts.0.nodes.1.joint", [[0, 0], [0, 2]], "the proof gives the bound 8, not 9"),
    ("proof.parts.0.nodes.1.joint", [], "the proof gives the bound 6, not 9"),
    ("proof.parts.1", ONLY_JOINT, "parts: expected one, as there are joint prices"),
]


def ring_content(problem: Problem) -> Any:
    """The certificate of the minimum of a small problem."""
    best = min(choices(problem), key=lambda choice: cost_of_choice(problem, choice))
    content = json.loads(certified(problem, best).data(is_compressed=False))
    assert verdict_of(data_of(content))[0] == 0
    return content


@pytest.fixture(name="ring", scope="module")
def fixture_ring() -> Any:
    return ring_content(RING)


@pytest.fixture(name="two_rings", scope="module")
def fixture_two_rings() -> Any:
    return ring_content(TWO_RINGS)


@pytest.fixture(name="grouped", scope="module")
def fixture_grouped() -> Any:
    """A joint price of 3 in one mode, of 5 in the other one, and of 2 in both; the plan costs 1 more than the least."""
    prices = [JointPrice(3, ((1, frozenset([0])),)), JointPrice(5, ((1, frozenset([1])),)), JointPrice(2, ())]
    terms = [PaidTerm(0, 0, ("b",), ("b",), 4 * DIGITS)]
    leaves = [ProofNode(terms, (), 9, joint=[(0, place)]) for place in (0, 1)]
    groups = GroupCosts(2, 10, [prices], ProofNode((), (), 9, (), 1, [[0], [1]], leaves))
    found = certificate_of(PRICED_MODES, [0, 0], labels_of(PRICED_MODES), groups=groups)
    content = json.loads(found.data(is_compressed=False))
    assert verdict_of(data_of(content)) == (
        2,
        "undecided: the plan costs 10, and no choice less than 9 (ops: 2, storages: 1, nodes of the proof: 3); "
        "believed: the forms of the ops, and the prices of conversions and of groups",
    )
    return content


CHEAP_MODE = Problem([2], [StorageTerm(4, "a", [Access(0, ["b", "a"])])], {0: [0, 1]})
"""A conversion for 4, or a mode for 1."""
PAID = [[0, 0, [0], [], 4096]]
"""The terms that ask the reader for the conversion."""


@pytest.mark.parametrize(
    "nodes",
    [
        pytest.param([{"terms": PAID}], id="rounded to a multiple of the conversion's price alone"),
        pytest.param(
            [{"terms": PAID, "closed": [[0, [1]]], "op": 0, "cover": [[0]], "children": [1]}, {"terms": PAID}],
            id="without the closed mode",
        ),
        pytest.param(
            [{"op": 0, "cover": [[0], [1]], "children": [1, 2]}, {"terms": PAID}, {"terms": PAID}],
            id="of one child alone",
        ),
    ],
)
def test_a_bound_counts_every_mode(nodes: Any):
    content = json.loads(certified(CHEAP_MODE, [0]).data(is_compressed=False))
    assert content["problem"]["layouts"] == ["b", "a"]
    assert content["plan"]["cost"] == 4
    parts = [{"storages": [0], "nodes": nodes}]
    forged = {**content, "proof": {"denominator": 1024, "bound": 4, "parts": parts}}
    assert verdict_of(data_of(forged)) == (1, "refused: the proof gives the bound 1, not 4")
    forged["proof"]["bound"] = 1
    assert verdict_of(data_of(forged))[0] == 2


def names(changes: list[Change]) -> list[str]:
    return [f"{each[0]}={each[1]}" for each in changes]


@pytest.mark.parametrize(("place", "value", "answer"), CHANGES, ids=names(CHANGES))
def test_a_step_that_does_not_hold_is_refused(ring: Any, place: str, value: object, answer: str):
    assert verdict_of(data_of(with_value(ring, place, value))) == (1, f"refused: {answer}")


@pytest.mark.parametrize(("place", "value", "answer"), OTHER_CHANGES, ids=names(OTHER_CHANGES))
def test_parts_do_not_reach_into_each_other(two_rings: Any, place: str, value: object, answer: str):
    assert len(two_rings["proof"]["parts"]) == 2
    assert verdict_of(data_of(with_value(two_rings, place, value))) == (1, f"refused: {answer}")


@pytest.mark.parametrize(("place", "value", "answer"), GROUP_CHANGES, ids=names(GROUP_CHANGES))
def test_costs_of_groups_that_do_not_hold_are_refused(grouped: Any, place: str, value: object, answer: str):
    assert verdict_of(data_of(with_value(grouped, place, value))) == (1, f"refused: {answer}")


class WithoutCheck(ast.NodeTransformer):
    """The checker without one of its checks, by their order in the file."""

    def __init__(self, removed: int) -> None:
        self._removed = removed
        self.found = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in ("need", "whole", "numbers"):
            return node
        self.found += 1
        if self.found - 1 != self._removed:
            return node
        if node.func.id == "need":
            return ast.Constant(None)
        return (
            node.args[0] if node.func.id == "whole" else ast.Call(ast.Name("frozenset", ast.Load()), node.args[:1], [])
        )


def checker_without(check: int) -> tuple[ModuleType, int]:
    tree = ast.parse(CHECKER.read_text())
    found = WithoutCheck(check)
    changed = ast.fix_missing_locations(found.visit(tree))
    module = ModuleType("checker_without")
    exec(compile(changed, str(CHECKER), "exec"), module.__dict__)
    return module, found.found


COUNT = checker_without(-1)[1]


def test_the_checker_has_checks():
    assert COUNT > 30


@pytest.mark.parametrize("check", range(COUNT))
def test_no_check_is_there_in_vain(check: int, ring: Any, two_rings: Any, grouped: Any):
    """Without any one of its checks, the checker says something else about a file that it should refuse."""
    checker = checker_without(check)[0]
    ends = [each for each in CHANGES if not (each[0].endswith("children.1") and each[1] == 0)]
    tried = [*((ring, *each) for each in ends), *((two_rings, *each) for each in OTHER_CHANGES)]
    tried += ((grouped, *each) for each in GROUP_CHANGES)
    assert any(
        checker.verdict_of(data_of(with_value(content, place, value))) != (1, f"refused: {answer}")
        for content, place, value, answer in tried
    )


def test_the_checker_is_one_short_file_that_imports_nothing_of_the_package():
    text = CHECKER.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    imported = re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)
    assert set(imported) <= set(sys.stdlib_module_names) | {"collections.abc"}


def run(*arguments: str) -> tuple[int, str, str]:
    """The checker as a program, in a Python that finds no other package."""
    done = subprocess.run([sys.executable, "-I", "-S", CHECKER, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_checker_runs_alone(ring: Any, tmp_path: Path):
    good, bad = tmp_path / "good.json.gz", tmp_path / "bad.json"
    good.write_bytes(gzip.compress(data_of(ring)))
    bad.write_bytes(data_of(with_value(ring, "proof.bound", 7)))
    believed = "believed: the forms of the ops, and the prices of conversions"
    assert run(str(good)) == (0, f"accepted: minimum 6 (ops: 3, storages: 4, nodes of the proof: 3); {believed}\n", "")
    assert run(str(bad)) == (1, "refused: the proof gives the bound 6, not 7\n", "")
    assert run() == (1, "", "usage: python check_minimum.py FILE.json[.gz]\n")
    missing = tmp_path / "missing.json"
    assert run(str(missing)) == (1, f"refused: cannot read '{missing}': No such file or directory\n", "")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b"{", b"\x1f\x8b", b"\xff", b'{"format": "npu-opt certificate 1"}']
)
def test_other_files_are_refused(data: bytes):
    code, verdict = verdict_of(data)
    assert code == 1
    assert verdict.startswith("refused: this is no certificate: ")


def test_large_nesting_is_refused():
    assert verdict_of(b"[" * 100_000)[0] == 1
