"""The numbers that programs of linalg compute, loop by loop in numpy, as the dialect defines its ops."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, ModuleOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

Numbers = NDArray[Any]

SCALARS: Mapping[str, Callable[[Any, Any], Any]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}


def computed(module: ModuleOp, inputs: Sequence[Numbers]) -> list[Numbers]:
    """The results of the first function of a module."""
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    known: dict[SSAValue, Any] = dict(zip(function.body.block.args, inputs, strict=True))
    for op in function.body.block.ops:
        operands = [known[operand] for operand in op.operands]
        if isinstance(op, func.ReturnOp):
            return operands
        known.update(zip(op.results, _results(op, operands, known), strict=True))
    raise AssertionError("no return")


def _results(op: Operation, operands: Sequence[Any], known: dict[SSAValue, Any]) -> Sequence[Any]:
    match op:
        case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as value):
            return [np.array([*value.get_values()], np.float32).reshape(value.get_shape())]
        case arith.ConstantOp(value=FloatAttr() | IntegerAttr() as value):
            number = value.value.data
            return [np.float32(number) if isinstance(number, float) else number]
        case tensor.DimOp():
            return [operands[0].shape[operands[1]]]
        case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
            return [operands[0].reshape(op.result.type.get_shape())]
        case tensor.PadOp():
            last = op.region.block.last_op
            assert last is not None
            padding = [*zip(op.static_low.get_values(), op.static_high.get_values(), strict=True)]
            return [np.pad(operands[0], padding, constant_values=known[last.operands[0]])]
        case tensor.ExtractSliceOp():
            return [operands[0][_slices(op)]]
        case tensor.InsertSliceOp():
            whole = operands[1].copy()
            whole[_slices(op)] = operands[0]
            return [whole]
        case tensor.EmptyOp():
            sizes = iter(operands)
            shape = [next(sizes) if size < 0 else size for size in op.tensor.type.get_shape()]
            return [np.full(shape, np.nan, np.float32)]
        case linalg.TransposeOp():
            return [operands[0].transpose(op.permutation.get_values())]
        case linalg.BroadcastOp():
            whole = np.expand_dims(operands[0], tuple(op.dimensions.get_values()))
            return [np.broadcast_to(whole, operands[1].shape)]
        case linalg.ReduceOp():
            rank, named = operands[0].ndim, op.dimensions.get_values()
            kept = AffineMap(rank, 0, tuple(AffineDimExpr(axis) for axis in range(rank) if axis not in named))
            sums = [axis in named for axis in range(rank)]
            return _loops(op.region.block, [AffineMap.identity(rank), kept], sums, operands, 1, known)
        case LinalgStructuredOperation():
            maps = [each.data for each in op.get_indexing_maps()]
            sums = [kind != IteratorTypeAttr.parallel() for kind in op.get_iterator_types()]
            return _loops(op.body.block, maps, sums, operands, len(op.results), known)
        case _:
            raise AssertionError(f"there are no numbers for '{op.name}'")


def _slices(op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> tuple[slice, ...]:
    lists = op.static_offsets.get_values(), op.static_sizes.get_values(), op.static_strides.get_values()
    return tuple(slice(first, first + size * step, step) for first, size, step in zip(*lists, strict=True))


def _loops(
    body: Block,
    maps: Sequence[AffineMap],
    sums: Sequence[bool],
    operands: Sequence[Any],
    results: int,
    known: dict[SSAValue, Any],
) -> list[Numbers]:
    """The elements of all parallel loops at once, those of the others one after the other."""
    sizes = _sizes(maps, operands)
    values = [each.copy() if place >= len(operands) - results else each for place, each in enumerate(operands)]
    parallel = [loop for loop, is_sum in enumerate(sums) if not is_sum]
    along = np.ix_(*(np.arange(sizes[loop]) for loop in parallel))
    for place in product(*(range(sizes[loop]) for loop, is_sum in enumerate(sums) if is_sum)):
        rest, indices = iter(place), list[Any]([0] * len(sums))
        for loop, is_sum in enumerate(sums):
            indices[loop] = next(rest) if is_sum else along[parallel.index(loop)]
        at = [tuple(each.eval(indices, ()) for each in map_.results) for map_ in maps]
        given: list[Any] = [
            value[where] if isinstance(value, np.ndarray) else value for value, where in zip(values, at, strict=True)
        ]
        inner: dict[SSAValue, Any] = {**known, **dict(zip(body.args, given, strict=True))}
        for op in body.ops:
            read: list[Any] = [inner[operand] for operand in op.operands]
            if op.name == "linalg.yield":
                for value, where, element in zip(values[-results:], at[-results:], read, strict=True):
                    value[where] = element
            elif isinstance(op, arith.ConstantOp):
                inner[op.result] = _results(op, (), known)[0]
            else:
                inner[op.results[0]] = SCALARS[op.name](*read)
    return values[-results:]


def _sizes(maps: Sequence[AffineMap], operands: Sequence[Any]) -> list[int]:
    sizes = [0] * maps[0].num_dims
    for map_, operand in zip(maps, operands, strict=True):
        for axis, expression in enumerate(map_.results):
            if isinstance(expression, AffineDimExpr):
                sizes[expression.position] = operand.shape[axis]
    return sizes
