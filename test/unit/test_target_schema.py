"""The schema that editors read accepts what the reader of targets accepts, and refuses all that it can see."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator  # pyright: ignore[reportMissingModuleSource]  # It carries no types.
from support.generators.random_targets import random_target
from support.source_tree import ROOT
from test_target_errors import CASES, GOOD

VALIDATOR: Any = Draft7Validator(json.loads((ROOT / "docs" / "target.schema.json").read_text()))
FILES = sorted(
    file
    for folder in ("targets", "examples", "test")
    for file in (ROOT / folder).rglob("*.toml")
    if file.name not in ("pins.toml", "undecided_exports.toml")
)
"""The targets; plans and lists of tests are TOML as well."""
NOT_SEEN = re.compile(
    "is named|cannot be free|found a float|a second|no layout of rank|target's limit|column|does not demand"
    "|has no table|unknown stage '[a-z]|the edge|no edge|has one operand|that of transposes"
    "|demands anything|a block has"
)
"""Messages about two places that contradict each other, or about the words of a text."""


def problems(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(tomllib.loads(text))]


def test_the_schema_is_one():
    VALIDATOR.check_schema(VALIDATOR.schema)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_targets_of_the_repository(file: Path):
    assert problems(file.read_text()) == []


def test_random_targets():
    for seed in range(40):
        assert problems(random_target(seed)) == [], random_target(seed)


@pytest.mark.parametrize(("good", "bad", "message"), [case for case in CASES if "not TOML" not in case[2]])
def test_refused_targets(good: str, bad: str, message: str):
    assert bool(problems(GOOD.replace(good, bad, 1))) != bool(NOT_SEEN.search(message))
