"""A program and its weights are never mixed with those of another run, wherever a run is broken off."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from npu_opt.interpreter import Environment, run
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from support.generators.made_models import convolution
from support.ir_text import parse

X = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32)
KILLED = 9
STEPS = {"open", "os.rename", "os.chmod", "os.remove", "os.link", "os.truncate"}
"""The audit events of file changes."""


@pytest.fixture
def models(tmp_path: Path) -> tuple[Path, Path]:
    """Two models that differ in their weights alone."""
    first, second = tmp_path / "first.onnx", tmp_path / "second.onnx"
    made = convolution()
    first.write_bytes(made.SerializeToString())
    for tensor in made.graph.initializer:
        numbers = numpy_helper.to_array(tensor)
        if numbers.size > 100:
            tensor.CopyFrom(numpy_helper.from_array(numbers[..., ::-1].copy(), tensor.name))
    second.write_bytes(made.SerializeToString())
    return first, second


def expected(model: Path) -> bytes:
    evaluator: Any = ReferenceEvaluator(str(model))
    return evaluator.run(None, {"x": X})[0].astype(np.float32).round(3).tobytes()


def program_means(program: Path) -> bytes:
    module = parse(program.read_text())
    return run(module, "main", [X], Environment(program.parent))[0].round(3).tobytes()


def as_program(model: Path, folder: Path) -> list[str]:
    return [str(model), "-o", str(folder / "out.mlir")]


def as_chosen_file(model: Path, folder: Path) -> list[str]:
    return [str(model), "-o", str(folder / "out.mlir"), f"--weights={folder / 'data.safetensors'}"]


def as_model(model: Path, folder: Path) -> list[str]:
    return [str(model), "-t", f'onnx{{path="{folder / "out.onnx"}" inline-limit=1000}}']


FORMS = [
    (as_program, "out.mlir", program_means),
    (as_chosen_file, "out.mlir", program_means),
    (as_model, "out.onnx", expected),
]


def killed_at(step: int, folder: Path, arguments: list[str]) -> bool:
    """Run in a process that ends without any clean-up before its n-th change of a file in a folder; whether it did."""
    child = os.fork()
    if child == 0:
        # What the parent has left to collect may wait for threads, which a copy of a process does not have.
        gc.freeze()
        left = step

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event not in STEPS or not any(str(folder) in str(each) for each in arguments):
                return
            if left == 0:
                os._exit(KILLED)
            left -= 1

        sys.addaudithook(watch)
        os._exit(npu_opt(arguments))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED)
    return code == KILLED


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied here")
@pytest.mark.parametrize(("form", "name", "meaning"), FORMS)
@pytest.mark.parametrize("weights", ["there", "deleted"])
def test_a_kill_leaves_a_pair(
    form: Callable[[Path, Path], list[str]],
    name: str,
    meaning: Callable[[Path], bytes],
    weights: str,
    models: tuple[Path, Path],
    tmp_path: Path,
):
    first, second = models
    old, new = expected(first), expected(second)
    assert old != new
    seen: list[bool] = []
    for step in range(100):
        folder = tmp_path / str(step)
        folder.mkdir()
        assert npu_opt(form(first, folder)) == 0
        kept = {path.name: path.read_bytes() for path in folder.iterdir()}
        if weights == "deleted":
            # What is missing must not come back as something else.
            for each in folder.iterdir():
                if each.suffix in (".safetensors", ".data"):
                    each.unlink()
        was_killed = killed_at(step, folder, form(second, folder))
        is_old = (folder / name).read_bytes() == kept[name]
        seen.append(is_old)
        if weights == "deleted" and is_old:
            for file, content in kept.items():
                assert not (folder / file).exists() or (folder / file).read_bytes() == content
        else:
            assert meaning(folder / name) == (old if is_old else new)
        if not was_killed:
            break
    assert len(seen) > 4
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] is False


@pytest.mark.parametrize(("form", "name", "meaning"), FORMS)
def test_names(
    form: Callable[[Path, Path], list[str]],
    name: str,
    meaning: Callable[[Path], bytes],
    models: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Equal weights keep their file, others get one of their own, and nothing else is left behind."""
    folder = tmp_path / "out"
    folder.mkdir()
    first, second = models
    assert npu_opt(form(first, folder)) == 0
    names = {path.name for path in folder.iterdir()}
    assert len(names) == 2
    (plain,) = names - {name}
    assert capsys.readouterr().err in ("", f"{folder / name}: note: 0 Transposes in the file; 0 of 5 nodes changed\n")
    written = (folder / plain).stat().st_mtime_ns
    assert npu_opt(form(first, folder)) == 0
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / plain).stat().st_mtime_ns == written
    assert npu_opt(form(second, folder)) == 0
    (other,) = {path.name for path in folder.iterdir()} - names
    stem, ending = plain.rsplit(".", 1)
    assert other.startswith(f"{stem}-")
    assert other.endswith(f".{ending}")
    assert meaning(folder / name) == expected(second)
    assert npu_opt(form(second, folder)) == 0
    assert npu_opt(form(first, folder)) == 0
    assert {path.name for path in folder.iterdir()} == {*names, other}
    assert meaning(folder / name) == expected(first)


