"""Charts of programs: what they hold, read back by a small reader of the part of mermaid that they use."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.passes.transmit.apply import transmit
from npu_opt.text.drawing import Item, Output
from npu_opt.text.mermaid import HEADER, MermaidTarget, flowchart, quoted
from npu_opt.tools.opt import run
from npu_opt.universe import NPU_UNIVERSE
from support.generators.programs import random_program
from support.ir_text import context, parse
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

LONG = 10_000

NODE = re.compile(r'(\w+)(\(|\(\(|\(\[)"([^"]*)"(\)|\)\)|\]\))(?::::(\w+))?')
BOX = re.compile(r'subgraph (\w+) \["([^"]*)"\]')
ARROW = re.compile(r'(\w+) (?:-- "([^"]*)" -->|-->|-\.->|-\. "([^"]*)" \.->) (\w+)')
TEXT = re.compile(r"(?:[^\W_]|[_ ./%,@()\[\]-]|#\d+;|<br/>)*")
CLOSING = {"(": ")", "((": "))", "([": "])"}


@dataclass
class Chart:
    """The content of a chart."""

    labels: dict[str, str] = field(default_factory=dict[str, str])
    styles: dict[str, str | None] = field(default_factory=dict[str, str | None])
    boxes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The nodes directly in a box."""
    titles: dict[str, str] = field(default_factory=dict[str, str])
    arrows: list[tuple[str, str | None, str]] = field(default_factory=list[tuple[str, "str | None", str]])


def plain(text: str) -> str:
    """The visible text of a label."""
    assert TEXT.fullmatch(text), text
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), text.replace("<br/>", "\n"))


def read(module: ModuleOp, regions: Sequence[Sequence[Item]] = ()) -> Chart:
    """The chart of a program."""
    return read_text("\n".join(flowchart(module, regions)))


def read_text(text: str) -> Chart:
    """Read a chart back; whatever is not as it should be is an error."""
    lines, header = text.splitlines(), HEADER.splitlines()
    assert lines[: len(header)] == header
    chart, open_boxes, taken = Chart(), list[str](), set[str]()
    for line in map(str.strip, lines[len(header) :]):
        if match := BOX.fullmatch(line):
            name, title = match.groups()
            assert name not in taken
            taken.add(name)
            open_boxes.append(name)
            chart.boxes[name], chart.titles[name] = [], plain(title)
        elif match := NODE.fullmatch(line):
            name, opened, label, closed, style = match.groups()
            assert CLOSING[opened] == closed
            assert name not in taken
            taken.add(name)
            chart.labels[name], chart.styles[name] = plain(label), style
            if open_boxes:
                chart.boxes[open_boxes[-1]].append(name)
        elif match := ARROW.fullmatch(line):
            source, solid, dashed, target = match.groups()
            label = solid or dashed
            assert open_boxes == []
            assert {source, target} <= chart.labels.keys()
            chart.arrows.append((source, None if label is None else plain(label), target))
        else:
            assert line == "end"
            open_boxes.pop()
    assert open_boxes == []
    return chart


def function_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def ops_of(module: ModuleOp) -> list[Operation]:
    """The ops of the first function, without its return."""
    return [op for op in function_of(module).body.block.ops if not isinstance(op, ReturnOp)]


# --- whole programs


