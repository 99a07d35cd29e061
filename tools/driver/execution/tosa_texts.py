"""Programs that were read from modules of TOSA: MLIR, which defines TOSA, compiles and runs the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.utils.hints import isa

from ....equivalence.numbers import Runner
from ....equivalence.symbols import public_functions
from ..formats.program import Program

MOST_ELEMENTS = 1 << 20
"""The elements of all values of a program that is compiled: MLIR makes plain loops, which takes long for networks."""


def elements_in(program: Program) -> int:
    """The elements of all values; an unknown size counts as one."""
    types = (value.type for op in program.module.walk() for value in op.results)
    return sum(prod(max(size, 1) for size in each.get_shape()) for each in types if isa(each, TensorType))


def is_compiled(program: Program) -> bool:
    """True if a program is a small module of TOSA in a file."""
    if program.imported is not None or program.source is not None or not program.is_file:
        return False
    return Path(program.name).is_file() and elements_in(program) <= MOST_ELEMENTS


def compiled_runner(program: Program, otherwise: Runner) -> Runner:
    """A runner of the text of a program; `otherwise` runs what MLIR does not compile, such as unknown sizes."""
    # Imported late: the bindings are optional, and here since they have read the text.
    from ....bridges.mlir.bindings import ir
    from ....bridges.mlir.engine import Compiled
    from ....bridges.mlir.errors import CompileError, NotLowerable
    from ....bridges.mlir.exporting.program import mlir_context, signature

    def runner(name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        text = Path(program.name).read_text()
        try:
            with mlir_context():
                types = signature(public_functions(program.module)[name])
                # Sizes that the text does not know may be fixed in the program.
                if "?" not in text:
                    return Compiled(ir.Module.parse(text), name, types).run(inputs)
        except (CompileError, NotLowerable, ir.MLIRError):
            pass
        return otherwise(name, inputs)

    return runner
