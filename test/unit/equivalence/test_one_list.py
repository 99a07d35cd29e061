"""Positions along one axis that are repeated along all others: the op on elements moves whole slices."""

from itertools import permutations

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import permute
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

SIZES, COUNT = (2, 8, 3), 4


def typed(sizes: tuple[int, ...], element: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, sizes))}x{element}>"


def beside(axis: int, count: int) -> tuple[int, ...]:
    return (*SIZES[:axis], count, *SIZES[axis + 1 :])


def scattered(reduction: str = "none") -> ModuleOp:
    """Slices that are put at a list of positions."""
    x, positions, updates = typed(SIZES), typed((COUNT,), "i64"), typed(beside(1, COUNT))
    return parse_verified(
        f"func.func @main(%x: {x}, %i: {positions}, %u: {updates}) -> {x} {{\n"
        f'  %y = npu.scatter %x, %i, %u axis = 1 reduction = "{reduction}" : ({x}, {positions}, {updates}) -> {x}\n'
        f"  func.return %y : {x}\n}}"
    )


def by_elements(order: tuple[int, ...], axis: int = 1, reduction: str = "none") -> ModuleOp:
    """Elements of the transposed data that are put at positions, repeated along all axes but this one."""
    x, positions, updates = typed(SIZES), typed((COUNT,), "i64"), typed(beside(1, COUNT))
    moved, put = typed(permute(SIZES, order)), typed(permute(beside(1, COUNT), order))
    at = typed(permute(beside(1, COUNT), order), "i64")
    back = [order.index(place) for place in range(3)]
    return parse_verified(
        f"func.func @main(%x: {x}, %i: {positions}, %u: {updates}) -> {x} {{\n"
        f"  %a = npu.transpose %x permutation = {list(order)} : ({x}) -> {moved}\n"
        f"  %b = npu.transpose %u permutation = {list(order)} : ({updates}) -> {put}\n"
        f"  %j = npu.broadcast %i axes = [{order.index(1)}] : ({positions}) -> {at}\n"
        f'  %s = npu.scatter_elements %a, %j, %b axis = {order.index(axis)} reduction = "{reduction}"\n'
        f"    : ({moved}, {at}, {put}) -> {moved}\n"
        f"  %y = npu.transpose %s permutation = {back} : ({moved}) -> {x}\n"
        f"  func.return %y : {x}\n}}"
    )


@pytest.mark.parametrize("reduction", ["none", "add", "max"])
@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_repeated_positions_are_a_list(order: tuple[int, ...], reduction: str):
    assert compare(scattered(reduction), by_elements(order, reduction=reduction)).verdict is Verdict.PROVED


def test_another_reduction_is_not_proved():
    assert compare(scattered("add"), by_elements((0, 1, 2))).verdict is Verdict.UNDECIDED


def positions_of(rows: str, axis: int, sizes: tuple[int, ...]) -> ModuleOp:
    """Updates of 3 by 4 elements at positions that a constant or an argument has."""
    x, u, i = typed((4, 4)), typed(sizes), typed(sizes, "i64")
    return parse_verified(
        f"func.func @main(%x: {x}, %u: {u}, %p: tensor<{sizes[0]}x1xi64>) -> {x} {{\n  {rows}\n"
        f"  %y = npu.scatter_elements %x, %j, %u axis = {axis} : ({x}, {i}, {u}) -> {x}\n  func.return %y : {x}\n}}"
    )


def of_slices(sizes: tuple[int, ...], axis: int) -> ModuleOp:
    x, u, p = typed((4, 4)), typed(sizes), f"tensor<{sizes[0]}x1xi64>"
    return parse_verified(
        f"func.func @main(%x: {x}, %u: {u}, %p: {p}) -> {x} {{\n"
        f"  %l = npu.reshape %p : ({p}) -> tensor<{sizes[0]}xi64>\n"
        f"  %y = npu.scatter %x, %l, %u axis = {axis} : ({x}, tensor<{sizes[0]}xi64>, {u}) -> {x}\n"
        f"  func.return %y : {x}\n}}"
    )


REPEATED = "%j = npu.broadcast %p axes = [0, 1] : (tensor<4x1xi64>) -> tensor<4x4xi64>"


def test_positions_along_another_axis_are_none():
    assert compare(of_slices((4, 4), 0), positions_of(REPEATED, 0, (4, 4))).verdict is Verdict.PROVED
    # Each row has a position of its own.
    assert compare(of_slices((4, 4), 1), positions_of(REPEATED, 1, (4, 4))).verdict is not Verdict.PROVED


def test_positions_for_a_part_of_the_other_axis_are_no_slices():
    part = "%j = npu.broadcast %p axes = [0, 1] : (tensor<4x1xi64>) -> tensor<4x3xi64>"
    first = positions_of(part, 0, (4, 3))
    padded = parse_verified(
        "func.func @main(%x: tensor<4x4xf32>, %u: tensor<4x3xf32>, %p: tensor<4x1xi64>) -> tensor<4x4xf32> {\n"
        "  %l = npu.reshape %p : (tensor<4x1xi64>) -> tensor<4xi64>\n"
        "  %w = npu.pad %u low = [0, 0] high = [0, 1] : (tensor<4x3xf32>) -> tensor<4x4xf32>\n"
        "  %y = npu.scatter %x, %l, %w axis = 0"
        " : (tensor<4x4xf32>, tensor<4xi64>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
        "  func.return %y : tensor<4x4xf32>\n}"
    )
    assert compare(first, padded).verdict is not Verdict.PROVED


def test_positions_that_differ_along_another_axis_count():
    """Positions of pairs of columns that are swapped are others."""

    def program(moved: str) -> ModuleOp:
        x, i = typed((4, 4)), typed((4, 4), "i64")
        return parse_verified(
            f"func.func @main(%x: {x}, %u: {x}, %i: {i}) -> {x} {{\n"
            f"  %a = npu.reshape %i : ({i}) -> tensor<4x2x2xi64>\n"
            f"  %b = npu.transpose %a permutation = {moved} : (tensor<4x2x2xi64>) -> tensor<4x2x2xi64>\n"
            f"  %j = npu.reshape %b : (tensor<4x2x2xi64>) -> {i}\n"
            f"  %y = npu.scatter_elements %x, %j, %u axis = 0 : ({x}, {i}, {x}) -> {x}\n  func.return %y : {x}\n}}"
        )

    assert compare(program("[0, 1, 2]"), program("[0, 1, 2]")).verdict is Verdict.PROVED
    assert compare(program("[0, 1, 2]"), program("[0, 2, 1]")).verdict is not Verdict.PROVED


@pytest.mark.parametrize(("axis", "is_equal"), [(1, True), (0, False)])
def test_elements_at_a_list_are_slices(axis: int, is_equal: bool):
    x, positions = typed((4, 4)), "tensor<4xi64>"
    first = parse_verified(
        f"func.func @main(%x: {x}, %i: {positions}) -> {x} {{\n"
        f"  %y = npu.gather %x, %i axis = 1 : ({x}, {positions}) -> {x}\n  func.return %y : {x}\n}}"
    )
    second = parse_verified(
        f"func.func @main(%x: {x}, %i: {positions}) -> {x} {{\n"
        f"  %j = npu.broadcast %i axes = [1] : ({positions}) -> tensor<4x4xi64>\n"
        f"  %y = npu.gather_elements %x, %j axis = {axis} : ({x}, tensor<4x4xi64>) -> {x}\n  func.return %y : {x}\n}}"
    )
    assert (compare(first, second).verdict is Verdict.PROVED) == is_equal
