"""A node that is carried into another opset computes there what it computed before, in ONNX Runtime."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.errors import NotExportable
from npu_opt.bridges.onnx.exporting.elements import F32, I64
from npu_opt.bridges.onnx.exporting.versions import BECAME_INPUTS, KeptNode, check_subgraphs, translated
from npu_opt.equivalence.onnx_versions import CHANGES, meaning
from npu_opt.layout import DYNAMIC
from numpy.typing import NDArray
from onnx import ModelProto, defs, helper, numpy_helper, parser
from support.closeness import SUMS, are_close
from support.generators.opset_steps import OLDEST_RUN, REDUCTIONS, Case, cases, in_opset, is_valid, steps
from support.oracles.onnx_running import unoptimised

RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
"""Ops whose outputs are other ones in each run."""
NOT_RUN = {"GlobalLpPool", "MaxRoiPool", "RoiAlign"}
"""Ops of whose version 22 ONNX Runtime 1.32 has no kernel; it differs by element types only."""
Step = tuple[str, int, int]
MANY = 200


class Runs:
    """The models of one case: many steps lead from one model, and many to one."""

    def __init__(self, inputs: Sequence[Any]) -> None:
        self._inputs = inputs
        self._outputs = dict[bytes, Any]()
        self._is_valid = dict[bytes, bool]()

    def outputs(self, model: ModelProto) -> Any:
        """The outputs in ONNX Runtime, or None if it does not run the model."""
        key = model.SerializeToString(deterministic=True)
        if key not in self._outputs:
            self._outputs[key] = self._run(model)
        return self._outputs[key]

    def _run(self, model: ModelProto) -> Any:
        try:
            found = unoptimised(model)
            names = [each.name for each in found.get_inputs()]
            return found.run(None, dict(zip(names, self._inputs, strict=True)))
        except Exception:
            # ONNX Runtime raises errors of any type.
            return None

    def is_valid(self, model: ModelProto) -> bool:
        key = model.SerializeToString(deterministic=True)
        if key not in self._is_valid:
            self._is_valid[key] = is_valid(model)
        return self._is_valid[key]


def is_same(left: Any, right: Any) -> bool:
    if isinstance(left, list):
        return len(cast("list[Any]", left)) == len(right) and all(map(is_same, cast("list[Any]", left), right))
    if not hasattr(left, "dtype") or left.dtype.kind not in "fc":
        return np.array_equal(left, right)
    return left.dtype == right.dtype and left.shape == right.shape and are_close(left, right, SUMS)


def carried(case: Case, runs: Runs, before: int, after: int) -> tuple[ModelProto, ModelProto] | None:
    """A case in one opset, and as it is written in another one; None if it is refused."""
    original = in_opset(case.model, before)
    if not runs.is_valid(original):
        return None
    (node,) = original.graph.node
    written = in_opset(original, after)

    def constant(numbers: NDArray[Any], is_like_data: bool) -> str:
        element = original.graph.input[0].type.tensor_type.elem_type
        array = numbers.astype(helper.tensor_dtype_to_np_dtype(element)) if is_like_data else numbers
        name = f"constant{len(written.graph.initializer)}"
        written.graph.initializer.append(numpy_helper.from_array(array, name))
        return name

    def numbers(name: str) -> NDArray[Any] | None:
        found = [numpy_helper.to_array(each) for each in written.graph.initializer if each.name == name]
        return found[0] if found else None

    try:
        use = KeptNode(
            node.op_type, list(node.attribute), [each or None for each in node.input], len(node.output), numbers
        )
        use = translated(use, before, after, constant)
    except NotExportable:
        return None
    (node,) = written.graph.node
    node.op_type = use.kind
    for field, values in (("attribute", use.attributes), ("input", [each or "" for each in use.inputs])):
        del getattr(node, field)[:]
        getattr(node, field).extend(values)
    return original, written


def unknown_words(model: ModelProto) -> list[str]:
    """The words in attributes of the node that the definition of the op in the opset of the model does not have."""
    (node,) = model.graph.node
    attributes = defs.get_schema(node.op_type, model.opset_import[0].version).attributes
    given = [(each.s.decode(), attributes[each.name]) for each in node.attribute if each.type == each.STRING]
    texts = [(word, f"{about.description} {about.default_value}") for word, about in given if about.description]
    return [word for word, text in texts if word.lower() not in text.lower()]


@pytest.mark.xdist_group("backend nodes")
def test_carried_nodes_compute_the_same():
    same, tried, wrong = Counter[Step](), set[Step](), list[str]()
    for case in cases():
        (node,) = case.model.graph.node
        if node.op_type in RANDOM:
            continue
        runs = Runs(case.inputs)
        for before, after in steps(node.op_type):
            if (pair := carried(case, runs, before, after)) is None:
                continue
            if (expected := runs.outputs(pair[0])) is None:
                continue
            step = node.op_type, before, after
            tried.add(step)
            found = runs.outputs(pair[1])
            if not runs.is_valid(pair[1]):
                wrong.append(f"{step} {case.name}: not valid")
            elif words := {*unknown_words(pair[1])} - {*unknown_words(pair[0])}:
                wrong.append(f"{step} {case.name}: no {words}")
            elif found is None and node.op_type not in NOT_RUN and (after > before or is_valid(pair[1], True)):
                wrong.append(f"{step} {case.name}: not run")
            elif found is not None and is_same(found, expected):
                same[step] += 1
            elif found is not None:
                wrong.append(f"{step} {case.name}: other outputs")
    assert wrong == []
    assert {step[0] for step in tried if not same[step]} <= NOT_RUN
    assert len(same) > MANY
    # A step that nobody could run is refused.
    unknown = [step for step in accepted() if step not in tried and step[0] not in RANDOM | NOT_RUN]
    assert unknown == []


def named(_numbers: NDArray[Any], _is_like_data: bool) -> str:
    return "constant"


def accepted() -> list[Step]:
    """The steps that are accepted for a node without attributes, with the fewest inputs and outputs."""
    found = list[Step]()
    for kind in sorted({schema.name for schema in defs.get_all_schemas() if not schema.domain}):
        for before, after in steps(kind):
            schema = defs.get_schema(kind, before)
            inputs: list[str | None] = ["x"] * schema.min_input
            try:
                translated(KeptNode(kind, [], inputs, max(schema.min_output, 1)), before, after, named)
            except NotExportable:
                continue
            found.append((kind, before, after))
    return found


WINDOWS: list[tuple[int, dict[str, Any], bool]] = [
    (4, {"pads": [0, 0]}, True),
    (3, {}, True),
    (2, {}, False),
    (2, {"pads": [0, 1]}, True),
    (DYNAMIC, {}, True),
    (4, {"auto_pad": "SAME_UPPER", "strides": [4]}, False),
    (7, {"auto_pad": "SAME_UPPER", "strides": [4]}, True),
    (DYNAMIC, {"auto_pad": "SAME_LOWER", "strides": [4]}, False),
    (DYNAMIC, {"auto_pad": "SAME_LOWER", "strides": [3]}, True),
]


@pytest.mark.parametrize(("size", "attributes", "is_carried"), WINDOWS)
def test_an_average_over_more_than_the_data_is_another_one(size: int, attributes: dict[str, Any], is_carried: bool):
    """ONNX Runtime divides by the window in one opset and by what it holds in the other, and refuses negative pads."""
    given = [helper.make_attribute(name, value) for name, value in {"kernel_shape": [3], **attributes}.items()]
    use = KeptNode("AveragePool", given, ["x"], 1, sizes=lambda _: (1, 2, size))
    if is_carried:
        assert translated(use, 20, 17, named) == use
    else:
        with pytest.raises(NotExportable, match="AveragePool of ONNX 20 is another op in ONNX 17"):
            translated(use, 20, 17, named)


def versions(kind: str, before: int, after: int) -> tuple[str, frozenset[int]]:
    """The versions of an op in two opsets."""
    return kind, frozenset(defs.get_schema(kind, opset).since_version for opset in (before, after))


def test_the_proof_equates_no_step_that_is_refused():
    """The knowledge of the proof is not that of the exporter: it may equate fewer, and no others."""
    same = {versions(*step) for step in accepted()}
    kinds = {schema.name for schema in defs.get_all_schemas() if not schema.domain}
    steps_of_all = [(kind, before, after) for kind in kinds for before, after in steps(kind)]
    equal = {versions(*step) for step in steps_of_all if meaning(step[0], step[1]) == meaning(step[0], step[2])}
    assert equal - same == set()
    assert len(equal) > MANY


OTHERWISE = {("DFT", 20), ("Dropout", 12)}
"""Steps at which an attribute became an input, and the op another one too."""


def test_attributes_became_inputs_in_the_versions_that_onnx_says():
    history = dict[str, list[defs.OpSchema]]()
    for schema in sorted(defs.get_all_schemas_with_history(), key=lambda each: each.since_version):
        if not schema.domain:
            history.setdefault(schema.name, []).append(schema)
    pairs = [pair for schemas in history.values() for pair in pairwise(schemas)]
    moved = {
        (new.name, new.since_version): {*old.attributes} - {*new.attributes}
        for old, new in pairs
        if new.max_input > old.max_input and new.since_version > OLDEST_RUN and {*old.attributes} - {*new.attributes}
    }
    assert {step: {*names} for step, names in moved.items() if step not in OTHERWISE} == {
        (kind, opset): {*names} for kind, (opset, names) in BECAME_INPUTS.items()
    }
    # The values of attributes take the places of the inputs.
    for kind, (opset, names) in BECAME_INPUTS.items():
        inputs = [each.name.lower().removeprefix("constant_") for each in defs.get_schema(kind, opset).inputs]
        assert inputs[1 : 1 + len(names)] == [*names]


CARRIED = {
    "Attention": {24},
    "AveragePool": {11, 19},
    "BatchNormalization": {9, 14},
    "Cast": {13, 19, 24},
    "CastLike": {19, 24},
    "Clip": {11},
    "Constant": {12},
    "ConstantOfShape": {20},
    "ConvTranspose": {11},
    "Dropout": {12},
    "GridSample": {20, 22},
    "PRelu": {9},
    **{kind: {18} for kind in REDUCTIONS if kind != "ReduceSum"},
    "ReduceSum": {13},
    "Resize": {13, 18, 19},
    "RoiAlign": {22},
    "Split": {13, 18},
    "Squeeze": {13},
    "Upsample": {10},
}
"""The changes of ops, as the proof knows them, over which the exporter carries a node without attributes.

