"""The table `demands` of a target file: rules for ops, with conditions, choices and prices."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from ..layout import MAX_RANK, BlockError, Layout, LayoutError
from . import keys
from .axis_places import IMAGE, INCREASING, LAST, AxisPlace
from .expression_keys import condition_at, price_at
from .model import AxisOrder, Demand, DemandChoice, DemandRule, PreferredOrder
from .toml_lines import KeyPath
from .toml_table import Text, TomlTable, hint, listed
from .vocabulary import OpNames, Vocabulary, full_name, known_op

if TYPE_CHECKING:
    from .prices import Price

MOST_CHOICES = 64
"""The largest number of ways in which one rule may combine its lists."""
_PREFERRED = [each.value for each in PreferredOrder]


def read_demands(table: TomlTable | None, vocabulary: Vocabulary) -> Mapping[str, tuple[DemandRule, ...]]:
    """The rules of each op by its full name."""
    demands: dict[str, tuple[DemandRule, ...]] = {}
    for op in () if table is None else table.values:
        assert table is not None
        names = known_op(op, vocabulary, table, table.at(op))
        demands[full_name(op)] = tuple(_rules(table, op, names))
    return demands


def _rules(table: TomlTable, op: str, names: OpNames) -> Iterator[DemandRule]:
    """One rule, or those of a list, the first of which that holds counts."""
    entry = table.values[op]
    if not isinstance(entry, list):
        table.expect(entry, dict, f"'{op}'", table.at(op))
        rule = _Reader(table.table(op), op, names).rule()
        if rule.demands_nothing:
            raise table.error(f"'{op}' demands nothing: name an operand or a result, or leave the op out", table.at(op))
        yield rule
        return
    if not entry:
        raise table.error(f"'{op}' has no rule: add a table of demands, or leave the op out", table.at(op))
    rules: list[DemandRule] = []
    for each in table.elements(op):
        if not each.values:
            raise each.error(f"a rule of '{op}' is empty: add 'when' or a demand")
        rules.append(_Reader(each, op, names).rule())
    if all(rule.demands_nothing for rule in rules):
        message = f"no rule of '{op}' demands anything: name an operand or a result, or leave the op out"
        raise table.error(message, table.at(op))
    yield from rules


class _Reader:
    """Reads one rule of an op."""

    def __init__(self, entry: TomlTable, op: str, names: OpNames) -> None:
        self._entry = entry
        self._op = op
        self._names = names
        self._values = (*names.operands, *names.results)

    def rule(self) -> DemandRule:
        entry = self._entry
        when = condition_at(entry, "when", self._values)
        axes: dict[str, AxisPlace] = {
            name: _axis_place(entry, name, self._names) for name in entry.values if name in self._names.all_axes
        }
        choices = tuple(self._listed_choices() if "choices" in entry.values else self._combined())
        for choice in choices:
            self._check_letters(choice)
        places = {name: entry.place(entry.at(name)) for name in entry.values if name not in keys.RULE}
        if "choices" in entry.values:
            for choice in entry.elements("choices"):
                places = {name: choice.place(choice.at(name)) for name in choice.values if name != "cost"} | places
        return DemandRule(choices, axes, when, places)

    def _combined(self) -> Iterator[DemandChoice]:
        """All combinations of the demands listed for each value."""
        entry = self._entry
        names = [name for name in entry.values if name not in (*keys.RULE, *self._names.all_axes)]
        lists = {name: self._demands(entry, name) for name in names}
        prices = self._prices([demand.value for demands in lists.values() for demand in demands])
        combinations = list(product(*lists.values()))
        if len(combinations) > MOST_CHOICES:
            raise entry.error(f"'{self._op}' has {len(combinations)} combinations of layouts: at most {MOST_CHOICES}")
        for combination in combinations if names else ():
            demands = {name: self._demand(entry, name, text) for name, text in zip(names, combination, strict=True)}
            texts = dict.fromkeys(each.value for each in combination)
            yield DemandChoice(demands, _sum([prices[text] for text in texts if text in prices]))

    def _prices(self, listed_: Sequence[str]) -> "Mapping[str, Price]":
        """The prices of the layouts that are listed, some maybe for several values."""
        table = self._entry.optional_table("costs")
        if table is None:
            return {}
        for layout in table.values:
            if layout not in listed_:
                raise table.error(f"'{self._op}' does not demand '{layout}'{hint(layout, listed_)}", table.at(layout))
            if self._names.letters and listed_.count(layout) > 1:
                message = f"several values may be in {layout}: write 'choices', each with its own 'cost'"
                raise table.error(message, table.at(layout))
        return {layout: price_at(table, layout, self._values) for layout in table.values}

    def _listed_choices(self) -> Iterator[DemandChoice]:
        """The entries of `choices`."""
        entry = self._entry
        for name in entry.values:
            if name not in ("when", "choices", *self._names.all_axes):
                where = "each choice has its own 'cost'" if name == "costs" else "each choice names its layout"
                raise entry.error(f"'{name}' and 'choices' exclude each other: {where}", entry.at(name))
        found = list(entry.elements("choices"))
        if not 0 < len(found) <= MOST_CHOICES:
            raise entry.error(f"'choices' must have 1 to {MOST_CHOICES} tables", entry.at("choices"))
        for choice in found:
            names = [name for name in choice.values if name != "cost"]
            demands = {name: self._demand(choice, name, self._text(choice, name, ("cost",))) for name in names}
            if not demands:
                raise choice.error(f"a choice of '{self._op}' demands nothing: name an operand or a result")
            yield DemandChoice(demands, price_at(choice, "cost", self._values) if "cost" in choice.values else None)

    def _text(self, table: TomlTable, name: str, others: Collection[str] = keys.RULE) -> Text:
        self._check(table, name, others)
        return Text(table.text(name), table.at(name))

    def _demands(self, table: TomlTable, name: str) -> Sequence[Text]:
        """The demands listed for a value; a text is a list of one."""
        if not isinstance(table.values[name], list):
            return [self._text(table, name)]
        self._check(table, name)
        texts = list(table.texts(name))
        if not texts:
            raise table.error(f"'{name}' lists no layout", table.at(name))
        for place, text in enumerate(texts):
            if text.value in [each.value for each in texts[:place]]:
                raise table.error(f"'{text.value}' is listed twice", text.path)
        return texts

    def _check(self, table: TomlTable, name: str, others: Collection[str] = keys.RULE) -> None:
        """Check that an operand or result has this name; `others` are the other keys of the table."""
        if name not in self._values:
            known = (*(self._names.letters or self._values), *self._names.all_axes, *others)
            raise table.error(f"'{self._op}' has no operand or result '{name}'{hint(name, known)}", table.at(name))

    def _check_letters(self, choice: DemandChoice) -> None:
        """Check that a choice has an order for all values whose axes have letters, or for none."""
        missing = [name for name in self._names.letters if name not in choice.demands]
        if missing and choice.demands:
            raise self._entry.error(
                f"'{self._op}' has no order of the axes of {listed(missing)}: name one for each value"
            )

    def _demand(self, table: TomlTable, name: str, text: Text) -> Demand:
        if name in self._names.letters:
            return _axis_order(table, self._names.letters[name], text)
        if self._names.letters:
            raise table.error(f"'{name}' of '{self._op}' has no order to demand", text.path)
        if text.value in _PREFERRED:
            return PreferredOrder(text.value)
        return _layout(table, text.value, text.path)


def _axis_order(table: TomlTable, letters: str, text: Text) -> AxisOrder:
    if sorted(text.value) == sorted(letters):
        return AxisOrder(text.value)
    named = f"{letters} (batch, heads, rows, channels)"
    raise table.error(f"'{text.value}' is not a permutation of {named}", text.path)


def _layout(table: TomlTable, text: str, path: KeyPath) -> Layout:
    try:
        layout = Layout.parse(text)
    except BlockError as error:
        raise table.error(f"'{text}' is not a layout: {error}", path) from None
    except LayoutError:
        raise table.error(
            f"'{text}' is neither {listed(_PREFERRED)} nor a layout such as 'NHWC'{hint(text, _PREFERRED)}", path
        ) from None
    if not layout.cls.is_cnn and not layout.tiles:
        raise table.error(f"{layout} cannot be demanded: only features and weights are re-ordered on demand", path)
    return layout


def _axis_place(entry: TomlTable, name: str, names: OpNames) -> AxisPlace:
    """The place of the axes that an attribute names."""
    if name in names.result_axes:
        if entry.values[name] == INCREASING:
            return INCREASING
        raise entry.error(f"'{name}' names axes of the result: it must be '{INCREASING}'", entry.at(name))
    if type(entry.values[name]) is int:
        return entry.number(name, 0, MAX_RANK - 1) or 0
    if entry.values[name] in (LAST, IMAGE):
        return LAST if entry.values[name] == LAST else IMAGE
    raise entry.error(
        f"'{name}' names axes: it must be '{LAST}', '{IMAGE}' or the position of an axis, from 0", entry.at(name)
    )


def _sum(prices: "Sequence[Price]") -> "Price | None":
    terms = tuple(term for price in prices for term in price.terms)
    return replace(prices[0], terms=terms) if terms else None
