"""The words for what the proof cannot decide."""

from pathlib import Path

import npu_opt
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.limits import limits_at
from support.ir_text import parse

OPAQUE = '%y = npu.opaque "a.b"(%x) pure : (T) -> T'
IN_F32 = """%w = npu.cast %x : (T) -> tensor<4x4xf32>
%e = npu.exp %w : tensor<4x4xf32>
%y = npu.cast %e : (tensor<4x4xf32>) -> T"""


def _program(element: str, text: str) -> str:
    kind = f"tensor<4x4x{element}>"
    return f"func.func @main(%x: {kind}, %z: {kind}) -> {kind} {{\n{text}\nfunc.return %y : {kind}\n}}".replace(
        "T", kind
    )


@pytest.mark.parametrize(
    ("element", "first", "second", "expected"),
    [
        ("f32", "%y = npu.relu %x : T", OPAQUE, "the proof knows 'a.b' by its text, not what it computes"),
        ("i32", "%y = npu.pow %x, %x : T", "%y = npu.mul %x, %z : T", "the proof does not know which products"),
        (
            "f32",
            '%y = npu.mod %x, %z sign = "rhs" : T',
            "%y = npu.sub %x, %z : T",
            "the proof does not decide the sign",
        ),
        ("f16", "%y = npu.exp %x : T", IN_F32, "floats of 16 bits that are computed in other steps are rounded"),
        ("f32", "%y = npu.add %x, %x : T", "%y = npu.sub %x, %z : T", None),
    ],
)
def test_what_is_not_decided(element: str, first: str, second: str, expected: str | None) -> None:
    answer = compare(*(parse(_program(element, text)) for text in (first, second)))
    assert answer.verdict is Verdict.UNDECIDED
    found = [*limits_at(*answer.unmatched)]
    assert len(found) == (expected is not None)
    assert expected is None or found[0].startswith(expected)


def test_the_words_are_notes(tmp_path: Path) -> None:
    for name, text in (("a", "%y = npu.relu %x : T"), ("b", OPAQUE)):
        (tmp_path / f"{name}.mlir").write_text(_program("f32", text))
    verdict = npu_opt.check(tmp_path / "a.mlir", tmp_path / "b.mlir")
    assert "note: the proof knows 'a.b' by its text, not what it computes" in verdict.notes
