"""The named ops of linalg that compute the same in other orders, by the letters of their operands and results."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ...layout import Order

Letters: TypeAlias = tuple[str, ...]
"""The axes of the data, the kernel and the result as they are stored, one letter each."""

FAMILIES: Sequence[Mapping[str, Letters]] = (
    {
        "linalg.conv_2d_nchw_fchw": ("nchw", "fchw", "nfhw"),
        "linalg.conv_2d_nhwc_fhwc": ("nhwc", "fhwc", "nhwf"),
        "linalg.conv_2d_nhwc_hwcf": ("nhwc", "hwcf", "nhwf"),
    },
    {
        "linalg.conv_2d_ngchw_fgchw": ("ngchw", "fgchw", "ngfhw"),
        "linalg.conv_2d_ngchw_gfchw": ("ngchw", "gfchw", "ngfhw"),
        "linalg.conv_2d_nhwgc_gfhwc": ("nhwgc", "gfhwc", "nhwgf"),
    },
)


def siblings(name: str) -> Mapping[str, Sequence[Order]]:
    """The named ops that compute the same, with the permutation of each operand and result that leads to them."""
    return {
        other: [tuple(map(own.index, letters)) for own, letters in zip(family[name], found, strict=True)]
        for family in FAMILIES
        if name in family
        for other, found in family.items()
    }
