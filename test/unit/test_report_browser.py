"""The page of `--report` in a browser: it opens without errors, and its controls do what they say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from npu_opt.tools.opt import run
from support import optional_tools
from support.generators.made_models import with_weights
from support.source_tree import ROOT

pytestmark = [
    pytest.mark.skipif(optional_tools.browser().location is None, reason=optional_tools.browser().note),
    pytest.mark.xdist_group("browser"),
]

LAYERS = 400
"""Each is a convolution and a relu, a reshape there and back, and three ops between, in a scope of its own."""

FUSED = """
func.func @main(%x: tensor<1x8x4x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<1x8x24xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %relu = npu.relu %conv : tensor<1x8x4x6xf32>
  %conv2 = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %sum = npu.add %conv2, %relu : tensor<1x8x4x6xf32>
  %rows = npu.reshape %sum : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %soft = npu.softmax %rows axis = 1 : tensor<1x8x24xf32>
  func.return %soft : tensor<1x8x24xf32>
}
"""


def network() -> str:
    """A network in the scopes of a model, too large to be drawn in one piece."""
    lines = ["%k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>"]
    for index in range(LAYERS):
        place = f'loc("/stage.{index // 20}/block.{index % 20}/'
        lines += [
            f"%c{index} = npu.conv2d %x{index}, %k data_layout = <NCHW> kernel_layout = <OIHW>"
            f' : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {place}conv")',
            f'%r{index} = npu.relu %c{index} : tensor<1x8x4x4xf32> {place}relu")',
            f'%s{index} = npu.reshape %r{index} : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32> {place}reshape")',
            f'%t{index} = npu.sigmoid %s{index} : tensor<1x8x16xf32> {place}sigmoid")',
            f'%u{index} = npu.tanh %t{index} : tensor<1x8x16xf32> {place}tanh")',
            f'%v{index} = npu.relu %u{index} : tensor<1x8x16xf32> {place}relu_1")',
            f'%x{index + 1} = npu.reshape %v{index} : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32> {place}back")',
        ]
    body = "\n".join([*lines, f"func.return %x{LAYERS} : tensor<1x8x4x4xf32>"])
    return f"func.func @main(%x0: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {{\n{body}\n}}"


def attention() -> str:
    """Two blocks with transposes in front of a product, of data that a product makes."""
    lines: list[str] = []
    for block in range(2):
        place = f'loc("/block.{block}/attention'
        rows = "tensor<1x16x2x8xf32>"
        lines += [
            f"%a{block} = npu.matmul %x{block}, %w : (tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x16xf32>",
            f"%b{block} = npu.reshape %a{block} : (tensor<1x16x16xf32>) -> {rows}",
            f"%q{block} = npu.transpose %b{block} permutation = [0, 2, 1, 3]"
            f' : ({rows}) -> tensor<1x2x16x8xf32> {place}/queries")',
            f"%k{block} = npu.transpose %b{block} permutation = [0, 2, 3, 1]"
            f' : ({rows}) -> tensor<1x2x8x16xf32> {place}/keys")',
            f"%s{block} = npu.matmul %q{block}, %k{block} : (tensor<1x2x16x8xf32>, tensor<1x2x8x16xf32>)"
            f' -> tensor<1x2x16x16xf32> {place}/scores")',
            f"%x{block + 1} = npu.reduce_mean %s{block} axes = [1] : (tensor<1x2x16x16xf32>) -> tensor<1x16x16xf32>",
        ]
    body = "\n".join([*lines, "func.return %x2 : tensor<1x16x16xf32>"])
    signature = "func.func @main(%x0: tensor<1x16x16xf32>, %w: tensor<1x16x16xf32>) -> tensor<1x16x16xf32>"
    return f"{signature} {{\n{body}\n}}"


def branches() -> str:
    """Two scopes; the second one reads the last op of the first one through three reshapes."""
    wide, long = "tensor<4x6xf32>", [f"tensor<{24 // size}x{size}xf32>" for size in (2, 3, 4)]
    kinds = ("sigmoid", "tanh", "sigmoid", "tanh", "sigmoid")
    lines = [f'%a{i + 1} = npu.{kind} %a{i} : {wide} loc("/first/{kind}_{i}")' for i, kind in enumerate(kinds)]
    for i, type_ in enumerate(long):
        lines += [
            f'%r{i} = npu.reshape %a5 : ({wide}) -> {type_} loc("/second/reshape_{i}")',
            f'%s{i} = npu.tanh %r{i} : {type_} loc("/second/tanh_{i}")',
            f'%t{i} = npu.add %s{i}, %s{i} : {type_} loc("/second/sum_{i}")',
        ]
    body = "\n".join([*lines, f"func.return %t0, %t1, %t2 : {', '.join(long)}"])
    return f"func.func @main(%a0: {wide}) -> ({', '.join(long)}) {{\n{body}\n}}"


def write_noted(file: Path) -> None:
    """Three blocks with the product of a matrix and its transpose, whose scopes are metadata of the nodes."""
    lines = [
        f"k{i} = MatMul (x{i}, w) t{i} = Transpose <perm = [0, 2, 1]> (k{i}) s{i} = MatMul (k{i}, t{i})"
        f" n{i} = Softmax (s{i}) x{i + 1} = MatMul (n{i}, k{i})"
        for i in range(3)
    ]
    body = " ".join(lines)
    text = f"""<ir_version: 10, opset_import: ["": 18]>
    main (float[2,8,16] x0) => (float[2,8,16] x3) <float[16,16] w> {{ {body} }}"""
    model = with_weights(text)
    seen: dict[str, int] = {}
    for place, node in enumerate(model.graph.node):
        kind = node.op_type.lower()
        count = seen[kind] = seen.get(kind, -1) + 1
        node.name = f"node_{kind}_{count}" if count else f"node_{kind}"
        layer = f"layers.{place // 5}"
        inner = f" '{layer}.keys'," if place % 5 < 2 else ""
        node.metadata_props.add(key="namespace", value=f": M/{layer}: B/{kind}")
        node.metadata_props.add(key="pkg.torch.onnx.name_scopes", value=f"['', '{layer}',{inner} '{kind}_{count}']")
    file.write_bytes(model.SerializeToString())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "network.mlir").write_text(network())
    (folder / "fused.mlir").write_text(FUSED)
    (folder / "attention.mlir").write_text(attention())
    (folder / "branches.mlir").write_text(branches())
    write_noted(folder / "noted.onnx")
    (folder / "times.csv").write_text("Name,Op Cycles\nconv,300\nsum,100\nelsewhere,5\n")
    inputs = {"example": ROOT / "examples/two_branches.mlir", "noted": folder / "noted.onnx"} | {
        name: folder / f"{name}.mlir" for name in ("network", "fused", "attention", "branches")
    }
    for name, file in inputs.items():
        passes = ["--fuse-ops-hw", "--times", str(folder / "times.csv")] if name == "fused" else []
        arguments = [
            str(file),
            "--layout-optimal",
            "--canonicalize",
            *passes,
            "-o",
            str(folder / f"{name}_placed.mlir"),
        ]
        assert run([*arguments, "--report", str(folder / f"{name}.html")]) == 0
    return {name: folder / f"{name}.html" for name in inputs}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium refuses to run as root with its sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=optional_tools.browser().location, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["example"], request.param)


@pytest.fixture
def joined_page(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["attention"], "dark")


@pytest.fixture
def large_page(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["network"], "light")


@pytest.fixture
def noted_page(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["noted"], "light")


@pytest.fixture
def page_of_branches(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["branches"], "light")


@pytest.fixture
def fused_page(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    yield from opened(browser, files["fused"], "dark")


def opened(browser: Any, file: Path, scheme: str) -> Iterator[Any]:
    """A page, whose script must not complain."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    complaints: list[str] = []

    def note_console(message: Any) -> None:
        complaints.append(message.text)

    def note_error(error: Any) -> None:
        complaints.append(str(error))

    def note_request(request: Any) -> None:
        complaints.extend([request.url] * request.url.startswith("http"))

    for event, note in (("console", note_console), ("pageerror", note_error), ("request", note_request)):
        page.on(event, note)
    page.goto(file.as_uri())
    yield page
    page.close()
    assert complaints == []


