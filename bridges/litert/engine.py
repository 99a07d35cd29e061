"""Runs of LiteRT models in LiteRT's interpreter, with XNNPACK, on one thread."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compat.process import STDERR, kept_from_libraries
from ...layout import DYNAMIC
from ..extra import require

Array = NDArray[Any]


class LiteRunError(Exception):
    """A model cannot be run; the message is for the user."""


@dataclass(frozen=True)
class LiteEnd:
    """An input or output of a model."""

    name: str
    """The name in the signature, or else that of the tensor."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    """Unknown sizes are `DYNAMIC`."""
    place: int
    """The number of the tensor."""


class LiteEngine:
    """A loaded model."""

    def __init__(self, model: Path | bytes) -> None:
        require("litert")
        # By name: the package is untyped and optional.
        package: Any = import_module("ai_edge_litert.interpreter")
        source = {"model_content": model} if isinstance(model, bytes) else {"model_path": str(model)}
        # It prints notes about delegates with every model.
        with _errors_as_one(), kept_from_libraries(STDERR):
            self._interpreter = package.Interpreter(**source, num_threads=1)
            # A model of unknown sizes need not run on those that its file states, which are 1.
            self._is_allocated = not any(
                -1 in each["shape_signature"] for each in self._interpreter.get_input_details()
            )
            if self._is_allocated:
                self._interpreter.allocate_tensors()
        inputs, outputs = self._names()
        self.inputs = [_end(each, inputs) for each in self._interpreter.get_input_details()]
        self.outputs = [_end(each, outputs) for each in self._interpreter.get_output_details()]

    def _names(self) -> tuple[dict[int, str], dict[int, str]]:
        """The names of inputs and outputs in the signature by their tensors, if the model has one signature."""
        if len(self._interpreter.get_signature_list()) != 1:
            return {}, {}
        runner = self._interpreter.get_signature_runner()
        details: tuple[dict[str, Any], ...] = runner.get_input_details(), runner.get_output_details()
        inputs, outputs = ({each["index"]: name for name, each in found.items()} for found in details)
        return inputs, outputs

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """The outputs for these inputs."""
        if len(inputs) != len(self.inputs):
            count = f"{len(self.inputs)} input{'s' * (len(self.inputs) != 1)}"
            raise LiteRunError(f"LiteRT: the model has {count}, not {len(inputs)}")
        with _errors_as_one(), kept_from_libraries(STDERR):
            self.ready(inputs)()
            return [self._interpreter.get_tensor(end.place) for end in self.outputs]

    def ready(self, inputs: Sequence[Array]) -> Callable[[], object]:
        """The call with these inputs, any number of times, without copies of inputs and outputs."""
        self._resize(inputs)
        for end, array in zip(self.inputs, inputs, strict=True):
            self._interpreter.set_tensor(end.place, np.array(array, order="C"))
        return self._interpreter.invoke

    def _resize(self, inputs: Sequence[Array]) -> None:
        """Allocate tensors for the sizes of the inputs, where they have changed."""
        details = self._interpreter.get_input_details()
        changed = [
            (end.place, array.shape)
            for end, array, each in zip(self.inputs, inputs, details, strict=True)
            if DYNAMIC in end.shape and tuple(each["shape"]) != array.shape
        ]
        for place, shape in changed:
            self._interpreter.resize_tensor_input(place, shape)
        if changed or not self._is_allocated:
            self._interpreter.allocate_tensors()
            self._is_allocated = True


def _end(details: dict[str, Any], names: dict[int, str]) -> LiteEnd:
    shape = tuple(DYNAMIC if size == -1 else int(size) for size in details["shape_signature"])
    place = details["index"]
    return LiteEnd(names[place] if place in names else str(details["name"]), np.dtype(details["dtype"]), shape, place)


@contextmanager
def _errors_as_one() -> Generator[None]:
    try:
        yield
    except (ValueError, RuntimeError) as error:
        raise LiteRunError(f"LiteRT: {' '.join(str(error).split())}") from error
