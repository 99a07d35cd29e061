"""The marker of passes whose output `npu-check` must prove equal to their input."""

from typing import ClassVar


class PreservesMeaning:
    """A pass that may change layouts, names and structure, but no result.

    `npu-opt --verify-layouts` proves so after each run of such a pass.
    """

    IN_REAL_NUMBERS: ClassVar[bool] = False
    """True if floats are rounded elsewhere, so that results are equal in real numbers only."""
    MAKES_INTERFACE_LOGICAL: ClassVar[bool] = False
    """True if functions take and return data in logical order afterwards."""
