"""Figures on pages that people read: each is that of a table of docs/results."""

import re
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple

import pytest
from support.source_tree import ROOT


def test_the_comparison_has_the_figures_of_the_tables():
    text = " ".join((ROOT / "docs" / "comparison.md").read_text().split())
    files = table("docs/results/quality.md", "onnx files")
    total = {title: first(cell) for title, cell in files["**together**"].items()}
    ratios = {name: float(first(cells[RATIO])) for name, cells in files.items() if not name.startswith("**")}
    quickest, slowest = max(ratios, key=ratios.__getitem__), min(ratios, key=ratios.__getitem__)
    came, ours, runtime = (total[title] for title in ("as it came", "npu-opt", "ONNX Runtime"))
    assert f"{len(ratios)} models have {came} Transposes as they came, {runtime} after it and {ours} after npu" in text
    assert f"of {came} Transposes onnxsim leaves {total['onnxsim']}, onnxslim {total['onnxslim']}" in text
    assert f"up to {ratios[quickest]:.2f} times as fast ({quickest}) and down to {ratios[slowest]:.2f}" in text
    assert f"({slowest}," in text
    rows = table("docs/results/litert.md", "litert run times")
    mean, segformer = (float(first(rows[name]["optimal"])) for name in ("**geometric mean / onnx2tf**", "segformer_b0"))
    assert f"take {mean:.2f} of the run time of onnx2tf's in the geometric mean" in text
    assert f"{segformer:.2f} on segformer_b0" in text
    assert f"{segformer:.2f} of the time of the file" in (ROOT / "docs" / "why.md").read_text()
    seconds = table("docs/results/quality.md", "strategies")["**time of the pass**"]["optimal (bytes)"]
    assert f"{seconds} for the 54 networks" in text


RATIO = "time, original / ours"


def table(page: str, mark: str) -> dict[str, dict[str, str]]:
    """The first table behind a mark: for each row its cells by the titles of the columns."""
    text = (ROOT / page).read_text().partition(f"<!-- {mark} -->")[2]
    titles, _, *found = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines_of_table(text))
    return {cells[0]: dict(zip(titles, cells, strict=True)) for cells in found}


def lines_of_table(text: str) -> list[str]:
    lines = text[text.index("\n|") + 1 :].splitlines()
    return list(takewhile(lambda line: line.startswith("|"), lines))


class Gain(NamedTuple):
    """A row of README: the table that has it, the name of the network there, and the columns."""

    page: str
    mark: str
    name: str
    ours: str
    others: dict[str, str]
    """The titles of the columns of other tools, each with the name of the tool in README."""


TOSA = {"`tosa-reduce-transposes`": "tosa-reduce-transposes"}
RUNTIME = {"ONNX Runtime": "ONNX Runtime", "ONNX Runtime, canonical": "ONNX Runtime"}
CONVERTERS = {"onnx2tf": "onnx2tf", "litert-torch": "litert-torch"}
VELA = {"onnx2tf": "onnx2tf", "onnxslim+onnx2tf": "onnxslim+onnx2tf"}
PEERS = {"ONNX Runtime": "ONNX Runtime", "onnxsim": "onnxsim", "onnxslim": "onnxslim"}
TPU = {"original": "the model as it came", "older opset": "the model in an older opset", **PEERS}
SOPHGO = "`--target=sophgo-bm1684x -O`"
SOPHGO_INT8 = "`--target=sophgo-bm1684x-int8 -O`"
U85, U55 = "vela ethos-u85-1024", "vela ethos-u55-256"
GAINS = {
    "ResNet-50": Gain("quality", "transposes left", "resnet50", "`layout-optimal`", TOSA),
    "Stable Diffusion UNet": Gain("quality", "strategies", "sd_unet", "optimal (count)", RUNTIME),
    "Llama, decode step": Gain("newer", "decoders", "llama_decode", "LiteRT", {"onnx2tf": "onnx2tf"}),
    "SegFormer-B0": Gain("litert", "litert run times", "segformer_b0", "optimal", CONVERTERS),
    "Whisper encoder, tiny": Gain("litert", "litert run times", "whisper_encoder", "optimal", CONVERTERS),
    "Swin-T": Gain("ethos_u", U85, "swin_t", "by cost", VELA),
    "YOLOv8-n": Gain("ethos_u", U85, "yolo_v8_n", "by cost", VELA),
    "LeViT-128": Gain("ethos_u", U55, "levit_128", "by cost", VELA),
    "ShuffleNetV2": Gain("sophgo", "tpu-mlir", "shufflenet_v2", SOPHGO, TPU),
    "MobileViT-S": Gain("sophgo", "tpu-mlir", "mobilevit_s", SOPHGO, TPU),
}


