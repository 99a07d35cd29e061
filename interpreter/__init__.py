"""The reference interpreter: what every op of the dialect computes, in numpy."""

from .elements import numpy_dtype
from .errors import InterpreterError
from .evaluate import Surroundings, evaluate
from .functions import NpuFunctions
from .inputs import random_inputs
from .run import run

__all__ = [
    "InterpreterError",
    "NpuFunctions",
    "Surroundings",
    "evaluate",
    "numpy_dtype",
    "random_inputs",
    "run",
]
