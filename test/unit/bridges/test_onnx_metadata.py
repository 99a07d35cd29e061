"""Texts, versions, names and types in models that come in and leave."""

from pathlib import Path

import npu_opt
import onnx
import pytest
from npu_opt.bridges.onnx.producer import SOURCE_PRODUCER
from npu_opt.tools import check, opt
from onnx import ModelProto, shape_inference
from support.generators.made_models import model

TEXT = 'two lines\nof "text" with a tab\t, a backslash \\ and an é'

NET = """<ir_version: 10, opset_import: ["": 18, "com.acme": 2, "com.unused": 3], producer_name: "torch",
  producer_version: "2.9", domain: "org.example", model_version: 7>
net (float[N,3,4,4] "in.0") => (float[N,3,4,4] "out/0") {
  ["/first"] "/first_output_0" = Relu ("in.0")
  ["/own"] "/own_output_0" = com.acme.Own <size = 3> ("/first_output_0")
  "/sum_output_0" = Add ("/own_output_0", "/first_output_0")
  ["/last"] "out/0" = Sigmoid ("/sum_output_0")
}"""


def described() -> ModelProto:
    """A model with all texts that a model can have."""
    made = model(NET)
    made.graph.value_info.add().CopyFrom(made.graph.input[0])
    made.graph.value_info[0].name = "/own_output_0"
    for owner in (made, made.graph, made.graph.input[0], made.graph.output[0], *made.graph.node):
        owner.doc_string = TEXT
        for key in ("key", "another key"):
            owner.metadata_props.add(key=key, value=TEXT)
    return made


def written(made: ModelProto, path: Path, *passes: str) -> ModelProto:
    """The model that npu-opt makes of a model."""
    path.with_suffix(".given.onnx").write_bytes(made.SerializeToString())
    assert opt.run([str(path.with_suffix(".given.onnx")), *passes, "-o", str(path)]) == 0
    return ModelProto.FromString(path.read_bytes())


def without_types(made: ModelProto) -> ModelProto:
    result = ModelProto()
    result.CopyFrom(made)
    result.graph.ClearField("value_info")
    return result


def expected(given: ModelProto) -> ModelProto:
    result = without_types(given)
    result.producer_name, result.producer_version = "npu-opt", npu_opt.__version__
    result.metadata_props.add(key=SOURCE_PRODUCER, value="torch 2.9")
    # Without a name of its own, a node has that of its first output.
    result.graph.node[2].name = result.graph.node[2].output[0]
    return result


@pytest.mark.parametrize("passes", [[], ["--layout-optimal", "--canonicalize"]], ids=["no pass", "layout-optimal"])
def test_a_model_keeps_its_texts_versions_and_names(passes: list[str], tmp_path: Path):
    given = described()
    found = written(given, tmp_path / "found.onnx", *passes)
    assert without_types(found) == expected(given)


def test_a_model_keeps_its_texts_on_the_way_through_mlir(tmp_path: Path):
    given = described()
    (tmp_path / "given.onnx").write_bytes(given.SerializeToString())
    program, again = tmp_path / "program.mlir", tmp_path / "again.onnx"
    assert opt.run([str(tmp_path / "given.onnx"), "--print-debuginfo", "-o", str(program)]) == 0
    assert opt.run([str(program), "-o", str(again)]) == 0
    assert without_types(ModelProto.FromString(again.read_bytes())) == expected(given)
    assert check.run([str(program), str(again)]) == 0


def test_a_model_that_was_written_is_written_again_as_it_is(tmp_path: Path):
    first = written(described(), tmp_path / "first.onnx")
    assert written(first, tmp_path / "second.onnx") == first


def test_producers_are_listed_in_their_order(tmp_path: Path):
    first = written(described(), tmp_path / "first.onnx")
    first.producer_name, first.producer_version = "quantizer", ""
    second = written(first, tmp_path / "second.onnx")
    texts = {entry.key: entry.value for entry in second.metadata_props}
    assert texts[SOURCE_PRODUCER] == "torch 2.9, quantizer"


def test_known_shapes_of_inner_values_are_in_the_model(tmp_path: Path):
    """Also of the results of ops that only their runtime knows, without which a model cannot be read again."""
    found = written(described(), tmp_path / "found.onnx")
    types = {value.name: value.type.tensor_type for value in found.graph.value_info}
    shapes = {name: [dim.dim_value for dim in type_.shape.dim] for name, type_ in types.items()}
    assert shapes == {name: [0, 3, 4, 4] for name in ("/first_output_0", "/own_output_0", "/sum_output_0")}
    assert check.run([str(tmp_path / "found.given.onnx"), str(tmp_path / "found.onnx")]) == 0
    shape_inference.infer_shapes(found, check_type=True, strict_mode=True, data_prop=True)
    onnx.checker.check_model(found, full_check=True)  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.


def test_entries_about_nodes_and_ends_are_left_out_on_demand(tmp_path: Path):
    file = tmp_path / "model.onnx"
    file.with_suffix(".given.onnx").write_bytes(described().SerializeToString())
    assert opt.run([str(file.with_suffix(".given.onnx")), "-t", "onnx{metadata=false}", "-o", str(file)]) == 0
    made = ModelProto.FromString(file.read_bytes())
    ends = (*made.graph.input, *made.graph.output)
    assert [entry.key for entry in made.metadata_props if entry.key != SOURCE_PRODUCER] == ["key", "another key"]
    assert not any(each.metadata_props for each in (made.graph, *ends, *made.graph.node))
    assert all(each.doc_string == TEXT for each in (made.graph, *ends, *made.graph.node))
    assert check.run([str(file.with_suffix(".given.onnx")), str(file)]) == 0
