"""Damaged ONNX models: mutations that make a model wrong, or merely odd, one line at a time.

As a script it reads models, mutates them, runs npu-opt on the results, and prints a line of JSON for each.
"""

import io
import json
import os
import resource
import signal
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, cast

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

Mutation = Callable[[ModelProto, Random], None]

MEMORY = 3 << 30
"""The bytes of address space for a model, Python and its packages included."""
SECONDS = 30
"""Seconds after which a model counts as hung."""

INTEGERS = (0, 1, -1, 2, 3, -2, 7, 64, 1 << 20, 1 << 31, -(1 << 31), (1 << 40), (1 << 63) - 1, -(1 << 63))
FLOATS = (0.0, -1.0, 1e-38, 1e38, float("nan"), float("inf"), -float("inf"), 0.5)
TEXTS = (b"", b"NOTSET", b"SAME_UPPER", b"linear", b"\xff\xfe", b"ij,jk->ik", b"...,->", b"->", b"a\x00b", b"x" * 300)
NAMES = ("", "x", "y", "a b", "Identity", "é", "#", "a\nb", "__metadata__", '"', "%0", "x" * 400, "?1", "N*N")
OPS = (
    "Add", "Relu", "Conv", "Gemm", "MatMul", "Reshape", "Transpose", "Concat", "Split", "Slice", "Gather", "Expand",
    "Tile", "Pad", "Resize", "ReduceSum", "Softmax", "Cast", "Range", "OneHot", "TopK", "If", "Loop", "Where", "Nope",
)  # fmt: skip
LOCATIONS = ("/etc/passwd", "../model.onnx", "model.onnx", "gone.bin", "", "#left out", ".", "a\0b", "x" * 5000, "é")
OFFSETS = ("0", "4", "-4", "x", "", "99999999999999999999", "1e3", "٣")


class Hung(Exception):
    """A model took too long."""


# Helpers.


def _pick(values: Sequence[Any], rng: Random) -> Any:
    return values[rng.randrange(len(values))] if values else None


