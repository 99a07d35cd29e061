"""LiteRT models of several graphs, with variables and constants of any kind: the same bits, placed and proved."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import lowered
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.bridges.litert.schema import schema
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run as opt
from support.generators.lite_graph_cases import (
    CASES,
    branches,
    custom,
    loop,
    one_channel_per_group,
    signatures,
    unsigned,
    variables,
)
from support.generators.lite_rare_cases import RARE_CASES
from support.ir_text import context
from support.oracles.litert_running import exported, interpreter
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.transforms.canonicalize import CanonicalizePass

ALL = {**CASES, **RARE_CASES}
RUNS = 3
"""The number of runs in a row, of which each has the state that the one before has left."""


def read(content: bytes, folder: Path, name: str = "model.tflite") -> ModuleOp:
    (folder / name).write_bytes(content)
    module = import_model(folder / name, inline_limit=None).module
    module.verify()
    return module


def placed(module: ModuleOp) -> ModuleOp:
    found = module.clone()
    LayoutOptimal(target="litert").apply(context(), found)
    CanonicalizePass().apply(context(), found)
    return found


def outputs(content: bytes) -> list[Any]:
    """The outputs of some runs on random inputs."""
    engine = interpreter.Interpreter(model_content=content, num_threads=1)
    engine.allocate_tensors()
    random, found = np.random.default_rng(0), list[Any]()
    for _ in range(RUNS):
        for end in engine.get_input_details():
            shape: tuple[int, ...] = tuple(end["shape"])
            is_float = end["dtype"] is np.float32
            numbers = random.standard_normal(shape) if is_float else random.integers(0, 2, shape)
            engine.set_tensor(end["index"], np.array(numbers, end["dtype"]))
        engine.invoke()
        found += [engine.get_tensor(end["index"]).copy().tolist() for end in engine.get_output_details()]
    return found


def moves_in(content: bytes, folder: Path) -> int:
    (folder / "written.tflite").write_bytes(content)
    operators = [op for graph in read_file(folder / "written.tflite").graphs for op in graph.operators]
    return sum(op.kind == "TRANSPOSE" for op in operators)


@pytest.mark.parametrize("name", ALL)
def test_a_model_is_placed_and_computes_the_same_bits(name: str, tmp_path: Path):
    content = ALL[name]().packed()
    module = read(content, tmp_path)
    again, better = exported(module), exported(placed(module))
    assert outputs(content) == outputs(again) == outputs(better)
    assert moves_in(again, tmp_path) == moves_in(content, tmp_path)
    assert moves_in(better, tmp_path) == (2 if name == "hybrid" else 0)
    for each in again, better:
        assert compare(module, read(each, tmp_path, "other.tflite"), by_formulas=True).verdict is Verdict.PROVED


def test_ops_of_ui8_leave_as_they_came(tmp_path: Path):
    """None of them is one of i8 between two more."""
    content = unsigned().packed()
    (tmp_path / "written.tflite").write_bytes(exported(placed(read(content, tmp_path))))
    found, expected = (read_file(tmp_path / f"{name}.tflite").graphs[0].operators for name in ("written", "model"))
    assert [each.kind for each in found] == [each.kind for each in expected]


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("kind", ["CONV_2D", "DEPTHWISE_CONV_2D"])
def test_convolutions_that_can_be_either_kind(kind: str, channels: int, tmp_path: Path):
    content = one_channel_per_group(kind, channels).packed()
    written = exported(placed(read(content, tmp_path)))
    assert outputs(written) == outputs(content)
    (tmp_path / "written.tflite").write_bytes(written)
    assert [each.kind for each in read_file(tmp_path / "written.tflite").graphs[0].operators] == [kind]


def test_functions_of_a_loop(tmp_path: Path):
    functions = [op for op in read(loop(grows=True).packed(), tmp_path).ops if isinstance(op, FuncOp)]
    names = [(each.sym_name.data, each.sym_visibility and each.sym_visibility.data) for each in functions]
    assert names == [("main", None), ("condition", "private"), ("body", "private")]
    assert str(functions[2].function_type).startswith("(tensor<i32>, tensor<?x3xf32>) -> ")
    assert "litert.cond = @condition, litert.body = @body" in str(functions[0])


def test_signatures_are_public_functions(tmp_path: Path):
    content = signatures().packed()
    module = read(content, tmp_path)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    assert [(each.sym_name.data, each.sym_visibility) for each in functions] == [("main", None), ("decode", None)]
    results: list[Any] = []
    for each in content, exported(placed(module)):
        engine = interpreter.Interpreter(model_content=each)
        assert [*engine.get_signature_list()] == ["encode", "decode"]
        results.append(engine.get_signature_runner("decode")(a=np.full((1, 600), 0.01, np.float32))["y0"])
    np.testing.assert_array_equal(*results)


def test_weights_that_two_graphs_share_are_written_once(tmp_path: Path):
    content = signatures().packed()
    assert len(exported(read(content, tmp_path))) < 0.6 * len(content)


def test_other_code_in_a_loop_is_no_proof(tmp_path: Path):
    first, second = (read(loop(factor=each).packed(), tmp_path, f"{each}.tflite") for each in (0.125, 0.25))
    assert compare(first, second, by_formulas=True).verdict is not Verdict.PROVED


def test_another_start_of_a_variable_is_no_proof(tmp_path: Path):
    first, other = variables(), variables()
    other.model.subgraphs[1].operators.pop()
    found = compare(read(first.packed(), tmp_path), read(other.packed(), tmp_path, "other.tflite"), by_formulas=True)
    assert found.verdict is not Verdict.PROVED


def test_options_of_other_vendors_stay(tmp_path: Path):
    content = custom().packed()
    written = schema().ModelT.InitFromPackedBuf(exported(read(content, tmp_path)), 0)
    (first, _) = written.subgraphs[0].operators
    assert written.operatorCodes[first.opcodeIndex].customCode == b"Their.Op"
    assert bytes(first.customOptions) == b"some\0bytes"


def test_the_dialect_as_text(tmp_path: Path):
    """A text of the functions is written as the same file."""
    module = read(branches().packed(), tmp_path)
    text, content = tmp_path / "ops.mlir", exported(module)
    text.write_text(str(lowered(module, tmp_path, None)))
    assert opt([str(text), "-o", str(tmp_path / "again.tflite")]) == 0
    assert (tmp_path / "again.tflite").read_bytes() == content


def test_commands_on_signatures(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given, made = tmp_path / "given.tflite", tmp_path / "made.tflite"
    given.write_bytes(signatures().packed())
    assert opt([str(given), "-O", "-o", str(made)]) == 0
    assert check([str(given), str(made), "--numeric"]) == 0
    assert "@decode was not run: LiteRT runs the first graph" in "".join(capsys.readouterr())


def test_graphs_that_cannot_be_run(tmp_path: Path):
    file = loop()
    file.model.subgraphs[0].operators[0].builtinOptions.bodySubgraphIndex = 3
    with pytest.raises(LiteRtError, match="WHILE runs graph 3 of 3, which it cannot"):
        read(file.packed(), tmp_path)
    file.model.subgraphs[0].operators[0].builtinOptions.bodySubgraphIndex = 0
    with pytest.raises(LiteRtError, match="WHILE runs graph 0 of 3, which it cannot"):
        read(file.packed(), tmp_path)
    file = branches()
    file.model.subgraphs[2].inputs.pop()
    with pytest.raises(LiteRtError, match="IF runs graph 2 with 2 operands, expected 1"):
        read(file.packed(), tmp_path)
    file.model.subgraphs = []
    with pytest.raises(LiteRtError, match="the model has no graphs"):
        read(file.packed(), tmp_path)
