"""Padding that slices drop, and parts of axes in blocks; proofs are compared with what is computed."""

import numpy as np
import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.elementwise import ElementwiseOp
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from support.ir_text import parse_verified
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp

X, Y, PADDED, RESULT = "tensor<2x5x3xf32>", "tensor<2x5x1xf32>", "tensor<2x8x3xf32>", "tensor<2x5x3xf32>"


def read(body: str, result: str = RESULT, x: str = X, y: str = Y) -> ModuleOp:
    return parse_verified(f"func.func @main(%x: {x}, %y: {y}) -> {result} {{\n{body}\nfunc.return %r : {result}\n}}")


def proves(first: ModuleOp, second: ModuleOp) -> bool:
    """True if two programs are proved equal; their numbers have to be."""
    verdict = compare(first, second).verdict
    inputs = random_inputs(main_of(first), 0)
    one, other = (run(module, inputs=inputs)[0] for module in (first, second))
    assert verdict is not Verdict.PROVED or np.array_equal(one, other)
    return verdict is Verdict.PROVED


PLAIN = f"""%s = npu.add %x, %y : ({X}, {Y}) -> {X}
%r = npu.exp %s : {X}"""


def padded(low: int = 0, value: float = 0, starts: str = "0, 0, 0", limits: str = "2, 5, 3", of_y: int = 8) -> str:
    high = 3 - low
    wide = f"tensor<2x{of_y}x1xf32>"
    return f"""%p = npu.pad %x low = [0, {low}, 0] high = [0, {high}, 0] value = {value:.1f} : ({X}) -> {PADDED}
%q = npu.pad %y low = [0, 0, 0] high = [0, {of_y - 5}, 0] : ({Y}) -> {wide}
%a = npu.reshape %p : ({PADDED}) -> tensor<2x2x4x3xf32>
%b = npu.reshape %q : ({wide}) -> tensor<2x2x4x1xf32>
%t = npu.transpose %a permutation = [1, 0, 3, 2] : (tensor<2x2x4x3xf32>) -> tensor<2x2x3x4xf32>
%u = npu.transpose %b permutation = [1, 0, 3, 2] : (tensor<2x2x4x1xf32>) -> tensor<2x2x1x4xf32>
%s = npu.add %t, %u : (tensor<2x2x3x4xf32>, tensor<2x2x1x4xf32>) -> tensor<2x2x3x4xf32>
%e = npu.exp %s : tensor<2x2x3x4xf32>
%v = npu.transpose %e permutation = [1, 0, 3, 2] : (tensor<2x2x3x4xf32>) -> tensor<2x2x4x3xf32>
%w = npu.reshape %v : (tensor<2x2x4x3xf32>) -> {PADDED}
%r = npu.slice %w starts = [{starts}] limits = [{limits}] : ({PADDED}) -> {RESULT}"""


@pytest.mark.parametrize("value", [0, 5, -1])
def test_padding_that_is_dropped_may_be_anything(value: float):
    assert proves(read(PLAIN), read(padded(value=value)))
    assert proves(read(padded(value=value)), read(PLAIN))


def test_a_slice_of_all_elements_is_its_operand_however_its_bounds_are_written():
    most = 2**63 - 1

    def sliced(starts: str) -> ModuleOp:
        return read(f"%r = npu.slice %x starts = [{starts}] limits = [{most}, {most}, {most}] : ({X}) -> {X}")

    whole = read("%r = npu.reshape %x : " + X)
    assert proves(sliced("-9, -5, 0"), whole)
    assert proves(whole, sliced("0, -511, -3"))


@pytest.mark.parametrize(("start", "limit", "is_whole"), [(0, 2**63 - 1, True), (0, 5, False), (-9, 2**63 - 1, False)])
def test_an_axis_of_unknown_size_is_whole_from_its_begin_to_its_end(start: int, limit: int, is_whole: bool):
    x, y = "tensor<?x3xf32>", "tensor<1xf32>"
    sliced = f"%s = npu.slice %x starts = [{start}, 0] limits = [{limit}, 3] : ({x}) -> {x}"
    one = read(f"{sliced}\n%r = npu.exp %s : {x}", x, x, y)
    assert (compare(one, read(f"%r = npu.exp %x : {x}", x, x, y)).verdict is Verdict.PROVED) == is_whole


