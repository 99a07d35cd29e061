"""The shipped targets and the example of the documentation."""

import re
from pathlib import Path

import pytest
from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.layout import Layout, LayoutClass
from npu_opt.targets import (
    DemandChoice,
    DemandRule,
    MatmulRule,
    OperandKind,
    Rule,
    Target,
    TargetError,
    available,
    load,
    operand_names,
    result_names,
)
from npu_opt.targets.findings import findings
from npu_opt.targets.vocabulary import dialect_vocabulary
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "reference" / "targets.md"


def edges(target: Target) -> list[tuple[str, str]]:
    return [(stage.name, end.name) for stage in target.stages.values() for end in target.successors(stage)]


def test_shipped_targets():
    invented, of_onnx = "brick daven dunlin plover", "onnx onnxruntime ort-nchwc ort-nchwc8"
    of_vendors = "rockchip-rk3576 rockchip-rk3588 sophgo-bm1684x sophgo-bm1684x-int8"
    names = sorted(f"{invented} {of_onnx} {of_vendors} ethos-u55 ethos-u85 litert opu torch".split())
    assert list(available()) == names
    assert [load(name).name for name in available()] == names
    assert all(load(name).description for name in available())


def test_a_target_is_loaded_by_name_or_by_path():
    file = available()["opu"]
    assert load("opu") == load(file) == load(str(file))


def test_a_target_adds_to_the_one_that_it_extends():
    base, target = load("litert"), load("ethos-u85")
    assert (target.demands, target.preferred_layouts, target.free_ops) == (
        base.demands,
        base.preferred_layouts,
        base.free_ops,
    )
    assert (target.name, target.cost) == ("ethos-u85", "target")
    assert target.costs is not None
    assert target.costs.unit == "cycles"
    assert target.matmul_place.startswith("ethos-u85.toml:")
    (rule,) = target.demands["npu.conv2d"]
    assert rule.places["data"].startswith("litert.toml:")


def test_demands_replace_those_of_the_base_op_by_op(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\ndescription = "Mine"\nextends = "litert"\ncost = "count"\n[demands]\nlrn = { axis = 1 }\n'
    )
    target, base = load(file), load("litert")
    assert target.cost == "count"
    assert target.demands["npu.lrn"] != base.demands["npu.lrn"]
    assert target.demands["npu.softmax"] == base.demands["npu.softmax"]


def test_stages_are_added_one_by_one(tmp_path: Path):
    file = tmp_path / "mine.toml"
    head = 'name = "mine"\ndescription = "Mine"\nextends = "opu"\n'
    file.write_text(head + '[stages.pool]\nruns = ["exp", "mul with own"]\nholds = true\n')
    target, base = load(file), load("opu")
    assert list(target.stages) == list(base.stages)
    assert {name for name in base.stages if target.stages[name] != base.stages[name]} == {"pool"}
    assert (target.stages["pool"].successors, target.stages["pool"].holds) == (base.stages["pool"].successors, True)
    assert (target.has_own_rules, base.has_own_rules, base.stages["pool"].holds) == (True, False, False)
    assert (target.root, target.free_ops, target.forbids_escaping) == (base.root, base.free_ops, False)


def test_a_data_flow_leaves_out_stages_of_the_base(tmp_path: Path):
    file = tmp_path / "mine.toml"
    head = 'name = "mine"\ndescription = "Mine"\nextends = "opu"\nfree = ["reshape", "cast"]\n'
    flow = '[data-flow]\nroot = "ipa"\nedges = ["ipa > compare > table"]\nforbids-escaping = true\n'
    file.write_text(f'{head}{flow}[stages.table]\nruns = ["exp"]\n')
    target = load(file)
    assert target.root == target.stages["ipa"]
    assert {name: stage.successors for name, stage in target.stages.items()} == {
        "ipa": ("compare",),
        "compare": ("table",),
        "table": (),
    }
    assert target.forbids_escaping
    assert target.is_free("npu.cast")


BASE = """name = "base"
description = "Base"
matmul = "rigid"
[preferred]
feature = ["NWC", "NHWC", "NDHWC"]
weight = ["OWI", "OHWI", "ODHWI"]
[costs]
unit = "c"
transpose = 2
[transposes]
can = ["keeps the last axis"]
fallback = "20 x bytes"
"""


