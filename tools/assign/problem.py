"""The problem of `--assign`: tensors with layouts that are names, ops with the tuples of layouts in which they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...passes.optimal.solve.price_table import PriceTable, as_table
from ..driver.console.suggestions import suggestion
from .fields import JsonValue

FORMAT = "npu-opt assign 1"

Conversion: TypeAlias = int | PriceTable | None
"""The price of every conversion, or a table of prices; None if there is no conversion."""


@dataclass(frozen=True)
class TensorEntry:
    """A tensor, and what is known of its layouts."""

    name: str
    conversion: Conversion
    weight: int
    """The number that multiplies the prices of its conversions."""
    layouts: Sequence[str] | None
    """The layouts in which it may be written or given, from which it may be converted to others."""
    given: str | None
    """The layout in which the caller passes it."""
    required: str | None
    """The layout in which the caller reads it at the end."""


@dataclass(frozen=True)
class TupleEntry:
    """Layouts in which an op can run, and what that costs."""

    operands: Sequence[str]
    results: Sequence[str]
    cost: int


@dataclass(frozen=True)
class OpEntry:
    """An op with the tuples of layouts in which it can run."""

    name: str
    operands: Sequence[str]
    results: Sequence[str]
    tuples: Sequence[TupleEntry]


@dataclass(frozen=True)
class TieEntry:
    """Tensors that are stored in one layout."""

    tensors: Sequence[str]
    layouts: Sequence[str]
    """The layouts that all of them may have."""


@dataclass(frozen=True)
class AssignProblem:
    """All tensors, ops and ties."""

    tensors: Mapping[str, TensorEntry]
    ops: Sequence[OpEntry]
    ties: Sequence[TieEntry]


def read_problem(data: Any) -> AssignProblem:
    """The problem of a JSON document; raises `FieldError`."""
    return _Reader(JsonValue(data)).problem()


class _Reader:
    """The document, with the names that it defines."""

    def __init__(self, document: JsonValue) -> None:
        fields = document.object(("format", "tensors", "ops"), ("tables", "conversion", "ties", "calls"))
        if fields["format"].data != FORMAT:
            fields["format"].fail(f"expected '{FORMAT}', found {fields['format'].data!r}")
        self._fields = fields
        self._tables: dict[str, PriceTable] = {}
        self._calls: dict[str, int] = {}
        self._tensors: dict[str, TensorEntry] = {}
        self._writers: dict[str, str] = {}

    def problem(self) -> AssignProblem:
        if "tables" in self._fields:
            self._tables = {name: _table(value) for name, value in self._fields["tables"].members().items()}
        if "calls" in self._fields:
            self._calls = {name: value.number() for name, value in self._fields["calls"].members().items()}
        tensors = self._fields["tensors"].items("tensors")
        for value in tensors:
            tensor = self._tensor(value)
            if tensor.name in self._tensors:
                value.fail(f"tensor '{tensor.name}' is defined twice")
            self._tensors[tensor.name] = tensor
        ops = [*self._ops(self._fields["ops"].items("ops"))]
        ties = [*self._ties(self._fields["ties"].items("ties"), ops)] if "ties" in self._fields else []
        self._check_sources(tensors, {name for tie in ties for name in tie.tensors})
        return AssignProblem(self._tensors, ops, ties)

    def _tensor(self, value: JsonValue) -> TensorEntry:
        keys = ("layouts", "given", "required", "conversion", "weight", "function")
        fields = value.object(("name",), keys)
        layouts = fields["layouts"].names("layouts", 1) if "layouts" in fields else None
        fixed = {key: fields[key].text() if key in fields else None for key in ("given", "required")}
        if layouts is not None and fixed["given"] is not None and fixed["given"] not in layouts:
            fields["given"].fail(f"'{fixed['given']}' is not among the layouts of the tensor")
        if "conversion" in fields:
            conversion = self._conversion(fields["conversion"])
        elif "conversion" in self._fields:
            conversion = self._conversion(self._fields["conversion"])
        else:
            value.fail("expected a key 'conversion', here or for all tensors: a number, a table, or null for none")
        if isinstance(conversion, PriceTable):
            _check_table(fields, conversion)
        weight = (fields["weight"].number() if "weight" in fields else 1) * self._calls_of(fields)
        return TensorEntry(fields["name"].text(), conversion, weight, layouts, **fixed)

    def _calls_of(self, fields: Mapping[str, JsonValue]) -> int:
        """The number of calls of the function that has a tensor or an op."""
        if "function" not in fields:
            return 1
        name = fields["function"].text()
        if name not in self._calls:
            hint = suggestion(name, self._calls)
            fields["function"].fail(f"'calls' has no number for the function '{name}'{hint}")
        return self._calls[name]

    def _conversion(self, value: JsonValue) -> Conversion:
        match value.data:
            case None:
                return None
            case str() as name:
                if name not in self._tables:
                    value.fail(f"no table '{name}'{suggestion(name, self._tables)}")
                return self._tables[name]
            case dict():
                return _table(value)
            case _:
                return value.number("a whole number of at least 0, the name of a table, a table, or null")

    def _ops(self, values: Sequence[JsonValue]) -> Iterator[OpEntry]:
        names = set[str]()
        for value in values:
            fields = value.object(("name", "operands", "results"), ("tuples", "same", "function"))
            name = fields["name"].text()
            if name in names:
                fields["name"].fail(f"op '{name}' is defined twice")
            names.add(name)
            operands = [self._known(each) for each in fields["operands"].items("tensors")]
            results = [self._written(each, name, operands) for each in fields["results"].items("tensors")]
            if ("tuples" in fields) == ("same" in fields):
                value.fail("expected either 'tuples' or 'same'")
            calls = self._calls_of(fields)
            ends = [self._tensors[each] for each in (*operands, *results)]
            if "tuples" in fields:
                items = fields["tuples"].items("tuples", 1)
                tuples = [_tuple(each, len(operands), len(results), ends, calls) for each in items]
            else:
                tuples = [*_same(fields["same"], len(operands), len(results), ends, calls)]
            yield OpEntry(name, operands, results, tuples)

    def _known(self, value: JsonValue) -> str:
        if (name := value.text()) not in self._tensors:
            value.fail(f"no tensor '{name}'{suggestion(name, self._tensors)}")
        return name

    def _written(self, value: JsonValue, op: str, operands: Sequence[str]) -> str:
        name = self._known(value)
        if name in self._writers:
            value.fail(f"tensor '{name}' is written by op '{self._writers[name]}' already")
        if self._tensors[name].given is not None:
            value.fail(f"tensor '{name}' is given by the caller: no op may write it")
        if name in operands:
            value.fail(f"op '{op}' reads '{name}', which it writes: give what it writes another name")
        self._writers[name] = op
        return name

    def _ties(self, values: Sequence[JsonValue], ops: Sequence[OpEntry]) -> Iterator[TieEntry]:
        tied, known = set[str](), _known_layouts(ops)
        for value in values:
            names = value.names("tensors", 2)
            for item in value.items("tensors"):
                name = self._known(item)
                if name in tied:
                    item.fail(f"tensor '{name}' is tied already: put all tensors that have one layout into one tie")
                tied.add(name)
            layouts = _layouts_of_tie([self._tensors[name] for name in names], known)
            if not layouts:
                value.fail("no layout is one that all tensors of the tie may have")
            yield TieEntry(names, layouts)

    def _check_sources(self, values: Sequence[JsonValue], tied: set[str]) -> None:
        for value, (name, tensor) in zip(values, self._tensors.items(), strict=True):
            has_layouts = tensor.layouts is not None or tensor.given is not None or name in tied
            if name not in self._writers and not has_layouts:
                value.fail(
                    f"no op writes tensor '{name}': expected 'given', the layout in which it is passed, or 'layouts',"
                    " of which one is chosen"
                )


def _check_table(fields: Mapping[str, JsonValue], table: PriceTable) -> None:
    """Check that the layouts of a tensor are in its table."""
    named = [*fields["layouts"].items("layouts")] if "layouts" in fields else []
    named += [fields[key] for key in ("given", "required") if key in fields]
    for each in named:
        if each.text() not in table.places:
            each.fail(f"the table of conversions has no layout '{each.text()}'")


def _table(value: JsonValue) -> PriceTable:
    """A table of prices: from the layout of a row to that of a column."""
    fields = value.object(("layouts", "prices"))
    layouts = fields["layouts"].names("layouts", 1)
    rows = fields["prices"].items("rows")
    if len(rows) != len(layouts):
        fields["prices"].fail(f"expected {len(layouts)} rows, one for each layout, found {len(rows)}")
    prices = [_row(row, number, len(layouts)) for number, row in enumerate(rows)]
    return as_table(layouts, prices)


def _row(row: JsonValue, number: int, count: int) -> Sequence[int | None]:
    items = row.items("prices")
    if len(items) != count:
        row.fail(f"expected {count} prices, one for each layout, found {len(items)}")
    prices = [None if each.data is None else each.number("a whole number of at least 0, or null") for each in items]
    if prices[number] != 0:
        items[number].fail("expected 0: a tensor that has the layout is not converted")
    return prices


def _tuple(value: JsonValue, operands: int, results: int, ends: Sequence[TensorEntry], calls: int) -> TupleEntry:
    fields = value.object(("operands", "results"), ("cost",))
    found = list[Sequence[str]]()
    tensors = iter(ends)
    for key, count in (("operands", operands), ("results", results)):
        items = fields[key].items("layouts")
        if len(items) != count:
            fields[key].fail(f"expected {count} layouts, one for each of the op's {key}, found {len(items)}")
        found.append([_layout_of(item, next(tensors), key == "results") for item in items])
    cost = fields["cost"].number() if "cost" in fields else 0
    return TupleEntry(found[0], found[1], cost * calls)


def _layout_of(value: JsonValue, tensor: TensorEntry, is_written: bool) -> str:
    layout = value.text()
    if is_written and tensor.layouts is not None and layout not in tensor.layouts:
        value.fail(f"'{layout}' is not among the layouts of '{tensor.name}'{suggestion(layout, tensor.layouts)}")
    if isinstance(tensor.conversion, PriceTable) and layout not in tensor.conversion.places:
        value.fail(f"the table of conversions of '{tensor.name}' has no layout '{layout}'")
    return layout


def _same(
    value: JsonValue, operands: int, results: int, ends: Sequence[TensorEntry], calls: int
) -> Iterator[TupleEntry]:
    """The tuples of an op that has all operands and results in one layout."""
    if isinstance(value.data, dict):
        costs = {layout: cost.number() for layout, cost in value.members().items()}
        items = {layout: JsonValue(layout, value, layout) for layout in costs}
    else:
        items = {layout: JsonValue(layout, value, place) for place, layout in enumerate(value.names("layouts", 1))}
        costs = dict.fromkeys(items, 0)
    if not items:
        value.fail("expected one or more layouts")
    for layout, item in items.items():
        for place, tensor in enumerate(ends):
            _layout_of(item, tensor, place >= operands)
        yield TupleEntry([layout] * operands, [layout] * results, costs[layout] * calls)


def _known_layouts(ops: Sequence[OpEntry]) -> Mapping[str, Sequence[str]]:
    """For each tensor the layouts in which an op uses it."""
    known: dict[str, dict[str, None]] = {}
    for op in ops:
        for mode in op.tuples:
            for name, layout in zip((*op.operands, *op.results), (*mode.operands, *mode.results), strict=True):
                known.setdefault(name, {})[layout] = None
    return {name: [*layouts] for name, layouts in known.items()}


def _layouts_of_tie(tensors: Sequence[TensorEntry], known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The layouts that all tensors of a tie may have."""
    named = (
        layout
        for each in tensors
        for layout in (*(each.layouts or ()), *known.get(each.name, ()), *_fixed_layouts(each))
    )
    return [layout for layout in dict.fromkeys(named) if all(_may_have(each, layout) for each in tensors)]


def _fixed_layouts(tensor: TensorEntry) -> Sequence[str]:
    return [layout for layout in (tensor.given, tensor.required) if layout is not None]


def _may_have(tensor: TensorEntry, layout: str) -> bool:
    table = tensor.conversion.places if isinstance(tensor.conversion, PriceTable) else (layout,)
    allowed = (layout,) if tensor.layouts is None else tensor.layouts
    return layout in table and layout in allowed and all(layout == fixed for fixed in _fixed_layouts(tensor))
