"""The prices that a target with costs has for the conversions of a storage."""

from functools import lru_cache, partial
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu.values import shape_of, tensor_type
from ...layout import DYNAMIC, Movement
from ...targets.costs import Costs
from ...targets.facts import TransposeFacts
from ..common.origins import Origins
from ..common.storage import ByteOrder
from ..common.transpose_cost import cost_of
from .common_pieces import common_pieces
from .problem import Prices


class ConversionPrices:
    """The price of each conversion, in ticks, by the byte orders between which it leads."""

    def __init__(self, costs: Costs, origins: Origins, assumed_size: int) -> None:
        self._costs = costs
        self._origins = origins
        self._assumed_size = assumed_size
        self._facts = lru_cache(maxsize=None)(_facts)
        self._of = lru_cache(maxsize=None)(self._priced)

    @property
    def may_have_detours(self) -> bool:
        """True if the price of a conversion depends on its byte orders, so that two may cost less than one."""
        return len(self._costs.transposes) > 1 or self._costs.rules.can is not None

    def weight(self, root: SSAValue, penalty: int = 0) -> int | Prices:
        """The price of converting a storage, with a penalty for conversions that nothing can do."""
        if 0 in shape_of(root):
            return 0
        element_type, size = self._data(root)
        if not self.may_have_detours:
            return self._dearest(size)
        return cast("Prices", partial(self._of, element_type, size, penalty))

    def _data(self, root: SSAValue) -> tuple[Attribute, int]:
        type_: TensorType = tensor_type(root)
        return type_.element_type, cost_of(root, self._origins, self._assumed_size).bytes

    def ticks(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> int:
        """The price of one conversion of a storage."""
        return self._of(*self._data(root), 0, given, wanted)

    def length(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> tuple[int, int]:
        """The number of conversions that nothing can do, and the price."""
        if given == wanted:
            return 0, 0
        return int(self.is_avoided(root, given, wanted)), self.ticks(root, given, wanted)

    def _priced(self, element_type: Attribute, size: int, penalty: int, given: ByteOrder, wanted: ByteOrder) -> int:
        transpose = self._facts(element_type, size, given, wanted)
        if transpose is None:
            return self._dearest(size) + penalty
        return self._costs.of_transpose(transpose) + penalty * self._costs.is_avoided(transpose)

    def _dearest(self, size: int) -> int:
        """The price of the dearest transpose of data of a size."""
        any_transpose = TransposeFacts("", Movement((), ()), size)
        return max(each.price.ticks(any_transpose) for each in self._costs.transposes)

    def is_avoided(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if nothing can do this conversion."""
        transpose = self._facts(*self._data(root), given, wanted)
        return transpose is not None and self._costs.is_avoided(transpose)


def _facts(element_type: Attribute, size: int, given: ByteOrder, wanted: ByteOrder) -> TransposeFacts | None:
    """The transpose from one byte order to another; None if there is none, as from 3 by 2 pieces to 2 by 3."""
    before, after = common_pieces(given, wanted)
    if set(before) != set(after):
        return None
    shape = [DYNAMIC if piece.size.symbols else piece.size.factor for piece in before]
    return TransposeFacts.of(element_type, shape, [*map(before.index, after)], size)
