"""Notes about the order of inputs and outputs in the metadata of a model: `npu_opt.interface.x = NHWC (was NCHW)`."""

from onnx import ModelProto
from xdsl.dialects.func import FuncOp

from ...dialects.notes.interfaces import StoredAs, interface_of

PREFIX = "npu_opt.interface."


def write_notes(model: ModelProto, function: FuncOp) -> None:
    """Replace the notes of a model, whose inputs and outputs are those of a function, by those of the function."""
    others = [entry for entry in model.metadata_props if not entry.key.startswith(PREFIX)]
    del model.metadata_props[:]
    model.metadata_props.extend(others)
    ends = zip((*model.graph.input, *model.graph.output), interface_of(function), strict=True)
    notes = {info.name: str(value.note) for info, value in ends if value.note is not None}
    for name, text in notes.items():  # A model may list an output twice.
        model.metadata_props.add(key=f"{PREFIX}{name}", value=text)


def read_notes(model: ModelProto, function: FuncOp) -> None:
    """Give the arguments and results of the function of a model the notes of its inputs and outputs."""
    notes = {entry.key: entry.value for entry in model.metadata_props if entry.key.startswith(PREFIX)}
    for value in interface_of(function) if notes else ():
        text = notes.get(f"{PREFIX}{value.name}")
        if text is not None and (note := StoredAs.parse(text, value.rank)) is not None:
            value.take_note(note)
