"""Vendors' compilers as engines of calibrate.py: Sophgo's tpu-mlir and Arm's Vela, by the cycles that they estimate.

A compiler runs several ops in one pass over data on the chip, and a transpose may end such a pass. So a transpose is
between two elementwise ops here, and its price is what the program takes longer than one without it. Another compiler
needs a class with `version` and `cycles`, a case in `engine_of`, and an entry in `COMPILERS` of calibrate.py.
"""

import subprocess
from abc import abstractmethod
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from calibrate import MORE, PER_BYTE, Fit, Form, fitted, table
from calibrate_engines import Numbers, Run, TextEngine, program, tensor
from figures import read_figures, write_figures
from litert_files import LiteFile
from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.onnx.exporting import to_onnx, whole
from target_kernels import TargetKernels, place_table
from tpu_mlir_reports import Compiler
from vela_reports import estimated_cycles, quantised
from xdsl.dialects.builtin import ModuleOp

KEEPS = "keeps the last axis"
NARROW = "permutation == {} and (dim {} <= 128 or dim {} <= 128)"
FORMS = (
    # Compilers treat a few elements side by side otherwise, and so one axis that moves by another one in an outer one.
    *(
        Form(f"{KEEPS} and run <= {run}{' and rank == 3' * (rank == 3)}", outer, run, rank, permutation)
        for run in (2, 8)
        for outer, rank, permutation in ((0, 3, (1, 0, 2)), (8, 4, (0, 2, 1, 3)))
    ),
    # Heads of an attention, and windows of an image.
    Form(f"{KEEPS} and rank == 3", 0, 64, 3, (1, 0, 2)),
    Form(KEEPS, 8, 64, 4, (0, 2, 1, 3)),
    Form(KEEPS, 8, 96, 5, (0, 2, 1, 3, 4)),
    # The channels of an image move, or rows of batches of matrices.
    Form(NARROW.format("[1, 0]", 0, 1), 0, 64, 2, (1, 0)),
    Form(NARROW.format("[1, 0]", 0, 1), 64, 0, 2, (1, 0)),
    Form(NARROW.format("[1, 0]", 0, 1), 128, 0, 2, (1, 0)),
    Form("permutation == [1, 0]", 0, 0, 2, (1, 0)),
    Form(NARROW.format("[0, 2, 1]", 1, 2), 12, 64, 3, (0, 2, 1)),
    Form("permutation == [0, 2, 1]", 2, 0, 3, (0, 2, 1), multiple=16),
    Form("rank == 3", 0, 0, 3, (2, 1, 0)),
    Form("rank == 4", 4, 0, 4, (2, 1, 3, 0)),
    Form("", 96, 0, 5, (1, 3, 2, 4, 0)),
)
BYTES = (1 << 18, 1 << 20)
"""The sizes of transposes in f32, as in networks: compilers treat smaller ones otherwise."""
ROWS = {8: (8,), 49: (49,)}
"""The limits of rows that have a price of their own, and the rows that are measured."""
SECONDS = 600.0
"""The time that a compiler has for a program."""
OPSET = 17


@dataclass(frozen=True)
class Compiled:
    """A program that was compiled before."""

    program: str
    """Its digest."""
    cycles: float


class CompilerEngine(TextEngine):
    """A compiler, whose runs compile a program and return the cycles that it estimates."""

    UNIT: str = "cycles"

    def __init__(self, kept: Path | None = None) -> None:
        """Programs that the file `kept` has are not compiled again; those that are compiled are added to it."""
        self._kept = kept
        self._found = {each.program: each for each in read_figures(kept, lambda entry: Compiled(**entry))}

    def loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str], inputs: Sequence[Numbers]) -> Run:
        return lambda: self._cycles(lines, given, made)

    def _cycles(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str]) -> float:
        text = "\n".join((self.version(), *given, *lines, *made))
        name = sha256(text.encode()).hexdigest()
        if name not in self._found:
            with TemporaryDirectory() as folder:
                self._found[name] = Compiled(name, self.cycles(program(lines, given, made), Path(folder)))
            write_figures(self._kept, self._found.values())
        return self._found[name].cycles

    @abstractmethod
    def cycles(self, module: ModuleOp, folder: Path) -> float:
        """The cycles that the compiler estimates for a program; the folder is empty."""
        ...


