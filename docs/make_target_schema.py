"""The text of docs/target.schema.json, which editors read to complete and check target files."""

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import permutations
from typing import Any, TypeAlias, cast, get_args
from urllib.parse import quote

from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.dialects.npu.fusion import FUSION_WORDS
from npu_opt.dialects.settings.file_rules import OLDEST_OPSET
from npu_opt.layout import MAX_RANK
from npu_opt.targets import (
    IMAGE,
    INCREASING,
    LAST,
    NEXT_TO_LAST,
    OTHER,
    CostUnit,
    Likeness,
    OperandKind,
    PreferredOrder,
    keys,
)
from npu_opt.targets.keys import KeyKind, Keys
from npu_opt.targets.schema import KEEP, SPLIT
from npu_opt.targets.vendor_ops import CHANNELS, DATA, KEPT, OPERANDS
from npu_opt.targets.vocabulary import OpNames, dialect_vocabulary

VENDOR = r"^(?!npu\.)[^\s.]\S*\.\S+$"
"""The names of ops of other systems."""
EDGE = r"^(?=.*>)\s*[^>|\s][^>|]*([>|]\s*[^>|\s][^>|]*)+$"
FEATURES, WEIGHTS = ("NCW", "NCHW", "NCDHW"), ("OIW", "OIHW", "OIDHW")
PIECES = r"(?=.* by )\[\d+( by \d+)?(, *\d+( by \d+)?)*\]"
BLOCKS = (
    r"^(N?D?C1HWC0( *\{ *C0 *= *\d+ *\})?|ND?HCWB\d+|(?=.*\d)([A-Z]|\d+[a-z])+"
    rf"|N?Tensor, *{PIECES}( tiles {PIECES})?)$"
)
"""Layouts with blocks, by our names and by those of others."""
OPERAND_KINDS = [kind.value for kind in OperandKind if kind is not OperandKind.ANY]

Schema: TypeAlias = Mapping[str, Any]


def words(choices: Collection[str]) -> Schema:
    return {"enum": list(choices)}


def table(known: Keys, **own: Schema) -> Schema:
    """A table with these keys; `own` are those that a kind does not describe, with `_` for dashes and dots."""
    properties = {
        key: {
            "description": each.doc,
            **(KINDS[each.kind] if each.kind is not KeyKind.OWN else own[key.replace("-", "_")]),
        }
        for key, each in known.items()
    }
    required = [key for key, each in known.items() if each.is_required]
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def list_of(items: Schema, fewest: int = 1, **more: Any) -> Schema:
    return {"type": "array", "items": items, "minItems": fewest, **more}


def one_or_list(items: Schema) -> Schema:
    return {"anyOf": [items, list_of(items)]}


def reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{quote(name)}"}


TEXT: Schema = {"type": "string", "pattern": r"\S"}
AMOUNT: Schema = {"type": "number", "minimum": 0}
KINDS: Mapping[KeyKind, Schema] = {
    KeyKind.TEXT: TEXT,
    KeyKind.FLAG: {"type": "boolean"},
    KeyKind.NUMBER: {"type": "integer", "minimum": 1},
    KeyKind.CONDITION: TEXT,
    KeyKind.CONDITIONS: list_of(TEXT, 0),
    KeyKind.FLAG_OR_CONDITION: {"anyOf": [{"type": "boolean"}, TEXT]},
    KeyKind.PRICE: reference("price"),
    KeyKind.AMOUNT: AMOUNT,
}


def limit(lowest: int, highest: int) -> Schema:
    return {"type": "integer", "minimum": lowest, "maximum": highest}


