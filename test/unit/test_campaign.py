"""Campaigns try every seed once, and long ones report on the way."""

from collections.abc import Sequence

import pytest
from support import campaign
from support.campaign import in_chunks, one_by_one


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