def transposes(page: Any) -> Any:
    """The table of transposes on the first tab, and beside it that of changes."""
    return page.locator("#overview table").first


def test_transposes_are_sorted_by_a_click(page: Any):
    rows = transposes(page).locator("tbody tr")
    assert rows.count() == 2
    texts = rows.all_inner_texts()
    page.get_by_role("button", name="from and to").click()
    assert rows.all_inner_texts() == sorted(texts, key=lambda text: text.split("\t")[2])
    page.get_by_role("button", name="from and to").click()
    assert page.locator("th[aria-sort=descending]").inner_text() == "from and to"


def test_figures_are_those_before_and_after(page: Any):
    cards = page.locator(".card").all_inner_texts()
    assert [card.split("\n") for card in cards] == [
        ["transposes", "0 \u2192 2"],
        ["data they move", "0 bytes \u2192 1.50 KiB"],
    ]
    assert page.locator(".fact.proved dd").count() == 2


def test_changes_are_numbered_and_rows_name_those_that_help(page: Any):
    changes = page.locator("#overview table").nth(1).locator("tbody tr").all_inner_texts()
    assert changes[0].split("\t") == ["1", "without the demand of conv2d on data (opu.toml:21)", "0", "0 bytes"]
    helped = [row.split("\t")[3] for row in transposes(page).locator("tbody tr").all_inner_texts()]
    assert all(numbers.split(", ")[0] == "1" for numbers in helped)
    assert page.locator("#overview details li").count() >= 1


