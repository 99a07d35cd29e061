"""Random programs: valid, deterministic for a seed, built in linear time."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from npu_opt.dialects.npu import (
    activations,
    attention,
    binary,
    convolution,
    dynamic,
    elementwise,
    indexing,
    linear,
    low_precision,
    movement,
    normalization,
    ops_of,
    pooling,
    quantization,
    quantized_convolution,
    quantized_elementwise,
    quantized_pooling,
    recurrent,
    reduction,
    resampling,
    sampling,
    selection,
    shape,
    signal,
    source,
    spatial,
    unary,
    vendor,
)
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import tensor_type
from xdsl.dialects.builtin import Float32Type, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Region, SSAValue

from .program_source import RECENT, ProgramSource
from .samplers import new_op

Foreign: TypeAlias = Literal["none", "pure", "any", "described"]
"""The kinds of foreign ops in a program: opaque ones that are pure or any, or ones whose axes are described."""

MOST_RESULTS = 8
MOST_CALLS = 4


@dataclass(frozen=True, slots=True)
class Kind:
    """Some ops, and the weight with which one of them is chosen."""

    weight: int
    ops: tuple[type[NpuOp], ...]


KINDS = (
    Kind(6, tuple(ops_of(unary))),
    Kind(6, tuple(ops_of(activations))),
    Kind(14, tuple(ops_of(binary))),
    Kind(5, tuple(ops_of(elementwise))),
    Kind(9, (convolution.Conv2dOp,)),
    Kind(6, tuple(ops_of(convolution))),
    Kind(2, tuple(ops_of(quantized_convolution))),
    Kind(1, tuple(ops_of(quantized_elementwise))),
    Kind(1, tuple(ops_of(quantized_pooling))),
    Kind(5, tuple(ops_of(pooling))),
    Kind(4, tuple(ops_of(resampling))),
    Kind(3, tuple(ops_of(spatial))),
    Kind(9, (linear.GemmOp, linear.MatmulOp)),
    Kind(2, tuple(ops_of(linear))),
    Kind(2, tuple(ops_of(attention))),
    Kind(7, tuple(ops_of(normalization))),
    Kind(6, tuple(ops_of(reduction))),
    Kind(12, tuple(ops_of(movement))),
    Kind(2, tuple(ops_of(quantization))),
    Kind(1, (low_precision.BlockQuantizeOp, low_precision.BlockDequantizeOp)),
    Kind(10, (shape.ReshapeOp,)),
    Kind(8, (shape.TransposeOp,)),
    Kind(8, tuple(ops_of(shape))),
    Kind(2, (source.ConstantOp,)),
)
WEIGHTS = [kind.weight for kind in KINDS]


def random_program(
    seed: int,
    size: int,
    coloured: bool = True,
    foreign: Foreign = "none",
    floats: Attribute | None = None,
    functions: int | None = None,
    builder: "type[FunctionBuilder] | None" = None,
) -> ModuleOp:
    """A program of approximately this many ops, with a function @main.

    Without foreign ops the interpreter can run it. `floats` is the type of all floats, f32 by default. Besides @main
    there are up to two `functions`, unless a number is given. The `builder` chooses the ops.
    """
    build = builder or FunctionBuilder
    rng = Random(seed)
    count = functions if functions is not None else rng.choice((0, 0, 1, 2)) if size >= 12 else 0
    module = ModuleOp([])
    callees: list[FuncOp] = []
    for index in range(count):
        part = max(size // (2 * count + 2), 1)
        built = build(rng, coloured, foreign, floats or Float32Type(), callees[-1:])
        function = built.build(f"part{index}", part, private=rng.random() < 0.7)
        module.body.block.add_op(function)
        callees.append(function)
        size -= built.samples.count
    main = build(rng, coloured, foreign, floats or Float32Type(), callees)
    module.body.block.add_op(main.build("main", max(size, 1), private=False))
    return module


class FunctionBuilder:
    """A function under construction."""

    def __init__(self, rng: Random, coloured: bool, foreign: Foreign, floats: Attribute, callees: Sequence[FuncOp]):
        self.rng = rng
        self.samples = self.new_samples(coloured, floats)
        self._foreign = foreign
        self._calls = [callee for callee in callees for _ in range(rng.randint(1, MOST_CALLS))]

    def new_samples(self, coloured: bool, floats: Attribute) -> ProgramSource:
        """The source of operands for a new function, without values yet."""
        return ProgramSource(self.rng, coloured, floats, most_arguments=self.rng.randint(1, 6))

    def add_ops(self) -> None:
        """Add an op of a random kind, or none if the sampled operands are not valid for it."""
        (kind,) = self.rng.choices(KINDS, WEIGHTS)
        if (op := new_op(self.rng.choice(kind.ops), self.samples)) is not None:
            self.samples.emit(op)

    def build(self, name: str, size: int, private: bool) -> FuncOp:
        samples, rng = self.samples, self.rng
        every = max(size // (len(self._calls) + 1), 1)
        while samples.count < size:
            if self._calls and samples.count >= size - every * len(self._calls):
                self._call(self._calls.pop())
                continue
            if self._foreign != "none" and rng.random() < (0.2 if self._foreign == "described" else 0.06):
                self._emit_foreign()
                continue
            self.add_ops()
        returned = self._returned()
        block = samples.block
        block.add_op(ReturnOp(*returned))
        types = [argument.type for argument in block.args], [value.type for value in returned]
        visibility = StringAttr("private") if private else None
        return FuncOp(name, types, Region(block), visibility)

    def _call(self, callee: FuncOp) -> None:
        operands = [self.samples.given(tensor_type(argument)) for argument in callee.body.block.args]
        self.samples.emit(CallOp(callee.sym_name.data, operands, callee.function_type.outputs.data), noisy=True)

    def _emit_foreign(self) -> None:
        if self._foreign == "described":
            if (op := new_op(self.rng.choice(ops_of(vendor)), self.samples)) is not None:
                self.samples.emit(op)
            return
        op = new_op(source.OpaqueOp, self.samples)
        if isinstance(op, source.OpaqueOp) and (op.pure is not None or self._foreign == "any"):
            self.samples.emit(op)
        elif op is not None:
            op.erase()

    def _returned(self) -> list[SSAValue]:
        """Most of the last values without uses, perhaps others, and perhaps one of them twice."""
        samples, rng = self.samples, self.rng
        ends = [value for value in samples.values[-200:] if value.first_use is None]
        returned = [value for value in ends if rng.random() < 0.85][-MOST_RESULTS:] or samples.values[-1:]
        while rng.random() < 0.4:
            returned.insert(rng.randint(0, len(returned)), rng.choice(samples.values[-RECENT * 4 :]))
        if rng.random() < 0.1:
            returned.append(rng.choice(returned))
        return returned


class RunTimeBuilder(FunctionBuilder):
    """A function with many ops whose sizes and positions are operands, and with others that few systems have."""

    OPS = tuple(
        op for family in (dynamic, dynamic, indexing, recurrent, sampling, selection, signal) for op in ops_of(family)
    )

    def add_ops(self) -> None:
        if self.rng.random() < 0.7:
            super().add_ops()
        elif (op := new_op(self.rng.choice(self.OPS), self.samples)) is not None:
            self.samples.emit(op)
