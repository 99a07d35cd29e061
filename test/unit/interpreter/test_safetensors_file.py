"""Safetensors files: one reader for all tools, whose errors name the file and the key."""

import json
import os
import random
import struct
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.safetensors import stored_tensors
from npu_opt.interpreter import InterpreterError
from npu_opt.interpreter.safetensors_file import LONGEST_HEADER, entries, read_tensor
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from npu_opt.tools.run import run as npu_run
from support import optional_tools

GOOD = '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I8","shape":[3],"data_offsets":[8,11]}}'
DATA = bytes(range(11))


def written(folder: Path, header: str | bytes, data: bytes = DATA, length: int | None = None) -> Path:
    path = folder / "w.safetensors"
    text = header.encode() if isinstance(header, str) else header
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)
    return path


def problem(path: Path) -> str:
    with pytest.raises(InterpreterError) as error:
        entries(path)
    start = f"{path}: not a safetensors file: "
    assert str(error.value).startswith(start)
    return str(error.value).removeprefix(start)


def tensor(**changed: object) -> str:
    """A file of one tensor, with other fields."""
    return json.dumps({"k": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changed}})


def test_a_good_file(tmp_path: Path):
    path = written(tmp_path, GOOD)
    assert {key: (each.dtype, each.shape, each.length) for key, each in entries(path).items()} == {
        "a": ("F32", (2,), 8),
        "b": ("I8", (3,), 3),
    }
    assert read_tensor(path, "b")[1].tolist() == [8, 9, 10]
    assert b"".join(stored_tensors(path)["a"].chunks()) == DATA[:8]
    with pytest.raises(InterpreterError, match=r"w.safetensors: there is no tensor 'c'"):
        read_tensor(path, "c")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (tensor(data_offsets=[-8, 0]), "'k' data_offsets: expected a list of numbers that are not negative"),
        (tensor(data_offsets=[8, 0]), "'k' data_offsets: expected a begin and an end after it, found [8, 0]"),
        (tensor(data_offsets=[0]), "'k' data_offsets: expected a begin and an end after it, found [0]"),
        (tensor(data_offsets=[0, 7]), "'k' data_offsets: expected 8 bytes for its shape, found 7"),
        (tensor(data_offsets=[0, 8.0]), "'k' data_offsets: expected a list of numbers that are not negative"),
        (tensor(data_offsets=None), "'k' data_offsets: expected a list of numbers that are not negative, found null"),
        (tensor(shape=[2.0]), "'k' shape: expected a list of numbers that are not negative, found [2.0]"),
        (tensor(shape=[True, 2]), "'k' shape: expected a list of numbers that are not negative, found [true, 2]"),
        (tensor(shape=[-2]), "'k' shape: expected a list of numbers that are not negative, found [-2]"),
        (tensor(shape="2"), "'k' shape: expected a list of numbers that are not negative, found \"2\""),
        (tensor(shape=[2**70]), "'k' shape: expected numbers of at most 9223372036854775807"),
        (tensor(shape=[2**62] * 5000), "'k' shape: more than 9223372036854775807 elements"),
        (tensor(shape=[3]), "'k' data_offsets: expected 12 bytes for its shape, found 8"),
        (tensor(dtype=4), "'k' dtype: expected the name of an element type, found 4"),
        ('{"k": 5}', "'k': expected an object, found 5"),
        (GOOD.replace("[8,11]", "[7,10]"), "'b' overlaps the tensor before it: expected it to begin at 8, found 7"),
        (GOOD.replace("[8,11]", "[9,12]"), "'b' leaves a gap before it: expected it to begin at 8, found 9"),
        (GOOD.replace("[8,11]", "[8,10]").replace("[3]", "[2]"), "expected 10 bytes of tensors, found 11"),
        (GOOD.replace('"b"', '"a"'), "the key 'a' occurs twice"),
        (GOOD.replace("[2]", "[NaN]"), "NaN is not a number in JSON"),
        (GOOD.replace("[2]", f"[{'9' * 5000}]"), "the header is not JSON: "),
        (GOOD.replace("{", "{1:2,", 1), "the header is not JSON: "),
        (GOOD.encode().replace(b'"a"', b'"\xff"'), "the header is not JSON: "),
        ("[" * 100_000, "the header is nested too deeply"),
        ("[]", "expected an object as the header"),
        ("", "the header is not JSON: "),
        ('{"__metadata__": {"a": 1}}', "__metadata__: expected an object of strings"),
        ('{"__metadata__": 1}', "__metadata__: expected an object of strings, found 1"),
    ],
)
def test_bad_headers(header: str | bytes, expected: str, tmp_path: Path):
    data = DATA if not isinstance(header, str) or '"k"' not in header else DATA[:8]
    assert problem(written(tmp_path, header, data)).startswith(expected)


