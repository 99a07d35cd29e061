"""The Python functions: figures, proofs, files, errors, and the script of docs/python.md."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from gc import collect
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, get_args, get_type_hints
from weakref import ref

import npu_opt
import numpy as np
import pytest
from npu_opt.api.optimizing import LAYOUT_PASSES, Strategy
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.text.printer import brief_text
from npu_opt.tools.opt import run as npu_opt_command
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper
from support.closeness import FEW_STEPS, assert_close
from support.generators.made_models import convolution
from support.source_tree import ROOT
from xdsl.transforms.canonicalize import CanonicalizePass

# By name: these packages are typed in part or not at all.
ONNX: Any = import_module("onnx")
ONNXRUNTIME: Any = import_module("onnxruntime")

Array: TypeAlias = NDArray[Any]

EXAMPLE = ROOT / "examples" / "two_branches.mlir"
RELU = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %y = npu.{} %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}}
"""


def network(kernel: Array | None = None) -> ModelProto:
    """A convolution of 4 KB of weights between a transpose and a softmax over the channels."""
    weights = np.random.default_rng(0).random((16, 8, 3, 3), np.float32) if kernel is None else kernel
    nodes = [
        helper.make_node("Transpose", ["x"], ["nchw"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["nchw", "kernel"], ["conv"], pads=[1, 1, 1, 1]),
        helper.make_node("Softmax", ["conv"], ["y"], axis=1),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [1, 6, 6, 8]), ("y", [1, 16, 6, 6]))
    ]
    graph = helper.make_graph(nodes, "small", ends[:1], ends[1:], [numpy_helper.from_array(weights, "kernel")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "model.onnx"
    ONNX.save(network(), str(file))
    return file


def outputs(model: ModelProto | Path) -> list[Array]:
    content = model.read_bytes() if isinstance(model, Path) else model.SerializeToString()
    session = ONNXRUNTIME.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": np.random.default_rng(1).random((1, 6, 6, 8), np.float32)})


# --- optimize


def test_the_minimum_is_proved(model: Path):
    result = npu_opt.optimize(model)
    assert (result.transposes, result.bytes, result.is_estimate) == (1, 2304, False)
    assert (result.bound, result.unit, result.proved) == (2304, "bytes", True)
    assert str(result) == "1 transpose, 2304 bytes: proved minimum"
    (transpose,) = result.inserted
    assert transpose.bytes == 2304
    assert transpose.reason.startswith("layout-optimal: ")


def test_figures_are_those_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "out.mlir"
    arguments = ["--layout-preset", "--canonicalize", "--stats=json", "--remarks", str(EXAMPLE), "-o", str(file)]
    assert npu_opt_command(arguments) == 0
    printed = capsys.readouterr().err
    result = npu_opt.optimize(EXAMPLE, strategy="regions-plus")
    assert f'"transposes": {result.transposes}, "bytes": {result.bytes}' in printed
    remarks = [f"{each.place}: remark: inserted transpose {each.text} by {each.reason}" for each in result.inserted]
    assert len(remarks) == 2
    assert [line for line in printed.splitlines() if "remark" in line] == remarks
    result.save(tmp_path / "ours.mlir")
    assert (tmp_path / "ours.mlir").read_text() == file.read_text()


@pytest.mark.parametrize("strategy", [name for name in LAYOUT_PASSES if name != "optimal"])
def test_other_strategies_have_no_bound(strategy: Strategy):
    result = npu_opt.optimize(EXAMPLE, strategy=strategy)
    assert (result.bound, result.unit, result.proved) == (None, None, False)
    assert npu_opt.check(EXAMPLE, result)


def test_strategies_are_those_of_the_passes():
    known = {"layout-optimal"}
    for pass_type in (LayoutPreset, LayoutPresetNpu):
        names = get_args(get_type_hints(pass_type)["strategy"])
        known |= {f"{pass_type.name}{{strategy={name}}}" for name in names}
    assert set(LAYOUT_PASSES.values()) == known
    assert set(LAYOUT_PASSES) == set(get_args(Strategy))


def test_a_pass_behind_the_minimum_may_undo_it():
    result = npu_opt.optimize(EXAMPLE, target="onnx", passes="layout-preset{target=opu}")
    assert (result.transposes, result.bound, result.unit, result.proved) == (2, 0, "transposes", False)


def test_passes_are_text_or_objects():
    texts = npu_opt.optimize(EXAMPLE, strategy=None, passes="layout-preset{strategy=naive},canonicalize")
    mixed = npu_opt.optimize(EXAMPLE, strategy="naive", passes=[CanonicalizePass()])
    assert str(texts.module) == str(mixed.module)
    assert npu_opt.optimize(EXAMPLE, strategy=None, passes=()).transposes == 0


def test_a_target_is_a_name_or_a_file(model: Path):
    named = npu_opt.optimize(model, target="onnx")
    assert (named.transposes, named.unit, named.bound, named.proved) == (1, "transposes", 1, True)
    assert named.inserted == ()
    file = npu_opt.optimize(model, target=npu_opt.targets.available()["onnx"])
    assert str(named.module) == str(file.module)


def test_packs_are_counted_as_conversions():
    result = npu_opt.optimize(EXAMPLE, target="daven")
    assert str(result) == "2 conversions, 3072 bytes: proved minimum"
    assert [each.bytes for each in result.inserted] == [1536, 1536]


def test_the_given_program_is_not_changed(model: Path):
    module = npu_opt.load(EXAMPLE).module
    proto = ONNX.load(str(model))
    before = str(module), proto.SerializeToString()
    assert npu_opt.optimize(module).transposes == 2
    assert npu_opt.optimize(proto).transposes == 1
    assert (str(module), proto.SerializeToString()) == before
    result = npu_opt.optimize(EXAMPLE, strategy="naive")
    text = str(result.module)
    again = npu_opt.optimize(result)
    assert again.transposes == 2
    assert str(result.module) == text


# --- models in memory


def test_a_model_in_memory_is_like_its_file(model: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    result = npu_opt.optimize(ONNX.load(str(model)))
    assert npu_opt.check(model, result)
    file = tmp_path / "elsewhere" / "out.mlir"
    result.save(file)
    assert npu_opt.check(file, model)
    assert sorted(path.name for path in file.parent.iterdir()) == ["out.mlir", "out.safetensors"]


def test_external_data_is_in_the_folder(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    ONNX.save(network(), str(folder / "model.onnx"), save_as_external_data=True, location="weights", size_threshold=0)
    proto = ONNX.load(str(folder / "model.onnx"), load_external_data=False)
    result = npu_opt.optimize(proto, folder=folder)
    assert npu_opt.check(folder / "model.onnx", result)
    assert_close(outputs(result.to_onnx())[0], outputs(network())[0], FEW_STEPS)
    with pytest.raises(npu_opt.NpuOptError, match=r"the data of 'kernel' is missing: there is no file 'weights'"):
        npu_opt.optimize(proto, folder=tmp_path)


def test_another_model_is_different(model: Path):
    kernel = np.ones((16, 8, 3, 3), np.float32)
    verdict = npu_opt.check(npu_opt.optimize(model), npu_opt.optimize(network(kernel)))
    assert verdict.word == "different"


# --- save


def test_a_saved_model_computes_the_same(model: Path, tmp_path: Path):
    result = npu_opt.optimize(model, target="onnx")
    result.save(tmp_path / "out.onnx")
    for found in (tmp_path / "out.onnx", result.to_onnx(), result.to_onnx(opset=22)):
        assert_close(outputs(found)[0], outputs(model)[0], FEW_STEPS)
    assert result.to_onnx(opset=22).opset_import[0].version == 22
    assert npu_opt.check(model, tmp_path / "out.onnx")


def test_weights_of_a_changed_model_are_kept_beside_old_ones(model: Path, tmp_path: Path):
    file = tmp_path / "out.mlir"
    npu_opt.optimize(model).save(file)
    ONNX.save(network(np.ones((16, 8, 3, 3), np.float32)), str(model))
    result = npu_opt.optimize(model)
    text = str(result.module)
    result.save(file)
    assert str(result.module) == text
    assert npu_opt.check(model, file)
    assert re.search(r'npu.reference<"out-[0-9a-f]{12}.safetensors"', file.read_text())


def test_other_formats(model: Path, tmp_path: Path):
    result = npu_opt.optimize(model)
    result.save(tmp_path / "graph.mmd")
    assert (tmp_path / "graph.mmd").read_text().startswith("flowchart TB")
    result.save(tmp_path / "tosa.mlir", format="tosa")
    assert "tosa.conv2d" in (tmp_path / "tosa.mlir").read_text()


def test_constants_in_files_stay_in_their_folder(model: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    npu_opt.optimize(model, strategy=None).save(tmp_path / "plain.mlir")
    result = npu_opt.optimize(tmp_path / "plain.mlir")
    with pytest.raises(npu_opt.NpuOptError, match=r"plain.safetensors', and MLIR files refer to constants in their"):
        result.save(tmp_path / "elsewhere" / "out.mlir")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    result.save(tmp_path / "out.mlir")
    result.save(tmp_path / "elsewhere" / "out.onnx")
    assert npu_opt.check(model, tmp_path / "out.mlir")
    assert npu_opt.check(model, tmp_path / "elsewhere" / "out.onnx")
    module = npu_opt.load(tmp_path / "plain.mlir").module
    assert npu_opt.check(model, npu_opt.load(module, folder=tmp_path))


def test_a_failed_save_leaves_the_old_file(tmp_path: Path):
    file = tmp_path / "out.onnx"
    file.write_text("old")
    stripped = npu_opt.optimize(ROOT / "benchmarks" / "models" / "alexnet.onnx", strategy="greedy")
    with pytest.raises(npu_opt.NpuOptError, match=r"the data of '.*' is missing in the imported model"):
        stripped.save(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


# --- check


def test_verdicts(tmp_path: Path):
    relu, tanh = (tmp_path / f"{name}.mlir" for name in ("relu", "tanh"))
    for file in (relu, tanh):
        file.write_text(RELU.format(file.stem))
    proved = npu_opt.check(relu, npu_opt.load(relu))
    assert proved
    assert (str(proved), proved.notes) == ("proved", ())
    numbers = npu_opt.check(relu, relu, numeric=True, trials=2)
    agree = "the results agree, up to 0 (tolerance 0.001)"
    assert numbers.notes == (f"note: @main was run on 2 random inputs (seeds 0 to 1): {agree}",)
    different = npu_opt.check(relu, tanh)
    assert not different
    assert different.word == "different"
    assert different.reason.startswith("@main: on the random input of seed 0, element ")
    assert different.notes[0].startswith(f"{relu}:2:8: note: the second program has nothing equal to: ")
    twice = RELU.format("relu").replace("%y = npu.relu %x", f"%z = {UNARY}\n  %y = npu.relu %z")
    (tmp_path / "twice.mlir").write_text(twice)
    undecided = npu_opt.check(relu, tmp_path / "twice.mlir")
    assert not undecided
    assert str(undecided) == "undecided: @main: result 0 is not computed in the same way"
    assert undecided.notes[-1] == f"note: @main was run on 1 random input (seed 0): {agree}"


UNARY = "npu.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>"


def test_a_result_is_not_judged_by_the_file_that_it_came_from(model: Path):
    """ONNX Runtime would run the given model instead of the result."""
    result = npu_opt.optimize(model)
    softmax = next(op for op in result.module.walk() if op.name == "npu.softmax")
    softmax.results[0].replace_all_uses_with(softmax.operands[0])
    verdict = npu_opt.check(model, result)
    assert verdict.word == "different", brief_text(softmax)


# --- explain


def test_a_module_has_the_weights_of_its_result(tmp_path: Path):
    """They are only in memory; those of another model of the same names are others."""
    one, other = network(), network(np.ones((16, 8, 3, 3), np.float32))
    module = npu_opt.optimize(one).module
    assert npu_opt.check(one, module).proved
    assert npu_opt.check(module, npu_opt.load(one).module).proved
    assert npu_opt.check(other, module).word == "different"
    npu_opt.optimize(module, target="onnx").save(tmp_path / "again.onnx")
    assert npu_opt.check(one, tmp_path / "again.onnx").proved


def test_the_weights_of_a_module_live_as_long_as_it():
    module = npu_opt.optimize(network()).module
    weak = ref(module)
    del module
    collect()
    assert weak() is None


def test_explain_is_why(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["--layout-optimal", "--why=%conv", str(model), "-o", str(tmp_path / "out.mlir")]
    assert npu_opt_command(arguments) == 0
    result = npu_opt.optimize(model)
    assert f"{npu_opt.explain(result, '%conv')}\n" == capsys.readouterr().err
    assert npu_opt.explain(result, "conv") == npu_opt.explain(result, "@main:conv") == npu_opt.explain(result, "%conv")


# --- errors

PLAIN = npu_opt.load(EXAMPLE)

ERRORS: dict[str, tuple[Callable[[], object], str]] = {
    "strategy": (
        lambda: npu_opt.optimize(PLAIN, strategy="best"),  # pyright: ignore[reportArgumentType]  # The error.
        "argument strategy: expected one of 'optimal', 'naive', 'regions', 'regions-plus', 'seed-plus', 'greedy', "
        "'record', None; found 'best'",
    ),
    "target": (
        lambda: npu_opt.optimize(PLAIN, target="opo"),
        "argument target: unknown target 'opo'; did you mean 'opu'? (pass a target of your own as the path of its "
        ".toml file)",
    ),
    "target file": (
        lambda: npu_opt.optimize(PLAIN, target="no.toml"),
        "argument target: no.toml: cannot read the target: No such file or directory",
    ),
    "passes": (
        lambda: npu_opt.optimize(PLAIN, passes="canonicalise"),
        "argument passes: no pass 'canonicalise' (did you mean 'canonicalize'?)",
    ),
    "passes that are none": (
        lambda: npu_opt.optimize(PLAIN, passes=3),  # pyright: ignore[reportArgumentType]  # The error.
        "argument passes: expected one of passes as text, such as 'canonicalize,cse', objects of ModulePass; found 3",
    ),
    "interface": (
        lambda: npu_opt.optimize(PLAIN, interface=["free"]),  # pyright: ignore[reportArgumentType]  # The error.
        "argument interface: expected a text, such as 'free' or 'x:NHWC'; found ['free']",
    ),
    "args": (
        lambda: npu_opt.load(PLAIN, args=(1,)),
        "argument args: expected none, unless a torch.nn.Module is exported; found 'tuple'",
    ),
    "kwargs": (
        lambda: npu_opt.check(PLAIN, PLAIN, kwargs={"x": 1}),
        "argument kwargs: expected none, unless a torch.nn.Module is exported; found 'dict'",
    ),
    "option of a pass": (
        lambda: npu_opt.optimize(PLAIN, strategy=None, passes="layout-optimal{assume=0}"),
        "argument passes: pass 'layout-optimal': option assume: expected a size of at least 1, found 0\n"
        "note: its options are: default: str|none = none; interface: str = keep; target: str = opu; "
        "cost: target|bytes|count|traffic|prices|guarded = target; assume: int = 64; time-limit: int = 60; "
        "recompute: bool = true",
    ),
    "model": (
        lambda: npu_opt.load(4),  # pyright: ignore[reportArgumentType]  # The error.
        "argument model: expected one of a path, an onnx.ModelProto, a torch.nn.Module, "
        "a torch.export.ExportedProgram, an xdsl ModuleOp, a Program, a Result; found 4",
    ),
    "file": (lambda: npu_opt.load("no.mlir"), "no.mlir: error: cannot read: No such file or directory"),
    "folder": (
        lambda: npu_opt.load(EXAMPLE, folder="."),
        "argument folder: expected no folder, as the files of this model are beside it",
    ),
    "trials": (
        lambda: npu_opt.check(PLAIN, PLAIN, trials=0),
        "argument trials: expected a number of at least 1; found 0",
    ),
    "value": (
        lambda: npu_opt.explain(npu_opt.optimize(PLAIN), "conf"),
        "argument value: the program has no value 'conf' (did you mean '%conv'?)",
    ),
    "no layout pass": (
        lambda: npu_opt.explain(npu_opt.optimize(PLAIN, strategy=None), "conv"),
        "argument result: expected the result of a layout pass, found one of other passes only",
    ),
    "format": (
        lambda: npu_opt.optimize(PLAIN).save("x.mlir", format="text"),  # pyright: ignore[reportArgumentType]  # The error.
        "argument format: expected one of 'mlir', 'onnx', 'litert', 'torch', 'tosa', 'mermaid', 'dot', 'svg', "
        "'model-explorer'; found 'text'",
    ),
    "ending": (
        lambda: npu_opt.optimize(PLAIN).save("x.txt"),
        "cannot write 'x.txt': no format has this ending; expected one of .dot, .mlir, .mmd, .onnx, .pt2, .svg, "
        ".tflite, or the argument format",
    ),
    "no folder": (
        lambda: npu_opt.optimize(PLAIN).save("no/x.mlir"),
        "cannot write 'no/x.mlir': No such file or directory",
    ),
    "opset": (lambda: npu_opt.optimize(PLAIN).to_onnx(opset=9), f"{EXAMPLE}: error: opset 9: expected 13 to 26"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_argument_and_its_values(name: str):
    call, message = ERRORS[name]
    with pytest.raises(npu_opt.NpuOptError) as error:
        call()
    assert str(error.value) == message
    assert isinstance(error.value, ValueError)


def test_an_error_in_a_file_has_its_place(tmp_path: Path):
    file = tmp_path / "bad.mlir"
    file.write_text(RELU.format("softmax"))
    with pytest.raises(npu_opt.NpuOptError, match=rf"^{re.escape(str(file))}:2:\d+: error: "):
        npu_opt.load(file)


def test_a_missing_extra_is_named(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    result = npu_opt.optimize(PLAIN)
    monkeypatch.setitem(sys.modules, "onnx", None)
    for call in (lambda: npu_opt.optimize(model), result.to_onnx, lambda: result.save(tmp_path / "x.onnx")):
        with pytest.raises(npu_opt.NpuOptError, match=r"pip install 'npu-opt\[onnx\]'"):
            call()


# --- the package


def run_python(code: str, folder: Path = ROOT) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_import_is_cheap(tmp_path: Path):
    code = "import sys; before = {*sys.modules}; import npu_opt; print(*{*sys.modules} - before)"
    loaded = {name.split(".")[0] for name in run_python(code, tmp_path).split()}
    assert loaded - sys.stdlib_module_names == {"npu_opt"}


def test_names_are_listed_and_defined(tmp_path: Path):
    public = [name for name in npu_opt.__all__ if not name.startswith("_")]
    code = "import npu_opt; print(*(name for name in dir(npu_opt) if not name.startswith('_')))"
    assert run_python(code, tmp_path).split() == sorted(public)
    for name in public:
        assert getattr(npu_opt, name).__doc__
    wrong = "optimise"
    with pytest.raises(AttributeError, match="module 'npu_opt' has no attribute 'optimise'"):
        getattr(npu_opt, wrong)


# --- docs/python.md

PAGE = ROOT / "docs" / "python.md"
SCRIPTS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_examples_of_the_page_run(model: Path):
    """They are one program, in the order of the page."""
    assert len(SCRIPTS[0].splitlines()) <= 10
    printed = run_python("\n".join(SCRIPTS), model.parent)
    assert printed.startswith("1 transpose, 2304 bytes: proved minimum\n")
    assert "layout-optimal: %conv is stored in NHWC instead of NCHW" in printed
    assert "proved\n" in printed
    assert f"opu {npu_opt.targets.load('opu').description}\n" in printed
    assert "argument target: unknown target 'opo'" in printed
    assert (model.parent / "placed.mlir").exists()
    assert (model.parent / "optimized.onnx").exists()


def test_the_page_describes_every_field():
    documented = set(re.findall(r"`\.(\w+)", PAGE.read_text()))
    for type_ in (npu_opt.InsertedTranspose, npu_opt.Verdict):
        assert {field.name for field in fields(type_)} <= documented
    internal = {"program", "choices", "groups"}
    assert {field.name for field in fields(npu_opt.Result)} - internal <= documented


def test_a_report_says_what_the_result_says(tmp_path: Path):
    result = npu_opt.optimize(EXAMPLE)
    result.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert f'["result","{result}"]' in text
    assert '["proof","proved: the program computes the same as before"]' in text
    with pytest.raises(npu_opt.NpuOptError, match=r"^cannot write '.*page\.html': Not a directory$"):
        result.report(tmp_path / "page.html" / "page.html")


def test_programs_of_linalg_are_placed():
    file = ROOT / "examples" / "xdsl" / "convolution.mlir"
    result = npu_opt.optimize(file)
    assert (result.transposes, result.proved, result.left_unchanged) == (0, True, ())
    assert "linalg.conv_2d_nchw_fchw" in str(result.module)
    assert npu_opt.explain(result, "%conv").startswith(
        "layout-optimal: %conv is stored in Tensor, [0, 3, 1, 2] instead"
    )
    assert npu_opt.check(file, result).word == "proved"


@pytest.mark.parametrize("target", [None, "opu"])
def test_files_that_are_checked_are_run_by_their_engine(
    target: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An engine reads a model in its own way and finds what npu-opt reads wrongly, as the interpreter does not."""
    file, sessions, session = tmp_path / "model.onnx", list[object](), ONNXRUNTIME.InferenceSession
    file.write_bytes(convolution().SerializeToString())

    def counted(*given: Any, **more: Any) -> Any:
        sessions.append(given)
        return session(*given, **more)

    monkeypatch.setattr(ONNXRUNTIME, "InferenceSession", counted)
    for model in (file, npu_opt.load(file)):
        assert npu_opt.check(model, file, numeric=True, target=target)
    assert len(sessions) == 4
