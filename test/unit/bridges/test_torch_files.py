"""Programs of PyTorch as files of the commands: read, written, run, proved, and refused with a reason."""

# pyright: basic
# Functions of PyTorch are called here, which say little of their types.

import io
import re
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from npu_opt import NpuOptError, load
from npu_opt.tools import check, run
from npu_opt.tools.opt import run as opt
from support import optional_tools
from support.torch_graphs import QUIET, torch

pytestmark = QUIET
onnx, litert = optional_tools.onnx(), optional_tools.litert()


class Image(torch.nn.Module):
    """A convolution behind two permutes that undo each other."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x: Any) -> Any:
        return self.conv(torch.relu(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2))


class Cache(torch.nn.Module):
    """A buffer that is written, and an operator without a counterpart."""

    def __init__(self, first: float = 0, name: str = "k") -> None:
        super().__init__()
        self.name = name
        self.register_buffer(name, torch.full((2, 4), first))

    def forward(self, x: Any) -> Any:
        buffer = getattr(self, self.name)
        buffer[0] = x
        return torch.nonzero(buffer), buffer.t() + 1


class Lengths(torch.nn.Module):
    """A product of sizes that are known at run time only."""

    def forward(self, x: Any, y: Any) -> Any:
        return (x.transpose(0, 1) + y).transpose(0, 1).relu(), x.shape[0]


class State(torch.nn.Module):
    """A buffer of four axes that is written."""

    def __init__(self) -> None:
        super().__init__()
        self.k: Any
        self.register_buffer("k", torch.arange(24.0).reshape(1, 2, 3, 4))

    def forward(self, x: Any) -> Any:
        self.k.add_(x)
        return torch.relu(self.k.permute(0, 2, 3, 1)) + 1


def exported(module: Any, *inputs: Any, **options: Any) -> Any:
    return torch.export.export(module.eval(), inputs, **options)


def image() -> Any:
    torch.manual_seed(0)
    return exported(Image(), torch.ones(1, 3, 5, 6))


def lengths() -> Any:
    rows = torch.export.Dim("rows", max=64)
    shapes = {"x": {0: rows}, "y": {1: rows}}
    return exported(Lengths(), torch.ones(3, 4), torch.ones(4, 3), dynamic_shapes=shapes)


PROGRAMS: dict[str, Callable[[], Any]] = {
    "image": image,
    "cache": lambda: exported(Cache(), torch.arange(4.0)),
    "begins": lambda: exported(Cache(first=1), torch.arange(4.0)),
    "renamed": lambda: exported(Cache(name="v"), torch.arange(4.0)),
    "lengths": lengths,
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for name, make in PROGRAMS.items():
        torch.export.save(make(), folder / f"{name}.pt2")
    return folder


@pytest.fixture(autouse=True)
def folder(programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(programs, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_program_is_written_with_fewer_permutes(capsys: pytest.CaptureFixture[str]):
    assert opt(["image.pt2", "-O", "-o", "out.pt2"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert "image.pt2: note: -O stands for --target=torch --layout-optimal --canonicalize --verify-layouts" in lines
    assert "out.pt2: remark: the file is proved to compute what image.pt2 does" in lines
    assert any(line.startswith("out.pt2: note: 0 permutes, 0 views in the file; ") for line in lines)
    before, after = (torch.export.load(name) for name in ("image.pt2", "out.pt2"))
    x = torch.randn(1, 3, 5, 6)
    assert torch.equal(before.module()(x), after.module()(x))
    assert [*after.state_dict] == [*before.state_dict]


def test_a_program_without_passes_is_the_same(capsys: pytest.CaptureFixture[str]):
    assert opt(["image.pt2", "-o", "out.pt2"]) == 0
    err = capsys.readouterr().err
    assert "out.pt2: note: 2 permutes, 0 views in the file, of 720 bytes; 0 of 4 nodes changed" in err
    assert "out.pt2: note: with -O there would be 0 permutes (run: npu-opt -O image.pt2 -o out.pt2)" in err


@pytest.mark.parametrize("name", ["cache", "lengths"])
def test_state_and_unknown_sizes_are_proved_and_run(name: str, capsys: pytest.CaptureFixture[str]):
    assert opt([f"{name}.pt2", "-O", "-o", "out.pt2"]) == 0
    assert "is proved to compute" in capsys.readouterr().err
    assert check.run([f"{name}.pt2", "out.pt2", "--numeric"]) == 0
    assert run.run([f"{name}.pt2", "--engine=numpy", "--compare", "out.pt2"]) == 0
    assert opt([f"{name}.pt2", "-o", "out.mlir"]) == 0
    assert check.run(["out.mlir", f"{name}.pt2"]) == 0


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("begins", "the buffer 'k' begins with other numbers in the second program"),
        ("renamed", "argument 0 is the buffer 'k' in the first program and the buffer 'v' in the second"),
    ],
)
def test_state_is_a_part_of_what_a_program_computes(other: str, words: str, capsys: pytest.CaptureFixture[str]):
    assert check.run(["cache.pt2", f"{other}.pt2"]) == 3
    assert f"different: {words}" in capsys.readouterr().out


def other_weight(program: Any) -> None:
    program.state_dict["conv.weight"].data[0, 0, 0, 0] += 1


def other_permutation(program: Any) -> None:
    node = next(node for node in program.graph.nodes if "permute" in node.name)
    node.args = (node.args[0], [0, 3, 2, 1])


def other_stride(program: Any) -> None:
    node = next(node for node in program.graph.nodes if "conv" in node.name and node.op == "call_function")
    node.args = (*node.args[:3], [1, 1], [2, 2], [2, 2])


def no_relu(program: Any) -> None:
    node = next(node for node in program.graph.nodes if "relu" in node.name)
    node.target = torch.ops.aten.sigmoid.default


@pytest.mark.parametrize("mutate", [other_weight, other_permutation, other_stride, no_relu])
def test_a_wrong_program_is_never_proved(mutate: Callable[[Any], None], capsys: pytest.CaptureFixture[str]):
    program = torch.export.load("image.pt2")
    mutate(program)
    program.graph_module.recompile()
    torch.export.save(program, "wrong.pt2")
    assert check.run(["image.pt2", "wrong.pt2"]) == 3
    assert capsys.readouterr().out.startswith("different: ")


def test_other_results_than_tensors_are_compared(capsys: pytest.CaptureFixture[str]):
    program = torch.export.load("lengths.pt2")
    (output,) = program.graph.find_nodes(op="output")
    output.args = ((output.args[0][0], 7),)
    spec = program.graph_signature.output_specs[1]
    spec.arg = torch.export.graph_signature.ConstantArgument("", 7)
    torch.export.save(program, "wrong.pt2")
    assert check.run(["lengths.pt2", "wrong.pt2"]) == 2
    assert "undecided: the results that are no tensors are" in capsys.readouterr().out


@pytest.mark.skipif(onnx.location is None, reason=onnx.note)
def test_a_program_becomes_an_onnx_model():
    assert opt(["image.pt2", "-O", "-o", "out.onnx"]) == 0
    assert check.run(["image.pt2", "out.onnx", "--numeric"]) == 0


@pytest.mark.skipif(litert.location is None, reason=litert.note)
def test_a_program_becomes_a_litert_model():
    assert opt(["image.pt2", "-O", "-o", "out.tflite"]) == 0
    assert check.run(["image.pt2", "out.tflite", "--numeric"]) == 0


@pytest.mark.skipif(onnx.location is None, reason=onnx.note)
def test_a_call_without_a_counterpart_is_named_with_its_line(capsys: pytest.CaptureFixture[str]):
    assert opt(["cache.pt2", "-o", "out.onnx"]) == 1
    err = capsys.readouterr().err
    assert re.search("cache.pt2:.*: error: '.*' has no counterpart in ONNX", err)
    assert "'aten.nonzero.default' has no counterpart in ONNX" in err
    assert re.search(rf"aten\.nonzero\.default \({re.escape(__file__)}:\d+: nonzero\)", err)
    assert "note: a .pt2 file keeps such calls" in err
    assert not Path("out.onnx").exists()


def test_a_program_of_another_format_is_no_program_of_pytorch(capsys: pytest.CaptureFixture[str]):
    assert opt(["image.pt2", "-o", "m.mlir"]) == 0
    assert opt(["m.mlir", "-o", "out.pt2"]) == 1
    assert "a program of PyTorch is written only of one that came from PyTorch" in capsys.readouterr().err
    assert not Path("out.pt2").exists()


def test_sizes_are_fixed(capsys: pytest.CaptureFixture[str]):
    assert opt(["lengths.pt2", "-o", "m.mlir"]) == 0
    name = re.findall(r'onnx.dims = \["(\w+)"', Path("m.mlir").read_text())[0]
    assert opt(["lengths.pt2", f"--size={name}=5", "-o", "fixed.pt2"]) == 0
    fixed = torch.export.load("fixed.pt2")
    assert fixed.module()(torch.ones(5, 4), torch.ones(4, 5))[0].shape == (5, 4)
    assert opt(["lengths.pt2", "--shape=x:5x4", "-o", "shaped.mlir"]) == 0
    assert "%x: tensor<5x4xf32>" in Path("shaped.mlir").read_text()
    capsys.readouterr()
    assert opt(["lengths.pt2", "--size=batch=5", "-o", "fixed.pt2"]) == 1
    assert "lengths.pt2: error: no size is called 'batch'" in capsys.readouterr().err
    assert opt(["lengths.pt2", "--shape=x:100x4", "-o", "fixed.pt2"]) == 1
    assert "lengths.pt2: error: the program is not for these sizes" in capsys.readouterr().err


def test_inputs_in_other_orders(capsys: pytest.CaptureFixture[str]):
    x = torch.rand(1, 3, 5, 6)
    assert opt(["image.pt2", "-O", "--interface=x:NHWC", "-o", "turned.pt2"]) == 0
    err = capsys.readouterr().err
    assert "interface: x is stored as NHWC (was NCHW)" in err
    assert "turned.pt2: remark: the file is proved to compute what image.pt2 does" in err
    before, turned = (torch.export.load(name) for name in ("image.pt2", "turned.pt2"))
    inputs: Any = turned.example_inputs
    assert inputs[0][0].shape == (1, 5, 6, 3)
    assert torch.equal(turned.module()(x.permute(0, 2, 3, 1)), before.module()(x))
    assert check.run(["image.pt2", "turned.pt2", "--numeric"]) == 0
    assert "with x stored as NHWC in the second program" in capsys.readouterr().out
    # What has an order already keeps it, and is turned back.
    assert opt(["turned.pt2", "-O", "-o", "again.pt2"]) == 0
    assert "again.pt2: note: 1 permute, 0 views in the file, of 360 bytes; 0 of " in capsys.readouterr().err
    assert opt(["turned.pt2", "-O", "--interface=x:NCHW", "-o", "back.pt2"]) == 0
    assert torch.equal(torch.export.load("back.pt2").module()(x), before.module()(x))
    for name in ("again", "back"):
        assert check.run(["image.pt2", f"{name}.pt2"]) == 0
    assert opt(["lengths.pt2", "-O", "--interface=free", "-o", "free.pt2"]) == 0
    (x, y), free = (torch.rand(5, 4), torch.rand(4, 5)), torch.export.load("free.pt2")
    sizes = [node.meta["val"].shape for node in free.graph.find_nodes(op="placeholder")]
    given = [each if each.shape[1] == size[1] else each.t() for each, size in zip((x, y), sizes, strict=True)]
    assert torch.equal(free.module()(*given)[0], torch.export.load("lengths.pt2").module()(x, y)[0])


def test_state_keeps_its_order(capsys: pytest.CaptureFixture[str]):
    torch.export.save(exported(State(), torch.ones(1, 2, 3, 4)), "state.pt2")
    assert opt(["state.pt2", "-O", "--interface=b_k:NHWC", "--interface=x:NHWC", "-o", "out.pt2"]) == 0
    assert "out.pt2: remark: the file is proved to compute what state.pt2 does" in capsys.readouterr().err
    before, after = (cast("Any", torch.export.load(name).module()) for name in ("state.pt2", "out.pt2"))
    x = torch.rand(1, 2, 3, 4)
    assert torch.equal(before(x), after(x.permute(0, 2, 3, 1)))
    assert torch.equal(before.k, after.k)


def test_files_are_known_by_their_content(capsys: pytest.CaptureFixture[str]):
    shutil.copy("image.pt2", "image.bin")
    assert opt(["image.bin"]) == 0
    torch.save({"weight": torch.ones(2)}, "state.pt2")
    assert opt(["state.pt2"]) == 1
    assert "state.pt2: error: no program that torch.export.save wrote: " in capsys.readouterr().err
    Path("short.pt2").write_bytes(Path("image.pt2").read_bytes()[:100])
    assert opt(["short.pt2"]) == 1
    assert "short.pt2: error: no program that torch.export.save wrote: " in capsys.readouterr().err
    assert opt(["absent.pt2"]) == 1
    assert "error: cannot read 'absent.pt2': No such file or directory" in capsys.readouterr().err


def changed_archive(name: str, change: Callable[[str, bytes], bytes | None]) -> None:
    """The archive of a program with other parts, which are left out if they are None."""
    with zipfile.ZipFile("image.pt2") as old, zipfile.ZipFile(name, "w") as new:
        for each in old.namelist():
            if (found := change(each, old.read(each))) is not None:
                new.writestr(each, found)


def test_the_reason_why_an_archive_is_no_program(capsys: pytest.CaptureFixture[str]):
    changed_archive("version.pt2", lambda name, data: b"99" if name.endswith("archive_version") else data)
    changed_archive("empty.pt2", lambda name, data: None if "models/" in name else data)
    changed_archive("operator.pt2", lambda _, data: data.replace(b"ops.aten.relu", b"ops.mine.relu"))
    changed_archive("weights.pt2", lambda name, data: None if name.endswith("weight_0") else data)
    whole = Path("image.pt2").read_bytes()
    place = whole.index(b"schema_version")
    Path("byte.pt2").write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
    Path("table.pt2").write_bytes(whole[:-100] + bytes([whole[-100] ^ 0xFF]) + whole[-99:])
    Path("cut.pt2").write_bytes(whole[:-100])
    torch.save(Image(), "module.pt2")
    saved = "the file is an archive of torch.save or TorchScript: export the model"
    for name, words in (
        ("version", "version 99 does not match"),
        ("empty", "the archive has no program"),
        ("operator", "torch.ops.mine.relu.default"),
        ("weights", "the archive has no 'data/weights/weight_0'"),
        ("byte", "'image/models/model.json' in the archive is damaged"),
        ("table", "the archive is damaged"),
        ("cut", "cut off"),
        ("module", saved),
    ):
        assert opt([f"{name}.pt2"]) == 1
        err = capsys.readouterr().err
        assert err.startswith(f"{name}.pt2: error: no program that torch.export.save wrote: ")
        assert words in err
        assert "Traceback" not in err
        assert "warnings above" not in err


def test_weights_without_numbers_have_their_line():
    program = exported(torch.nn.Linear(3, 3).to("meta"), torch.ones(2, 3, device="meta"))
    with pytest.raises(NpuOptError, match=r":\d+: p_weight: a weight without numbers"):
        load(program)


def test_standard_input_is_no_program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("image.pt2").read_bytes())))
    assert opt(["-", "-f", "torch"]) == 1
    assert "a program of PyTorch is read from a file, not from standard input" in capsys.readouterr().err


def test_results_are_those_of_eager(tmp_path: Path):
    x = np.random.default_rng(0).standard_normal((1, 3, 5, 6)).astype(np.float32)
    np.save("x.npy", x)
    assert run.run(["image.pt2", "--input", "x=x.npy", "--engine=numpy", "-o", "out.npz"]) == 0
    expected = torch.export.load("image.pt2").module()(torch.from_numpy(x)).detach().numpy()
    assert np.abs(np.load("out.npz")["output_0"] - expected).max() < 1e-5
