"""`-O`, and the hints of npu-opt: whole commands, which a shell runs, and which do what the hint says."""

import re
from math import prod
from pathlib import Path

import npu_opt
import pytest
from npu_opt.tools.opt import run
from onnx import ModelProto, TensorProto, helper, parser
from support.optional_tools import litert
from support.shell import in_shell

HINT = re.compile(r"\(run: (.*)\)")
HINTS = {
    # The tests are here, but for those of guessed_format.py, in test_guessed_formats.py.
    "passes/placement/layout_pass.py": 1,
    "tools/driver/pipeline/best_passes.py": 1,
    "tools/driver/formats/guessed_format.py": 1,
    "tools/driver/formats/models.py": 2,
    "tools/driver/formats/output_format.py": 1,
    "tools/driver/formats/size_hint.py": 1,
    "tools/driver/pipeline/pass_reports.py": 1,
}
"""The places in the sources that print a command, each of which a test runs."""


def cancelling(sizes: tuple[int | str, ...] = (2, 3, 4, 5)) -> ModelProto:
    """A convolution, and a relu between two transposes."""
    weights = helper.make_tensor("w", TensorProto.FLOAT, [3, 3, 1, 1], [0.5] * 9)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Transpose", ["c"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Relu", ["t"], ["r"]),
        helper.make_node("Transpose", ["r"], ["y"], perm=[0, 3, 1, 2]),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y], [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


def save(model: ModelProto, file: str) -> None:
    Path(file).write_bytes(model.SerializeToString())


def load(file: str) -> ModelProto:
    return ModelProto.FromString(Path(file).read_bytes())


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    save(cancelling(), "a model.onnx")
    return Path("a model.onnx")


def errors_of(command: str) -> str:
    """The messages of a shell command on standard error."""
    done = in_shell(command)
    assert done.returncode == 0, done.stderr
    return done.stderr


def transposes(file: str) -> int:
    return sum(node.op_type == "Transpose" for node in load(file).graph.node)


def hint_of(text: str) -> str:
    found = HINT.search(text)
    assert found is not None, text
    return found[1]


def test_the_flags_are_printed_and_the_file_is_proved(model: Path, capsys: pytest.CaptureFixture[str]):
    assert run([str(model), "-O", "-o", "out.onnx"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "a model.onnx: note: -O stands for --target=onnx --layout-optimal=cost=prices --verify-layouts",
        "out.onnx: remark: the file is proved to compute what a model.onnx does",
        "out.onnx: note: 0 Transposes in the file; 3 of 4 nodes changed",
    ]
    assert transposes("out.onnx") == 0


def test_the_flags_that_are_printed_write_the_same(model: Path, capsys: pytest.CaptureFixture[str]):
    assert run([str(model), "-O", "-o", "out.onnx"]) == 0
    flags = capsys.readouterr().err.splitlines()[0].partition("stands for ")[2]
    errors_of(f"npu-opt '{model}' {flags} -o same.onnx")
    assert Path("same.onnx").read_bytes() == Path("out.onnx").read_bytes()


@pytest.mark.parametrize(
    ("flags", "target"),
    [
        (["-o", "out.onnx"], "onnx"),
        (["-o", "out.mlir"], "onnx"),
        (["-o", "out.tflite"], "litert"),
        (["-o", "out.onnx", "--target=opu"], "opu"),
    ],
)
def test_the_ending_decides_the_target(model: Path, capsys: pytest.CaptureFixture[str], flags: list[str], target: str):
    if "out.tflite" in flags and litert().location is None:
        pytest.skip(litert().note)
    assert run([str(model), "--optimize", *flags]) == 0
    assert f": note: -O stands for --target={target} " in capsys.readouterr().err


def test_a_program_is_for_the_default_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n")
    assert run([str(program), "-O"]) == 0
    assert ": note: -O stands for --target=opu " in capsys.readouterr().err


def test_the_target_says_what_it_stands_for(model: Path, capsys: pytest.CaptureFixture[str]):
    Path("own.toml").write_text(
        'name = "own"\ndescription = "d"\nextends = "onnx"\noptimize = "--cse --layout-optimal=cost=bytes"\n'
    )
    assert run([str(model), "-O", "--target=own.toml", "-o", "out.onnx"]) == 0
    assert "stands for --target=own.toml --cse --layout-optimal=cost=bytes --verify" in capsys.readouterr().err
    assert transposes("out.onnx") == 0


def with_norm() -> ModelProto:
    """A convolution, its norm and a relu."""
    numbers = {"w": [3, 3, 1, 1], "scale": [3], "bias": [3], "mean": [3], "variance": [3]}
    weights = [
        helper.make_tensor(name, TensorProto.FLOAT, sizes, [0.25 * (1 + place) for place in range(prod(sizes))])
        for name, sizes in numbers.items()
    ]
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("BatchNormalization", ["c", "scale", "bias", "mean", "variance"], ["n"]),
        helper.make_node("Relu", ["n"], ["y"]),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, (2, 3, 4, 5)) for name in "xy")
    return helper.make_model(
        helper.make_graph(nodes, "g", [x], [y], weights), opset_imports=[helper.make_opsetid("", 17)]
    )


