"""The cost of transposes: their number, the bytes that they move, and what a target says that they cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.carrying.callers import counting_calls, known_calls_around
from ....dialects.npu.shape import AnyTransposeOp
from ....dialects.npu.values import order_of_type, shape_of, tensor_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE, assumed, size_of_run
from ....layout import DYNAMIC, identity, same_storage, unpermute
from ....targets import CostUnit
from ..storages.origins import Origins

OTHER_BITS = 64
"""The assumed bit width of element types of other dialects."""
CONVERSION = "conversion"
"""The noun for transposes, packs and unpacks."""


class NotCounted(Enum):
    """The reason why a transpose is free at run time."""

    NO_MOVE = "moves nothing"
    UNIT_AXES = "moves unit axes only"
    CONSTANT = "of a constant"


@dataclass(frozen=True)
class Cost:
    """The total cost of some transposes, and of ops in forms that have a price."""

    transposes: int = 0
    """The number of transposes, or of other ops that move data, such as packs and gathers."""
    bytes: int = 0
    is_assumed: bool = False
    """True if a size was assumed."""
    ticks: int = 0
    """The cost on a target with costs, in thousandths of its unit."""
    kept: int = 0
    """The price of constants that are kept in several orders, in thousandths of the unit."""
    unit: str = ""
    """The unit of a target with costs."""
    travelling: int | None = None
    """The bytes that travel between the best groups of the target's stages, if these were found."""
    absorbed: int = 0
    """The number of transposes in such groups."""
    noun: str = "transpose"
    """The conversions that are counted: on a target with blocks packs and unpacks as well."""
    absorbed_price: int = 0
    """The part of the bytes that travel that is the price of these transposes."""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.transposes + other.transposes,
            self.bytes + other.bytes,
            self.is_assumed or other.is_assumed,
            self.ticks + other.ticks,
            self.kept + other.kept,
            self.unit or other.unit,
            noun=self.noun if self.noun == other.noun else CONVERSION,
        )

    def __mul__(self, count: int) -> "Cost":
        return replace(self, transposes=self.transposes * count, bytes=self.bytes * count, ticks=self.ticks * count)

    def __floordiv__(self, calls: int) -> "Cost":
        """The cost of each of some calls that cost this together."""
        return replace(self, transposes=self.transposes // calls, bytes=self.bytes // calls, ticks=self.ticks // calls)

    @property
    def total(self) -> int:
        """The cost on a target, with the constants that are kept in several orders."""
        return self.ticks + self.kept

    def in_groups_of(self, other: "Cost") -> "Cost":
        """The cost with the data that travels in the groups of another one."""
        return replace(
            self,
            travelling=other.travelling,
            absorbed=other.absorbed,
            absorbed_price=other.absorbed_price,
            is_assumed=self.is_assumed or other.is_assumed,
        )

    def counted(self, unit: CostUnit) -> int:
        match unit:
            case "bytes":
                return self.bytes
            case "count":
                return self.transposes
            case "target":
                return self.total
            case "traffic":
                assert self.travelling is not None, "the groups are not known"
                return self.travelling

    def reduced_to(self, other: "Cost") -> str:
        """Both costs in words: `2 to 1 transposes, 1536 to 768 bytes`; what grows while others shrink comes last."""
        figures = [
            (other.transposes - self.transposes, str(self.transposes), f"{other.transposes} {self.noun}s"),
            (other.bytes - self.bytes, self.bytes_text, f"{other.bytes_text} bytes"),
        ]
        if self.travelling is not None and other.travelling is not None:
            travelling = f"{'~' * self.is_assumed}{self.travelling}"
            figures.append((other.travelling - self.travelling, travelling, other._travel_text))
        elif self.unit:
            before, after = (replace(each, ticks=each.total) for each in (self, other))
            figures.append((after.ticks - before.ticks, before.ticks_text, f"{after.ticks_text} {self.unit}"))
        has_less = any(change < 0 for change, _, _ in figures)
        less = [f"{before} to {after}" for change, before, after in figures if change <= 0 or not has_less]
        more = [f"{after} instead of {before}" for change, before, after in figures if change > 0 and has_less]
        return ", but ".join(filter(None, (", ".join(less), ", ".join(more))))

    @property
    def text(self) -> str:
        if self.travelling is not None:
            price = f", price {'~' * self.is_assumed}{self.absorbed_price}" if self.absorbed_price else ""
            absorbed = f"({self.absorbed} absorbed{price})"
            return f"{self._count_text} {absorbed}, {self.bytes_text} bytes, {self._travel_text}"
        moved = f"{self._count_text}, {self.bytes_text} bytes"
        return f"{moved}, {self.ticks_text} {self.unit}" if self.unit else moved

    @property
    def text_of_one(self) -> str:
        """The cost of one transpose."""
        moved = f"{self.bytes_text} bytes"
        return f"{moved}, {self.ticks_text} {self.unit}" if self.unit else moved

    @property
    def _count_text(self) -> str:
        return f"{self.transposes} {self.noun}{'s' * (self.transposes != 1)}"

    @property
    def _travel_text(self) -> str:
        return f"{'~' * self.is_assumed}{self.travelling} bytes travel"

    @property
    def moved(self) -> dict[str, int]:
        """The bytes, and the size that they assume for unknown ones, for JSON."""
        return {"bytes": self.bytes, **({"assumed_size": size_of_run()} if self.is_assumed else {})}

    @property
    def bytes_text(self) -> str:
        return f"~{self.bytes}" if self.is_assumed else str(self.bytes)

    @property
    def units(self) -> int | float:
        """The cost in the target's unit."""
        return units_of(self.ticks)

    @property
    def ticks_text(self) -> str:
        """The cost in the target's unit."""
        return f"{'~' * self.is_assumed}{units_text(self.ticks)}"


def units_of(ticks: int) -> int | float:
    """A cost in the unit of a target, as a number."""
    # Imported late: few targets have costs.
    from ....targets.prices import TICKS

    whole, rest = divmod(ticks, TICKS)
    return ticks / TICKS if rest else whole


def units_text(ticks: int) -> str:
    """A cost in the unit of a target: `4200` or `0.25`."""
    # Imported late: few targets have costs.
    from ....targets.prices import TICKS

    whole, rest = divmod(ticks, TICKS)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def transposes(module: ModuleOp, origins: Origins) -> Iterator[tuple[AnyTransposeOp, NotCounted | None]]:
    """All transposes in program order, each with the reason if it is not counted."""
    for op in module.walk():
        if isinstance(op, AnyTransposeOp):
            yield op, reason_not_counted(op, origins)


def counted_transposes(module: ModuleOp, origins: Origins | None = None) -> list[AnyTransposeOp]:
    """The transposes that move data at run time."""
    return [op for op, not_counted in transposes(module, origins or Origins()) if not_counted is None]


def cost_of_program(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of all transposes of a module, in all calls."""
    origins = Origins()
    counted = counted_transposes(module, origins)
    with counting_calls():
        return sum((in_all_calls(cost_of(op.input, origins, assumed_size), op) for op in counted), Cost())


def in_all_calls(cost: Cost, where: Operation | SSAValue) -> Cost:
    """The cost of something in the code around an op or a value, as often as that runs."""
    calls = known_calls_around(where)
    return replace(cost * calls.runs, is_assumed=cost.is_assumed or calls.is_assumed)


def cost_of(value: SSAValue, origins: Origins, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost to transpose a value: that of its storage root, because views have the same bytes.

    This matters for assumed sizes: a view may have other unknown dimensions, or have them at other positions.
    """
    moved, is_assumed = bytes_of(value, origins, assumed_size)
    return Cost(1, moved, is_assumed)


def bytes_of(value: SSAValue, origins: Origins, assumed_size: int = ASSUMED_SIZE) -> tuple[int, bool]:
    """The bytes of a value, and true if a size is assumed."""
    return whole_bytes(bits_of(value, origins, assumed_size)), DYNAMIC in shape_of(origins.of(value))


def bits_of(value: SSAValue, origins: Origins, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bits of a value; unknown sizes are assumed."""
    root = origins.of(value)
    known = DYNAMIC not in shape_of(root)
    return (
        moved_bits(tensor_type(root)) if known else _bits(tensor_type(root), origins.likely_sizes(root, assumed_size))
    )


def moved_bytes(type_: TensorType, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bytes of a tensor, whatever its order; unknown sizes are assumed."""
    return whole_bytes(moved_bits(type_, assumed_size))


def whole_bytes(bits: int) -> int:
    """The bytes that some bits fill, the last one maybe in part."""
    return -(-bits // 8)


def moved_bits(type_: TensorType, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bits of a tensor, whose bytes its elements need not fill; unknown sizes are assumed."""
    shape = type_.get_shape()
    return _bits(type_, assumed(unpermute(shape, order_of_type(type_)), assumed_size) if DYNAMIC in shape else shape)


def _bits(type_: TensorType, shape: Sequence[int]) -> int:
    # Element types of other dialects include complex numbers and indices, which have no bit width.
    element = type_.element_type
    width = element.bitwidth if isinstance(element, FixedBitwidthType) else OTHER_BITS
    return prod(shape) * width


def reason_not_counted(op: AnyTransposeOp, origins: Origins) -> NotCounted | None:
    """The reason why a transpose is free at run time, if it is."""
    moved, shape = op.moved(), shape_of(op.input)
    if same_storage(identity(len(shape)), moved, shape):
        return NotCounted.NO_MOVE if moved == identity(len(shape)) or 0 in shape else NotCounted.UNIT_AXES
    return NotCounted.CONSTANT if origins.is_constant(op.input) else None
