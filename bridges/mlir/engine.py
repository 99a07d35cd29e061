"""Compilation of an MLIR module by MLIR's own passes, and execution."""

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from ...interpreter.elements import Array
from .bindings import Module, Operation, execution_engine, ir, passmanager
from .errors import CompileError
from .exporting.contractions import rewrite_contractions
from .exporting.program import Signature
from .memory import Descriptor, copy_memory, from_memory, result_array, to_memory

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of finished steps and the total."""

PHASES = (
    ("inlining", "inline,symbol-dce"),
    (
        "TOSA to linalg",
        "func.func(tosa-optional-decompositions,tosa-to-linalg-named,canonicalize,tosa-to-linalg,"
        "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor,canonicalize,cse)",
    ),
    (
        "buffers",
        "one-shot-bufferize{bufferize-function-boundaries=true"
        " function-boundary-type-conversion=identity-layout-map},"
        "buffer-results-to-out-params{modify-public-functions=true},"
        "func.func(buffer-hoisting,promote-buffers-to-stack),buffer-deallocation-pipeline",
    ),
    ("loops", "func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine"),
    (
        "LLVM",
        "arith-expand{include-bf16=true},convert-math-to-llvm,convert-math-to-libm,finalize-memref-to-llvm,"
        "convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,"
        "reconcile-unrealized-casts",
    ),
)
"""The pass pipelines down to LLVM, with names for messages."""


class Compiled:
    """A compiled function."""

    def __init__(self, module: Module, name: str, signature: Signature, progress: Progress | None = None):
        report = progress or _silent
        level = _level(module)
        _make_public(module, name)
        rewrite_contractions(module)
        for index, (phase, passes) in enumerate(PHASES):
            report(index, len(PHASES) + 1)
            try:
                passmanager.PassManager.parse(f"builtin.module({passes})").run(module.operation)
            except ir.MLIRError as error:
                raise CompileError(f"MLIR fails at '{phase}': {error}") from error
            if index == 0:
                _check_calls(module)
        report(len(PHASES), len(PHASES) + 1)
        self._signature = signature
        self._engine = execution_engine.ExecutionEngine(module, opt_level=level)
        # The wheel lacks MLIR's runtime library. Programs need one function of it, defined here.
        self._engine.raw_register_runtime("memrefCopy", ctypes.cast(copy_memory, ctypes.c_void_p))
        self._function = self._engine.lookup(name)

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """The results for these inputs, in the interpreter's representation."""
        call, results = self.ready(inputs)
        call()
        return [
            from_memory(array, element) for array, (_, element) in zip(results, self._signature.outputs, strict=True)
        ]

    def ready(self, inputs: Sequence[Array]) -> tuple[Callable[[], None], list[Array]]:
        """The call with these inputs, any number of times, and the memory that it writes the results to."""
        results = [result_array(shape, element) for shape, element in self._signature.outputs]
        given = [to_memory(x, element) for x, (_, element) in zip(inputs, self._signature.inputs, strict=True)]
        arguments = [Descriptor(array) for array in (*given, *results)]
        pointers = [ctypes.pointer(ctypes.pointer(each.struct)) for each in arguments]
        packed = (ctypes.c_void_p * len(pointers))(*(ctypes.cast(pointer, ctypes.c_void_p) for pointer in pointers))
        return partial(self._call, packed, (arguments, pointers)), results

    def _call(self, packed: object, alive: object) -> None:
        """Run the function; the packed pointers do not keep alive what they point to."""
        self._function(packed)


def _check_calls(module: Module) -> None:
    """Check that inlining has left no calls."""
    declared = {_name_of(op) for op in module.body.operations if not op.regions[0].blocks}
    calls: list[str] = []

    def note(op: Operation) -> Any:
        if op.name == "func.call":
            calls.append(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
        return ir.WalkResult.ADVANCE

    module.operation.walk(note)
    for name in calls:
        raise CompileError(f"@{name} {'is declared only' if name in declared else 'calls itself'}: it cannot be run")


def _name_of(function: Operation) -> str:
    return ir.StringAttr(function.attributes["sym_name"]).value


def _level(module: Module) -> int:
    """The optimisation level of LLVM: at level 2 it creates bf16 operations that it cannot translate."""
    return 1 if "bf16" in module.operation.get_asm(large_elements_limit=0) else 2


def _silent(done: int, total: int) -> None:
    """Ignore progress."""


def _make_public(module: Module, name: str) -> None:
    """Make one function public with a C interface, and all others private."""
    for op in module.body.operations:
        is_wanted = _name_of(op) == name
        op.attributes["sym_visibility"] = ir.StringAttr.get("public" if is_wanted else "private")
        if is_wanted:
            op.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
