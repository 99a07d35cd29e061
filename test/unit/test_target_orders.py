"""The orders of values with heads, and prices under conditions, in a target file."""

from pathlib import Path

import pytest
from npu_opt.targets import AxisOrder, Target, TargetError
from npu_opt.targets.loader import load_file
from npu_opt.targets.vocabulary import dialect_vocabulary

HEAD = """\
name = "mine"
description = "My hardware"
matmul = "batch"
[preferred]
feature = ["NCW", "NCHW", "NCDHW"]
weight = ["OIW", "OIHW", "OIDHW"]
[costs]
unit = "cycles"
transpose = "bytes"
"""
LETTERS = "is not a permutation of BHNC (batch, heads, rows, channels)"
EACH = "name one for each value"
ORDERS: dict[str, str] = {
    'query = "BHNC", key = "BHNC", result = "BHNC"': f"'attention' has no order of the axes of 'value': {EACH}",
    'query = "BHNC", key = "BHC"': f"'BHC' {LETTERS}",
    'query = "NHWC"': f"'NHWC' {LETTERS}",
    'query = "feature"': f"'feature' {LETTERS}",
    'query = "BHNC", mask = "BHNC"': "'mask' of 'attention' has no order to demand",
    "heads = 1": "'attention' has no operand or result 'heads'; expected 'query', 'key', 'value', 'result', 'when',"
    " 'choices' or 'costs'",
    'query = ["BHNC", "BHNC"]': "'BHNC' is listed twice",
    'choices = [{ key = "BHCN", cost = 1 }]': "'attention' has no order of the axes of 'query', 'value' or"
    f" 'result': {EACH}",
    'query = "BHNC", key = ["BHCN", "BHNC"], value = "BNHC", result = "CBHN", costs = { BHNC = 1 }': "several values"
    " may be in BHNC: write 'choices', each with its own 'cost'",
}
PRICES: dict[str, str] = {
    "[]": "'other' has no price: add one, or leave it out",
    '[{ when = "appended = 1", price = 1 }]': "'appended = 1', column 10: unexpected '='",
    '[{ when = "appended == 1" }]': "'price' is missing in 'costs.axes.concat.axis.other.0': it must be a number, or a"
    " text such as '2 x bytes'",
    "[{ cost = 1 }]": "unknown key 'cost'; expected 'when' or 'price'",
}


def loaded(folder: Path, text: str) -> Target:
    file = folder / "mine.toml"
    file.write_text(HEAD + text, encoding="utf-8")
    return load_file(file, dialect_vocabulary())


@pytest.mark.parametrize(("entry", "message"), ORDERS.items(), ids=list(ORDERS))
def test_wrong_orders(tmp_path: Path, entry: str, message: str):
    with pytest.raises(TargetError) as error:
        loaded(tmp_path, f"[demands]\nattention = {{ {entry} }}\n")
    assert str(error.value) == f"{tmp_path / 'mine.toml'}:11: {message}"


@pytest.mark.parametrize(("price", "message"), PRICES.items(), ids=list(PRICES))
def test_wrong_prices(tmp_path: Path, price: str, message: str):
    with pytest.raises(TargetError) as error:
        loaded(tmp_path, f"[costs.axes]\nconcat = {{ axis = {{ other = {price} }} }}\n")
    assert str(error.value) == f"{tmp_path / 'mine.toml'}:11: {message}"


def test_lists_are_combined(tmp_path: Path):
    text = 'rotary = { input = ["BHNC", "BNHC"], result = ["BHNC", "BHCN"], costs = { BHCN = "2 x bytes" } }'
    target = loaded(tmp_path, f"[demands]\n{text}\n")
    (rule,) = target.demands["npu.rotary"]
    found = [({name: str(order) for name, order in each.demands.items()}, each.price is None) for each in rule.choices]
    assert found == [
        ({"input": "BHNC", "result": "BHNC"}, True),
        ({"input": "BHNC", "result": "BHCN"}, False),
        ({"input": "BNHC", "result": "BHNC"}, True),
        ({"input": "BNHC", "result": "BHCN"}, False),
    ]
    assert all(isinstance(order, AxisOrder) for each in rule.choices for order in each.demands.values())
