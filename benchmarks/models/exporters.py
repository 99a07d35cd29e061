"""Exporters of the networks of the catalogue to ONNX."""

import io
import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import onnx
from catalogue import EVERY, EXAMPLE_SIZES, Dims, Network
from onnx import ModelProto, helper, numpy_helper, version_converter
from onnx_runs import random_inputs, read_graph, run
from weights import STRIPPED, with_random_weights

LARGE = 1 << 20
NORM_BUFFERS = {"bias", "running_mean", "running_var", "weight"}


def export(network: Network) -> ModelProto:
    return EXPORTERS[network.exporter](network)


# --- PyTorch


def module_of(network: Network):
    import torch

    torch.manual_seed(0)
    # It names each op of torchvision that it cannot export, whether or not one is there.
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    file, attribute = network.made_by.split(":")
    module = getattr(import_module(f"networks.{file}"), attribute)().eval()
    # New networks have many equal zeros and ones, which exporters share or drop. Trained ones have none.
    learned = [each.data for each in module.parameters() if each.requires_grad]
    norms = [each for name, each in module.named_buffers() if name.rpartition(".")[2] in NORM_BUFFERS]
    for data in (*learned, *norms):
        data += 0.02 * torch.rand_like(data)
    return module


def examples(network: Network):
    """The inputs on which the exporter runs the network."""
    import torch

    masks = {name for name in network.tokens if "mask" in name}
    tokens = {
        name: torch.randint(1, 2 if name in masks else 1000, sizes(network.tokens[name])) for name in network.tokens
    }
    inputs = {name: torch.randn(sizes(dims)) for name, dims in network.inputs.items()}
    return tokens | inputs


def sizes(dims: Dims) -> list[int]:
    return [EXAMPLE_SIZES[dim] if isinstance(dim, str) else dim for dim in dims]


def dynamic_dims(network: Network) -> dict[str, dict[int, str]]:
    return {
        name: {axis: dim for axis, dim in enumerate(dims) if isinstance(dim, str)}
        for name, dims in (network.tokens | network.inputs).items()
    }


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def by_script(network: Network) -> ModelProto:
    import torch

    module, values, stream = module_of(network), examples(network), io.BytesIO()
    with quiet(), torch.no_grad():
        torch.onnx.export(
            module,
            tuple(values.values()),
            stream,
            dynamo=False,
            opset_version=network.opset,
            input_names=list(values),
            output_names=list(network.outputs),
            dynamic_axes=dynamic_dims(network),
        )
    return onnx.load_from_string(stream.getvalue())


def by_dynamo(network: Network) -> ModelProto:
    import torch

    module, values = module_of(network), examples(network)
    dynamic = tuple(dynamic_dims(network).values())
    with quiet(), torch.no_grad():
        program = torch.onnx.export(
            module,
            tuple(values.values()),
            dynamo=True,
            opset_version=network.opset,
            input_names=list(values),
            output_names=list(network.outputs),
            dynamic_shapes=(dynamic,) if any(dynamic) else None,
            verbose=False,
        )
    leave_out_weights(program.model)
    return program.model_proto


def leave_out_weights(model) -> None:
    """Remove the largest weights of a model before protobuf has to hold them: it cannot hold 2 GB."""
    import onnx_ir

    for name, value in model.graph.initializers.items():
        tensor = value.const_value
        if tensor.nbytes >= LARGE:
            value.const_value = onnx_ir.ExternalTensor(
                STRIPPED, None, None, tensor.dtype, shape=tensor.shape, name=name
            )


# --- Keras


def by_keras(network: Network) -> ModelProto:
    import keras
    import tensorflow
    import tf2onnx
    from tf2onnx import optimizer

    keras.utils.set_random_seed(0)
    application, _, how = network.made_by.partition(":")
    (name, dims), *_ = network.inputs.items()
    shape = [None if isinstance(dim, str) else dim for dim in dims]
    model = getattr(keras.applications, application)(weights=None, input_shape=tuple(shape[1:]))
    for weight in model.weights:
        # As in module_of.
        weight.assign_add(0.02 * keras.random.uniform(weight.shape))
    steps = dict(optimizer._get_optimizers())  # The only list of them.
    if how == "plain":
        del steps["optimize_transpose"]
    exported, _ = tf2onnx.convert.from_keras(
        model,
        input_signature=(tensorflow.TensorSpec(shape, tensorflow.float32, name=name),),
        opset=network.opset,
        optimizers=steps,
    )
    for axis, dim in enumerate(dims):
        if isinstance(dim, str):
            exported.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = dim
    return exported


