"""Searches of ONNX Runtime, whose networks are subgraphs: placed inside, with the names that the runtime knows."""

from typing import Any

import npu_opt
import numpy as np
import onnx
import pytest
from models.onnx_runs import run
from models.weights import graphs
from onnx import GraphProto, ModelProto
from onnx.parser import parse_model

pytest.importorskip("onnxruntime")

HEAD = '<ir_version: 8, opset_import: ["" : 13, "com.microsoft" : 1]>'
NETWORK = """decoder (int32[batch,seq] input_ids, int32[batch,seq] position_ids, int32[batch,total] attention_mask,
    float[2,batch,2,past,4] past_0) => (float[batch,seq,20] logits, float[2,batch,2,total,4] present_0)
  <int64[4] heads = {0, 0, 2, 4}, int64[1] front = {0}> {
    words = Gather (embeddings, input_ids)
    turned = Transpose <perm = [0, 2, 1]> (words)
    positive = Relu (turned)
    back = Transpose <perm = [0, 2, 1]> (positive)
    logits = MatMul (back, projection)
    split = Reshape (words, heads)
    keys = Transpose <perm = [0, 2, 1, 3]> (split)
    key = Unsqueeze (keys, front)
    both = Concat <axis = 0> (key, key)
    present_0 = Concat <axis = 3> (past_0, both)
  }"""
END = 19
"""The word that ends a sequence."""
RESULTS = {
    "GreedySearch": "int32[batch,length] sequences",
    "Sampling": "int32[batch,length] sequences",
    "BeamSearch": "int32[batch,2,length] sequences",
}
OPERANDS = {
    "GreedySearch": "input_ids, longest, shortest, penalty",
    "Sampling": "input_ids, longest, shortest, penalty",
    "BeamSearch": "input_ids, longest, shortest, beams, beams, penalty, penalty",
}


def search(op: str, network: str = NETWORK) -> ModelProto:
    flags = f"eos_token_id = {END}, pad_token_id = {END}, model_type = 0, vocab_size = 20"
    model = parse_model(
        f"{HEAD} g (int32[batch,length_of_prompt] input_ids) => ({RESULTS[op]})"
        "<int32[1] longest = {9}, int32[1] shortest = {2}, int32[1] beams = {2}, float[1] penalty = {1}> {"
        f" sequences = com.microsoft.{op} <{flags}, decoder = {network}> ({OPERANDS[op]}) }}"
    )
    random = np.random.default_rng(0)
    for name, shape in (("embeddings", (20, 8)), ("projection", (8, 20))):
        numbers = random.standard_normal(shape).astype(np.float32)
        if name == "projection":
            # No sequence ends early: what a search leaves behind its end may be anything.
            numbers[:, END] = -100
        model.graph.initializer.append(onnx.numpy_helper.from_array(numbers, name))
    return model


def network_of(model: ModelProto) -> GraphProto:
    (node,) = model.graph.node
    (found,) = (attribute.g for attribute in node.attribute if attribute.name == "decoder")
    return found


@pytest.mark.parametrize("op", sorted(RESULTS))
def test_the_network_of_a_search_is_placed(op: str):
    model = search(op)
    result = npu_opt.optimize(model, target="onnx")
    written: Any = result.to_onnx()
    kinds = [node.op_type for graph in graphs(written.graph) for node in graph.node]
    assert kinds.count("Transpose") == 1
    network, original = network_of(written), network_of(model)
    assert network.name == original.name
    for found, expected in ((network.input, original.input), (network.output, original.output)):
        assert [each.name for each in found] == [each.name for each in expected]
        assert [each.type for each in found] == [each.type for each in expected]
    assert npu_opt.check(model, result)
    inputs = {"input_ids": np.array([[3, 1, 4], [1, 5, 9]], np.int32)}
    (expected,), (found,) = (run(each, inputs, is_optimized=False) for each in (model, written))
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("before", "after"),
    [("Relu (turned)", "Neg (turned)"), ("Concat <axis = 3> (past_0, both)", "Concat <axis = 3> (both, past_0)")],
)
def test_another_network_is_not_proved(before: str, after: str):
    assert not npu_opt.check(search("GreedySearch"), search("GreedySearch", NETWORK.replace(before, after)))


def test_a_network_that_cannot_be_read_stays_as_it_is():
    """Its inputs have no types."""
    model = search("GreedySearch")
    for value in network_of(model).input:
        value.ClearField("type")
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    assert network_of(written) == network_of(model)


def test_kept_networks_of_other_opsets_are_checked():
    """Softmax has another meaning in the oldest opset of files, whichever node it is in."""
    network = NETWORK.replace("Relu (turned)", "Softmax (turned)")
    model = search("GreedySearch", network.replace("Unsqueeze (keys, front)", "Unsqueeze <axes = [0]> (keys)"))
    model.opset_import[0].version = 12
    for value in network_of(model).input:
        value.type.tensor_type.ClearField("shape")
    with pytest.raises(npu_opt.NpuOptError, match="Softmax of ONNX 12 is another op in ONNX 13"):
        npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