@pytest.mark.parametrize("coloured", [False, True], ids=["uncoloured", "coloured"])
@pytest.mark.parametrize("seed", range(20))
def test_every_value_and_use_of_a_random_program_is_drawn(seed: int, coloured: bool):
    module = random_program(seed, 25, coloured=coloured, foreign="any")
    chart = read(module)
    blocks = [op.body.block for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    ops = [op for block in blocks for op in block.ops]
    outputs = [value for op in ops if isinstance(op, ReturnOp) for value in op.operands]
    arguments = [value for block in blocks for value in block.args]
    assert len(chart.labels) == len(arguments) + len(ops) - len(blocks) + len(outputs)
    assert len(chart.arrows) == sum(len(op.operands) for op in ops)
    assert len(chart.boxes) == (len(blocks) if len(blocks) > 1 else 0)


@pytest.mark.parametrize("seed", range(10))
def test_a_coloured_program_has_a_layout_at_each_arrow_and_a_colour_on_each_node(seed: int):
    module = random_program(seed, 25, coloured=False)
    transmit(module)
    chart = read(module)
    assert None not in [label for _, label, _ in chart.arrows]
    white = [node for node, style in chart.styles.items() if style not in ("cnn", "tensor")]
    # Calls of functions without results are the only nodes without a value.
    assert [node for node in white if not node.startswith("func_call")] == []


@pytest.mark.parametrize("seed", range(10))
def test_regions_of_a_random_program_are_boxes(seed: int):
    module = random_program(seed, 25)
    transmit(module)
    for target in ("opu", "plover"):
        text = StringIO()
        MermaidTarget(regions=True, target=target).emit(context(), module, text)
        chart = read_text(text.getvalue())
        assert chart.labels == read(module).labels
        assert chart.arrows == read(module).arrows
        regions = [nodes for box, nodes in chart.boxes.items() if box.startswith("region")]
        assert all(len(nodes) > 1 for nodes in regions)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_shipped_programs(path: Path):
    assert "output" in read(parse(path.read_text())).labels.values()


def chain(length: int) -> ModuleOp:
    """One op behind the other."""
    body = "\n".join(f"%{index + 1} = npu.relu %{index} : !t" for index in range(length))
    return parse(
        f"!t = tensor<4xf32, #npu.layout<Tensor>>\n"
        f"func.func @main(%0: !t) -> !t {{\n{body}\nfunc.return %{length} : !t\n}}"
    )


def test_a_long_chain():
    text = StringIO()
    MermaidTarget(regions=True).emit(context(), chain(LONG), text)
    chart = read_text(text.getvalue())
    assert len(chart.arrows) == LONG + 1
    assert [len(nodes) for nodes in chart.boxes.values()] == [LONG + 1]


def test_an_empty_module():
    assert read(ModuleOp([])) == Chart()


def test_a_function_that_does_nothing():
    assert read(parse("func.func @f() { func.return }")) == Chart()


# --- boxes


def test_only_regions_of_several_nodes_have_a_box():
    module = chain(4)
    first, second, third, fourth = ops_of(module)
    last = Output(function_of(module).body.block.ops.last, 0)  # pyright: ignore  # a function has a return
    chart = read(module, [[first], [second, fourth], [third, last]])
    assert list(chart.boxes.values()) == [["relu_2", "relu_4"], ["relu_3", "output_1"]]
    assert set(chart.titles.values()) == {"Tensor region"}


def test_what_has_no_node_is_in_no_box():
    module, other = chain(3), chain(1)
    assert read(module, [[*ops_of(module)[:1], *ops_of(other)]]).boxes == {}


def test_a_box_is_named_by_letters_where_there_are_any():
    module = parse(
        """
        func.func @main(%t: tensor<1x2x3x4xf32, #npu.layout<Tensor>>, %k: tensor<1x2x3x4xf32, #npu.layout<OIHW>>) {
          func.return
        }
        """
    )
    assert list(read(module, [function_of(module).args]).titles.values()) == ["Weight region"]


# --- names


def test_a_new_op_moves_on_only_the_names_of_its_kind():
    text = str(chain(4))
    old = "%3 = npu.relu %2"
    type_ = "tensor<4xf32, #npu.layout<Tensor>>"
    assert old in text
    changed = text.replace(old, f"%new = npu.tanh %2 : {type_}\n%3 = npu.relu %new")
    before, after = read(parse(text)), read(parse(changed))
    assert set(after.labels) - set(before.labels) == {"tanh_1"}
    assert set(before.labels) <= set(after.labels)


@pytest.mark.parametrize("names", [("a.b", "a_b"), ("a", "a_1"), ("end", "end"), ("\\00", "-"), ("function", "region")])
def test_ops_of_any_names_have_different_nodes(names: tuple[str, str]):
    ops = "\n".join(f'npu.opaque "{name}"() : () -> ()\n' * 2 for name in names)
    chart = read(parse(f"func.func @f() {{ {ops} func.return }}\nfunc.func @g() {{ {ops} func.return }}"))
    assert len(chart.labels) == 8
    assert all(re.fullmatch(r"\w+_\d+", node, re.ASCII) for node in (*chart.labels, *chart.boxes))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("conv2d\n%x_1", '"conv2d<br/>%x_1"'),
        ("Tensor [0, 2, 1]", '"Tensor [0, 2, 1]"'),
        ('"#quot;', '"#34;#35;quot#59;"'),
        ("<b>&amp;", '"#60;b#62;#38;amp#59;"'),
        ("`*x*`", '"#96;#42;x#42;#96;"'),
        ("%%{init: {}}%%", '"%%#123;init#58; #123;#125;#125;%%"'),
        ("style:#a;", '"style#58;#35;a#59;"'),
        ("卷积", '"卷积"'),
        ("", '""'),
    ],
)
def test_labels_are_escaped(text: str, expected: str):
    assert quoted(text) == expected


@given(st.text())
def test_a_label_reads_as_it_was_written(text: str):
    label = quoted(text)
    assert plain(label[1:-1]) == text


# --- locations

PLACED = (
    "func.func @f(%x: tensor<4x3xf32>) {{ %y = npu.transpose %x permutation = [1, 0]"
    " : (tensor<4x3xf32>) -> tensor<3x4xf32> loc({}) func.return }}"
)


@pytest.mark.parametrize(
    "location",
    [
        '"layout-preset: why"',
        '"layout-preset: why"("a":1:2)',
        '"outer"("layout-preset: why"("a":1:2))',
        'callsite("layout-preset: why" at "a":1:2)',
        'callsite("a":1:2 at "layout-preset: why")',
        'fused["a":1:2, fused["layout-preset: why"]]',
    ],
)
def test_a_pass_is_found_anywhere_in_a_location(location: str):
    assert read(parse(PLACED.format(location))).styles["transpose_1"] == "placed"


@pytest.mark.parametrize(
    "location", ['"layout-presets: why"', '"conv1: layout-preset"', '"layout-preset: relayout"', '"a":1:2', "unknown"]
)
def test_other_locations_are_no_pass(location: str):
    assert read(parse(PLACED.format(location))).styles["transpose_1"] is None


# --- as an output format


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "mermaid{regions=perhaps}",
            "output format 'mermaid': option regions: expected true or false, found 'perhaps'",
        ),
        ("mermaid{region=true}", "output format 'mermaid': no option 'region' (did you mean 'regions'?)"),
        ("mlir{regions=true}", "output format 'mlir': no option 'regions'"),
        ("mermaid{regions=true target=nothing}", "unknown target 'nothing'"),
    ],
)
def test_wrong_options_are_reported(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "program.mlir"
    program.write_text("func.func @f() { func.return }")
    assert run([str(program), "-t", text]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert "traceback" not in printed.err


def test_it_is_a_target_of_xdsl():
    assert NPU_UNIVERSE.all_targets["mermaid"]() is MermaidTarget