class TpuMlirEngine(CompilerEngine):
    """Sophgo's compiler, in half precision."""

    def __init__(self, environment: Path, chip: str, kept: Path | None = None) -> None:
        super().__init__(kept)
        self._compiler = Compiler(environment.resolve(), chip, SECONDS)

    def version(self) -> str:
        (found,) = self._compiler.environment.glob("lib/python*/site-packages/tpu_mlir-*.dist-info")
        return f"tpu-mlir {found.name.split('-')[1].removesuffix('.dist')} for {self._compiler.chip}"

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        """A run of pairs of ops, so many of which have a transpose between them, as it may keep them apart.

        The data has an axis for batches, as in networks.
        """
        given, moved = tensor((1, *shape)), tensor((1, *(shape[axis] for axis in permutation)))
        axes = [0, *(axis + 1 for axis in permutation)]
        lines, made = list[str](), list[str]()
        for each in range(1 + MORE):
            lines.append(f"%a{each} = npu.abs %x{each} : {given}")
            if each < count:
                lines.append(f"%t{each} = npu.transpose %a{each} permutation = {axes} : ({given}) -> {moved}")
                lines.append(f"%y{each} = npu.ceil %t{each} : {moved}")
            else:
                lines.append(f"%y{each} = npu.ceil %a{each} : {given}")
            made.append(moved if each < count else given)
        return self.loaded(lines, [given] * len(made), made, ())

    def cycles(self, module: ModuleOp, folder: Path) -> float:
        file = folder / "program.onnx"
        file.write_bytes(whole(to_onnx(module, OPSET)).SerializeToString())
        found = self._compiler.compiled(file, folder)
        if isinstance(found, str):
            raise SystemExit(f"{self.version()} refuses a program: {found}")
        # The chip's engines run at 1 GHz.
        return found.milliseconds * 1e6


class VelaEngine(CompilerEngine):
    """Arm's compiler, of programs that are quantised to int8."""

    def __init__(self, vela: Path, quantizer: Path, accelerator: str, kept: Path | None = None) -> None:
        super().__init__(kept)
        self._vela, self._quantizer, self._accelerator = vela, quantizer, accelerator

    def version(self) -> str:
        ran = subprocess.run([self._vela, "--version"], stdout=subprocess.PIPE, text=True, check=True)
        return f"Vela {ran.stdout.strip()} for {self._accelerator}"

    def cycles(self, module: ModuleOp, folder: Path) -> float:
        source, int8, samples = folder / "float.tflite", folder / "int8.tflite", folder / "samples.npz"
        source.write_bytes(packed(to_litert(module)))
        random = np.random.default_rng(0)
        inputs = {f"0:{each.name}": random.random(each.shape, np.float32) for each in LiteFile(source).inputs()}
        np.savez(samples, allow_pickle=False, **inputs)
        if problem := quantised(self._quantizer, source, int8, samples):
            raise SystemExit(f"a program is not quantised: {problem}")
        return estimated_cycles(self._vela, self._accelerator, int8, folder)


@dataclass(frozen=True)
class CompilerKernels(TargetKernels):
    """Measurements of what a compiler makes of ops."""

    engine: CompilerEngine

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form for each byte: a part for each call would fit any two sizes."""
        times = self.transpose_times(FORMS, BYTES)
        return {when: fitted(*zip(*found, strict=True), parts=[(PER_BYTE,)]) for when, found in times.items()}


def engine_of(given: Namespace) -> CompilerEngine:
    """The engine that the options of calibrate.py ask for."""
    if given.engine == "vela":
        return VelaEngine(given.vela, given.quantizer, given.chip or "ethos-u85-1024", given.json)
    return TpuMlirEngine(given.environment, given.chip or "bm1684x", given.json)


def tables(engine: CompilerEngine, quick: bool, transposes_only: bool) -> str:
    """The tables [costs] and [costs.axes]: transposes, products of batches with few rows, and places of axes."""
    kernels = CompilerKernels(engine, 1, quick)
    transposes = kernels.transposes()
    if transposes_only:
        return table(engine.version(), transposes, {}, unit=engine.UNIT)
    costs = table(engine.version(), transposes, {}, forms=kernels.batches_of_few_rows(ROWS), unit=engine.UNIT)
    return f"{costs}\n\n{place_table(kernels, ('softmax',), ('last', 'next-to-last', 'other'))}"
