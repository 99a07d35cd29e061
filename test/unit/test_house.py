"""The rules of CONTRIBUTING that a program can check. Each message says what to add, and where."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from npu_opt.dialects.npu import FAMILIES, NPU
from npu_opt.dialects.npu.source import ConstantOp, ForeignOp
from npu_opt.dialects.op_table import OpTable
from npu_opt.passes import PASS_TABLE, get_all_passes
from support import optional_tools
from support.ir_text import context, split_cases
from support.source_tree import ROOT, dotted, files, package_files
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.passes import ModulePass

TEST = ROOT / "test"
DIALECT_TESTS = TEST / "dialects" / "npu"
OPS = [pytest.param(op, id=op.name) for op in NPU.operations]
PASSES = sorted(PASS_TABLE)

LONGEST_FILE = 600
FEWEST_OPS = 70
CODE = (".py", ".mlir", ".test")
TEXT = (*CODE, ".md", ".toml", ".in", ".txt", "")

FOR_ALL = {"version", "compat"}
# What each part of the package may import besides itself and these.
MAY_IMPORT = {
    "checkers": set[str](),
    "compat": set[str](),
    "version": set[str](),
    "layout": set[str](),
    "dialects": {"layout"},
    "targets": {"layout", "dialects"},
    "passes": {"layout", "dialects", "targets"},
    "interpreter": {"layout", "dialects"},
    "bridges": {"layout", "dialects", "interpreter"},
    "equivalence": {"layout", "dialects", "interpreter"},
    "universe": {"dialects", "passes", "bridges", "text"},
    "text": {"layout", "dialects", "targets", "passes"},
    "tools": {
        "layout",
        "dialects",
        "targets",
        "passes",
        "interpreter",
        "bridges",
        "equivalence",
        "universe",
        "text",
        "checkers",
    },
    "pytorch": {"api"},
    "__main__": {"tools"},
    "api": {
        "layout",
        "dialects",
        "targets",
        "passes",
        "interpreter",
        "bridges",
        "equivalence",
        "universe",
        "text",
        "tools",
    },
}


# --- the dialect


def test_the_dialect_has_all_its_ops():
    assert len(list(NPU.operations)) >= FEWEST_OPS


def docstring(op: type[Operation]) -> str:
    # Not inspect.getdoc: that falls back to the docstring of a superclass.
    text = op.__dict__.get("__doc__") or ""
    assert text.strip(), f"{op.__name__} has no docstring"
    return text.strip()


@pytest.mark.parametrize("op", OPS)
def test_op_says_in_one_sentence_what_it_means(op: type[Operation]):
    first_line = docstring(op).splitlines()[0]
    assert re.fullmatch(r"[^\s].*[^.\s]\.", first_line), f"not a sentence: {first_line!r}"
    assert ". " not in first_line, f"more than one sentence: {first_line!r}"


def parse_example(text: str) -> Iterator[Operation]:
    """Parse ops one by one. Operands that nothing defines take their types from the op that reads them."""
    parser = Parser(context(), text)
    while (op := parser.parse_optional_operation()) is not None:
        yield op


@pytest.mark.parametrize("op", OPS)
def test_op_has_an_example_that_verifies(op: type[Operation]):
    example = re.search(r"```mlir\n(.*?)```", docstring(op), re.DOTALL)
    assert example, f"the docstring of {op.__name__} has no ```mlir block"
    parsed = list(parse_example(example[1]))
    for each in parsed:
        each.verify()
    assert op in map(type, parsed), f"the example does not show {op.name}"


def has_case(op: type[Operation], pattern: str) -> bool:
    mentioned = re.compile(rf"(?<![\w.]){re.escape(op.name)}(?![\w.])")
    return any(
        mentioned.search(line)
        for file in DIALECT_TESTS.rglob(pattern)
        for line in file.read_text().splitlines()
        if not line.lstrip().startswith("//")
    )


@pytest.mark.parametrize("op", OPS)
def test_op_has_a_round_trip_case(op: type[Operation]):
    assert has_case(op, "ops*.mlir"), f"add {op.name} to an ops*.mlir below test/dialects/npu"


@pytest.mark.parametrize("op", OPS)
def test_op_has_an_invalid_case(op: type[Operation]):
    assert has_case(op, "invalid*.mlir"), f"add {op.name} to an invalid*.mlir below test/dialects/npu"


# --- tables of ops

FOREIGN = {op for op in NPU.operations if issubclass(op, ForeignOp)}
"""Ops of other systems, of which nobody knows what they compute."""

OP_TABLES = {
    "interpreter/ops": ("npu_opt.interpreter.registry", "MEANINGS", FOREIGN),
    "bridges/onnx/exporting/ops": ("npu_opt.bridges.onnx.exporting.registry", "EXPORTERS", set[type[Operation]]()),
    "bridges/mlir/exporting/ops": ("npu_opt.bridges.mlir.exporting.registry", "LOWERINGS", {ConstantOp, *FOREIGN}),
    "test/support/generators/ops": ("support.generators.samplers", "SAMPLERS", set[type[Operation]]()),
}
"""For each folder the table that its modules fill, and the ops that are not in it because they are handled apart."""

FOREIGN_FAMILIES = {
    "bridges/onnx/importing/ops": {
        "arithmetic",
        "einsum",
        "foldable",
        "indexing",
        "losses",
        "microsoft",
        "nchwc",
        "slicing",
        "training",
        "unmapped",
    },
    "bridges/mlir/importing/ops": set[str](),
}
"""The folders for ops of other systems, and their modules that no family of the dialect is the counterpart of."""


def family_of(module: str) -> str:
    return module.rpartition(".")[2]


def modules_in(folder: str) -> set[str]:
    return {file.stem for file in (ROOT / folder).glob("*.py")} - {"__init__"}


def test_every_op_is_in_a_family():
    assert {op.__module__ for op in NPU.operations} == {f"npu_opt.dialects.npu.{name}" for name in FAMILIES}


@pytest.mark.parametrize("folder", [*OP_TABLES, *FOREIGN_FAMILIES])
def test_files_of_ops_are_named_by_families(folder: str):
    others = modules_in(folder) - FOREIGN_FAMILIES.get(folder, set()) - set(FAMILIES)
    assert others == set(), f"name these files in {folder} by a family, or move them out: they are no entries"


@pytest.mark.parametrize("folder", OP_TABLES)
def test_every_op_has_its_entry_in_the_file_of_its_family(folder: str):
    module, name, apart = OP_TABLES[folder]
    for part, tool in (("onnx", optional_tools.onnx()), ("mlir", optional_tools.mlir_bindings())):
        if part in folder and tool.location is None:
            pytest.skip(tool.note)
    table: OpTable[Callable[..., object]] = getattr(import_module(module), name)
    assert set(table) == set(NPU.operations) - apart
    wrong = [op.name for op in table if family_of(table[op].__module__) != family_of(op.__module__)]
    assert wrong == [], f"move these into the files of {folder} that have the names of their families"


# --- passes


def load_pass(name: str) -> type[ModulePass]:
    return get_all_passes()[name]()


@pytest.mark.parametrize("name", PASSES)
def test_pass_has_one_name_everywhere(name: str):
    file_name = name.replace("-", "_")
    module = PASS_TABLE[name].module
    assert module.rpartition(".")[2] == file_name
    assert load_pass(name).name == name
    assert load_pass(name).__module__ == f"npu_opt{module if '.' in module else f'.passes.{module}'}"
    assert (TEST / "passes" / f"{file_name}.mlir").exists(), f"add test/passes/{file_name}.mlir"


@pytest.mark.parametrize("name", PASSES)
def test_pass_is_summarised_by_its_docstring(name: str):
    text = load_pass(name).__dict__.get("__doc__") or ""
    assert text.strip(), f"{name} has no docstring"
    assert text.strip().splitlines()[0] == PASS_TABLE[name].summary


def test_every_pass_is_registered():
    registered = {entry.module for entry in PASS_TABLE.values()}
    defining = {
        file.stem
        for file in (ROOT / "passes").glob("*.py")
        if re.search(r"^class \w+\(.*Pass\b.*\):$.*^    name = ", file.read_text(), re.MULTILINE | re.DOTALL)
    }
    assert defining <= registered


# --- lit files

LIT_FILES = [
    pytest.param(file, id=str(file.relative_to(TEST)))
    for suffix in ("*.mlir", "*.test")
    for file in sorted(TEST.rglob(suffix))
    if not {"Inputs", "unit"} & set(file.relative_to(TEST).parts)
]


@pytest.mark.parametrize("file", LIT_FILES)
def test_lit_case_says_what_it_shows(file: Path):
    cases = split_cases(file.read_text())
    silent = [case.strip() for case in cases if not re.search(r"^\s*/// \w", case, re.MULTILINE)]
    assert silent == [], "begin each case with a line `/// ` that states what it shows"
    questions = [text for text in re.findall(r"^\s*///(.*)", file.read_text(), re.MULTILINE) if QUESTION.match(text)]
    assert questions == [], "begin these lines with their subject, a noun or a verb"


# --- all files


def test_no_file_is_long():
    lengths = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in files(*CODE)}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_every_comparison_of_floats_states_its_room():
    """`support.closeness` has the rooms, each with a reason."""
    bare = re.compile(r"\b(?:allclose|assert_allclose|isclose|approx)\(")
    files = [file for file in sorted((ROOT / "test" / "unit").rglob("*.py")) if file != Path(__file__)]
    assert [str(file.relative_to(ROOT)) for file in files if bare.search(file.read_text())] == []


def test_no_file_names_a_place_on_one_machine():
    places = re.compile(r"(?<![\w.)}%])/(?:work|root|tmp|home|opt|Users)/")
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files(*TEXT)
        if file != Path(__file__)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if places.search(line)
    ]
    assert found == []


def test_links_between_pages_and_files_lead_somewhere():
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in files(".md")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_files_that_the_page_on_architecture_names_exist():
    names = [str(file.relative_to(ROOT)) for file in files(".py")]
    mentioned = set(re.findall(r"`([\w/]+\.py)`", (ROOT / "docs" / "architecture.md").read_text()))
    missing = [name for name in mentioned if not any(f"/npu_opt/{other}".endswith(f"/{name}") for other in names)]
    assert sorted(missing) == []


# --- words

RETIRED_WORDS = (
    r"stor(ed|es|e|ing) again",
    r"wish(es|ed)?",
    r"told",
    r"re-(lay|laid|layouts?)",
    r"rela(y|id)",
    r"in sequence",
    r"in (the|their|that|this|its|any|another|a random) sequence",
    r"sequence of the (text|program|walk|block)",
    r"excuse[sd]?",
    r"refusals?",
    r"misfits?",
    r"clauses?",
    r"atoms?",
    r"upstream",
    r"makers?",
    r"suppl(y|ies)",
    r"sightings?",
    r"fates?",
    r"stand(s|ing)?(?! for\b)",
    r"comes? into being|came into being",
    r"do(es)? not follow each other",
    r"by themselves",
    r"look(s|ed|ing)? at",
    r"torn",
    r"beliefs?",
    r"choosers?",
    r"dues?",
    r"(custom|generic|operand|text|binary|escaped|packed|quantised|requantised) forms?",
    r"spoil(s|t|ed|ing)?",
    r"spar(e|es|ed|ing)",
    r"look(s|ed|ing)? into",
    r"as (it )?is cheapest",
    r"of the orders tried",
)
"""Words that docs/glossary.md replaces: regular expressions for whole words, in any case."""

SHARED_CLASS_NAMES = frozenset({"Model", "NotExportable", "Verdict"})
"""Names of public classes that several files of the package define. At most four."""


def test_no_retired_word_is_used():
    retired = re.compile(rf"\b({'|'.join(RETIRED_WORDS)})\b", re.IGNORECASE)
    found = [
        f"{file.relative_to(ROOT)}:{number}: '{match[0]}' in: {line.strip()}"
        for file in files(*TEXT)
        if file not in (Path(__file__), ROOT / "CHANGELOG.md")
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (match := retired.search(line))
    ]
    assert found == [], f"docs/glossary.md has the words to use instead of these {len(found)}:\n" + "\n".join(found)


@cache
def docstrings() -> list[tuple[Path, int, str]]:
    """The strings of all files that are statements, with their places: docstrings, also those of fields."""
    return [
        (file, node.lineno, node.value.value)
        for file in files(".py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


QUESTION = re.compile(r"\s*(What|Where|Who|Which|How|Why|Whether)\b")


def docstrings_that_begin_with(words: re.Pattern[str]) -> list[str]:
    """The first lines of docstrings that begin with some words, with their places."""
    return [
        f"{file.relative_to(ROOT)}:{line}: {text.strip().splitlines()[0]}"
        for file, line, text in docstrings()
        if words.match(text)
    ]


def test_no_docstring_begins_with_a_question_word():
    found = docstrings_that_begin_with(QUESTION)
    assert found == [], "begin these with their subject, a noun or a verb:\n" + "\n".join(found)


REFERENCE = re.compile(r"\s*(The same|Those|These|That)\b")


def test_every_docstring_is_understood_alone():
    found = docstrings_that_begin_with(REFERENCE)
    assert found == [], "name the subject of these, which begin with one that another docstring names:\n" + "\n".join(
        found
    )


def test_class_name_is_defined_in_one_file():
    homes: dict[str, set[str]] = {}
    for file in package_files():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(str(file.relative_to(ROOT)))
    assert len(SHARED_CLASS_NAMES) <= 4
    several = {name: sorted(found) for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in SHARED_CLASS_NAMES} == {}
    assert set(several) >= SHARED_CLASS_NAMES, "remove the names that are defined once"


# --- layers


@cache
def imported_modules(file: Path) -> list[tuple[int, str]]:
    """Line and dotted name of each import, also of those inside functions; relative ones made absolute."""
    return [*_imported_modules(file)]


def _imported_modules(file: Path) -> Iterator[tuple[int, str]]:
    package = ("npu_opt", *file.parent.relative_to(ROOT).parts)
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join((*base, *filter(None, [node.module])))
            # `from .. import text` names a module after the `import`.
            yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)


def layer(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


IN_LAYERS = [file for file in package_files() if layer(file) != "__init__"]


def test_every_part_of_the_package_has_its_layer():
    assert {layer(file) for file in IN_LAYERS} <= set(MAY_IMPORT), "name the new part in MAY_IMPORT"


def test_imports_follow_the_layers():
    wrong = [
        f"{file.relative_to(ROOT)}:{line}: imports {name}"
        for file in IN_LAYERS
        for line, name in imported_modules(file)
        if name.startswith("npu_opt.")
        if name.split(".")[1] not in {layer(file), *FOR_ALL, *MAY_IMPORT[layer(file)]}
    ]
    assert wrong == []


PATTERNS = "get_canonicalization_patterns"


@cache
def imports_by_module() -> dict[str, set[str]]:
    """The modules of the package that each module imports, at any time, but for patterns of canonicalization.

    Those import the ops that they rewrite; xDSL asks the op for them.
    """
    names = {file: dotted(file) for file in package_files()}
    known = set(names.values())
    found: dict[str, set[str]] = {}
    for file, module in names.items():
        text = file.read_text()
        apart = {
            line
            for node in (ast.walk(ast.parse(text)) if PATTERNS in text else ())
            if isinstance(node, ast.FunctionDef) and node.name == PATTERNS
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        imported = [name for line, name in imported_modules(file) if line not in apart]
        homes = (name if name in known else name.rpartition(".")[0] for name in imported)
        found[module] = set(homes) & known - {module}
    return found


def circle_in(imports: dict[str, set[str]]) -> list[str]:
    """The end of a way through imports that comes back to its start; empty if there is none."""
    left = dict(imports)
    # What imports nothing that is left is in no circle.
    while ended := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in ended:
            del left[name]
    circle = [min(left)] if left else []
    while left and (following := min(left[circle[-1]] & left.keys())) not in circle:
        circle.append(following)
    return circle


def test_imports_make_no_circle():
    imports = imports_by_module()
    assert sum(map(len, imports.values())) > len(imports)
    assert circle_in(imports) == [], "these lead to a circle: move what they need of each other to a module of its own"


PACKAGES = {dotted(file) for file in package_files() if file.name == "__init__.py"}


@pytest.mark.parametrize("part", ["dialects", "passes", "targets", "text", "tools.driver"])
def test_folders_of_a_part_make_no_circle(part: str):
    """The folders of one part follow each other in one direction, as the parts do."""

    def folder(module: str) -> str:
        return module if module in PACKAGES else module.rpartition(".")[0]

    found: dict[str, set[str]] = {}
    for module, imported in imports_by_module().items():
        if f"{folder(module)}.".startswith(f"npu_opt.{part}."):
            found.setdefault(folder(module), set()).update(map(folder, imported - {folder(module)}))
    for name, needed in found.items():
        needed.discard(name)
    assert circle_in(found) == [], "these folders lead to a circle: move what they share to one below them"


def test_imports_inside_the_package_are_relative():
    wrong = [
        f"{file.relative_to(ROOT)}:{number}: {line}"
        for file in package_files()
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if re.match(r"\s*(from|import) npu_opt\b", line)
    ]
    assert wrong == []


KEYED_BY_IDENTITY = {"compat/attribute_table.py", "passes/placement/conversions.py"}


def test_identities_are_keys_in_one_table():
    """An identity lives no longer than its object, so that the key of a table may become that of another one."""
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in package_files()
        if str(file.relative_to(ROOT)) not in KEYED_BY_IDENTITY
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if re.search(r"(?<![\w.])id\(", line)
    ]
    assert found == [], "use the object as the key, or for attributes compat/attribute_table.py"


def test_private_names_of_xdsl_stand_in_one_file():
    excused = [
        str(file.relative_to(ROOT))
        for file in package_files()
        if file != ROOT / "compat" / "xdsl.py" and "reportPrivateUsage" in file.read_text()
    ]
    assert excused == [], "move this to compat/xdsl.py, and say why it is needed and until when"


def test_layout_algebra_does_not_need_xdsl():
    code = "import sys, npu_opt.layout; sys.exit('xdsl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
