"""npu-gui: the app shows the program behind the passes; its errors are one line."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from npu_opt.tools.gui import app, parse_arguments, run
from support.source_tree import ROOT
from xdsl.interactive.app import InputApp

EXAMPLE = str(ROOT / "examples/two_branches.mlir")


def shown_program(args: list[str], act: Callable[[InputApp], Awaitable[None]] | None = None) -> str:
    """The program behind the passes, as the app shows it."""

    async def drive() -> str:
        found = app(parse_arguments(args))
        async with found.run_test() as pilot:
            await pilot.pause()
            if act is not None:
                await act(found)
                await pilot.pause()
            return found.output_text_area.text

    return asyncio.run(drive())


def test_the_example_is_shown_without_a_file():
    assert "npu.conv2d %image, %kernel" in shown_program([])


def test_passes_run_on_the_file():
    text = shown_program([EXAMPLE, "-p", "layout-preset,canonicalize", "--target", "opu"])
    assert text.count("npu.transpose") == 2


def test_a_chosen_pass_is_added():
    async def choose(found: InputApp) -> None:
        names = dict(found.all_passes)
        found.pass_pipeline = (names["layout-preset"](),)

    assert "npu.transpose" not in shown_program([EXAMPLE])
    assert "npu.transpose" in shown_program([EXAMPLE], choose)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["none.mlir"], "none.mlir: error: cannot read: No such file or directory"),
        (["-p", "layout-prest"], "npu-gui: error: argument -p: no pass 'layout-prest' (did you mean 'layout-preset'?)"),
        (["--target", "opv", "-p", "layout-preset"], "npu-gui: error: unknown target 'opv'; did you mean 'opu'?"),
    ],
)
def test_errors_are_one_line(args: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert run(args) == 1
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert "Traceback" not in error


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setitem(sys.modules, "textual", None)
    assert run([]) == 1
    expected = "npu-gui: error: npu-gui needs the package textual: pip install 'npu-opt[gui]'\n"
    assert capsys.readouterr().err == expected


def test_an_error_in_the_file_has_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "wrong.mlir"
    file.write_text("func.func @f() {\n  npu.nothing\n}\n")
    assert run([str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"{file}:2:")
