"""Small programs of matrices, and a target that demands blocks of products, for `layout-optimal`."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from npu_opt.targets import Target, load
from xdsl.dialects.builtin import ModuleOp

from support.generators.block_programs import not_read
from support.ir_text import parse_verified

ROWS = (16, 20, 32)
COLUMNS = (8, 16, 32, 40)
TARGET = """
name = "products"
description = "Products of matrices in blocks of 16 rows and 16 columns"
matmul = "rigid"
free = ["reshape"]

[preferred]
feature = ["NCW", "NCHW", "NCDHW"]
weight = ["OIW", "OIHW", "OIDHW"]

[demands.matmul]
lhs = "Tensor, [1, 0] tiles [0 by 16, 1 by 16]"
rhs = "Tensor, [1, 0] tiles [1 by 16, 0 by 16]"
result = "Tensor, [1, 0] tiles [0 by 16, 1 by 16]"
"""


def product_target(folder: Path) -> Target:
    file = folder / "products.toml"
    file.write_text(TARGET)
    return load(file)


@dataclass
class MatrixStep:
    """An op of a program, with the numbers of the values that it reads; that of its result is its own place."""

    op: str
    reads: tuple[int, ...]
    columns: int


@dataclass
class ProductProgram:
    """A program of steps on matrices with equal numbers of rows; value 0 is the argument."""

    rows: int
    steps: list[MatrixStep]

    @property
    def returned(self) -> list[int]:
        return not_read([step.reads for step in self.steps])

    def module(self) -> ModuleOp:
        lines = [self._line(place, step) for place, step in enumerate(self.steps) if place]
        types = ", ".join(self._type(each) for each in self.returned)
        values = ", ".join(f"%v{each}" for each in self.returned)
        head = f"func.func @main(%v0: {self._type(0)}) -> ({types})"
        return parse_verified("\n".join([f"{head} {{", *lines, f"  return {values} : {types}", "}"]))

    def _type(self, value: int) -> str:
        return f"tensor<{self.rows}x{self.steps[value].columns}xf32, #npu.layout<Tensor>>"

    def _line(self, place: int, step: MatrixStep) -> str:
        reads, types = [f"%v{each}" for each in step.reads], [self._type(each) for each in step.reads]
        before = ""
        if step.op == "matmul":
            rows = self.steps[step.reads[0]].columns
            numbers = [[((7 * i + 3 * j + place) % 11) / 8 - 0.5 for j in range(step.columns)] for i in range(rows)]
            types.append(f"tensor<{rows}x{step.columns}xf32, #npu.layout<Tensor>>")
            before = f"  %w{place} = npu.constant dense<{numbers}> : {types[-1]}\n"
            reads.append(f"%w{place}")
        return f"{before}  %v{place} = npu.{step.op} {', '.join(reads)} : ({', '.join(types)}) -> {self._type(place)}"


def product_program(seed: int) -> ProductProgram:
    """A random program of two to six ops."""
    rng = Random(seed)
    steps = [MatrixStep("argument", (), rng.choice(COLUMNS))]
    for _ in range(rng.randint(2, 6)):
        first = len(steps) - 1 if rng.random() < 0.7 else rng.randrange(len(steps))
        columns = steps[first].columns
        alike = [place for place, step in enumerate(steps) if step.columns == columns and place != first]
        op = rng.choice(["matmul", "matmul", "relu", "sigmoid", "add"])
        if op == "matmul":
            columns = rng.choice(COLUMNS)
        if op == "add" and not alike:
            op = "relu"
        steps.append(MatrixStep(op, (first, rng.choice(alike)) if op == "add" else (first,), columns))
    return ProductProgram(rng.choice(ROWS), steps)
