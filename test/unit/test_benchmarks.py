"""The benchmarks run; what they measure is for people to read."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from shutil import copy
from types import ModuleType

import calibrate_compilers
import decode
import litert_kernels
import numpy as np
import ort_kernels
import ort_nchwc_kernels
import pytest
from calibrate import BYTES, FORMS, Form, fitted, fitted_difference, with_costs
from npu_opt.bridges.onnx.nchwc import size_of_runtime
from npu_opt.targets import load
from npu_opt.targets.conditions import parse_condition
from npu_opt.targets.facts import TransposeFacts
from npu_opt.targets.prices import Price, PriceTerm
from onnx import parser, shape_inference
from onnx_file_rows import Checks, Row
from onnx_files_page import problems
from onnx_speed import Ratio
from onnx_transposes import Moved, moved
from support.closeness import DOUBLE, Room, are_close
from support.ir_text import parse
from support.source_tree import ROOT
from target_kernels import ROWS
from xdsl.dialects.builtin import f32

BENCHMARKS = ROOT / "benchmarks"
PROGRAMS = ("network", "coloured-network", "chain", "fan")


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", BENCHMARKS / script, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_verify_and_are_about_as_long_as_asked(program: str):
    module = parse(run("programs.py", program, "--ops", "300"))
    module.verify()
    assert 300 <= sum(1 for _ in module.walk()) < 340


def test_every_pass_is_measured_on_every_program():
    rows = json.loads(run("passes.py", "--quick", "--json"))
    steps = {name: [row["step"] for row in rows if row["program"] == name] for name in PROGRAMS}
    assert sum(map(len, steps.values())) == len(rows)
    for found in steps.values():
        assert found == steps["network"]
        assert {"plain xDSL", "layout-transmit", "canonicalize after layout-transmit"} <= set(found)
    for row in rows:
        assert len(row["ops"]) == len(row["seconds"]) == len(row["shares"]) == 2
        assert all(seconds > 0 for seconds in row["seconds"])
        assert (row["shares"] == [1, 1]) == (row["step"] == "plain xDSL")


def test_the_table_has_a_line_for_each_pass():
    lines = run("passes.py", "--quick", "--programs", "chain").splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    assert table[0] == ["program", "pass", "20 ops", "60 ops", "time of 60", "exponent"]
    assert {row[0] for row in table[2:]} == {"chain"}
    assert {len(row) for row in table} == {len(table[0])}


def test_the_minimum_is_timed_beside_the_parser():
    tables = run("optimal.py", "--quick").split("| program |")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for each in tables for line in each.splitlines()[2:]]
    rows = [row for row in rows if row]
    assert {row[-1] for row in rows} == {"yes"}
    assert [row[0] for row in rows if row[0] in PROGRAMS] == [*PROGRAMS]


def test_quality_is_measured_against_the_minimum(tmp_path: Path):
    """No strategy ends below the minimum, which for PoolFormer is the transpose of its input."""
    figures, page = tmp_path / "quality.json", tmp_path / "quality.md"
    tables = ("strategies", "strategies, free matmul", "rules")
    page.write_text("".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in tables))
    run("quality.py", "--without-runtime", "--json", str(figures), "--page", str(page), "poolformer_s12", "vgg16")
    rows = {row["model"]: row for row in json.loads(figures.read_text())}
    for row in rows.values():
        for each in (row, row["free"]):
            for left in each["left"].values():
                assert left["is_proved"]
                assert left["bytes"] >= each["bound"]["bytes"] == each["left"]["optimal (bytes)"]["bytes"]
                assert left["transposes"] >= each["bound"]["transposes"]
                assert left["transposes"] == sum(left["rules"].values())
            assert each["bound"]["is_reached"]
            assert each["norms"]["transposes"] == 1
    assert rows["poolformer_s12"]["bound"]["transposes"] == 1
    assert rows["poolformer_s12"]["left"]["regions-plus"]["transposes"] > 20
    text = page.read_text()
    assert text.count("ONNX Runtime was left out of this run.") == 2
    assert text.count("| poolformer_s12 |") == 2
    assert re.search(r"^\| naive \| 2 \| 50 \| 15\.9 MiB \| .*wrapped 2", text, re.MULTILINE)


def test_quality_is_measured_beside_onnx_runtime():
    pytest.importorskip("onnxruntime_extensions", reason="it is not installed: pip install -e '.[benchmarks]'")
    head, _, row, *_ = (line.strip("| ").split(" | ") for line in run("quality.py", "alexnet").splitlines())
    left = dict(zip(head, row, strict=True))
    assert left["ONNX Runtime"] == left["naive"] == "2 (0.6 MiB)"
    assert left["optimal (count)"] == "1 (0.6 MiB)"


def test_reported_transforms_are_beside_the_minimum():
    assert run("smartmem.py", "resnet50").splitlines()[2:] == ["| resnet50 | ResNet50 | 3 |  | 122 | 0 | 1 | 1 |"]


def test_free_interfaces_are_compared(tmp_path: Path):
    page = tmp_path / "quality.md"
    page.write_text("<!-- interfaces -->\n<!-- end of interfaces -->\n")
    models = (str(ROOT / "benchmarks" / "models" / f"{name}.onnx") for name in ("unet", "espcn"))
    run("interfaces.py", "--page", str(page), *models)
    rows = page.read_text().splitlines()
    assert "| unet | 2 (327680 bytes) | 0 (0 bytes) | 0 (0 bytes) | 0 (0 bytes) |" in rows
    assert "Nothing is saved in espcn." in rows


def test_strategies_are_compared_on_targets_with_blocks(tmp_path: Path):
    page = tmp_path / "quality.md"
    page.write_text("<!-- blocks -->\n<!-- end of blocks -->\n")
    run("blocks.py", "--page", str(page), str(ROOT / "benchmarks" / "models" / "espcn.onnx"))
    row = "| 6 (3.7 MB) | 2 (0.5 MB) | 2 (0.5 MB) | 6 (3.7 MB) | 2 (0.5 MB) | 2 (0.5 MB) |"
    rows = page.read_text().splitlines()
    assert f"| espcn {row}" in rows
    assert f"| all {row}" in rows
    assert rows[-3] == "All strategies leave the same in none."


def test_costs_of_a_target_are_minimised():
    row = run("target_costs.py", "--runs", "1", str(ROOT / "benchmarks" / "models" / "espcn.onnx")).splitlines()[-1]
    assert re.fullmatch(r"\| espcn \| 0 \| 0 \| proved \| [0-9.]+ \| 0 \| 0 \| proved \| [0-9.]+ \|", row)


def test_reorders_are_compared():
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    from npu_opt.bridges.onnx.nchwc import size_of_runtime

    if size_of_runtime() != 16:
        pytest.skip("ONNX Runtime has blocks of another size on this machine")
    assert re.fullmatch(
        r"\| espcn \| 3, 3 \| 1, 1 \| 0.26, 0.26 \| [0-9.]+ \|", run("ort_nchwc.py", "espcn").splitlines()[-1]
    )


def test_both_ways_from_onnx_to_onnx_are_timed():
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    *table, _, mean = run("onnx_to_onnx.py", "--quick").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert [row[0] for row in rows[2:]] == ["espcn", "squeezenet"]
    assert all(float(cell) > 0 for row in rows[2:] for cell in row[1:])
    assert re.fullmatch(r"Geometric mean of 2: [0-9.]+\.", mean)


TARGET = """
name = "measured"
description = "An engine"
matmul = "free"
[preferred]
feature = ["NCW", "NCHW", "NCDHW"]
weight = ["OIW", "OIHW", "OIDHW"]
"""


def test_measured_costs_of_litert_are_those_of_a_target(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    file = tmp_path / "measured.toml"
    file.write_text(TARGET + run("litert_kernels.py", "--quick"))
    costs = load(file).costs
    assert costs is not None
    assert [each.when and each.when.text for each in costs.transposes] == ["keeps the last axis", "swaps blocks", None]


@pytest.mark.parametrize("script", [litert_kernels, ort_kernels])
def test_measured_tables_of_a_target_are_its_end(script: ModuleType):
    old = script.TARGET.read_text()
    assert with_costs(old, script.BEGIN, old.partition(script.BEGIN)[2]) == old
    assert with_costs(old, script.BEGIN, "[costs]\n").endswith(f"\n\n{script.BEGIN}[costs]\n")


def test_measured_costs_of_onnx_runtime_are_those_of_a_target(tmp_path: Path):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    file = tmp_path / "measured.toml"
    file.write_text(TARGET + run("ort_kernels.py", "--quick"))
    costs = load(file).costs
    assert costs is not None
    assert [each.when and each.when.text for each in costs.transposes] == ["keeps the last axis", "swaps blocks", None]
    assert {term.quantity for each in costs.products for term in each.price.terms} == {"bytes", "multiplications"}


def test_prices_of_the_target_for_onnx_are_those_that_are_measured():
    target = load("onnx")
    costs = target.with_prices.costs
    assert target.cost == "count"
    assert target.costs is None
    assert costs is not None
    forms = dict.fromkeys(each.when for each in ort_kernels.BY_RUNS) | dict.fromkeys(each.when for each in FORMS)
    assert [each.when.text if each.when else "" for each in costs.transposes] == [*forms]
    limits = [each.when.text.rpartition(" ")[2] for each in costs.products[1:] if each.when is not None]
    assert limits == [*map(str, ROWS)]
    measured = {f"npu.{name}" for name in (*ort_kernels.OPS, "gather_elements")}
    assert {"npu.softmax", "npu.cumsum", "npu.gather_elements"} <= set(costs.axes) <= measured


@pytest.mark.parametrize(
    ("name", "unit"), [("rockchip-rk3576", "layers"), ("rockchip-rk3588", "layers"), ("sophgo-bm1684x", "cycles")]
)
def test_other_hardware_has_no_prices_of_onnx_runtime(name: str, unit: str):
    costs = load(name).with_prices.costs
    assert costs is not None
    assert costs.unit == unit
    assert load(name).cost == "count"


def test_prices_of_a_chip_are_those_of_the_forms_that_are_measured():
    costs = load("sophgo-bm1684x").with_prices.costs
    assert costs is not None
    measured = dict.fromkeys(form.when for form in calibrate_compilers.FORMS)
    # A fact of products comes before what their keys would cost elsewhere.
    keys = "permutation == [0, 2, 1] and dim 2 >= 32"
    found = [each.when.text if each.when else "" for each in costs.transposes]
    assert [when for when in found if when != keys] == [*measured]
    assert found.index(keys) < found.index("permutation == [0, 2, 1]")


def test_onnx_runtime_has_its_prices_with_ops_of_its_own():
    assert load("onnxruntime").with_prices.costs == load("onnx").with_prices.costs


def test_measured_prices_of_blocks_are_those_of_a_target(tmp_path: Path):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    if (size := size_of_runtime()) is None:
        pytest.skip("ONNX Runtime has no blocks on this machine")
    shipped = ROOT / "targets" / f"{ort_nchwc_kernels.TARGETS[size]}.toml"
    text, file = shipped.read_text(), tmp_path / shipped.name
    lines = run("ort_nchwc_kernels.py", "--quick").splitlines()
    costs = "\n".join(line for line in lines if not line.endswith(" more."))
    numbers = {choice.name: -1.0 for choice in ort_nchwc_kernels.CHOICES} | {"upsample": 0.25}
    file.write_text(ort_nchwc_kernels.with_prices(text, costs, numbers))
    target, known = load(file), load(shipped.stem)
    assert target.costs is not None
    assert known.costs is not None
    assert len(target.costs.transposes) == len(known.costs.transposes)
    (rule,) = target.demands["npu.upsample"]
    assert [choice.price for choice in rule.choices] == [None, Price((PriceTerm(250_000_000, "bytes", "result"),))]
    # What takes longer than the form that has the price makes that free.
    assert file.read_text().count('NCHW = "0 x bytes of ') == 8


@pytest.mark.parametrize(("engine", "package"), [("numpy", "numpy"), ("jit", "torch_mlir"), ("onnxruntime",) * 2])
def test_measured_costs_are_those_of_a_target(engine: str, package: str, tmp_path: Path):
    pytest.importorskip(package, reason=f"{package} is not installed: pip install -e '.[dev,mlir]'")
    file = tmp_path / "measured.toml"
    file.write_text(TARGET + run("calibrate.py", "--quick", "--engine", engine))
    costs = load(file).costs
    assert costs is not None
    assert [each.when and each.when.text for each in costs.transposes] == ["keeps the last axis", "swaps blocks", None]
    assert set(costs.matmul) == {"lhs", "rhs"}


def test_prices_are_fitted_by_their_relative_errors():
    exact = fitted([100, 1000, 10000], [250, 700, 5200])
    assert are_close((exact.per_byte, exact.per_call), (0.5, 200), Room("a fit of least squares in f64", 1e-6))
    assert max(exact.errors) < 1e-9
    # A negative part does not occur: the other one is fitted by itself.
    assert fitted([100, 200], [10, 30]).per_call == 0
    assert fitted_difference([100, 200], [-10, -30]).per_byte == 0


@pytest.mark.parametrize(
    ("forms", "form", "size"),
    [
        *((FORMS, form, size) for form, size in product(FORMS, BYTES)),
        *((calibrate_compilers.FORMS, *each) for each in product(calibrate_compilers.FORMS, calibrate_compilers.BYTES)),
    ],
)
def test_measured_transposes_are_of_their_form(forms: Sequence[Form], form: Form, size: int):
    facts = TransposeFacts.of(f32, form.shape(size), form.permutation, size)
    assert size / 2 < 4 * np.prod(form.shape(size)) < 2 * size
    holds = [each.when for each in forms if each.when and parse_condition(each.when, None).holds(facts)]
    assert (holds or [""])[0] == form.when


TRANSPOSES = """
<ir_version: 8, opset_import: ["": 17]>
net (float[2,3,1] x, bool[1] b) => (float[3,2,1] y, float[2,1,3] z, float[3,2] u, float[3,2] v)
  <float[2,3] w = {1, 2, 3, 4, 5, 6}>
{
  y = Transpose <perm = [1, 0, 2]> (x)
  z = Transpose <perm = [0, 2, 1]> (x)
  u = Transpose (w)
  f = Squeeze (b)
  v = If (f) <
    then_branch = chosen () => (float[3,2] t) { a = Squeeze (y) t = Identity (a) },
    else_branch = other () => (float[3,2] e) { c = Squeeze (x) e = Transpose (c) }>
}
"""


@pytest.mark.parametrize(("is_chosen", "size"), [(True, 24), (False, 48)])
def test_transposes_are_counted_that_move_data_of_the_inputs(is_chosen: bool, size: int, tmp_path: Path):
    """The second one moves an axis of one element, the third a weight; the last is in a branch, which may not run."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    file = tmp_path / "model.onnx"
    file.write_bytes(parser.parse_model(TRANSPOSES).SerializeToString())
    inputs = {"x": np.zeros((2, 3, 1), np.float32), "b": np.array([is_chosen])}
    assert moved(file, inputs) == (2, size, 1)
    assert list(tmp_path.iterdir()) == [file]


