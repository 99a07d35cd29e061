"""ONNX Runtime's optimizer applied to a placed program.

Ops with a demand are foreign to ONNX, which has convolutions and pools in NCHW only. They are written as custom ops of
onnxruntime-extensions, of which ONNX Runtime knows only the types of operands and results, so their layout is fixed.
All other ops are plain ONNX, which ONNX Runtime may optimize.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from models.onnx_runs import read_graph
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.elements import carrier
from npu_opt.bridges.onnx.exporting.weights import ConstantData as Numbers
from npu_opt.bridges.onnx.importing.ops.microsoft import DOMAIN as MICROSOFT
from npu_opt.bridges.safetensors import Extract
from npu_opt.dialects.npu.attrs import Reference, ReferenceAttr, i64_attr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.normalization import LrnOp, VectorNormOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from npu_opt.layout import DYNAMIC, unpermuted
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.graph.dead_ops import live_ops
from npu_opt.passes.common.moves.transpose_cost import transposes
from npu_opt.passes.common.storages.origins import Origins
from npu_opt.targets import load
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from onnx import ModelProto, TensorProto, helper, shape_inference
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

DOMAIN = "ai.onnx.contrib"
"""The domain of ops that onnxruntime-extensions declares from Python."""
PLACE = "place"
"""A temporary attribute with the op from which a node was exported."""
NUMBERS = "numbers.bin"
PROVIDER = "CPUExecutionProvider"
PROPAGATION = "QDQPropagationTransformer"
SMALL = 1024
"""Constants of fewer bytes are kept in the model itself, where ONNX Runtime reads axes and scales from."""


class MissingRuntimeError(Exception):
    """ONNX Runtime or its extensions are not installed."""

    def __init__(self) -> None:
        super().__init__("the comparison with ONNX Runtime needs: pip install -e '.[benchmarks]'")


class Optimised(NamedTuple):
    """A program after ONNX Runtime's optimizer."""

    module: ModuleOp
    seconds: float
    """Seconds to load and optimize the model."""


def optimised(placed: ModuleOp, target: str) -> Optimised:
    """The program after ONNX Runtime's optimizer, at the highest level."""
    runtime, extensions = _packages()
    module = placed.clone()
    target_layouts = TargetLayouts(load(target))
    fixed = fix_layouts(module, target_layouts)
    for op in fixed:
        _declare(extensions, op)
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.onnx"), Path(folder, "after.onnx")
        write(module, fixed, before)
        options = runtime.SessionOptions()
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.optimized_model_filepath = str(after)
        options.log_severity_level = 3
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.optimized_model_external_initializers_file_name", "after.bin")
        options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", str(SMALL))
        options.register_custom_ops_library(extensions.get_library_path())
        start = time.perf_counter()
        _run(runtime, before, options, _impossible(target_layouts))
        seconds = time.perf_counter() - start
        _note_known_types(before, after)
        found = read_model(str(after), WeightsOptions()).module
    assert count_fixed(found) == len(fixed), "ONNX Runtime has dropped an op of which it knows nothing"
    return Optimised(found, seconds)


def _run(runtime: Any, file: Path, options: Any, disabled: list[str]) -> None:
    """Load a model, which optimizes it."""
    try:
        runtime.InferenceSession(str(file), options, disabled_optimizers=disabled, providers=[PROVIDER])
    except Exception as error:
        if PROPAGATION in disabled or "QuantizeLinear" not in str(error):
            raise
        # On some quantised networks this step writes a node that ONNX Runtime itself rejects.
        _run(runtime, file, options, [*disabled, PROPAGATION])


def _impossible(target_layouts: TargetLayouts) -> list[str]:
    """The steps of ONNX Runtime's optimizer whose results the target could not run."""
    # It would read the operands of a matmul transposed.
    freedoms = [rule.freedom for rule in target_layouts.target.matmul]
    return [] if all(each.lhs and each.rhs for each in freedoms) else ["MatmulTransposeFusion"]


def _packages() -> tuple[Any, Any]:
    # Not at the top: the rest of the benchmark works without them.
    try:
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.
        import onnxruntime_extensions  # pyright: ignore[reportMissingTypeStubs, reportMissingImports]  # Likewise.
    except ImportError as error:
        raise MissingRuntimeError from error
    return cast("Any", onnxruntime), cast("Any", onnxruntime_extensions)


# Ops whose layout is fixed.


def fix_layouts(module: ModuleOp, target_layouts: TargetLayouts) -> list[OpaqueOp]:
    """Replace the ops that demand a layout or find their axes by letters by foreign ops, and return them.

    Their constant operands are dropped: those are stored as the op needs them.
    """
    found: list[OpaqueOp] = []
    origins = Origins()
    live = live_ops(module)
    for op in [op for op in module.walk() if op in live and isinstance(op, NpuOp) and is_fixed(op, target_layouts)]:
        operands = [operand for operand in op.operands if not origins.is_constant(operand)]
        taken, given = ("_".join(map(str, map(_number, values))) for values in (operands, op.results))
        fixed = OpaqueOp.build(
            operands=[operands],
            result_types=[[result.type for result in op.results]],
            properties={"op_name": StringAttr(f"{DOMAIN}.Fixed_{taken}_to_{given}"), "pure": UnitAttr()},
            attributes={PLACE: i64_attr(len(found))},
        )
        Rewriter.insert_op(fixed, InsertPoint.before(op))
        for old, new in zip(op.results, fixed.results, strict=True):
            old.replace_all_uses_with(new)
        Rewriter.erase_op(op)
        found.append(fixed)
    return found