def test_bad_lengths(tmp_path: Path):
    path = written(tmp_path, "{}", b"", 3)
    assert problem(path) == "expected a header of 3 bytes, and the file has 10"
    path = written(tmp_path, "{}", b"", 2**64 - 1)
    assert problem(path) == f"expected a header of at most {LONGEST_HEADER} bytes, found {2**64 - 1}"
    path.write_bytes(b"")
    assert problem(path) == "expected a header of 0 bytes, and the file has 0"


def test_paths_that_are_not_files(tmp_path: Path):
    assert problem(tmp_path) == "not a regular file"
    os.mkfifo(tmp_path / "pipe")
    assert problem(tmp_path / "pipe") == "not a regular file"
    with pytest.raises(InterpreterError, match=r"nowhere: No such file or directory"):
        entries(tmp_path / "nowhere")


def test_a_file_that_changes_is_read_again(tmp_path: Path):
    path = written(tmp_path, GOOD)
    assert list(entries(path)) == ["a", "b"]
    written(tmp_path, "{}", b"")
    assert list(entries(path)) == []


PIECES = [
    b"0",
    b"1",
    b"8",
    b"-",
    b"11",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b'"',
    b"a",
    b":",
    b".0",
    b"true",
    b"null",
    b"F32",
]


@pytest.mark.parametrize("seed", range(300))
def test_the_same_files_are_accepted_as_by_safetensors(seed: int, tmp_path: Path):
    """Files with a few bytes changed."""
    choose, header = random.Random(seed), GOOD.encode()
    for _ in range(choose.randint(1, 2)):
        place = choose.randrange(len(header))
        header = header[:place] + choose.choice(PIECES) + header[place + choose.randint(0, 2) :]
    path = written(tmp_path, header)
    try:
        found = {key: read_tensor(path, key) for key in entries(path)}
    except InterpreterError:
        return
    load: Any = import_module("safetensors.numpy").load_file
    assert {key: array.tobytes() for key, array in load(path).items()} == {
        key: np.asarray(array).tobytes() for key, (_, array) in found.items()
    }


PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<4xf32>
  %y = npu.add %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
def test_all_tools_report_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = written(tmp_path, tensor(shape=[4], data_offsets=[-16, 0]), b"")
    program = tmp_path / "p.mlir"
    program.write_text(PROGRAM)
    expected = f"{path}: not a safetensors file: 'k' data_offsets: expected a list of numbers that are not negative"
    for run, code in (
        (lambda: npu_run([str(program), "--engine=numpy"]), 1),
        (lambda: npu_check([str(program), str(program)]), 2),
        (lambda: npu_opt([str(program), "-o", str(tmp_path / "m.onnx")]), 1),
        (lambda: npu_opt([str(program), "-t", "tosa"]), 1),
    ):
        assert run() == code
        captured = capsys.readouterr()
        assert (captured.out == "") == (code == 1)
        assert expected in captured.err.splitlines()[0]
    assert not (tmp_path / "m.onnx").exists()
