"""`--report` and npu-report: what the page contains, and how the tools complain."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from npu_opt.text.diagnostics import ReportedError
from npu_opt.tools.opt import run as run_opt
from npu_opt.tools.report.coordinates import drawn, graphviz
from npu_opt.tools.report.differences import differences
from npu_opt.tools.report.drawings import Drawing, drawings_of
from npu_opt.tools.report.facts import ReportFacts
from npu_opt.tools.report.main import run
from npu_opt.tools.report.page import NamedProgram, page_text
from npu_opt.tools.report.records import EdgeRecord, FunctionRecord, OpRecord, records
from npu_opt.tools.report.scopes import MOST_ITEMS, scopes_of
from npu_opt.tools.report.through_views import MOST_VIEWS, through_views
from support.generators.made_models import save, with_weights
from support.generators.programs import random_program
from support.ir_text import parse
from support.report_page import data_of
from support.source_tree import ROOT

EXAMPLE = str(ROOT / "examples/two_branches.mlir")
HARMFUL = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = npu.relu %x : tensor<2xf32> loc("</script><script>alert(1)</script><!--SCRIPT-->")
  func.return %y : tensor<2xf32>
}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("report") / "page.html"
    assert run_opt([EXAMPLE, "--layout-optimal", "--canonicalize", "--report", str(file), "-o", "-"]) == 0
    return file.read_text()


def test_a_page_needs_no_other_file_and_no_network(page: str):
    assert not re.search(r"\b(src|href)=|@import|url\((?!#)", page)
    assert set(re.findall(r"https?://[^\"' ]*", page)) == {"http://www.w3.org/2000/svg"}


def test_figures_at_the_head(page: str):
    data = data_of(page)
    facts = dict(data["facts"])
    # The example has no layouts, so its cost says nothing of what the target demands.
    demands = "; the input program is not in the layouts that the target demands"
    assert facts["minimum"] == f"proved minimum of bytes{demands}"
    assert [(row["transposes"], row["bytes"]) for row in data["passes"]] == [(0, 0), (2, 1536), (2, 1536)]
    assert facts["proof"] == "proved: the program computes the same as before"
    assert facts["command"].startswith("npu-opt ")


def test_the_head_counts_what_the_written_model_has(tmp_path: Path):
    text = """<ir_version: 8, opset_import: ["": 17]> main (float[2,3,4,5] x) => (float[2,3,4,5] y) {
      t = Transpose <perm = [0, 2, 3, 1]> (x) r = Relu (t) s = Transpose <perm = [0, 3, 1, 2]> (r)
      e = Softmax (s) y = Exp (e)
    }"""
    model, file = save(text, tmp_path), tmp_path / "page.html"
    assert run_opt([str(model), "-O", "--report", str(file), "-o", str(tmp_path / "written.onnx")]) == 0
    facts = dict(data_of(file.read_text())["facts"])
    assert facts["written model"] == "0 transposes, 4 of 5 nodes changed"


def test_transposes_have_their_reasons(page: str):
    before, after = data_of(page)["programs"]
    assert not any("move" in op for op in before["ops"])
    moves = [op for op in after["ops"] if "move" in op]
    assert sum(op["bytes"] for op in moves) == 1536
    assert all(any(note.startswith("layout-optimal: ") for note in op["notes"]) for op in moves)


def test_text_of_a_program_cannot_leave_its_place():
    page = page_text(ReportFacts("<b>&"), [NamedProgram("</script>", parse(HARMFUL), None)])
    assert page.count("</script>") == 2
    assert "<title>&lt;b&gt;&amp;</title>" in page
    assert data_of(page)["programs"][0]["name"] == "</script>"


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_are_drawn_as_a_whole(seed: int):
    module = random_program(seed, 30, coloured=seed % 2 == 0)
    for function in records(module, None):
        found = drawings_of(function, 0)
        shown = [drawing for drawing in found.drawings if drawing is not near_drawing(found)]
        drawn_ops = [node.ref for drawing in shown for node in ops_in(drawing)]
        views = {view for drawing in shown for edge in drawing.edges for view in edge.views}
        assert sorted([*drawn_ops, *views]) == list(range(len(function.ops)))
        for view in views:
            assert function.ops[view].is_view
            assert any(view in edge.views for edge in found.drawings[found.drawing_of[view]].edges)
        for drawing, layout in zip(found.drawings, drawn(found.drawings), strict=True):
            assert all(
                0 <= edge.source < len(drawing.nodes) and 0 <= edge.target < len(drawing.nodes)
                for edge in drawing.edges
            )
            for x, y, width, height in layout.nodes:
                assert width / 2 - 2 <= x <= layout.width - width / 2 + 2
                assert height / 2 - 2 <= y <= layout.height - height / 2 + 2
            assert all(curve.path for curve in layout.edges)


def near_drawing(found: Any) -> Drawing | None:
    return None if found.near is None else found.drawings[found.near]


def ops_in(drawing: Drawing) -> list[Any]:
    return [node for node in drawing.nodes if node.kind == "op"]


def op(model_name: str, kind: str = "relu", type_: str = "2xf32") -> OpRecord:
    return OpRecord(kind, "%x", model_name, "", type_, "plain")


def test_scopes_are_those_of_the_model():
    names = [f"/encoder/block.{block}/attn/op{index}" for block in range(2) for index in range(6)]
    root = scopes_of("@main", [op("", "input"), *map(op, names), op("/head/op")])
    assert root.items[0] == 0
    (encoder,) = root.scopes()
    assert [scope.name for scope in encoder.scopes()] == ["block.0/attn", "block.1/attn"]
    assert [list(scope.ops()) for scope in encoder.scopes()] == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
    # One op is no scope of its own.
    assert root.items[-1] == 13


def test_a_scope_around_everything_is_open():
    ops = [
        op("", "input"),
        *(op(f"/model/net/{part}/op{index}") for part in "ab" for index in range(6)),
        op("", "output"),
    ]
    assert [scope.name for scope in scopes_of("@main", ops).scopes()] == ["a", "b"]
    # An op outside has its place beside the scope.
    assert [scope.name for scope in scopes_of("@main", [op("/op"), *ops]).scopes()] == ["model/net"]


def test_long_scopes_are_cut_into_parts():
    root = scopes_of("@main", [op("")] * (MOST_ITEMS * MOST_ITEMS + 1))
    assert list(root.ops()) == list(range(MOST_ITEMS * MOST_ITEMS + 1))
    waiting = [root]
    for scope in waiting:
        assert len(scope.items) <= MOST_ITEMS
        waiting += scope.scopes()


def test_differences_are_matched_by_the_names_of_the_model():
    before = [op("/a"), op("/b"), op("/c", "transpose")]
    after = [op("/a"), op("/b", type_="2xf32 NC"), op("/b", "transpose")]
    found = [(each.change, each.before, each.after) for each in differences(before, after)]
    assert found == [("changed", 1, 1), ("added", None, 2), ("removed", 2, None)]


def test_the_class_of_a_tensor_is_no_difference():
    before, after = (
        [op("/a", type_="2xf32"), op("/b", type_="2xf32")],
        [op("/a", type_="2xf32 Tensor"), op("/b", type_="2xf32 NC")],
    )
    assert [each.after for each in differences(before, after)] == [1]


def test_edges_into_other_scopes_end_at_a_node_for_the_outside():
    places = [f'loc("/{scope}/op{index}")' for scope in "ab" for index in range(5)]
    lines = [f"%{at + 1} = npu.relu %{at} : tensor<2xf32> {place}" for at, place in enumerate(places)]
    body = "\n".join([*lines, "func.return %10 : tensor<2xf32>"])
    (function,) = records(parse(f"func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {{{body}}}"), None)
    root, first, second = drawings_of(function, 0).drawings
    assert [node.lines[0] for node in root.nodes] == ["input", "a", "b", "output"]
    assert sorted((edge.source, edge.target) for edge in root.edges) == [(0, 1), (1, 2), (2, 3)]
    outside = [[node.lines[0] for node in drawing.nodes if node.kind == "outside"] for drawing in (first, second)]
    assert outside == [["input", "b"], ["output", "a"]]


def test_a_report_of_two_programs(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file, placed = tmp_path / "page.html", tmp_path / "placed.mlir"
    assert run_opt([EXAMPLE, "--layout-preset", "-o", str(placed)]) == 0
    assert run([EXAMPLE, str(placed), "-o", str(file), "--target", "opu"]) == 0
    assert capfd.readouterr() == ("", "")
    data = data_of(file.read_text())
    assert [program["name"] for program in data["programs"]] == [EXAMPLE, str(placed)]
    assert dict(data["facts"])["proof"].startswith("proved: ")
    assert {each["change"] for each in data["differences"]} == {"added", "changed"}


def test_a_report_of_one_program(tmp_path: Path):
    file = tmp_path / "page.html"
    assert run([EXAMPLE, "-o", str(file)]) == 0
    assert data_of(file.read_text())["differences"] == []


def test_nothing_is_written_without_graphviz(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_path", str)
    file = tmp_path / "page.html"
    assert run_opt([EXAMPLE, "--report", str(file)]) == 1
    message = "a report needs Graphviz for its graph: pip install 'npu-opt[report]', or put the program dot on PATH\n"
    assert capfd.readouterr() == ("", f"npu-opt: error: {message}")
    assert not file.exists()
    with pytest.raises(ReportedError):
        graphviz()


def test_a_page_that_cannot_be_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "missing" / "page.html"
    assert run_opt([EXAMPLE, "--report", str(file), "-o", str(tmp_path / "out.mlir")]) == 1
    assert capfd.readouterr().err == f"npu-opt: error: cannot write '{file}': No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


def test_several_programs_have_no_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    pieces = tmp_path / "pieces.mlir"
    pieces.write_text("builtin.module {}\n// -----\nbuiltin.module {}\n")
    file = tmp_path / "page.html"
    assert run_opt([str(pieces), "--split-input-file", "--report", str(file)]) == 1
    message = "argument --report: a report has one program, but --split-input-file makes several"
    assert capfd.readouterr().err == f"npu-opt: error: {message}\n"
    assert not file.exists()


def test_costs_of_a_target_are_shown(tmp_path: Path):
    file = tmp_path / "page.html"
    assert run_opt([EXAMPLE, "--target=ethos-u85", "--layout-optimal", "--report", str(file), "-o", "-"]) == 0
    data = data_of(file.read_text())
    assert dict(data["facts"])["minimum"].startswith("proved minimum of cycles; ")
    assert [(row["name"], row["cost"], row["unit"]) for row in data["passes"]] == [
        *(("before", 0, "cycles"), ("layout-optimal", 4460.8, "cycles")),
    ]
    assert [op["cost"] for op in data["programs"][-1]["ops"] if "move" in op] == [2230.4, 2230.4]


def test_changes_that_would_remove_a_transpose(page: str):
    moves = [op for op in data_of(page)["programs"][-1]["ops"] if "move" in op]
    argument = "with argument %input1 stored as NHWC (--interface=%input1:NHWC): 2 to 1 transposes, 1536 to 768 bytes"
    assert [argument in op["removal"] for op in moves] == [True, False]
    assert all("without the demand of conv2d on data (opu.toml:21): 2 to 0 " in op["removal"][0] for op in moves)


def test_changes_that_save_something_come_first(page: str):
    """The changes are those of `--what-if`, behind the program as it is."""
    before, *changes = data_of(page)["changes"]
    assert (before["change"], before["transposes"], before["saves"]) == ("as it is", 2, False)
    saving = [row["saves"] for row in changes]
    assert saving == sorted(saving, reverse=True)
    assert [row["bytes"] < 1536 for row in changes] == saving
    assert True in saving


@pytest.fixture(scope="module")
def model_page(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The page of a model whose transpose has to stay: its rows are multiplied."""
    text = """<ir_version: 8, opset_import: ["": 17]>
    main (float[1,8,4,6] image) => (float[1,24,8] scores)
    <float[8,8,1,1] kernel, float[8,8] weights, int64[3] sizes = {1, 24, 8}> {
      maps = Conv (image, kernel) rows = Transpose <perm = [0, 2, 3, 1]> (maps)
      tokens = Reshape (rows, sizes) scores = MatMul (tokens, weights)
    }"""
    folder = tmp_path_factory.mktemp("model")
    network = with_weights(text)
    for node in network.graph.node:
        node.name = f"/net.0/{node.op_type}"
    (folder / "model.onnx").write_bytes(network.SerializeToString())
    file = folder / "page.html"
    assert run_opt([str(folder / "model.onnx"), "-O", "--report", str(file), "-o", str(folder / "written.onnx")]) == 0
    return data_of(file.read_text())


