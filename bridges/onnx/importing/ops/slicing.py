"""Slices."""

from collections.abc import Sequence

from .....dialects.npu.movement import END_OF_AXIS, ReverseOp, SliceOp
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, sizes_of
from ..sizes import Size, Unknown, least
from .dynamic import dynamic_slice, is_list


class Cuts:
    """Start, end and step of a Slice for each axis; ends may be unknown sizes."""

    def __init__(self, node: ImportedNode):
        self.sizes = node.sizes()
        rank = len(self.sizes)
        starts = _list(node, "starts", 1)
        ends = _list(node, "ends", 2)
        axes = node.axes(node.list_of("axes", 3) or list(range(len(starts))))
        steps = node.constants(4) if node.has_input(4) else [1] * len(starts)
        if not len(starts) == len(ends) == len(axes) == len(steps):
            raise UnsupportedNode("lists have different lengths")
        self.starts: list[Size] = [0] * rank
        self.ends: list[Size] = [END_OF_AXIS] * rank
        self.steps = [1] * rank
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
            self.starts[axis], self.ends[axis], self.steps[axis] = start, end, step

    def is_whole(self, axis: int) -> bool:
        """True if the slice takes the whole axis."""
        end = self.ends[axis]
        is_end = end == self.sizes[axis] or (isinstance(end, int) and end >= 2**31 - 1)
        return self.starts[axis] == 0 and self.steps[axis] == 1 and is_end

    def is_turned(self, axis: int) -> bool:
        """True if the slice takes a whole axis backward."""
        size, start, end = self.sizes[axis], self.starts[axis], self.ends[axis]
        if self.steps[axis] != -1 or not (isinstance(start, int) and isinstance(end, int)):
            return False
        if isinstance(size, int):
            return len(self.range(axis, size)) == size
        return (start == -1 or start >= 2**31 - 1) and end <= 1 - 2**31

    def result_size(self, axis: int) -> Size | None:
        """The size of an axis of the result, or None."""
        if self.is_whole(axis) or self.is_turned(axis):
            return self.sizes[axis]
        size, start, end = self.sizes[axis], self.starts[axis], self.ends[axis]
        if isinstance(end, Unknown) and start == 0 and self.steps[axis] == 1 and isinstance(size, int) and size > 1:
            return least(size, end) if end.is_natural else None
        if isinstance(size, Unknown) or isinstance(start, Unknown) or isinstance(end, Unknown):
            return self._least_size(axis)
        return len(self.range(axis, size))

    def _least_size(self, axis: int) -> Size | None:
        """The size of the first or the last elements of an axis of unknown size, at most so many."""
        size, start, end = self.sizes[axis], self.starts[axis], self.ends[axis]
        if not (isinstance(size, Unknown) and size.is_natural and isinstance(start, int) and isinstance(end, int)):
            return None
        is_last, is_first = start < -1 and end >= 2**31 - 1, start == 0 and end > 1
        return least(end if is_first else -start, size) if self.steps[axis] == 1 and is_last != is_first else None

    def range(self, axis: int, size: int) -> range:
        """The positions taken from an axis of this size."""
        start, end, step = self.starts[axis], self.ends[axis], self.steps[axis]
        assert isinstance(start, int)
        assert isinstance(end, int)
        return positions(size, start, end, step)


def positions(size: int, start: int, end: int, step: int) -> range:
    """The positions that ONNX takes from an axis of this size.

    Negative steps differ from Python: a start before the first element is clamped to it.
    """
    if step == 0:
        raise UnsupportedNode("a step of 0")
    start, end = (number + size if number < 0 else number for number in (start, end))
    if step > 0:
        return range(min(max(start, 0), size), min(max(end, 0), size), step)
    return range(min(max(start, 0), size - 1), min(max(end, -1), size - 1), step) if size else range(0)


def _list(node: ImportedNode, name: str, index: int) -> Sequence[Size]:
    if node.has_attribute(name):
        return node.integers(name) or []
    found = node.known(index)
    if found is None:
        raise UnsupportedNode(f"{name} are unknown")
    return [each if isinstance(each, Unknown) else int(each) for each in found.reshape(-1)]


@sizes_of("Slice")
def slice_sizes(node: ImportedNode) -> Sequence[Size | None]:
    cuts = Cuts(node)
    return [cuts.result_size(axis) for axis in range(len(cuts.sizes))]


@converts("Slice")
def slice_(node: ImportedNode) -> Converted:
    """Negative steps become positive steps on the reversed axis."""
    if is_list(node, 4) or (any(is_list(node, index) for index in (1, 2)) and not _are_whole_or_known(node)):
        return dynamic_slice(node)
    cuts, value = Cuts(node), node.operand(0)
    starts: list[int] = []
    limits: list[int] = []
    backward = [axis for axis, step in enumerate(cuts.steps) if step < 0]
    for axis, size in enumerate(cuts.sizes):
        start, end = cuts.starts[axis], cuts.ends[axis]
        if cuts.is_whole(axis) or cuts.is_turned(axis):
            start, end = 0, END_OF_AXIS
        elif axis in backward and isinstance(size, int):
            taken = cuts.range(axis, size)
            start = size - 1 - taken.start if taken else 0
            end = size - taken[-1] if taken else 0
        elif axis in backward:
            return dynamic_slice(node)
        if not (isinstance(start, int) and isinstance(end, int)):
            raise UnsupportedNode("an unknown position")
        starts.append(start)
        limits.append(end)
    if backward:
        value = node.add(ReverseOp, [value], cuts.sizes, axes=backward)
    steps = [abs(step) for step in cuts.steps]
    if all(cuts.is_whole(axis) or cuts.is_turned(axis) for axis in range(len(cuts.sizes))):
        return value
    sizes = node.output().sizes
    return node.add(SliceOp, [value], sizes, starts=starts, limits=limits, steps=steps if set(steps) != {1} else None)


def _are_whole_or_known(node: ImportedNode) -> bool:
    """True if each axis is taken as a whole, or between positions that are known."""
    try:
        cuts = Cuts(node)
    except UnsupportedNode:
        return False
    bounds = zip(cuts.starts, cuts.ends, strict=True)
    return all(cuts.is_whole(axis) or Unknown not in map(type, each) for axis, each in enumerate(bounds))
