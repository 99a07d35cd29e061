"""How much the fuzz tests do: a fixed sample in CI, and a long campaign where NPU_OPT_FUZZ=long is set."""

import os

LONG = os.environ.get("NPU_OPT_FUZZ") == "long"


def amount(usual: int, long: int) -> int:
    return long if LONG else usual
