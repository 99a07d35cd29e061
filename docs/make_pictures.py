"""Draws the pictures of docs/theory.md, those of report pages, and those of the site for whoever changes its looks.

python docs/make_pictures.py            writes docs/pictures/*.svg
python docs/make_pictures.py --check    fails if one is stale
python docs/make_pictures.py --pages    writes docs/pictures/report_*.png, by Chromium and the extra [dev]
python docs/make_pictures.py --site     builds the site, and writes pictures of its pages into build/pictures/, likewise
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

FOLDER = Path(__file__).with_name("pictures")
CHANNELS = ("#9ecae9", "#ffbf79", "#b6d7a8")
STYLE = "font-family='sans-serif' font-size='14'"
# A picture in a page has the scheme of the reader's system, as the page has unless its reader chooses another one.
COLOURS = (
    "text{fill:#1f2328}.page{fill:white}.line{stroke:#57606a}.tip{fill:#57606a}"
    "@media(prefers-color-scheme:dark){text{fill:#d1d7e0}.page{fill:#212830}.line{stroke:#9198a1}.tip{fill:#9198a1}}"
    ".in-box{fill:#1f2328}"
)
LINE = "class='line' stroke-width='1.5' fill='none'"
WEIGHTS: Mapping[str, str] = {"thick": "stroke='#c2410c' stroke-width='3' fill='none'", "": LINE}


def text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f"<text x='{x}' y='{y}' text-anchor='{anchor}' {more}>{words}</text>"


def box(x: float, y: float, width: float, height: float, fill: str, words: str = "") -> str:
    shape = f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='4' fill='{fill}' stroke='#57606a'/>"
    return shape + (text(x + width / 2, y + height / 2 + 5, words, more="class='in-box'") if words else "")


def arrow(x: float, y: float, to_x: float, to_y: float, weight: str = "") -> str:
    return f"<path d='M{x} {y} L{to_x} {to_y}' {WEIGHTS[weight]} marker-end='url(#tip)'/>"


def picture(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    """A picture on a ground of its own, so that it can be read in pages of the other scheme as well."""
    tip = "<path d='M0 0 L8 4 L0 8 z' class='tip'/>"
    size = f"viewBox='0 0 {width} {height}' width='{width}'"
    return "\n".join(
        (
            f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' {STYLE}>",
            f"<title>{title}</title>",
            f"<style>{COLOURS}</style>",
            f"<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' "
            f"orient='auto-start-reverse' markerUnits='userSpaceOnUse'>{tip}</marker></defs>",
            f"<rect width='{width}' height='{height}' rx='8' class='page'/>",
            *parts,
            "</svg>\n",
        )
    )


def orders() -> Iterator[str]:
    """Three channels of four pixels in memory."""
    planar = [(channel, pixel) for channel in range(3) for pixel in range(4)]
    yield from strip("NCHW", planar, 30)
    yield from strip("NHWC", sorted(planar, key=lambda place: (place[1], place[0])), 120)
    yield text(330, 108, "one transpose moves all bytes", more="font-style='italic'")


def strip(order: str, places: Sequence[tuple[int, int]], y: int) -> Iterator[str]:
    yield text(20, y + 30, order, "start", "font-weight='bold'")
    for position, (channel, pixel) in enumerate(places):
        yield box(90 + position * 42, y, 40, 50, CHANNELS[channel], f"c{channel} p{pixel}")


def views() -> Iterator[str]:
    """A softmax over the rows of an image: both reshapes, and the transposes, are views of two storages."""
    yield text(30, 32, "the program", "start", "font-weight='bold'")
    names = ("conv2d", "transpose", "reshape", "softmax", "reshape", "transpose", "conv2d")
    for place, name in enumerate(names):
        yield box(30 + place * 105, 45, 85, 34, "#f6f8fa" if name in ("transpose", "reshape") else "#ffe9a8", name)
        if place:
            yield arrow(10 + place * 105, 62, 30 + place * 105, 62)
    yield text(30, 125, "what the solver sees", "start", "font-weight='bold'")
    for place, name in ((0, "conv2d"), (3, "softmax"), (6, "conv2d")):
        yield box(30 + place * 105, 140, 85, 34, "#ffe9a8", name)
    for place, name in ((1, "storage A"), (4, "storage B")):
        yield box(42 + place * 105, 140, 166, 34, "#d7e5f5", f"{name}: N · H · W · C")
        yield arrow(10 + place * 105, 157, 40 + place * 105, 157)
        yield arrow(210 + place * 105, 157, 240 + place * 105, 157)


def cut() -> Iterator[str]:
    """A program between two pinned orders: the minimum is a cut, the proof are disjoint paths."""
    places = {"argument": (70, 60), "argument ": (70, 180), "conv2d": (230, 60), "relu": (360, 60)}
    places |= {"add": (490, 120), "sigmoid": (360, 180), "result": (640, 120)}
    sides = {"argument": "#d7e5f5", "argument ": "#d7e5f5", "conv2d": "#ffe9a8", "relu": "#ffe9a8"}
    edges = (
        ("argument", "conv2d", "768", "thick"),
        ("conv2d", "relu", "768", ""),
        ("relu", "add", "768", "thick"),
        ("argument ", "sigmoid", "768", ""),
        ("sigmoid", "add", "768", ""),
        ("add", "result", "768", ""),
    )
    for start, end, weight, kind in edges:
        (x, y), (to_x, to_y) = places[start], places[end]
        yield arrow(x + 46, y, to_x - 48, to_y, kind)
        yield text((x + to_x) / 2 + (18 if y != to_y else 0), (y + to_y) / 2 - 8, weight, more="font-size='12'")
    for name, (x, y) in places.items():
        yield box(x - 45, y - 17, 90, 34, sides.get(name, "#d7e5f5"), name.strip())
    yield text(70, 30, "pinned to NCHW", more="font-size='12'")
    yield text(230, 30, "demands NHWC", more="font-size='12'")
    yield text(640, 90, "pinned to NCHW", more="font-size='12'")
    yield text(
        360, 235, "yellow: stored in NHWC, blue: in NCHW; the thick uses need a transpose", more="font-size='12'"
    )


PICTURES: Mapping[str, Callable[[], str]] = {
    "orders.svg": lambda: picture(620, 200, "Three channels of four pixels in two orders", orders()),
    "views.svg": lambda: picture(780, 200, "A program, and its storages", views()),
    "cut.svg": lambda: picture(720, 250, "A cut between two pinned orders", cut()),
}


class Page(NamedTuple):
    """A picture of a report page."""

    options: str
    """The options of npu-opt behind the model."""
    tab: str
    click: str = ""
    """A button that is pressed before."""
    scheme: Literal["light", "dark"] = "light"


MODEL = FOLDER.parents[1] / "benchmarks/models/segformer_b0.onnx"
OPU, PLOVER = (f"--target={name} --layout-optimal --canonicalize" for name in ("opu", "plover"))
PAGES: Mapping[str, Page] = {
    "report_overview_light.png": Page(OPU, "Overview"),
    "report_overview_dark.png": Page(OPU, "Overview", scheme="dark"),
    "report_graph.png": Page(OPU, "Graph", click="op transpose, Transpose_3,"),
    "report_fusion.png": Page(f"{PLOVER} --fuse-ops-hw", "Fusion", scheme="dark"),
}


SITE_PAGES = ("index", "why", "placement", "theory", "results/quality", "reference/passes", "reference/shipped_targets")
WIDTHS = (400, 900, 1500)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@contextmanager
def chromium() -> Generator[Any]:
    """A browser. Chromium refuses to run as root with its sandbox; the pages are our own."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


