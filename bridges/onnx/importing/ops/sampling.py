"""GridSample, AffineGrid, RoiAlign and DeformConv."""

import numpy as np
from xdsl.dialects.builtin import f32, f64

from .....dialects.npu import sampling
from .....dialects.npu.linear import MatmulOp
from ...errors import UnsupportedNode
from ..node import UNIT, ImportedNode
from ..registry import Converted, converts
from ..windows import feature, moves_of, numbers

MODES = {"bilinear": "linear", "linear": "linear", "nearest": "nearest", "bicubic": "cubic", "cubic": "cubic"}
HALF_PIXEL = 16
"""The opset from which on RoiAlign moves places by half an element, unless it says otherwise."""


@converts("GridSample")
def grid_sample(node: ImportedNode) -> Converted:
    mode = node.text("mode", "linear")
    if mode not in MODES or node.rank() not in (4, 5):
        raise UnsupportedNode(f"{mode} of rank {node.rank()}")
    if MODES[mode] == "cubic" and node.rank() == 5:
        raise UnsupportedNode("cubics along three axes")
    padding = node.choice("padding_mode", *sampling.GridSampleOp.PADDINGS)
    sizes = (*node.sizes()[:2], *node.sizes(1)[1:-1])
    return node.add(
        sampling.GridSampleOp,
        [node.operand(0), node.operand(1)],
        sizes,
        mode=MODES[mode] if MODES[mode] != "linear" else None,
        padding=padding if padding != "zeros" else None,
        align_corners=UNIT if node.flag("align_corners") else None,
        data_layout=feature(node.rank()),
    )


@converts("AffineGrid")
def affine_grid(node: ImportedNode) -> Converted:
    """Products of matrices with the places of a grid of known size, each with a 1 behind it."""
    batch, _, *sizes = node.constants(1)
    is_aligned, element = node.flag("align_corners"), node.shaped(0).element
    node.reserve((*sizes, len(sizes) + 1), np.float64)
    ends = [1.0 if is_aligned else 1 - 1 / size for size in sizes]
    if 0 in sizes or (is_aligned and 1 in sizes) or element not in (f32, f64):
        raise UnsupportedNode("a grid without extent, or of other numbers")
    along = [np.linspace(-end, end, size) for end, size in zip(ends, sizes, strict=True)]
    places = np.stack([*np.meshgrid(*along, indexing="ij")[::-1], np.ones(sizes)], -1)
    rows = places.reshape(1, -1, len(sizes) + 1).astype(np.float32 if element == f32 else np.float64)
    shape = batch, rows.shape[1], len(sizes)
    found = node.add(MatmulOp, [node.constant_of(rows), node.operand(0)], shape, element, trans_b=UNIT)
    return node.reshape(found, (batch, *sizes, len(sizes)))


@converts("RoiAlign")
def roi_align(node: ImportedNode) -> Converted:
    is_moved = node.opset >= HALF_PIXEL and (
        node.choice("coordinate_transformation_mode", "half_pixel", "output_half_pixel") == "half_pixel"
    )
    ratio, parts = node.integer("sampling_ratio"), [node.integer(f"output_{name}", 1) for name in ("height", "width")]
    scale, mode = node.number("spatial_scale", 1.0), node.choice("mode", "avg", "max")
    if ratio < 0:
        raise UnsupportedNode(f"a sampling ratio of {ratio}")
    return node.add(
        sampling.RoiAlignOp,
        [node.operand(index) for index in range(3)],
        (node.sizes(2)[0], node.sizes()[1], *parts),
        sizes=parts,
        scale=scale if scale != 1 else None,
        ratio=ratio or None,
        mode="max" if mode == "max" else None,
        half_pixel=UNIT if is_moved else None,
        data_layout=feature(4),
    )


@converts("DeformConv")
def deform_conv(node: ImportedNode) -> Converted:
    if node.rank() != 4:
        raise UnsupportedNode("other axes than those of an image")
    moves = moves_of(node, numbers(node.sizes(1))[2:], node.sizes()[2:])
    groups, parts = node.integer("group", 1), node.integer("offset_group", 1)
    return node.add(
        sampling.DeformConvOp,
        [node.operand(0), node.operand(2), node.operand(1), node.optional(3), node.optional(4)],
        (node.sizes()[0], node.sizes(1)[0], *node.sizes(2)[2:]),
        groups=groups if groups != 1 else None,
        offset_groups=parts if parts != 1 else None,
        data_layout=feature(4),
        **moves.properties(),
    )
