"""Conversions that do not exist have no price in a certificate of `assign`."""

import json

from npu_opt import assign
from npu_opt.checkers.check_minimum import verdict_of
from support.certificates import data_of

TABLES = {"lane": {"layouts": ["a", "b", "c"], "prices": [[0, 3, None], [None, 0, 3], [None, None, 0]]}}


def answer_with(conversion: object):
    """The cheapest way from `a` to `c`: two ops may read `b`, and the second one writes what is read."""
    tensors = [{"name": "x", "given": "a"}, {"name": "y"}, {"name": "z", "required": "c", "conversion": conversion}]
    first = [{"operands": ["b"], "results": ["b"]}, {"operands": ["a"], "results": ["a"], "cost": 1}]
    second = [{"operands": ["c"], "results": ["c"], "cost": 2}, {"operands": ["b"], "results": ["a"]}]
    ops = [
        {"name": "first", "operands": ["x"], "results": ["y"], "tuples": first},
        {"name": "second", "operands": ["y"], "results": ["z"], "tuples": second},
    ]
    problem = {"format": "npu-opt assign 1", "conversion": "lane", "tables": TABLES, "tensors": tensors, "ops": ops}
    return assign(problem)


def test_missing_conversions_of_a_table_are_null():
    answer = answer_with("lane")
    content = json.loads(answer.certificate().data(is_compressed=False))
    assert answer.cost == 8
    assert verdict_of(data_of(content))[1].startswith("accepted: minimum 8 (ops: 3, ")
    prices = [price for table in content["problem"]["tables"] for row in table["prices"] for price in row]
    assert None in prices
    assert {*prices} - {None} <= {0, 3}


def test_a_tensor_that_nothing_converts_has_a_table_of_nulls():
    answer = answer_with(None)
    content = json.loads(answer.certificate().data(is_compressed=False))
    assert answer.cost == 8
    z = content["problem"]["storages"][2]
    table = content["problem"]["tables"][z["conversion"]["table"]]
    assert {price for row in table["prices"] for price in row} == {0, None}
    assert verdict_of(data_of(content))[0] == 0
    # A plan that converts it all the same costs more than any number.
    content["plan"]["modes"][1] = 1
    assert verdict_of(data_of(content)) == (1, f"refused: plan: it costs inf, not {answer.cost}")