def test_a_transpose_that_stays_has_its_reason(model_page: Any):
    (move,) = [op for op in model_page["programs"][-1]["ops"] if "move" in op]
    assert (move["style"], move["model_name"], move["move"], move["shape"]) == (
        *("moved", "/net.0/Transpose", "NCHW to NHWC", "1x8x4x6"),
    )
    (reason,) = move["notes"]
    assert "/net.0/Conv conv2d demands NCHW" in reason
    assert "/net.0/MatMul matmul requires untransposed operands" in reason
    assert any(text.startswith("with matmul = ") for text in move["removal"]), move["removal"]


def test_the_importer_speaks_on_the_page(tmp_path: Path):
    """Nodes without an op, and inputs that count as constants, as on standard error."""
    text = """<ir_version: 8, opset_import: ["": 17, "vendor": 1]>
    main (float[1,8,4,6] image, float[1] factor) => (float[1,8,4,6] maps) <float[1] factor = {2.0}>
    { scaled = Mul (image, factor) maps = vendor.Blur (scaled) }"""
    (tmp_path / "model.onnx").write_bytes(with_weights(text).SerializeToString())
    file = tmp_path / "page.html"
    assert run_opt([str(tmp_path / "model.onnx"), "--layout-optimal", "--report", str(file), "-o", "-"]) == 0
    facts = data_of(file.read_text())["facts"]
    assert ["stays", "nodes without an op of the dialect: Blur"] in facts
    assert [text for label, text in facts if label == "note"] == [
        "inputs with a default count as constants, and are no inputs of the program: factor"
    ]