def test_files_of_models_are_measured_beside_those_of_other_optimizers(tmp_path: Path):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    figures, page = tmp_path / "files.json", tmp_path / "page.md"
    page.write_text("before\n<!-- onnx files -->\n<!-- end of onnx files -->\nbehind\n")
    run("onnx_files.py", "--quick", "--no-peers", "--json", str(figures), "--page", str(page))
    (row,) = json.loads(figures.read_text())
    assert row["printed"] == row["ours"][0] == row["came"][0] == 1
    assert row["checks"] == {"error": 0, "verdict": "proved", "invalid": ""}
    assert row["speed"][0] > 0
    text = page.read_text()
    assert "the file as it came has more Transposes than ours on 0, and fewer on none." in " ".join(text.split())
    assert text.startswith("before\n<!-- onnx files -->\n\n| model |")


def test_a_worse_file_is_a_problem():
    row = Row("net", came=Moved(1, 8), printed=1, ours=Moved(2, 8), checks=Checks(0.1, "different", "no"))
    assert list(problems(row, with_speed=True)) == [
        "1 Transposes printed, 2 found",
        "more Transposes than came: 2 and 1",
        "outputs differ by 0.1",
        "npu-check says that it is different",
        "invalid: no",
    ]
    row = Row("net", speed=Ratio(0.9794, 0.97, 0.99))
    assert list(problems(row, with_speed=True)) == ["0.979 of the speed"]
    assert list(problems(row, with_speed=False)) == []