@pytest.mark.parametrize(
    ("target", "kinds"), [("sophgo-bm1684x", "Conv Relu"), ("onnx", "Conv BatchNormalization Relu")]
)
def test_norms_are_folded_where_the_target_says_so(
    tmp_path: Path, target: str, kinds: str, capsys: pytest.CaptureFixture[str]
):
    given, made = tmp_path / "norm.onnx", tmp_path / "made.onnx"
    save(with_norm(), str(given))
    assert run([str(given), "-O", f"--target={target}", "-o", str(made)]) == 0
    assert "is proved to compute what" in capsys.readouterr().err
    nodes = load(str(made)).graph.node
    assert " ".join(node.op_type for node in nodes) == kinds
    assert [node.output[0] for node in nodes][-1] == "y"


def group_norm(groups: int) -> str:
    """A group norm as PyTorch exports it."""
    ones, zeros = (", ".join([number] * groups) for number in "10")
    return f"""<ir_version: 8, opset_import: ["": 17]>
      net (float[1,6,4,5] x) => (float[1,6,4,5] y)
      <int64[3] a = {{0, {groups}, -1}}, float[{groups}] one = {{{ones}}}, float[{groups}] zero = {{{zeros}}},
       int64[4] b = {{1, 6, 4, 5}}, float[6,1,1] scale = {{1, 2, 3, 4, 5, 6}}> {{
        r = Reshape (x, a) n = InstanceNormalization (r, one, zero) s = Reshape (n, b) y = Mul (s, scale)
      }}"""


@pytest.mark.parametrize(
    ("groups", "target", "has_instance_norm"),
    [
        (1, "sophgo-bm1684x", False),
        (2, "sophgo-bm1684x", False),
        (1, "sophgo-bm1684x-int8", True),
        (2, "onnx", True),
    ],
)
def test_group_norms_are_written_as_the_compiler_takes_them(
    tmp_path: Path, groups: int, target: str, has_instance_norm: bool, capsys: pytest.CaptureFixture[str]
):
    """An InstanceNormalization between Reshapes fails in tpu-mlir in half precision, and in int8 does not."""
    given, made = tmp_path / "norm.onnx", tmp_path / "made.onnx"
    save(parser.parse_model(group_norm(groups)), str(given))
    assert run([str(given), "-O", f"--target={target}", "-o", str(made)]) == 0
    assert "is proved to compute what" in capsys.readouterr().err
    kinds = [node.op_type for node in load(str(made)).graph.node]
    assert ("InstanceNormalization" in kinds) == has_instance_norm
    assert ("LayerNormalization" in kinds) == (groups == 1 and not has_instance_norm)


WINDOWS = """<ir_version: 8, opset_import: ["": 17]>
net (float[1,8,4,6] x) => (float[6,4,8] y)
<int64[3] a = {1, 8, 24}, int64[6] b = {1, 2, 2, 3, 2, 8}, int64[3] c = {6, 4, 8}> {
  r = Relu (x) s = Reshape (r, a) t = Transpose <perm = [0, 2, 1]> (s) u = Softmax <axis = -1> (t)
  v = Reshape (u, b) w = Transpose <perm = [0, 1, 3, 2, 4, 5]> (v) y = Reshape (w, c)
}"""


