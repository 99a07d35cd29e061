"""Nodes of ONNX's own domain and inputs for them, to carry from each version of an op to each other one.

They are the node tests of the package onnx, which are of the newest versions, and nodes of older ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from npu_opt.bridges.onnx.exporting.opset import NEWEST_OPSET
from npu_opt.dialects.settings.file_rules import OLDEST_OPSET
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, checker, defs, helper, numpy_helper, parser, shape_inference

from .backend_nodes import all_cases

OLDEST_RUN = 7
"""The oldest opset that ONNX Runtime runs."""
REDUCTIONS = (
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare",
)  # fmt: skip
X = "float[2,3,4] x"
IMAGE = "float[2,3,4,4] x"
OLDER = (
    *(f"({X}) => (float[2,1,4] y) {{ y = {kind} <axes = [1]> (x) }}" for kind in REDUCTIONS),
    *(f"({X}) => (float[1,1,1] y) {{ y = {kind} (x) }}" for kind in REDUCTIONS),
    *(
        f"({X}) => (float[2,3,4] y) {{ y = {kind} <axis = {axis}> (x) }}"
        for kind in ("Softmax", "LogSoftmax", "Hardmax")
        for axis in (0, 1, 2)
    ),
    "(float[2,1,4] x) => (float[2,4] y) { y = Squeeze <axes = [1]> (x) }",
    "(float[2,1,4] x) => (float[2,4] y) { y = Squeeze (x) }",
    "(float[2,4] x) => (float[2,1,4] y) { y = Unsqueeze <axes = [1]> (x) }",
    "(float[2,4] x) => (float[2,2] y, float[2,2] z) { y, z = Split <axis = 1> (x) }",
    "(float[2,4] x) => (float[2,1] y, float[2,3] z) { y, z = Split <axis = 1, split = [1, 3]> (x) }",
    f"({IMAGE}) => (float[2,3,8,6] y) <float[4] s = {{1, 1, 2, 1.5}}> {{ y = Resize (x, s) }}",
    f"({IMAGE}) => (float[2,3,2,3] y) <float[4] s = {{1, 1, 0.5, 0.75}}> {{ y = Resize (x, s) }}",
    f"({IMAGE}) => (float[2,3,8,6] y) <float[4] s = {{1, 1, 2, 1.5}}> {{ y = Upsample (x, s) }}",
    f"({IMAGE}) => (float[2,3,8,6] y) <float[4] s = {{1, 1, 2, 1.5}}, float[8] r = {{0, 0, 0, 0, 1, 1, 1, 1}}> "
    "{ y = Resize (x, r, s) }",
    f"({X}) => (float[2,3,4] y) {{ y = Dropout <ratio = 0.25> (x) }}",
    f"({X}) => (float[2,3,4] y) {{ y = Dropout (x) }}",
    f"({X}) => (float[2,3,4] y, bool[2,3,4] z) {{ y, z = Dropout (x) }}",
    f"({X}) => (float[2,3,4] y) {{ y = ReduceMean <noop_with_empty_axes = 1> (x) }}",
    f"({X}) => (float[2,3,4] y) {{ y = Clip <min = -0.5> (x) }}",
    f"({X}) => (float[2,3,4] y) {{ y = Clip (x) }}",
    f"({X}) => (float[2,3,6] y) {{ y = Pad <pads = [0, 0, 1, 0, 0, 1]> (x) }}",
    f"({X}) => (float[2,3,2] y, int64[2,3,2] z) {{ y, z = TopK <k = 2> (x) }}",
    "(float[2,6,5,2] x) => (float[2,6,5,2] y) { y = DFT (x) }",
    "(float[2,6,5,2] x) => (float[2,6,5,2] y) { y = DFT <axis = 2> (x) }",
    "(int64[3] x) => (float[3,4] y) <int64[1] d = {4}, float[2] v = {0, 1}> { y = OneHot (x, d, v) }",
    f"({IMAGE}) => (float[2,3,1,1] y) {{ y = GlobalLpPool (x) }}",
    f"({IMAGE}) => (float[2,3,3,3] y) {{ y = LpPool <kernel_shape = [2, 2]> (x) }}",
    f"({IMAGE}) => (float[1,3,2,2] y) <float[1,5] r = {{0, 0, 0, 2, 3}}> "
    "{ y = MaxRoiPool <pooled_shape = [2, 2]> (x, r) }",
    f"({IMAGE}) => (float[2,3,4,4] y) <float[3] v = {{1, 2, 3}}> {{ y = BatchNormalization (x, v, v, v, v) }}",
    f"({IMAGE}) => (float[2,3,4,4] y) <float[3] v = {{1, 2, 3}}> "
    "{ y = GroupNormalization <num_groups = 3> (x, v, v) }",
    f"({IMAGE}) => (float[2,3,4,4] y) <float[3,1,1] v = {{1, 2, 3}}> {{ y = PRelu (x, v) }}",
    f"({X}) => (int32[2,3,4] y) {{ y = Cast <to = 6> (x) }}",
    f"({X}) => (float[2,3,2] y) {{ y = Slice <axes = [2], starts = [1], ends = [3]> (x) }}",
    f"({X}) => (float[2,3,2] y) <int64[1] s = {{1}}, int64[1] e = {{3}}, int64[1] a = {{2}}> "
    "{ y = Slice (x, s, e, a) }",
    f"({X}) => (float[2,3,4] y) <int64 a = {{1}}> {{ y = CumSum (x, a) }}",
    "(float[2,8,2,2] x) => (float[2,2,4,4] y) { y = DepthToSpace <blocksize = 2> (x) }",
    f"({X}) => (float[2,3,4] y) <int64 n = {{3}}, bool c = {{1}}> "
    "{ y = Loop (n, c, x) <body = again (int64 i, bool b, float[2,3,4] v) => (bool d, float[2,3,4] w) "
    "{ d = Identity (b) w = Add (v, v) }> }",
    f"({X}) => (int64[2,1,4] y) {{ y = ArgMax <axis = 1> (x) }}",
    f"({X}) => (int64[2,1,4] y) {{ y = ArgMin <axis = 1> (x) }}",
)
"""Nodes of older versions."""


@dataclass(frozen=True)
class Case:
    """A model of one node, and inputs for it."""

    name: str
    model: ModelProto
    inputs: Sequence[Any]


def cases() -> Iterator[Case]:
    for case in all_cases():
        (node, *others), (data, *_) = case.model.graph.node, case.data_sets
        if not others and not node.domain:
            given = Case(case.name, case.model, [_array(each) for each in data[0]])
            yield given
            yield from with_constants(given)
    for number, text in enumerate(OLDER):
        model = parser.parse_model(f'<ir_version: 8, opset_import: ["": {OLDEST_OPSET}]> net {text}')
        rng = np.random.default_rng(number)
        yield Case(text, model, [_random(each.type.tensor_type, rng) for each in model.graph.input])


def with_constants(case: Case) -> Iterator[Case]:
    """The case with its axes, sizes and pads as constants."""
    model, left = in_opset(case.model, case.model.opset_import[0].version), list[Any]()
    del model.graph.input[:]
    for number, (info, given) in enumerate(zip(case.model.graph.input, case.inputs, strict=True)):
        array: NDArray[Any] = np.asarray(given if isinstance(given, np.ndarray) else 0.5)
        if number and array.ndim < 2 and array.dtype == np.int64:
            model.graph.initializer.append(numpy_helper.from_array(array, info.name))
        else:
            model.graph.input.append(info)
            left.append(given)
    if model.graph.initializer:
        yield Case(f"{case.name} of constants", model, left)


def _array(given: Any) -> Any:
    if isinstance(given, TensorProto):
        return numpy_helper.to_array(given)
    return given


def _random(type_: Any, rng: np.random.Generator) -> NDArray[Any]:
    shape: list[int] = [dim.dim_value for dim in type_.shape.dim]
    if type_.elem_type == TensorProto.INT64:
        return np.arange(-1, shape[0] - 1, dtype=np.int64)
    return rng.standard_normal(shape).astype(np.float32)


@cache
def _versions() -> dict[str, list[int]]:
    """The opsets in which each op of ONNX has a new version. The package onnx makes its list of all anew each time."""
    found = dict[str, list[int]]()
    for each in defs.get_all_schemas_with_history():
        if not each.domain:
            found.setdefault(each.name, []).append(each.since_version)
    return found


def steps(kind: str) -> Iterator[tuple[int, int]]:
    """An opset for each version of an op that ONNX Runtime runs, and one for each other that is written."""
    since = sorted(_versions().get(kind, ()))
    spans = [range(first, behind) for first, behind in zip(since, [*since[1:], NEWEST_OPSET + 1], strict=True)]
    for before in spans:
        for after in spans:
            last, first = min(before[-1], NEWEST_OPSET) if before else 0, max(after.start, OLDEST_OPSET)
            if before != after and last >= OLDEST_RUN and first in after:
                yield last, first


def in_opset(model: ModelProto, opset: int) -> ModelProto:
    """A model in another opset, as it is."""
    made = ModelProto()
    made.CopyFrom(model)
    del made.opset_import[:]
    made.opset_import.append(helper.make_opsetid("", opset))
    made.ir_version = 8 if opset < 21 else 10
    return made


def is_valid(model: ModelProto, checks_types: bool = False) -> bool:
    try:
        cast("Any", checker).check_model(model, full_check=checks_types)
    except (checker.ValidationError, shape_inference.InferenceError):
        return False
    return True