def readme_rows() -> dict[str, list[str]]:
    text = (ROOT / "README.md").read_text().partition("## What it gains, and where it loses")[2]
    return {
        cells[0]: cells for line in lines_of_table(text)[2:] for cells in [[c.strip() for c in line.split("|")[1:-1]]]
    }


def test_the_readme_has_a_row_for_each_gain():
    assert [*readme_rows()] == [*GAINS]


@pytest.mark.parametrize("name", GAINS)
def test_the_readme_has_the_figures_of_the_tables(name: str):
    """The best other tool is named, and a loss is called one."""
    gain, (_, link, ours, best, loss) = GAINS[name], readme_rows()[name]
    cells = table(f"docs/results/{gain.page}.md", gain.mark)[gain.name]
    found = ((first(cells.get(title, "")), tool) for title, tool in gain.others.items())
    others = [(float(number), tool) for number, tool in found if is_number(number)]
    # Of equal ones the first: an optimizer that gains nothing is no better than the model as it came.
    least, tool = min(others, key=itemgetter(0))
    assert f"(docs/results/{gain.page}.md" in link
    assert ours == first(cells[gain.ours])
    assert float(first(best)) == least
    assert best.split(maxsplit=1)[1].strip("()").split(", more")[0] == tool
    assert loss == ("loss" if least < float(ours) else "")


def first(cell: str) -> str:
    return (cell.split() or [""])[0]


def is_number(word: str) -> bool:
    return bool(re.fullmatch(r"[0-9.]+", word))


def test_the_readme_has_no_figure_of_its_own():
    """Numbers of its prose are those of a table or of the repository; commands are run by test_docs_commands.py."""
    text = (ROOT / "README.md").read_text()
    prose = re.sub(
        r"```.*?```|<[^>]+>|`[^`]*`|\]\([^)]*\)|^\|.*?$|^\[.*\]: .*$", " ", text, flags=re.DOTALL | re.MULTILINE
    )
    files = table("docs/results/quality.md", "onnx files")
    models = [cells for name, cells in files.items() if not name.startswith("*")]
    peers = ("ONNX Runtime", "onnxsim", "onnxslim")
    best = [cells for cells in models if all(int(first(cells["npu-opt"])) <= int(first(cells[each])) for each in peers)]
    assert f"On {len(best)} of {len(models)} models no other ONNX optimizer" in " ".join(text.split())
    assert f"graphs of {len([*(ROOT / 'benchmarks/models').glob('*.onnx')])} networks" in " ".join(text.split())
    checker = len((ROOT / "checkers" / "check_minimum.py").read_text().splitlines())
    known = {len(best), len(models), 54, checker, 20, 6, 3, 3.11}
    assert {float(number) for number in re.findall(r"(?<![\w-])\d+(?:\.\d+)?(?!\w)", prose)} == {*map(float, known)}


class Headline(NamedTuple):
    """A row of the summary of the results: tables on a page, their columns, and how far apart equal figures may be."""

    page: str
    marks: tuple[str, ...]
    ours: str
    others: dict[str, str]
    room: float = 0
    mean: str = ""
    """The row that has the figures of the whole set, instead of their sums."""


NEWER, ONNX2TF, MEAN = ("decoders", "newer"), {"onnx2tf": "onnx2tf"}, "**geometric mean, relative to by cost**"
HEADLINES = {
    "Transposes in ONNX files": Headline("quality", ("onnx files",), "npu-opt", PEERS),
    "Transposes, convolutions in NHWC": Headline("quality", ("strategies",), "optimal (count)", RUNTIME),
    "The same, matrix products in any layout": Headline(
        "quality", ("strategies, free matmul",), "optimal (count)", RUNTIME
    ),
    "Transposes in modules of TOSA": Headline("quality", ("transposes left",), "`layout-optimal`", TOSA),
    "Newer networks and decoders in ONNX": Headline("newer", NEWER, "npu-opt", PEERS),
    "The same, `--target=onnxruntime`": Headline("newer", NEWER, "with its ops", PEERS),
    "Newer networks and decoders in LiteRT": Headline("newer", NEWER, "LiteRT", ONNX2TF),
    "Time in LiteRT, geometric mean": Headline(
        "litert", ("litert run times",), "optimal", ONNX2TF, 0.05, "**geometric mean / onnx2tf**"
    ),
    "Time on Ethos-U85, by Vela's estimate": Headline("ethos_u", (U85,), "by cost", VELA, 0.01, MEAN),
    "Time on Ethos-U55, by Vela's estimate": Headline("ethos_u", (U55,), "by cost", VELA, 0.01, MEAN),
}
SUITES = "Tests that other projects wrote"


