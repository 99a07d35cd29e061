"""The notes in which a program keeps what only LiteRT knows."""

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute

PREFIX = "litert."
CUSTOM = "litert.custom."
"""The prefix of the names of ops that are none of the builtin ones."""

# Attributes of a kept op.
OPERATOR = "litert.operator"
"""The op in the format of the file, without operands and results."""
VERSION = "litert.version"
INPUTS = "litert.inputs"
"""`PRESENT`, `ABSENT` or `STATE` for each operand of the file; missing if all are present."""
ABSENT, PRESENT, STATE = 0, 1, 2
STATES = "litert.states"
"""The types of the variables that only this op has, and keeps from run to run."""
VARIABLES = "litert.variables"
"""1 for each operand that the op changes, 0 for all others; missing if it changes none."""
RESULTS = "litert.results"
INTERMEDIATES = "litert.intermediates"
"""The types of tensors that only say scales and zero points of numbers within the op."""
BLOCKS = "litert.blocks"
"""For each operand that is quantised in blocks its place, that of its scales, that of its zero points or else a number
that is not above 0, and the size of a block. Scales and zero points are the last operands of the op."""
NUMBERS = "litert.numbers"
"""For each operand, result, state and intermediate, the scales, zero points and axis if quantised, else a unit."""

# An op for a constant whose data only LiteRT reads, of its bytes: texts, complex and sparse numbers.
STORED = "litert.stored"
SPARSITY = "litert.sparsity"
"""The places of the elements that are there, in the format of the file; missing if all are."""

# Attributes of a module.
DESCRIPTION = "litert.description"
METADATA = "litert.metadata"
ORDERS = "litert.orders"
"""The orders of inputs and outputs that passes have changed, as the metadata of the file has them."""
USUAL_SIGNATURE = "serving_default"
OWN_METADATA = "npu-opt"
"""The metadata that each written file has: what it was made with and for, and its transposes."""

# Attributes of a function.
GRAPH = "litert.graph"
"""The name of the graph that the function was, if it is not the first one."""
SIGNATURE = "litert.signature"
SIGNATURES = "litert.signatures"
"""All others by their keys: names with the numbers of arguments as `inputs`, and with those of results as `outputs`."""

# An attribute of arguments and results.
TENSOR = "litert.tensor"
"""The name of the tensor, if the signature has another one."""


def name_of(kind: str, custom_code: str) -> str:
    """The name of an op in the program."""
    return CUSTOM + custom_code if kind == "CUSTOM" else PREFIX + kind


def bytes_of(attribute: Attribute | None) -> bytes | None:
    """The bytes of an attribute that `bytes_attr` has made; None for all others."""
    return attribute.data.data if isinstance(attribute, DenseIntOrFPElementsAttr) else None
