"""The weights of an imported model as a source for export, copied from file to file."""

from ....dialects.npu.attrs import Reference
from ....layout import unpermuted
from ...imported import Imported
from ...safetensors import Extract
from ..came import CameNodes
from ..errors import NotExportable
from .graph import Source
from .weights import ConstantData


def came_of(imported: Imported | None) -> CameNodes | None:
    """The nodes of an imported model of ONNX."""
    return imported.came if imported is not None and imported.format == "onnx" else None


def weights_of(imported: Imported) -> Source:
    """A source for the constants of an imported program."""

    def find(reference: Reference, number: int) -> ConstantData | None:
        tensor = imported.weights.get(reference.key)
        if tensor is None:
            return None
        if not tensor.has_data:
            raise NotExportable(f"the data of '{reference.key}' is missing in the imported model")
        content = tensor.stored().content
        source = content if isinstance(content, Extract) else content()
        return ConstantData(number, source, (unpermuted(tensor.shape),))

    return find
