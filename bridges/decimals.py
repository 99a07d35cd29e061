"""Numbers of files, as attributes of 64 bits.

All importers read them so, since an attribute of one format is a constant of another one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def shortest(array: NDArray[Any]) -> float:
    """The number of an array that has one, with the fewest decimal digits: 0.01 in f32, and not 0.0099999998."""
    number: Any = array.reshape(-1)[0]
    if not np.issubdtype(array.dtype, np.floating):
        return float(number)
    found = float(str(number))
    return found if abs(found) <= float(np.finfo(array.dtype).max) else float(number)


def shortest_f32(number: float) -> float:
    """The number with the fewest decimal digits that is the given one in 32 bits."""
    return shortest(np.array(number, np.float32))
