"""The groups and regions on the page of `--report`: of a run, of a file with fused functions, and in Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from npu_opt.tools.opt import run as run_opt
from npu_opt.tools.report.drawings import drawings_of
from npu_opt.tools.report.main import run
from npu_opt.tools.report.records import FunctionRecord, records
from support.ir_text import parse
from support.report_page import data_of

PROGRAM = """
func.func @main(%x: tensor<1x8x4x6xf32>, %k: tensor<8x8x1x1xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x8x24xf32>) {
  %b = npu.constant dense<0.5> : tensor<1x8x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %bias = npu.add %conv, %b : (tensor<1x8x4x6xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %relu = npu.relu %bias : tensor<1x8x4x6xf32>
  %conv2 = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %sum = npu.add %conv2, %relu : tensor<1x8x4x6xf32>
  %rows = npu.reshape %sum : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %soft = npu.softmax %rows axis = 1 : tensor<1x8x24xf32>
  func.return %sum, %soft : tensor<1x8x4x6xf32>, tensor<1x8x24xf32>
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("groups")
    (folder / "in.mlir").write_text(PROGRAM)
    command = [str(folder / "in.mlir"), "--npu-default", "-o", str(folder / "fused.mlir")]
    assert run_opt([*command, "--report", str(folder / "page.html")]) == 0
    return folder


def last_program(page: Path) -> Mapping[str, Any]:
    return data_of(page.read_text())["programs"][-1]


def named(program: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next(op for op in program["ops"] if op["name"] == name)


def test_ops_have_the_groups_stages_and_regions_of_the_run(folder: Path):
    program = last_program(folder / "page.html")
    assert list(program["roots"]) == ["main"]
    relu, soft = named(program, "%relu"), named(program, "%soft")
    assert [relu[key] for key in ("group", "stage", "region", "cls")] == [
        *("group 0", "compare", "Feature region 1", "Feature"),
    ]
    assert "not with %conv2 conv2d: %conv2 conv2d runs on ipa, not reachable from compare" in relu["apart"]
    assert "group" not in soft
    assert soft["apart"] == ["in no group: no stage runs it"]


def test_lanes_have_the_figures_of_the_pass(folder: Path):
    program = last_program(folder / "page.html")
    (fusion,) = program["fusions"]
    kinds = [[program["ops"][op]["kind"] for op in group["ops"]] for group in fusion["groups"]]
    assert kinds == [["conv2d", "add", "relu"], ["conv2d", "add"]]
    assert [group["kept"] for group in fusion["groups"]] == [1536, 768]
    assert fusion["groups"][1]["began"] == "runs on ipa, not reachable from compare"
    assert fusion["stages"] == ["ipa", "add", "compare", "res_add"]
    assert fusion["lines"][2] == "bytes that stay on the chip: 2304"
    assert {reason for _, reason in fusion["outside"]} > {"no stage runs it"}


def edges_by_name(function: FunctionRecord) -> set[tuple[str, str]]:
    return {(function.ops[edge.source].name, function.ops[edge.target].name) for edge in function.edges}


def test_a_fused_function_is_drawn_in_place_of_its_call(folder: Path):
    (function,) = records(parse((folder / "fused.mlir").read_text()), None)
    assert {op.group for op in function.ops} == {"", "@fused_conv2d_add_relu", "@fused_conv2d_add"}
    edges = {("%x_1", "%conv"), ("%conv", "%bias"), ("%relu", "%conv2"), ("%relu", "%sum"), ("%sum", "%sum_1")}
    assert edges_by_name(function) >= edges
    (drawing, *_) = drawings_of(function, 0).drawings
    assert sorted(map(len, drawing.groups().values())) == [2, 3]


def test_a_file_says_its_groups(folder: Path, tmp_path: Path):
    page = tmp_path / "page.html"
    assert run([str(folder / "fused.mlir"), "-o", str(page), "--target=opu"]) == 0
    program = last_program(page)
    assert named(program, "%relu")["group"] == "@fused_conv2d_add_relu"
    # The function has a part of its region only.
    assert "region" not in named(program, "%relu")


def test_groups_may_be_numbers():
    body = "%y = npu.relu %x {npu.group = 3 : i64} : tensor<2xf32>\nfunc.return %y : tensor<2xf32>"
    (function,) = records(parse(f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{body}\n}}"), None)
    assert [op.group for op in function.ops] == ["", "group 3", ""]


CALLED_TWICE = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %z = func.call @f(%y) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {npu.primitive} {
  func.return %x : tensor<2xf32>
}
"""


def test_a_function_with_several_calls_is_drawn_once():
    main, function = records(parse(CALLED_TWICE), None)
    assert [op.kind for op in main.ops] == ["input", "func.call", "func.call", "output"]
    assert [op.kind for op in function.ops] == ["input", "output"]


def test_a_fused_function_may_return_what_it_gets():
    once = CALLED_TWICE.replace("  %z = func.call @f(%y) : (tensor<2xf32>) -> tensor<2xf32>\n", "").replace("%z", "%y")
    (main,) = records(parse(once), None)
    assert [op.kind for op in main.ops] == ["input", "output"]
    assert [(edge.source, edge.target) for edge in main.edges] == [(0, 1)]


def test_a_report_in_python_has_the_groups(folder: Path, tmp_path: Path):
    result = npu_opt.optimize(folder / "in.mlir", strategy=None, passes="npu-default")
    result.report(tmp_path / "page.html")
    program = last_program(tmp_path / "page.html")
    assert named(program, "%relu")["stage"] == "compare"
    assert len(program["fusions"]) == 1
