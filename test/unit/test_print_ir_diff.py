"""`--print-ir-diff` on a terminal; test/tools/print_ir_diff.mlir has its text."""

import sys

import pytest
from npu_opt.tools.opt import run
from support.source_tree import ROOT

PROGRAM = str(ROOT / "test" / "tools" / "print_ir_diff.mlir")


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert run([PROGRAM, "--cse", "--print-ir-diff"]) == 0
    plain = capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run([PROGRAM, "--cse", "--print-ir-diff"]) == 0
    coloured = capsys.readouterr().err
    assert "\x1b" not in plain
    assert "\x1b[31m-    %c = arith.mulf %x, %y : f32\x1b[0m\n" in coloured
    assert "\x1b[32m+    %d = arith.addf %b, %b : f32\x1b[0m\n" in coloured
