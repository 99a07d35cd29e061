"""The builtin ops of LiteRT by what they can do."""

from collections.abc import Mapping

from .. import counterparts

VERSIONS: Mapping[str, int] = {"BROADCAST_TO": 3}
"""The versions of ops whose kernels have no version 1."""

FUSES_ACTIVATION = frozenset(
    {
        "ADD",
        "AVERAGE_POOL_2D",
        "CONV_2D",
        "CONV_3D",
        "DEPTHWISE_CONV_2D",
        "DIV",
        "FULLY_CONNECTED",
        "MAX_POOL_2D",
        "MUL",
        "SUB",
        "TRANSPOSE_CONV",
    }
)
"""The kinds of ops that can apply an activation function to their result."""

ACTIVATIONS: Mapping[str, int] = {"RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}
"""The activation functions that other ops can apply, by their kinds as ops."""

FUSES_ON_INTEGERS = frozenset({"ADD", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "MUL"})
"""The kinds that apply an activation function to quantised numbers as well."""

BY_ELEMENT = frozenset(
    {row.kind for row in (*counterparts.UNARY, *counterparts.ACTIVATIONS, *counterparts.ARITHMETIC)}
    | {*counterparts.CLAMPS, "CAST", "GELU", "SQUARE"}
)
"""The kinds that compute each element of their result from that of the only operand that is no scalar."""