def is_fixed(op: NpuOp, target_layouts: TargetLayouts) -> bool:
    """True if an op demands a layout, or is an ONNX op only with channels as the second axis."""
    has_channels = isinstance(op, LrnOp | VectorNormOp) and op.axis.value.data != 1
    return target_layouts.demands(op) is not None or bool(op.data_layouts()) or has_channels


def count_fixed(module: ModuleOp) -> int:
    return sum(1 for op in module.walk() if isinstance(op, OpaqueOp) and op.op_name.data.startswith(f"{DOMAIN}.Fixed"))


def _number(value: SSAValue) -> int:
    return carrier(element_type_of(value))


_declared: set[str] = set()


def _declare(extensions: Any, op: OpaqueOp) -> None:
    """Declare an op of these types to onnxruntime-extensions. It is never run."""
    kind = op.op_name.data.removeprefix(f"{DOMAIN}.")
    if kind not in _declared:
        _declared.add(kind)
        types = [*map(_number, op.operands)], [*map(_number, op.results)]
        extensions.onnx_op(op_type=kind, inputs=types[0], outputs=types[1])(_never_run)


def _never_run(*values: object) -> object:
    raise AssertionError("an optimizer runs no op; onnxruntime-extensions only wants a function for each")


# The model.


def write(module: ModuleOp, fixed: Sequence[OpaqueOp], path: Path) -> None:
    """Write a program as a model. Its weights are random: one file holds as many numbers as the largest has."""
    file = path.with_name(NUMBERS)
    shapes = dict(_stored_shapes(module))

    def made_up(reference: Reference, number: int) -> Numbers:
        shape = shapes[reference.key]
        length = prod(shape) * helper.tensor_dtype_to_np_dtype(number).itemsize
        return Numbers(number, Extract(file, 0, length), (unpermuted(shape),))

    with file.open("wb") as stream:
        # No number has more than eight bytes.
        stream.truncate(max((8 * prod(shape) for shape in shapes.values()), default=0))
    model = to_onnx(module, source=made_up, keeps_foreign=True)
    for tensor in model.proto.graph.initializer:
        weights = model.weights[tensor.name]
        if isinstance(weights.source, bytes):
            tensor.raw_data = weights.data()
        elif weights.size <= SMALL:
            dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
            tensor.raw_data = np.linspace(1, 2, prod(weights.shape)).astype(dtype).tobytes()
        else:
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in (("location", NUMBERS), ("offset", 0), ("length", weights.size)):
                tensor.external_data.add(key=key, value=str(value))
    written = sum(node.op_type == "Transpose" for node in model.proto.graph.node)
    assert written <= sum(1 for _ in transposes(module, Origins())), (
        "there are transposes that the program does not have"
    )
    _note_types(model.proto, fixed)
    path.write_bytes(model.proto.SerializeToString())


def _stored_shapes(module: ModuleOp) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The shape of each weight in the file, by its name; a different shape when used comes first."""
    kept: list[tuple[bool, str, tuple[int, ...]]] = []
    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
            kept.append((not op.value.data.is_reshaped, op.value.data.key, op.steps[0].shape))
    yield from ((key, shape) for _, key, shape in sorted(kept))


def _note_types(proto: ModelProto, fixed: Sequence[OpaqueOp]) -> None:
    """Record the types that ONNX Runtime cannot infer: those of the results of foreign ops."""
    ends = {output.name for output in proto.graph.output}
    for node in proto.graph.node:
        if node.domain != DOMAIN:
            continue
        (place,) = node.attribute
        for name, result in zip(node.output, fixed[place.i].results, strict=True):
            shape = [None if size == DYNAMIC else size for size in shape_of(result)]
            if name not in ends:
                proto.graph.value_info.append(helper.make_tensor_value_info(name, _number(result), shape))
        node.ClearField("attribute")


def _note_known_types(before: Path, after: Path) -> None:
    """Restore the types of the results of foreign ops, under their present names."""
    source, proto = read_graph(before), read_graph(after)
    inferred = shape_inference.infer_shapes(source).graph
    known = {value.name: value for value in (*inferred.value_info, *inferred.output)}
    outputs = {node.name: node.output for node in source.graph.node if node.domain == DOMAIN}
    noted = {value.name for value in (*proto.graph.value_info, *proto.graph.output)}
    for node in proto.graph.node:
        if node.domain in (DOMAIN, MICROSOFT):
            for name, old in zip(node.output, outputs.get(node.name, node.output), strict=True):
                if name not in noted and old in known:
                    proto.graph.value_info.add().CopyFrom(known[old])
                    proto.graph.value_info[-1].name = name
    after.write_bytes(proto.SerializeToString())
