"""Progress bars."""

import io
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from npu_opt.tools import check
from npu_opt.tools.driver.comparison import comparison
from npu_opt.tools.driver.console import progress
from npu_opt.tools.driver.console.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_long_step_is_shown():
    stream = Terminal()
    with Progress(stream).step("layout-preset") as step:
        step.update(1, 2)
        step.show()
        step.update(2, 2)
    assert "layout-preset" in stream.getvalue()


def test_a_short_step_is_not_shown():
    stream = Terminal()
    with Progress(stream).step("layout-preset") as step:
        step.update(1, 2)
    step.show()
    assert stream.getvalue() == ""


def test_nothing_is_shown_but_on_a_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "Timer", None)  # It would be started for a terminal.
    stream = io.StringIO()
    with Progress(stream).step("layout-preset") as step:
        step.update(1, 2)
    assert stream.getvalue() == ""


def test_an_error_passes_through():
    def fail() -> None:
        with Progress(Terminal()).step("reading"):
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        fail()


def test_a_long_proof_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A proof may take minutes, and its verdict comes at the end."""
    file = tmp_path / "a.mlir"
    file.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  func.return %x : tensor<4xf32>\n}\n")
    stream, compare = Terminal(), comparison.compare_programs

    def slow(*args: Any, **options: Any) -> Any:
        for _ in range(3000):
            if "comparing" in stream.getvalue():
                break
            sleep(0.01)
        return compare(*args, **options)

    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(check, "compare_programs", slow)
    monkeypatch.setattr(sys, "stderr", stream)
    assert check.run([str(file), str(file)]) == 0
    assert "comparing" in stream.getvalue()
