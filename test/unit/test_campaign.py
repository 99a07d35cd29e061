"""Campaigns try every seed once, and long ones report on the way."""

import pytest
from support import campaign
from support.campaign import in_chunks, one_by_one


def squares(seeds: range) -> list[int]:
    return [seed * seed for seed in seeds]


@pytest.mark.parametrize(("is_long", "lines"), [(False, 0), (True, 50)])
def test_one_by_one(is_long: bool, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    said: list[str] = []
    monkeypatch.setattr(campaign, "LONG", is_long)
    monkeypatch.setattr(campaign, "_say", lambda _, line: said.append(line))
    assert list(one_by_one(range(100), capsys)) == [*range(100)]
    assert len(said) == lines
    assert said[1:2] == ["2 of 100: no problem"][:lines]


@pytest.mark.parametrize("is_long", [False, True])
def test_in_chunks(is_long: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    said: list[str] = []
    monkeypatch.setattr(campaign, "LONG", is_long)
    monkeypatch.setattr(campaign, "_say", lambda _, line: said.append(line))
    found = [number for answer in in_chunks(squares, range(1, 8), 3, capsys) for number in answer]
    assert found == [1, 4, 9, 16, 25, 36, 49]
    assert said == (["seeds 1 to 3: [1, 4, 9]", "seeds 4 to 6: [16, 25, 36]", "seeds 7 to 7: [49]"] if is_long else [])