def test_padding_that_is_kept_counts():
    assert not proves(read(PLAIN), read(padded(low=1)))
    assert not proves(read(PLAIN), read(padded(starts="0, 1, 0", limits="2, 6, 3")))
    assert not proves(read(PLAIN), read(padded(starts="0, 3, 0", limits="2, 8, 3")))


def test_a_slice_that_drops_more_or_less_than_the_padding_is_a_slice():
    for limit in (4, 6):
        result = f"tensor<2x{limit}x3xf32>"
        kept = f"%r = npu.slice %w starts = [0, 0, 0] limits = [2, {limit}, 3] : ({PADDED}) -> {result}"
        once, other = (read("\n".join([*padded(value=v).splitlines()[:-1], kept]), result) for v in (0, 1))
        assert proves(once, once.clone())
        assert not proves(once, other)


def whole(size: int, value: float) -> ModuleOp:
    """A padded axis as several, of which a slice drops nothing."""
    x, square = f"tensor<{size}xf32>", "tensor<4x4xf32>"
    body = f"""%p = npu.pad %x low = [0] high = [{16 - size}] value = {value:.1f} : ({x}) -> tensor<16xf32>
%q = npu.reshape %p : (tensor<16xf32>) -> {square}
%r = npu.slice %q starts = [0, 0] limits = [4, 4] : ({square}) -> {square}"""
    return read(body, square, x, x)


@pytest.mark.parametrize("size", [4, 8])
def test_parts_of_a_padded_axis_are_not_its_core(size: int):
    """A part may have as many elements as the core, or elements that the core has as well."""
    assert proves(whole(size, 0), whole(size, 0))
    assert not proves(whole(size, 0), whole(size, 1))


def test_a_slice_with_steps_is_not_the_core():
    four, eight = "tensor<4xf32>", "tensor<8xf32>"
    pad = f"%p = npu.pad %x low = [0] high = [4] : ({four}) -> {eight}\n%e = npu.exp %p : {eight}\n"
    cut = f"%r = npu.slice %e starts = [0] limits = [{{}}] steps = [{{}}] : ({eight}) -> {four}"
    plain = read(f"%r = npu.exp %x : {four}", four, four, four)
    assert proves(plain, read(pad + cut.format(4, 1), four, four, four))
    assert not proves(plain, read(pad + cut.format(8, 2), four, four, four))


@pytest.mark.parametrize("mode", ["edge", "reflect"])
def test_padding_that_repeats_the_operand_is_dropped_as_well(mode: str):
    def dropped(low: int) -> ModuleOp:
        pad = f'%p = npu.pad %x low = [0, {low}, 0] high = [0, {3 - low}, 0] mode = "{mode}" : ({X}) -> {PADDED}'
        cut = f"%r = npu.slice %e starts = [0, 0, 0] limits = [2, 5, 3] : ({PADDED}) -> {RESULT}"
        return read(f"{pad}\n%e = npu.exp %p : {PADDED}\n{cut}")

    plain = read(f"%r = npu.exp %x : {X}")
    assert proves(plain, dropped(low=0))
    assert not proves(plain, dropped(low=1))


SUM = """%p = npu.pad %x low = [0] high = [{}] : (tensor<{}xf32>) -> tensor<4xf32>
%s = npu.add %p, %{} : tensor<4xf32>
%r = npu.slice %s starts = [0] limits = [{}] : (tensor<4xf32>) -> tensor<{}xf32>"""


def test_operands_with_less_padding_are_not_dropped():
    """A pad of one element is no repetition of it."""
    one, four = "tensor<1xf32>", "tensor<4xf32>"
    short = read(SUM.format(3, 1, "y", 1, 1), one, one, four)
    repeated = read(f"%r = npu.add %x, %y : ({one}, {four}) -> {four}", four, one, four)
    kept = read(SUM.format(3, 1, "y", 4, 4), four, one, four)
    assert not proves(kept, repeated)
    last = f"%z = npu.slice %y starts = [3] limits = [4] : ({four}) -> {one}\n%r = npu.add %x, %z : {one}"
    assert not proves(short, read(last, one, one, four))


