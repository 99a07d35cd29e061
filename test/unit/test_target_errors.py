"""Errors about invalid target files, with their lines."""

import re
import tomllib
from pathlib import Path
from typing import cast

import pytest
from npu_opt.targets import TargetError, available, load
from npu_opt.targets.loader import load_file
from npu_opt.targets.toml_lines import line_of, locate_keys
from npu_opt.targets.vocabulary import OpNames

VOCABULARY = {
    "conv2d": OpNames(("data", "kernel", "bias"), ("result",), takes_several=True),
    "concat": OpNames(("inputs",), ("result",), takes_several=True),
    "add": OpNames(("lhs", "rhs"), ("result",), takes_several=True),
    "pad": OpNames(("input",), ("result",), takes_several=False),
    "relu": OpNames(("input",), ("result",), takes_several=False),
    "max_pool": OpNames(("input",), ("result",), takes_several=False),
    "nchw2nhwc": OpNames(("input",), ("result",), takes_several=False),
    "reshape": OpNames(("input",), ("result",), takes_several=False),
    "layer_norm": OpNames(("input", "scale", "bias"), ("result",), takes_several=True, axes=("axes",)),
    "broadcast": OpNames(("input",), ("result",), takes_several=False, result_axes=("axes",)),
}

GOOD = """\
name = "mine"
description = "My hardware"
matmul = "batch"
free = ["reshape"]

[ranks]
tensor = 4

[preferred]
feature = [
    "NWC",
    "NHWC",
    "NDHWC",
]
weight = ["WOI", "HWOI", "DHWOI"]

[demands]
conv2d = { data = "feature", kernel = "weight" }
nchw2nhwc = { input = "NCHW", result = "NHWC" }

[data-flow]
root = "load"
forbids-escaping = true
edges = [
    "load > mac > act",
    "act > mac | pool",  # A cycle is fine.
]

[stages.load]
runs = ["concat", "pad before pool"]
[stages.mac]
runs = [
    "conv2d",
    "add with tensor",
]
uses = 2
[stages.act]
runs = ["relu"]
[stages.pool]
runs = ["max_pool"]
"""


def failure(directory: Path, text: str) -> str:
    """The error of the loader for a text, from the line number on."""
    file = directory / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    prefix = f"{file}:"
    assert str(caught.value).startswith(prefix)
    return str(caught.value).removeprefix(prefix)


