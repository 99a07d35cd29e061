"""Several programs as one module, in which the function of each has the name of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ....text.diagnostics import Report, ReportedError


def names_of(files: Sequence[str]) -> Sequence[str]:
    """The name of each file, by which ties and calls know its function."""
    names = [Path(file).stem for file in files]
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ReportedError(Report(f"two files have the name '{twice}', by which --tie knows them"))
    return names


def together(programs: Mapping[str, ModuleOp]) -> tuple[ModuleOp, Mapping[FuncOp, str]]:
    """Programs as parts of one module, and the public functions with the names of their files.

    The only public function of a program takes the name of the file; several keep their own.
    """
    # Imported late: it loads the dialects.
    from ....equivalence.symbols import public_functions

    found: dict[FuncOp, str] = {}
    for name, module in programs.items():
        module.sym_name = StringAttr(name)
        functions = [*public_functions(module).values()]
        found |= dict.fromkeys(functions, name)
        if len(functions) == 1:
            functions[0].sym_name = StringAttr(name)
    return ModuleOp([*programs.values()]), found
