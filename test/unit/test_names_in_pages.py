"""Names of code and of tests in the pages that explain the code: each is one that exists."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest
from support.source_tree import ROOT, dotted, package_files

SEEDS = ROOT / "test" / "seeds" / "README.md"
ROWS = SEEDS.with_name("rows.md")
NAME = re.compile(r"_?[A-Za-z]\w*(\.\w+)*")
OF_OTHERS = {"DisjointSet": {"find"}}
"""The names of xDSL among them."""


class Code:
    """The names that the package defines."""

    def __init__(self) -> None:
        self.members = defaultdict[str, set[str]](set)
        """The methods and fields of each class, and the modules of the package."""
        self.bases = defaultdict[str, set[str]](set)
        self.names = {"npu_opt", *OF_OTHERS, *(name for names in OF_OTHERS.values() for name in names)}
        for path in package_files():
            self.names |= {*path.relative_to(ROOT).with_suffix("").parts}
            self.members["npu_opt"].add(dotted(path).removeprefix("npu_opt."))
            self._note(ast.parse(path.read_text(encoding="utf-8")))

    def _note(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            self.names |= {*_defined(node)}
            if isinstance(node, ast.ClassDef):
                self.bases[node.name] |= {base.id for base in node.bases if isinstance(base, ast.Name)}
                self.members[node.name] |= {name for inner in ast.walk(node) for name in _defined(inner)}

    def has(self, name: str) -> bool:
        """True if a name, or one of a class such as `Matching.find`, is defined."""
        owner, _, member = name.partition(".")
        return owner in self.names and (not member or self._has_member(owner, member))

    def _has_member(self, owner: str, member: str) -> bool:
        return member in self.members[owner] or any(self._has_member(base, member) for base in self.bases[owner])


def _defined(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case _:
            pass


@cache
def code() -> Code:
    return Code()


def spans(text: str) -> list[str]:
    """The texts in code quotes that may be names of code: no option, command, path or table of a file."""
    found = [span.removesuffix("()").split("(")[0] for span in re.findall(r"`([^`\n]+)`", text)]
    return [span for span in found if NAME.fullmatch(span) and not span.startswith("npu.") and "." not in span[-4:]]


def rows() -> Iterator[list[str]]:
    """The rows of the tables on the seeds: of the seed, of the code, of the tests."""
    for line in SEEDS.read_text(encoding="utf-8").splitlines():
        cells = line.strip("| ").split(" | ")
        if line.startswith("|") and len(cells) == 3 and "---" not in line and cells[2] != "tests":
            yield cells


def test_names_of_the_code_on_the_page_of_the_seeds_exist():
    unknown = [name for cells in rows() for name in spans(cells[1]) if not code().has(name)]
    assert unknown == []


def test_names_of_the_code_in_the_architecture_exist():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [name for name in spans(text) if not code().has(name)] == []


@pytest.mark.parametrize("cells", [*rows()], ids=lambda cells: cells[0][:40])
def test_tests_on_the_page_of_the_seeds_exist(cells: list[str]):
    resolve(cells[2])


def resolve(tests: str) -> list[str]:
    """The names of test files in a text, in which there are the lit functions, prefixes and tests behind them."""
    text, found = "", list[str]()
    for word in re.findall(r"\([^)]+\)|[\w/.]+\.(?:mlir|py)|@\w+|`test_\w+`|`[A-Z]+`", tests):
        name = word.strip("()`")
        if name.endswith((".mlir", ".py")):
            files = [*(ROOT / "test").rglob(name.rpartition("/")[2])]
            assert files, f"no file {name}"
            found.append(files[0].name)
            text = files[0].read_text(encoding="utf-8")
        elif word[0] == "@":
            assert re.search(rf"func\.func (private )?{word}\(", text), word
        elif name.isupper():
            assert not text or re.search(rf"check-prefix[ =]{name}\b", text), word
        elif word[0] == "`":
            assert f"def {name}(" in text, word
    return found


def statuses() -> dict[str, tuple[str, str]]:
    """The status of each row of the documents, and the tests that show it."""
    lines = [line.strip("| ").split(" | ") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    rows = [cells for cells in lines if re.fullmatch(r"[A-Z]\d+", cells[0])]
    assert len({cells[0] for cells in rows}) == len(rows)
    return {name: (status, tests) for name, _, status, tests in rows}


@pytest.mark.parametrize(("row", "status", "tests"), [(row, *each) for row, each in statuses().items()])
def test_each_row_of_the_seeds_is_equal_or_has_a_reason(row: str, status: str, tests: str):
    assert status == "equal" or status.removeprefix("deviation: ") != status, row
    assert resolve(tests), row


def test_rows_of_the_seeds_are_counted():
    text, found = ROWS.read_text(encoding="utf-8"), statuses()
    counts: dict[str, list[int]] = {}
    for title, table in re.findall(r"^## (\S+)$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
        names = re.findall(r"^\| ([A-Z]\d+) \|", table, re.MULTILINE)
        assert names == [f"{names[0][0]}{number}" for number in range(1, len(names) + 1)]
        equal = sum(found[name][0] == "equal" for name in names)
        counts[title] = [len(names), equal, len(names) - equal]
    counts["all"] = [sum(each) for each in zip(*counts.values(), strict=True)]
    found_in_page = {
        name: list(map(int, numbers)) for name, *numbers in re.findall(r"^\| (\S+) " + r"\| (\d+) " * 3, text, re.M)
    }
    assert found_in_page == counts


def test_each_lit_file_of_the_seeds_shows_a_row():
    named = {name for _, tests in statuses().values() for name in resolve(tests)}
    assert {path.name for path in SEEDS.parent.glob("*.mlir")} <= named


def test_what_is_gone_is_found():
    assert not code().has("only_stores_again")
    assert not code().has("FusionNode.is_seen_outside")
    assert code().has("FusionNode.is_used_outside")
    assert code().has("Matching.find")
    assert not code().has("Matching.lost")
