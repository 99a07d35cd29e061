"""Quantised programs of PyTorch behind `relayout`: backends find operators by the quantisation around them."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from typing import Any

import pytest
from npu_opt.equivalence.compare import Verdict
from support.torch_graphs import QUIET, are_equal, compared, exported, permutes, relayout, results, torch

pytestmark = QUIET
pytest.importorskip("torch.ao.quantization.fx._decomposed")
quantized: Any = torch.ops.quantized_decomposed
BYTES = 0.05, 3, -128, 127, torch.int8
QUANTISE, DEQUANTISE = "quantized_decomposed.quantize_per_tensor", "quantized_decomposed.dequantize_per_tensor"


def rounded(x: Any) -> Any:
    return quantized.dequantize_per_tensor(quantized.quantize_per_tensor(x, *BYTES), *BYTES)


def normed(x: Any) -> Any:
    """Columns without their means, which are computed in another shape, as quantisers take a normalisation apart."""
    x = rounded(rounded(rounded(rounded(x).relu().view(1, 8, 8))).transpose(1, 2))
    mean = rounded(rounded(rounded(x.view(1, 1, 8, 8)).sum(-1, keepdim=True)) * 0.125)
    y = rounded(rounded(x - rounded(mean.view(1, 8, 1))).transpose(1, 2)).tanh()
    return rounded(rounded(x.transpose(1, 2)) + rounded(y))


def pixels(x: Any) -> Any:
    x = rounded(rounded(rounded(x).relu()).permute(0, 2, 3, 1))
    x = rounded(rounded(x.tanh()).permute(0, 3, 1, 2))
    return rounded(x + rounded(x.sum((2, 3), keepdim=True)))


def turned(x: Any) -> tuple[Any, Any]:
    """A permute whose numbers are a result."""
    x = rounded(x).permute(0, 2, 1)
    return x, rounded(x.sigmoid()).permute(0, 2, 1)


def name_of(node: Any) -> str:
    return str(node.target).rpartition(".")[0].removeprefix("torch.ops.")


def new_views_of_numbers(program: Any, before: Any) -> list[str]:
    """The new views in f32 next to a quantisation or dequantisation."""
    names = {node.name for node in before.graph.nodes}
    views = [
        node
        for node in program.graph.nodes
        if node.op == "call_function"
        and name_of(node) in ("aten.permute", "aten.reshape", "aten.transpose", "aten.view")
        and node.name not in names
        and node.meta["val"].dtype == torch.float32
    ]
    return [
        node.name
        for node in views
        if name_of(node.args[0]) == DEQUANTISE or [name_of(user) for user in node.users] == [QUANTISE]
    ]


@pytest.mark.parametrize(
    ("function", "shape"),
    [(normed, (1, 8, 2, 4)), (pixels, (1, 4, 6, 8)), (turned, (2, 3, 8))],
    ids=["normed", "pixels", "turned"],
)
def test_new_views_are_those_of_integers(function: Any, shape: tuple[int, ...]):
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    program = exported(function, [x])
    found = relayout(program)
    assert are_equal(results(found, [x]), results(program, [x]))
    assert compared(program, found).verdict is Verdict.PROVED
    assert permutes(found) <= permutes(program)
    assert new_views_of_numbers(found, program) == []


def test_what_was_between_two_permutes_is_one_integer():
    """No integer is dequantised and quantised for nothing."""
    x = torch.randn(1, 4, 6, 8)
    found = relayout(exported(pixels, [x]))
    assert permutes(found) == 0
    pairs = [
        node.name
        for node in found.graph.nodes
        if name_of(node) == QUANTISE and name_of(node.args[0]) == DEQUANTISE and node.args[1:] == node.args[0].args[1:]
    ]
    assert pairs == []


def test_ranges_narrower_than_those_of_types():
    """A range is that of the quantisation, and of each dequantisation behind it: no clamp is in between."""
    how = 0.25, 0, -32767, 32767, torch.int16

    def short(x: Any) -> Any:
        return quantized.dequantize_per_tensor(quantized.quantize_per_tensor(x, *how), *how)

    def function(x: Any) -> Any:
        x = short(short(short(x).permute(0, 2, 3, 1)).relu())
        return short(short(x.permute(0, 3, 1, 2)).tanh())

    x = 9000 * torch.randn(1, 4, 6, 8, generator=torch.Generator().manual_seed(0))
    program = exported(function, [x])
    found = relayout(program)
    assert (permutes(program), permutes(found)) == (2, 0)
    assert are_equal(results(found, [x]), results(program, [x]))
    assert compared(program, found).verdict is Verdict.PROVED
    calls = [node for node in found.graph.nodes if name_of(node) in (QUANTISE, DEQUANTISE)]
    assert [node.args[3:5] for node in calls] == [(-32767, 32767)] * 6
    assert not any(name_of(node) == "aten.clamp" for node in found.graph.nodes)
