"""Campaigns try every seed once, and long ones report on the way."""

import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from support import campaign
from support.campaign import counted, ends_a_process, in_chunks, one_by_one, seeds, unless_original


def squares(seeds: Sequence[int]) -> list[int]:
    return [seed * seed for seed in seeds]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of a campaign."""
    lines: list[str] = []

    def say(_: pytest.CaptureFixture[str], line: str) -> None:
        lines.append(line)

    monkeypatch.setattr(campaign, "_say", say)
    return lines


@pytest.mark.parametrize(("is_long", "lines"), [(False, 0), (True, 50)])
def test_one_by_one(
    is_long: bool, lines: int, said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(campaign, "LONG", is_long)
    assert list(one_by_one(range(100), capsys)) == [*range(100)]
    assert len(said) == lines
    assert said[1:2] == ["2 of 100: no problem"][:lines]


@pytest.mark.parametrize("is_long", [False, True])
def test_in_chunks(is_long: bool, said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(campaign, "LONG", is_long)
    found = [number for answer in in_chunks(squares, range(1, 8), 3, capsys) for number in answer]
    assert found == [1, 4, 9, 16, 25, 36, 49]
    assert said == (["seeds 1 to 3: [1, 4, 9]", "seeds 4 to 6: [16, 25, 36]", "seeds 7 to 7: [49]"] if is_long else [])


def deadly(seed: int, tally: Counter[str]) -> Iterator[str]:
    if seed in (3, 4, 9):
        os.kill(os.getpid(), signal.SIGKILL)
    tally["tried"] += 1
    yield from ["odd"] if seed == 7 else []
    if seed == 6:
        raise ValueError("of the seed")


def killed(seed: int) -> None:
    list(deadly(seed, Counter()))


def buried(seed: int, tally: Counter[str]) -> Iterator[str]:
    tally[f"buried {seed}"] += 1
    yield from ()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_seed_that_ends_its_process_is_counted(
    processes: int, said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(campaign, "LONG", True)
    monkeypatch.setattr(campaign, "PROCESSES", processes)
    tally = counted(deadly, range(3, 6), 1, capsys, buried)
    assert dict(tally) == {"programs": 3, "tried": 1, "buried 3": 1, "buried 4": 1}
    assert len(said) == 3
    with pytest.raises(AssertionError, match="seed 9 ends the process"):
        counted(deadly, range(8, 11), 1, capsys)


@pytest.mark.parametrize("is_long", [False, True])
def test_an_error_is_a_problem_of_its_seed(
    is_long: bool, said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(campaign, "LONG", is_long)
    with pytest.raises(AssertionError, match=r"2 problems(.|\n)*seed 6: Traceback(.|\n)*ValueError: of the seed"):
        counted(deadly, range(5, 9), 1, capsys)
    assert len(said) == 4 * is_long


def test_ends_a_process():
    assert [ends_a_process(killed, seed) for seed in (3, 5, 6)] == [True, False, False]


def test_an_original_that_ends_its_process_is_no_oracle():
    died, tally = unless_original(killed), Counter[str]()
    assert [*died(3, tally)] == []
    assert [*died(5, tally)] == ["seed 5 ends the process"]
    assert dict(tally) == {"not run": 1, "ended": 1}


@pytest.mark.parametrize(("is_long", "stop"), [(False, 103), (True, 107)])
def test_campaigns_start_at_the_first_seed(is_long: bool, stop: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(campaign, "LONG", is_long)
    monkeypatch.setattr(campaign, "FIRST", 100)
    assert seeds(3, 7) == range(100, stop)
