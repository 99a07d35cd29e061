"""The wire format of protobuf, on bytes and on messages of ONNX."""

import pytest
from npu_opt.bridges.onnx.errors import OnnxError
from npu_opt.bridges.onnx.wire import Field, around, fields, head

VARINT = b"\x08\xac\x02"
"""Field 1: the number 300."""
EIGHT = b"\x11" + bytes(8)
"""Field 2: eight bytes."""
FOUR = b"\x1d" + bytes(4)
"""Field 3: four bytes."""
TEXT = b"\x22\x03abc"
"""Field 4: three bytes with their length."""


def read(data: bytes) -> list[Field]:
    return list(fields(data, 0, len(data)))


def test_fields_of_all_kinds():
    assert read(VARINT + EIGHT + FOUR + TEXT + VARINT) == [
        Field(1, 0, 1, 3, False),
        Field(2, 3, 4, 12, False),
        Field(3, 12, 13, 17, False),
        Field(4, 17, 19, 22, True),
        Field(1, 22, 23, 25, False),
    ]


def test_a_part_of_a_buffer():
    assert list(fields(FOUR + TEXT + FOUR, len(FOUR), len(FOUR + TEXT))) == [Field(4, 5, 7, 10, True)]


@pytest.mark.parametrize("data", [VARINT, EIGHT, FOUR, TEXT])
def test_fields_that_are_cut_off(data: bytes):
    for end in range(1, len(data)):
        with pytest.raises(OnnxError, match="cut off"):
            read(data[:end])


@pytest.mark.parametrize("kind", [3, 4, 6, 7])
def test_kinds_that_do_not_exist(kind: int):
    with pytest.raises(OnnxError, match="not an ONNX model"):
        read(bytes([1 << 3 | kind]) + bytes(16))


def test_numbers_have_ten_bytes_at_most():
    longest = b"\x08" + b"\xff" * 9 + b"\x01"
    assert read(longest) == [Field(1, 0, 1, 11, False)]
    with pytest.raises(OnnxError, match="cut off"):
        read(b"\x08" + b"\x80" * 10 + b"\x00")


@pytest.mark.parametrize("length", [0, 1, 127, 128, 129, 300, (1 << 14) - 1, 1 << 14])
@pytest.mark.parametrize("number", [1, 15, 16, 2047])
def test_heads(number: int, length: int):
    start = head(number, length)
    whole = start + bytes(length)
    assert read(whole) == [Field(number, 0, len(start), len(whole), True)]
    # As short as protobuf writes it.
    assert len(start) == 1 + (number > 15) + max(1, -(-length.bit_length() // 7))


def test_fields_around_another():
    pytest.importorskip("onnx")
    from onnx import TensorProto

    tensor = TensorProto(dims=[2, 3], data_type=TensorProto.FLOAT, name="w", raw_data=bytes(24), doc_string="why")
    before, behind = around(tensor, TensorProto.RAW_DATA_FIELD_NUMBER)
    assert before == TensorProto(dims=[2, 3], data_type=TensorProto.FLOAT, name="w").SerializeToString()
    assert tensor.SerializeToString() == before + head(TensorProto.RAW_DATA_FIELD_NUMBER, 24) + bytes(24) + behind
