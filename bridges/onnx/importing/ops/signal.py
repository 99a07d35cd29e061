"""DFT and STFT, and the constants that networks on sound are made with: windows and the filters of mels."""

from collections.abc import Callable

import numpy as np
from onnx import TensorProto, helper
from xdsl.ir import SSAValue

from .....dialects.npu import signal
from .....dialects.npu.binary import MulOp
from .....dialects.npu.movement import GatherOp
from ...errors import UnsupportedNode
from ..node import UNIT, ImportedNode
from ..registry import Converted, converts
from ..sizes import Size
from ..types import Array

AXIS_AS_INPUT = 20
"""The opset from which on the axis of a DFT is an input."""


@converts("DFT")
def dft(node: ImportedNode) -> Converted:
    rank = node.rank()
    if node.opset < AXIS_AS_INPUT:
        axis = node.integer("axis", 1)
    else:
        axis = int(node.single(2)) if node.has_input(2) else -2
    length = int(node.single(1)) if node.has_input(1) else None
    is_inverse, is_half = node.flag("inverse"), node.flag("onesided")
    if is_inverse and is_half and length not in (None, 2 * (node.sizes()[node.axis(axis, rank)] - 1)):
        raise UnsupportedNode("ONNX Runtime computes another signal of half a spectrum than that of this length")
    return _transformed(node, node.operand(0), node.axis(axis, rank), length, is_inverse, is_half)


def _transformed(
    node: ImportedNode, value: SSAValue, axis: int, length: int | None, is_inverse: bool, is_half: bool
) -> SSAValue:
    sizes = list(node.sizes_of(value))
    parts = len(sizes) - 1
    found: Size = sizes[axis] if length is None else length
    if isinstance(found, int):
        if is_inverse and is_half and length is None:
            found = 2 * (found - 1)
        sizes[axis] = found // 2 + 1 if is_half and not is_inverse else found
    elif is_half:
        raise UnsupportedNode("half of an unknown length")
    sizes[parts] = 1 if is_inverse and is_half else 2
    return node.add(
        signal.DftOp,
        [value],
        sizes,
        axis=axis,
        parts=parts,
        length=length,
        inverse=UNIT if is_inverse else None,
        onesided=UNIT if is_half else None,
    )


def _frames(node: ImportedNode) -> tuple[int, int, int]:
    """The number of frames of an STFT, their length, and the steps between them."""
    sizes, step = node.sizes(), int(node.single(1))
    size: Size = int(node.single(3)) if node.has_input(3) else node.sizes(2)[0] if node.has_input(2) else 0
    if len(sizes) != 3 or not isinstance(sizes[1], int) or not isinstance(size, int):
        raise UnsupportedNode("a signal or a window of unknown length")
    if step < 1 or not 1 <= size <= sizes[1] or (node.has_input(2) and node.sizes(2) != (size,)):
        raise UnsupportedNode("frames that are not within the signal, or no windows")
    return (sizes[1] - size) // step + 1, size, step


@converts("STFT")
def stft(node: ImportedNode) -> Converted:
    """The transforms of frames of the signal, each times the window."""
    count, size, step = _frames(node)
    batch, _, parts = node.sizes()
    node.reserve((count, size))
    places = np.arange(count)[:, np.newaxis] * step + np.arange(size)
    frames = node.add(GatherOp, [node.operand(0), node.constant_of(places)], (batch, count, size, parts), axis=1)
    if node.has_input(2):
        window = node.reshape(node.operand(2), (1, 1, size, 1))
        frames = node.add(MulOp, [frames, window], node.sizes_of(frames))
    return _transformed(node, frames, 2, None, False, node.flag("onesided", 1))


def _window(*weights: float) -> Callable[[ImportedNode], SSAValue]:
    """A converter to a sum of cosines over one period, of a known size."""

    def converter(node: ImportedNode) -> SSAValue:
        size, is_periodic = int(node.single(0)), node.flag("periodic", 1)
        element = helper.tensor_dtype_to_np_dtype(node.integer("output_datatype", TensorProto.FLOAT))
        if element.kind != "f":
            raise UnsupportedNode("a window of integers")
        if size < 1 or (size == 1 and not is_periodic):
            raise UnsupportedNode("a window without a period")
        node.reserve((size,), element)
        angles = np.arange(size) * (2 * np.pi / (size if is_periodic else size - 1))
        terms = [weight * np.cos(place * angles) for place, weight in enumerate(weights)]
        return node.constant_of(np.sum(terms, axis=0).astype(element))

    return converter


converts("HannWindow")(_window(0.5, -0.5))
converts("HammingWindow")(_window(25 / 46, -21 / 46))
converts("BlackmanWindow")(_window(0.42, -0.5, 0.08))


@converts("MelWeightMatrix")
def mel_weights(node: ImportedNode) -> Converted:
    """Triangles over the bins of a spectrum, whose corners are equally far from each other in mels."""
    count, length, rate = (int(node.single(index)) for index in range(3))
    low, high = (2595 * np.log10(1 + float(node.single(index)) / 700) for index in (3, 4))
    element = helper.tensor_dtype_to_np_dtype(node.integer("output_datatype", TensorProto.FLOAT))
    bins = length // 2 + 1
    node.reserve((bins, count), element)
    # Not to the corner behind the last one: ONNX counts one step too many.
    mels = low + np.arange(count + 2) * (high - low) / (count + 2)
    corners = np.floor((length + 1) * 700 * (10 ** (mels / 2595) - 1) / rate).astype(np.int64)
    result = np.zeros((bins, count))
    places: list[int] = corners.tolist()
    for column, (left, centre, right) in enumerate(zip(places, places[1:], places[2:], strict=False)):
        rising: Array = np.arange(left, centre + 1)
        falling: Array = np.arange(centre, right)
        if left < 0 or right > bins:
            raise UnsupportedNode("mels beyond the spectrum")
        result[rising, column] = (rising - left) / (centre - left) if centre > left else 1
        result[falling, column] = (right - falling) / max(right - centre, 1)
    return node.constant_of(result.astype(element))
