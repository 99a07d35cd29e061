"""Programs with a few characters or words changed: an error with its place, or a program; nothing else."""

import os
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support.ir_text import split_cases
from support.source_tree import ROOT

COUNT = 4000 if os.environ.get("NPU_OPT_FUZZ") == "long" else 150
BATCH = 25

FLAGS: Sequence[Sequence[str]] = (
    (),
    ("--canonicalize",),
    ("--layout-preset",),
    ("--layout-transmit", "--strip-layouts"),
    ("--recognise-norms", "--cse"),
    ("--layout-optimal",),
    ("--npu-default",),
    ("--fuse-ops", "-t", "mermaid"),
    ("--layout-preset", "--canonicalize", "--stats", "--remarks"),
)

WORD = re.compile(r'"[^"\n]*"|[%@#!^]?[A-Za-z_$][\w.$-]*|%?\d+|->|\S|\s+')
TYPE = re.compile(r"tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>")
ELEMENT = re.compile(r"(?<=x)(?:bf16|f[1-9]\d*|f[468]E\w+|[su]?i\d+)\b")
SIZE = re.compile(r"(?<=[<x])\d+(?=x)")
NAME = re.compile(r"%[A-Za-z0-9_]+")
NUMBER = re.compile(r"(?<![\w.%@])-?\d+(?=[\],: >])")
LAYOUT = re.compile(r"(?<=layout<)\w+")
ODD_NUMBERS = ("0", "1", "2", "3", "7", "-1", "?", "4294967296", str(2**63 - 1), str(2**64), "1" * 30, "1" * 5000)
ODD_ELEMENTS = (
    "f32",
    "f16",
    "bf16",
    "f64",
    "i1",
    "i2",
    "i4",
    "f4E2M1FN",
    "f8E4M3FN",
    "f8E8M0FNU",
    "ui8",
    "si32",
    "i64",
    "index",
    "complex<f32>",
    "i0",
    "i128",
    "f128",
)
ODD_LAYOUTS = ("NCHW", "NHWC", "HWOI", "OIHW", "Tensor", "NTensor", "NCW", "HW", "CN", "WCHN")
ODD_WORDS = (
    *("[", "]", "{", "}", "<", ">", "(", ")", ",", ":", "=", "->", "*", "?", '"', "//", "-", "x", "\0", "é", "@main"),
    *(
        "dense<",
        "array<i64: ",
        "affine_map<",
        "loc(",
        "#npu.layout<",
        "tensor<",
        "memref<2xf32>",
        "i32",
        "nan",
        "1e400",
    ),
)


@cache
def cases() -> Sequence[str]:
    """The programs of the lit tests, without their comments."""
    found: list[str] = []
    for file in sorted((ROOT / "test").glob("*/**/*.mlir")):
        for case in split_cases(file.read_text()):
            lines = [line for line in case.splitlines() if not line.lstrip().startswith("//")]
            found.append("\n".join(lines).strip() + "\n")
    return [case for case in found if 20 < len(case) < 3000]


def mutant(seed: int) -> bytes:
    choose = random.Random(seed)
    text = choose.choice(cases())
    for _ in range(choose.choice((1, 1, 2))):
        change = choose.choice((everywhere, everywhere, in_one_place, in_one_place, lines, words))
        text = change(text, choose)
    data = bytearray(text.encode())
    if choose.random() < 0.1:
        place = choose.randrange(len(data))
        data[place : place + choose.randint(0, 4)] = choose.randbytes(choose.randint(0, 2))
    return bytes(data)


def other(pattern: re.Pattern[str], text: str, choose: random.Random) -> str:
    """Replacements for a match of a pattern."""
    odd = {ELEMENT: ODD_ELEMENTS, SIZE: ODD_NUMBERS, NUMBER: ODD_NUMBERS, LAYOUT: ODD_LAYOUTS}
    return choose.choice(odd.get(pattern) or pattern.findall(text))


def everywhere(text: str, choose: random.Random) -> str:
    """Replace a size, element type, layout or type by another one, everywhere."""
    pattern = choose.choice((SIZE, ELEMENT, LAYOUT, TYPE))
    if not (found := sorted(set(pattern.findall(text)))):
        return text
    old, new = choose.choice(found), other(pattern, text, choose)
    return pattern.sub(lambda match: new if match[0] == old else match[0], text)


