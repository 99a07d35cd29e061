"""The benchmark of networks as programs of PyTorch: what it counts, compares and reports."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[torch]'")

import torch as untyped_torch
from torch_networks import Row, chosen, difference, exported, moving, table
from torch_programs import VIEWS, counted

torch: Any = untyped_torch
# PyTorch warns of its own code.
pytestmark = pytest.mark.filterwarnings("ignore")


class Positions(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.positions = torch.nn.Parameter(torch.rand(4, 3))

    def forward(self, x: Any) -> Any:
        return x.transpose(0, 1).reshape(3, 4) + self.positions.t()


def test_permutes_of_weights_are_not_counted():
    program = torch.export.export(Positions(), (torch.rand(4, 3),)).run_decompositions({})
    assert (moving(program), counted(program, VIEWS)) == (1, 1)


def test_a_network_is_exported():
    program, inputs = exported(chosen(["espcn"], [])[0])
    assert moving(program) == 0
    results = [program.module()(*inputs)]
    assert difference(results, results) == 0
    assert 0.99 < difference(results, [each + each.abs().max() for each in results]) < 1.01
    assert difference(results, [each.double() for each in results]) == float("inf")


def test_rows_say_what_is_wrong():
    good = Row("a", permutes=3, permutes_left=2, proof="proved", came=3, left=2, seconds=1, export_seconds=2)
    assert not good.problems
    bad = Row("b", permutes_left=3, error=1, proof="undecided", left=2, seconds=2, export_seconds=1)
    assert len(bad.problems) == 4
    assert Row("c", failed="refused").problems == ["refused"]
    assert "| a | 3 | 2 |" in table([good, bad])
    assert "The 1 other" in table([good, bad])