def test_transposes_of_one_scope_with_one_cause_are_one_row(joined_page: Any):
    """The queries of an attention in two blocks, and its keys, which are transposed otherwise."""
    (row,) = transposes(joined_page).locator("tbody tr").all_inner_texts()
    name, *_ = row.split("\n")
    assert name == "/block.*/attention/queries, keys"
    cells = [cell.strip() for cell in row.split("\t")]
    assert cells[1] == "4"
    assert cells[2].startswith("by [0, 2, 1, 3]; by [0, 2, 3, 1]")


def test_rows_have_their_reasons_in_short(page: Any):
    reasons = page.locator(".reason").all_inner_texts()
    assert reasons[0] == "%conv conv2d demands NHWC of data (opu.toml:21), but argument %input1 is NCHW"


def test_the_strip_has_the_transposes_in_place(page: Any):
    before, after = page.locator(".track").all()
    assert before.locator(".mark").count() == 0
    marks = after.locator(".mark.placed")
    assert marks.count() == 2
    left, right = marks.evaluate_all("marks => marks.map(mark => parseFloat(mark.style.left))")
    assert left < right
    marks.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator(".node.selected.placed").count() == 1
    assert page.get_by_role("tab", name="Graph").get_attribute("aria-selected") == "true"


def test_the_strip_has_the_scopes_of_the_model(large_page: Any):
    """Scopes are those of the depth that can be read: 20 stages have no room for their blocks."""
    assert large_page.locator(".part:not(.nameless)").count() <= 14
    tracks = large_page.locator(".track").evaluate_all(
        "tracks => tracks.map(track => track.getBoundingClientRect().top)"
    )
    tops = large_page.locator(".track .mark").evaluate_all(
        "marks => marks.map(mark => mark.getBoundingClientRect().top)"
    )
    assert tops
    assert all(top >= tracks[-1] for top in tops)