def summary_rows() -> dict[str, list[str]]:
    text = (ROOT / "docs" / "results" / "index.md").read_text().partition("## Headlines")[2]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines_of_table(text)[2:]]
    return {re.sub(r"\[(.*)\]\(.*\)", r"\1", cells[0]): cells for cells in rows}


def test_the_summary_has_a_row_for_each_headline():
    assert {*summary_rows()} == {*HEADLINES, SUITES}


@pytest.mark.parametrize("name", HEADLINES)
def test_the_summary_has_the_figures_of_the_tables_of_results(name: str):
    line = HEADLINES[name]
    link, models, ours, best, counts = summary_rows()[name]
    assert f"({line.page}.md" in link
    number, other = best.split(maxsplit=1)
    assert (float(ours), float(number), other.strip("()")) == totals(line, other.strip("()"), models)
    rows = figures(line)
    ahead = sum(min(theirs) > mine * (1 + line.room) for mine, theirs in rows)
    behind = sum(min(theirs) < mine * (1 - line.room) for mine, theirs in rows)
    equal = len(rows) - ahead - behind + same_in_all_columns(line)
    assert counts == f"{ahead}, {equal}, {behind}"
    assert line.mean or int(models) == ahead + equal + behind


def totals(line: Headline, other: str, models: str) -> tuple[float, float, str]:
    """The figure of npu-opt for the whole set, and that of the best other tool."""
    tables = [table(f"docs/results/{line.page}.md", mark) for mark in line.marks]
    if line.mean:
        cells = tables[0][line.mean]
        (title,) = (title for title, name in line.others.items() if name == other)
        assert f"({models})" in cells[title]
        return round(float(first(cells[line.ours])), 2), round(float(first(cells[title])), 2), other
    titles = (line.ours, *line.others)
    rows = [cells for each in tables for name, cells in each.items() if not name.startswith("**")]
    whole = [cells for cells in rows if all(is_number(first(cells[title])) for title in titles)]
    if "**together**" in tables[0]:
        whole = [tables[0]["**together**"]]
    sums = {title: sum(float(first(cells[title])) for cells in whole) for title in titles}
    least = min(line.others, key=lambda title: sums[title])
    return sums[line.ours], sums[least], line.others[least]


def figures(line: Headline) -> list[tuple[float, list[float]]]:
    """The figures of each model that both have: that of npu-opt, and those of the other tools."""
    tables = (table(f"docs/results/{line.page}.md", mark) for mark in line.marks)
    rows = [cells for each in tables for name, cells in each.items() if not name.startswith("**")]
    found = [(first(cells[line.ours]), [first(cells[title]) for title in line.others]) for cells in rows]
    return [
        (float(mine), [float(each) for each in theirs if is_number(each)])
        for mine, theirs in found
        if is_number(mine) and any(map(is_number, theirs))
    ]


def same_in_all_columns(line: Headline) -> int:
    """The number of models that a sentence below the table names, not a row."""
    text = (ROOT / "docs" / "results" / f"{line.page}.md").read_text()
    text = text.partition(f"<!-- {line.marks[0]} -->")[2].partition("<!-- end of")[0]
    same = re.search(r"All columns are the same on (\d+) of", text)
    return int(same[1]) if same else 0


def test_the_summary_counts_the_networks():
    text = " ".join((ROOT / "docs" / "results" / "index.md").read_text().split())
    folders = (ROOT / "benchmarks" / "models" / name for name in ("", "tf", "decoders", "newer"))
    models, tensorflow, decoders, newer = (len([*folder.glob("*.onnx")]) for folder in folders)
    style = f"{tensorflow} in TensorFlow's style"
    assert f"has {models} networks, {style}, {decoders} decoders and {newer} newer networks" in text
    behind = summary_rows()["Newer networks and decoders in ONNX"][-1].split(", ")[-1]
    assert f"on `pythia_70m` and on {behind} newer networks and decoders" in text