def test_names_are_those_of_the_model(model_page: Any):
    ops = model_page["programs"][-1]["ops"]
    ends = [(op["kind"], op["model_name"]) for op in ops if op["kind"] in ("input", "output")]
    assert ends == [("input", "image"), ("output", "scores")]
    texts = [text for op in ops for text in (*op.get("notes", ()), *op.get("removal", ()), op.get("demand", ""))]
    assert any(texts)
    assert not any("%" in text for text in [*texts, *(row["change"] for row in model_page["changes"])])


VIEWS = """
func.func @main(%x: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<2x3x4xf32>) {
  %a = npu.relu %x : tensor<2x3x4xf32>
  %v0 = npu.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %v1 = npu.reshape %v0 : (tensor<6x4xf32>) -> tensor<24xf32>
  %dead = npu.reshape %v0 : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %b = npu.relu %v1 : tensor<24xf32>
  func.return %b, %a : tensor<24xf32>, tensor<2x3x4xf32>
}
"""


def test_views_are_on_the_edges():
    """A view that nobody reads stays a node, behind the edge through the views before it."""
    (function,) = records(parse(VIEWS), None)
    kinds = [op.kind for op in function.ops]
    edges, on_edges = through_views(function)
    named = [(kinds[edge.source], kinds[edge.target], len(edge.views)) for edge in edges]
    assert sorted(named) == [
        *(("input", "relu", 0), ("relu", "output", 0), ("relu", "output", 0)),
        *(("relu", "relu", 2), ("relu", "reshape", 1)),
    ]
    assert [function.ops[view].name for view in on_edges] == ["%v0", "%v1"]