# --- models of the onnx package


def from_the_onnx_package(network: Network) -> ModelProto:
    """Its weights are ConstantOfShape nodes; here they become initializers again, without data."""
    folder = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    model = onnx.load(folder / f"{network.made_by}.onnx")
    graph = model.graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    filled = [node for node in graph.node if node.op_type == "ConstantOfShape"]
    shapes = {node.input[0] for node in filled}
    for node in filled:
        graph.node.remove(node)
        (value,) = (numpy_helper.to_array(attribute.t) for attribute in node.attribute)
        data = value.repeat(values[node.input[0]].prod()).reshape(values[node.input[0]])
        graph.initializer.append(numpy_helper.from_array(data, node.output[0]))
        # A format this old requires each initializer among the inputs.
        kind = helper.np_dtype_to_tensor_dtype(data.dtype)
        graph.input.append(helper.make_tensor_value_info(node.output[0], kind, data.shape))
    for name in shapes:
        remove_named(graph.initializer, name)
        remove_named(graph.input, name)
    model = version_converter.convert_version(model, network.opset)
    model.ir_version = 8  # From 4 on they need not be.
    for tensor in model.graph.initializer:
        remove_named(model.graph.input, tensor.name)
    return model


def remove_named(values, name: str) -> None:
    for value in [value for value in values if value.name == name]:
        values.remove(value)


# --- quantised models


def quantised(network: Network) -> ModelProto:
    from onnxruntime import quantization as tools

    origin, how = network.made_by.split(":")
    graph_only = read_graph(next(each.file for each in EVERY if each.name == origin))
    if how in INT4:
        return with_int4_weights(
            graph_only, tools.QuantFormat.QDQ if how == "int4-qdq" else tools.QuantFormat.QOperator
        )
    with tempfile.TemporaryDirectory() as folder, quiet():
        before, prepared, after = (Path(folder) / f"{name}.onnx" for name in ("before", "prepared", "after"))
        onnx.save(with_random_weights(graph_only), before)
        if how == "dynamic":
            tools.quantize_dynamic(before, after, weight_type=tools.QuantType.QInt8)
            return onnx.load(after)
        tools.shape_inference.quant_pre_process(before, prepared)
        tools.quantize_static(
            prepared,
            after,
            RandomImages(graph_only),
            quant_format=tools.QuantFormat.QOperator if how == "qlinear" else tools.QuantFormat.QDQ,
            per_channel=how == "qdq",
            op_types_to_quantize=["Conv", "Gemm", "MatMul"] if how == "qdq-of-products" else None,
        )
        return with_shapes_noted(onnx.load(after))


INT4 = ("int4", "int4-qdq")


def with_int4_weights(graph_only: ModelProto, form) -> ModelProto:
    """A copy whose matmuls have weights of four bits, in blocks of 32 with a scale each."""
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    quantiser = MatMulNBitsQuantizer(
        with_random_weights(graph_only), block_size=32, is_symmetric=True, quant_format=form
    )
    quantiser.process()
    return quantiser.model.model


def with_shapes_noted(model: ModelProto) -> ModelProto:
    """A copy with the types of all values from a run: onnx's inference does not know the ops of the runtime."""
    watched, names = ModelProto(), [name for node in model.graph.node for name in node.output if name]
    watched.CopyFrom(model)
    watched.graph.ClearField("output")
    for name in names:
        watched.graph.output.add(name=name)
    arrays = run(watched, random_inputs(model))
    noted = ModelProto()
    noted.CopyFrom(model)
    noted.graph.ClearField("value_info")
    for name, array in zip(names, arrays, strict=True):
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        noted.graph.value_info.append(helper.make_tensor_value_info(name, kind, array.shape))
    return noted


class RandomImages:
    """Inputs from which the quantiser determines the ranges of values."""

    def __init__(self, model: ModelProto):
        self.left = iter([random_inputs(model, seed) for seed in range(2)])

    def get_next(self):
        return next(self.left, None)


EXPORTERS: dict[str, Callable[[Network], ModelProto]] = {
    "script": by_script,
    "dynamo": by_dynamo,
    "keras": by_keras,
    "bundled": from_the_onnx_package,
    "quantised": quantised,
}