def test_rows_that_belong_together_are_one(page: Any):
    """Names that differ in the numbers of scopes are those of one row, and so are all without scopes."""
    same = [("/a.0/b.1/T", "/a.2/b.13/T"), ("T_4", "T_17")]
    assert [page.evaluate("names => names.map(withoutBlocks)", names) for names in same] == [
        ["/a./b./T"] * 2,
        ["T"] * 2,
    ]
    assert page.evaluate("withoutBlocks('/a.0/T_1')") != page.evaluate("withoutBlocks('/a.0/T_2')")
    assert [page.evaluate("commonName", names) for names in same] == ["/a.*/b.*/T", "T_*"]
    assert page.evaluate("commonName", ["a.0/T", "a.1/T_1", "a.2/T_2"]) == "a.*/T*"


def test_scopes_in_the_metadata_of_nodes_are_those_of_the_page(noted_page: Any):
    """As the exporter of PyTorch writes them: names of nodes have none, and the first one has no number."""
    (row,) = transposes(noted_page).locator("tbody tr").all_inner_texts()
    assert row.split("\n")[0] == "layers.*/keys/node_transpose*"
    assert [cell.strip() for cell in row.split("\t")][1] == "3"
    assert noted_page.locator(".part:not(.nameless)").all_inner_texts() == ["layers.0", "layers.1", "layers.2"]
    noted_page.get_by_role("tab", name="Graph").click()
    assert noted_page.locator(".node.moved text").last.text_content() == "x3"
    noted_page.get_by_role("searchbox").fill("layers.1 matmul")
    noted_page.keyboard.press("Enter")
    assert noted_page.locator(".pane .title").inner_text() == "layers.1"
    assert "layers.1/keys" in noted_page.locator("#detail").inner_text()


def test_reasons_are_shortened(page: Any):
    path = "(through %x (relabelled) relabel, %y add)"
    text = f"layout-optimal: /net.0/a/Conv conv2d demands NHWC of data (opu.toml:21) {path}, but x is NCHW"
    assert page.evaluate("brief", text) == "a/Conv conv2d demands NHWC of data (opu.toml:21), but x is NCHW"


def test_views_are_marks_on_edges(large_page: Any):
    large_page.get_by_role("tab", name="Graph").click()
    large_page.get_by_role("searchbox").fill("stage.3/block.7/ reshape")
    large_page.keyboard.press("Enter")
    assert large_page.locator(".view.selected").count() == 1
    assert "/stage.3/block.7/reshape" in large_page.locator("#detail").inner_text()
    assert "reshape" not in large_page.locator(".node.op text:first-of-type").all_text_contents()
    view = large_page.get_by_role("button", name="view reshape").last
    view.focus()
    large_page.keyboard.press("Enter")
    assert large_page.locator("#detail h2").inner_text() == "reshape"


def test_views_that_an_edge_has_no_room_for_are_one_mark(page_of_branches: Any):
    page_of_branches.get_by_role("tab", name="Graph").click()
    page_of_branches.get_by_role("button", name="list 3 views").click()
    links = page_of_branches.locator("#detail .ops button")
    assert links.all_inner_texts() == [f"reshape second/reshape_{index}" for index in range(3)]
    links.nth(1).click()
    assert "/second/reshape_1" in page_of_branches.locator("#detail").inner_text()


def test_no_change_is_named_if_nothing_is_left(page_of_branches: Any):
    (changes,) = page_of_branches.get_by_role("heading", name="What would remove them").locator("..").all()
    assert changes.locator("p").all_inner_texts() == ["Nothing is left to remove."]


