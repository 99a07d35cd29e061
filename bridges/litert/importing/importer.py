"""Import of a LiteRT model as a module: `import_model`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute

from ...fixed_sizes import FixedSizes, WrongSizes
from ...formats.records import bytes_attr
from ...imported import Imported
from ..kept import DESCRIPTION, METADATA, OWN_METADATA, SIGNATURE, SIGNATURES, USUAL_SIGNATURE
from ..orders import read_orders
from .errors import LiteRtError
from .file import FileSignature, LiteFile, read_file
from .function import FunctionImport


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
    file = read_file(path)
    if fixed:
        _fix_sizes(file, fixed)
    graph = FunctionImport(file, weights_file, inline_limit)
    function = graph.run()
    for name, data in file.metadata:
        if name == OWN_METADATA:
            read_orders(data, function)
    return Imported(
        ModuleOp([function], _notes(file)),
        graph.weights,
        graph.opaques.counts,
        format="litert",
        notes=_about_shapes(graph.corrected),
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


def _notes(file: LiteFile) -> dict[str, Attribute]:
    """The texts of a model that are no part of its graph."""
    found: dict[str, Attribute] = {}
    if file.description:
        found[DESCRIPTION] = StringAttr(file.description)
    if file.signature not in ("", USUAL_SIGNATURE):
        found[SIGNATURE] = StringAttr(file.signature)
    if file.others:
        found[SIGNATURES] = DictionaryAttr({each.key: _signature(each) for each in file.others})
    if kept := {name: bytes_attr(data) for name, data in file.metadata if name != OWN_METADATA}:
        found[METADATA] = DictionaryAttr(kept)
    return found


def _signature(found: FileSignature) -> Attribute:
    """Names with the numbers of arguments and results."""
    return DictionaryAttr({"inputs": _numbered(found.inputs), "outputs": _numbered(found.outputs)})


def _numbered(names: Mapping[str, int]) -> Attribute:
    return DictionaryAttr({name: IntegerAttr(place, i64) for name, place in names.items()})
