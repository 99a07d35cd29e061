"""Extent of the fuzz tests: a fixed sample in CI, and a long campaign if NPU_OPT_FUZZ=long."""

import os

LONG = os.environ.get("NPU_OPT_FUZZ") == "long"


def amount(usual: int, long: int) -> int:
    return long if LONG else usual
