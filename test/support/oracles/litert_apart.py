"""LiteRT in a process of its own, which may end at any model."""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from select import select
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MOST_SECONDS = 30
"""The time after which a run is given up."""

CHILD = """
import os, pickle, sys
import numpy as np
from ai_edge_litert.interpreter import Interpreter
given, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
while True:
    try:
        model, inputs = pickle.load(given)
    except EOFError:
        break
    try:
        engine = Interpreter(model_content=model, num_threads=1)
        details = engine.get_input_details()
        for each, array in zip(details, inputs, strict=True):
            if tuple(each["shape"]) != array.shape:
                engine.resize_tensor_input(each["index"], array.shape)
        engine.allocate_tensors()
        for each, array in zip(details, inputs, strict=True):
            engine.set_tensor(each["index"], array)
        engine.invoke()
        found = [engine.get_tensor(each["index"]) for each in engine.get_output_details()]
    except (RuntimeError, ValueError, MemoryError):
        found = None
    pickle.dump(found, answers)
    answers.flush()
"""


class LiteApart:
    """Runs of models, each of which may end the process that runs it."""

    def __init__(self, **environment: str) -> None:
        self._environment = os.environ | environment
        self._child: subprocess.Popen[bytes] | None = None
        self.deaths = 0

    def run(self, model: bytes, inputs: Sequence[Array]) -> list[Array] | None:
        """The outputs; None if LiteRT refuses the model, or ends."""
        try:
            child = self._child or self._started()
            assert child.stdin is not None
            assert child.stdout is not None
            pickle.dump((model, [np.array(each, order="C") for each in inputs]), child.stdin)
            child.stdin.flush()
            if not select([child.stdout], [], [], MOST_SECONDS)[0]:
                raise EOFError
            return pickle.load(child.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.deaths += 1
            self.close()
            return None

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", CHILD]
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self._environment
        )
        return self._child

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.communicate()


class Determined:
    """Outputs that do not depend on the bytes that the memory had before."""

    def __init__(self) -> None:
        self._pair = LiteApart(), LiteApart(MALLOC_PERTURB_="85")

    def run(self, model: bytes, inputs: Sequence[Array]) -> list[Array] | None:
        """The outputs; None if LiteRT does not run the model, or leaves an output unwritten."""
        first, second = (each.run(model, inputs) for each in self._pair)
        if first is None or second is None:
            return None
        same = all(one.tobytes() == other.tobytes() for one, other in zip(first, second, strict=True))
        return first if same else None
