"""Data movement."""

from xdsl.dialects.builtin import FloatAttr, StringAttr, f64
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import movement as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from .....dialects.npu.base import NpuOp
from ....decimals import shortest
from ..node import ImportedOp, Operand, Operands
from ..registry import reads


def _made(node: ImportedOp, op: type[NpuOp], operands: Operands, **properties: Attribute) -> SSAValue:
    return node.add(op, operands, properties)


@reads("tosa.concat")
def concat(node: ImportedOp, *inputs: Operand) -> SSAValue:
    return _made(node, ops.ConcatOp, [[x.value for x in inputs]], axis=i64_attr(node.int("axis")))


@reads("tosa.pad")
def pad(node: ImportedOp, x: Operand, widths: Operand, number: Operand) -> SSAValue:
    low, high = widths.ints[::2], widths.ints[1::2]
    value = FloatAttr(shortest(number.numbers), f64)
    return _made(
        node,
        ops.PadOp,
        [x.value],
        low=i64_array(*low),
        high=i64_array(*high),
        mode=StringAttr("constant"),
        value=value,
    )


@reads("tosa.slice")
def slice_of(node: ImportedOp, x: Operand, starts: Operand, sizes: Operand) -> SSAValue:
    limits = [start + size for start, size in zip(starts.ints, sizes.ints, strict=True)]
    node.require(all(size >= 0 for size in sizes.ints), "an unknown size")
    return _made(node, ops.SliceOp, [x.value], starts=i64_array(*starts.ints), limits=i64_array(*limits))


@reads("tensor.extract_slice")
def strided_slice(node: ImportedOp, x: Operand) -> SSAValue:
    """Only static slices that keep all axes."""
    starts, sizes, steps = (node.ints(f"static_{name}") for name in ("offsets", "sizes", "strides"))
    node.require(len(node.shape) == x.rank, "dropped axes")
    limits = [
        start + (size - 1) * step + 1 if size else start for start, size, step in zip(starts, sizes, steps, strict=True)
    ]
    lists = {"starts": starts, "limits": limits, "steps": steps}
    return _made(node, ops.SliceOp, [x.value], **{name: i64_array(*numbers) for name, numbers in lists.items()})


@reads("tosa.reverse")
def reverse(node: ImportedOp, x: Operand) -> SSAValue:
    return _made(node, ops.ReverseOp, [x.value], axes=i64_array(node.int("axis")))


@reads("tosa.tile")
def tile(node: ImportedOp, x: Operand, repeats: Operand) -> SSAValue:
    return _made(node, ops.TileOp, [x.value], repeats=i64_array(*repeats.ints))


@reads("tosa.gather")
def gather(node: ImportedOp, x: Operand, indices: Operand) -> SSAValue:
    """One batch only, because npu.gather has the same indices for all batches."""
    node.require(x.shape[0] == 1, "several batches")
    picked = node.reshaped(indices, [indices.shape[1]])
    return _made(node, ops.GatherOp, [x.value, picked], axis=i64_attr(1))
