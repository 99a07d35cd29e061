"""npu-check on constants in files: what they hold is compared, and what cannot be read proves nothing."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from npu_opt.tools.check import run
from numpy.typing import NDArray
from safetensors import numpy as safetensors

Write = Callable[[str, str], str]
Numbers = NDArray[Any]

GOOD = np.arange(16, dtype=np.float32).reshape(4, 4)


def save(file: Path, **tensors: Numbers) -> None:
    file.parent.mkdir(exist_ok=True)
    cast("Any", safetensors).save_file({key: each.copy() for key, each in tensors.items()}, file)


def program(value: str, type_: str) -> str:
    return f"func.func @main() -> {type_} {{\n%y = npu.constant {value} : {type_}\nfunc.return %y : {type_}\n}}\n"


def reference(file: str, key: str = "k", type_: str = "tensor<4x4xf32>", read: str = "") -> str:
    return program(f'#npu.reference<"{file}", "{key}"{read}>', type_)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> str:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return str(file)

    return write


UNREAD = {
    "missing file": (reference("no.safetensors"), "no.safetensors: No such file or directory"),
    "another missing file": (reference("none.safetensors"), "none.safetensors: No such file or directory"),
    "missing key": (reference("w.safetensors", "q"), "w.safetensors: there is no tensor 'q'"),
    "other type": (reference("w.safetensors", "i"), "w.safetensors: 'i' is of type I32 and not f32"),
    "bits of 16": (reference("w.safetensors", "k", "tensor<4x4xbf16>"), "'k' is of type F32 and not bf16"),
    "other shape": (reference("w.safetensors", "k", "tensor<2x8xf32>"), "'k' has shape [4, 4], not [2, 8]"),
    "other count": (reference("w.safetensors", "k", "tensor<3x4xf32>"), "'k' has 16 elements, not 12"),
    "count when reshaped": (
        reference("w.safetensors", "k", "tensor<3x4xf32>", ", reshaped"),
        "'k' has 16 elements, not 12",
    ),
    "no safetensors": (reference("bad.safetensors"), "bad.safetensors: not a safetensors file"),
    "cut off": (reference("cut.safetensors"), "cut.safetensors: not a safetensors file"),
    "no file": (reference("folder"), "folder: not a safetensors file: not a regular file"),
}
"""Programs that cannot be run as they read their constants, and what is said of it."""


@pytest.fixture
def unread(tmp_path: Path, write: Write) -> dict[str, tuple[str, str]]:
    """The programs in two folders that hold the same files."""
    found: dict[str, tuple[str, str]] = {}
    for folder in ("a", "b"):
        save(tmp_path / folder / "w.safetensors", k=GOOD, i=GOOD.astype(np.int32))
        (tmp_path / folder / "bad.safetensors").write_bytes(b"\xff" * 100)
        whole = (tmp_path / folder / "w.safetensors").read_bytes()
        (tmp_path / folder / "cut.safetensors").write_bytes(whole[:-100])
        (tmp_path / folder / "folder").mkdir()
    for name, (text, _) in UNREAD.items():
        found[name] = write(f"a/{name}.mlir", text), write(f"b/{name}.mlir", text)
    return found


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_read_proves_nothing(
    unread: dict[str, tuple[str, str]], name: str, capsys: pytest.CaptureFixture[str]
):
    """Its name is not its content, not even if the same is said of it elsewhere."""
    first, second = unread[name]
    assert run([first, second]) == 2
    err = capsys.readouterr().err
    assert f"{first}:2:6: note: a constant is not read: {Path(first).parent}" in err
    assert f"{second}:2:6: note: a constant is not read: {Path(second).parent}" in err
    assert UNREAD[name][1] in err


@pytest.mark.parametrize("name", UNREAD)
def test_only_a_missing_file_equals_itself(
    unread: dict[str, tuple[str, str]], name: str, capsys: pytest.CaptureFixture[str]
):
    """It may come later. What contradicts its file never computes anything."""
    first, _ = unread[name]
    assert run([first, first]) == (0 if "missing file" in name else 2)
    assert UNREAD[name][1] in capsys.readouterr().err


def test_two_things_that_cannot_be_read_are_not_the_same(unread: dict[str, tuple[str, str]]):
    by_type = [name for name in UNREAD if "tensor<4x4xf32>" in UNREAD[name][0]]
    for one, other in combinations(by_type, 2):
        assert run([unread[one][0], unread[other][0]]) == 2


def test_what_is_dropped_need_not_be_read(write: Write):
    dead = (
        reference("no.safetensors")
        .replace("%y", "%x", 1)
        .replace("func.return", "%y = npu.constant dense<1.0> : tensor<4x4xf32>\nfunc.return")
    )
    assert run([write("a.mlir", dead), write("b.mlir", program("dense<1.0>", "tensor<4x4xf32>"))]) == 0


def texts(numbers: Numbers) -> str:
    if numbers.ndim:
        return f"[{', '.join(map(texts, numbers))}]"
    return str(bool(numbers)).lower() if numbers.dtype == np.bool_ else repr(numbers.item())


SIZES = [(), (1, 1), (3, 5), (2, 3, 4), (40, 30)]
LARGE = (200, 90)
TYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "ui8": np.uint8,
    "i64": np.int64,
    "i1": np.bool_,
}


def made(shape: tuple[int, ...], dtype: Any) -> Numbers:
    return np.random.default_rng(0).integers(0, 2 if dtype is np.bool_ else 100, shape).astype(dtype)


@pytest.mark.parametrize(
    ("shape", "type_"), [*((shape, type_) for shape in SIZES for type_ in TYPES), (LARGE, "f32")], ids=str
)
def test_numbers_are_the_same_in_a_file_and_written_out(
    shape: tuple[int, ...], type_: str, tmp_path: Path, write: Write
):
    """Independent of their number and order."""
    numbers = np.asarray(made(shape, TYPES[type_]))
    save(tmp_path / "w.safetensors", k=numbers, t=numbers.T, flat=numbers.ravel())
    tensor = f"tensor<{''.join(f'{size}x' for size in shape)}{type_}>"
    inline = write("inline.mlir", program(f"dense<{texts(numbers)}>", tensor))
    turned = f", {[*range(len(shape))][::-1]}"
    for key, read in (("k", ""), ("t", turned), ("flat", ", reshaped")):
        file = write(f"{key}.mlir", reference("w.safetensors", key, tensor, read))
        assert run([inline, file]) == 0
        assert run([file, inline]) == 0


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("shape", SIZES[:4], ids=str)
def test_other_numbers_are_found_out(shape: tuple[int, ...], type_: str, tmp_path: Path, write: Write):
    numbers = made(shape, TYPES[type_])
    other = numbers.copy()
    other.flat[-1] = not other.flat[-1]
    save(tmp_path / "w.safetensors", k=numbers, l=other)
    tensor = f"tensor<{''.join(f'{size}x' for size in shape)}{type_}>"
    file, others = (write(f"{key}.mlir", reference("w.safetensors", key, tensor)) for key in "kl")
    assert run([write("inline.mlir", program(f"dense<{texts(numbers)}>", tensor)), others]) == 3
    assert run([file, others]) == 3


def test_files_may_hold_the_numbers_in_another_sequence(tmp_path: Path, write: Write):
    numbers = made((40, 30), np.float32)
    save(tmp_path / "w.safetensors", k=numbers, t=numbers.T)
    first = write("first.mlir", reference("w.safetensors", "k", "tensor<40x30xf32>"))
    view = "npu.transpose %y permutation = [1, 0] : (tensor<30x40xf32>) -> tensor<40x30xf32>"
    text = reference("w.safetensors", "t", "tensor<30x40xf32>").replace(
        "-> tensor<30x40xf32>", "-> tensor<40x30xf32>", 1
    )
    second = write(
        "second.mlir", text.replace("func.return %y : tensor<30x40", f"%t = {view}\nfunc.return %t : tensor<40x30")
    )
    assert run([first, second]) == 0
    assert run([first, write("third.mlir", Path(second).read_text().replace('"t"', '"k", reshaped'))]) == 3


def test_equal_elements_in_a_file(tmp_path: Path, write: Write):
    save(tmp_path / "w.safetensors", k=np.full((4, 4), 2, np.float32))
    text = """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{
      %c = npu.constant {} : tensor<{}xf32>
      %y = npu.mul %x, %c : (tensor<4x4xf32>, tensor<{}xf32>) -> tensor<4x4xf32>
      func.return %y : tensor<4x4xf32>
    }}"""
    file = write("file.mlir", text.format('#npu.reference<"w.safetensors", "k">', "4x4", "4x4"))
    for shape in ("4x4", "1x4", "1x1"):
        assert run([file, write("inline.mlir", text.format("dense<2.0>", shape, shape))]) == 0
        assert run([file, write("inline.mlir", text.format("dense<3.0>", shape, shape))]) == 3
