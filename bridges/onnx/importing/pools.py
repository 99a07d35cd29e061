"""Windows of pools as ONNX Runtime slides them, said so that ONNX's shape inference finds their number as well.

`auto_pad` does not count dilations there, and rounding up (`ceil_mode`) drops a window that would begin behind the
data, which ONNX's own shape inference did not know before opset 22.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from onnx import AttributeProto, ModelProto, NodeProto, TypeProto, helper

from ....dialects.npu.feature import Window
from ..errors import OnnxError
from .order import DEFAULT_DOMAINS, label

POOLS = ("MaxPool", "AveragePool", "LpPool")


def rewrite_a_pool(model: ModelProto, shaped: ModelProto) -> bool:
    """Rewrite the first pool of a graph whose windows are others than they seem; True if there was one.

    `shaped` is the model with the shapes that ONNX infers, which are right up to this pool.
    """
    values = (*shaped.graph.input, *shaped.graph.value_info, *shaped.graph.output)
    sizes = {value.name: _spatial(value.type) for value in values}
    for node in model.graph.node:
        if node.op_type in POOLS and node.domain in DEFAULT_DOMAINS and node.input and node.input[0] in sizes:
            pool = _pool(node, sizes[node.input[0]])
            if pool is not None and pool.is_another(sizes.get(node.output[0], [])):
                _write(node, pool.said(label(node)))
                return True
    return False


def _spatial(type_: TypeProto) -> list[int | None]:
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.tensor_type.shape.dim][2:]


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
    def positions(self) -> tuple[int, ...]:
        return self.window.positions(self.sizes, self.extents, self.rounds_up)

    def is_another(self, inferred: Sequence[int | None]) -> bool:
        """True if ONNX infers other sizes of the result than it has, or reads other pads."""
        wrong = any(size not in (None, right) for size, right in zip(inferred, self.positions, strict=False))
        return self.is_placed or (self.rounds_up and wrong)

    def said(self, place: str) -> "_Pool":
        """The same windows with pads for those that begin in the data and end behind it."""
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


def _pool(node: NodeProto, spatial: Sequence[int | None]) -> _Pool | None:
    given = {attribute.name: attribute for attribute in node.attribute}
    sizes = [size for size in spatial if size is not None]
    extents = _numbers(given, "kernel_shape", ())
    ones = [1] * len(sizes)
    strides, dilations = _numbers(given, "strides", ones), _numbers(given, "dilations", ones)
    pads = _numbers(given, "pads", [0, 0] * len(sizes))
    mode = given["auto_pad"].s if "auto_pad" in given else b"NOTSET"
    lengths = {len(spatial), len(extents), len(strides), len(dilations), len(pads) // 2}
    if lengths != {len(sizes)} or min((*strides, *dilations, *extents), default=0) < 1:
        return None
    is_same = mode.startswith(b"SAME")
    if is_same and max(dilations) == 1:
        # The sizes are rounded up by these pads.
        return None
    if is_same:
        pads = _same(sizes, extents, strides, is_lower=mode == b"SAME_LOWER")
    elif mode == b"VALID":
        pads = [0, 0] * len(sizes)
    window = Window(tuple(strides), tuple(dilations), tuple(pads[: len(sizes)]), tuple(pads[len(sizes) :]))
    rounds_up = "ceil_mode" in given and given["ceil_mode"].i != 0
    counts_pads = "count_include_pad" in given and given["count_include_pad"].i != 0
    return _Pool(sizes, extents, window, rounds_up, is_same, counts_pads)


def _numbers(given: Mapping[str, AttributeProto], name: str, default: Iterable[int]) -> list[int]:
    return list(given[name].ints) if name in given else list(default)


def _same(sizes: Sequence[int], extents: Sequence[int], strides: Sequence[int], is_lower: bool) -> list[int]:
    """The pads of ONNX Runtime, which are those of windows without dilations."""
    totals = [
        max((-(-size // stride) - 1) * stride + extent - size, 0)
        for size, extent, stride in zip(sizes, extents, strides, strict=True)
    ]
    low = [(total + is_lower) // 2 for total in totals]
    return [*low, *(total - first for total, first in zip(totals, low, strict=True))]


def _write(node: NodeProto, pool: _Pool) -> None:
    kept = [each for each in node.attribute if each.name not in ("auto_pad", "pads", "ceil_mode")]
    kept.append(helper.make_attribute("pads", [*pool.window.pads_begin, *pool.window.pads_end]))
    del node.attribute[:]
    node.attribute.extend(kept)