def in_one_place(text: str, choose: random.Random) -> str:
    pattern = choose.choice((NAME, NUMBER, SIZE, ELEMENT, LAYOUT, TYPE))
    if not (found := list(pattern.finditer(text))):
        return text
    match = choose.choice(found)
    return text[: match.start()] + other(pattern, text, choose) + text[match.end() :]


def lines(text: str, choose: random.Random) -> str:
    """Two lines change their places, or one is there twice or not at all."""
    found = text.splitlines(keepends=True)
    one, two = choose.randrange(len(found)), choose.randrange(len(found))
    match choose.randrange(3):
        case 0:
            found[one], found[two] = found[two], found[one]
        case 1:
            found.insert(one, found[two])
        case _:
            del found[one]
    return "".join(found) or "\n"


def words(text: str, choose: random.Random) -> str:
    found = WORD.findall(text)
    place, count = choose.randrange(len(found)), choose.randint(0, 3)
    found[place : place + count] = choose.choice(([], [choose.choice(ODD_WORDS)], found[place : place + 2 * count]))
    return "".join(found) or "\n"


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_mutants(start: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    # A location in the text may name another file.
    good = re.compile(r"[^\n]*\.(?:mlir|py):\d+:\d+: error: [^\n]+\n")
    for seed in range(start, start + BATCH):
        text = mutant(seed)
        Path("m.mlir").write_bytes(text)
        flags = random.Random(-seed).choice(FLAGS)
        code = run(["m.mlir", *flags, "--allow-unregistered-dialect", "--reproducer=again.mlir"])
        error = capsys.readouterr().err
        said = f"seed {seed}: npu-opt {' '.join(flags)}: {error}\n{text.decode(errors='replace')}"
        assert code in (0, 1), said
        assert code == 0 or any(map(good.match, error.splitlines(keepends=True))), said
        assert "--debug shows" not in error, said
        assert "internal error" not in error, said


def test_most_kinds_of_outcome_are_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A sample in which nothing is read any more would show nothing."""
    codes: list[int] = []
    for seed in range(100):
        (tmp_path / "m.mlir").write_bytes(mutant(seed))
        codes.append(run([str(tmp_path / "m.mlir"), "--allow-unregistered-dialect"]))
    assert codes.count(0) > 3
    assert codes.count(1) > 30


NESTED: Sequence[tuple[str, Callable[[int], str]]] = (
    ("regions", lambda n: '"test.op"() ({\n' * n + "}) : () -> ()\n" * n),
    ("arrays", lambda n: f'"test.op"() {{a = {"[" * n}{"]" * n}}} : () -> ()'),
    ("dictionaries", lambda n: f'"test.op"() {{a = {"{a = " * n}1{"}" * n}}} : () -> ()'),
    ("types", lambda n: f'"test.op"() : () -> {"tuple<" * n}i32{">" * n}'),
    ("elements", lambda n: f'"test.op"() {{a = dense<{"[" * n}1{"]" * n}> : tensor<1xi32>}} : () -> ()'),
    ("maps", lambda n: f'"test.op"() {{a = affine_map<(d0) -> ({"(" * n}d0{")" * n})>}} : () -> ()'),
    ("locations", lambda n: f'"test.op"() : () -> () loc({"callsite(" * n}unknown at unknown{")" * n})'),
)


@pytest.mark.parametrize("make", [make for _, make in NESTED], ids=[name for name, _ in NESTED])
def test_deep_nesting(make: Callable[[int], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "deep.mlir"
    file.write_text(make(10_000))
    assert run([str(file), "--allow-unregistered-dialect"]) == 1
    assert re.fullmatch(r"[^\n]*deep\.mlir:\d+:\d+: error: [^\n]+", capsys.readouterr().err.splitlines()[0])


@pytest.mark.parametrize(
    "text",
    [
        f'"test.op"() {{a = {"9" * 5000} : i64}} : () -> ()',
        f'"test.op"() : () -> tensor<{"9" * 5000}xi32>',
        f'"test.op"() : () -> i{"9" * 5000}',
        f'"test.op"() {{a = array<i64: {"9" * 5000}>}} : () -> ()',
        f'"test.op"() {{a = dense<{"9" * 5000}> : tensor<2xi64>}} : () -> ()',
    ],
)
def test_numbers_of_many_digits(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "p.mlir"
    file.write_text(text)
    assert run([str(file), "--allow-unregistered-dialect"]) == 1
    assert capsys.readouterr().err.splitlines()[0] == f"{file}:1:1: error: a number has too many digits"
