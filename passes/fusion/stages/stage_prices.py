"""The prices of the conversions that stages do in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from ...common.moves.conversion_ops import ConversionOp
from .stage_match import Matching


class StagePrices(NamedTuple):
    """The prices of a transpose in a group with other ops, in bytes, by the names of stages."""

    on: Mapping[str, int]
    """On each stage that runs or absorbs it."""
    into: Mapping[str, int]
    """On the cheapest stage that absorbs it while data is loaded, by the stage of the first op that reads it."""


NO_PRICES = StagePrices({}, {})


def stage_prices(op: Operation, moved: int, matching: Matching) -> StagePrices:
    """The prices of an op that moves some bytes; none where a transpose is free, or no stage has a price."""
    if not matching.target.has_priced_stages or not isinstance(op, ConversionOp) or matching.is_free_transpose(op):
        return NO_PRICES
    order = matching.order
    into: dict[str, int] = {}
    for stage in matching.absorbing(op):
        price = stage.price_of(moved)
        for number in order.members(order.behind[order.number[stage.name]]):
            name = order.stages[number].name
            into[name] = min(price, into.get(name, price))
    return StagePrices({stage.name: stage.price_of(moved) for stage in matching.stages_for(op)}, into)
