"""Pads of transposed convolutions as ONNX Runtime finds them, said so that ONNX's shape inference finds them as well.

It infers a result of too few axes if `output_shape` is smaller than the data, and adds `output_padding` to SAME sizes.
"""

from collections.abc import Iterable, Mapping, Sequence

from onnx import AttributeProto, NodeProto, helper

from ..errors import OnnxError
from .order import label


def numbers_of(given: Mapping[str, AttributeProto], name: str, default: Iterable[int]) -> list[int]:
    """An attribute of a node, or its default value."""
    return list(given[name].ints) if name in given else list(default)


def split_pads(total: int, more: int, is_exact: bool, is_upper: bool) -> tuple[int, int, int]:
    """The pads before and behind an axis for so many elements too many, and the output padding.

    Windows that do not reach as far as SAME asks for leave a smaller result, but `output_shape` is exact.
    """
    cut = max(total, 0)
    small, large = cut // 2, cut - cut // 2
    return (*((small, large) if is_upper else (large, small)), more + (max(-total, 0) if is_exact else 0))


def rewrite_transposed(node: NodeProto, shapes: Mapping[str, Sequence[int | None]]) -> bool:
    """Write the pads of a transposed convolution down if ONNX infers another shape; True if it does."""
    given = {attribute.name: attribute for attribute in node.attribute}
    mode = given["auto_pad"].s if "auto_pad" in given else b"NOTSET"
    wanted = numbers_of(given, "output_shape", ())
    inferred, kernel = shapes.get(node.output[0]), shapes.get(node.input[1])
    if not (wanted or mode.startswith(b"SAME")) or inferred is None or kernel is None:
        return False
    sizes, extents = shapes[node.input[0]][2:], [size for size in kernel[2:] if size is not None]
    ones = [1] * len(sizes)
    strides, dilations = numbers_of(given, "strides", ones), numbers_of(given, "dilations", ones)
    more = numbers_of(given, "output_padding", [0] * len(sizes))
    lengths = {len(extents), len(strides), len(dilations), len(more)}
    if not sizes or lengths != {len(sizes)} or (wanted and len(wanted) < len(sizes)):
        return False
    axes = zip(sizes, extents, strides, dilations, more, wanted[-len(sizes) :] or [None] * len(sizes), strict=True)
    placed = [_placed(*axis, is_upper=mode == b"SAME_UPPER") for axis in axes]
    results = [result for result, *_ in placed]
    ends = zip(sizes, wanted[-len(sizes) :], strict=False)
    is_small = any(size is not None and result < size for size, result in ends)
    pairs = zip(results, inferred[2:], strict=False)
    is_same = len(inferred) == len(results) + 2 and all(None in pair or pair[0] == pair[1] for pair in pairs)
    if is_same and not is_small:
        return False
    pads = [pad for _, pad, _, _ in placed] + [pad for _, _, pad, _ in placed]
    if None in pads:
        raise OnnxError(f"{label(node)}: ONNX does not infer the shape of this result: give all sizes of its input")
    kept = [each for each in node.attribute if each.name not in ("auto_pad", "output_padding", "output_shape", "pads")]
    kept.append(helper.make_attribute("pads", pads))
    kept.append(helper.make_attribute("output_padding", [end for *_, end in placed]))
    del node.attribute[:]
    node.attribute.extend(kept)
    return True


def _placed(
    size: int | None, extent: int, stride: int, dilation: int, more: int, wanted: int | None, is_upper: bool
) -> tuple[int | None, int | None, int | None, int]:
    """The size of the result along an axis, the pads and the output padding; None where it is not known."""
    whole = (extent - 1) * dilation + 1 - stride + more
    if wanted is None:
        low, high, more = split_pads(whole, more, is_exact=False, is_upper=is_upper)
        return None if size is None else size * stride + min(whole, 0), low, high, more
    if size is None:
        return wanted, None, None, more
    return wanted, *split_pads(whole + size * stride - wanted, more, is_exact=True, is_upper=is_upper)
