"""Every key of a target file: lit cases read it, docs/reference/targets.md has its line, mistakes in it are refused."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast, get_args

import pytest
from npu_opt.dialects.npu.axes import AS_IT_IS, MatmulFreedom
from npu_opt.dialects.npu.fusion import FUSION_WORDS
from npu_opt.targets import CostUnit, OperandKind, PreferredOrder, TargetError, keys, load
from npu_opt.targets.axis_places import INCREASING, LAST, NEXT_TO_LAST, OTHER
from npu_opt.targets.conditions import MOVES, OF_OP, OF_TRANSPOSE, OF_VALUE
from npu_opt.targets.keys import Key, KeyKind, Keys
from npu_opt.targets.prices import MULTIPLICATIONS, QUANTITIES
from npu_opt.targets.vendor_ops import CHANNELS, DATA, Likeness
from support.source_tree import ROOT

FULL = """\
name = "full"
description = "Every key once"
matmul = "batch"
cost = "target"
free = ["relu"]
integers-only = true
nchwc = true
optimize = "--layout-optimal"
whole = ["Attention"]
[file]
opset = 17
max-rank = 5
squeeze = "keep"
transpose = "split"
equal-ranks = true
no-constant-lhs = true
product-rank = 3
lacks = ["IsNaN"]
unary-rank = 4
domains = ["com.microsoft"]
[ranks]
feature = 4
weight = 4
tensor = 6
transpose = 6
[preferred]
feature = ["NWC", "NHWC"]
weight = ["WOI", "HWOI"]
[demands]
conv2d = [
    { when = "groups > 1", data = "NCHW" },
    { data = ["NHWC", "NCHW"], costs = { NCHW = 5 } },
]
conv_transpose2d = { choices = [{ data = "NHWC" }, { data = "NCHW" }] }
[costs]
unit = "cycles"
transpose = [
    { when = "swaps blocks", per-byte = 0.5, per-call = 100 },
    { price = "2 x bytes" },
]
matmul = { product = [{ when = "columns > 3", price = 3 }] }
axes = { softmax = { axis = { last = 0, other = 7 } } }
recompute = { slice = [{ when = "rank > 2", price = 4 }] }
constant = "2 x bytes"
[transposes]
can = ["rank < 5"]
fallback = 9
[ops."vendor.pool"]
like = "pool"
pure = true
fusion = "opaque"
channels = "first"
[data-flow]
root = "load"
edges = ["load > mac"]
forbids-escaping = true
[stages]
load = { runs = ["pad"], absorbs = true, price = "0.5 x bytes" }
mac = { runs = ["conv2d"], uses = 1, holds = false, most-bytes = 9 }
"""
TABLES: Mapping[str, Keys] = {
    "": keys.TOP,
    "file": keys.FILE,
    "ranks": keys.RANKS,
    "preferred": keys.PREFERRED,
    "demands.*": keys.RULE,
    "costs": keys.COSTS,
    "costs.transpose": keys.TRANSPOSE_PRICE,
    "costs.matmul.product": keys.OP_PRICE,
    "costs.recompute.*": keys.OP_PRICE,
    "transposes": keys.TRANSPOSES,
    "ops.*": keys.OPS,
    "data-flow": keys.DATA_FLOW,
    "stages.*": keys.STAGE,
}
ALL = [(table, key) for table, found in TABLES.items() for key in found]
TOGETHER = [each for each in ALL if each != ("", "extends")]
"""The keys of the file above; a file that extends another one cannot have all of them."""
HEADER = re.compile(r'^\[+([\w-]+)(?:\."[\w.]+")?\]+$')


def used(values: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The tables of a file with their keys; names of ops and stages are `*`."""
    if isinstance(values, list):
        for each in cast("list[object]", values):
            yield from used(each, path)
    if not isinstance(values, dict):
        return
    for key, value in cast("dict[str, object]", values).items():
        yield ".".join(path), key
        known = key in TABLES.get(".".join(path), {}) or ".".join((*path, "*")) not in TABLES
        yield from used(value, (*path, key if known else "*"))


def line_of(table: str, key: str) -> int:
    """The line in the file above, counted from 1, that has a key of a table."""
    section, lines = "", FULL.splitlines()
    for number, line in enumerate(lines, 1):
        if header := HEADER.match(line):
            section = header[1]
            if not table and section == key:
                return number
        if table.partition(".")[0] == section and re.search(rf"(?<![\w-]){key} = ", line):
            return number
    raise AssertionError(f"{table}: {key} is not in the file")


