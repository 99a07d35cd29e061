"""Windows of pools as ONNX Runtime slides them, said so that ONNX's shape inference finds their number as well.

`auto_pad` does not count dilations there, and cuts data off where windows end before it; a pool with both stays as it
is. Rounding up (`ceil_mode`) drops a window that would begin behind the data, which ONNX's own shape inference did not
know before opset 22.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from onnx import GraphProto, ModelProto, NodeProto, helper

from ....dialects.npu.feature import Window
from ..errors import OnnxError
from .order import DEFAULT_DOMAINS, label
from .transposed import numbers_of, rewrite_transposed

POOLS = ("MaxPool", "AveragePool", "LpPool")


def has_gaps(node: NodeProto) -> bool:
    """True if a window is shorter than its stride."""
    given = {attribute.name: attribute for attribute in node.attribute}
    pairs = zip(numbers_of(given, "kernel_shape", ()), numbers_of(given, "strides", ()), strict=False)
    return any(extent < stride for extent, stride in pairs)


def rewrite_a_window(model: ModelProto, shaped: ModelProto, narrow: Collection[str]) -> bool:
    """Rewrite the first pool or transposed convolution whose windows are others than they seem; True if there was one.

    `shaped` is the model with the shapes that ONNX infers, which are right up to this node. The pools with the results
    `narrow` get the pads that `auto_pad` stands for.
    """
    for node, shapes in _nodes(model.graph, shaped.graph, {}):
        if node.domain not in DEFAULT_DOMAINS or not all(name in shapes for name in node.input[:1]):
            continue
        if node.op_type in POOLS:
            pool = _pool(node, shapes[node.input[0]][2:], node.output[0] in narrow)
            inferred = shapes.get(node.output[0], [])[2:]
            if pool is not None and pool.cuts_data:
                pool.check(label(node), inferred)
            elif pool is not None and pool.is_another(inferred):
                _write(node, pool.said(label(node)))
                return True
        if node.op_type == "ConvTranspose" and len(node.input) > 1 and rewrite_transposed(node, shapes):
            return True
    return False


def _nodes(
    graph: GraphProto, shaped: GraphProto, outer: Mapping[str, list[int | None]]
) -> Iterator[tuple[NodeProto, Mapping[str, list[int | None]]]]:
    """The nodes of a graph and of its subgraphs, with the shapes of the values that they see."""
    shapes = dict(outer)
    for value in (*shaped.input, *shaped.value_info, *shaped.output):
        if value.type.tensor_type.HasField("shape"):
            dims = value.type.tensor_type.shape.dim
            shapes[value.name] = [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]
    shapes.update({tensor.name: list(tensor.dims) for tensor in shaped.initializer})
    for node, same in zip(graph.node, shaped.node, strict=True):
        for attribute, other in zip(node.attribute, same.attribute, strict=True):
            if attribute.HasField("g"):
                yield from _nodes(attribute.g, other.g, shapes)
        yield node, shapes


@dataclass(frozen=True)
class _Pool:
    """The windows of a pool on data of known sizes."""

    sizes: Sequence[int]
    extents: Sequence[int]
    window: Window
    rounds_up: bool
    is_placed: bool
    """True if the pads do not follow from the attributes as ONNX reads them."""
    counts_pads: bool

    @property
    def cuts_data(self) -> bool:
        """True if pads are negative."""
        return min((*self.window.pads_begin, *self.window.pads_end), default=0) < 0

    def cuts_nothing(self, is_maximum: bool) -> bool:
        """True if negative pads change nothing: maxima read what is cut off at the end, other windows end before."""
        if min(self.window.pads_begin, default=0) < 0 or self.without_cuts().positions != self.positions:
            return False
        return is_maximum or all(
            pad >= 0 or (count - 1) * stride + (extent - 1) * step + 1 - begin <= size + pad
            for size, count, extent, stride, step, begin, pad in zip(
                self.sizes,
                self.positions,
                self.extents,
                self.window.strides,
                self.window.dilations,
                self.window.pads_begin,
                self.window.pads_end,
                strict=True,
            )
        )

    def without_cuts(self) -> "_Pool":
        begins, ends = (tuple(max(pad, 0) for pad in pads) for pads in (self.window.pads_begin, self.window.pads_end))
        return replace(self, window=replace(self.window, pads_begin=begins, pads_end=ends))

    def check(self, place: str, inferred: Sequence[int | None]) -> None:
        """Check that a pool with negative pads has the sizes that ONNX infers."""
        if tuple(inferred) != self.positions:
            raise OnnxError(f"{place}: the pads of ONNX Runtime are negative, and those of ONNX are not: give it pads")

    @property
    def positions(self) -> tuple[int, ...]:
        found = self.window.positions(self.sizes, self.extents, self.rounds_up)
        # ONNX Runtime rounds a negative quotient up.
        return tuple(max(count, 1) for count in found) if self.cuts_data else found

    def is_another(self, inferred: Sequence[int | None]) -> bool:
        """True if ONNX infers other sizes of the result than it has, or reads other pads."""
        wrong = any(size not in (None, right) for size, right in zip(inferred, self.positions, strict=False))
        return self.is_placed or (self.rounds_up and wrong)

    def said(self, place: str) -> "_Pool":
        """The pool with pads for windows that begin in the data and end behind it."""
        missing = [
            max((count - 1) * stride + (extent - 1) * dilation + 1 - size - low - high, 0)
            for count, stride, extent, dilation, size, low, high in zip(
                self.positions,
                self.window.strides,
                self.extents,
                self.window.dilations,
                self.sizes,
                self.window.pads_begin,
                self.window.pads_end,
                strict=True,
            )
        ]
        high = tuple(end + more for end, more in zip(self.window.pads_end, missing, strict=True))
        is_wide = any(end >= extent for end, extent in zip(high, self.extents, strict=True))
        if any(missing) and (self.counts_pads or is_wide):
            raise OnnxError(
                f"{place}: ONNX and ONNX Runtime slide this window to different positions;"
                " opset 22 has the sizes of ONNX Runtime (onnx.version_converter converts models)"
            )
        return replace(self, window=replace(self.window, pads_end=high), rounds_up=False)


def _pool(node: NodeProto, spatial: Sequence[int | None], is_narrow: bool) -> _Pool | None:
    given = {attribute.name: attribute for attribute in node.attribute}
    sizes = [size for size in spatial if size is not None]
    extents = numbers_of(given, "kernel_shape", ())
    ones = [1] * len(sizes)
    strides, dilations = numbers_of(given, "strides", ones), numbers_of(given, "dilations", ones)
    pads = numbers_of(given, "pads", [0, 0] * len(sizes))
    mode = given["auto_pad"].s if "auto_pad" in given else b"NOTSET"
    lengths = {len(spatial), len(extents), len(strides), len(dilations), len(pads) // 2}
    if lengths != {len(sizes)} or min((*strides, *dilations, *extents), default=0) < 1:
        return None
    is_same = mode.startswith(b"SAME")
    if is_same and max(dilations) == 1 and not is_narrow:
        # The sizes are rounded up by these pads.
        return None
    if is_same:
        pads = _same(sizes, extents, strides, is_lower=mode == b"SAME_LOWER")
    elif mode == b"VALID":
        pads = [0, 0] * len(sizes)
    window = Window(tuple(strides), tuple(dilations), tuple(pads[: len(sizes)]), tuple(pads[len(sizes) :]))
    rounds_up = "ceil_mode" in given and given["ceil_mode"].i != 0
    counts_pads = "count_include_pad" in given and given["count_include_pad"].i != 0
    pool = _Pool(sizes, extents, window, rounds_up, is_same, counts_pads)
    return pool.without_cuts() if is_narrow or pool.cuts_nothing(node.op_type == "MaxPool") else pool


def _same(sizes: Sequence[int], extents: Sequence[int], strides: Sequence[int], is_lower: bool) -> list[int]:
    """The pads of ONNX Runtime, which are those of windows without dilations."""
    totals = [
        (-(-size // stride) - 1) * stride + extent - size
        for size, extent, stride in zip(sizes, extents, strides, strict=True)
    ]
    low = [int((total + is_lower) / 2) for total in totals]
    return [*low, *(total - first for total, first in zip(totals, low, strict=True))]


def _write(node: NodeProto, pool: _Pool) -> None:
    kept = [each for each in node.attribute if each.name not in ("auto_pad", "pads", "ceil_mode")]
    kept.append(helper.make_attribute("pads", [*pool.window.pads_begin, *pool.window.pads_end]))
    del node.attribute[:]
    node.attribute.extend(kept)