def test_costs_and_transposes_are_replaced_one_by_one(tmp_path: Path):
    files = {name: tmp_path / f"{name}.toml" for name in ("base", "price", "can", "unit")}
    head = 'description = "X"\nextends = "base.toml"\nname = '
    files["base"].write_text(BASE)
    files["price"].write_text(f'{head}"price"\n[costs]\nunit = "c"\ntranspose = 3\n')
    files["can"].write_text(f'{head}"can"\n[transposes]\ncan = ["rank <= 4"]\n')
    files["unit"].write_text(f'{head}"unit"\n[costs]\nunit = "d"\ntranspose = 3\n')
    base, price, can = (load(files[name]).costs for name in ("base", "price", "can"))
    assert base is not None
    assert price is not None
    assert can is not None
    assert (price.rules, price.transposes == base.transposes) == (base.rules, False)
    assert (can.transposes, can.unit, can.rules.fallback) == (base.transposes, "c", None)
    with pytest.raises(TargetError, match=r"unit\.toml:5: the fallback in 'transposes' of the base is in 'c'"):
        load(files["unit"])


def test_the_first_rule_for_products_that_holds_counts(tmp_path: Path):
    file = tmp_path / "rules.toml"
    head = 'name = "rules"\ndescription = "X"\nextends = "litert"\nmatmul = '
    matrices, batch = '{ when = "rank == 2", lhs = "transposed" }', '{ batch = "any order" }'
    file.write_text(f"{head}[{matrices}, {batch}]\n")
    first, second = load(file).matmul
    assert (first.freedom, second.freedom) == (MatmulFreedom(lhs=True), MatmulFreedom.BATCH)
    assert first.when is not None
    assert first.when.text == "rank == 2"
    assert not [each for each in findings(load(file)) if each.path[0] == "matmul"]
    never = '{ when = "groups == 2", lhs = "transposed" }'
    file.write_text(f"{head}[{matrices}, {matrices}, {never}]\n")
    found = [each for each in findings(load(file)) if each.path[0] == "matmul"]
    assert [(each.path[1], each.message.partition(":")[0]) for each in found] == [
        (1, "rule 2 of 'matmul' is never reached"),
        (2, "'when' never holds"),
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[]", "'matmul' has no rule"),
        ('[{ when = "rank = 2" }]', "rank = 2"),
        ('[{ left = "transposed" }]', "left"),
        ('{ when = "rank == 2", lhs = "transposed" }', "when"),
    ],
)
def test_rules_for_products_that_cannot_be_read(value: str, message: str, tmp_path: Path):
    file = tmp_path / "rules.toml"
    file.write_text(f'name = "rules"\ndescription = "X"\nextends = "litert"\nmatmul = {value}\n')
    with pytest.raises(TargetError, match=re.escape(message)):
        load(file)


def test_the_place_of_a_demand_is_its_line():
    target = load("onnx")
    lines = available()["onnx"].read_text(encoding="utf-8").splitlines()
    (rule,) = target.demands["npu.conv2d"]
    for place, key in ((rule.places["kernel"], "conv2d ="), (target.matmul_place, "matmul =")):
        file, line = place.split(":")
        assert (file, lines[int(line) - 1].startswith(key)) == ("onnx.toml", True)


def without(target: Target, op: str, name: str) -> Target:
    """The target without a demand on an op with one rule."""
    return target.with_rule(op, 0, lambda rule: rule.without(name))


def test_a_target_without_one_demand():
    target = load("onnx")
    ((kernel_only,),) = (rule.choices for rule in without(target, "npu.conv2d", "data").demands["npu.conv2d"])
    assert set(kernel_only.demands) == {"kernel"}
    assert not without(target, "npu.img2col", "input").has_demand("npu.img2col")
    assert not without(target, "npu.lrn", "axis").has_demand("npu.lrn")


def demanded_of(target: Target, op: str, value: str, layout: str) -> Layout | None:
    """The demand on a value of an op whose demands have no condition."""
    (rule,) = target.demands.get(op, (DemandRule(),))
    (choice,) = rule.choices or (DemandChoice({}),)
    return target.demand(choice.demands.get(value), Layout.parse(layout))


@pytest.mark.parametrize("name", available())
def test_shipped_targets_name_existing_ops(name: str):
    """The loader checks it too; this pins that the dialect is what it checks against."""
    target = load(name)
    vocabulary = {f"npu.{op}": names for op, names in dialect_vocabulary().items()}
    for op, rules in target.demands.items():
        if op in target.vendor_ops:
            continue
        names = vocabulary[op]
        assert {name for rule in rules for name in rule.places} <= {*names.operands, *names.results, *names.all_axes}
    ops = {rule.op for stage in target.stages.values() for rule in stage.rules} | target.free_ops
    assert ops <= set(vocabulary)