@pytest.mark.parametrize(
    ("target", "moved"),
    [("rockchip-rk3588", [[0, 2, 1], [0, 1, 3, 2, 4, 5]]), ("onnx", [[1, 3, 2, 4, 0]])],
)
def test_windows_stay_apart_where_the_compiler_knows_them_so(tmp_path: Path, target: str, moved: list[list[int]]):
    """A transpose of rows and channels is no layer for the compiler of Rockchip."""
    given, made = tmp_path / "windows.onnx", tmp_path / "made.onnx"
    save(parser.parse_model(WINDOWS), str(given))
    assert run([str(given), "-O", f"--target={target}", "-o", str(made)]) == 0
    nodes = load(str(made)).graph.node
    assert [list(node.attribute[0].ints) for node in nodes if node.op_type == "Transpose"] == moved


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("layout-optimal", "npu-opt: error: target 'own.toml': 'optimize' has flags only, found 'layout-optimal'"),
        ("--layout-optimum", "npu-opt: error: argument --layout-optimum: no pass 'layout-optimum'"),
    ],
)
def test_a_target_with_wrong_flags_is_refused(model: Path, capsys: pytest.CaptureFixture[str], text: str, error: str):
    Path("own.toml").write_text(f'name = "own"\ndescription = "d"\nextends = "onnx"\noptimize = "{text}"\n')
    assert run([str(model), "-O", "--target=own.toml", "-o", "out.onnx"]) == 1
    assert error in capsys.readouterr().err


def test_every_hint_has_a_test():
    root = Path(npu_opt.__file__).parent
    folders = ("api", "bridges", "compat", "dialects", "equivalence", "interpreter", "layout", "passes", "targets")
    sources = [file for name in (*folders, "text", "tools") for file in (root / name).rglob("*.py")]
    counts = {file.relative_to(root).as_posix(): file.read_text().count("(run: {") for file in sources}
    assert {name: count for name, count in counts.items() if count} == HINTS


def test_a_copy_says_what_would_be_gained(model: Path):
    (line,) = errors_of(f"npu-opt '{model}' -o out.onnx").splitlines()[1:]
    assert line == ("out.onnx: note: with -O there would be 0 Transposes (run: npu-opt -O 'a model.onnx' -o out.onnx)")
    assert transposes("out.onnx") == 2
    errors_of(hint_of(line))
    assert transposes("out.onnx") == 0


def test_a_copy_with_nothing_to_gain_says_nothing_of_it(model: Path, capsys: pytest.CaptureFixture[str]):
    assert run([str(model), "-O", "-o", "out.onnx"]) == 0
    capsys.readouterr()
    assert run(["out.onnx", "-o", "again.onnx"]) == 0
    assert capsys.readouterr().err == "again.onnx: note: 0 Transposes in the file; 0 of 2 nodes changed\n"


def test_passes_for_another_target_hint_at_the_own_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 6, 6])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 6, 6])
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "w"], ["y"]),
    ]
    weights = helper.make_tensor("w", TensorProto.FLOAT, [8, 8, 1, 1], [0.5] * 64)
    graph = helper.make_graph(nodes, "g", [x], [y], [weights])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), "m.onnx")
    text = errors_of("npu-opt m.onnx --layout-preset strategy=naive --target opu -p canonicalize -o out.onnx")
    command = hint_of(text)
    assert command == "npu-opt -O --target=onnx m.onnx -o out.onnx"
    assert transposes("out.onnx") > 0
    errors_of(command)
    assert transposes("out.onnx") == 0


def test_weights_are_written_out_by_the_hint(model: Path):
    weights = helper.make_tensor("w", TensorProto.FLOAT, [3, 3, 20, 20], [0.5] * 3600)
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"])]
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, size, size])
        for name, size in (("x", 20), ("y", 1))
    )
    save(helper.make_model(helper.make_graph(nodes, "g", [x], [y], [weights])), "large.onnx")
    text = errors_of("npu-opt large.onnx")
    assert text.startswith("large.onnx: note: 1 constant is referenced but not written: ")
    assert errors_of(hint_of(text)) == ""