def error_of(folder: Path, line: int, old: str, new: str) -> str:
    """The error of the reader, from the line number on, for the file with a line changed."""
    lines: list[str] = [*FULL.splitlines()]
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    file = folder / "full.toml"
    file.write_text("\n".join(lines))
    with pytest.raises(TargetError) as error:
        load(file)
    return str(error.value).removeprefix(f"{file}:")


def test_the_file_is_valid(tmp_path: Path):
    file = tmp_path / "full.toml"
    file.write_text(FULL)
    assert load(file).name == "full"


def test_lit_cases_read_each_key():
    """Their own targets, and those that ship."""
    files = [*(ROOT / "test").rglob("*.toml"), *(ROOT / "targets").glob("*.toml")]
    found = {each for file in files for each in used(tomllib.loads(file.read_text()))}
    assert not set(ALL) - found


def words() -> Iterator[str]:
    """The words of values and conditions."""
    yield from OF_OP
    yield from (" ".join(words) for words in MOVES)
    yield from (
        "permutation",
        "is constant",
        "dim 0",
        "in [",
        "%",
        *OF_VALUE,
        *OF_TRANSPOSE,
        *QUANTITIES,
        MULTIPLICATIONS,
    )
    yield from (LAST, NEXT_TO_LAST, OTHER)
    yield from (f'"{word}"' for word in (*PreferredOrder, *Likeness, *FUSION_WORDS, *get_args(CostUnit), *CHANNELS))
    yield from (f'"{word}"' for word in (*MatmulFreedom.NAMED, MatmulFreedom.WITH_CONSTANT, AS_IT_IS, INCREASING))
    yield from (f'"{word}"' for word in MatmulFreedom.WORDS.values())
    yield from (f'"{DATA}"', "= 1", *(f"with {kind}" for kind in OperandKind if kind is not OperandKind.ANY), "before")


def test_lit_cases_read_each_word():
    files = [*(ROOT / "test").rglob("*.toml"), *(ROOT / "targets").glob("*.toml")]
    text = "\n".join(file.read_text() for file in files)
    assert not [word for word in words() if not re.search(rf"(?<!\w){re.escape(word)}", text)]


def test_the_page_has_a_line_for_each_word():
    page = (ROOT / "docs" / "reference" / "targets.md").read_text()
    assert not [word for word in words() if word.strip('"') not in page]


def test_the_page_has_a_line_for_each_key():
    page = (ROOT / "docs" / "reference" / "targets.md").read_text()
    assert not [key for _, key in ALL if f"`{key}`" not in page and f"`[{key}]" not in page]


@pytest.mark.parametrize(("table", "key"), TOGETHER)
def test_a_mistyped_key_is_refused_with_the_right_one(table: str, key: str, tmp_path: Path):
    line = line_of(table, key)
    message = error_of(tmp_path, line, key, key + key[-1])
    found = re.fullmatch(rf"{line}: .*'{key}{key[-1]}'; (?:did you mean '(.*)'\?|expected .*)", message)
    assert found, message
    assert found[1] in (key, None), message


def wrong(key: Key) -> tuple[str, str]:
    """A value of another type, and the beginning of what is said about it."""
    match key.kind:
        case KeyKind.TEXT | KeyKind.CONDITION:
            return "1", "must be a text"
        case KeyKind.FLAG:
            return "1", "must be true or false"
        case KeyKind.FLAG_OR_CONDITION:
            return "1", "must be true or false"
        case KeyKind.CONDITIONS:
            return "1", "must be a list"
        case _:
            return "1979-05-27", "must be"


@pytest.mark.parametrize(("table", "key"), TOGETHER)
def test_a_value_of_another_type_is_refused(table: str, key: str, tmp_path: Path):
    line = line_of(table, key)
    value, says = wrong(TABLES[table][key])
    text = FULL.splitlines()[line - 1]
    if text.startswith("["):
        assert error_of(tmp_path, line, text, f"[[{key}]]") == f"{line}: '{key}' must be a table, found a list"
        return
    if text.endswith("["):
        return
    given = re.search(rf"(?<![\w-]){key} = (\".*?\"|\[.*\]|\{{.*?\}}|[\w.]+)", text)
    assert given, text
    old = text if text.startswith(key) else given[0]
    assert error_of(tmp_path, line, old, f"{key} = {value}").startswith(f"{line}: '{key}' {says}")


def test_mistakes_in_what_is_extended(tmp_path: Path):
    line = '"Every key once"'
    assert error_of(tmp_path, 2, line, f'{line}\nextendss = "opu"').startswith(
        "3: unknown key 'extendss'; did you mean"
    )
    assert error_of(tmp_path, 2, line, f"{line}\nextends = 1") == "3: 'extends' must be a text, found a number"