def draw_site() -> None:
    """Build the site, and take pictures of its pages as they are opened from disk."""
    root = FOLDER.parents[1]
    site, pictures = root / "build/site", root / "build/pictures"
    build = [Path(sys.executable).with_name("mkdocs"), "build", "--strict", "--quiet", "--site-dir", site]
    subprocess.run(build, cwd=root, check=True)
    pictures.mkdir(exist_ok=True)
    with chromium() as browser:
        for page, width, scheme in product(SITE_PAGES, WIDTHS, SCHEMES):
            window = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            window.goto((site / f"{page}.html").as_uri())
            window.screenshot(path=pictures / f"{page.replace('/', '_')}_{width}_{scheme}.png")
            window.close()


def draw_pages() -> None:
    """Make the pages, and take pictures of them in a browser."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        shutil.copy(MODEL, folder)
        numbers = {options: number for number, options in enumerate({page.options: None for page in PAGES.values()})}
        for options, number in numbers.items():
            command = f"{Path(sys.executable).with_name('npu-opt')} {MODEL.name} {options}"
            report = ["--report", f"page_{number}.html", "-o", "placed.mlir"]
            subprocess.run([*command.split(), *report], cwd=folder, check=True)
        for file, page in PAGES.items():
            window = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme=page.scheme)
            window.goto((folder / f"page_{numbers[page.options]}.html").as_uri())
            window.get_by_role("tab", name=page.tab).click()
            if page.click:
                window.get_by_role("button", name=page.click).first.click()
            window.screenshot(path=FOLDER / file)


def main() -> int:
    for option, draw_in_browser in (("--pages", draw_pages), ("--site", draw_site)):
        if option in sys.argv[1:]:
            draw_in_browser()
            return 0
    texts = {FOLDER / name: draw() for name, draw in PICTURES.items()}
    stale = [file.name for file, drawn in texts.items() if not file.exists() or file.read_text() != drawn]
    if "--check" in sys.argv[1:]:
        if stale:
            print(f"{', '.join(stale)}: stale, run `python docs/make_pictures.py`", file=sys.stderr)
        return int(bool(stale))
    for file, drawn in texts.items():
        file.write_text(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())