def test_opu_preferred_layouts():
    opu = load("opu")
    assert {(cls, rank): str(layout) for (cls, rank), layout in opu.preferred_layouts.items()} == {
        (LayoutClass.FEATURE, 3): "NWC",
        (LayoutClass.FEATURE, 4): "NHWC",
        (LayoutClass.FEATURE, 5): "NDHWC",
        (LayoutClass.WEIGHT, 3): "WOI",
        (LayoutClass.WEIGHT, 4): "HWOI",
        (LayoutClass.WEIGHT, 5): "DHWOI",
    }
    assert opu.matmul == (MatmulRule(MatmulFreedom.RIGID),)
    assert [opu.max_rank(cls) for cls in LayoutClass] == [5, 5, 6, 6]


def test_opu_data_flow_edge_for_edge():
    opu = load("opu")
    assert opu.root is opu.stage("concat")
    assert edges(opu) == [
        ("concat", "add_pre"),
        ("add_pre", "mul_pre"),
        ("mul_pre", "pad"),
        ("pad", "ipa"),
        ("ipa", "mul"),
        ("mul", "add"),
        ("add", "compare"),
        ("add", "pool_pad"),
        ("add", "res_add"),
        ("add", "requantise"),
        ("compare", "pool"),
        ("compare", "res_add"),
        ("compare", "upsample"),
        ("compare", "requantise"),
        ("pool_pad", "pool"),
        ("pool", "compare"),
        ("pool", "res_add"),
        ("pool", "upsample"),
        ("pool", "requantise"),
        ("res_add", "compare"),
        ("res_add", "pool"),
        ("res_add", "upsample"),
        ("res_add", "requantise"),
        ("requantise", "compare"),
        ("requantise", "pool"),
        ("requantise", "res_add"),
        ("requantise", "upsample"),
    ]


def test_opu_stages():
    opu = load("opu")
    constant = OperandKind.CHANNEL_CONSTANT
    for name in ("add_pre", "add"):
        assert opu.stage(name).rules == (Rule("npu.add", constant),)
    for name in ("mul_pre", "mul"):
        assert opu.stage(name).rules == (Rule("npu.mul", constant),)
    assert opu.stage("res_add").rules == (Rule("npu.add", OperandKind.TENSOR), Rule("npu.quant_add"))
    assert opu.stage("pad").rules == (Rule("npu.pad"), Rule("npu.img2col"))
    assert opu.stage("pool_pad").rules == (Rule("npu.pad", before="pool"),)
    assert opu.stage("concat").rules == (Rule("npu.concat"),)
    moving = ("upsample", "bilinear", "unpool", "mask_unpool", "mirror", "rotate")
    assert {rule.op for rule in opu.stage("upsample").rules} == {f"npu.{name}" for name in moving}
    assert opu.stage("compare").rules_for("npu.min") == (Rule("npu.min", OperandKind.SCALAR),)
    assert opu.stage("compare").rules_for("npu.add") == ()
    assert all(stage.uses is None for stage in opu.stages.values())
    assert not opu.forbids_escaping


def test_stages_running_an_op_are_in_the_order_of_the_file():
    opu = load("opu")
    assert [stage.name for stage in opu.stages_running("npu.add")] == ["add_pre", "add", "res_add"]
    assert [stage.name for stage in opu.stages_running("npu.pad")] == ["pad", "pool_pad"]
    assert opu.stages_running("npu.softmax") == ()
    assert opu.is_free("npu.reshape")
    assert not opu.is_free("npu.add")


def test_opu_has_every_demand_of_the_seed():
    """Conv, BPA and BPW include their quantised, transposed, 1-D and 3-D relatives."""
    convolutions = {op for op in dialect_vocabulary() if re.match("(quant_)?conv", op)}
    others = {"img2col", "unpool", "mask_unpool", "mirror", "rotate", "nchw2nhwc", "nhwc2nchw"}
    others |= {"concat", "pad", "tensor_norm", "bilinear"}
    demanding = {op for op in dialect_vocabulary() if load("opu").has_demand(f"npu.{op}")}
    assert demanding == convolutions | others


