"""Constants that are kept in several orders: what is counted in a program, and what the message says of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.moves.kept_constants import Kept, kept_in
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.passes.optimal.prices import constant_prices
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from npu_opt.targets.costs import Costs
from support.ir_text import parse
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import PassFailedException

Cost = Literal["target", "bytes", "count", "traffic", "prices"]
TARGET = """
name = "kept"
description = "Constants have a price"
extends = "opu"
[costs]
unit = "cycles"
transpose = "1 x bytes + 100"
constant = "2 x bytes"
"""
ONE = """
func.func @one(%x: tensor<6x8xf32>, %y: tensor<8x6xf32>) -> (tensor<6x8xf32>, tensor<8x6xf32>) {
  %w = npu.constant dense<1.0> : tensor<6x8xf32>
  %a = npu.add %x, %w : tensor<6x8xf32>
  %t = npu.transpose %w permutation = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %b = npu.add %y, %t : tensor<8x6xf32>
  func.return %a, %b : tensor<6x8xf32>, tensor<8x6xf32>
}
"""
BYTES = 6 * 8 * 4
REFERENCE = '#npu.reference<"w.safetensors", "w"{}>'
SHAPES: Sequence[tuple[str, str, int]] = (
    ("", "6x8x2", 0),
    (", [1, 2, 0]", "8x2x6", 1),
    (", [2, 0, 1]", "2x6x8", 1),
    # Another shape before the permutation is other data.
    (", reshaped [1, 0]", "8x12", 0),
)


def costs_of(folder: Path, text: str = TARGET) -> tuple[Costs, str]:
    file = folder / "kept.toml"
    file.write_text(text)
    found = load(file).with_prices.costs
    assert found is not None
    return found, str(file)


def coloured(text: str) -> ModuleOp:
    module = parse(text)
    transmit(module)
    return module


def placed(text: str, target: str, cost: Cost = "target") -> tuple[ModuleOp, str]:
    module = parse(text)
    with collected_accounts() as accounts:
        LayoutOptimal(target=target, cost=cost).apply(Context(), module)
    return module, accounts[0].text


def test_each_order_beside_the_first_counts(tmp_path: Path):
    costs, _ = costs_of(tmp_path)
    assert kept_in(coloured(ONE), costs) == Kept(1, 1, 2000 * BYTES)
    assert kept_in(coloured(ONE.replace("%a, %b", "%a, %t")), costs) == Kept(1, 1, 2000 * BYTES)


def test_what_nothing_reads_does_not_count(tmp_path: Path):
    costs, _ = costs_of(tmp_path)
    dead = ONE.replace("%a, %b :", "%x, %b :")
    assert kept_in(coloured(dead), costs) == Kept()


def test_functions_have_constants_in_common(tmp_path: Path):
    costs, _ = costs_of(tmp_path)
    # Both read it in the same two orders.
    assert kept_in(coloured(ONE + ONE.replace("@one", "@other")), costs) == Kept(1, 1, 2000 * BYTES)
    assert kept_in(coloured(ONE + ONE.replace("@one", "@other").replace("1.0", "2.0")), costs) == Kept(
        2, 2, 4000 * BYTES
    )


@pytest.mark.parametrize(("how", "shape", "further"), SHAPES)
def test_references_to_one_tensor_are_one_constant(tmp_path: Path, how: str, shape: str, further: int):
    costs, _ = costs_of(tmp_path)
    whole, other = REFERENCE.format(""), REFERENCE.format(how)
    text = f"""
    func.func @main(%x: tensor<6x8x2xf32>, %y: tensor<{shape}xf32>) -> (tensor<6x8x2xf32>, tensor<{shape}xf32>) {{
      %w = npu.constant {whole} : tensor<6x8x2xf32>
      %t = npu.constant {other} : tensor<{shape}xf32>
      %a = npu.add %x, %w : tensor<6x8x2xf32>
      %b = npu.add %y, %t : tensor<{shape}xf32>
      func.return %a, %b : tensor<6x8x2xf32>, tensor<{shape}xf32>
    }}
    """
    assert kept_in(coloured(text), costs).orders == further
    # Where the second sum reads it as the first one does, it is kept in one order.
    back = {"8x2x6": "[2, 0, 1]", "2x6x8": "[1, 2, 0]"}.get(shape)
    if back is not None:
        turned = f"%u = npu.transpose %t permutation = {back} : (tensor<{shape}xf32>) -> tensor<6x8x2xf32>\n"
        text = text.replace("%b = ", turned + "%c = npu.add %x, %u : tensor<6x8x2xf32>\n%b = ")
        text = text.replace("%a, %b :", "%a, %c :").replace(f"tensor<{shape}xf32>) {{", "tensor<6x8x2xf32>) {")
        text = text.replace(f", tensor<{shape}xf32>\n    }}", ", tensor<6x8x2xf32>\n    }")
        text = text.replace(f"-> (tensor<6x8x2xf32>, tensor<{shape}xf32>)", "-> (tensor<6x8x2xf32>, tensor<6x8x2xf32>)")
        assert kept_in(coloured(text), costs) == Kept()


def test_a_canonical_program_with_references_stays(tmp_path: Path):
    _, target = costs_of(tmp_path)
    module, text = placed(ONE.replace("dense<1.0>", REFERENCE.format("")), target)
    assert text == (
        f"0 transposes, 0 bytes, 0 cycles, and 1 constant is kept in two layouts for {2 * BYTES} cycles: proved minimum"
    )
    CanonicalizePass().apply(Context(), module)
    assert str(module).count("npu.constant") == 2
    again = module.clone()
    with collected_accounts() as accounts:
        LayoutOptimal(target=target).apply(Context(), again)
    assert str(again) == str(module)
    assert accounts[0].text == text


def test_what_reshapes_tear_has_one_order_already(tmp_path: Path):
    costs, target = costs_of(tmp_path)
    text = """
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<3x2xf32>)
        -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>) {
      %w = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      %t = npu.transpose %w permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %mixed = npu.reshape %t : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %turned = npu.transpose %mixed permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %a = npu.add %x, %w : tensor<2x3xf32>
      %b = npu.add %y, %mixed : tensor<2x3xf32>
      %c = npu.add %z, %turned : tensor<3x2xf32>
      func.return %a, %b, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>
    }
    """
    # The reshape reads the constant in a second order, and the last sum reads the result in one.
    assert kept_in(coloured(text), costs) == Kept(2, 2, 2 * 2000 * 6 * 4)
    module, account = placed(text, target)
    assert "and 2 constants are kept in two layouts for 96 cycles: proved minimum" in account
    assert compare(parse(text), module).verdict is Verdict.PROVED


def test_an_order_is_paid_once_for_all_calls(tmp_path: Path):
    _, target = costs_of(tmp_path)
    private = ONE.replace("func.func @one", "func.func private @one")
    types = "tensor<6x8xf32>, tensor<8x6xf32>"
    calls = f"""
    func.func @main(%x: tensor<6x8xf32>, %y: tensor<8x6xf32>) -> ({types}) attributes {{npu.calls = 5 : i64}} {{
      %a:2 = func.call @one(%x, %y) : ({types}) -> ({types})
      %b:2 = func.call @one(%a#0, %a#1) : ({types}) -> ({types})
      func.return %b#0, %b#1 : {types}
    }}
    """
    text = (
        f"0 transposes, 0 bytes, 0 cycles, and 1 constant is kept in two layouts for {2 * BYTES} cycles: proved minimum"
    )
    assert placed(private + calls, target)[1] == text


def test_more_orders_than_two_are_several(tmp_path: Path):
    _, target = costs_of(tmp_path)
    shapes = ("2x3x4", "3x4x2", "4x2x3")
    orders = ("[0, 1, 2]", "[1, 2, 0]", "[2, 0, 1]")
    sums = "\n".join(
        f"%t{place} = npu.transpose %w permutation = {order} : (tensor<2x3x4xf32>) -> tensor<{shape}xf32>\n"
        f"%s{place} = npu.add %x{place}, %t{place} : tensor<{shape}xf32>"
        for place, (shape, order) in enumerate(zip(shapes, orders, strict=True))
    )
    arguments = ", ".join(f"%x{place}: tensor<{shape}xf32>" for place, shape in enumerate(shapes))
    types = ", ".join(f"tensor<{shape}xf32>" for shape in shapes)
    text = (
        f"func.func @main({arguments}) -> ({types}) {{\n%w = npu.constant dense<1.0> : tensor<2x3x4xf32>\n{sums}\n"
        f"func.return %s0, %s1, %s2 : {types}\n}}"
    )
    _, account = placed(text, target)
    assert "and 1 constant is kept in several layouts for 384 cycles: proved minimum" in account


@pytest.mark.parametrize("cost", ["bytes", "count", "traffic"])
def test_constants_are_free_where_prices_are_not_minimised(tmp_path: Path, cost: Cost):
    _, target = costs_of(tmp_path)
    module, text = placed(ONE, target, cost=cost)
    other, free = placed(ONE, "opu", cost=cost)
    assert (str(module), text) == (str(other), free)
    assert "kept" not in text


def test_without_a_price_nothing_changes(tmp_path: Path):
    _, target = costs_of(tmp_path, TARGET.replace('constant = "2 x bytes"\n', ""))
    module, text = placed(ONE, target)
    _, target = costs_of(tmp_path, TARGET.replace("2 x", "0 x"))
    other, free = placed(ONE, target)
    assert (str(module), text) == (str(other), free)
    assert text == "0 transposes, 0 bytes, 0 cycles: proved minimum"


def test_a_target_that_counts_transposes_weighs_them_at_its_prices(tmp_path: Path):
    """The program of the fewest transposes is taken if it costs no more than the one that came."""
    counts = TARGET.replace('extends = "opu"', 'extends = "opu"\ncost = "count"')
    _, target = costs_of(tmp_path, counts)
    _, text = placed(ONE, target, cost="prices")
    assert text == (
        f"0 transposes, 0 bytes, and 1 constant is kept in two layouts for {2 * BYTES} cycles: proved minimum"
    )
    assert placed(ONE, target)[1] == "0 transposes, 0 bytes: proved minimum"


def test_a_wrong_count_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The written program is counted apart from the choice."""
    _, target = costs_of(tmp_path)
    text = ONE.replace("%b = npu.add %y, %t", "%r = npu.relu %y : tensor<8x6xf32>\n%b = npu.add %r, %t")
    monkeypatch.setattr(constant_prices, "kept_in", lambda module, costs: Kept(1, 1, 10**9))  # pyright: ignore
    with pytest.raises(PassFailedException, match=r"the program costs .* instead of .*: please report this"):
        placed(text, target)


def test_an_order_is_one_of_the_data(tmp_path: Path):
    """Views of a constant in one order are kept once, whatever they show."""
    costs, _ = costs_of(tmp_path)
    text = """
    func.func @main(%x: tensor<6x8xf32>, %y: tensor<48xf32>) -> (tensor<6x8xf32>, tensor<48xf32>) {
      %w = npu.constant dense<1.0> : tensor<6x8xf32>
      %f = npu.reshape %w : (tensor<6x8xf32>) -> tensor<48xf32>
      %a = npu.add %x, %w : tensor<6x8xf32>
      %b = npu.add %y, %f : tensor<48xf32>
      func.return %a, %b : tensor<6x8xf32>, tensor<48xf32>
    }
    """
    assert kept_in(coloured(text), costs) == Kept()


def test_a_program_that_stays_as_it_came_says_what_it_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The least price needs one more transpose, and transposes count more."""
    counts = TARGET.replace('extends = "opu"', 'extends = "opu"\ncost = "count"').replace("2 x", "9 x")
    _, target = costs_of(tmp_path, counts)
    module = parse(ONE)
    before = str(coloured(ONE))
    LayoutOptimal(target=target, cost="prices").apply(Context(), module)
    assert str(module) == before
    kept = f"0 cycles, and 1 constant is kept in two layouts for {9 * BYTES} cycles: unchanged, because"
    assert kept in capsys.readouterr().err
