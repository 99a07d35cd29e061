"""Operators of PyTorch on feature maps as npu ops, and back: convolutions, pools, resizing and normalisations."""

# Lambdas of any arguments have parameters of unknown types.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from support.torch_cases import Case, check, torch
from support.torch_graphs import QUIET

pytestmark = [QUIET, pytest.mark.filterwarnings("ignore:Using padding='same'")]
functional: Any = torch.nn.functional

torch.manual_seed(2)
random: Any = torch.randn
X = random(2, 4, 6, 8)
CONVOLUTIONS: Sequence[Callable[..., Any]] = [
    lambda x, a, b, *_: functional.conv2d(x, a, b),
    lambda x, a, *_: functional.conv2d(x, a, stride=2, padding=1, dilation=(1, 2)),
    lambda x, _a, _b, d, *_: functional.conv2d(x, d, groups=4, padding="same"),
    lambda x, _a, _b, _d, e, *_: functional.conv2d(x, e, padding="same"),
    lambda x, a, *_: functional.conv2d(x, a, padding="valid"),
    lambda x, a, b, *_: functional.conv2d(x[0], a, b),
    lambda x, _a, b, _d, _e, t, _g: functional.conv_transpose2d(x, t, b, stride=2, padding=1, output_padding=1),
    lambda x, _a, _b, _d, _e, _t, g: functional.conv_transpose2d(x, g, groups=2, dilation=2),
]
LINES: Sequence[Callable[..., Any]] = [
    lambda x, a, b, _: functional.conv1d(x, a, b, stride=2, padding=1),
    lambda x, _a, _b, t: functional.conv_transpose1d(x, t, stride=2),
    lambda x, *_: functional.max_pool1d(x, 2),
    lambda x, *_: functional.avg_pool1d(x, 3, padding=1),
    lambda x, *_: functional.adaptive_avg_pool1d(x, 1),
    lambda x, *_: functional.adaptive_avg_pool1d(x, 4),
    lambda x, *_: functional.interpolate(x, scale_factor=2),
]
VOLUMES: Sequence[Callable[..., Any]] = [
    lambda x, a, b, _: functional.conv3d(x, a, b, stride=2, padding=1),
    lambda x, _a, _b, t: functional.conv_transpose3d(x, t, stride=2),
    lambda x, *_: functional.max_pool3d(x, 2),
    lambda x, *_: functional.avg_pool3d(x, 3, padding=1),
    lambda x, *_: functional.adaptive_avg_pool3d(x, 1),
    lambda x, *_: functional.interpolate(x, scale_factor=2),
]
POOLS: Sequence[Callable[..., Any]] = [
    lambda x: functional.max_pool2d(x, 2),
    lambda x: functional.max_pool2d(x, 3, stride=2, padding=1, dilation=1, ceil_mode=True),
    lambda x: functional.max_pool2d(x, 2, dilation=2, stride=1),
    lambda x: functional.avg_pool2d(x, 3, padding=1),
    lambda x: torch.ops.aten.avg_pool2d(x, [3, 3], [1, 1], [1, 1]),
    lambda x: functional.avg_pool2d(x, 3, padding=1, count_include_pad=False),
    lambda x: functional.avg_pool2d(x, (3, 2), stride=2, ceil_mode=True, padding=1),
    lambda x: functional.avg_pool2d(x, 3, stride=2, ceil_mode=True, count_include_pad=False),
    lambda x: functional.adaptive_avg_pool2d(x, 1),
    lambda x: functional.adaptive_avg_pool2d(x, (3, 2)),
    lambda x: functional.adaptive_max_pool2d(x, 1),
    lambda x: functional.max_pool2d(x[0], 2),
]
RESIZED: Sequence[Callable[..., Any]] = [
    lambda x, _: functional.interpolate(x, scale_factor=2),
    lambda x, _: functional.interpolate(x, size=(12, 24)),
    lambda x, _: functional.interpolate(x, scale_factor=2, mode="bilinear"),
    lambda x, _: functional.interpolate(x, size=(9, 11), mode="bilinear"),
    lambda x, _: functional.interpolate(x, size=(9, 11), mode="bilinear", align_corners=True),
    lambda x, _: functional.interpolate(x, scale_factor=(1.5, 0.5), mode="bilinear"),
    lambda x, _: functional.interpolate(x, scale_factor=1.3, mode="bilinear"),
    lambda x, _: functional.interpolate(x, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True),
    lambda x, _: functional.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True),
    lambda x, _: functional.pixel_shuffle(x, 2),
    lambda x, _: functional.pixel_unshuffle(x, 2),
    lambda x, g: functional.grid_sample(x, g, align_corners=False),
    lambda x, g: functional.grid_sample(x, g, mode="nearest", padding_mode="border", align_corners=True),
    lambda x, g: functional.grid_sample(x, g, mode="bicubic", padding_mode="reflection", align_corners=False),
]
NORMS: Sequence[Callable[..., Any]] = [
    lambda x, *_: functional.layer_norm(x, (8,)),
    lambda x, _w, _b, g, h: functional.layer_norm(x, (6, 8), g, h, 1e-3),
    lambda x, w, b, *_: functional.group_norm(x, 2, w, b, 0.1),
    lambda x, *_: functional.group_norm(x, 4),
    lambda x, *_: functional.instance_norm(x),
    lambda x, w, b, *_: functional.instance_norm(x, weight=w, bias=b, eps=0.1),
    lambda x, w, b, *_: functional.batch_norm(x, w, w.abs() + 1, b, w),
    lambda x, w, *_: functional.batch_norm(x, w, w.abs() + 1, eps=0.1),
    lambda x, *_: functional.softmax(x, 1),
    lambda x, *_: functional.log_softmax(x, -1),
    lambda x, *_: functional.softmin(x, 2),
    lambda x, *_: functional.rms_norm(x, (8,)),
    lambda x, _w, _b, g, _h: functional.rms_norm(x, (6, 8), g, 1e-6),
]
STAYING: Sequence[Callable[..., Any]] = [
    lambda x: functional.adaptive_avg_pool2d(x, (5, 3)),
    lambda x: functional.avg_pool2d(x, 2, divisor_override=3),
    lambda x: functional.interpolate(x, size=(9, 9)),
    lambda x: functional.interpolate(x, size=(9, 9), mode="bicubic"),
    lambda x: functional.max_pool2d(x, 2, return_indices=True)[1],
]
STAYS = "adaptive_avg_pool2d.default avg_pool2d.default upsample_nearest2d.vec upsample_bicubic2d.vec"
CASES: Mapping[str, Case] = {
    "convolutions": Case(
        CONVOLUTIONS,
        [X],
        weights=[
            random(3, 4, 3, 3),
            random(3),
            random(4, 1, 3, 3),
            random(3, 4, 2, 2),
            random(4, 3, 3, 3),
            random(4, 2, 3, 3),
        ],
    ),
    "lines": Case(LINES, [random(2, 4, 8)], weights=[random(3, 4, 3), random(3), random(4, 3, 3)]),
    "volumes": Case(
        VOLUMES, [random(2, 4, 4, 4, 6)], weights=[random(3, 4, 3, 3, 3), random(3), random(4, 3, 3, 3, 3)]
    ),
    "pools": Case(POOLS, [X]),
    "resized": Case(RESIZED, [X, torch.rand(2, 3, 5, 2) * 2 - 1]),
    "norms": Case(NORMS, [X], weights=[random(4), random(4), random(6, 8), random(6, 8)]),
    "staying": Case(
        STAYING,
        [X],
        stays=frozenset([*(f"aten.{each}" for each in STAYS.split()), "aten.max_pool2d_with_indices.default"]),
        is_decomposed=False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_computes_what_pytorch_does(name: str) -> None:
    check(CASES[name])
