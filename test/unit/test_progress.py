"""Progress bars."""

import io

import pytest
from npu_opt.tools.driver import progress
from npu_opt.tools.driver.progress import Progress


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
