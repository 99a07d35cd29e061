"""Scripts that complete the command line in a shell."""

import subprocess
from pathlib import Path

import pytest
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt


def completions(script: str, *words: str) -> list[str]:
    """The completions of the last word in bash."""
    line = " ".join(f"'{word}'" for word in words)
    code = (
        f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1};"
        f" _shtab_npu_opt npu-opt '{words[-1]}' '{words[-2]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_flags_and_words_are_completed(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    assert npu_opt(["--completion", "bash"]) == 0
    script = tmp_path / "npu-opt.bash"
    script.write_text(capfd.readouterr().out)
    assert completions(str(script), "npu-opt", "--layout-p") == ["--layout-preset", "--layout-preset-npu"]
    assert completions(str(script), "npu-opt", "-t", "mer") == ["mermaid"]
    assert completions(str(script), "npu-opt", "--target", "op") == ["opu"]
    assert completions(str(script), "npu-opt", "--help", "layout-t") == ["layout-transmit"]


@pytest.mark.parametrize("shell", ["zsh", "tcsh", "fish"])
def test_other_shells(shell: str, capfd: pytest.CaptureFixture[str]):
    assert npu_opt(["--completion", shell]) == 0
    assert "layout-preset" in capfd.readouterr().out


def test_the_smaller_tools_have_one(capfd: pytest.CaptureFixture[str]):
    assert npu_check(["--completion", "bash"]) == 0
    assert "--trials" in capfd.readouterr().out


def test_an_unknown_shell_is_an_error(capfd: pytest.CaptureFixture[str]):
    assert npu_opt(["--completion", "csh"]) == 1
    assert (
        capfd.readouterr()
        .err.splitlines()[-1]
        .startswith("npu-opt: error: argument --completion: no shell 'csh' (choose from bash, zsh, ")
    )


def test_without_shtab_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def find_nothing(name: str) -> None:
        assert name == "shtab"

    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", find_nothing)
    assert npu_opt(["--completion", "bash"]) == 1
    assert capfd.readouterr().err.splitlines()[-1] == (
        "npu-opt: error: argument --completion: completion needs the package shtab: pip install 'npu-opt[completion]'"
    )
