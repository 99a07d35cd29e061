"""Conversion of the tables of a target file to a `Target`. Any mismatch is a `TargetError`."""

from collections.abc import Collection, Iterator, Mapping
from typing import cast, get_args

from ..dialects.npu.axes import MatmulFreedom
from ..layout import MAX_RANK, Layout, LayoutClass, LayoutError
from .dataflow import read_data_flow
from .model import LAST, AxisPlace, CostUnit, Demand, PreferredOrder, Target
from .toml_table import Text, TomlTable, hint, listed
from .vocabulary import OpNames, Vocabulary, full_name, known_op

_MIN_CNN_RANK = 3
_MAX_CNN_RANK = 5
_KEYS = ("name", "description", "matmul", "cost", "free", "ranks", "preferred", "demands", "data-flow", "stages")
_CNN_CLASSES = {"feature": LayoutClass.FEATURE, "weight": LayoutClass.WEIGHT}
_COSTS = get_args(CostUnit)
_PREFERRED = [each.value for each in PreferredOrder]


def read_target(file: TomlTable, vocabulary: Vocabulary) -> Target:
    """Build the target that a file describes, in terms of the ops of a vocabulary."""
    file.allow_only(_KEYS)
    name = file.text("name")
    if name != file.file.stem:
        raise file.error(f"the target is named '{name}', but its file '{file.file.name}'", file.at("name"))
    max_ranks = _max_ranks(file.optional_table("ranks"))
    data_flow = read_data_flow(file, vocabulary)
    return Target(
        name=name,
        description=file.text("description"),
        matmul=MatmulFreedom(file.choice("matmul", [choice.value for choice in MatmulFreedom])),
        preferred_layouts=_preferred(file.table("preferred"), max_ranks),
        max_ranks=max_ranks,
        demands=_demands(file.optional_table("demands"), vocabulary),
        axis_demands=_axis_demands(file.optional_table("demands"), vocabulary),
        stages=data_flow.stages,
        root=data_flow.root,
        free_ops=frozenset(_free_ops(file, vocabulary, data_flow.ops)),
        forbids_escaping=data_flow.forbids_escaping,
        matmul_place=file.place(file.at("matmul")),
        demand_places=dict(_demand_places(file.optional_table("demands"))),
        cost=cast("CostUnit", file.choice("cost", _COSTS)) if "cost" in file.values else "bytes",
    )


def _max_ranks(table: TomlTable | None) -> Mapping[LayoutClass, int]:
    limits = {"feature": _MAX_CNN_RANK, "weight": _MAX_CNN_RANK, "tensor": MAX_RANK}
    if table is not None:
        table.allow_only(limits)
        limits |= {
            key: table.number(key, _MIN_CNN_RANK if key in _CNN_CLASSES else 2, limit) or limit
            for key, limit in limits.items()
        }
    return {
        LayoutClass.FEATURE: limits["feature"],
        LayoutClass.WEIGHT: limits["weight"],
        LayoutClass.TENSOR: limits["tensor"],
        LayoutClass.NTENSOR: limits["tensor"],
    }


def _preferred(table: TomlTable, max_ranks: Mapping[LayoutClass, int]) -> Mapping[tuple[LayoutClass, int], Layout]:
    table.allow_only(_CNN_CLASSES)
    preferred: dict[tuple[LayoutClass, int], Layout] = {}
    for key, cls in _CNN_CLASSES.items():
        for text in table.texts(key):
            layout = _layout(table, text)
            if layout.cls is not cls or layout.rank is None:
                raise table.error(f"{layout} is not a {key} layout", text.path)
            if layout.rank > max_ranks[cls]:
                raise table.error(
                    f"{layout} is of rank {layout.rank}, the target's limit is {max_ranks[cls]}", text.path
                )
            if (cls, layout.rank) in preferred:
                raise table.error(f"a second {key} layout of rank {layout.rank}: {layout}", text.path)
            preferred[cls, layout.rank] = layout
        for rank in range(_MIN_CNN_RANK, max_ranks[cls] + 1):
            if (cls, rank) not in preferred:
                raise table.error(f"'{key}' has no layout of rank {rank}", table.at(key))
    return preferred


def _layout(table: TomlTable, text: Text) -> Layout:
    try:
        return Layout.parse(text.value)
    except LayoutError as error:
        raise table.error(str(error), text.path) from None


def _demands(table: TomlTable | None, vocabulary: Vocabulary) -> Mapping[str, Mapping[str, Demand]]:
    """The demands on operands and results."""
    demands: dict[str, Mapping[str, Demand]] = {}
    for op, entry in () if table is None else table.tables():
        names = known_op(op, vocabulary, entry, entry.path)
        if not entry.values:
            raise entry.error(f"'{op}' demands nothing: name an operand or a result, or leave the op out")
        if values := [each for each in entry.values if each not in names.axes]:
            demands[full_name(op)] = {value: _demand(entry, op, value, names) for value in values}
    return demands


def _axis_demands(table: TomlTable | None, vocabulary: Vocabulary) -> Mapping[str, Mapping[str, AxisPlace]]:
    """The demands on the axes that attributes name; the ops are known to exist."""
    demands: dict[str, Mapping[str, AxisPlace]] = {}
    for op, entry in () if table is None else table.tables():
        if values := [each for each in entry.values if each in vocabulary[op].axes]:
            demands[full_name(op)] = {name: _axis_place(entry, name) for name in values}
    return demands


def _demand_places(table: TomlTable | None) -> Iterator[tuple[tuple[str, str], str]]:
    """Each demand with its `file:line`."""
    for op, entry in () if table is None else table.tables():
        yield from (((full_name(op), name), entry.place(entry.at(name))) for name in entry.values)


def _axis_place(entry: TomlTable, name: str) -> AxisPlace:
    """The place of the axes that an attribute names."""
    if isinstance(entry.values[name], int) and not isinstance(entry.values[name], bool):
        return entry.number(name, 0, MAX_RANK - 1) or 0
    if entry.values[name] == LAST:
        return LAST
    raise entry.error(f"'{name}' names axes: it must be '{LAST}' or the position of an axis, from 0", entry.at(name))


def _demand(entry: TomlTable, op: str, value: str, names: OpNames) -> Demand:
    known = (*names.operands, *names.results)
    if value not in known:
        raise entry.error(
            f"'{op}' has no operand or result '{value}'{hint(value, (*known, *names.axes))}", entry.at(value)
        )
    text = entry.text(value)
    if text in _PREFERRED:
        return PreferredOrder(text)
    try:
        layout = Layout.parse(text)
    except LayoutError:
        raise entry.error(
            f"'{text}' is neither {listed(_PREFERRED)} nor a layout such as 'NHWC'{hint(text, _PREFERRED)}",
            entry.at(value),
        ) from None
    if not layout.cls.is_cnn:
        raise entry.error(
            f"{layout} cannot be demanded: only features and weights are re-ordered on demand", entry.at(value)
        )
    return layout


def _free_ops(file: TomlTable, vocabulary: Vocabulary, staged: Collection[str]) -> Iterator[str]:
    for text in file.texts("free", optional=True):
        known_op(text.value, vocabulary, file, text.path)
        if full_name(text.value) in staged:
            raise file.error(f"'{text.value}' cannot be free: a stage runs it", text.path)
        yield full_name(text.value)
