"""Ops of LiteRT files as text: they are read as they were printed, and written as the same file."""

import re
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.dialect import TFL
from npu_opt.bridges.litert.exporting import NotExportable, lowered, to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.program.symbols import verify
from npu_opt.text.parser import NpuParser
from support.campaign import seeds
from support.generators.lite_families import FAMILIES
from support.generators.samples import sample
from support.ir_text import context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp) and op is not OpaqueOp]


def parse(text: str) -> ModuleOp:
    known = context()
    known.register_dialect(TFL.name, lambda: TFL)
    module = NpuParser(known, text).parse_module()
    verify(module)
    return module


def text_of(module: ModuleOp) -> str | None:
    """The ops of the file of a program; None if LiteRT does not have them."""
    try:
        return str(lowered(module, Path(), None))
    except NotExportable:
        return None


def check(module: ModuleOp) -> bool:
    """Check the text of a program; returns False if there is none."""
    if (text := text_of(module)) is None:
        return False
    assert str(parse(text)) == text
    assert packed(to_litert(parse(text))) == packed(to_litert(module))
    return True


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_text_of_an_op_is_written_as_the_same_file(op: type[NpuOp]):
    for seed in seeds(1, 30):
        check(sample(op, Random(seed)).module)


def test_text_of_a_file_is_written_as_the_same_file(tmp_path: Path):
    found = 0
    for name, family in FAMILIES.items():
        for seed in seeds(1, 30):
            file = tmp_path / "model.tflite"
            file.write_bytes(family(Random(f"{name} {seed}")).model())
            try:
                found += check(import_model(file, inline_limit=None).module)
            except LiteRtError:
                continue
    assert found > len(FAMILIES) // 2


TOKEN = re.compile(r'"[^"]*"|\b-?\d+|\b[A-Z]\w*|true|false')
OTHERS = ("-1", "0", "99999999999", "1.5", "true", '"x"', "dense<[1, 2]> : tensor<2xi32>", "[]", "{}", "array<i64>")


def test_a_wrong_text_is_an_error():
    module = parse("""func.func @main(%x: tensor<2x3xi8>) -> tensor<3x2xf32> {
      %s = npu.constant dense<0.5> : tensor<f32>
      %zero = npu.constant dense<3> : tensor<i8>
      %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
      %y = npu.dequantize %a, %s, %zero : (tensor<3x2xi8>, tensor<f32>, tensor<i8>) -> tensor<3x2xf32>
      func.return %y : tensor<3x2xf32>
    }""")
    text = text_of(module)
    assert text is not None
    written = 0
    for seed in seeds(300, 3000):
        rng = Random(seed)
        place = rng.choice(list(TOKEN.finditer(text)))
        wrong = text[: place.start()] + rng.choice([*OTHERS, *TOKEN.findall(text)]) + text[place.end() :]
        try:
            packed(to_litert(parse(wrong)))
            written += 1
        except (DiagnosticException, ParseError, VerifyException):
            continue
    assert written, "some changes are other programs"