def test_padding_of_different_lengths():
    two, three = "tensor<2xf32>", "tensor<3xf32>"
    pad_y = f"%q = npu.pad %y low = [0] high = [2] : ({two}) -> tensor<4xf32>\n"
    for size in (2, 3):
        result = f"tensor<{size}xf32>"
        made = [read(pad_y + SUM.format(1, 3, "q", size, size), result, three, two)]
        made.append(read(made_of_slices(size), result, three, two))
        proves(*made)


def made_of_slices(size: int) -> str:
    if size == 2:
        cut = "%z = npu.slice %x starts = [0] limits = [2] : (tensor<3xf32>) -> tensor<2xf32>\n"
        return cut + "%r = npu.add %z, %y : tensor<2xf32>"
    wide = "%z = npu.pad %y low = [0] high = [1] : (tensor<2xf32>) -> tensor<3xf32>\n"
    return wide + "%r = npu.add %x, %z : tensor<3xf32>"


def test_ops_that_see_padding_keep_it():
    """A softmax along the padded axis is no softmax without."""
    plain = f"%s = npu.softmax %x axis = 1 : {X}\n%r = npu.exp %s : {X}"
    pad = f"%p = npu.pad %x low = [0, 0, 0] high = [0, 3, 0] : ({X}) -> {PADDED}\n"
    rest = f"%r = npu.slice %e starts = [0, 0, 0] limits = [2, 5, 3] : ({PADDED}) -> {RESULT}"
    seen = pad + f"%s = npu.softmax %p axis = 1 : {PADDED}\n%e = npu.exp %s : {PADDED}\n" + rest
    assert not proves(read(plain), read(seen))


def test_no_elementwise_op_sees_padding():
    ops = [op for op in NPU.operations if issubclass(op, ElementwiseOp)]
    assert ops
    assert not any(op.AXES.attributes for op in ops)


def joined(first: str, second: str, sizes: tuple[int, int], block: int) -> str:
    """Parts of an axis, concatenated in blocks."""
    lines: list[str] = []
    for name, given, size in (("a", first, sizes[0]), ("b", second, sizes[1])):
        one, other = f"tensor<3x{size}xf32>", f"tensor<{size // block}x3x{block}xf32>"
        cut = f"tensor<3x{size // block}x{block}xf32>"
        lines.append(f"%{name}0 = npu.reshape %{given} : ({one}) -> {cut}")
        lines.append(f"%{name} = npu.transpose %{name}0 permutation = [1, 0, 2] : ({cut}) -> {other}")
    total = sum(sizes)
    whole = f"tensor<{total // block}x3x{block}xf32>"
    types = ", ".join(f"tensor<{size // block}x3x{block}xf32>" for size in sizes)
    lines.append(f"%c = npu.concat %a, %b axis = 0 : ({types}) -> {whole}")
    moved = f"tensor<3x{total // block}x{block}xf32>"
    lines.append(f"%d = npu.transpose %c permutation = [1, 0, 2] : ({whole}) -> {moved}")
    lines.append(f"%r = npu.reshape %d : ({moved}) -> tensor<3x{total}xf32>")
    return "\n".join(lines)


@pytest.mark.parametrize("sizes", [(8, 8), (8, 24), (12, 20)])
def test_concatenations_in_blocks(sizes: tuple[int, int]):
    x, y, total = f"tensor<3x{sizes[0]}xf32>", f"tensor<3x{sizes[1]}xf32>", f"tensor<3x{sum(sizes)}xf32>"
    plain = read(f"%r = npu.concat %x, %y axis = 1 : ({x}, {y}) -> {total}", total, x, y)
    for block in (1, 2, 4):
        assert proves(plain, read(joined("x", "y", sizes, block), total, x, y))
    swapped = read(f"%r = npu.concat %y, %x axis = 1 : ({y}, {x}) -> {total}", total, x, y)
    assert not proves(plain, swapped)
    across = joined("x", "y", sizes, 2).replace("%d = npu.transpose %c permutation = [1, 0, 2]", "%d = npu.reshape %c")
    assert not proves(plain, read(across, total, x, y))


