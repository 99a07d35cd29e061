"""The weights of a model that was imported, as they go into one that is exported: from file to file."""

from ....dialects.npu.attrs import Reference
from ....layout import as_it_is
from ...safetensors import Extract
from ..errors import NotExportable
from ..importing.importer import Imported
from .graph import Source
from .weights import ConstantData


def weights_of(imported: Imported) -> Source:
    """Where the numbers are that the constants of an imported program refer to."""

    def find(reference: Reference, number: int) -> ConstantData | None:
        tensor = imported.weights.get(reference.key)
        if tensor is None:
            return None
        if not tensor.has_data:
            raise NotExportable(f"the numbers of '{reference.key}' are not in the model that was imported")
        content = tensor.stored().content
        source = content if isinstance(content, Extract) else content()
        return ConstantData(number, source, (as_it_is(tensor.shape),))

    return find