def _all_nodes(graph: GraphProto) -> Iterator[NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from _all_nodes(attribute.g)


def _node(model: ModelProto, rng: Random) -> NodeProto:
    return _pick(list(_all_nodes(model.graph)), rng) or model.graph.node.add()


def _attribute(model: ModelProto, rng: Random) -> AttributeProto | None:
    return _pick([each for node in _all_nodes(model.graph) for each in node.attribute], rng)


def _tensor(model: ModelProto, rng: Random) -> TensorProto:
    found = list(model.graph.initializer)
    found += [each.t for node in _all_nodes(model.graph) for each in node.attribute if each.HasField("t")]
    return _pick(found, rng) or model.graph.initializer.add(name="new", data_type=1, dims=[2], raw_data=bytes(8))


def _ends(model: ModelProto) -> list[Any]:
    return [*model.graph.input, *model.graph.output, *model.graph.value_info]


def _values(model: ModelProto) -> list[str]:
    names = [name for node in model.graph.node for name in (*node.input, *node.output)]
    return [*names, *(each.name for each in _ends(model)), *(each.name for each in model.graph.initializer)]


# Attributes.


def attribute_value(model: ModelProto, rng: Random) -> None:
    found = _attribute(model, rng)
    if found is None:
        return
    match found.type:
        case AttributeProto.INT:
            found.i = _pick(INTEGERS, rng)
        case AttributeProto.FLOAT:
            found.f = _pick(FLOATS, rng)
        case AttributeProto.STRING:
            found.s = _pick(TEXTS, rng)
        case AttributeProto.INTS if found.ints:
            found.ints[rng.randrange(len(found.ints))] = _pick(INTEGERS, rng)
        case AttributeProto.FLOATS if found.floats:
            found.floats[rng.randrange(len(found.floats))] = _pick(FLOATS, rng)
        case _:
            found.ints.append(_pick(INTEGERS, rng))


def attribute_length(model: ModelProto, rng: Random) -> None:
    found = _attribute(model, rng)
    if found is None:
        return
    values: Any = _pick([found.ints, found.floats, found.strings], rng)
    if values and rng.random() < 0.5:
        del values[rng.randrange(len(values)) :]
    elif found.type == AttributeProto.INTS:
        found.ints.extend([_pick(INTEGERS, rng)] * rng.choice((1, 2, 1000)))


def attribute_type(model: ModelProto, rng: Random) -> None:
    found = _attribute(model, rng)
    if found is None:
        return
    if rng.random() < 0.4:
        cast("Any", found).type = rng.choice(list(AttributeProto.AttributeType.values()))
        return
    name = found.name
    new = helper.make_attribute(
        name, rng.choice([3, 0.5, "text", [1, 2], [0.5], ["a"], numpy_helper.from_array(np.ones(2, np.float32), "t")])
    )
    found.CopyFrom(new)


def attribute_name(model: ModelProto, rng: Random) -> None:
    found = _attribute(model, rng)
    if found is not None:
        found.name = rng.choice((*NAMES, "axis", "axes", "perm", "pads", "value", "pure", "op_name", "onnx.operands"))


def attribute_gone(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    if node.attribute:
        del node.attribute[rng.randrange(len(node.attribute))]


def attribute_more(model: ModelProto, rng: Random) -> None:
    node, found = _node(model, rng), _attribute(model, rng)
    copied = found or helper.make_attribute("axis", 1)
    # Copied through bytes: the copy may contain the node itself.
    new = AttributeProto.FromString(copied.SerializeToString())
    if rng.random() < 0.5:
        new.name = rng.choice(["axis", "axes", "auto_pad", "mode", "to", "keepdims", "group", "body", "k", "p"])
    if rng.random() < 0.2:
        new.ref_attr_name = "alpha"
    node.attribute.append(new)


def attribute_graph(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    inner = GraphProto(name="inner")
    if rng.random() < 0.7:
        inner.node.append(helper.make_node("Add", [_pick(_values(model), rng) or "x", "i"], ["o"]))
        inner.output.append(helper.make_tensor_value_info("o", 1, None))
        inner.input.append(helper.make_tensor_value_info("i", 1, [2]))
    node.attribute.append(helper.make_attribute(rng.choice(["then_branch", "else_branch", "body", "axis"]), inner))


# Nodes.


def input_changed(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    if not node.input:
        node.input.append(_pick(_values(model), rng) or "x")
        return
    index = rng.randrange(len(node.input))
    node.input[index] = rng.choice([*_values(model), "", "dangling", *node.output])


def input_count(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    if node.input and rng.random() < 0.6:
        del node.input[rng.randrange(len(node.input))]
    else:
        node.input.extend([_pick(_values(model), rng) or "x"] * rng.choice((1, 1, 3, 20)))


def output_changed(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    action = rng.randrange(3)
    if action == 0 and node.output:
        node.output[rng.randrange(len(node.output))] = rng.choice([*_values(model), "", "other"])
    elif action == 1 and node.output:
        del node.output[rng.randrange(len(node.output))]
    else:
        node.output.append(rng.choice(["more", "", "y"]))


def op_changed(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    others = [each.op_type for each in model.graph.node]
    node.op_type = rng.choice([*OPS, *others, *NAMES])


def domain_changed(model: ModelProto, rng: Random) -> None:
    node = _node(model, rng)
    node.domain = rng.choice(["", "ai.onnx", "ai.onnx.ml", "com.microsoft", "nowhere", "ai.onnx.preview", "é", '"'])
    if rng.random() < 0.5:
        model.opset_import.append(helper.make_opsetid(node.domain, rng.choice(INTEGERS)))


def nodes_moved(model: ModelProto, rng: Random) -> None:
    nodes = list(model.graph.node)
    if not nodes:
        return
    match rng.randrange(4):
        case 0:
            rng.shuffle(nodes)
        case 1:
            nodes.append(rng.choice(nodes))
        case 2:
            del nodes[rng.randrange(len(nodes))]
        case _:
            nodes = []
    copies = [NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del model.graph.node[:]
    model.graph.node.extend(copies)


def node_name(model: ModelProto, rng: Random) -> None:
    _node(model, rng).name = rng.choice(NAMES)


# Values and their types.


def renamed(model: ModelProto, rng: Random) -> None:
    """Rename a value everywhere, which keeps the model valid if the new name is free."""
    names = [name for name in _values(model) if name]
    if not names:
        return
    old, new = rng.choice(names), rng.choice(NAMES)
    for node in _all_nodes(model.graph):
        for side in (node.input, node.output):
            for index, name in enumerate(side):
                side[index] = new if name == old else name
    for each in (*_ends(model), *model.graph.initializer):
        each.name = new if each.name == old else each.name


def dim_changed(model: ModelProto, rng: Random) -> None:
    end = _pick(_ends(model), rng)
    if end is None:
        return
    dims = end.type.tensor_type.shape.dim
    if not dims:
        dims.add().dim_value = rng.choice(INTEGERS)
        return
    index = rng.randrange(len(dims))
    match rng.randrange(4):
        case 0:
            dims[index].dim_value = rng.choice(INTEGERS)
        case 1:
            dims[index].dim_param = rng.choice(NAMES)
        case 2:
            dims[index].Clear()
        case _:
            del dims[index]


def rank_changed(model: ModelProto, rng: Random) -> None:
    end = _pick(_ends(model), rng)
    if end is None:
        return
    match rng.randrange(4):
        case 0:
            for _ in range(rng.choice((1, 2, 9, 70))):
                end.type.tensor_type.shape.dim.add().dim_value = rng.choice((1, 2, 0))
        case 1:
            end.type.tensor_type.ClearField("shape")
        case 2:
            end.ClearField("type")
        case _:
            element = helper.make_tensor_type_proto(1, [2])
            end.type.CopyFrom(rng.choice([helper.make_sequence_type_proto, helper.make_optional_type_proto])(element))


def element_changed(model: ModelProto, rng: Random) -> None:
    end = _pick(_ends(model), rng)
    if end is not None:
        end.type.tensor_type.elem_type = rng.choice([*TensorProto.DataType.values(), 99, -1])


def ends_changed(model: ModelProto, rng: Random) -> None:
    graph = model.graph
    name = _pick(_values(model), rng) or "x"
    match rng.randrange(6):
        case 0:
            graph.output.append(helper.make_tensor_value_info(name, 1, None))
        case 1:
            graph.input.append(helper.make_tensor_value_info(name, 1, [2]))
        case 2 if graph.output:
            del graph.output[rng.randrange(len(graph.output))]
        case 3 if graph.input:
            del graph.input[rng.randrange(len(graph.input))]
        case 4:
            graph.value_info.append(helper.make_tensor_value_info(name, rng.choice((1, 7)), [rng.choice(INTEGERS)]))
        case _:
            graph.output.append(helper.make_tensor_value_info(rng.choice(NAMES), 1, [2]))


# Numbers.


def dims_of_tensor(model: ModelProto, rng: Random) -> None:
    tensor = _tensor(model, rng)
    if tensor.dims and rng.random() < 0.7:
        tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(INTEGERS)
    else:
        tensor.dims.append(rng.choice(INTEGERS))


def data_of_tensor(model: ModelProto, rng: Random) -> None:
    tensor = _tensor(model, rng)
    match rng.randrange(5):
        case 0:
            tensor.raw_data = tensor.raw_data[: rng.randrange(len(tensor.raw_data) + 1)]
        case 1:
            tensor.ClearField("raw_data")
        case 2:
            tensor.int32_data.extend([1, -1, 70000])
        case 3:
            tensor.float_data.extend([0.5] * 3)
        case _:
            tensor.raw_data += bytes(rng.choice((1, 4, 8)))


def numbers_of_tensor(model: ModelProto, rng: Random) -> None:
    """Other numbers, which may be sizes, axes, indices..."""
    tensor = _tensor(model, rng)
    width = 4 if tensor.data_type == TensorProto.FLOAT else 8
    if len(tensor.raw_data) < width:
        return
    place = rng.randrange(len(tensor.raw_data) // width) * width
    new = struct.pack("<f", rng.choice(FLOATS)) if width == 4 else struct.pack("<q", rng.choice(INTEGERS))
    tensor.raw_data = tensor.raw_data[:place] + new + tensor.raw_data[place + width :]


def type_of_tensor(model: ModelProto, rng: Random) -> None:
    _tensor(model, rng).data_type = rng.choice([*TensorProto.DataType.values(), 99, -1])


def place_of_tensor(model: ModelProto, rng: Random) -> None:
    tensor = _tensor(model, rng)
    tensor.data_location = rng.choice((TensorProto.EXTERNAL, TensorProto.EXTERNAL, TensorProto.DEFAULT))
    if rng.random() < 0.8:
        tensor.external_data.add(key="location", value=rng.choice(LOCATIONS))
    for key in ("offset", "length", "field", "checksum"):
        if rng.random() < 0.4:
            tensor.external_data.add(key=key, value=rng.choice(OFFSETS))
    if rng.random() < 0.5:
        tensor.ClearField("raw_data")


def tensors_changed(model: ModelProto, rng: Random) -> None:
    tensors = model.graph.initializer
    name = rng.choice([*_values(model), *NAMES])
    match rng.randrange(4):
        case 0:
            tensors.append(numpy_helper.from_array(np.ones((2, 3), rng.choice([np.float32, np.int64])), name))
        case 1 if tensors:
            del tensors[rng.randrange(len(tensors))]
        case 2:
            model.graph.sparse_initializer.add().dims.append(3)
        case _:
            _tensor(model, rng).name = name


# The model as a whole.


def versions(model: ModelProto, rng: Random) -> None:
    match rng.randrange(5):
        case 0:
            model.opset_import[0].version = rng.choice((*INTEGERS, 7, 9, 10, 11, 13, 18, 21, 25))
        case 1:
            model.opset_import.append(helper.make_opsetid(rng.choice(["", "ai.onnx", "x"]), rng.choice(INTEGERS)))
        case 2:
            model.ir_version = rng.choice(INTEGERS)
        case 3:
            del model.opset_import[:]
        case _:
            model.opset_import[0].domain = rng.choice(["ai.onnx", "x", "com.microsoft"])


def functions(model: ModelProto, rng: Random) -> None:
    """The op of a node as a function, which may call others or itself."""
    node = _node(model, rng)
    count = rng.choice((1, 2, 40))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    for index in range(count):
        callee = rng.choice([f"F{index + 1}", f"F{index + 1}", "F0", "Neg", node.op_type])
        domain = "local" if callee.startswith("F") else node.domain
        body = [
            helper.make_node(callee, ["a"], ["b"], domain=domain),
            helper.make_node(callee, ["b"], [rng.choice("ccd")], domain=domain),
        ]
        model.functions.append(helper.make_function("local", f"F{index}", ["a"], ["c"], body, imports))
    node.op_type, node.domain = "F0", "local"
    model.opset_import.append(helper.make_opsetid("local", 1))
    del node.attribute[rng.randrange(len(node.attribute) + 1) :]


MUTATIONS: Sequence[Mutation] = (
    attribute_value, attribute_value, attribute_length, attribute_type, attribute_name, attribute_gone,
    attribute_more, attribute_graph, input_changed, input_count, output_changed, op_changed, domain_changed,
    nodes_moved, node_name, renamed, dim_changed, dim_changed, rank_changed, element_changed, ends_changed,
    dims_of_tensor, data_of_tensor, numbers_of_tensor, numbers_of_tensor, type_of_tensor, place_of_tensor,
    tensors_changed, versions, functions,
)  # fmt: skip


def damaged(data: bytes, rng: Random) -> bytes:
    """Flip, cut off, remove or repeat bytes."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(found) + 1)
        match rng.randrange(4):
            case 0 if place < len(found):
                found[place] ^= 1 << rng.randrange(8)
            case 1:
                del found[place:]
            case 2:
                del found[place : place + rng.randrange(1, 9)]
            case _:
                found[place:place] = found[place : place + rng.randrange(1, 30)]
    return bytes(found)


def mutant(model: ModelProto, rng: Random) -> tuple[bytes, list[str]]:
    """A damaged copy of a model, and the mutation."""
    changed = ModelProto.FromString(model.SerializeToString())
    done: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if rng.random() < 0.08:
            return damaged(changed.SerializeToString(), rng), [*done, "bytes"]
        mutation = rng.choice(MUTATIONS)
        done.append(mutation.__name__)
        try:
            mutation(changed, rng)
        except (ValueError, TypeError, IndexError):
            # protobuf does not allow this mutation.
            continue
    return changed.SerializeToString(), done


# Runs of npu-opt.

WAYS: Sequence[Sequence[str]] = (
    ("-o", "out.mlir"),
    ("--weights=inline", "-o", "out.mlir"),
    ("--weights=none", "--layout-transmit", "-o", "out.mlir"),
    ("--layout-preset", "--canonicalize", "-o", "out.mlir"),
    ("--layout-preset", "-o", "out.onnx"),
)


def outcome(path: Path, way: Sequence[str]) -> dict[str, Any]:
    """The exit code and messages of npu-opt for a file; its output has to be readable again."""
    from npu_opt.tools.opt import run

    flags = [str(path.parent / flag) if flag.startswith("out.") else flag for flag in way]
    errors = io.StringIO()
    signal.alarm(SECONDS)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(errors):
            code = run([str(path), *flags])
            if code == 0 and flags[-1].endswith(".mlir") and (again := run([flags[-1], "-o", os.devnull])):
                code = 100 + again
    except Hung:
        return {"code": -1, "said": f"takes more than {SECONDS} seconds"}
    finally:
        signal.alarm(0)
    return {"code": code, "said": errors.getvalue()}


def _hang(number: int, frame: FrameType | None) -> None:
    raise Hung


def seeds(texts: Path, with_node_tests: bool) -> list[ModelProto]:
    """The models to be damaged: those of a file of texts, and the node tests of ONNX."""
    found = [_filled(onnx.parser.parse_model(text)) for text in texts.read_text().split("\n// -----\n")]
    if with_node_tests:
        from onnx.backend.test.loader import load_model_tests

        found += [case.model for case in load_model_tests(kind="node") if case.model is not None]
    return found


def _filled(model: ModelProto) -> ModelProto:
    """The model with initializers for the values without producers."""
    graph = model.graph
    known = {name for node in graph.node for name in node.output}
    for value in list(graph.value_info):
        if value.name not in known:
            type_ = value.type.tensor_type
            numbers = np.arange(np.prod(shape := [dim.dim_value for dim in type_.shape.dim])).reshape(shape) % 5
            made = numbers.astype(helper.tensor_dtype_to_np_dtype(type_.elem_type))
            graph.initializer.append(numpy_helper.from_array(made, value.name))
            graph.value_info.remove(value)
    return model


def main(arguments: Sequence[str]) -> None:
    texts, first, count, more = arguments
    signal.signal(signal.SIGALRM, _hang)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    models = seeds(Path(texts), more == "all")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        for seed in range(int(first), int(first) + int(count)):
            rng = Random(seed)
            data, done = mutant(rng.choice(models), rng)
            path.write_bytes(data)
            print(json.dumps({"seed": seed, "done": done}), flush=True)
            print(json.dumps({"seed": seed, "done": done, **outcome(path, rng.choice(WAYS))}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
