"""The marker of passes whose output `npu-check` must prove equal to their input."""

from typing import ClassVar


class PreservesMeaning:
    """A pass that may change layouts, names and structure, but no result.

    `npu-opt --verify-layouts` proves so after each run of such a pass.
    """

    IN_REAL_NUMBERS: ClassVar[bool] = False
    """True if floats are rounded elsewhere, so that results are equal in real numbers only."""
    FINDS_DEFINED_OPS: ClassVar[bool] = False
    """True if ops take the place of the arithmetic that defines them, whose steps round."""
    MAKES_INTERFACE_LOGICAL: ClassVar[bool] = False
    """True if functions take and return data in logical order afterwards."""

    @property
    def leaves_weights(self) -> bool:
        """True if weights are computed from those of a model afterwards."""
        return self.IN_REAL_NUMBERS

    @property
    def is_compared_as_arithmetic(self) -> bool:
        """True if the proof takes ops for the arithmetic that defines them where it finds no other way."""
        return self.IN_REAL_NUMBERS or self.FINDS_DEFINED_OPS
