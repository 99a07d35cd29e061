"""Target files with some bytes, lines, words, keys or values changed."""

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from support.generators.random_targets import random_target
from support.source_tree import ROOT

WORD = re.compile(r"[\w.-]+|\s+|\S")
KEY = re.compile(r"(?m)(?<=^)[\w-]+(?= *=)|(?<=[{,] )[\w-]+(?= *=)|(?<=^\[)[\w.-]+(?=\])")
VALUE = re.compile(r'"[^"\n]*"|\b\d[\d_.]*\b|\btrue\b|\bfalse\b|\[[^\[\]\n]*\]|\{[^{}\n]*\}')
ENTRY = re.compile(rf"(?P<key>[\w-]+) *= *(?P<value>{VALUE.pattern})")
ODD_VALUES = (
    *("true", "0", "1", "-1", "2.5", "-0.0", "1e400", "1e-400", "inf", "nan", "0x10", "9" * 30, "9" * 5000),
    *('""', '" "', '"\\n"', '"a\\nb"', '"a\\u0000b"', '"\\u202e"', "'''x\ny'''", '"""', '"é"', f'"{"x" * 300}"'),
    *("[]", "{}", "[[]]", "[{}]", "[1]", '[""]', '["a", 1]', "{ a = 1 }", '{ when = "rank > 0" }', "[" * 3000),
    *("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", f"[{'[' * 50}{']' * 50}]"),
    *(
        '"NCHW"',
        '"OIHW"',
        '"NCDHW"',
        '"Tensor"',
        '"preferred"',
        '"feature"',
        '"NTensor, [0, 2, 1]"',
        '["NCHW", "NHWC"]',
    ),
    *(
        '"bytes"',
        '"2 x bytes"',
        '"1 x"',
        '"-1"',
        f'"rank > {"9" * 5000}"',
        f'"{"9" * 5000} x bytes"',
        '"not not groups"',
    ),
    *('"C of result % 0 == 1"', '"((((rank > 1))))"', '"permutation == [0, 0]"', '"rank is constant"', '"dim 99 > 1"'),
    *('"add with tensor"', '"pad before load"', '"a > b > a"', '"load"', '"vendor.swish"', '"npu.relu"', '"reshape"'),
)
"""Texts that replace a value; not all of them are TOML."""
ODD_WORDS = ("[", "]", "{", "}", "=", ",", ".", '"', "'", "#", "\n", "\r", "\0", "é", "\u2028", "ops", "[[stages]]\n")


NAME = re.compile(r'(?m)^name = "[^"]*"')


@cache
def sources() -> Sequence[str]:
    """The target files of the repository, all of one name."""
    folders = ("targets", "examples", "test")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.toml"))]
    return [NAME.sub('name = "random"', file.read_text()) for file in files]


def target_mutant(seed: int) -> bytes:
    """A mutant of `random.toml`."""
    rng = Random(seed)
    text = random_target(seed) if rng.random() < 0.2 else rng.choice(sources())
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        change = rng.choice((_lines, _words, _keys, _keys, _values, _values, _values, _alike, _alike))
        text = change(text, rng)
    data = bytearray(text.encode())
    if rng.random() < 0.15:
        place = rng.randrange(len(data))
        data[place : place + rng.randint(0, 4)] = rng.randbytes(rng.randint(0, 2))
    return bytes(data)


def _lines(text: str, rng: Random) -> str:
    """Two lines change their places, or one is there twice or not at all, or the file ends early."""
    found = text.splitlines(keepends=True)
    one, two = rng.randrange(len(found)), rng.randrange(len(found))
    match rng.randrange(4):
        case 0:
            found[one], found[two] = found[two], found[one]
        case 1:
            found.insert(one, found[two])
        case 2:
            del found[one]
        case _:
            return text[: rng.randrange(1, len(text))]
    return "".join(found) or "\n"


def _words(text: str, rng: Random) -> str:
    found = WORD.findall(text)
    place, count = rng.randrange(len(found)), rng.randint(0, 3)
    found[place : place + count] = rng.choice(([], [rng.choice(ODD_WORDS)], found[place : place + 2 * count]))
    return "".join(found) or "\n"


def _keys(text: str, rng: Random) -> str:
    """A key loses or doubles a letter, or becomes another one of the file."""
    found = list(KEY.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    place = rng.randrange(len(match[0]))
    typo = match[0][:place] + rng.choice(("", 2 * match[0][place])) + match[0][place + 1 :]
    return _replaced(text, match, rng.choice((typo, typo, rng.choice(found)[0], f'"{match[0]}.x"')))


def _values(text: str, rng: Random) -> str:
    """A value becomes another one, often of another type."""
    found = list(VALUE.finditer(text))
    if not found:
        return text
    new = rng.choice(ODD_VALUES) if rng.random() < 0.4 else rng.choice(found)[0]
    return _replaced(text, rng.choice(found), new)


def _alike(text: str, rng: Random) -> str:
    """A value becomes one that the same key has elsewhere, so that many such targets can be read."""
    found = list(ENTRY.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    others = [each["value"] for each in ENTRY.finditer(rng.choice(sources())) if each["key"] == match["key"]]
    return text[: match.start("value")] + rng.choice(others or [match["value"]]) + text[match.end("value") :]


def _replaced(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]
