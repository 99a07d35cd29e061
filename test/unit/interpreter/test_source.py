"""Constants, and ops of other systems."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.interpreter import Environment, InterpreterError
from support.oracles.one_op import Array, compute, compute_all, equal, numbers


@pytest.mark.parametrize(
    ("element_type", "values"),
    [
        ("i1", [True, False, True]),
        ("i4", [-8, 7, 0]),
        ("ui4", [15, 7, 0]),
        ("i8", [-128, 127, 3]),
        ("ui8", [255, 1, 0]),
        ("i24", [-(2**23), 5, 2**23 - 1]),
        ("i64", [-(2**63), 2**63 - 1, 1]),
        ("ui64", [2**64 - 1, 0, 1]),
        ("f16", [0.5, -2.0, 65504.0]),
        ("bf16", [0.5, -3.0, 256.0]),
        ("f32", [0.1, -1024.5, 3.0]),
        ("f64", [0.1, -1024.5, 3.0]),
    ],
)
def test_numbers_written_out(element_type: str, values: list[Any]):
    text = f"%c = npu.constant dense<{json.dumps(values)}> : tensor<3x{element_type}>"
    expected = np.array(values, np.float32) if element_type == "f32" else values
    equal(compute(text), expected)


def test_one_number_for_all_elements():
    equal(compute("%c = npu.constant dense<true> : tensor<2x3xi1>"), np.full((2, 3), True))
    equal(compute("%c = npu.constant dense<1.5> : tensor<2x3xbf16>"), np.full((2, 3), 1.5))
    assert compute("%c = npu.constant dense<> : tensor<0x3xf32>").shape == (0, 3)
    equal(compute("%c = npu.constant dense<7> : tensor<i32>"), 7)


def write_safetensors(path: Path, tensors: dict[str, tuple[str, Array]]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "np"}}
    data = b""
    for key, (name, array) in tensors.items():
        begin = len(data)
        data += array.tobytes()
        header[key] = {"dtype": name, "shape": list(array.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def load(directory: Path, reference: str, type_: str) -> Array:
    text = f'%c = npu.constant #npu.reference<"w.safetensors", {reference}> : tensor<{type_}>'
    (found,) = compute_all(text, environment=Environment(directory))
    return found


def test_numbers_in_a_file(tmp_path: Path):
    w, mask, scales = numbers(2, 3), np.array([True, False]), np.array([0x3F80, 0xC000], np.uint16)
    write_safetensors(
        tmp_path / "w.safetensors",
        {"w": ("F32", w), "mask": ("BOOL", mask), "scales": ("BF16", scales), "ids": ("I64", np.array(5))},
    )
    equal(load(tmp_path, '"w"', "2x3xf32"), w)
    equal(load(tmp_path, '"w", [1, 0]', "3x2xf32"), w.T)
    equal(load(tmp_path, '"w", reshaped', "6xf32"), w.ravel())
    equal(load(tmp_path, '"w", reshaped [1, 0]', "2x3xf32"), w.reshape(3, 2).T)
    steps = '"w", [1, 0] of [2, 3], reshaped [1, 0] of [2, 3], reshaped'
    equal(load(tmp_path, steps, "6xf32"), w.T.reshape(2, 3).T.ravel())
    equal(
        load(tmp_path, '"w", reshaped [1, 0] of [3, 2], reshaped [1, 0]', "2x3xf32"), w.reshape(3, 2).T.reshape(3, 2).T
    )
    equal(load(tmp_path, '"mask"', "2xi1"), mask)
    equal(load(tmp_path, '"scales"', "2xbf16"), [1, -2])
    equal(load(tmp_path, '"ids"', "i64"), 5)


def test_numbers_in_a_file_that_do_not_fit(tmp_path: Path):
    path = tmp_path / "w.safetensors"
    with pytest.raises(InterpreterError, match=r"w.safetensors: No such file or directory"):
        load(tmp_path, '"w"', "2xf32")
    path.write_bytes(b"no safetensors file, but long enough to look like one")
    with pytest.raises(InterpreterError, match=r"w.safetensors: not a safetensors file"):
        load(tmp_path, '"w"', "2xf32")
    write_safetensors(path, {"w": ("F32", numbers(2)), "odd": ("F6_E2M3", np.zeros(2, np.int8))})
    with pytest.raises(InterpreterError, match=r"w.safetensors: there is no tensor 'v'"):
        load(tmp_path, '"v"', "2xf32")
    with pytest.raises(InterpreterError, match=r"'odd' is of the unknown element type F6_E2M3"):
        load(tmp_path, '"odd"', "2xf32")
    with pytest.raises(InterpreterError, match=r"'w' is of type F32 and not f64"):
        load(tmp_path, '"w"', "2xf64")
    with pytest.raises(InterpreterError, match=r"'w' has 2 elements, not 3"):
        load(tmp_path, '"w"', "3xf32")
    with pytest.raises(InterpreterError, match=r"'w' has shape \[2\], not \[1, 2\]"):
        load(tmp_path, '"w", [0, 1] of [1, 2], reshaped', "2xf32")
    with pytest.raises(InterpreterError, match=r"'w' has shape \[2\], not \[1, 2\]"):
        load(tmp_path, '"w", [1, 0]', "2x1xf32")
    with pytest.raises(InterpreterError, match=r"'w' has 2 elements, not 6"):
        load(tmp_path, '"w", reshaped', "2x3xf32")


OPAQUE = '%r, %s = npu.opaque "other.Pair"(%x) pure : (tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi4>)'


def test_opaque_ops_have_no_meaning():
    with pytest.raises(InterpreterError, match=r"'npu.opaque' \"other.Pair\" cannot be evaluated"):
        compute_all(OPAQUE, [1, 2])


def test_opaque_ops_may_be_given_a_meaning():
    def pair(_op: object, x: Array) -> tuple[Array, ...]:
        return x + 1, x * 5

    first, second = compute_all(OPAQUE, [1, 2], environment=Environment(foreign={"other.Pair": pair}))
    equal(first, [2, 3])
    equal(second, [5, -6])