It writes such a node as another one, or has read the change as none for it.
"""


def test_no_other_change_of_an_op_is_carried():
    found = dict[str, set[int]]()
    for kind, before, after in accepted():
        crossed = [change for change in CHANGES.get(kind, ()) if before < change <= after]
        if len(crossed) == 1:
            found.setdefault(kind, set()).update(crossed)
    assert found == CARRIED


def test_sizes_stand_beside_no_scales_since_they_may():
    """Before, an absent input was no scales but an error, so that files have a list of none."""
    use = KeptNode("Resize", [], ["x", "roi", "none", "sizes"], 1)
    assert translated(use, 12, 13, named).inputs == ["x", "roi", None, "sizes"]
    assert translated(use, 13, 18, named).inputs == ["x", "roi", "none", "sizes"]


def test_a_mod_of_floats_says_so_before_it_may_be_left_out():
    use = KeptNode("Mod", [], ["x", "y"], 1, elements=[F32, F32])
    assert translated(use, 27, 26, named) == use
    with pytest.raises(NotExportable, match="Mod of ONNX 28 is another op in ONNX 27"):
        translated(use, 28, 27, named)
    assert translated(replace(use, elements=[I64, I64]), 28, 27, named).kind == "Mod"


def test_words_of_a_sample_in_a_subgraph_are_not_carried():
    body = parser.parse_graph('body () => (float[1,1,2,2] y) { y = GridSample <mode = "bilinear"> (x, g) }')
    given = [helper.make_attribute("then_branch", body)]
    check_subgraphs(given, 16, 19)
    with pytest.raises(NotExportable, match="GridSample of ONNX 19 is another op in ONNX 22"):
        check_subgraphs(given, 19, 22)