@pytest.mark.parametrize("width", [480, 900, 1600])
def test_flags_are_on_one_line(page: Any, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    texts = page.locator("#overview td .flag").all_inner_texts()
    assert "--interface=free" in texts
    line = "flag.getBoundingClientRect().height / parseFloat(getComputedStyle(flag).lineHeight)"
    heights = page.locator("#overview td .flag").evaluate_all(f"flags => flags.map(flag => {line})")
    assert all(height < 1.5 for height in heights)


def test_an_op_leads_to_what_it_reads_and_to_its_readers(page_of_branches: Any):
    page_of_branches.get_by_role("tab", name="Graph").click()
    page_of_branches.get_by_role("searchbox").fill("second/ sum_2")
    assert page_of_branches.locator("#found li").all_inner_texts() == ["add /second/sum_2"]
    page_of_branches.keyboard.press("Enter")
    reads, readers = [page_of_branches.locator("#detail .ops").nth(place) for place in range(2)]
    assert reads.locator("li").all_inner_texts() == ["tanh second/tanh_2 6x4xf32 Tensor"]
    assert readers.locator("li").all_inner_texts() == ["output output 2 6x4xf32 Tensor"]
    assert page_of_branches.locator(".edge.near").count() == 2
    reads.get_by_role("button").click()
    assert page_of_branches.locator(".node.selected text").all_text_contents()[:2] == ["tanh", "tanh_2"]
    reads.get_by_role("button", name="reshape").click()
    assert page_of_branches.locator(".view.selected").count() == 1
    assert page_of_branches.locator(".edge.near").count() == 1


@pytest.mark.parametrize("width", [480, 900, 1600])
def test_no_tab_is_wider_than_the_window(page: Any, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_open_tab_alone_is_printed(large_page: Any):
    large_page.emulate_media(media="print")
    assert not large_page.get_by_role("tab", name="Graph").is_visible()
    assert transposes(large_page).is_visible()


def test_passes_are_drawn_one_after_the_other(page: Any):
    page.get_by_role("tab", name="Passes").click()
    assert page.locator("#passes tbody tr").count() == 3
    places = page.locator("#passes .bar i").evaluate_all(
        "bars => bars.map(bar => [parseFloat(bar.style.marginLeft), parseFloat(bar.style.width)])"
    )
    assert places[0][0] == 0
    assert abs(places[1][0] - places[0][1]) < 1


def test_a_row_leads_to_the_transpose_in_the_graph(page: Any):
    page.locator("#overview tbody button").first.click()
    assert page.get_by_role("tab", name="Graph").get_attribute("aria-selected") == "true"
    assert page.locator(".node.selected.placed").count() == 1
    assert "layout-optimal: " in page.locator("#detail").inner_text()


def test_the_graph_begins_with_the_transposes(page: Any):
    page.get_by_role("tab", name="Graph").click()
    assert page.locator(".node.placed").count() == 2
    assert page.locator(".pane .title").inner_text() == "transposes and their neighbours"


def test_programs_side_by_side_are_linked(page: Any):
    page.get_by_role("tab", name="Graph").click()
    page.locator("#shown").select_option("all")
    page.get_by_role("button", name="op conv2d").last.click()
    assert page.locator(".pane").count() == 2
    assert page.locator(".pane .node.selected").count() == 2


def test_keys_are_enough(page: Any):
    page.get_by_role("tab", name="Overview").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".node").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#detail h2").inner_text() == "input"
    before = page.locator(".pane svg").get_attribute("viewBox")
    page.keyboard.press("+")
    page.keyboard.press("ArrowDown")
    assert page.locator(".pane svg").get_attribute("viewBox") != before


def test_scopes_open_by_a_click_and_close_by_the_path(large_page: Any):
    large_page.get_by_role("tab", name="Graph").click()
    large_page.locator(".pane nav").get_by_role("button", name="@main").click()
    large_page.get_by_role("button", name="open scope stage.3,").click()
    large_page.get_by_role("button", name="open scope block.7,").click()
    kinds = large_page.locator(".node.op text:first-of-type").all_text_contents()
    assert "conv2d" in kinds
    assert "sigmoid" in kinds
    assert large_page.locator(".node.outside").count() >= 2
    large_page.locator(".pane nav").get_by_role("button", name="stage.3").click()
    assert large_page.locator(".node.scope").count() == 20


def test_the_first_op_of_a_long_scope_is_shown_at_its_upper_end(noted_page: Any):
    """The drawing around an op fills the pane."""
    noted_page.set_viewport_size({"width": 1280, "height": 480})
    noted_page.get_by_role("tab", name="Graph").click()
    noted_page.get_by_role("searchbox").fill("layers.1/keys matmul")
    noted_page.keyboard.press("Enter")
    _, top, _, height = map(float, noted_page.locator(".pane svg").get_attribute("viewBox").split())
    whole = noted_page.evaluate("data.programs[1].drawings[panes[0].drawing].size[1]")
    assert height < whole
    assert -20 <= top <= whole - height + 20


def test_the_search_finds_an_op_in_its_scope(large_page: Any):
    large_page.get_by_role("tab", name="Graph").click()
    large_page.get_by_role("searchbox").fill("stage.11/block.13/ sigmoid")
    large_page.keyboard.press("Enter")
    assert large_page.locator(".node.selected text:first-of-type").text_content() == "sigmoid"
    assert "/stage.11/block.13/sigmoid" in large_page.locator("#detail").inner_text()
    large_page.get_by_role("searchbox").fill("nothing of the kind")
    assert large_page.locator("#found").inner_text() == "nothing found"


def test_groups_are_on_the_stages_that_run_them(fused_page: Any):
    fused_page.get_by_role("tab", name="Fusion").click()
    heads = fused_page.locator("#fusion .lanes th").all_inner_texts()
    assert heads[2:5] == ["ipa", "compare", "res_add"]
    rows = fused_page.locator("#fusion .lanes tbody tr").all_inner_texts()
    assert [[cell.strip() for cell in row.split("\t")[2:5]] for row in rows] == [
        ["conv2d", "relu", ""],
        ["conv2d", "", "add"],
    ]
    fused_page.locator("#fusion .lanes").get_by_role("button", name="add", exact=True).click()
    detail = fused_page.locator("#detail").inner_text()
    assert "group 1, on stage res_add" in detail
    assert "not with %relu relu: " in detail


def test_times_are_on_the_ops(fused_page: Any):
    fused_page.get_by_role("tab", name="Times").click()
    tables = fused_page.locator("#times table").all()
    rows = [[text.split("\t")[0] for text in table.locator("tbody tr").all_inner_texts()] for table in tables]
    assert rows == [["300", "100"], ["5"]]
    fused_page.locator("#times").get_by_role("button", name="%sum").click()
    assert "100 cycles" in fused_page.locator("#detail").inner_text()
    long, short = fused_page.locator(".node rect.time").all()
    assert float(long.get_attribute("width")) > 2 * float(short.get_attribute("width"))


def test_a_page_without_times_has_no_tab_for_them(page: Any):
    assert page.get_by_role("tab", name="Times").count() == 0


def test_boxes_are_those_that_are_chosen(fused_page: Any):
    fused_page.get_by_role("tab", name="Graph").click()
    fused_page.locator(".pane nav").get_by_role("button", name="@main").click()
    titles = fused_page.locator(".box-title")
    assert sorted(titles.all_text_contents()) == ["group 0", "group 1"]
    fused_page.locator("#boxes").select_option("region")
    assert titles.all_text_contents() == ["Feature region 1"]
    assert fused_page.locator("rect.shade").count() >= 4
    fused_page.locator("#boxes").select_option("none")
    assert titles.count() == 0


def controls_of(page: Any) -> list[Any]:
    """The controls that assistive technology sees."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "combobox", "searchbox", "tab", "textbox"}
    return [node for node in nodes if node.get("role", {}).get("value") in roles and not node["ignored"]]


@pytest.mark.parametrize("name", ["large_page", "fused_page"])
def test_every_control_has_a_name(name: str, request: pytest.FixtureRequest):
    page = request.getfixturevalue(name)
    for tab in page.get_by_role("tab").all():
        tab.click()
        controls = controls_of(page)
        assert len(controls) >= page.get_by_role("tab").count()
        assert [node for node in controls if not node.get("name", {}).get("value")] == []