def test_constants_are_folded_by_the_hint(model: Path):
    Path("in.mlir").write_text(
        "func.func @main() -> tensor<3x2xf32> {\n"
        "  %c = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
        "  %t = npu.transpose %c permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
        "  return %t : tensor<3x2xf32>\n}\n"
    )
    text = errors_of("npu-opt in.mlir --canonicalize --fold-limit=5")
    command = hint_of(text)
    assert command == "npu-opt --fold-limit=24 in.mlir --canonicalize"
    assert errors_of(command) == ""


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--layout-preset", "npu-opt --layout-preset=default=NCHW in.mlir"),
        ("--layout-preset strategy=naive", "npu-opt '--layout-preset=strategy=naive default=NCHW' in.mlir"),
        ("-p layout-preset,cse", "npu-opt -p 'layout-preset{default=NCHW},cse' in.mlir"),
        (
            "--cse -p 'layout-optimal{cost=count},cse' --target opu",
            "npu-opt --cse -p 'layout-optimal{cost=\"count\" default=NCHW},cse' in.mlir --target opu",
        ),
        (
            "-O --target=litert",
            "npu-opt --target=litert --fold-weights --recognise-quantised --fold-norms --layout-optimal=default=NCHW"
            " --canonicalize --verify-layouts in.mlir",
        ),
    ],
)
def test_images_are_named_by_the_hint(model: Path, flags: str, expected: str):
    Path("in.mlir").write_text(
        "func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32> {\n"
        "  %c = npu.concat %x, %x axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>\n"
        "  return %c : tensor<1x16x4x6xf32>\n}\n"
    )
    text = errors_of(f"npu-opt in.mlir {flags}")
    assert "if the inputs are images, pass default=NCHW (run: " in text
    command = hint_of(next(line for line in text.splitlines() if "default=NCHW" in line))
    assert command == expected
    assert "default=NCHW (run" not in errors_of(command)
    assert "#npu.layout<N" in in_shell(command).stdout


@pytest.mark.skipif(litert().location is None, reason="the extra of the format is not installed")
def test_sizes_that_a_format_needs_are_fixed_by_the_hint(model: Path):
    x, y = (helper.make_tensor_value_info(*end) for end in (("x", 1, ["n", 3, "h"]), ("y", 1, None)))
    sizes = helper.make_tensor("s", TensorProto.INT64, [3], [2, 1, 1])
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Expand", ["a", "s"], ["y"])]
    save(helper.make_model(helper.make_graph(nodes, "g", [x], [y], [sizes])), "sizes.onnx")
    done = in_shell("npu-opt sizes.onnx -O -o sizes.tflite")
    assert (done.returncode, Path("sizes.tflite").exists()) == (1, False)
    command = hint_of(done.stderr.partition("these flags fix them")[2])
    assert command == "npu-opt --size=n=1 --size=h=64 sizes.onnx -O -o sizes.tflite"
    errors_of(command)
    assert Path("sizes.tflite").exists()


def test_nodes_are_folded_by_the_hint(model: Path):
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [3, 3]) for name in "xy")
    save(helper.make_model(helper.make_graph([helper.make_node("EyeLike", ["x"], ["y"])], "g", [x], [y])), "eye.onnx")
    text = errors_of("npu-opt --fold-limit=8 eye.onnx --weights inline")
    command = hint_of(text)
    assert command == "npu-opt --fold-limit=36 eye.onnx --weights inline"
    assert errors_of(command) == ""
    # Other commands have no such flag.
    assert "run:" not in errors_of("npu-check eye.onnx eye.onnx")


@pytest.mark.parametrize("flags", [[], ["--weights=none"], ["--weights=w.safetensors"]])
@pytest.mark.parametrize("ending", ["mlir", "onnx"])
def test_a_missing_folder_is_said_of_the_file_that_was_named(
    model: Path, capsys: pytest.CaptureFixture[str], ending: str, flags: list[str]
):
    assert run([str(model), *flags, "-o", f"none/out.{ending}"]) == 1
    assert capsys.readouterr().err == f"npu-opt: error: cannot write 'none/out.{ending}': No such file or directory\n"
    assert run([str(model), *flags, "-o", f"{model}/out.{ending}"]) == 1
    assert capsys.readouterr().err == f"npu-opt: error: cannot write '{model}/out.{ending}': Not a directory\n"


@pytest.mark.parametrize(
    ("layout", "doubt"),
    [
        ("NHCW", "NHCW is an unusual layout of images: did you mean NCHW or NHWC?"),
        ("x:NCWH", "NCWH is an unusual layout of images: did you mean NCHW or NHWC?"),
        ("NHWC", ""),
        ("CHWN", ""),
        ("x:HWNC", ""),
        ("free", ""),
    ],
)
def test_orders_that_are_likely_typos_are_asked_about(
    model: Path, capsys: pytest.CaptureFixture[str], layout: str, doubt: str
):
    assert run([str(model), f"--interface={layout}", "--layout-optimal", "-o", "out.mlir"]) == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"interface: warning: {doubt}" if doubt else "warning" not in first
    assert run([str(model), f'--layout-optimal=interface="{layout}"', "-o", "out.mlir"]) == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"layout-optimal: interface: warning: {doubt}" if doubt else "warning" not in first