def test_decode_step_is_a_model_with_caches():
    model = decode.decode_step(8)
    model = shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    shapes = {each.name: [dim.dim_value for dim in each.type.tensor_type.shape.dim] for each in model.graph.output}
    assert shapes["keys_1_after"] == shapes["values_0_after"] == [1, 8, 9, 64]


def test_ranks_of_equal_numbers_are_shared():
    cases = (([1, 2, 3], [10, 20, 30], 1), ([1, 2, 3], [3, 2, 1], -1), ([0, 0, 1], [5, 6, 7], 0.75**0.5))
    for one, other, expected in cases:
        assert are_close(decode.rank_correlation(one, other), expected, DOUBLE)


def test_growth_of_assigned_problems_is_measured(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("<!-- assign -->\n<!-- end of assign -->\n")
    lines = run("assign.py", "--json", "--most", "1000", "--page", str(page), "online softmax", "network").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(row["kind"], row["tensors"]) for row in rows] == [("online softmax", 828), ("network", 1000)]
    assert [row["gap"] for row in rows] == [None, None]
    assert "| network | 1,000 | 8 | 1.0 | proved minimum |" in page.read_text()


def test_certificates_of_a_network_are_accepted(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("<!-- certificates -->\n<!-- end of certificates -->\n")
    row = run("certificates.py", "--page", str(page), str(BENCHMARKS / "models" / "espcn.onnx")).splitlines()[-1]
    assert row.startswith("| espcn | 8 | 0 | ")
    assert "Accepted: 3; undecided, since the time limit ended the search: 0; refused: 0." in page.read_text()


def test_certificates_of_a_suite_are_accepted(tmp_path: Path):
    """Of each cost, and with -O, as it is in the file that is written."""
    for name in ("two_branches.mlir", "two_branches_placed.mlir"):
        copy(ROOT / "examples" / name, tmp_path)
    rows = run("certificates.py", "--suite", str(tmp_path), "--target", "opu").splitlines()
    assert rows[0] == "| cost | files | proved | accepted | undecided | refused | largest |"
    counts = {row.split(" | ")[0].removeprefix("| "): row.split(" | ")[1:6] for row in rows[2:]}
    assert counts == {cost: ["2", "2", "2", "0", "0"] for cost in ("bytes", "count", "prices", "traffic", "-O")}
