"""The tables `costs` and `transposes` of a target file: what the hardware needs for transposes and for forms of ops."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from . import keys
from .axis_places import LAST, NEXT_TO_LAST, OTHER
from .expression_keys import condition_at, condition_of, number_at, price_at
from .prices import LINES, READ, WRITTEN, Price, PriceTerm
from .toml_table import TomlTable
from .vocabulary import OpNames, Vocabulary, full_name, known_op

if TYPE_CHECKING:
    from .conditions import Condition
    from .facts import OpFacts, TransposeFacts

_MATMUL = ("lhs", "rhs")
_PRODUCT = "product"


@dataclass(frozen=True)
class PriceRule:
    """The price of what meets a condition; None holds for all."""

    when: "Condition | None"
    price: Price


@dataclass(frozen=True)
class TransposeRules:
    """The transposes that the hardware can do, and the price of the others."""

    can: "tuple[Condition, ...] | None" = None
    """One of them has to hold; None means that the hardware can do all."""
    fallback: Price | None = None
    """The price of a transpose that the hardware cannot do; None if nothing else can."""


AxisPrices: TypeAlias = Mapping[str, Mapping[str, tuple[PriceRule, ...]]]
"""The prices of an op by the name of an attribute, and the place of the axes that it names."""


@dataclass(frozen=True)
class Costs:
    """The costs of a target, in ticks: thousandths of its unit."""

    unit: str
    transposes: tuple[PriceRule, ...]
    """The first one that holds counts; the last one holds for all."""
    rules: TransposeRules = field(default_factory=TransposeRules)
    matmul: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """The price of reading an operand of a product of matrices transposed, by its name."""
    products: tuple[PriceRule, ...] = ()
    """The price of a product in a form; the first one that holds counts."""
    axes: Mapping[str, "AxisPrices"] = field(default_factory=dict[str, "AxisPrices"])
    """The price of an op by its full name, the name of an attribute, and the place of the axes that it names."""
    recompute: Mapping[str, tuple[PriceRule, ...]] = field(default_factory=dict[str, tuple[PriceRule, ...]])
    """The prices of running an op a second time, by its full name or `ELEMENTWISE`; the first one that holds counts."""
    constant: Price = field(default_factory=Price)
    """The price of each order in which a constant is kept beside the first one."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """`file:line` of the prices of an op, by its full name, and of `matmul`."""
    surcharge: int = 0
    """A price that each transpose has besides, by which a choice prefers fewer of them."""

    @property
    def has_products(self) -> bool:
        """True if a form of a product of matrices may have a price."""
        return bool(self.matmul or self.products)

    @property
    def asks_for_constants(self) -> bool:
        """True if the price of a product depends on which operands are constants."""
        return any(map(_asks_for_constants, self.products))

    @property
    def ops_asking_for_constants(self) -> Iterator[str]:
        """The full names of the ops whose prices of axes depend on which operands are constants."""
        for name, attributes in self.axes.items():
            rules = (rule for places in attributes.values() for each in places.values() for rule in each)
            if any(map(_asks_for_constants, rules)):
                yield name

    def place(self, name: str) -> str:
        """The place of the price of an op or of `matmul`; its table if it was not read from a file."""
        return self.places.get(name, "[costs]")

    def of_transpose(self, transpose: "TransposeFacts") -> int:
        """The price of a transpose, by the fallback if the hardware cannot do it; 0 if it moves nothing."""
        if transpose.moves_nothing:
            return 0
        if self.rules.fallback is not None and not self.is_possible(transpose):
            return self.surcharge + self.rules.fallback.ticks(transpose)
        entry = next(each for each in self.transposes if each.when is None or each.when.holds(transpose))
        return self.surcharge + entry.price.ticks(transpose)

    @staticmethod
    def price_in(rules: Sequence[PriceRule], op: "OpFacts") -> Price | None:
        """The price of the first rule that holds for an op."""
        return next((each.price for each in rules if each.when is None or each.when.holds(op)), None)

    def of_product(self, product: "OpFacts") -> int:
        """The price of a product of matrices in a form."""
        price = self.price_in(self.products, product)
        return 0 if price is None else price.ticks(product)

    def of_second_run(self, name: str, is_elementwise: bool, op: "OpFacts") -> int | None:
        """The price of running an op of a full name a second time; None if it runs once only."""
        rules = self.recompute.get(name, self.recompute.get(keys.ELEMENTWISE, ()) if is_elementwise else ())
        price = self.price_in(rules, op)
        return None if price is None else price.ticks(op)

    @property
    def weighs_constants(self) -> bool:
        """True if a constant that is kept in two layouts costs more than in one."""
        return any(term.factor for term in self.constant.terms)

    def is_possible(self, transpose: "TransposeFacts") -> bool:
        """True if the hardware can do a transpose."""
        can = self.rules.can
        return can is None or transpose.moves_nothing or any(each.holds(transpose) for each in can)

    @property
    def tells_packs(self) -> bool:
        """True if a pack may cost another price than a transpose, or be impossible where that is not."""
        conditions = (*(each.when for each in self.transposes), *(self.rules.can or ()))
        return any(condition is not None and condition.tells_packs for condition in conditions)

    def is_avoided(self, transpose: "TransposeFacts") -> bool:
        """True if neither the hardware nor a fallback can do a transpose, so that any other way is better."""
        return self.rules.fallback is None and not self.is_possible(transpose)


def _asks_for_constants(rule: PriceRule) -> bool:
    return rule.when is not None and rule.when.asks_for_constants


def read_costs(file: TomlTable, vocabulary: Vocabulary, base: Costs | None = None) -> Costs | None:
    """Read the tables `costs` and `transposes`, each of which replaces that of the base; None without any `costs`."""
    rules = file.optional_table("transposes")
    table = file.optional_table("costs")
    if table is None:
        if rules is not None and base is None:
            raise rules.error("'transposes' needs the table 'costs', which says what transposes cost")
        return None if base is None else replace(base, rules=TransposeRules() if rules is None else _rules(rules))
    table.allow_only(keys.COSTS)
    unit = table.text("unit").strip()
    of_base = TransposeRules() if base is None else base.rules
    if rules is None and base is not None and of_base.fallback is not None and base.unit != unit:
        raise table.error(
            f"the fallback in 'transposes' of the base is in '{base.unit}': say 'transposes' as well", table.at("unit")
        )
    return Costs(
        unit=unit,
        transposes=_transposes(table),
        rules=of_base if rules is None else _rules(rules),
        matmul=_matmul(table.optional_table("matmul")),
        products=_products(table.optional_table("matmul")),
        axes=_axes(table.optional_table("axes"), vocabulary),
        recompute=_recompute(table.optional_table("recompute"), vocabulary),
        constant=price_at(table, "constant", None) if "constant" in table.values else Price(),
        places=dict(_places_of(table)),
    )


def _places_of(table: TomlTable) -> Iterator[tuple[str, str]]:
    """The places in the file of the prices of forms."""
    if "matmul" in table.values:
        yield "matmul", table.place(table.at("matmul"))
    axes = table.optional_table("axes")
    for op in () if axes is None else axes.values:
        assert axes is not None
        yield full_name(op), axes.place(axes.at(op))


def _transposes(table: TomlTable) -> tuple[PriceRule, ...]:
    """The price of transposes: one, or a list with conditions."""
    match table.values.get("transpose"):
        case dict():
            entries = (_transpose(table.table("transpose")),)
        case list():
            entries = tuple(map(_transpose, table.elements("transpose")))
        case _:
            return (PriceRule(None, price_at(table, "transpose", None)),)
    if not entries or entries[-1].when is not None:
        raise table.error(
            "the last entry of 'transpose' must have no 'when', so that every transpose has a price",
            table.at("transpose"),
        )
    return entries


def _transpose(entry: TomlTable) -> PriceRule:
    entry.allow_only(keys.TRANSPOSE_PRICE)
    when = condition_at(entry, "when", None)
    if "price" in entry.values:
        for key in ("per-byte", "per-call"):
            if key in entry.values:
                raise entry.error(f"'{key}' and 'price' exclude each other", entry.at(key))
        return PriceRule(when, price_at(entry, "price", None))
    if not {"per-byte", "per-call"} & set(entry.values):
        raise entry.error("a price is missing: expected 'price', 'per-byte' or 'per-call'")
    terms = [PriceTerm(number_at(entry, "per-byte"), "bytes"), PriceTerm(number_at(entry, "per-call"))]
    return PriceRule(when, Price(tuple(term for term in terms if term.factor)))


def _rules(table: TomlTable) -> TransposeRules:
    table.allow_only(keys.TRANSPOSES)
    can = None
    if "can" in table.values:
        can = tuple(condition_of(table, text, None) for text in table.texts("can"))
    fallback = price_at(table, "fallback", None) if "fallback" in table.values else None
    if fallback is not None and can is None:
        raise table.error("'fallback' needs 'can', which says what the hardware can do itself", table.at("fallback"))
    return TransposeRules(can, fallback)


def _matmul(table: TomlTable | None) -> Mapping[str, Price]:
    if table is None:
        return {}
    table.allow_only((*_MATMUL, _PRODUCT), "operand")
    table.expect_some("a price")
    return {key: price_at(table, key, _MATMUL) for key in table.values if key != _PRODUCT}


def _products(table: TomlTable | None) -> tuple[PriceRule, ...]:
    """The prices of products: one, or a list with conditions."""
    if table is None or _PRODUCT not in table.values:
        return ()
    return _price_rules(table, _PRODUCT, keys.OF_PRODUCT)


def _price_rules(
    table: TomlTable, key: str, names: Collection[str], quantities: Sequence[str] = ()
) -> tuple[PriceRule, ...]:
    """A price, or a list of them with conditions, about ops whose operands and results have these names."""
    if not isinstance(table.values[key], list):
        return (PriceRule(None, price_at(table, key, names, quantities)),)
    if not table.values[key]:
        raise table.error(f"'{key}' has no price: add one, or leave it out", table.at(key))
    found: list[PriceRule] = []
    for entry in table.elements(key):
        entry.allow_only(keys.OP_PRICE)
        found.append(PriceRule(condition_at(entry, "when", names), price_at(entry, "price", names, quantities)))
    return tuple(found)


def _axes(table: TomlTable | None, vocabulary: Vocabulary) -> Mapping[str, AxisPrices]:
    found: dict[str, AxisPrices] = {}
    for op, entry in () if table is None else table.tables():
        names = known_op(op, vocabulary, entry, entry.path)
        if not names.axes:
            raise entry.error(f"'{op}' has no attribute that names axes")
        entry.allow_only(names.axes, "attribute")
        entry.expect_some("an attribute")
        found[full_name(op)] = {attribute: _places(places, names) for attribute, places in entry.tables()}
    return found


def _places(table: TomlTable, names: OpNames) -> Mapping[str, tuple[PriceRule, ...]]:
    table.allow_only((LAST, NEXT_TO_LAST, OTHER), "place")
    table.expect_some("a price")
    values = (*names.operands, *names.results)
    return {key: _price_rules(table, key, values, (LINES,)) for key in table.values}


def _recompute(table: TomlTable | None, vocabulary: Vocabulary) -> Mapping[str, tuple[PriceRule, ...]]:
    """The prices of second runs: for each op one, or a list with conditions."""
    if table is None:
        return {}
    table.expect_some("a price")
    return {op if op == keys.ELEMENTWISE else full_name(op): _of_op(table, op, vocabulary) for op in table.values}


def _of_op(table: TomlTable, op: str, vocabulary: Vocabulary) -> tuple[PriceRule, ...]:
    names: tuple[str, ...] = ()
    if op != keys.ELEMENTWISE:
        known = known_op(op, vocabulary, table, table.at(op))
        if known.is_conversion:
            raise table.error(f"'{op}' is a conversion, which has its price in 'transpose'", table.at(op))
        names = (*known.operands, *known.results)
    return _price_rules(table, op, names, (READ, WRITTEN))
