"""The table `[ops]` of a target file: ops of other systems, and how they treat the axes of their values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..dialects.npu.axes import PossibleLayouts
from ..dialects.npu.fusion import FUSION_WORDS, FusionKind
from ..layout import LayoutClass
from . import keys
from .toml_table import TomlTable
from .vocabulary import PREFIX, OpNames

CHANNELS = ("first", "last")
DATA, KEPT = "data", "as it is"
"""The words for single operands."""
MOST_VALUES = 16
"""The number of operands and of results of an op of another system that a target can name."""
OPERANDS = tuple(f"operand{index}" for index in range(MOST_VALUES))
RESULTS = tuple(f"result{index}" for index in range(MOST_VALUES))
ANY_FEATURE = PossibleLayouts((LayoutClass.FEATURE,), (3, 4, 5))


class Likeness(StrEnum):
    """The statement about the axes of an op."""

    ELEMENTWISE = "elementwise"
    """Each element of the result is computed from the elements at the same position."""
    ANY_ORDER = "data in any order, result the same"
    """The first operand may be stored in any order, and the results then have that order."""
    POOL = "pool"
    """An op on the spatial axes of a feature map, which it finds in any order."""
    OPAQUE = "opaque"
    """None: operands and results keep their orders."""


@dataclass(frozen=True)
class DescribedOp:
    """An op of another system, as a target describes it."""

    name: str
    """The name of the `npu.opaque`, such as `vendor.swish`."""
    like: Likeness
    place: str
    """`file:line` of the entry `like`."""
    is_pure: bool = False
    fusion: FusionKind | None = None
    """The behaviour when the op is fused, if it is not that of its likeness."""
    data_operands: tuple[int, ...] = ()
    """The positions of the operands that are data in any order; by default the first one."""
    channels_last: bool = False
    """True if the op means features with their channels last, in a program without layouts."""


def read_ops(file: TomlTable) -> Mapping[str, DescribedOp]:
    """Read the table `ops`."""
    table = file.optional_table("ops")
    if table is None:
        return {}
    ops = {name: _op(name, entry) for name, entry in table.tables()}
    _check_demands(file.optional_table("demands"), ops)
    return ops


def _check_demands(table: TomlTable | None, ops: Mapping[str, DescribedOp]) -> None:
    if table is None:
        return
    for name in table.values:
        if name in ops and ops[name].like is Likeness.OPAQUE:
            problem = "is like an opaque op, which keeps its orders: nothing can be demanded of it"
            raise table.error(f"'{name}' {problem}", table.at(name))


def _op(name: str, entry: TomlTable) -> DescribedOp:
    if name.startswith(PREFIX):
        raise entry.error(f"'{name}' is an op of the dialect: only ops of other systems are described")
    if "." not in name or name.split() != [name]:
        quoted = f': write [ops."{name}.{next(iter(entry.values), "op")}"] with quotes' if _is_nested(entry) else ""
        raise entry.error(f"'{name}' is not the name of an op of another system, such as 'vendor.swish'{quoted}")
    entry.allow_only(keys.OPS)
    is_by_operand = isinstance(entry.values.get("like"), dict)
    data = _data_operands(entry.table("like")) if is_by_operand else ()
    words = [each.value for each in Likeness]
    like = Likeness.ANY_ORDER if is_by_operand else Likeness(entry.choice("like", words))
    if "channels" in entry.values and like is not Likeness.POOL:
        raise entry.error(f"'channels' is for '{Likeness.POOL}': no other op has named axes", entry.at("channels"))
    return DescribedOp(
        name,
        like,
        entry.place(entry.at("like")),
        entry.flag("pure"),
        FusionKind.of(entry.choice("fusion", FUSION_WORDS)) if "fusion" in entry.values else None,
        data,
        "channels" in entry.values and entry.choice("channels", CHANNELS) == "last",
    )


def _data_operands(table: TomlTable) -> tuple[int, ...]:
    """The positions of the operands that are data, of a table with a word for each operand."""
    table.allow_only(OPERANDS, "operand")
    words = {name: table.choice(name, (DATA, KEPT)) for name in table.values}
    if words.get(OPERANDS[0]) != DATA:
        raise table.error(f"'{OPERANDS[0]}' must be '{DATA}': the results have its shape and its order")
    return tuple(place for place, name in enumerate(OPERANDS) if words.get(name) == DATA)


def _is_nested(entry: TomlTable) -> bool:
    """True if the name was written without quotes, so that its parts are tables."""
    return bool(entry.values) and all(isinstance(value, dict) for value in entry.values.values())


def vocabulary_of(ops: Mapping[str, DescribedOp]) -> Mapping[str, OpNames]:
    """The names of the operands and results of described ops: their positions."""
    return {name: _names_of(op) for name, op in ops.items()}


def _names_of(op: DescribedOp) -> OpNames:
    if op.like not in (Likeness.POOL, Likeness.ANY_ORDER):
        return OpNames(OPERANDS, RESULTS, takes_several=True)
    data = [OPERANDS[place] for place in op.data_operands or (0,)]
    kept = tuple(name for name in OPERANDS if name not in data)
    layouts = dict.fromkeys((*data, *RESULTS), ANY_FEATURE) if op.like is Likeness.POOL else {}
    return OpNames(OPERANDS, RESULTS, takes_several=True, layouts=layouts, kept=kept)