@pytest.mark.parametrize(
    ("op", "value", "given", "demanded"),
    [
        ("conv2d", "data", "NCHW", "NHWC"),
        ("conv2d", "data", "NHWC", "NHWC"),
        ("conv2d", "kernel", "OIHW", "HWOI"),
        ("conv2d", "bias", "Tensor", None),
        ("conv2d", "result", "NCHW", None),
        ("conv1d", "data", "NCW", "NWC"),
        ("conv3d", "kernel", "OIDHW", "DHWOI"),
        ("conv2d_bpw", "result", "OIHW", "HWOI"),
        ("conv2d_bpw", "result", "NCHW", None),
        ("concat", "inputs", "CNHW", "NHWC"),
        ("concat", "inputs", "OIHW", "HWOI"),
        ("concat", "inputs", "OIDHW", "DHWOI"),
        ("concat", "inputs", "Tensor", None),
        ("concat", "inputs", "Tensor, [0, 2, 3, 1]", None),
        ("concat", "inputs", "NTensor", None),
        ("nchw2nhwc", "input", "NHWC", "NCHW"),
        ("nchw2nhwc", "result", "NCHW", "NHWC"),
        ("nhwc2nchw", "input", "NCHW", "NHWC"),
        ("nhwc2nchw", "result", "NHWC", "NCHW"),
        ("nchw2nhwc", "input", "OIHW", None),
        ("nchw2nhwc", "input", "NWC", None),
        ("relu", "input", "NCHW", None),
    ],
)
def test_opu_demands(op: str, value: str, given: str, demanded: str | None):
    answer = demanded_of(load("opu"), f"npu.{op}", value, given)
    assert answer == (None if demanded is None else Layout.parse(demanded))


def test_plover_differs_from_opu_in_every_respect():
    plover = load("plover")
    assert plover.matmul == (MatmulRule(MatmulFreedom.FREE),)
    assert plover.forbids_escaping
    assert all(stage.uses == 1 for stage in plover.stages.values())
    assert {stage.name for stage in plover.stages_running("npu.transpose")} == {"turn_in", "turn_out"}
    assert plover.root is plover.stage("turn_in")
    assert demanded_of(plover, "npu.conv2d", "data", "NHWC") == Layout.parse("NCHW")
    assert demanded_of(plover, "npu.bilinear", "input", "NCHW") == Layout.parse("NHWC")
    assert not plover.has_demand("npu.concat")


def test_ranks_above_the_limit_are_neither_preferred_nor_demanded():
    plover = load("plover")
    assert [plover.max_rank(cls) for cls in LayoutClass] == [4, 4, 5, 5]
    assert (LayoutClass.FEATURE, 5) not in plover.preferred_layouts
    assert demanded_of(plover, "npu.conv2d", "data", "NDHWC") is None


def test_plover_data_flow():
    assert edges(load("plover")) == [
        ("turn_in", "frame"),
        ("turn_in", "pixel"),
        ("frame", "mac"),
        ("mac", "scale"),
        ("scale", "shift"),
        ("shift", "join"),
        ("shift", "requantise"),
        ("requantise", "join"),
        ("join", "activate"),
        ("activate", "pool"),
        ("pool", "turn_out"),
        ("pixel", "turn_out"),
    ]


def test_the_example_of_the_documentation(tmp_path: Path):
    example = re.search(r"```toml\n(# (\w+\.toml)\n.*?)```", DOCUMENTATION.read_text(), re.DOTALL)
    assert example
    file = tmp_path / example[2]
    file.write_text(example[1])
    target = load(file)
    assert target.name == "mychip"
    assert edges(target)[3:6] == [("shift", "join"), ("shift", "act"), ("act", "join")]


def test_the_documentation_has_every_key_of_a_file():
    text = DOCUMENTATION.read_text()
    keys = "name description matmul free ranks preferred demands data-flow stages"
    keys += " feature weight tensor root edges forbids-escaping runs uses"
    for key in keys.split():
        assert re.search(rf"`\[?{key}\]?`", text), key
    for kind in OperandKind:
        assert kind is OperandKind.ANY or f" with {kind}" in text


def test_the_python_of_the_documentation_runs():
    example = re.search(r"```python\n(.*?)```", DOCUMENTATION.read_text(), re.DOTALL)
    assert example
    exec(example[1], {})


@irdl_op_definition
class Several(IRDLOperation):
    name = "test.several"
    first = operand_def()
    maybe = opt_operand_def()
    many = var_operand_def()
    single = result_def()
    rest = var_result_def()
    irdl_options = (AttrSizedOperandSegments(),)


def test_names_of_operands_and_results():
    index = IndexType()
    a, b, c = test.TestOp(result_types=[index] * 3).results
    full = Several(operands=[a, b, [b, c]], result_types=[index, [index, index]])
    assert operand_names(full) == ("first", "maybe", "many", "many")
    assert result_names(full) == ("single", "rest", "rest")
    sparse = Several(operands=[a, None, []], result_types=[index, []])
    assert operand_names(sparse) == ("first",)
    assert result_names(sparse) == ("single",)
