"""Import of a LiteRT model as a module: `import_model`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute

from ....dialects.npu.source import ForeignOp
from ...fixed_sizes import FixedSizes, WrongSizes
from ...formats.records import bytes_attr
from ...imported import Imported
from ...orders import read_orders
from ..kept import DESCRIPTION, METADATA, OWN_METADATA, SIGNATURE, STORED, USUAL_SIGNATURE
from .errors import LiteRtError
from .file import FileModel, LiteFile, read_file
from .graphs import ModelImport, signatures_of


def import_model(
    path: Path,
    weights_file: str = "weights.safetensors",
    inline_limit: int | None = 1024,
    fixed: FixedSizes | None = None,
) -> Imported:
    """Import a file as a module with a function `@main`. Raises `LiteRtError`.

    Constants up to `inline_limit` bytes are written out, all with None; the others refer to `weights_file`. Inputs have
    the sizes that are fixed.
    """
    model = read_file(path)
    if fixed:
        _fix_sizes(model.graphs[0], fixed)
    found = ModelImport(model, weights_file, inline_limit)
    functions = found.functions()
    for name, data in model.metadata:
        if name == OWN_METADATA:
            read_orders(data, functions[0])
    foreign = (op.op_name.data for function in functions for op in function.walk() if isinstance(op, ForeignOp))
    return Imported(
        ModuleOp([*functions], _notes(model)),
        found.weights,
        dict(Counter(name for name in foreign if name != STORED)),
        format="litert",
        notes=_about_shapes(found.corrected),
    )


def _fix_sizes(file: LiteFile, fixed: FixedSizes) -> None:
    """Give the inputs their fixed shapes; those of other tensors follow from them."""
    tensors = [file.tensors[place] for place in file.inputs]
    names = [name or tensor.name for name, tensor in zip(file.input_names(), tensors, strict=True)]
    try:
        shapes = fixed.applied(names, [tensor.shape for tensor in tensors])
    except WrongSizes as error:
        raise LiteRtError(str(error)) from error
    for place, tensor, shape in zip(file.inputs, tensors, shapes, strict=True):
        file.tensors[place] = replace(tensor, shape=shape)


def _about_shapes(names: Sequence[str]) -> list[str]:
    """A note about the tensors whose shapes are not those in the file."""
    if not names:
        return []
    if len(names) == 1:
        return [f"the file states another shape for '{names[0]}' than it has at run time, which is used"]
    which = f"{len(names)} tensors, '{names[0]}' first,"
    return [f"the file states other shapes for {which} than they have at run time, which are used"]


def _notes(model: FileModel) -> dict[str, Attribute]:
    """The texts of a model that are no part of its graphs."""
    found = signatures_of(model.graphs[0])
    if found.get(SIGNATURE) == StringAttr(USUAL_SIGNATURE):
        del found[SIGNATURE]
    if model.description:
        found[DESCRIPTION] = StringAttr(model.description)
    if kept := {name: bytes_attr(data) for name, data in model.metadata if name != OWN_METADATA}:
        found[METADATA] = DictionaryAttr(kept)
    return found