def test_the_unmodified_file_is_valid(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert load_file(file, VOCABULARY).name == "mine"


def test_numbers_of_many_digits(tmp_path: Path):
    text = GOOD.replace("uses = 2", f"uses = {'9' * 5000}")
    assert failure(tmp_path, text) == "36: a number of more than 4300 digits"


CASES = [
    # The top of the file.
    ('matmul = "batch"', 'matmull = "batch"', "3: unknown key 'matmull'; did you mean 'matmul'?"),
    ('matmul = "batch"\n', "", "1: 'matmul' is missing: it must be a text"),
    ('"batch"', '"some"', "3: 'matmul' must be 'rigid', 'batch' or 'free', found 'some'"),
    ('"batch"', "true", "3: 'matmul' must be a text, found true or false"),
    ('"My hardware"', '" "', "2: 'description' is empty"),
    ('description = "My hardware"\n', "", "1: 'description' is missing: it must be a text"),
    ('"mine"', '"other"', "1: the target is named 'other', but its file 'mine.toml'"),
    ('["reshape"]', '"reshape"', "4: 'free' must be a list, found a text"),
    ('["reshape"]', '["reshape", 2]', "4: element 2 of 'free' must be a text, found a number"),
    ('["reshape"]', '["reshap"]', "4: unknown op 'reshap'; did you mean 'reshape'?"),
    ('["reshape"]', '["relu"]', "4: 'relu' cannot be free: a stage runs it"),
    # Ranks.
    ("tensor = 4", "tensors = 4", "7: unknown key 'tensors'; did you mean 'tensor'?"),
    ("tensor = 4", "tensor = 7", "7: 'tensor' must be from 2 to 6, found 7"),
    ("tensor = 4", "feature = 2", "7: 'feature' must be from 3 to 5, found 2"),
    ("tensor = 4", "tensor = 4.0", "7: 'tensor' must be a number, found a float"),
    ("tensor = 4", "tensor = true", "7: 'tensor' must be a number, found true or false"),
    ("[ranks]\ntensor = 4\n", "ranks = 4\n", "6: 'ranks' must be a table, found a number"),
    # Preferred layouts.
    ("[preferred]", "[preferred]\ntensor = []", "10: unknown key 'tensor'; expected 'feature' or 'weight'"),
    ("weight = [", "weights = [", "15: unknown key 'weights'; did you mean 'weight'?"),
    ('weight = ["WOI", "HWOI", "DHWOI"]\n', "", "9: 'weight' is missing in 'preferred': it must be a list"),
    ('    "NHWC"', '    "OIHW"', "12: OIHW is not a feature layout"),
    ('    "NHWC"', '    "Tensor"', "12: Tensor is not a feature layout"),
    (
        '    "NHWC"',
        '    "NC1HWC0", "NHWCB16"',
        "12: 'NHWCB16' is not a layout: expected a permutation of NCW, NCHW, "
        "NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor",
    ),
    ('    "NHWC"', '    "NC1HWC0", "NHWC"', "12: a second feature layout of rank 4: NHWC"),
    (
        '    "NHWC"',
        '    "NHCWB16, C = 40"',
        "12: 'NHCWB16, C = 40' has sizes of one value: leave them out, as in 'NHCW16c'",
    ),
    ('    "NHWC"', '    "NDCHW"', "13: a second feature layout of rank 5: NDHWC"),
    ('    "NHWC",\n', "", "10: 'feature' has no layout of rank 4"),
    ("tensor = 4", "feature = 4", "13: NDHWC is of rank 5, the target's limit is 4"),
    (
        '    "NHWC"',
        '    "NHWX"',
        "12: 'NHWX' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, "
        "or Tensor or NTensor",
    ),
    # Demands.
    ("conv2d = {", "conv = {", "18: unknown op 'conv'; did you mean 'conv2d'?"),
    ("conv2d = {", '"npu.conv2d" = {', "18: unknown op 'npu.conv2d'; did you mean 'conv2d'?"),
    (
        "nchw2nhwc = {",
        'layer_norm = { axes = "first" }\nnchw2nhwc = {',
        "19: 'axes' names axes: it must be 'last', 'image' or the position of an axis, from 0",
    ),
    (
        "nchw2nhwc = {",
        "layer_norm = { axes = true }\nnchw2nhwc = {",
        "19: 'axes' names axes: it must be 'last', 'image' or the position of an axis, from 0",
    ),
    ("nchw2nhwc = {", "layer_norm = { axes = 6 }\nnchw2nhwc = {", "19: 'axes' must be from 0 to 5, found 6"),
    (
        "nchw2nhwc = {",
        'layer_norm = { axis = "last" }\nnchw2nhwc = {',
        "19: 'layer_norm' has no operand or result 'axis'; did you mean 'axes'?",
    ),
    (
        "nchw2nhwc = {",
        'broadcast = { axes = "last" }\nnchw2nhwc = {',
        "19: 'axes' names axes of the result: it must be 'increasing'",
    ),
    (
        'matmul = "batch"',
        'matmul = "batch"\ncost = "time"',
        "4: 'cost' must be 'bytes', 'count', 'target' or 'traffic', found 'time'",
    ),
    (", kernel =", ", kernal =", "18: 'conv2d' has no operand or result 'kernal'; did you mean 'kernel'?"),
    (
        ", kernel =",
        ", w =",
        "18: 'conv2d' has no operand or result 'w'; "
        "expected 'data', 'kernel', 'bias', 'result', 'when', 'choices' or 'costs'",
    ),
    (
        'data = "feature"',
        'data = "NCHW99999999999999999999c"',
        "18: 'NCHW99999999999999999999c' is not a layout: a block has at most 65536 elements",
    ),
    ('data = "feature"', "data = 1", "18: 'data' must be a text, found a number"),
    (
        '{ data = "feature", kernel = "weight" }',
        "{}",
        "18: 'conv2d' demands nothing: name an operand or a result, or leave the op out",
    ),
    (
        '{ data = "feature", kernel = "weight" }',
        '[{ when = "groups > 1" }, { when = "depthwise" }]',
        "18: no rule of 'conv2d' demands anything: name an operand or a result, or leave the op out",
    ),
    ('{ data = "feature", kernel = "weight" }', '"NHWC"', "18: 'conv2d' must be a table, found a text"),
    (
        'data = "feature"',
        'data = "Feature"',
        "18: 'Feature' is neither 'feature', 'weight' or 'preferred' nor a layout such as 'NHWC'; "
        "did you mean 'feature'?",
    ),
    (
        'result = "NHWC"',
        'result = "Tensor, [0, 2, 1]"',
        "19: Tensor, [0, 2, 1] cannot be demanded: only features and weights are re-ordered on demand",
    ),
    # Choices, conditions and costs.
    (
        '{ data = "feature", kernel = "weight" }',
        '{ when = "data is constnt", data = "NHWC" }',
        "18: 'data is constnt', column 1: unknown fact 'data'",
    ),
    (
        'data = "feature"',
        'data = ["NHWC", "NHWC"]',
        "18: 'NHWC' is listed twice",
    ),
    (
        'data = "feature"',
        'data = ["NHWC", "NCHW"], costs = { NCWH = 1 }',
        "18: 'conv2d' does not demand 'NCWH'; did you mean 'NCHW'?",
    ),
    (
        'data = "feature"',
        'choices = [{ data = "NHWC" }]',
        "18: 'kernel' and 'choices' exclude each other: each choice names its layout",
    ),
    (
        "[data-flow]",
        "[transposes]\ncan = []\n[data-flow]",
        "21: 'transposes' needs the table 'costs', which says what transposes cost",
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = "2 x byte"\n[data-flow]',
        "23: '2 x byte', column 5: unknown quantity 'byte'; did you mean 'bytes'?",
    ),
    ('"batch"', '{ lsh = "transposed" }', "3: unknown key 'lsh'; did you mean 'lhs'?"),
    (
        '"batch"',
        '{ result = "with a constant" }',
        "3: 'result' must be 'transposed', 'transposed with a constant' or 'as it is', found 'with a constant'",
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = 1\nmatmul = { product = [{ when = "rows < 8" }] }\n[data-flow]',
        "24: 'price' is missing in 'costs.matmul.product.0': it must be a number, or a text such as '2 x bytes'",
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = 1\nmatmul = { product = [{ wen = "rows < 8", price = 1 }] }\n[data-flow]',
        "24: unknown key 'wen'; did you mean 'when'?",
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = 1\nmatmul = { product = "2 x bytes of bias" }\n[data-flow]',
        "24: '2 x bytes of bias', column 14: no operand or result is named 'bias'; expected 'lhs', 'rhs' or 'result'",
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = 1\nmatmul = { products = 1 }\n[data-flow]',
        "24: unknown operand 'products'; did you mean 'product'?",
    ),
    # Second runs.
    *(
        (
            "[data-flow]",
            f'[costs]\nunit = "ns"\ntranspose = 1\nrecompute = {{ {entry} }}\n[data-flow]',
            f"24: {message}",
        )
        for entry, message in (
            ("rleu = 1", "unknown op 'rleu'; did you mean 'relu'?"),
            (
                'relu = [{ when = "rank == 4" }]',
                "'price' is missing in 'costs.recompute.relu.0': it must be a number, or a text such as '2 x bytes'",
            ),
            (
                'relu = "2 x lines"',
                "'2 x lines', column 5: unknown quantity 'lines'; expected 'bytes', 'elements', 'read' or 'written'",
            ),
            (
                'add = "1 x read of lhs"',
                "'1 x read of lhs', column 10: expected '+' or the end of the price, found 'of'",
            ),
            ('elementwise = "1 x bytes of lhs"', "'1 x bytes of lhs', column 14: no operand or result is named 'lhs'"),
            ("elementwise = [{ pice = 1 }]", "unknown key 'pice'; did you mean 'price'?"),
        )
    ),
    (
        "[data-flow]",
        '[costs]\nunit = "ns"\ntranspose = "1 x read"\n[data-flow]',
        "23: '1 x read', column 5: unknown quantity 'read'; expected 'bytes'",
    ),
    # Constants.
    *(
        ("[data-flow]", f'[costs]\nunit = "ns"\ntranspose = 1\nconstant = {entry}\n[data-flow]', f"24: {message}")
        for entry, message in (
            ('"2 x written"', "'2 x written', column 5: unknown quantity 'written'; expected 'bytes'"),
            (
                '"2 x bytes of kernel"',
                "'2 x bytes of kernel', column 11: it is about one value, so 'of' has no meaning",
            ),
            (
                "-1",
                "'constant' must be from 0 to 1000000000000, with at most 9 digits behind the point, found -1",
            ),
            ("{ per-byte = 1 }", "'constant' must be a number, found a table"),
            ('""', "'constant' is empty"),
        )
    ),
    # Empty tables.
    *(
        ("[data-flow]", f'[costs]\nunit = "ns"\ntranspose = 1\n{entry}\n[data-flow]', f"24: {message}")
        for entry, message in (
            ("matmul = {}", "'matmul' is empty: add a price, or leave it out"),
            ("matmul = { lhs = 1, product = [] }", "'product' has no price: add one, or leave it out"),
            ("recompute = {}", "'recompute' is empty: add a price, or leave it out"),
            ("recompute = { relu = [] }", "'relu' has no price: add one, or leave it out"),
            ("axes = { layer_norm = {} }", "'layer_norm' is empty: add an attribute, or leave it out"),
            ("axes = { layer_norm = { axes = {} } }", "'axes' is empty: add a price, or leave it out"),
        )
    ),
    ('"batch"', '"batch"\ncost = "target"', "4: 'cost' is 'target', but the file has no table 'costs'"),
    # The data-flow.
    ('root = "load"\n', "", "21: 'root' is missing in 'data-flow': it must be a text"),
    ('root = "load"', 'root = "laod"', "22: unknown stage 'laod'; did you mean 'load'?"),
    ("= true", "= 1", "23: 'forbids-escaping' must be true or false, found a number"),
    ("forbids-escaping", "forbid-escaping", "23: unknown key 'forbid-escaping'; did you mean 'forbids-escaping'?"),
    ("> mac > act", "> mac > actt", "25: unknown stage 'actt'; did you mean 'act'?"),
    ("> mac > act", "> mac >", "25: unknown stage ''; expected 'load', 'mac', 'act' or 'pool'"),
    ('"load > mac > act"', '"load"', "25: 'load' is not an edge: expected 'a > b' or 'a > b | c'"),
    ("mac | pool", "mac | pool | mac", "26: the edge 'act > mac' is listed twice"),
    ("act > mac | pool", "mac > act | pool", "26: the edge 'mac > act' is listed twice"),
    ("mac | pool", "mac", "39: no edge leads from the root 'load' to the stage 'pool'"),
    # Stages.
    ("uses = 2", "use = 2", "36: unknown key 'use'; did you mean 'uses'?"),
    ("uses = 2", "uses = 0", "36: 'uses' must be at least 1, found 0"),
    ("uses = 2", 'uses = "2"', "36: 'uses' must be a number, found a text"),
    ('["relu"]', "[]", "38: the stage 'act' runs no op"),
    ("uses = 2", "absorbs = 2", "36: 'absorbs' must be true or false, found a number"),
    ("uses = 2", "absorb = true", "36: unknown key 'absorb'; did you mean 'absorbs'?"),
    ("uses = 2", 'absorbs = "swaps block"', "36: 'swaps block', column 1: expected 'swaps blocks'"),
    (
        '["relu"]',
        '["relu"]\nprice = 1',
        "39: 'price' is that of transposes: it needs 'absorbs', or 'transpose' in 'runs'",
    ),
    ("uses = 2", "absorbs = true\nprise = 1", "37: unknown key 'prise'; did you mean 'price'?"),
    (
        "uses = 2",
        "absorbs = true\nprice = -1",
        "37: 'price' must be from 0 to 1000000000000, with at most 9 digits behind the point, found -1",
    ),
    (
        "uses = 2",
        'absorbs = true\nprice = "2 x byte"',
        "37: '2 x byte', column 5: unknown quantity 'byte'; did you mean 'bytes'?",
    ),
    (
        "uses = 2",
        'absorbs = true\nprice = "2 x bytes of input"',
        "37: '2 x bytes of input', column 11: it is about one value, so 'of' has no meaning",
    ),
    ('"act > mac | pool"', '"act\\nmac"', "26: 'act\\nmac' is not an edge: expected 'a > b' or 'a > b | c'"),
    (
        "uses = 2",
        f'absorbs = "bytes < {"9" * 101}"',
        f"36: 'bytes < {'9' * 101}', column 9: too long: at most 100 characters in a word",
    ),
    ("uses = 2", 'absorbs = "byte < 8"', "36: 'byte < 8', column 1: unknown fact 'byte'; did you mean 'bytes'?"),
    ('runs = ["relu"]\n', "", "37: 'runs' is missing in 'stages.act': it must be a list"),
    ('"conv2d",\n', '"conv2", \n', "33: unknown op 'conv2'; did you mean 'conv2d'?"),
    ("add with tensor", "addd with tensor", "34: unknown op 'addd'; did you mean 'add'?"),
    ("add with tensor", "conv2d", "34: 'conv2d' is listed twice"),
    ("add with tensor", "add with tensors", "34: unknown operand kind 'tensors'; did you mean 'tensor'?"),
    (
        "add with tensor",
        "add with any",
        "34: unknown operand kind 'any'; expected 'constant', 'channel-constant', 'channel-values', 'scalar', 'tensor'"
        " or 'own'",
    ),
    ("add with tensor", "pad with scalar", "34: 'pad' has one operand, so 'with scalar' has no meaning"),
    ("pad before pool", "pad before pol", "30: unknown stage 'pol'; did you mean 'pool'?"),
    ("pad before pool", "pat before pool", "30: unknown op 'pat'; did you mean 'pad'?"),
    (
        "add with tensor",
        "add a tensor",
        "34: 'add a tensor' is not a rule: expected 'op', 'op before stage' or 'op with' "
        "'constant', 'channel-constant', 'channel-values', 'scalar', 'tensor' or 'own'",
    ),
    ("[stages.act]", "[stage.act]", "37: unknown key 'stage'; did you mean 'stages'?"),
    # Not TOML at all.
    ("uses = 2", "uses = ", "36: not TOML: Invalid value (column 8)"),
    ("[stages.act]", "[stages.mac]", "37: not TOML: Cannot declare ('stages', 'mac') twice (column 12)"),
    ('["max_pool"]\n', '["max_pool"\n', "40: not TOML: Unclosed array"),
]


@pytest.mark.parametrize(("good", "bad", "expected"), CASES, ids=[case[2] for case in CASES])
def test_schema_error(tmp_path: Path, good: str, bad: str, expected: str):
    assert GOOD.count(good) >= 1
    assert failure(tmp_path, GOOD.replace(good, bad, 1)) == expected


def test_stages_need_a_data_flow_and_the_other_way_round(tmp_path: Path):
    without_flow = re.sub(r"\[data-flow\].*?(?=\[stages)", "", GOOD, count=1, flags=re.DOTALL)
    assert failure(tmp_path, without_flow) == "1: 'data-flow' is missing: it must be a table"
    without_stages = GOOD[: GOOD.index("[stages.")]
    assert failure(tmp_path, without_stages) == "1: 'stages' is missing: it must be a table"


def test_a_target_may_omit_fusion_and_demands(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD[: GOOD.index("[demands]")], encoding="utf-8")
    target = load_file(file, VOCABULARY)
    assert target.root is None
    assert not target.stages
    assert not target.demands
    assert not target.forbids_escaping


def test_a_missing_file(tmp_path: Path):
    file = tmp_path / "none.toml"
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    assert str(caught.value) == f"{file}: cannot read the target: No such file or directory"


def test_a_directory_is_not_a_file(tmp_path: Path):
    with pytest.raises(TargetError) as caught:
        load_file(tmp_path, VOCABULARY)
    assert str(caught.value) == f"{tmp_path}: cannot read the target: Is a directory"


def test_a_file_that_is_not_utf8(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b'name = "mine"\ndescription = "\xff"\n')
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    assert str(caught.value) == f"{file}:2: not UTF-8 text"


def test_a_byte_order_mark_moves_no_lines(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8-sig")
    assert load_file(file, VOCABULARY).name == "mine"
    file.write_text(GOOD.replace("uses = 2", "uses = 0"), encoding="utf-8-sig")
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    assert str(caught.value) == f"{file}:36: 'uses' must be at least 1, found 0"


def test_a_file_that_is_nested_too_deeply(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text("name = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    assert str(caught.value) == f"{file}: nested too deeply"


def test_an_unknown_target_name():
    with pytest.raises(TargetError) as caught:
        load("opo")
    assert str(caught.value) == (
        "unknown target 'opo'; did you mean 'opu'? (pass a target of your own as the path of its .toml file)"
    )
    with pytest.raises(
        TargetError,
        match=r"^unknown target 'xyz'; expected 'brick', 'daven', 'dunlin', 'ethos-u55', 'ethos-u85',"
        r" 'litert', 'onnx', 'onnxruntime', 'opu', 'ort-nchwc', 'ort-nchwc8', 'plover', 'rockchip-rk3576',"
        r" 'rockchip-rk3588', 'sophgo-bm1684x', 'sophgo-bm1684x-int8' or 'torch' ",
    ):
        load("xyz")


def test_windows_line_ends_do_not_move_the_lines(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_bytes(GOOD.replace("uses = 2", "uses = 0").replace("\n", "\r\n").encode())
    with pytest.raises(TargetError) as caught:
        load_file(file, VOCABULARY)
    assert caught.value.line == 36
    assert caught.value.path == file
    assert caught.value.message == "'uses' must be at least 1, found 0"


LINES = r"""# [not.a.table]
plain = 1
dotted.key = "x # [y]"  # [z]
"quoted . key".'literal' = [  # one
    2,
    [3, { deep = 1, dotted.deep = '''
]}''' }],
]

[table.inner]
date = 1979-05-27 07:32:00
inline = { list = ["a", ']'], flag = true }
[[array]]
number = 1
[[array]]
number = 2
[array.sub]
text = '''a
''' # comment
quotes = '''''a'''''
after = 1
""".replace("'''", '"""', 2)


def test_locator():
    lines = locate_keys(LINES)
    assert lines == {
        ("plain",): 2,
        ("dotted",): 3,
        ("dotted", "key"): 3,
        ("quoted . key",): 4,
        ("quoted . key", "literal"): 4,
        ("quoted . key", "literal", 0): 5,
        ("quoted . key", "literal", 1): 6,
        ("quoted . key", "literal", 1, 0): 6,
        ("quoted . key", "literal", 1, 1): 6,
        ("quoted . key", "literal", 1, 1, "deep"): 6,
        ("quoted . key", "literal", 1, 1, "dotted"): 6,
        ("quoted . key", "literal", 1, 1, "dotted", "deep"): 6,
        ("table",): 10,
        ("table", "inner"): 10,
        ("table", "inner", "date"): 11,
        ("table", "inner", "inline"): 12,
        ("table", "inner", "inline", "list"): 12,
        ("table", "inner", "inline", "list", 0): 12,
        ("table", "inner", "inline", "list", 1): 12,
        ("table", "inner", "inline", "flag"): 12,
        ("array",): 13,
        ("array", 0): 13,
        ("array", 0, "number"): 14,
        ("array", 1): 15,
        ("array", 1, "number"): 16,
        ("array", 1, "sub"): 17,
        ("array", 1, "sub", "text"): 18,
        ("array", 1, "sub", "quotes"): 20,
        ("array", 1, "sub", "after"): 21,
    }


def paths_in(value: object, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """The path of every key and array element in what tomllib read."""
    if isinstance(value, dict):
        inner = cast("dict[str | int, object]", value).items()
    elif isinstance(value, list):
        inner = enumerate(cast("list[object]", value))
    else:
        return {path} - {()}
    return ({path} - {()}).union(*(paths_in(part, (*path, key)) for key, part in inner))


@pytest.mark.parametrize("text", [LINES, GOOD, *(file.read_text() for file in available().values())])
def test_the_locator_finds_all_that_tomllib_reads(text: str):
    assert set(locate_keys(text)) == paths_in(tomllib.loads(text))


def test_missing_paths_have_the_line_of_their_table():
    lines = locate_keys("\n[a.b]\nc = 1\n")
    assert line_of(lines, ("a", "b", "missing")) == 2
    assert line_of(lines, ("a", "other", "missing")) == 2
    assert line_of(lines, ("missing",)) == 1
