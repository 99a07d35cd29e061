"""A graph of each kind of op that LiteRT has a kernel for is read, placed, written with the same bits, and proved."""

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.bridges.litert.schema import schema
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.generators.lite_cases import LiteCase
from support.generators.lite_families import FAMILIES
from support.generators.lite_graph_cases import CASES
from support.generators.lite_graphs import LiteGraphs
from support.generators.lite_kept_families import KEPT_FAMILIES
from support.generators.lite_rare_cases import RARE_CASES
from support.ir_text import context
from support.oracles.lite_trials import LITERT
from support.oracles.litert_running import exported, interpreter
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

NO_KERNEL = {"CALL", "CONCAT_EMBEDDINGS", "DELEGATE", "PLACEHOLDER_FOR_GREATER_OP_CODES"} | {
    f"STABLEHLO_{name}"
    for name in (
        "ABS BROADCAST_IN_DIM CBRT CLAMP COMPARE CONCATENATE CONVERT CONVOLUTION COSINE CUSTOM_CALL DIVIDE DOT_GENERAL"
        " DYNAMIC_SLICE DYNAMIC_UPDATE_SLICE EXPONENTIAL FLOOR IOTA LOG LOGISTIC NEGATE OR POWER REDUCE REMAINDER"
        " RESHAPE RSQRT SELECT SLICE SORT SUBTRACT TANH TRANSPOSE WHILE"
    ).split()
}
"""The kinds that the format knows and no kernel computes; CUSTOM is a name of another vendor's."""
SEEDS = 40


def read(content: bytes, folder: Path) -> ModuleOp:
    (folder / "model.tflite").write_bytes(content)
    return import_model(folder / "model.tflite", inline_limit=None).module


def runnable(kind: str) -> tuple[LiteCase, list[Any]]:
    """The first random op of a kind that LiteRT runs, and its outputs."""
    for seed in range(SEEDS):
        case = FAMILIES[kind](Random(seed))
        outputs = LITERT.run(case.model(), case.inputs)
        if outputs is not None:
            found = case.with_results(outputs)
            expected = LITERT.run(found.model(), found.inputs)
            assert expected is not None
            return found, expected
    raise AssertionError(f"LiteRT runs none of {SEEDS} ops {kind}")


@pytest.mark.parametrize("kind", sorted({*FAMILIES, *KEPT_FAMILIES}))
def test_a_graph_of_each_kind(kind: str, tmp_path: Path):
    case, expected = runnable(kind)
    module = read(case.model(), tmp_path)
    placed = module.clone()
    with redirect_stderr(StringIO()):
        LayoutOptimal(target="litert").apply(context(), placed)
    CanonicalizePass().apply(context(), placed)
    written = exported(placed)
    found = LITERT.run(written, case.inputs)
    assert found is not None
    assert [each.tobytes() for each in found] == [each.tobytes() for each in expected]
    assert compare(module, read(written, tmp_path), by_formulas=True).verdict is Verdict.PROVED


def test_no_kind_is_missing():
    made = [build() for build in (*CASES.values(), *RARE_CASES.values())]
    numbers = {code.builtinCode for file in made for code in file.model.operatorCodes}
    in_graphs = {kind for kind, number in kinds_by_name().items() if number in numbers}
    assert {*RARE_CASES} <= in_graphs
    assert {*FAMILIES} | in_graphs | NO_KERNEL | {"CUSTOM"} == {*kinds_by_name()}
    assert not ({*FAMILIES} | in_graphs) & NO_KERNEL


@pytest.mark.parametrize("kind", sorted(NO_KERNEL))
def test_kinds_without_a_kernel(kind: str):
    file = LiteGraphs()
    graph = file.graph("main")
    x, result = graph.input("float32", [1, 4]), graph.tensor("float32", [1, 4])
    graph.returns(graph.op(kind, [x], [result]))
    with pytest.raises(ValueError, match=f"Didn't find op for builtin opcode '{kind}'"):
        interpreter.Interpreter(model_content=file.packed())


def kinds_by_name() -> dict[str, int]:
    known = cast("dict[str, int]", vars(schema().BuiltinOperator))
    return {name: number for name, number in known.items() if name.isupper()}
