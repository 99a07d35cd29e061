"""All makers: importing this module fills the table."""

from . import make_axes, make_convolution, make_elementwise, make_feature, make_linear, make_movement, make_shape
from .makers import MAKERS

FAMILIES = (
    make_axes,
    make_convolution,
    make_elementwise,
    make_feature,
    make_linear,
    make_movement,
    make_shape,
)
"""The modules that enter their makers into the table when they are imported."""

__all__ = ["FAMILIES", "MAKERS"]
