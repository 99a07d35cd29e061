"""Certificates in the text format VIPR: a checker written from its specification accepts them, and no wrong ones."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from npu_opt.passes.optimal.certificates.core import Certificate, certificate_of
from npu_opt.passes.optimal.certificates.files import data_for
from npu_opt.passes.optimal.solve.problem import Access, Problem, StorageTerm, cost_of_choice
from npu_opt.passes.optimal.solve.proof_nodes import GroupCosts
from support.campaign import amount, counted
from support.certificates import certified, labels_of
from support.generators.assignments import choices, random_assignment
from support.vipr import WrongVipr, bounds_of, numbers_in

PROBLEMS = amount(60, 3000)
MUTATED = amount(15, 200)
MUTANTS = amount(30, 100)
"""The mutants of each certificate."""


def vipr_of(certificate: Certificate) -> str:
    return data_for(certificate, "proof.vipr").decode()


def least_of(problem: Problem) -> tuple[int, tuple[int, ...]]:
    return min((cost_of_choice(problem, choice), choice) for choice in choices(problem))


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    problem = random_assignment(seed)
    cost, choice = least_of(problem)
    text = vipr_of(certified(problem, choice))
    tally["branched"] += " uns " in text
    tally["rounded"] += " rnd " in text
    if bounds_of(text) != (cost, cost):
        yield f"seed {seed}: {bounds_of(text)}, the minimum is {cost}"


def test_the_minima_of_random_problems_are_accepted(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(PROBLEMS), 50, capsys)
    assert tally["branched"]
    assert tally["rounded"]


def mutants(seed: int, tally: Counter[str]) -> Iterator[str]:
    problem, rng = random_assignment(seed), Random(seed)
    cost, choice = least_of(problem)
    text = vipr_of(certified(problem, choice))
    # What is in front of the range is the problem.
    places = [match for match in numbers_in(text) if match.start() > text.index("RTP")]
    for _ in range(MUTANTS):
        place = rng.choice(places)
        value = rng.choice([f"{place[0]}1", f"-{place[0]}".removeprefix("--"), "0", "1", "1/2", "7"])
        mutant = text[: place.start()] + value + text[place.end() :]
        try:
            low, high = bounds_of(mutant)
        except (WrongVipr, ValueError, StopIteration, IndexError, ZeroDivisionError, KeyError):
            tally["refused"] += 1
            continue
        tally["accepted"] += 1
        if not low <= cost <= high:
            yield f"seed {seed}: {low} to {high} is accepted, and the minimum is {cost}: {place[0]} became {value}"


def test_no_mistake_is_accepted(capsys: pytest.CaptureFixture[str]):
    tally = counted(mutants, range(MUTATED), 20, capsys)
    assert tally["refused"] > MUTATED * MUTANTS / 3


def test_the_text_of_a_small_program():
    """One reader wants `b` of an input in `a`: the step that it pays costs 5, and so does the other mode."""
    problem = Problem([2], [StorageTerm(5, "a", [Access(0, ["b", "c"])])], {0: [1, 1]})
    assert vipr_of(certified(problem, [0])) == TEXT


def test_what_every_choice_pays_is_part_of_the_bound():
    """The plan moves 30, as its groups are not the best: the text is about the cheapest choice."""
    problem = Problem([2], [StorageTerm(5, "a", [Access(0, ["b", "c"])])], {0: [1, 3]})
    groups = GroupCosts(12, 30, proved=[0])
    found = certificate_of(problem, [1], labels_of(problem), groups=groups)
    assert (found.cost, found.bound) == (30, 18)
    assert bounds_of(vipr_of(found)) == (18, 18)


TEXT = """\
% Variables are the modes of ops, and the steps of what conversions of storages cost.
VER 1.1
VAR 5
op0_mode0 op0_mode1 part0_step0 part0_step1 one
INT 5
0 1 2 3 4
OBJ min
3 2 5 3 5 4 1
CON 8 5
C0 G 0 1 0 1
C1 G 0 1 1 1
C2 G 0 1 2 1
C3 G 0 1 3 1
C4 E 1 1 4 1
C5 L 0 2 0 1 2 -1
C6 L 0 2 1 1 3 -1
C7 E 1 2 0 1 1 1
RTP range 6 6
SOL 1
choice 3 0 1 2 1 4 1
DER 2
C8 G 5 2 2 5 3 5 { lin 3 5 -5 6 -5 7 5 } -1
C9 G 6 OBJ { lin 2 8 1 4 1 } -1
"""
