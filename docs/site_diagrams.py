"""Diagrams of pages as pictures, drawn when the site is built: browsers then load no program from a network.

The pages have flowcharts of mermaid, which GitHub draws. Graphviz draws them for the site, and docs/site/site.css gives
them their colours, which are those of the page. A line that is not understood is an error.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from html import escape, unescape

from npu_opt.tools.report.coordinates import graphviz

FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTE = '"'
STYLES = ("classDef ", "linkStyle ")
DIRECTIONS: Mapping[str, str] = {"flowchart TB": "TB", "flowchart LR": "LR"}
SHAPES: Mapping[str, str] = {
    "(": 'box, style="rounded,filled"',
    "[": "box, style=filled",
    "([": 'box, style="rounded,filled"',
    "[(": "cylinder, style=filled",
    "((": "ellipse, style=filled",
}
NODE = re.compile(
    r"(?P<name>[\w/]+)"
    r"(?:(?P<shape>\(\(|\(\[|\[\(|\(|\[)(?P<label>\"[^\"]*\"|[^\"]*?)(?:\)\)|\]\)|\)\]|\)|\]))?"
    r"(?::::(?P<style>\w+))?"
)
LINK = re.compile(r" (?:(?P<start>--|-\.) (?P<label>\"[^\"]*\"|.*?) )?(?P<end>-->|\.->|-\.->|\.-) ")
BOX = re.compile(r"subgraph (\w+) \[(.*)\]")
LABEL = re.compile(r'^"[^"]+" \[label="([^"]*)"', re.MULTILINE)
UNSEEN = re.compile(r"^.*?(?=<svg)|<!--.*?-->|<title>.*?</title>|\n", re.DOTALL)


def with_pictures(markdown: str) -> str:
    """The text of a page with a picture in the place of each diagram."""
    return FENCE.sub(lambda fence: picture(fence[1]), markdown)


def picture(chart: str) -> str:
    """A diagram as an element of HTML."""
    dot = "\n".join(dot_lines(chart))
    done = subprocess.run([graphviz(), "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", check=True)
    names = ", ".join(LABEL.findall(dot)).replace("\\n", " ")
    svg = UNSEEN.sub("", done.stdout).replace("<svg ", f'<svg role="img" aria-label="diagram of {escape(names)}" ', 1)
    return f'<div class="diagram">{svg}</div>'


def dot_lines(chart: str) -> Iterator[str]:
    """A flowchart of mermaid in Graphviz' language."""
    first, *lines = (line.strip() for line in chart.splitlines() if line.strip())
    font = 'fontname="Helvetica" fontsize=11'
    yield f'digraph {{ rankdir={DIRECTIONS[first]} bgcolor="transparent" {font} nodesep=0.3 ranksep=0.35'
    yield f"node [{font} shape=box height=0.3] edge [{font} arrowsize=0.7]"
    for line in lines:
        if line.startswith(STYLES):
            continue
        if box := BOX.fullmatch(line):
            yield f"subgraph cluster_{box[1]} {{ label={quoted(box[2])}"
        else:
            yield "}" if line == "end" else "\n".join(statement(line))
    yield "}"


def statement(line: str) -> Iterator[str]:
    """Nodes, and the edges between them."""
    at, before, link = 0, list[str](), None
    while True:
        here: list[str] = []
        while True:
            node = NODE.match(line, at)
            if node is None:
                raise ValueError(f"not understood in a diagram: {line}")
            yield from declared(node)
            here.append(node["name"])
            at = node.end()
            if not line.startswith(" & ", at):
                break
            at += len(" & ")
        if link is not None:
            yield from (f'"{source}" -> "{target}" [{look(link)}]' for source in before for target in here)
        if at == len(line):
            return
        link, before = LINK.match(line, at), here
        if link is None:
            raise ValueError(f"not understood in a diagram: {line}")
        at = link.end()


def declared(node: re.Match[str]) -> Iterator[str]:
    """A node where it is declared; one that is only named has its name as label."""
    if node["shape"] is not None:
        style = f", class={node['style']}" if node["style"] else ""
        yield f'"{node["name"]}" [label={quoted(node["label"])}, shape={SHAPES[node["shape"]]}{style}]'


def look(link: re.Match[str]) -> str:
    dashed = "style=dashed, " if "." in link["end"] else ""
    ends = "" if link["end"].endswith(">") else "dir=none, "
    # The space keeps the text off the line.
    label = f"label={quoted(' ' + link['label'].strip(QUOTE))}" if link["label"] else ""
    return f"{dashed}{ends}{label}"


def quoted(text: str) -> str:
    """A text of mermaid as a string of dot: `<br/>` is a new line, `#34;` a character by its number."""
    plain = unescape(re.sub(r"#(\d+);", r"&#\1;", text.strip(QUOTE).replace("<br/>", "\n")))
    escaped = plain.replace("\\", "\\\\").replace('"', "'").replace("\n", "\\n")
    return f'"{escaped}"'
