"""The reference interpreter: the meaning of every op of the dialect, in numpy."""

from .elements import numpy_dtype
from .errors import InterpreterError
from .evaluate import Environment, evaluate
from .functions import NpuFunctions
from .inputs import random_inputs
from .run import run

__all__ = [
    "Environment",
    "InterpreterError",
    "NpuFunctions",
    "evaluate",
    "numpy_dtype",
    "random_inputs",
    "run",
]