def part(sizes: tuple[int, ...], block: int, index: int) -> ModuleOp:
    """One of the parts into which an axis is split in blocks."""
    total = sum(sizes)
    cut, kinds = f"tensor<3x{total // block}x{block}xf32>", [f"tensor<3x{size // block}x{block}xf32>" for size in sizes]
    counts = ", ".join(str(size // block) for size in sizes)
    names = ", ".join(f"%{place}" for place in range(len(sizes)))
    x, result = f"tensor<3x{total}xf32>", f"tensor<3x{sizes[index]}xf32>"
    body = f"""%c = npu.reshape %x : ({x}) -> {cut}
{names} = npu.split %c axis = 1 sizes = [{counts}] : ({cut}) -> ({", ".join(kinds)})
%r = npu.reshape %{index} : ({kinds[index]}) -> {result}"""
    return read(body, result, x, x)


@pytest.mark.parametrize("sizes", [(8, 8), (8, 24), (12, 20), (4, 8, 12)])
def test_splits_in_blocks(sizes: tuple[int, ...]):
    plain = part(sizes, 1, 1)
    for block in (2, 4):
        assert proves(plain, part(sizes, block, 1))
    for other in {sizes[::-1], (sizes[1], sizes[0], *sizes[2:])} - {sizes}:
        for index, size in enumerate(other):
            assert size != sizes[1] or not proves(plain, part(other, 4, index))
    assert sizes != (8, 8) or not proves(plain, part(sizes, 4, 0))


def shuffled(sizes: tuple[int, int], block: int) -> ModuleOp:
    """Shuffled channels, which an op takes in blocks and a reshape as they are stored."""
    count = sizes[0] * sizes[1]
    cut, moved = (f"tensor<{one}x{other}xf32>" for one, other in (sizes, sizes[::-1]))
    x, result = f"tensor<{count}xf32>", f"tensor<2x{count // 2}xf32>"
    plain, packed = f"tensor<1x{count}x1x1xf32, #npu.layout<NCHW>>", f"tensor<1x{count // block}x1x1x{block}xf32"
    packed = f"{packed}, #npu.layout<NCHW{block}c>>" if block > 1 else plain
    body = f"""%a = npu.reshape %x : ({x}) -> {cut}
%b = npu.transpose %a permutation = [1, 0] : ({cut}) -> {moved}
%c = npu.reshape %b : ({moved}) -> {plain}
%p = npu.{"pack" if block > 1 else "reshape"} %c : ({plain}) -> {packed}
%e = npu.exp %p : {packed}
%r = npu.reshape %e : ({packed}) -> {result}"""
    return read(body, result, x, x)


@pytest.mark.parametrize("sizes", [(4, 6), (6, 4), (9, 4)])
def test_blocks_that_the_pieces_of_an_axis_do_not_divide(sizes: tuple[int, int]):
    plain = shuffled(sizes, 1)
    assert all(proves(plain, shuffled(sizes, block)) for block in (4, 6, 12))
    assert not any(proves(plain, shuffled((sizes[1], sizes[0]), block)) for block in (1, 4))


def joined_channels(sizes: tuple[int, int], block: int, rows: int) -> ModuleOp:
    """Concatenated channels, which an op takes in blocks and a reshape as they are stored."""
    count = sum(sizes)
    x, y, plain = (f"tensor<1x{size}x1x1xf32, #npu.layout<NCHW>>" for size in (*sizes, count))
    packed = f"tensor<1x{count // block}x1x1x{block}xf32, #npu.layout<NCHW{block}c>>" if block > 1 else plain
    result = f"tensor<{rows}x{count // rows}xf32>"
    body = f"""%c = npu.concat %x, %y axis = 1 : ({x}, {y}) -> {plain}
%p = npu.{"pack" if block > 1 else "reshape"} %c : ({plain}) -> {packed}
%e = npu.exp %p : {packed}
%r = npu.reshape %e : ({packed}) -> {result}"""
    return read(body, result, x, y)


@pytest.mark.parametrize(("sizes", "block", "rows"), [((8, 12), 2, 2), ((12, 24), 6, 2), ((12, 18), 2, 3)])
def test_parts_of_an_axis_that_blocks_do_not_divide(sizes: tuple[int, int], block: int, rows: int):
    plain = joined_channels(sizes, 1, rows)
    assert proves(plain, joined_channels(sizes, block, rows))
