"""A mark for passes that are to compute what was computed before."""

from typing import ClassVar


class PreservesMeaning:
    """A pass that changes how data is stored or what that is called, and nothing that is computed.

    `npu-opt --verify-layouts` proves the latter each time such a pass has run.
    """

    MAKES_INTERFACE_LOGICAL: ClassVar[bool] = False
    """Whether functions take and return data in logical order afterwards, however that was stored before."""