def test_long_chains_of_views_have_nodes():
    """An edge passes through a limited number of views, so that a chain takes no more than linear space."""
    count = 60
    ops = [op("", "input"), *(replace(op("", "reshape"), is_view=True) for _ in range(count)), op("", "output")]
    chain = FunctionRecord("main", ops, [EdgeRecord(index, index + 1, "") for index in range(count + 1)])
    edges, on_edges = through_views(chain)
    assert max(len(edge.views) for edge in edges) == MOST_VIEWS
    assert len(on_edges) == count - count // (MOST_VIEWS + 1)
    (function,) = drawings_of(chain, 0).drawings
    assert len(function.nodes) == count + 2 - len(on_edges)


def test_a_view_with_a_time_stays_a_node():
    ops = [op("", "input"), replace(op("", "reshape"), is_view=True, time=2.0), op("", "output")]
    function = FunctionRecord("main", ops, [EdgeRecord(0, 1, ""), EdgeRecord(1, 2, "")])
    assert [edge.views for edge in through_views(function)[0]] == [(), ()]


def test_scopes_of_nothing_but_views_are_not_drawn():
    ops = [op("/op"), *(op(f"/{scope}/op{index}") for scope in "ab" for index in range(5))]
    assert [scope.name for scope in scopes_of("@main", ops).scopes()] == ["a", "b"]
    assert [scope.name for scope in scopes_of("@main", ops, range(6, 11)).scopes()] == ["a"]
