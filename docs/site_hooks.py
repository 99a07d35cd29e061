"""Links of the pages that leave docs/, for mkdocs: files become part of the site, folders are only named."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the files that pages link to."""
    pages = [page for page in files.documentation_pages() if page.abs_src_path]
    linked = {path for page in pages for _, path, _ in OUTSIDE.findall(Path(str(page.abs_src_path)).read_text())}
    for path in sorted(path for path in linked if (ROOT / path).is_file()):
        files.append(File.generated(config, f"source/{path}.txt", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lead these links to the copies."""
    return OUTSIDE.sub(_inside, markdown)


def _inside(link: re.Match[str]) -> str:
    text, path, _ = link.groups()
    return f"[{text}](source/{path}.txt)" if (ROOT / path).is_file() else text