def test_the_summary_has_the_figures_of_the_suites():
    rows = [*table("docs/results/quality.md", "suites").values()]
    sums = {title: sum(int(cells[title]) for cells in rows) for title in rows[0] if title != "suite"}
    counts = f"{sums['fewer']}, {sums['equal']}, {sums['more']}"
    files = sums["fewer"] + sums["equal"] + sums["more"]
    found = summary_rows()[SUITES]
    assert found[1:] == [str(files), str(sums["left"]), f"{sums['figure']} (their authors' figures)", counts]


def test_the_page_on_litert_has_the_figures_of_the_tables():
    text = " ".join((ROOT / "docs" / "litert.md").read_text().split())
    rows = table("docs/results/litert.md", "litert run times")
    mean = rows["**geometric mean / onnx2tf**"]["optimal"]
    assert (
        f"take {float(first(mean)):.2f} of the time on a CPU, in the geometric mean of {mean.split('(')[1][:-1]}"
        in text
    )
    slowest = max(mine for mine, _ in figures(HEADLINES["Time in LiteRT, geometric mean"]))
    assert f"never more than {slowest:.2f}" in text


def test_the_page_on_chips_has_the_figures_of_the_tables():
    text = " ".join((ROOT / "docs" / "chips.md").read_text().split())
    fast, slow = (table("docs/results/ethos_u.md", mark) for mark in (U85, U55))
    sophgo, rockchip = table("docs/results/sophgo.md", "tpu-mlir"), table("docs/results/rockchip.md", "rknn")
    peer = "onnxslim+onnx2tf"

    def ms(cells: dict[str, str], title: str) -> str:
        return first(cells[title])

    def layers(name: str, title: str) -> tuple[str, str]:
        found = re.match(r"(\d+) \([^)]*\), ([\d.]+) M", rockchip[name][title])
        assert found is not None
        return found[1], found[2]

    def cpu(title: str) -> int:
        found = re.search(r"CPU (\d+)", slow["levit_128"][title])
        return int(found[1]) if found else 0

    swin, segformer, levit = fast["swin_t"], fast["segformer_b0"], slow["levit_128"]
    assert (
        f"Swin-T takes {ms(swin, 'by cost')} ms on Ethos-U85 by Vela's estimate, and {ms(swin, 'onnx2tf')} as" in text
    )
    assert f"SegFormer-B0 {ms(segformer, 'by cost')} and {ms(segformer, peer)} with onnxslim" in text
    assert f"takes {ms(fast[MEAN], peer)} times as long" in text
    assert f"takes {ms(levit, 'by cost')} ms, and {ms(levit, peer)} as onnx2tf" in text
    assert f"the CPU runs {cpu(peer) - cpu('by cost')} ops more" in text
    shuffle, mobilevit = sophgo["shufflenet_v2"], sophgo["mobilevit_s"]
    assert f"ShuffleNetV2 takes {ms(shuffle, SOPHGO)} ms instead of {ms(shuffle, 'original')} as it came" in text
    assert f"takes {ms(mobilevit, SOPHGO)} instead of {ms(mobilevit, 'older opset')} in an older opset" in text
    grouped, int8 = sophgo["shufflenet_v1"], table("docs/results/sophgo.md", "tpu-mlir int8")
    assert f"ShuffleNetV1 {ms(grouped, SOPHGO)} instead of {ms(grouped, 'original')}" in text
    (after, before), (after_v1, before_v1) = (
        (ms(int8[name], SOPHGO_INT8), ms(int8[name], "original")) for name in ("shufflenet_v2", "shufflenet_v1")
    )
    assert f"ShuffleNets take {after} and {after_v1} ms instead of {before} and {before_v1}, and" in text
    before, after = (ms(int8["mobilevit_s"], title) for title in ("older opset", SOPHGO_INT8))
    assert f"MobileViT-S {after} instead of {before}." in text
    for name in ("vit_b16", "yolo_v8_n", "conformer_s"):
        assert ms(sophgo[name], SOPHGO) == ms(sophgo[name], "original")
    rknn = "`--target=rockchip-rk3588 -O`"
    (after, cycles), (before, cycles_before) = (layers("shufflenet_v2", title) for title in (rknn, "original"))
    assert f"ShuffleNetV2 has {after} layers instead of {before}, and {cycles} million cycles" in text
    assert f"and products instead of {cycles_before}" in text
    (after, _), (before, _) = (layers("shufflenet_v1", title) for title in (rknn, "original"))
    assert f"ShuffleNetV1 {after} layers instead of {before}" in text
    for name in ("squeezenet", "mobilenet_v2", "googlenet", "crnn"):
        assert rockchip[name][rknn] == rockchip[name]["original"]