def schema() -> Schema:
    """The whole schema."""
    ops = dialect_vocabulary()
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A hardware target of npu-opt",
        "$defs": definitions(ops),
        **table(
            keys.TOP,
            matmul=matmul(),
            cost=words(get_args(CostUnit)),
            free=list_of(reference("op"), 0),
            whole=list_of({"type": "string"}, 0),
            file=table(
                keys.FILE,
                opset={"type": "integer", "minimum": OLDEST_OPSET},
                squeeze=words([KEEP]),
                transpose=words([SPLIT]),
                lacks=list_of(TEXT, 0),
                unary_rank={"type": "integer", "minimum": 4},
                domains=list_of(TEXT, 0),
            ),
            ranks=table(
                keys.RANKS,
                feature=limit(3, 5),
                weight=limit(3, 5),
                tensor=limit(2, MAX_RANK),
                transpose=limit(4, MAX_RANK),
            ),
            preferred=table(keys.PREFERRED, feature=layouts("feature"), weight=layouts("weight")),
            demands=demands(ops),
            costs=costs(ops),
            transposes=table(keys.TRANSPOSES),
            ops=described_ops(),
            data_flow=table(keys.DATA_FLOW, edges=list_of({"type": "string", "pattern": EDGE}, 0)),
            stages={"type": "object", "additionalProperties": stage(ops)},
        ),
        "required": ["name", "description"],
        "anyOf": [{"required": ["extends"]}, {"required": ["matmul", "preferred"]}],
        "dependencies": {"stages": ["data-flow"], "data-flow": ["stages"], "transposes": ["costs"]},
    }


def definitions(ops: Mapping[str, OpNames]) -> Schema:
    return {
        "feature": words([order for letters in FEATURES for order in orders(letters)]),
        "weight": words([order for letters in WEIGHTS for order in orders(letters)]),
        "price": {"anyOf": [AMOUNT, TEXT]},
        "op": {"anyOf": [words(ops), {"type": "string", "pattern": VENDOR}]},
        "blocks": {"type": "string", "pattern": BLOCKS},
        "demand": {
            "anyOf": [words([each.value for each in PreferredOrder]), *map(reference, ("feature", "weight", "blocks"))]
        },
        "demands": {"anyOf": [reference("demand"), list_of(reference("demand"), uniqueItems=True)]},
        "prices": {"type": "object", "additionalProperties": reference("price")},
        "axes": {"anyOf": [{"enum": [LAST, IMAGE]}, limit(0, MAX_RANK - 1)]},
        "result axes": {"const": INCREASING},
        **{letters: words([*orders(letters)]) for names in ops.values() for letters in names.letters.values()},
        **{signature(names): rule(names) for names in ops.values()},
    }


def orders(letters: str) -> Iterator[str]:
    """All permutations of these letters."""
    return map("".join, permutations(letters))


def layouts(cls: str) -> Schema:
    """Layouts of a class, in any order or with blocks."""
    return list_of({"anyOf": [reference(cls), reference("blocks")]}, uniqueItems=True)


def signature(names: OpNames) -> str:
    """The name of the rule that all ops with these operands, results and axes share."""
    of_results = (f"{each} of the result" for each in names.result_axes)
    lettered = (f"{name} in {letters}" for name, letters in names.letters.items())
    return "rule of " + " ".join((*names.operands, "->", *names.results, *names.axes, *of_results, *lettered))


def matmul() -> Schema:
    parts = {key: words(MatmulFreedom.choices(key)) for key in MatmulFreedom.WORDS}
    return {
        "anyOf": [
            words(MatmulFreedom.NAMED),
            {"type": "object", "properties": parts, "additionalProperties": False},
            list_of(table(keys.MATMUL, **parts), 1),
        ]
    }


def demands(ops: Mapping[str, OpNames]) -> Schema:
    return {
        "type": "object",
        "properties": {name: one_or_list(reference(signature(names))) for name, names in ops.items()},
        "patternProperties": {VENDOR: one_or_list(vendor_rule())},
        "additionalProperties": False,
    }


def rule(names: OpNames) -> Schema:
    if names.letters:
        return rule_of_letters(names.letters)
    values = (*names.operands, *names.results)
    one = {value: reference("demand") for value in values}
    keys_of_rule = table(keys.RULE, choices=choices({"properties": one}), costs=reference("prices"))
    axes = dict.fromkeys(names.axes, reference("axes")) | dict.fromkeys(names.result_axes, reference("result axes"))
    several = {value: reference("demands") for value in values}
    return {
        **keys_of_rule,
        "properties": {**several, **axes, **keys_of_rule["properties"]},
        "minProperties": 1,
        "dependencies": {"choices": {"properties": dict.fromkeys((*values, "costs"), False)}},
    }


