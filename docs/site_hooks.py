"""The pages as a site is to show them: for mkdocs, which calls these functions.

Files outside of docs/ that pages link to become part of the site, and folders are only named. A link whose text is the
name of a page gets its title. The sign `|` in code in a table needs a backslash on GitHub, which mkdocs would show. A
picture named `..._light.png` is `..._dark.png` in dark pages, and diagrams are drawn (site_diagrams.py). The index of
the search is a script as well, as browsers read no other file for a page from disk.
"""

import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from site_diagrams import with_pictures

ROOT = Path(__file__).parent.parent
OUTSIDE = re.compile(r"\[([^\]]*)\]\((\.\./[^)#\s]+)(?:#[^)]*)?\)")
NAMED_BY_FILE = re.compile(r"\[(\w+\.md)\]\(((?:[\w.]+/)*\1(?:#[^)]*)?)\)")
LIGHT_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)_light\.png\)")
FLAG = re.compile(r"<code>(--[^<]{1,32}</code>)")
CODE_WITH_BAR = re.compile(r"`([^`\n]*\\\|[^`\n]*)`")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the files that pages link to."""
    pages = [page for page in files.documentation_pages() if page.abs_src_path]
    linked = {
        outside
        for page in pages
        for _, path in OUTSIDE.findall(Path(str(page.abs_src_path)).read_text())
        if (outside := _outside(page.src_uri, path))
    }
    for path in sorted(path for path in linked if (ROOT / path).is_file()):
        files.append(File.generated(config, f"source/{path}.txt", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The text of a page for mkdocs."""
    titles = {Path(target).name: title for target, title in _titles(config["nav"])}
    markdown = OUTSIDE.sub(lambda link: _inside(link, page.file.src_uri), markdown)
    markdown = NAMED_BY_FILE.sub(lambda link: f"[{titles.get(link[1], link[1])}]({link[2]})", markdown)
    markdown = LIGHT_PICTURE.sub(r"![\1](\2_light.png#only-light)![\1](\2_dark.png#only-dark)", markdown)
    return with_pictures(CODE_WITH_BAR.sub(_with_bar, markdown))


def on_page_content(html: str, **_: Any) -> str:
    """The content of a page, whose flags browsers do not break behind a hyphen."""
    return FLAG.sub(r'<code class="flag">\1', html)


def on_post_build(*, config: Any) -> None:
    """The index of the search as a script, for pages that are opened from disk."""
    folder = Path(config["site_dir"], "search")
    index = (folder / "search_index.json").read_text()
    (folder / "search_index.js").write_text(f"var __index = {index};\n")


def _titles(navigation: Any) -> Iterator[tuple[str, str]]:
    """The file of each page with its title."""
    for entry in navigation:
        for title, target in entry.items():
            if isinstance(target, str):
                yield target, title
            else:
                yield from _titles(target)


def _outside(page: str, path: str) -> str:
    """The path, from the root of the clone, of a file outside of docs/; empty for a page."""
    found = os.path.normpath(f"docs/{Path(page).parent}/{path}")
    return "" if found.startswith("docs/") else found


def _inside(link: re.Match[str], page: str) -> str:
    text, path = link.groups()
    if not (outside := _outside(page, path)):
        return link[0]
    up = "../" * page.count("/")
    return f"[{text}]({up}source/{outside}.txt)" if (ROOT / outside).is_file() else text


def _with_bar(code: re.Match[str]) -> str:
    text = html.escape(code[1]).replace("\\|", "&#124;")
    return f"<code>{text}</code>"