def test_a_note_says_where_the_weights_are(
    models: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    first, second = models
    output, plain = tmp_path / "out.mlir", tmp_path / "out.safetensors"
    assert npu_opt([str(first), "-o", str(output)]) == 0
    saved = tmp_path / "saved.mlir"
    saved.write_text(output.read_text())
    capsys.readouterr()
    assert npu_opt([str(second), "-o", str(output)]) == 0
    (other,) = set(tmp_path.glob("out-*.safetensors"))
    assert capsys.readouterr().err == (
        f"{output}: note: the weights are in '{other}': other programs may refer to the content of '{plain}'\n"
    )
    assert f'#npu.reference<"{other.name}", "kernel">' in output.read_text()
    # A copy of the old program still is what it was.
    assert npu_check([str(first), str(saved)]) == 0
    assert npu_check([str(second), str(output)]) == 0


def test_a_failing_run_leaves_no_draft(models: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "out"
    folder.mkdir()
    assert npu_opt([str(models[0]), "-o", str(folder / "out.mlir"), "--expect-transposes=0", "--why=%nothing"]) == 1
    assert list(folder.iterdir()) == []
    (folder / "out.mlir").mkdir()
    assert npu_opt([str(models[0]), "-o", str(folder / "out.mlir")]) == 1
    assert "cannot write" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["out.mlir"]


def test_nothing_is_beside_a_device(models: tuple[Path, Path], capsys: pytest.CaptureFixture[str]):
    assert npu_opt([str(models[0]), "-o", "/dev/null"]) == 0
    assert "2 constants are referenced but not written" in capsys.readouterr().err
    assert not Path("/dev/null.safetensors").exists()
    assert npu_opt([str(models[0]), "-t", 'onnx{path="/dev/null" inline-limit=0}']) == 0
    assert not Path("/dev/null.data").exists()


def test_names_that_are_written_in_another_way(models: tuple[Path, Path], tmp_path: Path):
    """A program that was there may name what is missing by escapes."""
    output = tmp_path / 'é".mlir'
    assert npu_opt([str(models[0]), "-o", str(output)]) == 0
    output.with_suffix(".safetensors").unlink()
    assert npu_opt([str(models[1]), "-o", str(output)]) == 0
    assert not output.with_suffix(".safetensors").exists()
    assert program_means(output) == expected(models[1])


def test_onnx_reads_what_was_written(models: tuple[Path, Path], tmp_path: Path):
    for model in models:
        assert npu_opt(as_model(model, tmp_path)) == 0
        found = cast("Any", onnx).load(str(tmp_path / "out.onnx"))
        given = cast("Any", onnx).load(str(model))
        kept = {each.name: numpy_helper.to_array(each) for each in found.graph.initializer}
        for each in given.graph.initializer:
            assert np.array_equal(kept[each.name], numpy_helper.to_array(each))