def rule_of_letters(letters: Mapping[str, str]) -> Schema:
    """A rule with an order of the axes for each value that has letters, or with several, or with none."""
    one = {name: reference(each) for name, each in letters.items()}
    listed = choices({"properties": one, "required": [*letters]})
    entry = table(keys.RULE, choices=listed, costs=reference("prices"))
    several = {name: {"anyOf": [each, list_of(each, uniqueItems=True)]} for name, each in one.items()}
    return {
        **entry,
        "properties": {**several, **entry["properties"]},
        "minProperties": 1,
        "dependencies": {
            **{name: [each for each in letters if each != name] for name in letters},
            "choices": {"properties": dict.fromkeys((*letters, "costs"), False)},
        },
    }


def vendor_rule() -> Schema:
    by_position = r"^(operand|result)\d+$"
    one = {"patternProperties": {by_position: reference("demand")}}
    known = table(keys.RULE, choices=choices(one), costs=reference("prices"))
    return {**known, "patternProperties": {by_position: reference("demands")}, "minProperties": 1}


def choices(values: Schema) -> Schema:
    """Layouts that belong together, with a price."""
    properties = {**values.get("properties", {}), "cost": reference("price")}
    return list_of({"type": "object", **values, "properties": properties, "additionalProperties": False})


def filled(properties: Schema) -> Schema:
    """A table with some of these keys."""
    return {"type": "object", "properties": properties, "additionalProperties": False, "minProperties": 1}


def costs(ops: Mapping[str, OpNames]) -> Schema:
    entry = {**table(keys.TRANSPOSE_PRICE), "minProperties": 1}
    priced = {"anyOf": [reference("price"), list_of(table(keys.OP_PRICE), 1)]}
    places = filled(dict.fromkeys((LAST, NEXT_TO_LAST, OTHER), priced))
    named = {name: filled(dict.fromkeys(names.axes, places)) for name, names in ops.items() if names.axes}
    recomputed = [name for name, names in ops.items() if not names.is_conversion]
    operands = {"lhs": reference("price"), "rhs": reference("price"), "product": priced}
    return table(
        keys.COSTS,
        transpose={"anyOf": [reference("price"), entry, list_of(entry)]},
        matmul=filled(operands),
        axes={"type": "object", "properties": named, "additionalProperties": False},
        recompute={
            **filled(dict.fromkeys((keys.ELEMENTWISE, *recomputed), priced)),
            "patternProperties": {VENDOR: priced},
        },
    )


def described_ops() -> Schema:
    by_operand = {
        "type": "object",
        "properties": dict.fromkeys(OPERANDS, words([DATA, KEPT])),
        "additionalProperties": False,
        "required": [OPERANDS[0]],
    }
    entry = table(
        keys.OPS,
        like={"anyOf": [words([each.value for each in Likeness]), by_operand]},
        fusion=words(FUSION_WORDS),
        channels=words(CHANNELS),
    )
    return {"type": "object", "patternProperties": {VENDOR: entry}, "additionalProperties": False}


def stage(ops: Mapping[str, OpNames]) -> Schema:
    """A stage, which runs or absorbs something."""
    conditions = rf"( with ({'|'.join(OPERAND_KINDS)})| before \S+)?"
    runs = {"type": "string", "pattern": rf"^({'|'.join(ops)}|(?!npu\.)\S+\.\S+){conditions}$"}
    return {
        **table(keys.STAGE, runs=list_of(runs, uniqueItems=True)),
        "anyOf": [{"required": ["runs"]}, {"required": ["absorbs"]}],
    }


def text() -> str:
    """The schema, with a line for each definition and key."""
    return written(schema(), 2) + "\n"


def written(value: Any, depth: int) -> str:
    """A value as JSON, with its parts in lines of their own down to a depth."""
    if not depth or not isinstance(value, dict):
        return json.dumps(value)
    parts = cast("dict[str, Any]", value)
    lines = (f"{json.dumps(key)}: {written(part, depth - 1)}" for key, part in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}"
